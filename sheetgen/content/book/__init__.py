"""Chapters, screens and the references in their text."""
