"""A rulebook as plain data for its template: chapters in HTML, tables, figures, scenes, glossary and index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape, unescape
from itertools import zip_longest
from typing import Any, TypeAlias

from sheetgen.content.book.references import REFERENCE, References
from sheetgen.documents.book.rolled_tables import random_table
from sheetgen.documents.book.worked_example import ExampleTeller, case_data
from sheetgen.documents.figures.icons import card, die
from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.figures.svg import Canvas, Drawn, svg
from sheetgen.documents.markdown import anchor, blocks_of, html_of, tied, tied_tables
from sheetgen.errors import InputError, Problem
from sheetgen.model.book import (
    HOUSE_RULE,
    SETTLED,
    Book,
    Chapter,
    Chart,
    Extract,
    Figure,
    Prose,
    RandomTable,
    Rule,
    Scene,
)
from sheetgen.model.data import Data, TemplateData, Word
from sheetgen.model.procedures import Example, PlayedCase
from sheetgen.model.system import System, Table
from sheetgen.model.wording import sentence

BOOK = "book.html"

_IDS = re.compile(r" ?\[((?:[A-Z]{3}-[A-Z]?\d+[A-Z]?)(?:, [A-Z]{3}-[A-Z]?\d+[A-Z]?)*)\]$")

_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>")
LONG_CELL, SHORT_ROW = 28, 44  # letters
HEAD_TYPE, SPACED, CELL_TYPE, BESIDE_CELL = 7.0, 0.5, 9.8, 7.0  # pt: of tables, with what their letters and cells leave
MOST_SHARED = 0.8  # of a table: what its columns but the last may need, where that one is broken into lines

_LESS = re.compile(r"(?<=DM)-(?=\d)|(?<=\d )-(?= )|(?<= )-(?=\d)|^-(?=\d)")

ShownHero: TypeAlias = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]  # a name, and steps with their lines


@dataclass(frozen=True, slots=True)
class BookResults:
    """What the engine did for the book: the scenes it played by case, the charts it worked out, the heroes it made.

    Charts and heroes go by the name of their rule; a chart is a drawing with its title, a hero a heading for each step
    with the lines of its log; `people` are the stat blocks of a rule;
    `otherwise` are the cases that house rules would change, though they are told as printed.
    """

    scenes: Mapping[str, tuple[Example, PlayedCase]]
    charts: Mapping[str, tuple[tuple[Drawn, str], ...]]
    heroes: Mapping[str, ShownHero]
    people: Mapping[str, tuple[TemplateData, ...]] = field(default_factory=dict)
    otherwise: frozenset[str] = frozenset()


def _drawing_data(drawn: Drawn, title: str, said: str = "", below: str = "") -> TemplateData:
    """Return a drawing for a template: its SVG, the words over and `below` it, and its width in pt; `said` is what a
    screen reader says.
    """
    return {"svg": svg(drawn, said or title), "title": title, "below": below, "width": f"{drawn.width:g}"}


class BookBuilder:
    """Turns the rules of a game into what a template prints, its figures as the canvas says.

    `linked` says whether the pages hold all rules, so that words can lead to them.
    """

    def __init__(
        self, system: System, book: Book, performed: BookResults, canvas: Canvas, *, linked: bool = True
    ) -> None:
        self.system, self.book, self.performed, self.canvas = system, book, performed, canvas
        self.references = References(system, book)
        self.linked = linked
        self.shown: set[str] = set()
        self.teller, self.keyed = ExampleTeller(system.as_printed, book), False

    def data(self) -> TemplateData:
        """Return the whole book."""
        chapters = [self.chapter(number, each) for number, each in enumerate(self.book.chapters, 1)]
        left = [table for name, table in self.system.tables.items() if name not in self.shown]
        return {
            "chapters": chapters,
            "settled": self.settled(),
            "tables": [self.table(table) for table in left],
            "glossary": [(word, self.html(prose, inline=True)) for word, prose in self.book.glossary.items()],
        }

    def html(self, prose: Prose, *, inline: bool = False) -> str:
        """Rule text as HTML."""
        return html_of(prose.text, self.references.resolve, inline=inline, linked=self.linked)

    def chapter(self, number: int, chapter: Chapter) -> TemplateData:
        """Return one chapter."""
        signed = (rule.id for rule in chapter.rules if SETTLED in rule.text.text and rule.settled)
        first = next(signed, "") if self.system.reasons else ""
        self.keyed = False
        return {
            "number": number,
            "title": chapter.title,
            "anchor": anchor("chapter", chapter.id),
            "opening": self.html(chapter.opening),
            "rules": [{**self.rule(rule), "key": rule.id == first} for rule in chapter.rules],
            "summary": [self.html(prose, inline=True) for prose in chapter.summary],
        }

    def rule(self, rule: Rule) -> TemplateData:
        """Return one rule with all that stands by it."""
        self.shown.update(rule.tables)
        blocks = blocks_of(rule.text.text, self.references.resolve, linked=self.linked)
        return {
            "title": rule.title,
            "anchor": anchor("rule", rule.id),
            "ids": list(rule.covers),
            "marks": [word for word, on in (("optional", rule.optional), ("house rule", rule.house)) if on],
            "label": rule.label,
            "note": self.html(rule.note) if rule.note else "",
            "blocks": [
                {"kind": each["kind"], "html": self._signed(html, rule)}
                for each, html in zip(blocks, _spread([each["html"] for each in blocks], self.canvas), strict=True)
            ],
            "tables": [self.table(self.system.tables[name]) for name in rule.tables],
            "figures": [self.figure(each) for each in rule.figures],
            "random": [self.random(each) for each in rule.random],
            "people": list(self.performed.people.get(rule.id, ())),
            "charts": [_drawing_data(made, title) for made, title in self.performed.charts.get(rule.id, ())],
            "scenes": [self.scene(scene) for scene in rule.scenes],
            "hero": self.hero(rule.id),
        }

    def _signed(self, html: str, rule: Rule) -> str:
        """Return a block of a rule with its signs leading to the reasons, if there are any."""
        if not self.system.reasons:
            return html.replace(SETTLED, "")
        lead = f'<a class="sign" href="#{anchor("settled", rule.id)}">{SETTLED}</a>' if rule.settled else SETTLED
        return html.replace(SETTLED, lead)

    def settled(self) -> list[TemplateData]:
        """Return why this edition reads its rules as it does: each chapter where it decides, its rules in order.

        Nothing where the game’s book goes without the reasons.
        """
        if not self.system.reasons:
            return []
        chapters = [(each.title, [rule for rule in each.rules if rule.settled]) for each in self.book.chapters]
        return [
            {
                "title": title,
                "rules": [
                    {"title": rule.title, "anchor": anchor("rule", rule.id), "why": self.html(rule.settled)}
                    for rule in rules
                    if rule.settled
                ],
            }
            for title, rules in chapters
            if rules
        ]

    def random(self, table: RandomTable) -> TemplateData:
        """Return a table to roll on; InputError where its list has too little."""
        try:
            return random_table(self.system, table, self.canvas.width)
        except ValueError as error:
            raise InputError([Problem(table.place, f"random: {error}")]) from None

    def figure(self, figure: Figure) -> TemplateData:
        """Return a drawing as SVG with its title."""
        params = {str(name): said(value, self.references) for name, value in figure.params.items()}
        try:
            drawn = draw_figure(figure.kind, params, self.canvas)
            return _drawing_data(drawn, figure.title, said=figure.title or figure.kind, below=figure.below)
        except ValueError as error:
            raise InputError([Problem(getattr(error, "place", None) or figure.place, str(error))]) from None

    def scene(self, scene: Scene) -> TemplateData:
        """Return a worked example: its story, its lines with their dice, or all dice and cards, and the engine's log.

        The key to the dice stands in the first one of each chapter whose dice are read.
        """
        case, played = self.performed.scenes[scene.case]
        data = case_data(case, played)
        about = References(self.system, self.book, data)
        lines = self.teller.html(scene, played, data)
        read = self.teller.reads(played.throws)
        key = self.teller.key() if read and not self.keyed and lines and not lines[0]["rows"] else []
        self.keyed = self.keyed or bool(key)
        return {
            "title": f"{scene.title} {HOUSE_RULE}" if scene.case in self.performed.otherwise else scene.title,
            "told": html_of(scene.story.text, about.resolve) if scene.story else "",
            "lines": lines,
            "key": key,
            "dice": [die(face) for throw in played.throws for face in throw.faces],
            "cards": [card(throw.card) for throw in played.throws if throw.card],
            "log": [without_ids(line) for line in played.log],
        }

    def hero(self, rule: str) -> TemplateData | None:
        """Return a character made before the reader's eyes: the name, and each step with what was rolled."""
        if rule not in self.performed.heroes:
            return None
        name, steps = self.performed.heroes[rule]
        made = self.book.rules[rule].hero
        kept = made is not None and made.file  # its lines are the author's, the others those of a log
        shown = (self._step(title, lines, kept=bool(kept)) for title, lines in steps)
        return {"name": name, "steps": [each for each in shown if each["lines"]]}

    def _step(self, title: str, lines: tuple[str, ...], *, kept: bool) -> TemplateData:
        """Return a step with its lines as HTML, and whether they are short enough to stand in pairs."""
        if all(line.split(": ")[-1] == "nothing" for line in lines):
            lines = ()
        elif len(lines) == 1 and not kept:
            lines = (lines[0].split(": ", 1)[-1],)
        plain = [REFERENCE.sub("xx", without_ids(line)) for line in lines]
        made = [
            html_of(each, self.references.resolve, inline=True) if kept else escape(without_ids(each)) for each in lines
        ]
        pairs = len(lines) > 3 and max(map(len, plain)) < 42
        return {"title": without_ids(title), "lines": made, "pairs": pairs}

    def extract(self, rule: Rule, extract: Extract) -> TemplateData:
        """Return what of a rule goes on a card or a screen, its charts and figures as wide as the builder says."""
        charts = self.performed.charts.get(rule.id, ()) if extract.with_odds else ()
        return {
            "title": extract.heading,
            "rule": rule.id,
            "ids": list(rule.covers),
            "optional": rule.optional,
            "html": tied(self.html(extract.text)) if extract.text else "",
            "tables": tied_tables([self.table(self.system.tables[name]) for name in extract.tables]),
            "charts": [_drawing_data(made, title) for made, title in charts],
            "figures": [self.figure(each) for each in rule.figures] if extract.with_figure else [],
        }

    def table(self, table: Table) -> TemplateData:
        """Return a table with its headings; a column of plain words has none."""
        roles = self.system.by_role
        heads = {name: roles[head].name if head in roles else head for name, head in table.heads.items()}
        columns = [
            name for name in dict.fromkeys(name for row in table.rows for name in row.columns) if heads.get(name, name)
        ]
        head = [heads.get("over", table.dice or "level")]
        head += [heads.get(name, "" if name == "is" else name) for name in columns]
        rows = [
            [
                self.span(table, row.span.low, row.span.high),
                *(row.columns.get(name, "").replace("_", " ") for name in columns),
            ]
            for row in table.rows
        ]
        return {
            "title": table.title,
            "anchor": anchor("table", table.name),
            "style": _table_style([head, *rows]),
            "dice": table.dice,
            "head": head,
            "rows": rows,
        }

    def span(self, table: Table, low: int, high: int) -> str:
        """Return the results of a row, as the levels that they are where the table is about levels."""
        write = self._writer(table)
        return write(low) if low == high else f"{write(low)}–{write(high)}"

    def _writer(self, table: Table) -> Callable[[int], str]:
        if not table.dice:
            for group in self.system.groups:
                if any(trait.bands == table.name for trait in group.members):
                    return group.write
            if {group.scale.kind for group in self.system.groups} == {"hex"}:
                return self.system.groups[0].write
        return lambda level: str(level).replace("-", "−")


def _table_style(rows: Iterable[Sequence[str]], *, wide: bool = False, shared: bool = False) -> str:
    """Return the attributes of a table: it runs across text and margin, unless its words fit the text.

    The first column of most tables is best kept as narrow as its words.
    """
    longest = _longest(rows)
    terse, narrow = longest[:1] <= [LONG_CELL] and not shared, sum(longest) <= SHORT_ROW and not wide
    kinds = [name for name, on in (("terse", terse), ("narrow", narrow)) if on]
    return f'class="{" ".join(kinds)}"{"" if narrow else " data-outer"}'


def _longest(rows: Iterable[Sequence[str]]) -> list[int]:
    """Return how many letters the longest cell of each column has."""
    return [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]


def _spread(blocks: Sequence[str], canvas: Canvas) -> list[str]:
    """Return the blocks of a rule with each table as wide as its words want it.

    If one of them runs across the margin, all do; those that hold the same things have the same columns.
    """
    found = {at: _rows_of(block) for at, block in enumerate(blocks) if block.startswith("<table>")}
    wide = any(sum(_longest(rows)) > SHORT_ROW for rows in found.values())
    shared = dict[int, list[float]]()
    for group in _groups(found):
        rows = found[group[0]]
        if len(group) > 1 and (wide or len(rows[0]) > 2):
            shared |= dict.fromkeys(group, _shares([found[at] for at in group], canvas))
    made = list(blocks)
    for at, rows in found.items():
        shares = shared.get(at, []) if "<svg" not in blocks[at] else []
        columns = "".join(f'<col style="width: {share:.1%}">' for share in shares)
        style = _table_style(rows, wide=wide, shared=bool(shares))
        made[at] = blocks[at].replace("<table>", f"<table {style} data-float>{columns}")
        if at and "data-outer" in style and made[at - 1].startswith("<h3>"):  # its heading stands over it
            made[at - 1] = made[at - 1].replace("<h3>", '<h3 class="over" data-outer>', 1)
    return made


def _groups(tables: Mapping[int, Sequence[Sequence[str]]]) -> list[list[int]]:
    """Return the numbers of tables by what they hold: each stands with the first that is like it."""
    groups = list[list[int]]()
    for at, rows in tables.items():
        group = next((each for each in groups if _alike(tables[each[0]], rows)), None)
        if group is None:
            groups.append([at])
        else:
            group.append(at)
    return groups


def _rows_of(table: str) -> list[list[str]]:
    return [[re.sub("<[^>]+>", "", cell) for cell in _CELL.findall(row)] for row in table.split("<tr>")[1:]]


def _alike(rows: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> bool:
    """Return whether two tables hold the same things: as many columns, of the same name or with numbers in both.

    The first may have another name, and where there are more than two, so may the last.
    """
    head, other = rows[0], others[0]
    if len(head) != len(other):
        return False
    within, numbers = slice(1, -1 if len(head) > 2 else None), _numbers(rows)
    named = any(head[within]) and head[within] == other[within]
    return named or (len(head) > 2 and any(numbers) and numbers == _numbers(others))


def _numbers(rows: Sequence[Sequence[str]]) -> list[bool]:
    """Return which columns hold no letters."""
    return [not any(map(str.isalpha, "".join(column))) for column in zip_longest(*rows[1:], fillvalue="")]


def _shares(tables: Sequence[Sequence[Sequence[str]]], canvas: Canvas) -> list[float]:
    """Return how much of their width each column of tables has, as long as the last can take what is left."""
    of_each = ([_wide(column, canvas) for column in zip_longest(*rows, fillvalue="")] for rows in tables)
    wide = [max(column) for column in zip(*of_each, strict=True)]
    room = canvas.width if len(wide) == 2 else min(sum(wide), canvas.width)  # of two, the second takes all that is left
    shares = [each / room for each in wide[:-1]]
    return [*shares, 1 - sum(shares)] if room == sum(wide) or sum(shares) < MOST_SHARED else []


def _wide(column: Sequence[str], canvas: Canvas) -> float:
    """Return how wide a column of a table is with its head, in pt, if no cell is broken."""
    head, *cells = map(unescape, column)
    capitals = canvas.text_width(head.upper(), HEAD_TYPE, weight=600) + SPACED * len(head)
    return max(capitals, canvas.widest(cells, CELL_TYPE, serif=True)) + BESIDE_CELL


def said(value: Data, references: References) -> Any:
    """Data of a figure with the references in its words resolved."""
    if isinstance(value, Mapping):
        return {said(name, references): said(each, references) for name, each in value.items()}
    if isinstance(value, tuple):
        return tuple(said(each, references) for each in value)
    text = REFERENCE.sub(lambda found: references.resolve(found[1]).text, str(value))
    return Word(text, value.place)


def with_values(chart: Chart, system: System) -> Chart:
    """Return a chart with the values of a system where its parameters name them; ValueError with what is wrong."""
    references = References(system, Book((), {}))

    def of(data: Any) -> Any:
        if isinstance(data, Mapping):
            return {name: of(each) for name, each in data.items()}
        if isinstance(data, tuple):
            return tuple(map(of, data))
        found = REFERENCE.fullmatch(str(data))
        return references.value(found[1].strip()) if found else data

    named = {str(of(name)): words for name, words in chart.named.items()}
    return replace(chart, rows=of(chart.rows), columns=of(chart.columns), given=of(chart.given), named=named)


def without_ids(line: str) -> str:
    """Return a line of a log as a reader wants it: without the IDs at its end, with the signs of a printer."""
    return _LESS.sub("−", _IDS.sub("", line)).replace(" -> ", " → ").replace(" x ", " × ").replace("'", "’")


def step_titles(system: System) -> dict[str, str]:
    """Return what steps are called in the words of the sheet, by their headings in a log: what each of them writes."""
    titles = {spec.name: spec.title for spec in system.fields} | {name: name for name in system.traits}
    steps = system.creation.steps.values()
    into = {each.name: str(each.params.get("into", each.params.get("field"))) for each in steps}  # type: ignore[call-overload]
    return {sentence(name): titles.get(given, sentence(name.replace("_", " "))) for name, given in into.items()}


def steps_of(log: Iterable[str], titles: Mapping[str, str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a log of creation by its headings, lines that are not indented, in the words of `titles`."""
    steps: list[tuple[str, list[str]]] = []
    for line in log:
        if line.startswith("  ") and steps:
            steps[-1][1].append(line.strip())
        elif not line.startswith("  "):
            steps.append((titles.get(without_ids(line), line), []))
    return tuple((title, tuple(lines)) for title, lines in steps)
