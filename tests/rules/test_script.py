"""Making a character by choice: the questions follow from the answers, and the rules' limits are told and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sheetgen.errors import UsageError
from sheetgen.model.system import System
from sheetgen.people.character_files import complaints
from sheetgen.rules.conversation import PresetAnswers, Prompt
from sheetgen.rules.rolling import Roller, plan_of

Talks = Callable[..., Any]


@pytest.mark.parametrize("method", ["random", "arrange", "points"])
@pytest.mark.parametrize("archetype", ["none", "guard"])
def test_whoever_takes_every_suggestion_gets_the_character_of_the_seed(
    talk: Talks, gamers: System, method: str, archetype: str
) -> None:
    made = talk(gamers, PresetAnswers(method, archetype, {"tech": "9"})).finished()
    plan = plan_of(gamers, method=method, archetype="" if archetype == "none" else archetype, options={"tech": "9"})
    assert made == Roller(gamers, plan, 7).roll(1)


def test_the_questions_come_in_the_order_of_the_game(talk: Talks, gamers: System) -> None:
    interview, titles = talk(gamers), []
    while isinstance(interview.now, Prompt):
        titles.append(interview.now.title)
        interview.answer("")
    assert titles[:3] == ["Method", "Archetype", "Option: level"]
    assert titles[9:12] == ["Attributes rolled", "Features", "Skills rolled"]
    assert titles[-2:] == ["Hook", "The whole character"]


def test_what_is_settled_is_not_asked(talk: Talks, gamers: System) -> None:
    options = {"features": "none", "tech": "9", "skills": "bought", "psi": "no", "culture": "celtic", "pronouns": "any"}
    settled = PresetAnswers("points", "none", {**options, "level": "usual"})
    assert talk(gamers, settled).asked.title == "Attributes bought"


def test_what_is_settled_wrongly_is_refused_before_anything_is_asked(talk: Talks, gamers: System) -> None:
    with pytest.raises(UsageError, match='unknown method "dice"'):
        talk(gamers, PresetAnswers("dice"))


def test_points_are_shared_within_the_budget(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("points", "none"))
    assert "45 of 45 points spent" in interview.until("Attributes bought").shown
    interview.answer("Grit 9, Awareness 6, Mind C, Endurance 6, Reflexes 7, Strength 6")
    assert "46 of 45 points spent, 1 too many" in interview.asked.shown
    interview.answer("")
    assert interview.asked.complaint == ("46 of 45 points spent, 1 too many: take some away [GAM-032]",)
    interview.answer("mind d")
    assert interview.asked.complaint == ("Mind is D, but runs from 2 to C at the start [GAM-032]",)
    interview.answer("Grit 8")
    interview.answer("")
    assert interview.asked.title == "Features"
    assert interview.finished().numbers("attributes")["Mind"] == 12


def test_results_are_arranged_by_swapping(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("arrange", "none"))
    interview.until("Attributes arranged")
    levels = talk(gamers, PresetAnswers("arrange", "none")).finished().numbers("attributes")
    best, worst = max(levels, key=levels.__getitem__), min(levels, key=levels.__getitem__)
    interview.answer(f"{worst} {gamers.write(best, levels[best])}")
    interview.answer("")
    made = interview.finished().numbers("attributes")
    assert made[worst] == levels[best]
    assert sorted(made.values()) == sorted(levels.values())


def test_a_result_that_did_not_fall_cannot_be_given(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("arrange", "none"))
    levels = talk(gamers, PresetAnswers("arrange", "none")).finished().numbers("attributes")
    missing = next(level for level in range(2, 13) if level not in levels.values())
    interview.until("Attributes arranged")
    interview.answer(f"Grit {gamers.write('Grit', missing)}")
    assert interview.asked.complaint[0].endswith("left among the results for Grit")


def test_skills_are_bought_at_their_price(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("points", "none", {"skills": "bought"}))
    interview.until("Skills bought")
    interview.answer("none")
    interview.answer("Fire 4, Burg 2")
    assert interview.asked.shown[-2:] == ("costs in points: Fire 10, Burglary 3", "13 of 15 points spent, 2 left")
    interview.answer("Melee 2")
    interview.answer("")
    assert interview.asked.complaint == ("16 of 15 points spent, 1 too many: take some away [GAM-078]",)
    interview.answer("Body 1")
    assert interview.asked.complaint[0].startswith("Body Psi is not to be had")
    interview.answer("melee 1")
    interview.answer("")
    assert interview.finished().numbers("skills") == {"Fire": 4, "Melee": 1, "Burglary": 2}


def test_dice_of_ones_own_are_taken_as_far_as_dice_can_fall(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("random", "none"))
    interview.until("Attributes rolled")
    interview.answer("Grit 1")
    assert interview.asked.complaint == ("Grit is 1, but runs from 2 to C with 2d6 [GAM-030]",)
    interview.answer("Grit 2, Mind 12")
    interview.answer("")
    interview.answer("Tech 9")
    assert interview.asked.complaint[0].startswith('unknown name "Tech"')
    attributes = interview.finished().numbers("attributes")
    assert (attributes["Grit"], attributes["Mind"]) == (2, 12)


def test_a_text_is_picked_from_offers_or_ones_own(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    offers = interview.until("Name").shown
    interview.answer("2")
    interview.until("Manner")
    interview.answer("hums “back” to front")
    interview.until("Hook")
    interview.answer("9")
    assert interview.asked.complaint == ("there is no number 9: type 1 to 5, or a text of your own",)
    interview.answer('"again"')
    made = interview.finished()
    assert f"2  {made.text('name')}" == offers[1]
    assert (made.text("manner"), made.text("hook")) == ("hums “back” to front", "again")


def test_again_rolls_anew_and_the_character_remembers_by_which_seed(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    first = interview.until("Skills rolled").shown
    interview.answer("again")
    assert interview.asked.shown != first
    made = interview.finished()
    assert made.origin is not None
    assert made.origin.rerolled == {"skills": 8}
    plan = plan_of(gamers)
    assert Roller(gamers, plan, 7, {"skills": 8}).roll(1) == made


def test_what_was_chosen_counts_for_the_steps_behind_it(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    interview.until("Occupation")
    interview.answer("gate guard")
    made = interview.finished()
    assert set(gamers.cast.occupations["gate guard"].gear) <= set(made.lines("gear"))


def test_an_answer_that_a_file_would_be_refused_for_is_refused_with_its_rule(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    interview.until("People")
    interview.answer("Ines, a friend 9")
    interview.answer("")
    assert interview.asked.complaint[0].endswith("but People is 9 [GAM-Q9]")
    interview = talk(gamers)
    interview.until("Specialties")
    interview.answer("Fire: bows")
    interview.answer("")
    assert interview.asked.complaint == ("Fire is below 1, so it cannot hold an entry under specialties [GAM-101]",)


@pytest.mark.parametrize(
    ("title", "answer", "complaint"),
    [
        ("Method", "dice", 'unknown method "dice"'),
        ("Method", "7", "there is no number 7: type 1 to 3, or a name"),
        ("Option: tech", "D", 'option tech takes 0 to C, or rolled; not "D"'),
        ("Option: psi", "perhaps", 'option psi takes yes or no, not "perhaps"'),
        ("Skills rolled", "Fire", '"Fire" is no name with a level'),
        ("Skills rolled", "S 2", '"S" may be Swimming or Speech or Search'),
        ("Skills rolled", "Fire G", '"Fire G" is no name with a level'),
        ("Name", "x" * 121, "name is 121 characters long"),
        ("Gear", "- 40", "there is no number 40"),
        ("Specialties", "Fire bows", '"Fire bows" is no “name: text”'),
        ("People", "Ines", '"Ines" is no name with a level'),
        ("The whole character", "hok: x", "unknown field"),
        ("The whole character", "skills: Fire 9", "unknown field"),
        ("The whole character", "gear", "type the field, a colon"),
    ],
)
def test_an_illegal_answer_is_explained_and_asked_again(
    talk: Talks, gamers: System, title: str, answer: str, complaint: str
) -> None:
    interview = talk(gamers)
    question = interview.until(title)
    interview.answer(answer)
    assert interview.asked.title == question.title
    assert interview.asked.complaint[0].startswith(complaint)


def test_the_whole_character_may_be_changed_before_it_is_written(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    interview.until("The whole character")
    for answer in ("notes: Owes Ines.", "gear: family sword", "gear: - 1", "specialties: - Deceit", "hook: Is me."):
        interview.answer(answer)
        assert interview.asked.complaint == ()
    made = interview.finished()
    assert made.text("notes") == "Owes Ines."
    assert made.lines("gear")[-1] == "family sword"
    assert "Landcraft" not in made.notes("specialties")
    assert complaints(gamers, made) == ()


def test_back_takes_answers_back_one_by_one_or_to_a_step(talk: Talks, gamers: System) -> None:
    interview = talk(gamers)
    interview.back()
    assert interview.asked.complaint == ("this is the first question",)
    interview.until("Features")
    interview.answer("Wealth 9")
    interview.answer("")
    interview.back()
    assert "Wealth 9" in interview.asked.shown[-1]
    interview.back("attributes")
    assert interview.asked.title == "Attributes rolled"
    interview.back("hook")
    assert interview.asked.complaint[0].startswith('unknown step "hook"')
    interview.back("method")
    assert interview.asked.title == "Method"


def test_a_step_that_gives_several_fields_asks_which(talk: Talks, gamers: System) -> None:
    interview = talk(gamers, PresetAnswers("points", "spy"))
    question = interview.until("Languages")
    assert "“native: …”" in question.ask
    interview.answer("Osk")
    assert interview.asked.complaint[0].startswith("say which: ")
    interview.answer("native: Osk")
    interview.answer("")
    assert interview.finished().text("native") == "Osk"


def test_the_level_is_asked_for_where_a_game_has_levels(talk: Talks, gamers: System) -> None:
    begun = talk(gamers, PresetAnswers("arrange", "guard"))
    question = begun.until("Option: level")
    assert any("boss" in line for line in question.shown)
    assert not any("weak" in line for line in question.shown)  # is made by another method
    begun.answer("boss")
    origin = begun.finished().origin
    assert origin is not None
    assert origin.options["level"] == "boss"
