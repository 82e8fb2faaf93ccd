"""Lists of a shared book in the order of a sheet: a game that varies another has its traits in an order of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from sheetgen.model.book import Prose, Rule
from sheetgen.model.system import System

_ITEMS = re.compile(r"(?:^(?:- \*\*|\| )\{\w+\}.*\n(?: +.*\n)*){3,}", re.MULTILINE)
_ITEM = re.compile(r"^(?:- \*\*|\| )\{(\w+)\}.*\n(?: +.*\n)*", re.MULTILINE)
_NAMED = re.compile(r"\{([A-Z]\w*)\}")


def rule_in_sheet_order(rule: Rule, system: System) -> Rule:
    """Return a rule whose lists of all traits of a group, an item each, stand in the order of the game's sheet."""
    hero = rule.hero
    if hero is not None:
        hero = replace(hero, made={step: _lines(lines, system) for step, lines in hero.made.items()})
    cards = tuple(replace(card, text=_prose(card.text, system)) if card.text else card for card in rule.cards)
    return replace(rule, text=_prose(rule.text, system), cards=cards, hero=hero)


def _prose(prose: Prose, system: System) -> Prose:
    def ordered(run: re.Match[str]) -> str:
        items = {found[1]: found[0] for found in _ITEM.finditer(run[0])}
        return "".join(_ordered(items, system)) if len(items) == len(_ITEM.findall(run[0])) else run[0]

    return replace(prose, text=_ITEMS.sub(ordered, f"{prose.text}\n").removesuffix("\n"))


def _lines(lines: tuple[str, ...], system: System) -> tuple[str, ...]:
    named = [_NAMED.findall(line) for line in lines]
    items = {names[0]: line for names, line in zip(named, lines, strict=True) if len(names) == 1}
    return _ordered(items, system) if len(items) == len(lines) else lines


def _ordered(items: Mapping[str, str], system: System) -> tuple[str, ...]:
    """Return the items by role, in the order of the sheet if they are all traits of one group, else as they are."""
    for group in system.groups:
        roles = [trait.role for trait in group.members]
        if set(roles) == set(items):
            return tuple(items[role] for role in roles)
    return tuple(items.values())
