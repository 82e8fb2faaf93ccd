"""Rulebooks and booklets."""
