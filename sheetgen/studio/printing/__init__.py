"""What the studio prints, and on which printer."""
