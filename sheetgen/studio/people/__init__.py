"""People on the wall of the studio, each in full, and the cast that is kept."""
