"""Rolling part of a character again: what is asked for changes, what follows from it follows, the rest stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.content.packs.folders import Library
from sheetgen.errors import UsageError
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.people.character_files import problems_of
from sheetgen.rules.rerolling import NotRolled, Reroll, Reroller, merged
from sheetgen.rules.rolling import Roller, plan_again, plan_of
from tests.reading import read_pack

CONTENT = Path(__file__).resolve().parents[2] / "content"


def person(system: System, index: int = 1, **how: str) -> Character:
    """Somebody of seed 7."""
    return Roller(system, plan_of(system, **how), 7).roll(index)  # type: ignore[arg-type]


def again(system: System, character: Character, *words: str, seed: int = 12, keep: tuple[str, ...] = ()) -> Character:
    """The character with some of it rolled again."""
    return Reroller(system, Reroll(words, seed, keep)).reroll(character)


def edited(character: Character, **values: Value) -> Character:
    """The character as somebody changed it in its file."""
    return replace(character, values={**character.values, **values})


def changed(before: Character, after: Character) -> set[str]:
    """The fields that differ."""
    names = {*before.values, *after.values}
    return {name for name in names if before.values.get(name) != after.values.get(name)}


def test_a_hook_is_rolled_again_with_what_belongs_to_it_and_nothing_else_changes(gamers: System) -> None:
    before = person(gamers)
    after = again(gamers, before, "hook")
    assert changed(before, after) == {"hook", "want", "voice"}
    assert after.origin is not None
    assert after.origin.rerolled == {"hook": 12}


@settings(max_examples=10, deadline=None)
@given(
    index=st.integers(1, 500), seed=st.integers(0, 2**63 - 1), word=st.sampled_from(["name", "manner", "hook", "gear"])
)
def test_what_nothing_follows_from_changes_alone(gamers: System, index: int, seed: int, word: str) -> None:
    before = person(gamers, index)
    belongs = {"gear": {"specialties", "familiarities"}, "hook": {"want", "voice"}, "name": {"pronouns"}}
    wanted = {word, *belongs.get(word, ())}  # owned things suggest skills, a story what somebody wants
    after = again(gamers, before, word, seed=seed)
    first_names = {each.text("name").split()[0] for each in (before, after)}
    if first_names & {who.split(",")[0] for each in (before, after) for who in each.numbers("people")}:
        wanted = wanted | {"people", "hook", "want", "voice"}  # nobody knows somebody of their own first name
    assert changed(before, after) <= wanted


def test_skills_bring_what_follows_from_them_unless_it_is_kept(gamers: System) -> None:
    before = person(gamers)
    after = again(gamers, before, "skills")
    assert {"skills", "gear", "familiarities"} <= changed(before, after)
    assert not changed(before, after) & {"name", "attributes", "features", "native"}
    kept = again(gamers, before, "skills", keep=("name", "gear", "occupation"))
    assert not changed(before, kept) & {"name", "gear", "occupation"}


def test_what_was_rolled_again_can_be_rolled_once_more_by_the_same_words(gamers: System) -> None:
    after = again(gamers, again(gamers, person(gamers), "skills"), "hook", seed=5)
    assert after.origin is not None
    assert after.origin.rerolled == {"skills": 12, "hook": 5}
    plan = plan_again(gamers, after.origin)
    assert Roller(gamers, plan, after.origin.seed, after.origin.rerolled).roll(after.origin.index) == after


def test_a_step_rolled_again_falls_as_in_the_run_of_that_seed(gamers: System) -> None:
    """The attributes of seed 12, for a character of seed 7 of the same number."""
    after = again(gamers, person(gamers, 4), "attributes")
    other = Roller(gamers, plan_of(gamers), 12).roll(4)
    assert after.values["attributes"] == other.values["attributes"]


def test_everything_rolled_again_is_the_character_of_the_other_seed(gamers: System) -> None:
    assert again(gamers, person(gamers, 4), "all") == Roller(gamers, plan_of(gamers), 12).roll(4)


def test_the_log_tells_which_step_fell_by_another_seed(gamers: System) -> None:
    origin = again(gamers, person(gamers), "hook").origin
    assert origin is not None
    _, log = Roller(gamers, plan_again(gamers, origin), origin.seed, origin.rerolled).explain(origin.index)
    assert "Hook, again by seed 12" in log
    assert "Manner" in log


def test_a_field_may_be_asked_for_by_its_own_name(gamers: System) -> None:
    """The step languages also gives the levels of foreign tongues; only the native one is to change."""
    before = edited(person(gamers, 2, archetype="spy"), native="Nobody’s")
    after = again(gamers, before, "native")
    assert changed(before, after) == {"native"}


def test_what_a_person_changed_is_kept_where_it_is_not_asked_for(gamers: System) -> None:
    before = person(gamers)
    people = before.numbers("people")
    first = next(iter(people))
    mine = edited(
        before,
        occupation="clock mender",
        gear=(*before.lines("gear"), "family sword"),
        people={**people, first: people[first] - 1},
        notes="Owes Ines.",
    )
    after = again(gamers, mine, "skills")
    assert after.text("occupation") == "clock mender"
    assert after.lines("gear")[-1] == "family sword"
    assert not set(before.lines("gear")[:3]) & set(after.lines("gear"))
    assert after.numbers("people") == mine.numbers("people")
    assert after.text("notes") == "Owes Ines."


def test_what_is_asked_for_is_given_up_even_if_a_person_changed_it(gamers: System) -> None:
    mine = edited(person(gamers), hook="Is me.")
    assert again(gamers, mine, "hook").text("hook") != "Is me."


def test_a_level_that_a_person_set_counts_for_what_is_rolled_again(gamers: System) -> None:
    """Wealth C brings what only the rich have; the features themselves stay as they were set."""
    mine = edited(person(gamers), features={**person(gamers).numbers("features"), "Wealth": 12})
    after = again(gamers, mine, "gear")
    assert after.numbers("features")["Wealth"] == 12
    fitting = {
        phrase.say
        for phrase in gamers.cast.belongings
        if any(trait == "Wealth" and 12 in at for trait, at in phrase.fits)
    }
    assert fitting & set(after.lines("gear"))


def test_what_a_person_deleted_stays_away(gamers: System) -> None:
    before = person(gamers)
    mine = Character(
        before.system, {name: value for name, value in before.values.items() if name != "hook"}, before.origin
    )
    assert "hook" not in again(gamers, mine, "skills").values


@pytest.mark.parametrize("name", ["gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_any_step_of_any_game_can_be_rolled_again_and_the_character_stays_legal(library: Library, name: str) -> None:
    system = read_pack(CONTENT / name, library)
    roller = Roller(system, plan_of(system, archetype=next(iter(system.cast.archetypes))), 7)
    for slot in roller.slots:
        before = roller.roll(3)
        after = again(system, before, slot)
        assert problems_of(system, [after]) == (), slot
        assert slot in ("name", "hook") or before.text("name") == after.text("name"), slot


@pytest.mark.parametrize(
    ("words", "keep", "message"),
    [
        (("skils",), (), 'no step "skils" (did you mean "skills"?)'),
        (("notes",), (), "no step of this method fills notes, so it cannot be rolled again"),
        (("hook",), ("hok",), 'no field "hok" to keep (did you mean "hook"?)'),
        (("manner",), ("manner",), "manner: all of it is to be kept"),
    ],
)
def test_a_word_that_means_nothing_is_refused(
    gamers: System, words: tuple[str, ...], keep: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        again(gamers, person(gamers), *words, keep=keep)
    assert str(caught.value).startswith(message)


def test_nobody_knows_how_a_character_of_ones_own_was_rolled(gamers: System) -> None:
    with pytest.raises(NotRolled, match="was not rolled"):
        again(gamers, Character("gamers", {"name": "Ada"}), "hook")


@pytest.mark.parametrize(
    ("fallen", "written", "anew", "expected"),
    [
        ("a", "a", "b", "b"),
        ("a", "mine", "b", "mine"),
        (("a", "b"), ("a", "mine"), ("b", "c"), ("c", "mine")),
        ({"x": 1, "y": 2}, {"x": 3, "z": 1}, {"x": 5, "y": 5, "w": 5}, {"x": 3, "w": 5, "z": 1}),
        (None, ("mine",), ("c",), ("c", "mine")),
        (("a",), None, ("c",), ("c",)),
    ],
)
def test_changes_of_a_person_are_laid_over_a_new_result(
    fallen: Value | None, written: Value | None, anew: Value | None, expected: Value | None
) -> None:
    assert merged(fallen, written, anew) == expected
