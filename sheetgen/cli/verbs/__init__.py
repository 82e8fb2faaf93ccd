"""Verbs for which `cli.product_verbs` does not do; `VERBS` names all verbs in the order of `sheetgen --help`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

VERBS = {
    "systems": "what is there, and what each can make",
    "npc": "roll people and print them",
    "make": "make a character by choice, step by step",
    "sheet": "filled sheets for characters you wrote, edited or rolled earlier",
    "blank": "an empty sheet: for pencil, or to fill in on a screen",
    "book": "the rulebook: contents, page references, examples as they were played, exact odds, index",
    "cards": "reference cards and other decks: on sheets to cut out, or one by one",
    "screen": "the panels of a GM screen, and of its players’ side",
    "reference": "what players look up: a page, or a little book for the pocket",
    "proof": "a page to measure a printer by, and a profile of what you read",
    "preflight": "what a print shop would send back: boxes, bleed, fonts, pictures, text near the cut",
    "handouts": "letters, notices, telegrams: a system's own, or of your own words",
    "session": "an evening in one PDF: run sheet, people, handouts, references, screen",
    "campaign": "people kept from evening to evening: the folder, the log, the cast on paper",
    "find": "words in the cast, log, sessions and handouts of a campaign",
    "fill": "anybody’s fillable PDF, filled in for your characters",
    "read": "filled forms back into character files, ours or anybody’s",
    "import": "characters of other programs: their tables and JSON, by the names of columns",
    "booklet": "impose any PDF: saddle stitch, several pages a side, eight-page fold",
    "new": "start your own pack: a small game that works at once, or a variant of one",
    "export": "character files in another format: tables, YAML, JSON; their JSON Schema",
    "pack": "a pack, checked, as one file to hand on",
    "add": "a packed game onto your shelf, for every folder you work in",
    "build": "everything into output/, only what changed",
    "merge": "the shards of one run put together into one file",
    "join": "several PDFs in one, with bookmarks, blank backs and one contents in front",
    "studio": "all of this as a page in your browser, from your own machine",
    "diff": "two results of ours side by side: what changed, in words and pictures",
    "printed": "what you have printed, so that --changed prints only what differs since",
    "open": "a result in the viewer of your system",
    "play": "any rule, with your dice or its own",
    "odds": "how likely each result of a rule is, exactly",
    "duel": "two characters fight again and again: who wins, at what cost",
    "house": "your house rules: what they change, and what can be changed",
    "encounter": "several fight on two sides: who wins, who falls, what makes it even",
    "check": "validate packs and characters",
    "doctor": "fonts, libraries, versions and cache, with the command that mends each",
    "man": "the manual page, made from the help of every verb",
    "completion": "a script for the shell, so that Tab completes verbs, options and systems",
}
SYNONYMS = {
    "roll": "npc",
    "generate": "npc",
    "print": "sheet",
    "list": "systems",
    "rulebook": "book",
    "deck": "cards",
    "serve": "studio",
}
HOMES = {  # the modules of verbs that have none of their own name
    "session": "campaign",
    "fill": "characters",
    "read": "characters",
    "import": "characters",
    "export": "characters",
    "duel": "fights",
    "encounter": "fights",
    "new": "packs",
    "pack": "packs",
    "add": "packs",
    "preflight": "printing",
    "proof": "printing",
    "play": "procedures",
    "odds": "procedures",
    "printed": "results",
    "diff": "results",
    "man": "shell",
    "completion": "shell",
    "find": "campaign",
    "open": "results",
    "house": "systems",
}


def names_of(verb: str) -> list[str]:
    """Return a verb and the other words for it."""
    return [verb, *(word for word, meant in SYNONYMS.items() if meant == verb)]


def run_verb(verb: str, words: list[str], folder: Path, environ: Mapping[str, str]) -> int:
    """Return the exit code of a verb, run in a folder: by a function of its own, or as the product it is called
    after.
    """
    home = f"sheetgen.cli.verbs.{HOMES.get(verb, verb)}"
    if find_spec(home) is None:
        from sheetgen.cli.product_verbs import make_product

        return make_product(verb, words, folder, environ)
    code: int = getattr(import_module(home), f"run_{verb}")(words, folder, environ)
    return code


def help_of(verb: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Return what `sheetgen VERB --help` prints."""
    told = io.StringIO()
    with redirect_stdout(told), suppress(SystemExit):  # argparse ends so when it has printed its help
        run_verb(verb, ["--help"], folder, environ)
    return told.getvalue()
