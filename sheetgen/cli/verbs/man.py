"""`sheetgen man`: the manual page for `man`, made from the help of every verb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import parser
from sheetgen.cli.verbs import VERBS, help_of, names_of
from sheetgen.errors import EXIT_OK
from sheetgen.version import __version__

SAY = """Prints the manual page, in the language of man. Where manual pages of your own lie depends on the
system; ~/.local/share/man/man1 is one such place on Linux."""
EXAMPLE = """  sheetgen man > ~/.local/share/man/man1/sheetgen.1
  sheetgen man | man -l -"""
EXITS = {
    "0": "done",
    "1": "done, and something was found or left out, which was told",
    "2": "refused: the words or a file are wrong; nothing was made",
    "3": "given up: it would take more time, memory or room than is allowed",
    "4": "what was made could not be written",
    "130": "stopped by whoever started it",
}
FILES = {
    "output/": "where results go without -o",
    "content/": "packs of your own, found by their names",
    "sheetgen.toml": "folders of other packs (packs), house rules, a campaign",
    "$SHEETGEN_PACKS": "folders of packs, separated by colons",
    "$XDG_DATA_HOME/sheetgen/packs/": "your shelf: packs that you added",
    "$SHEETGEN_CACHE": "what need not be worked out twice; it may be deleted",
    "$XDG_CONFIG_HOME/sheetgen/printers.yaml": "profiles of printers",
}


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the page."""
    parser("man", SAY, EXAMPLE).read(words)
    print("\n".join(_page(where, environ)))
    return EXIT_OK


def _page(where: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the page in the man macros of troff, man(7)."""
    yield f'.TH SHEETGEN 1 "" "sheetgen {__version__}" "sheetgen"'
    yield ".SH NAME\nsheetgen \\- small tabletop roleplaying systems as things people hold at the table"
    yield ".SH SYNOPSIS\n.B sheetgen\n.I VERB\n\\&..."
    yield ".SH VERBS"
    for verb, say in VERBS.items():
        _, *others = names_of(verb)
        also = f" (other words for it: {', '.join(others)})" if others else ""
        yield f".TP\n.B {_escaped(verb)}\n{_escaped(say + also)}"
    for verb in VERBS:
        yield f".SH {verb.upper()}\n.nf"
        yield from map(_escaped, help_of(verb, where, environ).rstrip().splitlines())
        yield ".fi"
    for head, entries in {"EXIT STATUS": EXITS, "FILES": FILES}.items():
        yield f".SH {head}"
        for name, say in entries.items():
            yield f".TP\n.B {_escaped(name)}\n{_escaped(say)}"


def _escaped(line: str) -> str:
    """Return a line as text: backslashes and hyphens as they are typed, other letters by number, no macro in front."""
    text = line.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text
