"""References in rule text: what they come to, and one line for each that leads nowhere."""

from __future__ import annotations

import pytest

from sheetgen.content.book.references import References
from sheetgen.errors import Place
from sheetgen.model.book import Book, Chapter, Prose, Rule
from sheetgen.model.data import Word
from sheetgen.model.system import System

HERE = Place("rules/01-x.yaml", 7, 11)
RULE = Rule("quickie", "A quickie", (), Prose("", HERE), HERE)
BOOK = Book((Chapter("roll", "The roll", Prose("", HERE), (RULE,), (), HERE),), {})


@pytest.fixture(name="references")
def references_of_gamers(gamers: System) -> References:
    return References(gamers, BOOK)


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("quickie.difficulty.trained", "8"),
        ("quickie.dice.count|word", "two"),
        ("quickie.dice.count|Word", "Two"),
        ("quickie.unfamiliar", "−3"),
        ("quickie.specialty|signed", "+1"),
        ("11|digit", "B"),
        ("injury.dice|names", "small, medium, large and huge"),
        ("injury.states.physical", "up, unconscious, severely wounded and dead"),
        ("tables.wealth.9.savings", "96"),
        ("tables.skills.11", "Acrobatics"),
        ("Grit", "Grit"),
        ("Law & Society", "Law & Society"),
        ("2d6", "2d6"),
        ("-1", "−1"),
        ("½", "½"),
        ("rule\n  quickie", "A quickie"),
        ("hint Grit", "nerve, self-belief"),
    ],
)
def test_a_reference_comes_to_what_the_pack_says(references: References, inside: str, text: str) -> None:
    assert references.resolve(inside).text == text


def test_what_a_book_leaves_out_leads_to_what_stands_in_its_place(gamers: System) -> None:
    without = References(gamers, Book(BOOK.chapters, {}, elsewhere={"harbour": "The harbour (in the book of GAMERS)"}))
    assert without.resolve("chapter harbour").text == "The harbour (in the book of GAMERS)"
    assert without.resolve("chapter harbour, else rule quickie").target == "quickie"
    assert without.resolve("chapter roll, else rule quickie").target == "roll"
    for there in ("harbour", "roll"):
        with pytest.raises(ValueError, match='unknown rule "quickies"'):
            without.resolve(f"chapter {there}, else rule quickies")


@pytest.mark.parametrize(
    ("inside", "kind", "text", "target"),
    [
        ("rule quickie", "rule", "A quickie", "quickie"),
        ("chapter roll", "chapter", "The roll", "roll"),
        ("table wealth", "table", "Wealth", "wealth"),
        ("die 6", "die", "6", "6"),
        ("card 10s", "card", "10S", "10S"),
        ("suit S", "suit", "S", "S"),
        ("hand KS up, 7C down, gone", "hand", "KS up, 7C down, gone", "KS up, 7C down, gone"),
    ],
)
def test_some_lead_elsewhere_or_are_drawn(
    references: References, inside: str, kind: str, text: str, target: str
) -> None:
    found = references.resolve(inside)
    assert (found.kind, found.text, found.target) == (kind, text, target)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (
            "quickie.dificulty.trained",
            'no value "quickie.dificulty.trained" (did you mean "quickie.difficulty.trained"?)',
        ),
        ("quickie.difficulty", "holds several values: name one of them, or write |names"),
        ("quickie.unfamiliar|sinned", 'unknown form "sinned" (did you mean "signed"?)'),
        ("rule quicky", 'unknown rule "quicky" (did you mean "quickie"?)'),
        ("tables.wealth.1.savings", 'table wealth has no row for "1"'),
        ("tables.wealth.9.saving", 'table wealth has no column "saving" (did you mean "savings"?)'),
        ("tables.welth.9", 'unknown table "welth" (did you mean "wealth"?)'),
        ("die 7", 'no value "die 7"'),
        ("hint Gritt", 'unknown trait "Gritt" (did you mean "Grit"?)'),
    ],
)
def test_one_that_leads_nowhere_says_so(references: References, inside: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is what is tested
        references.resolve(inside)
    assert str(caught.value).startswith(message)


def test_a_scene_may_refer_to_the_hands_of_its_case(gamers: System) -> None:
    case = {Word("actor", HERE): {Word("hand", HERE): (Word("KS up", HERE), Word("gone", HERE))}}
    found = References(gamers, BOOK, case).resolve("hand actor.hand")
    assert (found.kind, found.target) == ("hand", "KS up, gone")
    with pytest.raises(ValueError, match="takes cards such as"):
        References(gamers, BOOK, case).resolve("hand actor.hnad")


def test_problems_have_the_line_they_stand_on(references: References) -> None:
    prose = Prose("All {Grit}.\n\nNo {Grxd} here.", HERE)
    (problem,) = references.problems(prose)
    assert str(problem).startswith('rules/01-x.yaml:10: "{Grxd}": no value "Grxd" (there are ')


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("Roll {2} dice at {quickie.difficulty.trained}.", []),
        ("Roll 2 dice at 8.", ["2", "8"]),
        ("See GAM-133 and [page 3](#x).", []),
        ("`2d6` is meant.", []),
    ],
)
def test_a_figure_in_the_text_is_a_warning_unless_it_is_meant(
    references: References, text: str, digits: list[str]
) -> None:
    assert [number for _, number in references.digits(Prose(text, HERE))] == digits
