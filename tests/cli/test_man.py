"""`sheetgen man`: every verb with its help, in the macros of man(7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sheetgen.cli.verbs import SYNONYMS, VERBS

Sheetgen = Callable[..., Any]
MACROS = {".TH", ".SH", ".TP", ".B", ".I", ".nf", ".fi"}


def test_the_manual_page_has_every_verb_with_its_help(sheetgen: Sheetgen) -> None:
    ran = sheetgen("man")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert {line.partition(" ")[0] for line in lines if line.startswith((".", "'"))} == MACROS
    heads = [line.removeprefix(".SH ") for line in lines if line.startswith(".SH ")]
    assert heads == ["NAME", "SYNOPSIS", "VERBS", *map(str.upper, VERBS), "EXIT STATUS", "FILES"]
    assert sum(line.startswith("usage: sheetgen") for line in lines) == len(VERBS)
    assert ran.out.isascii()
    assert not re.search(r"(?<!\\)-", "\n".join(lines[1:]))  # a plain hyphen might become a dash


@pytest.mark.parametrize(("word", "verb"), SYNONYMS.items())
def test_words_of_other_tools_do_the_same(sheetgen: Sheetgen, word: str, verb: str) -> None:
    with pytest.raises(SystemExit):
        sheetgen(word, "--help")
    assert verb in VERBS


def test_a_roll_is_a_run_of_people(sheetgen: Sheetgen) -> None:
    assert sheetgen("roll", "gamers", "--seed", "7", "-o", "a.yaml").out == "a.yaml: 1 person of GAMERS\n"
