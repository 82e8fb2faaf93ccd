"""Rulebooks as templates have them."""
