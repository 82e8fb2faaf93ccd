"""The products: sheets, cards, rosters, books, screens, references, handouts, booklets, filled forms."""
