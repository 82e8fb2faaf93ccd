"""The shape of a pack's screen.yaml: which rules a GM screen and a quick reference show, by moments of play.

Without the file the chapters of the book are the moments, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast, get_args

from sheetgen.content.packs.folders import Library, read_file
from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, text
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.errors import quoted, suggestion
from sheetgen.model.book import Book, Rule
from sheetgen.model.screen import Moment, Part, Screen, Shown

FILE = "screen.yaml"
FEWEST_PANELS, MOST_PANELS = 3, 4
MOST_PEOPLE = 12

Pick = Callable[[Rule], Part]


def screen_file(folders: Iterable[Path]) -> Path | None:
    """The file that orders the screen: a skin has that of the pack whose chapters it has."""
    for folder in folders:
        if (folder / FILE).is_file():
            return folder / FILE
        if (folder / "rules").is_dir():
            return None
    return None


def read_screen(path: Path, library: Library, book: Book) -> Screen:
    """The screen that the file orders; InputError with every problem, unknown rules and silent ones among them."""
    problems, shown = Problems(), library.shown(path)
    node = parse(read_file(path, shown, inside=path.parent), shown)
    reader = _ScreenReader(book, problems)
    found = fields(node, problems, what=FILE, needs=("moments",), may=("panels", "reference", "pocket"))
    plain = chapters_as_moments(book)
    panels = plain.panels
    if "panels" in found:
        panels = number(found["panels"], problems, what="panels", low=FEWEST_PANELS, high=MOST_PANELS)
    reader.panels = panels
    moments = reader.moments(found["moments"], of_screen) if "moments" in found else ()
    reference = reader.moments(found["reference"], of_card) if "reference" in found else plain.reference
    pocket = reader.moments(found["pocket"], of_screen) if "pocket" in found else reference
    problems.raise_if_any()
    return Screen(panels, moments, reference, pocket)


def chapters_as_moments(book: Book) -> Screen:
    """The screen of a pack that orders none: chapter by chapter whatever its rules have for a screen, or for a card."""

    def moments(pick: Pick) -> tuple[Moment, ...]:
        found = []
        for chapter in book.chapters:
            rules = [rule for rule in chapter.rules if getattr(rule, pick(rule)) is not None]
            if rules:
                shown = tuple(Shown(rule.id, pick(rule), rule.place) for rule in rules)
                found.append(Moment(chapter.title, shown, chapter.place))
        return tuple(found)

    reference = moments(of_card)
    return Screen(FEWEST_PANELS, moments(of_screen), reference, reference)


def of_screen(rule: Rule) -> Part:
    """A screen shows what a rule says on the screen, or else on its card."""
    return "screen" if rule.screen or not rule.card else "card"


def of_card(rule: Rule) -> Part:
    """A reference shows what a rule says on its card, or else on the screen."""
    return "card" if rule.card or not rule.screen else "screen"


class _ScreenReader:
    """Reads moments and holds them against the rules of the book."""

    def __init__(self, book: Book, problems: Problems) -> None:
        self.rules, self.problems, self.panels = book.rules, problems, FEWEST_PANELS

    def moments(self, node: Node, pick: Pick) -> tuple[Moment, ...]:
        """The moments of a list; one rule stands in it once only."""
        found = items(node, self.problems, lambda each: self._moment(each, pick), what="moments", most=60)
        seen: dict[tuple[str, str], int] = {}
        for moment in found:
            for each in moment.shown:
                key = (each.rule, each.part)
                if key in seen:
                    said = f"rule {quoted(each.rule)} stands here twice, first in line {seen[key]} (keep one)"
                    self.problems.add(each.place, said)
                seen.setdefault(key, each.place.line)
        return found

    def _moment(self, node: Node, pick: Pick) -> Moment:
        problems = self.problems
        found = fields(node, problems, what="moment", needs=("title",), may=("rules", "panel", "people"))
        shown: tuple[Shown | None, ...] = ()
        if "rules" in found:
            shown = items(found["rules"], problems, lambda each: self._shown(each, pick), what="rules")
        if "rules" not in found and "people" not in found and "title" in found:
            problems.add(node.place, 'a moment needs "rules" or "people" (add a line "rules: [...]")')
        return Moment(
            text(found["title"], problems, what="title", longest=60) if "title" in found else "",
            tuple(each for each in shown if each is not None),
            node.place,
            number(found["panel"], problems, what="panel", low=1, high=self.panels) if "panel" in found else 0,
            number(found["people"], problems, what="people", low=1, high=MOST_PEOPLE) if "people" in found else 0,
        )

    def _shown(self, node: Node, pick: Pick) -> Shown | None:
        """A rule by its name, or `{rule: NAME, show: card}` where it is to say something else than usual here."""
        named: Node = node
        part: Part | None = None
        if isinstance(node, MappingNode):
            found = fields(node, self.problems, what="rule of a moment", needs=("rule", "show"))
            if "rule" not in found or "show" not in found:
                return None
            named = found["rule"]
            part = cast(Part, choice(found["show"], self.problems, get_args(Part), what="part of a rule"))
        name = text(named, self.problems, what="rule", longest=80)
        if name not in self.rules:
            if name:
                self.problems.add(named.place, f"unknown rule {quoted(name)}{suggestion(name, self.rules)}")
            return None
        rule = self.rules[name]
        part = part or pick(rule)
        if getattr(rule, part) is None:
            place = f"{rule.place.file}:{rule.place.line}"
            fix = f'(add "{part}: ..." to the rule in {place})'
            self.problems.add(named.place, f"rule {quoted(name)} has nothing to show here {fix}")
            return None
        return Shown(name, part, named.place)
