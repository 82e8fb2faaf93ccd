"""Characters and packs as text: YAML, JSON, CSV."""
