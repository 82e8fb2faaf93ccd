"""Handouts as templates have them, their lettering and their secrets."""
