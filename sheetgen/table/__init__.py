"""Rules in play: single procedures, duels, and worked examples."""
