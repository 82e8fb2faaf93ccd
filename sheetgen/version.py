"""The version of sheetgen, for whoever records it; `pyproject.toml` reads it here."""

__version__ = "0.2.0.dev0"
