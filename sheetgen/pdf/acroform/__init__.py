"""Fillable PDFs of anybody: read, filled in, flattened."""
