"""Reference cards as data: which rules are on them, in which order, and what stands at their foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sheetgen.documents.book.book import BookBuilder, BookResults
from sheetgen.documents.cards import (
    INDEX,
    TYPES,
    CardFront,
    CardText,
    brief,
    chosen_for_cards,
    drawing_width,
    faces_of,
    repeated_titles,
    room,
    runs_over,
    texts_of,
    title_size,
    with_bars,
)
from sheetgen.documents.figures.svg import Canvas, Drawn
from sheetgen.errors import Place
from sheetgen.model.book import Book, Chapter, Chart, Extract, Prose, Rule
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import text_width

HERE = Place("rules.yaml", 7, 5)
NOTHING = BookResults({}, {}, {})


def prose(text: str) -> Prose:
    return Prose(text, HERE)


def card(heading: str, text: str = "Words.", **more: bool) -> Extract:
    return Extract(heading, prose(text), (), HERE, **more)


def rule(name: str, *cards: Extract) -> Rule:
    return Rule(name, name.capitalize(), ("GAM-130",), prose("Text."), HERE, cards=cards)


def book(*chapters: tuple[str, tuple[Rule, ...]]) -> Book:
    made = (Chapter(title.casefold(), title, prose("Opening."), rules, (), HERE) for title, rules in chapters)
    return Book(tuple(made), {})


BOOK = book(
    ("The roll", (rule("quickie", card("A quickie"), card("The odds")), rule("silent"))),
    ("Harm", (rule("armour", card("Armour")),)),
)


def builder(system: System, of: Book = BOOK, performed: BookResults = NOTHING) -> BookBuilder:
    return BookBuilder(system, of, performed, Canvas(160, "#000", text_width), linked=False)


def fronts(
    system: System, of: Book = BOOK, performed: BookResults = NOTHING, size: str = "poker"
) -> tuple[CardFront, ...]:
    return faces_of(system, texts_of(builder(system, of, performed), size), size, text_width)


def test_cards_stand_in_book_order_and_the_last_tells_what_is_in_the_deck(gamers: System) -> None:
    faces = fronts(gamers)
    assert [face.title for face in faces] == ["A quickie", "The odds", "Armour", INDEX]
    assert [face.data["number"] for face in faces] == [1, 2, 3, 4]
    assert [face.data["chapter"] for face in faces] == ["The roll", "The roll", "Harm", "GAMERS"]
    entries = faces[-1].data["entries"]
    assert isinstance(entries, list)
    assert [(each["title"], each["first"], each["last"]) for each in entries] == [("The roll", 1, 2), ("Harm", 3, 3)]
    assert [each["dark"] for each in entries] == [faces[0].data["dark"], faces[2].data["dark"]]


def test_a_card_is_told_of_by_size_number_and_title_at_its_place(gamers: System) -> None:
    face = fronts(gamers, size="tarot")[2]
    assert (face.name, face.place) == ("tarot card 3, Armour", HERE)


CHARTS = ((Drawn(90, 9, "<g/>"), "plain"), (Drawn(80, 9, ""), "with help"))


def of_charts(system: System, words: str, size: str = "poker") -> tuple[CardFront, ...]:
    """The cards of a rule with two charts and so many words, and the index."""
    of = book(("The roll", (rule("odds", card("Chances", words, with_odds=True)),)))
    return fronts(system, of, replace(NOTHING, charts={"odds": CHARTS}), size)


def test_odds_have_a_card_each_with_a_title_of_its_own(gamers: System) -> None:
    words, first, second, _ = of_charts(gamers, "Words. " * 30)
    assert [each.title for each in (words, first, second)] == [
        "Chances", "Chances: the odds (1 of 2)", "Chances: the odds (2 of 2)"
    ]  # fmt: skip
    assert ("Words." in str(words.data["html"]), first.data["html"], second.data["html"]) == (True, "", "")
    drawn = [each.data["charts"] for each in (words, first, second)]
    assert [[one["title"] for one in charts] for charts in drawn] == [[], ["plain"], ["with help"]]  # type: ignore[union-attr, index]


def test_a_few_words_and_all_on_a_card_that_lies_have_their_odds_beside_them(gamers: System) -> None:
    for faces in (of_charts(gamers, "Words."), of_charts(gamers, "Words. " * 30, "index")):
        assert [each.title for each in faces] == ["Chances", "Chances: the odds", INDEX]
        assert len(faces[0].data["charts"]) == 1  # type: ignore[arg-type]


def test_the_odds_of_a_question_read_as_a_sentence(gamers: System) -> None:
    of = book(("Harm", (rule("odds", card("Does it cover?", "Words. " * 30, with_odds=True)),)))
    made = fronts(gamers, of, replace(NOTHING, charts={"odds": CHARTS[:1]}))
    assert made[1].title == "Does it cover? The odds"


def test_two_cards_of_one_title_are_told_at_the_second() -> None:
    assert repeated_titles(BOOK) == ()
    twice = book(("A", (rule("a", card("Armour")),)), ("B", (rule("b", card("armour")),)))
    (found,) = repeated_titles(twice)
    assert str(found).endswith(
        'card "armour": x.yaml:1 has a card of that title, too'.replace("x.yaml:1", f"{HERE.file}:{HERE.line}")
    )


def test_a_name_is_as_large_as_stands_beside_the_mark() -> None:
    free = room("tarot") - 1.6 * TYPES["tarot"].title
    assert title_size("Ada", "tarot", text_width) == TYPES["tarot"].title
    for name in ("Wilhelmina Montgomery-Wainwright", "Ii" * 30):
        size = title_size(name, "tarot", text_width)
        assert free - 1 < text_width(name, size, weight=700, serif=True) <= free


def test_words_that_lead_elsewhere_in_a_book_are_plain_on_a_card(gamers: System) -> None:
    of = book(("Harm", (rule("armour", card("Armour", "See {rule armour}.")),)))
    assert fronts(gamers, of)[0].data["html"] == "<p>See Armour.</p>\n"


def test_a_short_title_is_larger_than_usual_and_a_long_one_has_two_lines(gamers: System) -> None:
    of = book(("Harm", (rule("a", card("Armour")), rule("b", card("What armour keeps out of you")))))
    short, long, _ = (face.data for face in fronts(gamers, of))
    assert (short["title_lines"], long["title_lines"]) == (["Armour"], ["What armour", "keeps out of you"])
    assert float(str(short["title_size"])) > float(str(long["title_size"])) >= TYPES["poker"].title


def long_table(rows: int, html: str = "<p>Roll.</p>") -> CardText:
    table = {"title": "Scars", "head": ["1d6", "scar"], "rows": [[str(at)] for at in range(rows)]}
    made = {"html": html, "tables": [table], "figures": ["a drawing"], "charts": []}
    return CardText("Harm", "Scars", (), HERE, made)


def shown(text: CardText) -> tuple[str, bool, int, int]:
    """What stands on a card: its title, whether it has words, and how many rows and drawings."""
    drawings = text.made["figures"]
    assert isinstance(drawings, list)
    return text.title, bool(text.made["html"]), text.rows, len(drawings)


@pytest.mark.parametrize(
    ("rows", "most", "expected"),
    [
        (12, 9, [("Scars (1 of 2)", True, 6, 0), ("Scars (2 of 2)", False, 6, 1)]),
        (15, 9, [("Scars (1 of 2)", True, 7, 0), ("Scars (2 of 2)", False, 8, 1)]),
        (
            23,
            9,
            [("Scars (1 of 3)", True, 7, 0), ("Scars (2 of 3)", False, 8, 0), ("Scars (3 of 3)", False, 8, 1)],
        ),
        (4, 2, [("Scars (1 of 3)", True, 0, 0), ("Scars (2 of 3)", False, 2, 0), ("Scars (3 of 3)", False, 2, 1)]),
        (4, 0, [("Scars", True, 4, 1)]),
    ],
)
def test_a_long_table_runs_over_cards_of_about_the_same_length(
    rows: int, most: int, expected: list[tuple[str, bool, int, int]]
) -> None:
    """A card has room for so many rows, and two fewer where words stand on it."""

    def too_full(texts: Sequence[CardText]) -> frozenset[int]:
        heights = [each.rows + 2 * bool(each.made["html"]) for each in texts]
        return frozenset(at for at, height in enumerate(heights) if height > most)

    assert [shown(each) for each in runs_over(long_table(rows), too_full)] == expected


def test_curves_are_left_to_books() -> None:
    axis = ("skill", ())
    charts = tuple(Chart("check", {}, (), (), axis, axis, "", HERE, shape=shape) for shape in ("curve", "bars"))
    assert [chart.shape for chart in with_bars(replace(rule("odds"), charts=charts)).charts] == ["bars"]


def test_a_rule_without_a_card_is_on_none() -> None:
    assert [chosen.id for _, chosen, _ in chosen_for_cards(BOOK)] == ["quickie", "quickie", "armour"]


@pytest.mark.parametrize(
    ("ids", "shown"),
    [
        (("GAM-131", "GAM-132", "GAM-133"), "GAM-131–133"),
        (("GAM-011", "GAM-012", "GAM-130", "GAM-Q26"), "GAM-011–012, 130"),
        (("GAM-Q26",), ""),
        ((), ""),
    ],
)
def test_ids_are_put_in_short_and_none_is_cut(ids: tuple[str, ...], shown: str) -> None:
    assert ", ".join(brief(ids)) == shown


def test_drawings_are_as_wide_as_the_card_when_enlarged_with_its_type() -> None:
    assert drawing_width("poker") == pytest.approx(room("poker"))
    assert drawing_width("a6") * TYPES["a6"].drawn / 9 == pytest.approx(room("a6"))
    assert drawing_width("index") < 0.54 * room("index")  # beside the text


def test_no_type_is_below_the_floor_of_cards() -> None:
    x_height = 0.486 * 25.4 / 72  # mm for each point of Source Sans
    assert all(min(kind.text) * x_height >= 1.3 for kind in TYPES.values())
    assert all(list(kind.text) == sorted(kind.text, reverse=True) for kind in TYPES.values())
