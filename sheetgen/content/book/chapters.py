"""The shape of a pack's rules/ folder: chapters of rules, in the order of their files' names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from sheetgen.content.packs.folders import Library, read_file
from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, switch, text
from sheetgen.content.yaml.levels import branch
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence, parse
from sheetgen.errors import InputError, quoted
from sheetgen.model.book import Book, Chapter, Chart, Extract, Figure, Hero, Prose, Rule, Scene
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.system import System

T = TypeVar("T")
Axis = tuple[str, tuple[Data, ...]]

LONGEST = 20_000
CHARTS = ("bars", "curve")
NOWHERE: Axis = ("", ())

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def chapter_files(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The files of the first folder that has chapters, in order; a skin has those of the pack that it extends."""
    for folder in folders:
        found = sorted((folder / "rules").glob("*.yaml")) if (folder / "rules").is_dir() else []
        if found:
            return tuple(found)
    return ()


def read_book(files: Iterable[Path], library: Library, system: System) -> Book:
    """The chapters that the files hold; InputError with every problem of their shape."""
    problems, chapters, glossary = Problems(), list[Chapter](), dict[str, Prose]()
    for path in files:
        shown = library.shown(path)
        try:
            node = parse(read_file(path, shown, inside=path.parent), shown)
        except InputError as error:
            for problem in error.problems:
                problems.add(problem.place, problem.message, problem.rule)
            continue
        reader = _ChapterReader(system, problems)
        found = fields(
            node, problems, what="chapter", needs=("title",), may=("opening", "rules", "summary", "glossary")
        )
        if "rules" in found:
            chapters.append(reader.chapter(path.stem.partition("-")[2] or path.stem, node, found))
        if "glossary" in found:
            glossary.update(reader.glossary(found["glossary"]))
    _check_names(chapters, problems)
    problems.raise_if_any()
    return Book(tuple(chapters), dict(sorted(glossary.items(), key=lambda entry: entry[0].casefold())))


def keys_of_rules(data: bytes, file: str) -> frozenset[str]:
    """The keys that the rules of a chapter's file have, such as `card`; InputError if it cannot be read as YAML.

    Empty values do not count. Nothing else is checked.
    """
    rules = [node for key, node in _entries(parse(data, file)) if key == "rules"]
    parts = (part for node in rules for _, rule in _entries(node) for part in _entries(rule))
    return frozenset(key for key, node in parts if node != Sequence((), node.place) and not node.is_null)


def _entries(node: Node) -> list[tuple[str, Node]]:
    return [(key.text, value) for key, value in node.entries] if isinstance(node, MappingNode) else []


def _check_names(chapters: Iterable[Chapter], problems: Problems) -> None:
    seen: dict[str, str] = {}
    for chapter in chapters:
        for rule in chapter.rules:
            if rule.id in seen:
                problems.add(rule.place, f"rule {quoted(rule.id)} stands in {seen[rule.id]} too")
            seen[rule.id] = rule.place.file


class _ChapterReader:
    """Reads the chapters of one game."""

    def __init__(self, system: System, problems: Problems) -> None:
        self.system, self.problems = system, problems

    def chapter(self, name: str, node: Node, found: Mapping[str, Node]) -> Chapter:
        problems = self.problems
        rules = pairs(found["rules"], problems, self._rule, what="rules")
        opening = self._prose(found.get("opening"))
        if opening is None:
            problems.add(node.place, "a chapter needs an opening: what it is for")
        summary = items(found["summary"], problems, self._said, what="summary") if "summary" in found else ()
        title = text(found["title"], problems, what="title", longest=80) if "title" in found else ""
        return Chapter(name, title, opening or Prose("", node.place), tuple(rules.values()), summary, node.place)

    def glossary(self, node: Node) -> dict[str, Prose]:
        return pairs(node, self.problems, lambda _, value: self._said(value), what="glossary")

    def _said(self, node: Node) -> Prose:
        return Prose(text(node, self.problems, what="text", longest=LONGEST).strip(), node.place)

    def _prose(self, node: Node | None) -> Prose | None:
        return self._said(node) if node is not None else None

    def _rule(self, key: Scalar, node: Node) -> Rule:
        problems = self.problems
        if not _NAME.fullmatch(key.text):
            problems.add(key.place, f"rule {quoted(key.text)}: write small letters, digits and hyphens, a letter first")
        may = ("covers", "optional", "label", "note", "table", "odds", "figure", "examples", "hero", "card", "screen")
        found = fields(node, problems, what=f"rule {key.text}", needs=("title", "text"), may=(*may, "index"))
        title = text(found["title"], problems, what="title", longest=80) if "title" in found else key.text
        return Rule(
            id=key.text,
            title=title,
            covers=self._words(found, "covers"),
            text=self._prose(found.get("text")) or Prose("", node.place),
            place=node.place,
            optional=switch(found["optional"], problems, what="optional") if "optional" in found else False,
            label=text(found["label"], problems, what="label", longest=120) if "label" in found else "",
            note=self._prose(found.get("note")),
            tables=self._tables(found),
            charts=self._each(found, "odds", self._chart),
            figures=self._each(found, "figure", self._figure),
            scenes=self._each(found, "examples", self._scene),
            hero=self._hero(found["hero"]) if "hero" in found else None,
            cards=self._each(found, "card", lambda each: self._extract(each, title)),
            screen=self._extract(found["screen"], title) if "screen" in found else None,
            index=self._words(found, "index"),
        )

    def _words(self, found: Mapping[str, Node], name: str) -> tuple[str, ...]:
        return self._each(found, name, lambda each: text(each, self.problems, what=name, longest=80))

    def _tables(self, found: Mapping[str, Node]) -> tuple[str, ...]:
        return self._each(found, "table", lambda each: choice(each, self.problems, self.system.tables, what="table"))

    def _each(self, found: Mapping[str, Node], name: str, read: Callable[[Node], T]) -> tuple[T, ...]:
        """What stands under a name: one thing, or a list of them."""
        if name not in found:
            return ()
        node = found[name]
        return items(node, self.problems, read, what=name) if isinstance(node, Sequence) else (read(node),)

    def _scene(self, node: Node) -> Scene:
        if isinstance(node, Scalar):
            return Scene(text(node, self.problems, what="example", longest=80), None, node.place)
        found = fields(node, self.problems, what="example", needs=("case",), may=("told",))
        case = text(found["case"], self.problems, what="case", longest=80) if "case" in found else ""
        return Scene(case, self._prose(found.get("told")), node.place)

    def _chart(self, node: Node) -> Chart:
        problems = self.problems
        needs, may = ("do", "rows"), ("as", "given", "of", "value", "columns", "title", "policy", "named")
        found = fields(node, problems, what="odds", needs=needs, may=may)
        plain = self._plain(found)
        named = lambda _, value: text(value, problems, what="named", longest=40)  # noqa: E731
        return Chart(
            procedure=plain("do"),
            given=branch(found["given"], problems, what="given") if "given" in found else EMPTY,
            of=self._words(found, "of"),
            sought=self._words(found, "value") or ("true",),
            rows=self._axis(found, "rows"),
            columns=self._axis(found, "columns"),
            title=plain("title"),
            place=node.place,
            policy=plain("policy"),
            named=pairs(found["named"], problems, named, what="named") if "named" in found else {},
            shape=choice(found["as"], problems, CHARTS, what="kind of chart") if "as" in found else CHARTS[0],
        )

    def _plain(self, found: Mapping[str, Node]) -> Callable[[str], str]:
        """What reads the short text under a name that may be absent."""
        return lambda name: text(found[name], self.problems, what=name, longest=80) if name in found else ""

    def _axis(self, found: Mapping[str, Node], name: str) -> Axis:
        """A parameter with the values that it takes along a side of a chart: `{skill: [0, 1, 2]}`."""
        if name not in found:
            return NOWHERE
        node = found[name]
        data = branch(node, self.problems, what=name)
        parameter, values = next(iter(data.items()), ("", ()))
        if len(data) != 1 or not isinstance(values, tuple):
            self.problems.add(node.place, f"{name} must be one parameter with a list of values: `{{skill: [0, 1]}}`")
            return NOWHERE
        return str(parameter), values

    def _figure(self, node: Node) -> Figure:
        keys = [key.text for key, _ in node.entries] if isinstance(node, MappingNode) else []
        found = fields(node, self.problems, what="figure", needs=("is",), may=keys)
        kind = text(found["is"], self.problems, what="kind of figure") if "is" in found else ""
        title = text(found["title"], self.problems, what="title", longest=120) if "title" in found else ""
        data = branch(node, self.problems, what="figure")
        params = {name: value for name, value in data.items() if name not in ("is", "title")}
        return Figure(Word(kind, found["is"].place if "is" in found else node.place), params, title, node.place)

    def _hero(self, node: Node) -> Hero:
        problems = self.problems
        found = fields(node, problems, what="hero", needs=("seed", "index"), may=("method", "archetype", "options"))
        plain = self._plain(found)
        read = lambda _, value: text(value, problems, what="option", longest=80)  # noqa: E731
        return Hero(
            method=plain("method"),
            archetype=plain("archetype"),
            seed=number(found["seed"], problems, what="seed", low=0, high=2**63 - 1) if "seed" in found else 0,
            index=number(found["index"], problems, what="index", low=1, high=10**9) if "index" in found else 1,
            options=pairs(found["options"], problems, read, what="options") if "options" in found else {},
        )

    def _extract(self, node: Node, title: str) -> Extract:
        """What goes elsewhere: plain words, or a heading with words and tables."""
        if isinstance(node, Scalar):
            return Extract(title, self._said(node), (), node.place)
        problems = self.problems
        found = fields(node, problems, what="card or screen", may=("title", "text", "table", "with"))
        heading = text(found["title"], problems, what="title", longest=60) if "title" in found else title
        shown = self._each(found, "with", lambda each: choice(each, problems, ("odds", "figure"), what="part"))
        words, tables = self._prose(found.get("text")), self._tables(found)
        return Extract(heading, words, tables, node.place, "odds" in shown, "figure" in shown)
