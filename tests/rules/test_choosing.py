"""Every system can be made by choice: its budgets are shown and kept, and what the dice suggest is legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.model.system import System
from sheetgen.people.character_files import complaints
from sheetgen.rules.conversation import PresetAnswers
from sheetgen.rules.rolling import Roller, plan_of
from tests.reading import read_pack

CONTENT = Path(__file__).resolve().parents[2] / "content"
SYSTEMS = ("gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix")
UNASKED = {"culture": "any", "pronouns": "any"}
Talks = Callable[..., Any]


def pack(library: Library, name: str) -> System:
    return read_pack(CONTENT / name, library)


def defaults(system: System) -> dict[str, str]:
    return {name: option.default for name, option in system.creation.options.items()}


def settled(system: System, method: str, **options: str) -> PresetAnswers:
    """A method, without an archetype, and every option as it is by itself where nothing else is said."""
    return PresetAnswers(method, "none", {**defaults(system), **options})


@pytest.mark.parametrize("name", SYSTEMS)
def test_enter_all_the_way_makes_a_legal_character_by_every_method(talk: Talks, library: Library, name: str) -> None:
    system = pack(library, name)
    for method in system.creation.methods:
        wanted = {"descriptor": "Sly", "lucky": "7"} if method == "choice" else {}
        made = talk(system, settled(system, method, **wanted)).finished()
        assert complaints(system, made) == ()
        plan = plan_of(system, method=method, options={**defaults(system), **wanted})
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
def test_a_budget_is_shown_and_kept(talk: Talks, library: Library, choice: Choice) -> None:
    system = pack(library, choice.system)
    interview = talk(system, settled(system, choice.method, **({"skills": choice.skills} if choice.skills else {})))
    before = interview.until(choice.title).title
    for each in (*choice.typed, ""):
        interview.answer(each)
    assert interview.asked.title == before
    assert choice.complaint in interview.asked.complaint[0]
    assert interview.asked.complaint[0].endswith("]")
    interview.answer(choice.mended)
    interview.answer("")
    assert complaints(system, interview.finished()) == ()


def test_a_power_that_nobody_settled_cannot_be_chosen(talk: Talks, library: Library) -> None:
    system = pack(library, "genesix")
    interview = talk(system, settled(system, "arrange", power="none"))
    interview.until("Ratings")
    interview.answer("Unnaturally 1")
    assert interview.asked.complaint[0].startswith("Unnaturally is not to be had")


def test_a_step_that_cannot_do_with_what_was_settled_says_so_and_the_way_back_is_open(
    talk: Talks, library: Library
) -> None:
    talked = talk(pack(library, "sixshooter"), PresetAnswers("choice", "none", {"genre": "noir", **UNASKED}))
    for answer in ("", "any", "7"):
        talked.answer(answer)
    assert talked.asked.complaint[0].startswith("name the Descriptor")
    talked.back()
    talked.answer("Sharp")
    talked.answer("7")
    assert talked.until("Descriptor").shown[1].endswith("Sharp")
    talked.answer("sly")
    assert talked.finished().text("descriptor") == "Sly"
