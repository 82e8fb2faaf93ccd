"""Reference cards and playing decks, their sheets and backs."""
