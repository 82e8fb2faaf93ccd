"""The art of a deck of playing cards: pips, courts and jokers, drawn as SVG from shared shapes; lengths in mm."""
