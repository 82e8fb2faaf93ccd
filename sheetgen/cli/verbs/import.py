"""`sheetgen import`: characters of other programs, by the names of their columns or fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.verbs.read import read_into_files

SAY = """Takes characters of other programs in: a table (.csv, .tsv, .xlsx, .ods) with a row for each, or JSON.
Columns are matched with the values of a game by their names, as fields of forms are; --map says what the names do not.
What has no place is told, asked or kept as a comment; exit 1 then. Tables and files of our own need no import, since
every verb reads them; they come through it as they are."""
EXAMPLE = """  sheetgen import sign-up.csv --system gamers             output/sign-up.yaml
  sheetgen import actors.json --system tsgs --map actors.yaml -o heroes.yaml"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters of the files that the words name."""
    return read_into_files("import", SAY, EXAMPLE, words, where, environ)
