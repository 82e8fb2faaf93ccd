"""People on paper: sheets, half pages, cards, rosters, blanks."""
