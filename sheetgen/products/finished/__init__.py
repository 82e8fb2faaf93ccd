"""What is made of finished PDFs: joined, merged, compared, filled."""
