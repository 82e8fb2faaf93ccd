"""An evening to carry on a phone: run sheet, people, rules as cards, and dice that know the rules, in one web page.

Its rolls are worked out ahead. One has the parameters of its chart to pick from; for each pick there is a tree of what
the engine would tell, whatever the dice show. Trees share their branches and lines, which stand in tables by number.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.dice.source import Scripted
from sheetgen.documents.book.book import BookBuilder, with_values, without_ids
from sheetgen.documents.cards import brief
from sheetgen.documents.markdown import anchor, plain_html
from sheetgen.documents.people.stat_blocks import stat_block
from sheetgen.documents.session.run_sheet_pages import Block
from sheetgen.errors import SheetgenError
from sheetgen.model.book import Book, Chart, Featured, Rule
from sheetgen.model.data import Data
from sheetgen.model.session import Session
from sheetgen.model.wording import percent
from sheetgen.pdf.flow.document import with_pictures
from sheetgen.pdf.pdfium import addresses, page_texts
from sheetgen.products.books.setting import FIGURES, without_handouts
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import canvas_of, label_of, odds_of, open_book, perform, with_parameter
from sheetgen.products.form_cache import published, use_bundled_fonts
from sheetgen.products.handouts.layout import PrintedHandout
from sheetgen.products.session.run_sheet import RunSheet
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.table.play_ways import Branch, DiceQuestion, TooManyWays, play_ways
from sheetgen.workspace.pack_cache import cached_facts
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

TEMPLATE, SCRIPT = "tonight/page.html", "tonight/page.js"
WIDTH = 330.0  # pt, of figures: what a phone shows without sliding, or nearly
HANDED_DPI = 96  # of pictures of handouts: as sharp as a phone is wide
IN_CARDS = ("people", "person", "reminder")  # blocks of a run sheet that the page has a card for


def tonight_page(
    sheet: RunSheet, parts: Collection[str], rolls: dict[str, Any], handed: Sequence[Sequence[PrintedHandout]] = ()
) -> str:
    """Return the web page: run sheet, people, and with the part `references` rules and the rolls of `known_rolls`.

    `handed` are the handouts of each scene, which can be looked at. InputError for what the game refuses, as on paper.
    """
    use_bundled_fonts(sheet.project)
    project, pack, session = sheet.project, sheet.pack, sheet.session
    blocks = sheet.scene_blocks()
    data: dict[str, Any] = {
        "kicker": sheet.kicker(0),
        "notes": plain_html(session.notes) if session.notes else "",
        "scenes": [*_scenes(sheet, blocks, handed)],
        "people": [*_people_with_scenes(sheet, blocks)],
        "chapters": [],
        "tables": [],
    }
    if "references" in parts and has_book(project, pack):
        data |= _rules(project, pack)
    page = without_handouts(sheet.rendered(TEMPLATE, "page", **data))
    page = with_pictures(page, root=sheet.folder, name="run sheet")
    return published(project, pack, page, TEMPLATE, script=_script(project, session, rolls))


def _script(project: Project, session: Session, rolls: dict[str, Any]) -> str:
    """Return the script of the page behind its data; nothing in these can end it, or begin another one."""
    key = blake2b(f"{session.title}\0{session.date}\0{session.seed}".encode(), digest_size=8).hexdigest()
    data = json.dumps({"key": key, **rolls}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"const DATA = {data};\n{(project.templates / SCRIPT).read_text('utf-8')}"


def _scenes(
    sheet: RunSheet, blocks: list[list[Block]], handed: Sequence[Sequence[PrintedHandout]]
) -> Iterator[dict[str, Any]]:
    for number, (scene, found) in enumerate(zip(sheet.session.scenes, blocks, strict=True), 1):
        shown = [each for each in found if each["kind"] not in IN_CARDS]
        people = [each.number for each in sheet.evening.scenes[number - 1]]
        pages = [*map(_looked_at, handed[number - 1] if handed else ())]
        said = {"kicker": sheet.kicker(number), "title": scene.title}
        yield {**said, "blocks": shown, "people": people, "handed": pages}


def _looked_at(handout: PrintedHandout) -> dict[str, Any]:
    """Return a handout as the page shows it: a picture of each of its pages, with the words on it."""
    pictures = addresses(handout.data, dpi=HANDED_DPI)
    words = (" ".join(text.split()) or handout.title for text in page_texts(handout.data))
    return {"title": handout.title, "style": handout.style, "pages": [*zip(pictures, words, strict=True)]}


def _people_with_scenes(sheet: RunSheet, blocks: list[list[Block]]) -> Iterator[dict[str, Any]]:
    """Yield everybody once, with the scenes that they are in, and what the first of these says of them."""
    system, where = sheet.pack.system, dict[int, list[tuple[int, str]]]()
    rows = dict[int, tuple[Block, Block]]()
    for number, (scene, found) in enumerate(zip(sheet.session.scenes, blocks, strict=True), 1):
        head = next((each for each in found if each["kind"] == "people"), {})
        persons = (each for each in found if each["kind"] == "person")
        for present, row in zip(sheet.evening.scenes[number - 1], persons, strict=True):
            where.setdefault(present.number, []).append((number, scene.title))
            rows.setdefault(present.number, (head, row))
    for number, character in enumerate(sheet.evening.everybody):
        head, row = rows[number]
        attack = row["attack"] or {"name": "", "against": (), "chances": ()}
        featured = Featured(system.place, want=row["wants"])
        titles = [each["title"] for each in row["layout"]["columns"]]
        yield {
            "block": stat_block(system, character, engine_of(system).figures(system, character), featured),
            "note": row["note"],
            "attack": attack["name"],
            "chances": [*zip(attack["against"] or head["against"], attack["chances"], strict=False)],
            "cells": [{"title": title, **cell} for title, cell in zip(titles, row["cells"], strict=True)],
            "scenes": where[number],
        }


def _rules(project: Project, pack: Pack) -> dict[str, Any]:
    """Return the rules by chapter, each with its cards before the whole of it, and the tables that no rule shows."""
    rulebook, canvas = open_book(project, pack), canvas_of(pack, WIDTH, FIGURES)
    builder = BookBuilder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas)
    bound: dict[str, Any] = builder.data()
    why = {rule["anchor"]: rule["why"] for chapter in bound["settled"] for rule in chapter["rules"]}
    rules = rulebook.book.chapters
    for chapter, own in zip(bound["chapters"], rules, strict=True):
        pairs: Iterable[tuple[dict[str, Any], Rule]] = zip(chapter["rules"], own.rules, strict=True)
        for shown, rule in pairs:
            shown["cards"] = [builder.extract(rule, each) for each in rule.cards]
            shown["ids_shown"] = ", ".join(brief(rule.covers))
            shown["why"] = why.get(shown["anchor"], "")
    return {"chapters": bound["chapters"], "tables": bound["tables"]}


def known_rolls(project: Project, pack: Pack) -> dict[str, Any]:
    """Return the rolls of a game, kept between runs for our own games as they are printed; of a stranger's confined."""
    if not has_book(project, pack):
        return {}

    def made() -> dict[str, Any]:
        return pack.run_isolated(lambda: rolls_ahead(pack, open_book(project, pack).book), limits=PUBLICATION)

    kept = project.is_lasting(pack.folder) and pack.system.printed is None
    return cached_facts(project, f"{pack.folder.name}.rolls", made) if kept else made()


MOST_WAYS = 800  # of one pick: beyond that the page has no dice for it
MOST_BRANCHES = 25_000  # of a whole page
TRIES = 2  # picks that are too much before no more of a roll are tried
Pick = tuple[str, tuple[Data, ...]]


@dataclass
class RollsAhead:
    """Rolls for a page, and the tables of branches, questions and lines that they share."""

    pack: Pack
    rolls: list[dict[str, Any]] = field(default_factory=list)
    _branches: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _questions: dict[DiceQuestion, int] = field(default_factory=dict)
    _lines: dict[str, int] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """Return all of it as plain lists for JSON: branches as lines, question (−1: none), answers, and a chance."""
        asked = ((q.kind, q.count, q.sides, q.purpose, q.reading, q.ordered) for q in self._questions)
        branches = [(lines, question, dict(answers), *more) for lines, question, answers, *more in self._branches]
        return {"rolls": self.rolls, "branches": branches, "questions": [*asked], "lines": [*self._lines]}

    def add(self, rule: Rule, chart: Chart) -> None:
        """Add the roll of a chart, as many picks of it as a page can hold."""
        chart = with_values(chart, self.pack.system)
        spread = chart.rows[0] in (chart.of or ("",))  # its rows are no parameter, but what may come out
        rows: Pick = ("", (None,)) if spread else chart.rows  # type: ignore[assignment]
        columns: Pick = chart.columns if chart.shape == "bars" and chart.columns[1] else ("", (None,))  # type: ignore[assignment]
        ways, failed = dict[str, int](), 0
        for row, across in enumerate(rows[1]):
            for column, down in enumerate(columns[1]):
                if failed >= TRIES or len(self._branches) > MOST_BRANCHES:
                    break
                given = chart.given
                for name, value in ((rows[0], across), (columns[0], down)):
                    given = with_parameter(given, name, value, chart.place) if name else given
                try:
                    ways[f"{row},{column}"] = self._number(self._played(chart, given), chart)
                except (TooManyWays, SheetgenError):
                    failed += 1
        if ways:
            picks = [_pick(chart, name, values) for name, values in (rows, columns)]
            title = chart.card or rule.title
            self.rolls.append(
                {
                    "rule": anchor("rule", rule.id),
                    "title": title,
                    "say": chart.title,
                    "picks": picks,
                    "ways": ways,
                    "chances": {} if spread or chart.shape != "bars" else self._chances(chart),
                }
            )

    def _played(self, chart: Chart, given: Any) -> Branch:
        system = self.pack.system
        procedure = engine_of(system).procedures[chart.procedure]
        arguments = procedure.arguments(given, Play(system, Scripted(())))
        return play_ways(system, procedure, arguments, policy=chart.policy, most=MOST_WAYS)

    def _chances(self, chart: Chart) -> dict[str, str]:
        """Return what the button of each pick says: the chance, or that of each result that the chart tells apart."""
        told, found = odds_of(self.pack, chart), dict[str, str]()
        for row, (_, chances) in enumerate(told.rows):
            if chart.columns[1]:
                found |= {f"{row},{column}": percent(chance) for column, chance in enumerate(chances)}
            elif len(chances) == 1:
                found[f"{row},0"] = percent(chances[0])
            else:
                found[f"{row},0"] = ", ".join(
                    f"{name} {percent(chance)}" for name, chance in zip(told.head, chances, strict=True)
                )
        return found

    def _number(self, branch: Branch, chart: Chart) -> int:
        lines = tuple(self._lines.setdefault(without_ids(line), len(self._lines)) for line in branch.lines)
        answers = tuple((key, self._number(each, chart)) for key, each in branch.answers.items())
        question = self._questions.setdefault(branch.question, len(self._questions)) if branch.question else -1
        said = _open_result(branch, chart) if branch.question else ""
        ends = branch.question is not None or branch.outcome is not None
        return self._branches.setdefault((lines, question, answers, said, ends), len(self._branches))


def rolls_ahead(pack: Pack, book: Book) -> dict[str, Any]:
    """Return the rolls of a game's charts: those of plain attempts first, then in the order of the book."""
    found, tries = RollsAhead(pack), pack.system.tries
    first = (tries.chance.procedure, (tries.chance.of,)) if tries is not None else ("", ())
    charts = [(rule, chart) for rule in book.rules.values() for chart in rule.charts]
    for rule, chart in sorted(charts, key=lambda each: (each[1].procedure, each[1].of) != first):
        found.add(rule, chart)
    return found.data()


def _open_result(branch: Branch, chart: Chart) -> str:
    """Return how likely a result is that is still open: what the chart is about, or else the first that may be."""
    for name in (*chart.of, *branch.results):
        if 0 < (chance := branch.chance(name)) < 1:
            return f"{chart.named.get(name, name.replace('_', ' '))} {percent(float(chance))}"
    return ""


def _pick(chart: Chart, name: str, values: Sequence[Data]) -> dict[str, Any]:
    """Return what can be picked of a parameter: what it is called, and its values."""
    labels = [label_of(chart, value, name) for value in values] if name else [""]
    return {"say": chart.named.get(name, name.replace("_", " ")), "values": labels}
