"""Handouts: letters, tickets, maps and whatever else is laid on the table."""
