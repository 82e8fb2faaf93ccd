"""Chapters of a shared book as a game that varies another has them: told anew, in the order of its sheet, of its age.

Rules, examples, openings and glances of its own stand in place of the shared ones. Lists of all traits of a group stand
in the order of the sheet, and tables hold what fits the age of the game: the usual value of an option for the level of
one trait. A table tells in a column of that trait from which level to which a row belongs there.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sheetgen.content.yaml.decoder import Problems
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.book import Chapter, Prose, Rule, Scene
from sheetgen.model.data import Word
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import Span, System

_ITEMS = re.compile(r"(?:^(?:- \*\*|\| )\{\w+\}.*\n(?: +.*\n)*){3,}", re.MULTILINE)
_ITEM = re.compile(r"^(?:- \*\*|\| )\{(\w+)\}.*\n(?: +.*\n)*", re.MULTILINE)
_NAMED = re.compile(r"\{([A-Z]\w*)\}")
_TABLE = re.compile(r"(?:^\|.*\n){3,}", re.MULTILINE)
_BETWEEN_CELLS = re.compile(r"\|(?![^{}]*\})")  # not within a reference: {7|word}
_SPAN = re.compile(r"([0-9A-F])(?:\s*[–-]\s*([0-9A-F]))?")


Scenes = tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Reopened:
    """What a shared chapter is called, opens with and comes to in another game's book; what is empty stays as it is."""

    title: str
    icon: Word | None
    opening: Prose | None
    summary: tuple[Prose, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Replacements:
    """What stands in place of shared rules, of their examples (by rule or case), and around shared chapters."""

    rules: Mapping[str, Rule | Scenes] = field(default_factory=dict)
    chapters: Mapping[str, Reopened] = field(default_factory=dict)

    def with_those_of(self, found: Mapping[str, Any]) -> Replacements:
        """Return these and those of a chapter's file, which go first."""
        rules = found["retold"] | self.rules | found["instead"]  # a rule that is replaced has examples of its own
        return Replacements(rules, {**self.chapters, **found["reopened"]})

    def rule(self, rule: Rule) -> Rule:
        """Return the rule that stands in place of another, or the other with examples told anew."""
        new = self.rules.get(rule.id, ())
        if isinstance(new, Rule):
            return new
        scenes = list[Scene]()
        for scene in rule.scenes:
            told = self.rules.get(scene.case, ())
            scenes += (scene,) if isinstance(told, Rule) else told or (scene,)
        return replace(rule, scenes=new or tuple(scenes))

    def chapter(self, chapter: Chapter) -> Chapter:
        """Return a chapter with its rules, its title, its opening and its glance as they stand in this book."""
        chapter = replace(chapter, rules=tuple(map(self.rule, chapter.rules)))
        new = self.chapters.get(chapter.id)
        if new is None:
            return chapter
        return replace(
            chapter,
            title=new.title or chapter.title,
            icon=new.icon or chapter.icon,
            opening=new.opening or chapter.opening,
            summary=new.summary or chapter.summary,
        )

    def note_those_without_place(self, chapters: Iterable[Chapter], problems: Problems) -> None:
        """Note what stands in place of nothing: no chapter, no rule and no case has that name."""
        named = {chapter.id: chapter for chapter in chapters}
        rules = [rule for chapter in named.values() for rule in chapter.rules]
        known, cases = [rule.id for rule in rules], [scene.case for rule in rules for scene in rule.scenes]
        for name, new in self.rules.items():
            if isinstance(new, Rule) and name not in known:
                problems.add(new.place, f"instead: no rule {quoted(name)}{suggestion(name, known)}")
            elif not isinstance(new, Rule) and name not in {*known, *cases}:
                near = suggestion(name, [*known, *cases])
                problems.add(new[0].place, f"retold: no rule, and no example, {quoted(name)}{near}")
        for name, opened in self.chapters.items():
            if name not in named:
                problems.add(opened.place, f"reopened: no chapter {quoted(name)}{suggestion(name, [*named])}")


def varied_chapter(chapter: Chapter, system: System) -> Chapter:
    """Return a chapter with its rules as the game has them."""
    return replace(chapter, rules=tuple(_varied(rule, system) for rule in chapter.rules))


def _varied(rule: Rule, system: System) -> Rule:
    hero = rule.hero
    if hero is not None:
        hero = replace(hero, made={step: _lines(lines, system) for step, lines in hero.made.items()})
    cards = tuple(replace(card, text=_in_order(card.text, system)) if card.text else card for card in rule.cards)
    return replace(rule, text=_of_its_age(_in_order(rule.text, system), system), cards=cards, hero=hero)


def _in_order(prose: Prose, system: System) -> Prose:
    """Return a text whose lists of all traits of a group, an item each, stand in the order of the game's sheet."""

    def ordered(run: re.Match[str]) -> str:
        items = {found[1]: found[0] for found in _ITEM.finditer(run[0])}
        return "".join(_ordered(items, system)) if len(items) == len(_ITEM.findall(run[0])) else run[0]

    return _with_text(prose, _ITEMS.sub(ordered, f"{prose.text}\n").removesuffix("\n"))


def _of_its_age(prose: Prose, system: System) -> Prose:
    """Return a text whose tables hold the rows that fit the usual level of each trait whose level creation sets."""
    text = f"{prose.text}\n"
    for option in system.creation.options.values():
        if option.kind == "level" and option.default in {*HEX_DIGITS}:
            level = HEX_DIGITS.index(option.default)
            text = _TABLE.sub(partial(_fitting, option.of, level), text)
    return _with_text(prose, text.removesuffix("\n"))


def _with_text(prose: Prose, text: str) -> Prose:
    """Return a text some of whose lines went, or stand elsewhere, each with the number that it has in the file."""
    if text == prose.text:
        return prose
    numbers = defaultdict[str, deque[int]](deque)
    for at, line in enumerate(prose.text.split("\n")):
        numbers[line].append(prose.line(at))
    return replace(prose, text=text, lines=tuple(numbers[line].popleft() for line in text.split("\n")))


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


def _fitting(role: str, level: int, table: re.Match[str]) -> str:
    head, rule, *rows = table[0].splitlines(keepends=True)
    names = _cells(head)
    if f"{{{role}}}" not in names:
        return table[0]
    at = names.index(f"{{{role}}}")
    return "".join((head, rule, *(row for row in rows if _fits(_cells(row)[at : at + 1], level))))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _BETWEEN_CELLS.split(row.strip().strip("|"))]


def _fits(cells: list[str], level: int) -> bool:
    """Whether a level lies within what a cell says, such as `{2}–C`; it lies within words such as `any`."""
    found = _SPAN.fullmatch("".join(cells).replace("{", "").replace("}", ""))
    return found is None or level in Span(HEX_DIGITS.index(found[1]), HEX_DIGITS.index(found[2] or found[1]))
