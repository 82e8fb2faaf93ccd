"""Every system can be made by choice: its budgets are shown and kept, and what the dice suggest is legal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sheetgen.content.folders import Library
from sheetgen.content.library import read_pack
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.recipes.judged import complaints
from sheetgen.rules.asking import interview
from sheetgen.rules.creation import Roller, plan_of
from sheetgen.rules.interview import Interview, question_after
from sheetgen.rules.question import Question
from sheetgen.rules.settling import Settled

CONTENT = Path(__file__).resolve().parents[2] / "content"
SYSTEMS = ("gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix")
MOST = 60


def pack(library: Library, name: str) -> System:
    return read_pack(CONTENT / name, library)


def talk(system: System, method: str, **options: str) -> Interview:
    """A conversation by a method, without an archetype, the options of which are settled."""
    defaults = {name: option.default for name, option in system.creation.options.items()}
    settled, rollers = Settled(method, "none", {**defaults, **options}), dict[object, Roller]()

    def after(answers: Sequence[str]) -> Question | Character:
        asking = interview(system, settled, 7, lambda made: complaints(system, made), rollers)
        return question_after(asking, answers)

    return Interview(after)


def asked(interview: Interview) -> Question:
    assert isinstance(interview.now, Question)
    return interview.now


def until(interview: Interview, title: str) -> None:
    """Enter, up to the question of that title."""
    for _ in range(MOST):
        if asked(interview).title.startswith(title):
            return
        interview.answer("")
    raise AssertionError(title)


def finished(interview: Interview) -> Character:
    """The character, all that is left answered with Enter."""
    for _ in range(MOST):
        if isinstance(interview.now, Character):
            return interview.now
        interview.answer("")
    raise AssertionError(interview.now)


@pytest.mark.parametrize("name", SYSTEMS)
def test_enter_all_the_way_makes_a_legal_character_by_every_method(library: Library, name: str) -> None:
    system = pack(library, name)
    for method in system.creation.methods:
        wanted = {"descriptor": "Sly", "lucky": "7"} if method == "choice" else {}
        made = finished(talk(system, method, **wanted))
        assert complaints(system, made) == ()
        defaults = {option: each.default for option, each in system.creation.options.items()}
        plan = plan_of(system, method=method, options={**defaults, **wanted})
        assert made.values == Roller(system, plan, 7).roll(1).values


class Choice(NamedTuple):
    """What is typed at a step of a system, the complaint that Enter then gets, and an answer that mends it."""

    system: str
    method: str
    title: str
    typed: Sequence[str]
    complaint: str
    mended: str
    skills: str = ""


CHOICES = [
    Choice("tsgs", "arrange", "Abilities", ["none", "Strength Very, Speed Very"], "4 of 3 picks", "Speed Ability"),
    Choice("tsgs", "arrange", "Skill picks", ["Athletics +1, Perform +1, Riding +1"], "picks spent", "none"),
    Choice(
        system="diecodes",
        method="arrange",
        title="Stats",
        typed=["Dexterity 4d, Knowledge 4d, Perception 4d, Strength 4d"],
        complaint="16d of 12d",
        mended="Knowledge 2d, Strength 2d",
    ),
    Choice("diecodes", "random", "Skills", ["none"], "the skills are raised by 0", "again", skills="bought"),
    Choice(
        system="genesix",
        method="arrange",
        title="Ratings",
        typed=["Strength 2, Agility 2, Mental 2, Social 0, Monetary 0"],
        complaint="6 of 2 points",
        mended="Agility 0, Mental 0",
    ),
]


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: f"{choice.system}-{choice.title}")
def test_a_budget_is_shown_and_kept(library: Library, choice: Choice) -> None:
    system = pack(library, choice.system)
    interview = talk(system, choice.method, **({"skills": choice.skills} if choice.skills else {}))
    until(interview, choice.title)
    before = asked(interview).title
    for each in (*choice.typed, ""):
        interview.answer(each)
    assert asked(interview).title == before
    assert choice.complaint in asked(interview).complaint[0]
    assert asked(interview).complaint[0].endswith("]")
    interview.answer(choice.mended)
    interview.answer("")
    assert complaints(system, finished(interview)) == ()


def test_a_power_that_nobody_settled_cannot_be_chosen(library: Library) -> None:
    interview = talk(pack(library, "genesix"), "arrange", power="none")
    until(interview, "Ratings")
    interview.answer("Unnaturally 1")
    assert asked(interview).complaint[0].startswith("Unnaturally is not to be had")


def test_a_step_that_cannot_do_with_what_was_settled_says_so_and_the_way_back_is_open(library: Library) -> None:
    system = pack(library, "sixshooter")
    rollers: dict[object, Roller] = {}

    def after(answers: Sequence[str]) -> Question | Character:
        asking = interview(system, Settled("choice", "none", {"genre": "noir"}), 7, lambda made: (), rollers)
        return question_after(asking, answers)

    talked = Interview(after)
    for answer in ("any", "7"):
        talked.answer(answer)
    assert asked(talked).complaint[0].startswith("name the Descriptor")
    talked.back()
    talked.answer("Sharp")
    talked.answer("7")
    until(talked, "Descriptor")
    assert asked(talked).shown[1].endswith("Sharp")
    talked.answer("sly")
    assert finished(talked).text("descriptor") == "Sly"
