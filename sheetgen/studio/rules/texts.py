"""The rules of a game for the page: what there is, what each says, what of it can be played; strangers' confined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book.book import BookBuilder, BookResults, with_values
from sheetgen.documents.cards import brief
from sheetgen.documents.markdown import anchor
from sheetgen.documents.render import environment, render
from sheetgen.documents.web_page_policy import tree_of
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.book import Book, Chart, Rule
from sheetgen.model.data import Data, Word
from sheetgen.products.books.setting import FIGURES, without_handouts
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import Rulebook, canvas_of, open_book, perform, with_parameter
from sheetgen.rules.registry import engine_of
from sheetgen.studio.rules.play_form import texts_of_example
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

WIDTH = 430.0  # pt, of figures
INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|small|strong|sub|sup)(?:\s[^>]*)?>")  # parts of a word, or of a line
TAG, SPACE, STYLE = re.compile(r"<[^>]*>"), re.compile(r"\s+"), re.compile(r' style="[^"]*"')
LOOSE = re.compile(r" (?=[,.;:!?)](?:\s|$))")  # the blank that a drawing, or the end of a block, leaves before a mark
LINK = re.compile(r'href="#((?:rule|chapter|table|settled)-[^"]*)"')
MORE = 2  # parameters that what one begins with may have beyond the simplest


@dataclass(frozen=True, slots=True)
class Playable:
    """A procedure as a rule plays it: what odds are asked of, what to begin with, and what its sliders go through."""

    name: str
    say: str
    of: str = ""
    policy: str = ""
    begin: Mapping[str, str] | None = None
    ranges: Mapping[str, tuple[int, int]] | None = None
    cards: bool = False


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule in the contents: its name, its title, the IDs that it covers, its text without marks, what it plays."""

    id: str
    title: str
    covers: tuple[str, ...]
    text: str
    plays: tuple[Playable, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """The rules of a game by chapter, and where the anchors of its book lead on the page."""

    chapters: tuple[tuple[str, tuple[RuleEntry, ...]], ...]
    plays: tuple[Playable, ...]
    anchors: Mapping[str, str]

    @property
    def rules(self) -> tuple[RuleEntry, ...]:
        """All of them in their order."""
        return tuple(rule for _, rules in self.chapters for rule in rules)

    @property
    def usual(self) -> Playable | None:
        """What one begins with: of what charts are drawn of, that which most rules play; else the first there is."""
        counts = Counter(play.name for rule in self.rules for play in rule.plays)
        charted = {play.name: play for rule in self.rules for play in rule.plays if play.ranges}
        simple = min((len(play.begin or {}) for play in charted.values()), default=0)
        fitting = [name for name, play in charted.items() if len(play.begin or {}) <= simple + MORE]
        best = max(fitting, key=lambda name: counts[name], default="")
        return charted.get(best) or next(iter(self.plays), None)

    def rule(self, name: str) -> RuleEntry:
        """Return the rule of that name; UsageError with the nearest one otherwise."""
        known = {each.id: each for each in self.rules}
        if name not in known:
            raise UsageError(f"there is no rule {quoted(name)}{suggestion(name, known)}")
        return known[name]

    def rule_of(self, covered: str) -> str:
        """Return the name of the rule that covers an ID; nothing where none does."""
        return next((each.id for each in self.rules if covered in each.covers), "")

    def found(self, words: str) -> tuple[RuleEntry, ...]:
        """Return the rules that have all these words, those with the words in their title or IDs first."""
        wanted = words.casefold().split()

        def rank(rule: RuleEntry) -> int | None:
            head = f"{rule.title} {' '.join(rule.covers)}".casefold()
            if all(word in head for word in wanted):
                return 0
            whole = f"{head} {rule.text.casefold()}"
            return 1 if all(word in whole for word in wanted) else None

        ranked = [(at, rule) for rule in self.rules if (at := rank(rule)) is not None]
        return tuple(rule for _, rule in sorted(ranked, key=lambda each: each[0]))


def contents_of(project: Project, pack: Pack) -> Contents:
    """Return the rules of a pack; of one without a book, what can be played; InputError with all that is wrong."""
    return pack.run_isolated(lambda: _contents(project, pack), limits=PUBLICATION)


def _contents(project: Project, pack: Pack) -> Contents:
    procedures = engine_of(pack.system).procedures
    every = tuple(Playable(each.name, each.say) for _, each in sorted(procedures.items()))
    if not has_book(project, pack):
        return Contents((), every, {})
    rulebook = open_book(project, pack)
    builder = BookBuilder(pack.system, rulebook.book, BookResults({}, {}, {}), canvas_of(pack, WIDTH), linked=False)
    chapters = []
    for chapter in rulebook.book.chapters:
        rules = tuple(_entry(pack, rulebook, builder, rule) for rule in chapter.rules)
        chapters.append((str(chapter.title), rules))
    cases = [*rulebook.cases.values()]
    every = tuple(_begun(pack, each, cases) for each in every)
    return Contents(tuple(chapters), every, _anchors(rulebook.book))


def _entry(pack: Pack, rulebook: Rulebook, builder: BookBuilder, rule: Rule) -> RuleEntry:
    text = plain_text(builder.html(rule.text))
    return RuleEntry(rule.id, str(rule.title), rule.covers, text, _plays(pack, rulebook, rule))


def plain_text(html: str) -> str:
    """Return the words of HTML of ours."""
    return LOOSE.sub("", SPACE.sub(" ", TAG.sub(" ", INLINE.sub("", html)))).strip()


def _anchors(book: Book) -> dict[str, str]:
    """Return the rule that each anchor of the book is on."""
    found = dict[str, str]()
    for chapter in book.chapters:
        if chapter.rules:
            found[anchor("chapter", chapter.id)] = chapter.rules[0].id
        for rule in chapter.rules:
            found[anchor("rule", rule.id)] = found[anchor("settled", rule.id)] = rule.id
            found |= {anchor("table", name): rule.id for name in rule.tables}
    return found


def _plays(pack: Pack, rulebook: Rulebook, rule: Rule) -> tuple[Playable, ...]:
    """Return what a rule plays: what its charts are of, its examples, then whatever follows some of what it covers."""
    procedures, found = engine_of(pack.system).procedures, dict[str, Playable]()
    cases = [*(rulebook.cases[each.case] for each in rule.scenes), *rulebook.cases.values()]
    for chart in (with_values(each, pack.system) for each in rule.charts):
        procedure = procedures[chart.procedure]
        begin, ranges = _of_chart(chart)
        of = chart.of[0] if chart.of and chart.of[0] != chart.rows[0] else chart.rows[0] if chart.of else ""
        if chart.procedure not in found:
            texts = texts_of_example(begin, procedure)
            found[chart.procedure] = Playable(procedure.name, procedure.say, of, chart.policy, texts, ranges)
    named = [str(rulebook.cases[each.case].do) for each in rule.scenes]
    shared = {name: len({*each.rules} & {*rule.covers}) for name, each in procedures.items()}
    named += sorted((name for name, count in shared.items() if count), key=lambda name: -shared[name])
    for name in named:
        if name not in found and name in procedures:
            found[name] = Playable(name, procedures[name].say)
    return tuple(_begun(pack, each, cases) for each in found.values())


def _begun(pack: Pack, play: Playable, cases: list[Any]) -> Playable:
    """Return it with what its first worked example gives, if it has nothing to begin with."""
    own = [case for case in cases if case.do == play.name and "error" not in case.expect]
    procedure = engine_of(pack.system).procedures[play.name]
    begin = texts_of_example(own[0].given, procedure) if own and not play.begin else play.begin
    return replace(play, begin=begin or {}, ranges=play.ranges or {}, cards=any(case.cards for case in own))


def _of_chart(chart: Chart) -> tuple[Mapping[Word, Data], dict[str, tuple[int, int]]]:
    """Return what a chart gives, with values from the middle of its rows and columns, and what these go through."""
    given, ranges = chart.given, dict[str, tuple[int, int]]()
    for name, values in (chart.rows, chart.columns if chart.shape == "bars" else ("", ())):
        if not name or not values or name in (chart.of or ("",)):
            continue
        given = with_parameter(given, name, values[(len(values) - 1) // 2], chart.place)
        numbers = [int(str(each)) for each in values if str(each).removeprefix("-").isdecimal()]
        if len(numbers) == len(values):
            ranges[name] = (min(numbers), max(numbers))
    return given, ranges


def rule_html(project: Project, pack: Pack, name: str) -> str:
    """Return what a rule says with all that stands by it, as HTML without styles; links lead to anchors of the book.

    Only our templates make it; what a stranger's pack brings into it is checked as any web page is.
    """
    made = pack.run_isolated(lambda: _rule_html(project, pack, name), limits=PUBLICATION)
    if not pack.ours:
        tree_of(f"<!DOCTYPE html><html><head><title>rule</title></head><body>{made}</body></html>")
    return made


def _rule_html(project: Project, pack: Pack, name: str) -> str:
    rulebook, canvas = open_book(project, pack), canvas_of(pack, WIDTH, FIGURES)
    book = rulebook.book
    chapter = next(each for each in book.chapters if any(rule.id == name for rule in each.rules))
    rule = next(each for each in chapter.rules if each.id == name)
    alone = replace(book, chapters=(replace(chapter, rules=(rule,)),))
    performed = perform(pack, replace(rulebook, book=alone), canvas)
    builder = BookBuilder(pack.system, book, performed, canvas)
    data: dict[str, Any] = {
        "rule": builder.rule(rule),
        "why": builder.html(rule.settled) if rule.settled else "",
        "ids": ", ".join(brief(rule.covers)),
        "chapter": str(chapter.title),
        "mode": "page",
    }
    made = render(environment((project.templates,), str), "studio/rules/rule.html", data)
    return STYLE.sub("", without_handouts(made))


def with_addresses(html: str, game: str, contents: Contents) -> str:
    """Return the HTML of a rule with links to pages of the studio in place of those to anchors of the book."""

    def led(found: re.Match[str]) -> str:
        rule = contents.anchors.get(found[1], "")
        return f'href="/rules/{game}/{rule}"' if rule and not found[1].startswith("settled-") else found[0]

    return LINK.sub(led, html)
