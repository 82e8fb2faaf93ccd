"""sheetgen rolls characters for tabletop role-playing games and prints what a table needs, sheets first."""

__version__ = "0.1.0"
