"""The workspace of a run: folders, packs, caches, and the one place that writes files."""

PACKS_PATH = "SHEETGEN_PACKS"  # the variable that names folders of packs
PACKS_OPTION = "--packs"  # does so, too; the environment of a run holds what it names under this key
