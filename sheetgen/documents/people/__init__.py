"""People as templates have them: sheets, half pages, cards, rosters."""
