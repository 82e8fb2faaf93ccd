"""Procedures: the rules of a game as typed functions, and how they are played."""
