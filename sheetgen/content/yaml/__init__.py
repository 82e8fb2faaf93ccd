"""Text to nodes with places, and nodes to checked values."""
