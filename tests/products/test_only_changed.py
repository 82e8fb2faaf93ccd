"""Only what changed since it was printed: on few sheets, with an order sheet; two results side by side."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from sheetgen.products.finished.comparison import Comparison, compare

Sheetgen = Callable[..., Any]
CAST = """\
system: gamers
characters:
- {name: Ada Marsh, occupation: smuggler}
- {name: Pask Orrin, occupation: ferryman}
- {name: Ruth Lister, occupation: guard}
"""


@pytest.fixture
def folder(sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run, with a place for the user's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def deck(folder: Path, changed: dict[int, str], count: int = 90) -> None:
    """Write a table of cards that differ from one another, some with other words."""
    rows = [f"Card {at},{changed.get(at, f'Say {at} of these words')}" for at in range(1, count + 1)]
    (folder / "deck.csv").write_text("\n".join(["title,text", *rows]) + "\n", encoding="utf-8")


def words_of(path: Path, page: int | None = None) -> str:
    with pypdfium2.PdfDocument(path) as document:
        pages = [each.get_textpage().get_text_bounded() for each in document]
    return " ".join((" ".join(pages) if page is None else pages[page]).split())


def pages_of(path: Path) -> int:
    with pikepdf.open(path) as source:
        return len(source.pages)


def of(folder: Path, old: str, new: str) -> Comparison:
    return compare(folder / old, folder / new, shown=(old, new))


def test_three_of_ninety_cards_are_one_sheet_and_told_by_name(sheetgen: Sheetgen, folder: Path) -> None:
    make = ("cards", "gamers", "--from", "deck.csv")
    deck(folder, {})
    assert sheetgen(*make, "--mark-printed").code == 0
    (result,) = (folder / "output").glob("*.pdf")
    assert pages_of(result) == 20
    deck(folder, {7: "Other words", 44: "Also other", 90: "The last one"})
    ran = sheetgen(*make, "--changed", "--json")
    (told,) = json.loads(ran.out)["changed"]
    assert told["summary"] == "3 changed, 87 the same"
    assert [line.partition(":")[0] for line in told["differences"]] == ["Card 7", "Card 44", "Card 90"]
    changed = result.with_name(f"{result.stem}-changed.pdf")
    assert pages_of(changed) == 4  # the order sheet and its blank back, one sheet of cards on both sides
    order, cards = words_of(changed, 0), words_of(changed, 2)
    assert "Card 44" in order
    assert "in place of the old one, behind Card 43" in order
    assert "87 are the same" in order
    assert all(words in cards for words in ("Other words", "Also other", "The last one"))
    assert "Card 8" not in cards
    # What is printed once is marked, and nothing is left to print.
    assert sheetgen("printed", str(changed.relative_to(folder))).code == 0
    assert "nothing to print" in sheetgen("printed", str(result.relative_to(folder)), "--changed").out


def test_a_house_rule_prints_the_cards_that_show_it_and_no_others(sheetgen: Sheetgen, folder: Path) -> None:
    assert sheetgen("cards", "gamers", "-o", "deck.pdf", "--mark-printed").code == 0
    (folder / "sheetgen.toml").write_text("[house.gamers]\nquickie.difficulty.trained = 9\n", encoding="utf-8")
    ran = sheetgen("cards", "gamers", "-o", "deck.pdf", "--changed", "--json")
    (told,) = json.loads(ran.out)["changed"]
    assert told["summary"] == "3 changed, 35 the same"  # the rule, its odds, and the card that says what the sign means
    rule, odds, deck_card = told["differences"]
    assert rule == "A quick roll: “cope 8+ some training” is now “cope 9‡+ some training”"
    assert odds.startswith("A quick roll: the odds: “skill6 8 10 072” is now “skill6 9 10 0‡72”")
    assert deck_card == "What is in this deck: new: “· ‡ house rule”"
    with pypdfium2.PdfDocument(folder / "deck.pdf") as deck:
        signs = sum(page.get_textpage().get_text_bounded().count("9‡+") for page in deck)
    assert signs == 1
    assert "9‡+" in words_of(folder / "deck-changed.pdf", 2)


def test_a_card_that_is_gone_is_thrown_away_and_a_new_one_is_put_behind_its_neighbour(
    sheetgen: Sheetgen, folder: Path
) -> None:
    make = ("cards", "gamers", "--from", "deck.csv", "-o", "deck.pdf")
    deck(folder, {}, 12)
    assert sheetgen(*make, "--mark-printed").code == 0
    rows = (folder / "deck.csv").read_text().splitlines()
    (folder / "deck.csv").write_text("\n".join([*rows[:5], "Storm,It blows", *rows[5:9], *rows[10:]]) + "\n")
    ran = sheetgen(*make, "--changed")
    assert "1 of 12 cards to print, 1 to throw away for good" in ran.out
    order = words_of(folder / "deck-changed.pdf", 0)
    assert "It goes behind Card 4" in order
    assert "Throw it away; nothing takes its place" in order


def test_people_on_cards_half_pages_and_sheets_are_known_by_name(sheetgen: Sheetgen, folder: Path) -> None:
    (folder / "a.yaml").write_text(CAST)
    head, _, pask, ruth = CAST.split("\n- ")
    changed = ruth.strip().replace("guard", "dragon tamer")
    (folder / "b.yaml").write_text("\n- ".join([head, pask, changed]) + "\n")
    for shape in ("card", "npc"):
        for name in ("a", "b"):
            assert sheetgen("sheet", f"{name}.yaml", "--as", shape, "-o", f"{name}.pdf").code == 0
        found = {each.shown.called: each.kind for each in of(folder, "a.pdf", "b.pdf").changes}
        assert found == {"Pask Orrin": "same", "Ruth Lister": "changed", "Ada Marsh": "gone"}, shape
    for name in ("a", "b"):
        assert sheetgen("sheet", f"{name}.yaml", "-o", f"{name}.pdf").code == 0
    made = of(folder, "a.pdf", "b.pdf")
    assert {each.shown.name: each.kind for each in made.changes} == {
        "Pask Orrin": "moved",
        "Ruth Lister": "changed",
        "Ada Marsh": "gone",
    }
    assert "page 2 is page 1 now, the same but for the number" in made.told()


def test_a_booklet_is_compared_by_its_pages_and_printed_by_its_sheets(sheetgen: Sheetgen, folder: Path) -> None:
    (folder / "a.yaml").write_text(CAST + "".join(f"- {{name: Guard {at}}}\n" for at in "ABCDEFGHIJ"))
    (folder / "b.yaml").write_text((folder / "a.yaml").read_text().replace("ferryman", "diver"))
    for name in ("a", "b"):
        assert sheetgen("sheet", f"{name}.yaml", "-o", f"{name}.pdf").code == 0
        assert sheetgen("booklet", f"{name}.pdf", "-o", f"{name}-folded.pdf").code == 0
    (change,) = of(folder, "a-folded.pdf", "b-folded.pdf").of("changed", "new", "gone", "moved")
    assert change.shown.called == "page 2"
    (folder / "zine.pdf").write_bytes((folder / "a-folded.pdf").read_bytes())
    assert sheetgen("printed", "zine.pdf").code == 0
    (folder / "zine.pdf").write_bytes((folder / "b-folded.pdf").read_bytes())
    ran = sheetgen("printed", "zine.pdf", "--changed")
    assert "pages 3 to 4: A4, on both sides, turned over the short edge (2 pages)" in ran.out
    assert "in place of sheet 1" in words_of(folder / "zine-changed.pdf", 0)


def test_what_changed_stands_side_by_side_in_a_report(sheetgen: Sheetgen, folder: Path) -> None:
    for name, changed in (("a", {}), ("b", {5: "Something else"})):
        deck(folder, changed, 9)
        assert sheetgen("cards", "gamers", "--from", "deck.csv", "-o", f"{name}.pdf").code == 0
    ran = sheetgen("diff", "a.pdf", "b.pdf", "-o", "report.pdf", "-o", "report.html")
    assert "b.pdf: 1 changed, 8 the same" in ran.out
    assert "is now “G Something else" in ran.out
    said = words_of(folder / "report.pdf")
    assert "Card 5" in said
    assert "Card 4" not in said
    page = (folder / "report.html").read_text()
    assert page.count("data:image/png") == 2
    assert 'class="mark"' in page
    told = json.loads(sheetgen("diff", "a.pdf", "a.pdf", "--json").out)
    assert (told["same"], told["differences"]) == (True, [])


def test_texts_and_web_pages_are_told_in_words(sheetgen: Sheetgen, folder: Path) -> None:
    (folder / "a.yaml").write_text(CAST)
    (folder / "b.yaml").write_text(CAST.replace("ferryman", "diver"))
    assert "line 4: “occupation: ferryman}” is now “occupation: diver}”" in sheetgen("diff", "a.yaml", "b.yaml").out
    (folder / "a.html").write_text("<style>p{}</style><h1>Fear</h1><p>Roll <b>8</b> or more</p>")
    (folder / "b.html").write_text("<h1>Fear</h1><p>Roll <i>9</i> or more</p>")
    assert list(of(folder, "a.html", "b.html").told()) == ["line 2: “Roll 8 or more” is now “Roll 9 or more”"]


def test_foreign_and_damaged_files_are_refused_by_name(sheetgen: Sheetgen, folder: Path) -> None:
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7\nnothing")
    with pikepdf.new() as made:
        made.add_blank_page()
        made.save(folder / "foreign.pdf")
    deck(folder, {}, 3)
    assert sheetgen("cards", "gamers", "--from", "deck.csv", "-o", "ours.pdf").code == 0
    ran = sheetgen("printed", "foreign.pdf")
    assert (ran.code, ran.err.strip()) == (
        2,
        "foreign.pdf: was not made by sheetgen: only its own results can be compared",
    )
    assert sheetgen("diff", "ours.pdf", "damaged.pdf").err.startswith("damaged.pdf: is not a PDF that can be read")
    assert "are of two kinds" in sheetgen("diff", "ours.pdf", "deck.csv").err
    assert "no such file" in sheetgen("diff", "ours.pdf", "gone.pdf").err
    assert sheetgen("printed", "ours.pdf", "--forget").code == 2


def test_what_was_printed_is_listed_with_what_changed_since(sheetgen: Sheetgen, folder: Path) -> None:
    deck(folder, {}, 3)
    make = ("cards", "gamers", "--from", "deck.csv", "-o", "ours.pdf")
    assert sheetgen(*make, "--changed").code == 0
    assert not (folder / "ours-changed.pdf").exists()
    assert sheetgen("printed", "ours.pdf").code == 0
    # A folder that becomes a project later on still knows what was printed in it.
    (folder / "sheetgen.toml").write_text("[house.gamers]\nquickie.difficulty.trained = 9\n")
    deck(folder, {2: "New words"}, 3)
    assert sheetgen(*make).code == 0
    (row,) = json.loads(sheetgen("printed", "--json").out)["printed"]
    assert (row["file"], row["since"]) == ("ours.pdf", "1 changed, 2 the same")
    assert sheetgen("printed", "ours.pdf").code == 0
    assert (folder / ".sheetgen-printed").is_dir()
    assert sheetgen("printed", "ours.pdf", "--forget").code == 0
    assert json.loads(sheetgen("printed", "--json").out)["printed"] == []


def test_a_campaign_keeps_what_was_printed_of_its_evenings(
    sheetgen: Sheetgen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sheetgen("campaign", "new", "harbour", "--system", "gamers").code == 0
    monkeypatch.chdir(folder / "harbour")
    deck(folder / "harbour", {}, 3)
    make = ("cards", "gamers", "--from", "deck.csv", "-o", "ours.pdf")
    assert sheetgen(*make, "--mark-printed").code == 0
    deck(folder / "harbour", {2: "New words"}, 3)
    assert "1 of 3 cards to print" in sheetgen(*make, "--changed").out
    assert (folder / "harbour" / ".sheetgen-printed").is_dir()
