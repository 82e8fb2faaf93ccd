"""Sessions: what a GM prepares for an evening, in one file."""
