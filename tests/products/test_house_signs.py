"""A house rule changes what shows it, and nothing else; each place where it shows has the sign ‡."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.model.book import HOUSE_RULE, LEGEND
from sheetgen.model.printing import CHANGED, SAME
from sheetgen.products.finished.comparison import compare
from sheetgen.products.shapes import signed

Sheetgen = Callable[..., Any]

RULES = {
    "gamers": ("quickie.difficulty.trained = 9", ("blank", "cards", "screen", "npc")),
    "diecodes": ("wild.again = 5", ("blank", "cards", "npc")),
    "sixshooter": ("strikes.removal = 4", ("cards", "npc")),
}


@pytest.mark.parametrize(("game", "product"), [(game, each) for game, (_, made) in RULES.items() for each in made])
def test_what_shows_a_house_rule_changes_and_has_its_sign_and_nothing_else_does(
    sheetgen: Sheetgen, tmp_path: Path, game: str, product: str
) -> None:
    people = ("-n", "3", "--seed", "4") if product == "npc" else ()
    assert sheetgen(product, game, *people, "-o", "before.pdf").code == 0
    (tmp_path / "sheetgen.toml").write_text(f"[house.{game}]\n{RULES[game][0]}\n")
    assert sheetgen(product, game, *people, "-o", "after.pdf").code == 0
    made = compare(tmp_path / "before.pdf", tmp_path / "after.pdf", shown=("before.pdf", "after.pdf"))
    assert {each.kind for each in made.changes} <= {CHANGED, SAME}
    signs = {each.shown.called for each in made.changes if any(HOUSE_RULE in word for word in each.shown.look.words)}
    assert {each.shown.called for each in made.of(CHANGED)} == signs
    assert signs


def test_a_number_that_a_house_rule_changes_has_the_sign_behind_it() -> None:
    assert signed({"odds": "Hunting 42 %, Law 58 %"}, {"odds": "Hunting 58 %, Law 58 %"}) == {
        "odds": "Hunting 42‡ %, Law 58 %"
    }
    assert signed({"injury": "1d6+1 small"}, {"injury": "1d6 small"}) == {"injury": "1d6+1‡ small"}
    assert signed({"name": "Ada", "say": "one"}, {"name": "Ada", "say": "two"}) == {"name": "Ada", "say": "one"}


@pytest.mark.parametrize(
    ("game", "rule", "words", "shown"),
    [
        ("tsgs", "experience.pick = 12", "blank tsgs", "12‡ buy a skill pick"),
        ("gamers", "injury.bonus_above = 7", "npc gamers -n 4 --seed 2 --as roster", "1d6+3‡"),
        ("gamers", "quickie.difficulty.trained = 9", "npc gamers -n 3 --seed 4 --as npc", "42‡"),
    ],
)
def test_words_beside_a_number_rosters_and_web_pages_have_the_sign(
    sheetgen: Sheetgen, tmp_path: Path, *, game: str, rule: str, words: str, shown: str
) -> None:
    (tmp_path / "sheetgen.toml").write_text(f"[house.{game}]\n{rule}\n")
    assert sheetgen(*words.split(), "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert shown in page.replace(LEGEND, "")
