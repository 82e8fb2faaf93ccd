"""What `check` says of the pages of a stranger's pack: what will be refused, and what is unwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.errors import InputError, Place
from sheetgen.model.book import Book, Chapter, Chart, Extract, Prose, Rule
from sheetgen.products.chapters import curve_warnings
from sheetgen.services.check import check
from sheetgen.workspace.project import Project

SHEET = (
    "<!DOCTYPE html><html lang=en><head><title>x</title></head><body><p>{}<input name=name title=Name>"
    "<input name=virtues.Hope title=Hope></body></html>"
)
BOOK = """
    title: The roll
    opening: How anything is tried.
    rules:
      attempt:
        title: Trying
        text: |
          Roll the dice.
          {}
"""


@pytest.fixture
def pack(project: Project) -> Path:
    """A small game with a sheet, and a rule to be written."""
    folder = project.where / "mist"
    for name, text in {
        "system.yaml": "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: as you like it\n"
        "traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n",
        "creation.yaml": "steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\n"
        "methods: {random: {steps: [virtues]}}\n",
        "sheet.yaml": "character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}",
        "templates/sheet.html": SHEET.format(""),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


MISSING = "no such file (pictures and fonts of a pack lie in its templates/)"


def write_rule(pack: Path, *lines: str) -> None:
    """Writes a chapter whose rule says this from its eighth line on."""
    (pack / "rules").mkdir(exist_ok=True)
    (pack / "rules" / "01-the-roll.yaml").write_text(dedent(BOOK).lstrip().format("\n      ".join(lines)))


def test_what_rule_text_may_not_do_is_told_at_its_line(project: Project, pack: Path) -> None:
    faults = {
        "![a dragon](http://127.0.0.1:9/x.png)": 'cannot use "http://127.0.0.1:9/x.png": only files inside the pack',
        "![a dragon](../system.yaml)": 'cannot use "../system.yaml": only files inside the pack',
        "![a dragon](none.png)": f'cannot use "none.png": {MISSING}',
        "![a dragon][d]": f'cannot use "gone.png": {MISSING}',
        "[read](other.html)": 'a link may lead to a web page or a mail address, not to "other.html"',
        "[read](ftp://127.0.0.1/x)": 'a link may lead to a web page or a mail address, not to "ftp://127.0.0.1/x"',
        "say 語 twice": "no bundled font has “語” (U+8A9E CJK UNIFIED IDEOGRAPH-8A9E)",
    }
    write_rule(pack, *faults, "", "[d]: gone.png")
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    expected = [f"mist/rules/01-the-roll.yaml:{line}: {said}" for line, said in enumerate(faults.values(), 8)]
    assert sorted(map(str, caught.value.problems)) == sorted(expected)


def test_what_can_be_printed_and_is_unwise_is_warned_of(project: Project, pack: Path) -> None:
    for name, text in {
        "sheet.html": SHEET.format(
            "{{ game.title|safe }}{% include 'part.html' %}<img src='mark.svg'><iframe></iframe>"
        ),
        "part.html": "\n{% autoescape false %}{{ game.title }}{% endautoescape %}",
        "mark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    }.items():
        (pack / "templates" / name).write_text(text)
    write_rule(pack, "[read](https://example.org/), <mailto:a@example.org>, Łódź", "![a mark](mark.svg)")
    assert sorted(str(problem) for problem in check(project, "./mist").warnings) == [
        "mist/templates/part.html:2: autoescape lets values become markup (leave it out)",
        "mist/templates/sheet.html: as a web page: <iframe> is not allowed",
        "mist/templates/sheet.html:1: |safe lets values become markup (leave it out)",
    ]


def test_markdown_that_prints_as_typed_is_told_at_its_line(project: Project, pack: Path) -> None:
    write_rule(pack, "Run.[^a] Or [stay](https://example.org/).", "", "- [ ] one", "- [x] two", "", "[^a]: As you can.")
    assert [str(each) for each in check(project, "./mist").warnings] == [
        f"mist/rules/01-the-roll.yaml:{line}: {mark} prints as typed: {instead}"
        for line, mark, instead in (
            (8, '"[^a]"', "there are no footnotes (say it in the text, or in brackets)"),
            (10, '"- [ ]"', "there are no boxes to tick (make it a plain list)"),
            (11, '"- [x]"', "there are no boxes to tick (make it a plain list)"),
            (13, '"[^a]"', "there are no footnotes (say it in the text, or in brackets)"),
        )
    ]


def test_a_pack_in_order_is_not_warned_of(project: Project, pack: Path) -> None:
    assert check(project, "./mist").warnings == ()


@pytest.mark.parametrize(
    ("shapes", "with_odds", "warned"),
    [(["curve"], True, 1), (["curve"], False, 0), (["bars"], True, 0), (["bars", "curve"], True, 0)],
)
def test_a_curve_that_no_card_has_room_for_is_told(shapes: list[str], with_odds: bool, warned: int) -> None:
    here = Place("rules/01.yaml", 7, 5)
    charts = [Chart("move", {}, ("total",), ("7",), ("a", ()), ("b", ()), "Odds", here, shape=each) for each in shapes]
    card = Extract("A move", None, (), here, with_odds=with_odds)
    rule = Rule("move", "A move", (), Prose("Roll.", here), here, charts=tuple(charts), cards=(card,))
    book = Book((Chapter("moves", "Moves", Prose("", here), (rule,), (), here),), {})
    assert len(curve_warnings(book)) == warned


ODDS = "odds: {do: attempt, of: success, rows: {bonus: [0, 1]}"


def write_odds(pack: Path, *charts: str) -> None:
    """Writes a chapter with these odds and heroes, one each line from the eighth on, and the roll that they are of."""
    rules = (f"  rule-{at}: {{title: A rule, text: Roll., {chart}}}\n" for at, chart in enumerate(charts))
    (pack / "rules").mkdir()
    (pack / "rules" / "01-the-roll.yaml").write_text(f"title: The roll\nopening: Roll.\nrules:\n{''.join(rules)}")
    with (pack / "system.yaml").open("a") as file:
        file.write("play: {attempt: {family: sum against a target, dice: 2d6}}\n")


def test_odds_and_heroes_that_cannot_be_are_told_at_their_rule(project: Project, pack: Path) -> None:
    faults = {
        f"{ODDS}}}": "odds: target: is missing (it takes a whole number from -99 to 99)",
        f"{ODDS}, columns: {{target: [8, ten]}}}}": 'odds: target: takes a whole number from -99 to 99, not "ten"',
        f"{ODDS.replace('success', 'succes')}, given: {{target: 8}}}}": 'odds: no result "succes" (did you mean',
        "hero: {seed: 1, index: 1, method: wrong}": 'hero: unknown method "wrong"',
    }
    write_odds(pack, f"{ODDS}, given: {{target: 8}}}}", *faults)
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    told = sorted(caught.value.problems)
    assert [each.place.line for each in told] == [5, 6, 7, 8]
    for problem, said in zip(told, faults.values(), strict=True):
        assert problem.message.startswith(said)


KEPT = "hero: {file: ada.yaml, made: {Name: '{name}'}}"
ADA = "system: mist\nname: Ada\nvirtues: {Hope: 2}\n"


@pytest.mark.parametrize(
    ("hero", "file", "told"),
    [
        (KEPT, ADA, ""),
        (KEPT, ADA.replace("2", "200"), "mist/ada.yaml:3:17: Hope"),
        (KEPT, ADA.replace("mist", "fog"), "mist/ada.yaml:1:1: somebody of this book is of system mist"),
        (
            KEPT,
            "system: mist\ncharacters: [{name: Ada}, {name: Bo}]\n",
            "a hero is one character, and ada.yaml has several",
        ),
        (KEPT.replace("{name}", "{gear}"), ADA, ":4:46: hero: {gear} is no text and no list of Ada"),
        (KEPT.replace("ada", "../ada"), ADA, "mist/../ada.yaml"),
        (KEPT.replace("hero: {", "hero: {seed: 1, "), ADA, "a hero of a file is not rolled: leave out seed"),
        ("hero: {seed: 1}", ADA, "hero lacks index (or the file in which it is kept)"),
    ],
)
def test_a_hero_who_is_kept_is_a_legal_character_of_the_game(
    project: Project, pack: Path, hero: str, file: str, told: str
) -> None:
    write_odds(pack, hero)
    (pack / "ada.yaml").write_text(file)
    if not told:
        assert not [each for each in check(project, "./mist").warnings if "hero" in each.message]
        return
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    assert told in str(caught.value)


def test_odds_for_which_there_is_no_time_are_told_as_not_tried(
    project: Project, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_odds(pack, f"{ODDS}}}")
    monkeypatch.setattr("sheetgen.services.check.ODDS_S", 0.0)
    warning, pages = check(project, "./mist").warnings
    assert str(warning).startswith("mist/rules/01-the-roll.yaml:4:")
    assert "these odds were not tried" in warning.message
    assert pages.message == "not tried, since it takes too long for a check: book"
    assert check(project, "./mist").line.startswith("./mist: ok, but not all was tried, ")


def test_the_book_is_tried_after_what_is_made_quickly(
    project: Project, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rule(pack, "Enough.")
    path = pack / "rules" / "01-the-roll.yaml"
    path.write_text(path.read_text() + "    card: Enough.\n")
    monkeypatch.setattr("sheetgen.services.check.PAGES_S", 0.0)
    found = check(project, "./mist")
    (warning,) = found.warnings
    assert found.line.startswith("./mist: ok, but not all was tried, ")
    assert warning.message.startswith("not tried, since it takes too long for a check: cards")
    assert warning.message.endswith(", book")


def test_a_rule_without_room_on_cards_screen_or_pocket_book_is_told(project: Project, pack: Path) -> None:
    write_rule(pack, "Enough.")
    path = pack / "rules" / "01-the-roll.yaml"
    path.write_text(path.read_text() + f'    card: {{text: "{"Speak of it at length. " * 130}"}}\n')
    with pytest.raises(InputError) as refused:
        check(project, "./mist")
    told = [problem.message.partition(" more than there is room")[0] for problem in refused.value.problems]
    assert [each.partition(" ")[0] for each in told] == ['"poker', "the", "pocket,"]
    assert {problem.place for problem in refused.value.problems} == {Place("mist/rules/01-the-roll.yaml", 9, 11)}


def test_a_pack_answers_warnings_that_are_meant(project: Project, pack: Path) -> None:
    """What is allowed is counted; a line that allows nothing any more is told."""
    write_rule(pack, "Roll 2 dice and add 3.")
    manifest = pack / "system.yaml"
    text = manifest.read_text()
    manifest.write_text(f"{text}allow: [numbers stand in the text]\n")
    checked = check(project, "./mist")
    assert checked.warnings == ()
    assert checked.line.endswith(", 1 warning allowed")
    manifest.write_text(f"{text}allow: [numbers stand in the text, no such thing]\n")
    (warning,) = check(project, "./mist").warnings
    assert warning.message == 'allow: no warning says "no such thing" (delete the line)'


def test_a_page_for_the_sheet_beside_a_layout_is_said_to_be_idle(project: Project, pack: Path) -> None:
    idle = Place("mist/templates/sheet.html")
    assert idle not in [each.place for each in check(project, "./mist").warnings]
    with (pack / "sheet.yaml").open("a") as sheet:
        sheet.write("\nlayout: {front: [{show: virtues}]}\n")
    (told,) = [each.message for each in check(project, "./mist").warnings if each.place == idle]
    assert told.startswith("is not used, since sheet.yaml lays the sheet out")


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ("[{show: virtues}]", ["the front leaves 2"]),
        ("[{show: virtues}, {write: Notes}]", []),
        (f"[{'{show: virtues}, ' * 7}{{show: name}}]", []),
    ],
)
def test_a_front_that_leaves_much_of_its_page_white_is_told(
    project: Project, pack: Path, blocks: str, told: list[str]
) -> None:
    (pack / "templates" / "sheet.html").unlink()
    with (pack / "sheet.yaml").open("a") as sheet:
        sheet.write(f"\nlayout: {{front: {blocks}}}\n")
    found = [each.message for each in check(project, "./mist").warnings if "white" in each.message]
    assert [each[: len("the front leaves 2")] for each in found] == told
    assert all(each.endswith("mm of A4 white (let something grow there: `{write: Notes}`)") for each in found)


def test_numbers_in_the_text_are_one_line_a_chapter(project: Project, pack: Path) -> None:
    write_rule(pack, "Roll 2 dice and add 3.", "Reach 8.", "{2d6} is meant.")
    assert list(map(str, check(project, "./mist").warnings)) == [
        'mist/rules/01-the-roll.yaml:8: "2" and 2 more numbers stand in the text (lines 8, 9): '
        "refer to the pack's value, or write {2}"
    ]
    write_rule(pack, "Take a d10.")
    (warning,) = check(project, "./mist").warnings
    assert warning.message.endswith("or write {d10}")
    write_rule(pack, *(f"Reach {number}." for number in range(20)))
    (warning,) = check(project, "./mist").warnings
    assert "(lines 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 7 more)" in warning.message


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("<img src=none.png>", [f'cannot use "none.png": {MISSING}']),
        (
            "<iframe></iframe><b style='colr: red'>x</b>",
            ['"colr: red" in a style has no effect: unknown property', "as a web page: <iframe> is not allowed"],
        ),
        ("{{" + "(" * 3000 + "1" + ")" * 3000 + "}}", ["nested too deeply"]),
        ("{{ 'hope ' + 1 }}", ["a text and a number are added or compared"]),
    ],
)
def test_a_page_is_refused_in_the_words_of_its_author(project: Project, pack: Path, page: str, told: list[str]) -> None:
    (pack / "templates" / "sheet.html").write_text(SHEET.format(page))
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    found = sorted(caught.value.problems)
    assert {each.place.file for each in found} == {"mist/templates/sheet.html"}
    assert len(found) == len(told)
    assert all(any(each.message.startswith(said) for each in found) for said in told)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("random: {title: T, from: hooks}", "random: hooks has 0 entries that fit, and a d66 needs 36"),
        ("random: {title: T, from: hooks, as: d67}", "unknown kind of table"),
        ("people: [guard]", 'unknown archetype "guard"'),
        ("people: [{file: ada.yaml, only: [Aad]}]", 'nobody in ada.yaml is called "Aad" (did you mean "Ada"?)'),
        ("people: [{file: ada.yaml, count: 2}]", "count: goes with an archetype, not with a file"),
        ("people: [{file: ada.yaml, behind: it}]", "behind: goes with a group"),
        ("people: [{name: Bo}]", "people need one of archetype, file, group"),
        ("people: [{file: none.yaml}]", "mist/none.yaml"),
        ("people: [{file: ada.yaml}]", ""),
    ],
)
def test_tables_and_people_that_cannot_be_are_told_at_their_place(
    project: Project, pack: Path, part: str, told: str
) -> None:
    write_odds(pack, part)
    (pack / "ada.yaml").write_text(ADA)
    if not told:
        assert not [each for each in check(project, "./mist").warnings if "people" in each.message]
        return
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("allowed", "told"),
    [
        (0x0000, ()),
        (0x0008, ()),
        (0x0002, ("may not be embedded: its maker forbids it (OS/2 fsType: restricted licence) (take another font)",)),
    ],
)
def test_a_font_that_may_not_be_embedded_is_told(
    project: Project, pack: Path, small_font: Callable[..., bytes], allowed: int, told: tuple[str, ...]
) -> None:
    """OpenType 1.9: bits of OS/2 fsType say what the maker of a font allows."""
    (pack / "templates" / "title.ttf").write_bytes(small_font(allowed=allowed))
    (pack / "templates" / "torn.ttf").write_bytes(small_font(allowed=0)[:90])
    found = check(project, "./mist").warnings
    assert tuple(each.message for each in found if each.place == Place("mist/templates/title.ttf")) == told
    assert [each for each in found if "torn.ttf" in each.place.file] == []


def test_a_word_that_a_result_never_is_is_told(project: Project, pack: Path) -> None:
    with (pack / "system.yaml").open("a") as system:
        system.write("play: {move: {family: bands of results, dice: 2d6, bands: {strong: 10, weak: 7, miss: 2}}}\n")
    write_rule(pack, "Enough.")
    rules = pack / "rules" / "01-the-roll.yaml"
    odds = "    odds: {do: move, of: band, value: [%s, weak], rows: {bonus: [0, 1]}}\n"
    before = rules.read_text()
    rules.write_text(before + odds % "strong")
    assert check(project, "./mist").warnings == ()
    rules.write_text(before + odds % "stong")
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    assert 'odds: band of move is never "stong" (did you mean "strong"?)' in str(caught.value)


def test_a_wrong_roll_hides_no_problem_of_creation(project: Project, pack: Path) -> None:
    with (pack / "system.yaml").open("a") as manifest:
        manifest.write(
            "play: {wrong: {family: bands of results, dice: 2d6}, right: {family: roll under, dice: 1d20}}\n"
        )
    (pack / "creation.yaml").write_text(
        "steps:\n"
        "  virtues: {do: rol each, group: virtues, dice: 1d4}\n"
        "  hope: {do: derive, by: wrong, into: Hope, result: total}\n"
        "  faith: {do: roll each, group: virtues, dice: 9d9}\n"
        "methods: {random: {steps: [virtues, hope, faith]}}\n"
    )
    with pytest.raises(InputError) as refused:
        check(project, "./mist")
    told = [str(problem).partition(" (")[0] for problem in sorted(refused.value.problems)]
    assert told[0] == 'mist/creation.yaml:2:17: unknown step "rol each"'
    assert told[1].startswith("mist/creation.yaml:4:")
    assert told[2:] == ["mist/system.yaml:6:15: play wrong: needs bands, each with its least total: {hit: 7, miss: 2}"]
