"""The workspace of a run: folders, packs, caches, and the one place that writes files."""
