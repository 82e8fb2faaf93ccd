"""An evening in the studio: its scenes, people, fights."""
