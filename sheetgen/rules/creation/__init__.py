"""Steps that make a character."""
