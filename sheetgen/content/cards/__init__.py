"""Decks of cards out of an author's own table."""
