"""What can be made: sheets, cards, rosters, books, screens, references, handouts, booklets, filled forms."""
