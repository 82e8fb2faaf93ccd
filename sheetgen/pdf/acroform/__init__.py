"""Fillable PDFs by others: read, filled in, flattened."""
