"""Pack folders and the files in them."""
