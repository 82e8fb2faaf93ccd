"""`--as card`, `--as index` and `--as form`, as they are typed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pypdf
import pytest

Run = Callable[..., Any]

TWO = """
system: gamers
format: 1
characters:
- {name: Ada, skills: {Melee: 2}}
- {name: Old Bram}
"""
LONG = f"""
system: gamers
format: 1
characters:
- name: Ada
  notes: {"long " * 300}
"""


@pytest.mark.parametrize(("shape", "width"), [("card", 210), ("index", 297)])
def test_rolled_people_on_cards(sheetgen: Run, tmp_path: Path, shape: str, width: float) -> None:
    ran = sheetgen("npc", "gamers", "-n", "4", "--seed", "7", "--as", shape, "-o", "four.pdf", "-o", "four.yaml")
    assert ran.code == 0
    assert all(": no room on the card for " in line for line in ran.err.splitlines())
    (page,) = pypdf.PdfReader(tmp_path / "four.pdf").pages
    assert float(page.mediabox.width) == pytest.approx(width * 72 / 25.4, abs=0.1)
    again = sheetgen("sheet", "four.yaml", "--as", shape, "-o", "again.pdf")
    assert again.code == 0
    first, second = (pypdf.PdfReader(tmp_path / name).pages[0].extract_text() for name in ("four.pdf", "again.pdf"))
    assert "seed 7 · no. 1 to 4" in first  # the margin tells which run they are of, from a file as well
    assert second.split() == first.split()


def test_letter_paper_has_cards_of_its_own(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO)
    assert sheetgen("sheet", "two.yaml", "--as", "card", "--paper", "letter", "-o", "two.pdf").code == 0
    (page,) = pypdf.PdfReader(tmp_path / "two.pdf").pages
    assert float(page.mediabox.height) == pytest.approx(279.4 * 72 / 25.4, abs=0.1)


def test_what_goes_on_on_another_card_is_told(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LONG)
    ran = sheetgen("sheet", "long.yaml", "--as", "card", "-o", "long.pdf")
    assert ran.code == 0
    assert ran.err == "Ada: Manner and story continued on a card of its own\n"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("name", "Wilhelmina-Alexandrina Bartholomew-Featherstonehaugh von und zu Hohenzollern-Sigmaringen, the Elder"),
        ("occupation", "Assistant under-secretary to the deputy keeper of the lesser seal and bridges"),
    ],
)
@pytest.mark.parametrize("system", ["gamers", "tsgs", "genesix"])
def test_a_long_name_or_trade_takes_no_card_of_its_own(
    sheetgen: Run, tmp_path: Path, system: str, field: str, said: str
) -> None:
    """Its beginning stands on its line, and the whole of it among the other texts of the card."""
    given = {"name": "Ada", "manner": "taps the table once", field: said}
    people = "".join(f"  {name}: {text}\n" for name, text in given.items())
    (tmp_path / "long.yaml").write_text(f"system: {system}\nformat: 1\ncharacters:\n- {people.strip()}\n")
    ran = sheetgen("sheet", "long.yaml", "--as", "card", "-o", "long.pdf")
    assert (ran.code, ran.err) == (0, "")
    (page,) = pypdf.PdfReader(tmp_path / "long.pdf").pages
    told = re.sub(r"[\s\u00ad]", "", page.extract_text())
    assert re.sub(r"\s", "", said) in told
    assert "»below" in told
    assert "nextcard" not in told


def test_what_a_card_has_no_room_for_is_told_to_the_quiet_too(sheetgen: Run, tmp_path: Path) -> None:
    gear = ", ".join(f"thing {at} of a heap" for at in range(48))
    (tmp_path / "heap.yaml").write_text(f"system: gamers\nformat: 1\ncharacters:\n- {{name: Ada, gear: [{gear}]}}\n")
    ran = sheetgen("sheet", "heap.yaml", "--as", "card", "-o", "heap.pdf", "--quiet")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("Ada: no room on the card for Belongings (thing ")


def test_forms_of_a_file_of_people(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO)
    assert sheetgen("sheet", "two.yaml", "--as", "form", "-o", "forms").code == 0
    assert sorted(path.name for path in (tmp_path / "forms").iterdir()) == ["Ada.pdf", "Old-Bram.pdf"]
    fields = pypdf.PdfReader(tmp_path / "forms" / "Ada.pdf").get_fields()
    assert fields["skills.Melee"]["/V"] == "2"


def test_somebody_without_a_form_stops_nobody_else(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text("system: slackwater\nformat: 1\ncharacters:\n- {name: 山田}\n- {name: Ada}\n")
    ran = sheetgen("sheet", "two.yaml", "--as", "form", "-o", "forms")
    assert (ran.code, [path.name for path in (tmp_path / "forms").iterdir()]) == (1, ["Ada.pdf"])
    assert 'two.yaml:4:3: Name: no bundled font can print "山"' in ran.err
    nobody = sheetgen("sheet", "two.yaml", "--as", "form", "--only", "1", "-o", "one.pdf")
    assert (nobody.code, (tmp_path / "one.pdf").exists()) == (1, False)
    assert nobody.err.splitlines()[-1] == "nobody could be printed, so nothing was written"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--as", "card", "--back"], "--back goes with --as sheet: a card has none"),
        (["--as", "form", "-o", "two.pdf"], "two.pdf is one file, and 2 forms are one file each: name a folder"),
        (["--as", "crad"], "invalid choice: 'crad'"),
    ],
)
def test_words_that_do_not_go_together(sheetgen: Run, tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "two.yaml").write_text(TWO)
    ran = sheetgen("sheet", "two.yaml", *words)
    assert ran.code == 2
    assert said in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["two.yaml"]


@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "genesix", "waster"])
def test_everybody_wants_something_on_their_card_and_nearly_all_say_something(
    game: str, sheetgen: Run, tmp_path: Path
) -> None:
    ran = sheetgen("npc", game, "-n", "63", "--seed", "5", "--as", "card", "-o", "cards.pdf", "--quiet")
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "cards.pdf").pages)
    assert text.count("Wants:") == 63
    told = ran.err.splitlines()
    assert 1 <= len(told) <= 20  # a line for each card, or of more than twenty one for all
    silent = [int(count) for count in re.findall(r"Says \((\d+)\)", ran.err)] or [sum("“" in line for line in told)]
    assert silent[0] <= 3
    assert len(re.findall(r"(?m)^(?:she|he|they), ", text)) >= 43  # ages, where a trade leaves room


@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "slackwater"])
def test_neighbouring_cards_are_set_in_one_size(game: str, sheetgen: Run, tmp_path: Path) -> None:
    """Texts of cards on one sheet once had up to four sizes."""
    assert sheetgen("npc", game, "-n", "18", "--seed", "5", "--as", "card", "-o", "cards.pdf").code == 0
    with pymupdf.open(tmp_path / "cards.pdf") as pdf:
        spans = [
            (span["text"], round(span["size"], 1))
            for page in pdf
            for block in page.get_text("dict")["blocks"]
            for line in block.get("lines", [])
            for span in line["spans"]
        ]
    sizes = [size for text, size in spans if text.startswith("Wants:")]
    assert (len(sizes), len(set(sizes))) == (18, 1)


@pytest.mark.parametrize("game", ["chalkdown", "slackwater"])
def test_the_index_card_of_any_game_tells_pronouns_age_and_seed(game: str, sheetgen: Run, tmp_path: Path) -> None:
    ran = sheetgen("npc", game, "-n", "2", "--seed", "11", "--as", "index", "-o", "two.pdf", "-o", "two.yaml")
    assert ran.code == 0
    (page,) = pypdf.PdfReader(tmp_path / "two.pdf").pages
    text = page.extract_text()
    written = (tmp_path / "two.yaml").read_text()
    ages = re.findall(r"(?m)^ +age: (.+)$", written)
    assert len(ages) == 2
    assert all(age in text for age in ages)
    assert "seed 11 · no. 2" in " ".join(text.split())


def test_many_boxes_of_an_index_card_are_printed_once(sheetgen: Run, tmp_path: Path) -> None:
    """Boxes that found no room on one line were printed there in part, and once more among the texts."""
    shutil.copytree(Path(__file__).parents[2] / "content" / "slackwater", tmp_path / "deep")
    system = tmp_path / "deep" / "system.yaml"
    system.write_text(system.read_text("utf-8").replace("range: 0-8", "range: 0-30"), "utf-8")
    (tmp_path / "ada.yaml").write_text("system: ./deep\ncharacters:\n- {name: Ada, does: Ring, grip: {Grip: 20}}\n")
    assert sheetgen("sheet", "ada.yaml", "--as", "index", "-o", "card.pdf").code == 0
    with pymupdf.open(tmp_path / "card.pdf") as pdf:
        rows = [drawn for drawn in pdf[0].get_drawings() if abs(drawn["rect"].height - 4 / 25.4 * 72) < 0.1]
        (title,) = pdf[0].search_for("Grip")
        (does,) = pdf[0].search_for("What they do")
    assert [len(drawn["items"]) for drawn in rows] == [10, 10]
    assert {round(drawn["rect"].x0 - does.x0) for drawn in rows} == {round(title.x0 - does.x0)} == {0}
