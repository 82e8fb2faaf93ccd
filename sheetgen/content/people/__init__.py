"""NPC content, character files, groups."""
