"""The games that come with sheetgen: what their packs cannot say in YAML. Loaded by name, through the public hook."""
