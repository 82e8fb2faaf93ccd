"""Packs written in the studio."""
