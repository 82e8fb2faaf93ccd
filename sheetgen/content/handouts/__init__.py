"""Handouts and the catalogue of their styles."""
