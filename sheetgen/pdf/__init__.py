"""From HTML to PDF: flowing text into pages, and stamping values over a form that was laid out once."""
