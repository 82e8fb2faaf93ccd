"""Reference cards printed: every deck fits every size, sizes are right to a tenth of a millimetre, backs lie behind."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import pikepdf
import pymupdf
import pypdf
import pytest
from PIL import Image

from sheetgen.documents.cards import INDEX, TYPES, repeated_titles, texts_of
from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import CARDS, DRAWN_BLEED, PAPERS, mm
from sheetgen.model.printing import RULES, Tone
from sheetgen.press.pages import select_pages
from sheetgen.press.plan import Flip
from sheetgen.products import chapters as rulebook
from sheetgen.products.cards import decks as reference_cards
from sheetgen.products.cards import sheets as card_pages
from sheetgen.products.cards.cards import deck_of, decks_of
from sheetgen.products.cards.decks import rule_cards
from sheetgen.products.cards.sheets import CardPages, CardSheetOptions, card_sheets, single_cards, write_pictures
from sheetgen.products.session.screen import has_screen
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at

TENTH = mm(0.1)
SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")


def hasten(patch: pytest.MonkeyPatch) -> None:
    """Cards are set in their least type at once, and all is certain: what is printed is as wide as it can be."""
    least = {size: replace(kind, text=kind.text[-1:]) for size, kind in TYPES.items()}
    patch.setattr(card_pages, "TYPES", MappingProxyType(least))
    patch.setattr(rulebook, "_chance", lambda *words: 1.0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is spent on what does not change how much room is taken."""
    hasten(monkeypatch)


@pytest.fixture(scope="module")
def tsgs(tmp_path_factory: pytest.TempPathFactory) -> CardPages:
    """The cards of TSGS in poker size."""
    project = project_at(tmp_path_factory.mktemp("cards"), {})
    with pytest.MonkeyPatch.context() as patch:
        hasten(patch)
        return rule_cards(project, open_pack(project, "tsgs"), "poker")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.usefixtures("quick")
def test_every_deck_fits_on_poker_cards(project: Project, system: str) -> None:
    made = rule_cards(project, open_pack(project, system), "poker")
    assert 16 <= len(made.names) - 1 <= (38 if system == "gamers" else 32)


@pytest.mark.parametrize("size", [size for size in CARDS if size != "poker"])
@pytest.mark.usefixtures("quick")
def test_a_deck_fits_on_cards_of_every_size(project: Project, size: str) -> None:
    made = rule_cards(project, open_pack(project, "sixshooter"), size)
    with pymupdf.open(stream=made.data) as document:
        assert len(document) == len(made.names) + 1  # and the back


def test_pages_have_the_size_of_the_card_and_bleed_around_it(tsgs: CardPages) -> None:
    with pikepdf.open(io.BytesIO(tsgs.data)) as document:
        assert len(document.pages) == len(tsgs.names) + 1
        for page in document.pages:
            trim, bleed = ([float(each) for each in box] for box in (page.trimbox, page.mediabox))
            assert trim[2] - trim[0] == pytest.approx(mm(63.5), abs=TENTH)
            assert trim[3] - trim[1] == pytest.approx(mm(88.9), abs=TENTH)
            around = [abs(outer - inner) for outer, inner in zip(bleed, trim, strict=True)]
            assert around == pytest.approx([mm(DRAWN_BLEED)] * 4, abs=TENTH)


def test_nothing_but_the_back_reaches_the_cut(tsgs: CardPages) -> None:
    free = mm(DRAWN_BLEED + 3)  # the bleed, and 3 mm inside the cut
    with pymupdf.open(stream=tsgs.data) as document:
        *fronts, back = document
        for page in fronts:
            inside = pymupdf.Rect(free, free, page.rect.width - free, page.rect.height - free)
            # The box of a word has room for an accent, which its ink seldom has.
            words = [(x, y + 0.25 * (down - y), right, down) for x, y, right, down, *_ in page.get_text("words")]
            assert words
            assert all(pymupdf.Rect(word) in inside for word in words)
        assert [word[4] for word in back.get_text("words")] == ["TSGS"]


def test_numbers_stand_at_the_same_place_and_the_title_is_the_largest_on_every_card(tsgs: CardPages) -> None:
    corners = list[tuple[float, float]]()
    with pymupdf.open(stream=tsgs.data) as document:
        for number, (page, name) in enumerate(zip(document, tsgs.names, strict=False), 1):
            spans = [
                span
                for part in page.get_text("dict")["blocks"]
                for line in part.get("lines", ())
                for span in line["spans"]
            ]
            (digits,) = [each for each in spans if each["text"] == str(number) and each["bbox"][1] < mm(14)]
            corners.append(((digits["bbox"][0] + digits["bbox"][2]) / 2, digits["origin"][1]))
            largest = max(each["size"] for each in spans)
            assert " ".join(each["text"].strip() for each in spans if each["size"] == largest) == name
    across, down = zip(*corners, strict=True)
    assert max(across) - min(across) < mm(0.3)
    assert max(down) - min(down) < TENTH


def test_the_tint_of_a_chapter_reaches_every_edge_that_a_fan_shows(tsgs: CardPages) -> None:
    with pymupdf.open(stream=tsgs.data) as document:
        page = document[0]
        seen = page.get_pixmap(dpi=72)
        edges = [seen.pixel(x, y) for x, y in ((1, 12), (seen.width - 2, 12), (seen.width // 2, 1))]
        assert len({*edges}) == 1
        assert edges[0] != (255, 255, 255)
        assert seen.pixel(1, seen.height - 20) == (255, 255, 255)


def test_no_figure_of_odds_is_smaller_than_nine_points(project: Project) -> None:
    with pymupdf.open(stream=rule_cards(project, open_pack(project, "genesix"), "poker").data) as document:
        page = next(each for each in document if "Your chances" in each.get_text().replace("\n", " "))
        spans = [
            span for part in page.get_text("dict")["blocks"] for line in part.get("lines", ()) for span in line["spans"]
        ]
    figures = [each["size"] for each in spans if re.fullmatch(r"[<>]?\d+", each["text"]) and each["bbox"][1] > mm(30)]
    assert len(figures) > 45
    assert min(figures) > 8.99


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_chapter_on_cards_has_an_icon_of_its_own(project: Project, system: str) -> None:
    book = rulebook.open_book(project, open_pack(project, system)).book
    icons = [str(chapter.icon) for chapter in book.chapters if any(rule.cards for rule in chapter.rules)]
    assert "None" not in icons
    assert len({*icons}) == len(icons)
    assert repeated_titles(book) == ()


def test_an_icon_that_there_is_none_of_is_told_at_its_place(project: Project, mist: Callable[[str], str]) -> None:
    word = mist("Fog.")
    chapter = project.where / "mist" / "rules" / "01-mist.yaml"
    chapter.write_text(chapter.read_text().replace("title: Mist\n", "title: Mist\nicon: sheild\n", 1))
    with pytest.raises(InputError, match=r'01-mist\.yaml:2:7: no icon "sheild" \(did you mean "shield"\?\)'):
        rule_cards(project, open_pack(project, word), "poker")
    drawn = project.where / "mist" / "templates" / "icons" / "sheild.svg"
    drawn.parent.mkdir(parents=True)
    drawn.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>')
    assert rule_cards(project, open_pack(project, word), "poker").names[0] == "Fog"


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize(("paper", "size"), [("a4", "poker"), ("letter", "poker")])
def test_backs_lie_behind_their_fronts(tsgs: CardPages, paper: str, size: str, flip: Flip) -> None:
    made = card_sheets(tsgs, CardSheetOptions(paper=paper, flip=flip, margin=5))
    width, height = mm(PAPERS[paper].width), mm(PAPERS[paper].height)
    with pikepdf.open(io.BytesIO(made.data)) as document:
        assert (made.cards, len(document.pages)) == (len(tsgs.names), 2 * -(-len(tsgs.names) // 9))
        for front, back in zip(document.pages[::2], document.pages[1::2], strict=True):
            ahead = {(width - x, y) if flip == "long" else (x, height - y) for x, y in middles(front, size)}
            behind = middles(back, size)
            assert len(ahead) == len(behind)
            assert all(min(abs(x - u) + abs(y - v) for u, v in behind) < TENTH for x, y in ahead)
            drawn = [back.Resources.XObject[f"/P{place}"] for place in places(back)]
            assert len({form.objgen for form in drawn}) == 1  # the one back, in the file once


def places(page: pikepdf.Page) -> list[int]:
    """The numbers of what is drawn on a sheet."""
    return [int(number) for number in re.findall(rb"/P(\d+) Do", page.Contents.read_bytes())]


def middles(page: pikepdf.Page, size: str) -> set[tuple[float, float]]:
    """Where the middles of the cards on a sheet are, in points from its lower left corner."""
    width, height = mm(CARDS[size].width), mm(CARDS[size].height)
    found = set()
    for line in re.findall(rb"([-\d. ]+) cm /P\d+ Do", page.Contents.read_bytes()):
        a, _, _, d, x, y = map(float, line.split())
        found.add((round(x + a * width / 2, 2), round(y + d * height / 2, 2)))
    return found


def test_single_cards_are_fronts_and_backs_by_turns(tsgs: CardPages) -> None:
    both, fronts = (single_cards(tsgs, backs=backs) for backs in (True, False))
    with pymupdf.open(stream=both) as document:
        assert len(document) == 2 * len(tsgs.names)
        assert all(page.get_text().strip() == "TSGS" for page in list(document)[1::2])
        assert tsgs.names[0] in document[0].get_text()
    with pymupdf.open(stream=fronts) as document:
        assert len(document) == len(tsgs.names)
    assert len(both) < 1.2 * len(fronts) + 20_000  # the back is in the file once


def test_pictures_are_cut_to_size_at_300_dots_an_inch(tsgs: CardPages) -> None:
    few = replace(tsgs, data=select_pages(tsgs.data, [1, 2, len(tsgs.names) + 1]), names=("Coming back", "Help"))
    out = bytearray()
    write_pictures(few, out.extend)
    with zipfile.ZipFile(io.BytesIO(out)) as packed:
        assert packed.namelist() == ["01-Coming-back.png", "02-Help.png", "back.png"]
        assert {Image.open(packed.open(name)).size for name in packed.namelist()} == {(750, 1050)}
    alone = bytearray()
    write_pictures(few, alone.extend, backs=False)
    with zipfile.ZipFile(io.BytesIO(alone)) as packed:
        assert packed.namelist() == ["01-Coming-back.png", "02-Help.png"]


@pytest.mark.usefixtures("quick")
def test_without_colour_cards_are_grey_and_with_little_ink_backs_are_outlines(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_cards, "texts_of", lambda binder, size: texts_of(binder, size)[:1])
    grey, plain, sparing = (
        rule_cards(project, open_pack(project, "fright").with_tone(tone), "poker").data
        for tone in (Tone(greyscale=True), Tone(), Tone(ink_saver=True))
    )
    assert colourful(plain)
    assert not colourful(grey)
    assert ink(sparing) < ink(plain) / 2


def colourful(data: bytes) -> bool:
    with pymupdf.open(stream=data) as document:
        seen = document[-1].get_pixmap(dpi=36)
    return any(max(dot) - min(dot) > 8 for dot in zip(*[iter(seen.samples)] * 3, strict=True))


def ink(data: bytes) -> float:
    """How dark the back of a deck is."""
    with pymupdf.open(stream=data) as document:
        seen = document[-1].get_pixmap(dpi=72, colorspace="gray")
    return 255 - sum(seen.samples) / len(seen.samples)


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    err: str


PACK = """
id: mist
title: Mist
credit: by us
licence: free
extends: gamers
"""
CHAPTER = """
title: Mist
opening: About mist.
rules:
  fog:
    title: Fog
    text: You see nothing.
    card: |
      {words}
"""


@pytest.fixture
def mist(tmp_path: Path) -> Callable[[str], str]:
    """A pack of a stranger with a card that says so much: the word that opens it."""

    def made(words: str) -> str:
        (tmp_path / "mist" / "rules").mkdir(parents=True, exist_ok=True)
        (tmp_path / "mist" / "system.yaml").write_text(PACK.lstrip())
        (tmp_path / "mist" / "rules" / "01-mist.yaml").write_text(CHAPTER.lstrip().replace("{words}", words))
        return "./mist"

    return made


def test_a_card_that_holds_too_much_is_told_of_by_how_much_at_its_place(
    project: Project, mist: Callable[[str], str]
) -> None:
    with pytest.raises(InputError) as caught:
        rule_cards(project, open_pack(project, mist("Fog is everywhere. " * 90)), "poker")
    (problem,) = caught.value.problems
    assert re.fullmatch(
        r'mist/rules/01-mist\.yaml:7:11: "poker card 1, Fog" has \d+\.\d mm more than there is room for '
        r"\(shorten it under card:, split it in two, or take larger cards: `card_size: tarot` in system.yaml, --size\)",
        str(problem),
    )


def test_a_card_without_room_does_not_keep_the_others_from_being_made(
    sheetgen: Callable[..., Ran], mist: Callable[[str], str], tmp_path: Path
) -> None:
    """The run tells of it and ends with 1; larger cards, as the pack asks for them, have room for it."""
    name = mist("Fog is everywhere. " * 60)
    chapter = tmp_path / "mist" / "rules" / "01-mist.yaml"
    chapter.write_text(f"{chapter.read_text()}  short: {{title: Brief, text: Roll., card: Roll.}}\n")
    ran = sheetgen("cards", name, "-o", "x.pdf")
    text = "".join(page.get_text() for page in pymupdf.open(tmp_path / "x.pdf"))
    assert ran.code == 1
    assert 'left out: mist/rules/01-mist.yaml:7:11: "poker card 1, Fog" has' in ran.err
    assert ("Brief" in text, "everywhere" in text) == (True, False)
    manifest = tmp_path / "mist" / "system.yaml"
    manifest.write_text(f"{manifest.read_text()}card_size: a6\n")
    ran = sheetgen("cards", name, "-o", "x.pdf")
    assert (ran.code, ran.err) == (0, "")


WIDE = """  wide:
    title: Wide
    text: Roll.
    odds: {do: attempt, of: success, rows: {target: [6, 8]}, given: {bonus: 1}, named: {'6': NAME, target: number}}
    card: {title: Odds, with: odds}
  short: {title: Brief, text: Roll., card: Roll.}
"""


def test_a_chart_without_room_keeps_only_its_own_card_from_being_made(
    sheetgen: Callable[..., Ran], mist: Callable[[str], str], tmp_path: Path
) -> None:
    """Shorter names, as the line says, are drawn."""
    name = mist("Fog.")
    manifest, chapter = (tmp_path / "mist" / file for file in ("system.yaml", "rules/01-mist.yaml"))
    manifest.write_text(f"{manifest.read_text()}play: {{attempt: {{family: sum against a target, dice: 2d6}}}}\n")
    before = chapter.read_text()
    chapter.write_text(before + WIDE.replace("NAME", "whoever asks at night who you really are"))
    ran = sheetgen("cards", name, "-o", "x.pdf")
    text = "".join(page.get_text() for page in pymupdf.open(tmp_path / "x.pdf"))
    assert ran.code == 1
    assert "left out: mist/rules/01-mist.yaml:12:11: odds: " in ran.err
    assert "(give shorter names under `named:`)" in ran.err
    assert ("Brief" in text, "Odds" in text) == (True, False)
    chapter.write_text(before + WIDE.replace("NAME", "night"))
    ran = sheetgen("cards", name, "-o", "x.pdf")
    assert (ran.code, ran.err) == (0, "")


CURVE = """  moves:
    title: Moves
    text: Roll.
    odds: {do: attempt, of: total, as: curve, rows: {bonus: [0, 1]}, given: {target: 7}, columns: {total: [2, 7, 10]}}
    card: {title: Moves, text: Roll., with: odds}
    screen: {text: Roll., with: odds}
"""


def test_a_curve_that_is_left_out_is_told_by_cards_and_screen(
    sheetgen: Callable[..., Ran], mist: Callable[[str], str], tmp_path: Path
) -> None:
    name = mist("Fog.")
    manifest, chapter = (tmp_path / "mist" / file for file in ("system.yaml", "rules/01-mist.yaml"))
    manifest.write_text(f"{manifest.read_text()}play: {{attempt: {{family: sum against a target, dice: 2d6}}}}\n")
    chapter.write_text(chapter.read_text() + CURVE)
    for product in (["cards"], ["screen", "--side", "gm", "--joined"]):
        ran = sheetgen(*product, name, "-o", "x.pdf")
        assert ran.code == 0, ran.err
        assert "note: mist/rules/01-mist.yaml:12:11: a curve is too wide for cards and screens" in ran.out


SCARS = """
tables:
  scars:
    title: Scars
    dice: 1d{count}
    heads: {{is: a scar}}
    rows:
"""


@pytest.mark.parametrize(
    ("words", "count", "names"),
    [
        ("Roll.", 8, ["Fog", INDEX]),
        ("Roll.", 20, ["Fog (1 of 2)", "Fog (2 of 2)", INDEX]),
        ("Roll. " * 100, 20, ["Fog (1 of 3)", "Fog (2 of 3)", "Fog (3 of 3)", INDEX]),
    ],
)
def test_a_table_too_long_for_a_card_goes_on_on_the_next(
    project: Project, mist: Callable[[str], str], words: str, count: int, names: list[str]
) -> None:
    word = mist(words)
    rows = "".join(f"      {at}: {{is: scar no. {at}}}\n" for at in range(1, count + 1))
    (project.where / "mist" / "tables.yaml").write_text(SCARS.lstrip().format(count=count) + rows)
    rule = project.where / "mist" / "rules" / "01-mist.yaml"
    rule.write_text(
        rule.read_text().replace("    card: |\n      ", "    table: scars\n    card:\n      table: scars\n      text: ")
    )
    made = rule_cards(project, open_pack(project, word), "poker")
    assert list(made.names) == names
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made.data)).pages)
    assert [at for at in range(1, count + 1) if re.search(rf"scar no\. {at}\b", text)] == list(range(1, count + 1))


def test_a_pack_of_your_own_has_cards_with_a_plain_back(project: Project, mist: Callable[[str], str]) -> None:
    made = rule_cards(project, open_pack(project, mist("Fog is everywhere.")), "poker")
    assert made.names == ("Fog", "What is in this deck")


def test_a_pack_whose_chapters_speak_of_no_card_has_no_deck(
    project: Project, mist: Callable[[str], str], tmp_path: Path
) -> None:
    word, path = mist("Fog."), tmp_path / "mist" / "rules" / "01-mist.yaml"
    assert RULES in decks_of(project, open_pack(project, word))
    path.write_text(path.read_text().partition("    card:")[0])
    with pytest.raises(UsageError, match="Mist has no cards: its pack has neither rules with a card nor decks"):
        deck_of(project, open_pack(project, word), RULES)


def test_a_pack_has_its_reference_cards_and_the_decks_it_declares(project: Project) -> None:
    gamers = open_pack(project, "gamers")
    assert list(decks_of(project, gamers)) == [RULES]
    with pytest.raises(UsageError, match='GAMERS has no deck "playing"; it has rules'):
        deck_of(project, gamers, "playing")
    usual = deck_of(project, gamers, RULES).default_size
    assert (usual("a4"), usual("letter")) == ("poker", "trading"), "Letter has room for nine of them"


FLOW = """title: Mist
opening: Fog.
rules: {fog: {title: Fog, text: Thick., card: {text: You see three metres., title: Fog}}, dew: {title: Dew, text: Wet.}}
"""
SPOKEN_OF = """title: Mist
opening: Fog.
rules:
  fog:
    title: Fog
    text: |
      A rule with a card says so in a line of its own:
        card: what stands on it
        screen: what a screen shows
"""


@pytest.mark.parametrize(
    ("chapter", "there"),
    [
        (FLOW, True),
        (SPOKEN_OF, False),
        (FLOW.replace("card:", "screen:"), False),
        (FLOW.replace("card: {", "card: ["), True),
    ],
    ids=["in flow style", "only in the text of a rule", "none in flow style", "in a book that cannot be read"],
)
def test_whether_a_pack_has_cards_is_asked_of_its_rules_and_not_of_its_lines(
    project: Project, mist: Callable[[str], str], tmp_path: Path, chapter: str, there: bool
) -> None:
    word = mist("Fog.")
    (tmp_path / "mist" / "rules" / "01-mist.yaml").write_text(chapter)
    for _ in ("worked out", "remembered"):
        pack = open_pack(project, word)
        assert (RULES in decks_of(project, pack)) is there
        assert has_screen(project, pack) is (there or "screen: {" in chapter)


FIGURES = """title: Mist
opening: Fog.
rules:
  fog:
    title: Fog
    text: Thick.
    figure:
      - is: FIRST
      - is: ladder
        rungs: {RUNGS}
"""


@pytest.mark.parametrize(
    ("first", "rungs", "said"),
    [
        ("dise", "a: 1", '8:14: unknown kind of figure "dise" (did you mean "dice"?)'),
        ("dice, faces: [1]", "a: 1", ""),
        ("dice", "a: 1", "8:9: figure dice: needs faces"),
        ("dice, faces: [1]", f"{'Over' * 5}: 1, b: 2, c: 3, d: 4", '9:9: figure ladder: "OverOverOverOverOver" is '),
    ],
    ids=["unknown kind", "sound", "data missing", "words too wide"],
)
def test_a_figure_that_cannot_be_drawn_is_told_at_its_line_before_anything_is_printed(
    project: Project, mist: Callable[[str], str], first: str, rungs: str, said: str
) -> None:
    word = mist("Fog.")
    chapter = FIGURES.replace("is: FIRST", "{is: " + first + "}").replace("RUNGS", rungs)
    (project.where / "mist" / "rules" / "01-mist.yaml").write_text(chapter)
    pack = open_pack(project, word)
    if not said:
        assert rulebook.open_book(project, pack)
        return
    with pytest.raises(InputError) as caught:
        rulebook.open_book(project, pack)
    assert f"01-mist.yaml:{said}" in str(caught.value)
