"""A character file changed in place: only the lines of what changed are new, and it reads back as it should."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.documents.export.characters import patched, yaml_text
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.rules.rerolling import Reroll, Reroller
from sheetgen.rules.rolling import Roller, plan_of

OWN = dedent(
    """\
    # my guards
    system: gamers
    characters:
    # the good one
    - name: Ada   # a friend
      skills:
        Fire: 2   # with bows

        Melee: 1
      gear: [rope]

      # what is she after?
      hook: Wants out.
    - hook: "Wants in."
      name: Bo
    """
)


def read(system: System, text: str) -> tuple[Character, ...]:
    problems = Problems()
    people = read_characters(parse(text.encode(), "own.yaml"), system, problems, judge=lambda system, made: ())
    assert problems.found == ()
    return people


def edited(character: Character, **values: Value | None) -> Character:
    made = {**character.values, **values}
    return replace(character, values={name: value for name, value in made.items() if value is not None})


def test_comments_order_and_quotes_of_ones_own_stay(gamers: System) -> None:
    ada, bo = read(gamers, OWN)
    made = patched(gamers, OWN, (ada, bo), (edited(ada, hook="Wants more."), edited(bo, notes="Owes.\nMuch.")))
    assert made is not None
    assert made.replace("Wants more.", "Wants out.").replace("  notes: |-\n    Owes.\n    Much.\n", "") == OWN


def test_a_field_that_is_gone_leaves_its_comment_and_a_new_one_finds_its_place(gamers: System) -> None:
    ada, bo = read(gamers, OWN)
    made = patched(gamers, OWN, (ada, bo), (edited(ada, gear=None, occupation="guard", hook=None), bo))
    assert made is not None
    assert "- name: Ada   # a friend\n  occupation: guard\n  skills:\n    Fire: 2   # with bows\n" in made
    assert "    Melee: 1\n\n  # what is she after?\n- hook:" in made


def test_a_file_that_is_not_laid_out_in_lines_is_left_to_others(gamers: System) -> None:
    text = "system: gamers\ncharacters: [{name: Ada, hook: Wants out.}]\n"
    (ada,) = read(gamers, text)
    assert patched(gamers, text, (ada,), (edited(ada, hook="Wants in."),)) is None


@pytest.mark.parametrize("word", ["skills", "hook", "gear", "people", "all"])
def test_a_file_of_ours_changes_as_if_it_were_written_anew(gamers: System, word: str) -> None:
    roller = Roller(gamers, plan_of(gamers), 7)
    before = tuple(roller.roll(index) for index in (1, 2, 3))
    text = "".join(yaml_text(gamers, before))
    for seed in range(4):
        after = tuple(Reroller(gamers, Reroll((word,), seed)).reroll(each) for each in before)
        assert patched(gamers, text, before, after) == "".join(yaml_text(gamers, after))
