"""A house rule changes what shows it, and nothing else; each place where it shows has the sign ‡."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.model.book import HOUSE_RULE
from sheetgen.model.changes import CHANGED, SAME
from sheetgen.products.batch_pdf import signed
from sheetgen.products.changes import compare

Sheetgen = Callable[..., Any]

RULES = {
    "gamers": ("quickie.difficulty.trained = 9", ("blank", "cards", "screen", "npc")),
    "diecodes": ("wild.again = 5", ("blank", "cards", "npc")),
    "sixshooter": ("strikes.removal = 4", ("cards", "npc")),
}
UNTOUCHED = {("sixshooter", "npc")}  # nobody's page tells how many Strikes end somebody


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
    assert bool(signs) is ((game, product) not in UNTOUCHED)


def test_a_number_that_a_house_rule_changes_has_the_sign_behind_it() -> None:
    assert signed({"odds": "Hunting 42 %, Law 58 %"}, {"odds": "Hunting 58 %, Law 58 %"}) == {
        "odds": "Hunting 42‡ %, Law 58 %"
    }
    assert signed({"name": "Ada", "say": "one"}, {"name": "Ada", "say": "two"}) == {"name": "Ada", "say": "one"}
