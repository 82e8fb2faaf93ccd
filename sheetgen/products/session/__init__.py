"""What a game master has before an evening: run sheets, screens, references."""
