"""Fonts: faces, shaping, text of both directions, embedding."""
