"""Dice: how they are written, and where their faces come from."""
