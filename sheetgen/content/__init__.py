"""Packs and characters as files: text to nodes with places, nodes to checked values."""
