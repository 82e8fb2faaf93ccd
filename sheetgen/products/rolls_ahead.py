"""The rolls of a game worked out ahead, for pages that have no engine: what each chart of the rules is about, played.

A roll has the parameters of its chart to pick from; for each pick there is a tree of what the engine would tell,
whatever the dice show. Trees share their branches and lines, which stand in tables by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sheetgen.dice.source import Scripted
from sheetgen.documents.book import without_ids
from sheetgen.documents.figures.charts import percent
from sheetgen.documents.markdown import anchor
from sheetgen.errors import SheetgenError
from sheetgen.model.book import Book, Chart, Rule
from sheetgen.model.data import Data
from sheetgen.products.chapters import label_of, odds_of, with_parameter
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.table.play_ways import Branch, DiceQuestion, TooManyWays, play_ways
from sheetgen.workspace.packs import Pack

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
