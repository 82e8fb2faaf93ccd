"""HTML laid out by WeasyPrint on as many pages as it takes."""
