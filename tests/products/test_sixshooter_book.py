"""The Six Shooter rulebook: whom its stories are about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sheetgen.products.chapters import Rulebook
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import Pack

Opened = tuple[Pack, Rulebook]


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("sixshooter")


def test_the_operator_of_the_stories_is_the_one_made_on_the_page(opened: Opened) -> None:
    pack, rulebook = opened
    (hero,) = (rule.hero for rule in rulebook.book.rules.values() if rule.hero)
    plan = plan_of(pack.system, method=hero.method, archetype=hero.archetype, options=hero.options)
    character = Roller(pack.system, plan, hero.seed).explain(hero.index)[0]
    assert (hero.name, character.text("occupation")) == ("Opal Gallegos", "desert guide")
    assert "mule called Senator" in character.lines("gear")
