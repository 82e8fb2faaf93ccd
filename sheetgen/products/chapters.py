"""The chapters of a pack, read and checked, and the scenes, odds and heroes that the engine works out for them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import cast

from sheetgen.content.book.chapters import KnownChapters, read_book
from sheetgen.content.book.references import References, line_of
from sheetgen.content.handout_files import handout_files
from sheetgen.dice.source import Scripted
from sheetgen.documents.book.book import BookResults, ShownHero, said, step_titles, steps_of, with_values
from sheetgen.documents.book.rolled_tables import random_table
from sheetgen.documents.figures.charts import OddsTable, curves, drawn_with_rows, grid, large_odds
from sheetgen.documents.figures.kinds import KINDS, draw_figure
from sheetgen.documents.figures.svg import Canvas, Drawn, Misfit
from sheetgen.documents.markdown import addresses
from sheetgen.errors import (
    InputError,
    Place,
    Problem,
    SheetgenError,
    UsageError,
    among,
    problems_at,
    quoted,
    suggestion,
)
from sheetgen.model.book import HOUSE_RULE, SETTLED, Book, Chart, Hero, Prose, Rule, Scene
from sheetgen.model.character import Character
from sheetgen.model.data import EMPTY, Data, Word, in_words
from sheetgen.model.procedures import Example, PlayedCase, as_data
from sheetgen.model.system import System
from sheetgen.pdf.flow.document import refusal
from sheetgen.pdf.fonts.bundled import SANS, SERIF, missing_from, text_width
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.products.book_people import (
    kept_characters,
    kept_heroes,
    kept_people,
    shown_people,
    system_of_book,
    told_step,
)
from sheetgen.products.chapter_files import book_folders, folders_of, own_chapters, unknown_chapters
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.family_words import never_is
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.table.examples import EXAMPLES, ExampleChecks, cases_of, played
from sheetgen.workspace.packs import LASTING, Pack, template_root
from sheetgen.workspace.project import Project

LEAST_WIDTH = 330.0  # pt, of a figure in a book: on A5
YES = "true"  # what a chart seeks unless it says otherwise
MOST_LINES = 12  # that a warning lists
_HOUSE = re.compile(r"-H\d")  # in the ID of a rule: no ledger has it


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A book with the cases its scenes are about, the heroes that the pack keeps, by rule, and its people, by file."""

    book: Book
    cases: Mapping[str, Example]
    kept: Mapping[str, Character] = field(default_factory=dict)
    people: Mapping[str, tuple[Character, ...]] = field(default_factory=dict)


def open_book(project: Project, pack: Pack) -> Rulebook:
    """Return the rulebook of a pack, every reference in it sound; InputError with every problem, UsageError if it has
    none.
    """
    return pack.cached("rulebook", lambda: _read_rulebook(project, pack))


def _read_rulebook(project: Project, pack: Pack) -> Rulebook:
    folders = folders_of(project, pack)
    files = own_chapters(project, pack)
    if not files:
        raise UsageError(f"{pack.system.title} has no rulebook: its pack has no rules/ folder")
    system = system_of_book(project, pack, book_folders(project, pack)[-1])
    known = pack.cached((LASTING, "chapters"), KnownChapters)
    book = read_book(files, project.library, pack.system, home=system.title, known=known)
    cases = pack.cached((LASTING, EXAMPLES), lambda: cases_of(project, pack))
    cast = [each for name in book.cast for each in kept_characters(project, pack, name)]
    of = {each.id: each for each in (system_of_book(project, pack, one) for one in folders)}
    problems = tuple(_problems(pack, book, cases, ExampleChecks(pack.system.as_printed, book, cast, of)))
    problems += (*_handout_problems(book, folders), *unknown_chapters(project, pack))
    kept, wrong = kept_heroes(project, pack, book)
    people, unkept = kept_people(project, pack, book)
    problems += (*wrong, *unkept)
    if not pack.ours:
        problems += tuple(problem for prose in prose_of(book) for problem in _page_problems(project, pack, prose))
    if problems:
        raise InputError(problems)
    return Rulebook(book, cases, kept, people)


def prose_of(book: Book) -> Iterator[Prose]:
    """Yield every piece of text in a book, in its order."""
    for chapter in book.chapters:
        yield chapter.opening
        for rule in chapter.rules:
            scenes = (prose for scene in rule.scenes for prose in prose_in(scene))
            parts = (rule.text, rule.settled, rule.note, *scenes)
            parts += tuple(extract.text for extract in (*rule.cards, rule.screen) if extract)
            yield from (part for part in parts if part is not None)
        yield from chapter.summary
    yield from book.glossary.values()


def prose_in(scene: Scene) -> Iterator[Prose]:
    """Yield every piece of text in a worked example."""
    if scene.story:
        yield scene.story
    for line in scene.lines:
        yield from (line.words, *line.results)


def stray_digits(pack: Pack, book: Book) -> tuple[Problem, ...]:
    """Return a warning for each chapter with figures that it does not take from the data: their lines."""
    references, found = References(pack.system, book), dict[str, list[tuple[Place, str]]]()
    for place, digits in (each for prose in prose_of(book) for each in references.digits(prose)):
        found.setdefault(place.file, []).append((place, digits))
    return tuple(_digits_warning(sorted(places)) for places in found.values())


def _digits_warning(found: list[tuple[Place, str]]) -> Problem:
    (place, digits), lines = found[0], sorted({each.line for each, _ in found[1:]})
    fix = f"refer to the pack's value, or write {{{digits}}}"
    if not lines:
        return Problem(place, f"{quoted(digits)} stands in the text: {fix}")
    rest = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
    where = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines[:MOST_LINES]))}{rest}"
    return Problem(place, f"{quoted(digits)} and {len(found) - 1} more numbers stand in the text ({where}): {fix}")


def _problems(pack: Pack, book: Book, cases: Mapping[str, Example], told: ExampleChecks) -> Iterator[Problem]:
    references = References(pack.system, book)
    scenes = [scene for rule in book.rules.values() for scene in rule.scenes]
    in_scenes = [id(prose) for scene in scenes for prose in prose_in(scene)]
    for prose in prose_of(book):
        yield from () if id(prose) in in_scenes else references.problems(prose)
    for scene in scenes:
        if scene.case not in cases:
            yield Problem(scene.place, f"unknown example {quoted(scene.case)}{among(scene.case, cases)}")
        else:
            yield from told.problems(scene, cases[scene.case])
    for rule in book.rules.values():
        yield from _chart_problems(pack, rule)
        yield from _figure_problems(pack, rule, references)
        for table in rule.random:
            try:
                pack.proved(table, partial(random_table, pack.system, table))
            except ValueError as error:
                yield Problem(table.place, f"random: {error}")


def _handout_problems(book: Book, folders: tuple[Path, ...]) -> Iterator[Problem]:
    known = {file.stem for file in handout_files(folders)} if book.handouts else set()
    for rule in book.rules.values():
        for name, title in rule.handouts.items():
            if name not in known:
                yield Problem(title.place, f"no handout {quoted(name)}{among(name, known)}")


def _page_problems(project: Project, pack: Pack, prose: Prose) -> Iterator[Problem]:
    """Yield the problems of a text on a page: forbidden pictures and links, letters that no bundled font has."""
    for number, address, is_picture in addresses(prose.text):
        if is_picture:
            use_bundled_fonts(project)
            message = refusal(address, root=template_root(project, pack))
        elif address.partition(":")[0].lower() in ("http", "https", "mailto") or address.startswith("#"):
            continue
        else:
            message = f"a link may lead to a web page or a mail address, not to {quoted(address)}"
        if message:
            yield Problem(line_of(prose, number), message)
    for number, line in enumerate(prose.text.splitlines()):
        for char in "" if line.isascii() else missing_from(line, FaceName(SERIF)):
            if missing_from(char, FaceName(SANS)) and unicodedata.category(char) != "Cf":
                name = f"U+{ord(char):04X} {unicodedata.name(char, 'without a name')}"
                yield Problem(line_of(prose, number), f"no bundled font has “{char}” ({name})")


def curve_warnings(book: Book, *, cards: bool = True, screen: bool = True) -> tuple[Problem, ...]:
    """Return a warning for each curve that `cards` or a `screen` ask for, and that no bars stand in for."""
    message = "a curve is too wide for cards and screens: it stands in the book alone (as: bars stands on all of them)"
    return tuple(
        Problem(chart.place, message)
        for rule in book.rules.values()
        if any(each is not None and each.with_odds for each in (*rule.cards * cards, *[rule.screen] * screen))
        if all(chart.shape == "curve" for chart in rule.charts)
        for chart in rule.charts
    )


def settled_warnings(book: Book) -> tuple[Problem, ...]:
    """Return a warning for each rule whose sign and reasons do not go together, and for one of ours not said to be."""
    found = []
    for rule in book.rules.values():
        if SETTLED in rule.text.text and rule.settled is None:
            found.append(Problem(rule.text.place, f"the text has {SETTLED}: say why in a line `settled: …`"))
        elif rule.settled is not None and SETTLED not in rule.text.text:
            found.append(Problem(rule.settled.place, f"settled: write {SETTLED} in the text where it is decided"))
        if not rule.house and any(_HOUSE.search(name) for name in rule.covers):
            found.append(Problem(rule.place, f"rule {quoted(rule.id)} is of this edition: add a line `house: yes`"))
    return tuple(found)


def _chart_problems(pack: Pack, rule: Rule) -> Iterator[Problem]:
    procedures = engine_of(pack.system).procedures
    for chart in rule.charts:
        if chart.procedure not in procedures:
            near = suggestion(chart.procedure, procedures)
            yield Problem(chart.place, f"unknown procedure {quoted(chart.procedure)}{near}")
        try:
            of_values = with_values(chart, pack.system)
            if chart.shape == "curve":
                _stretches(of_values)
        except ValueError as error:
            yield Problem(chart.place, f"odds: {error}")


def _figure_problems(pack: Pack, rule: Rule, references: References) -> Iterator[Problem]:
    canvas = Canvas(LEAST_WIDTH, "#000", text_width)
    for figure in rule.figures:
        try:
            params = {str(name): said(value, references) for name, value in figure.params.items()}
            pack.proved((figure.kind, params), partial(draw_figure, figure.kind, params, canvas))
        except ValueError as error:
            place = getattr(error, "place", None) or figure.place
            yield Problem(place if figure.kind in KINDS else figure.kind.place, str(error))


def _comes_out_so(system: System, case: Example, printed: PlayedCase) -> bool:
    """Whether house rules leave the outcome of an example as the printed rules have it."""
    try:
        return bool(played(system, case).outcome == printed.outcome)
    except SheetgenError:
        return False


def perform(pack: Pack, rulebook: Rulebook, canvas: Canvas) -> BookResults:
    """Return the scenes, charts and heroes of a book; InputError at the place of an impossible chart or hero."""
    scenes, charts, heroes, people, otherwise = {}, {}, {}, {}, set()
    for rule in rulebook.book.rules.values():
        for scene in rule.scenes:
            case = rulebook.cases[scene.case]
            scenes[scene.case] = (case, printed := played(pack.system.as_printed, case))
            if pack.system.printed is not None and not _comes_out_so(pack.system, case, printed):
                otherwise.add(scene.case)
        if rule.charts:
            charts[rule.id] = tuple(_chart(pack, chart, canvas) for chart in rule.charts)
        if rule.hero:
            heroes[rule.id] = _hero(pack, rule, rule.hero, rulebook.kept.get(rule.id))
        if rule.people:
            people[rule.id] = shown_people(pack, rule.people, rulebook.people)
    return BookResults(scenes, charts, heroes, people, frozenset(otherwise))


def failures(pack: Pack, book: Book, has_time: Callable[[], bool]) -> tuple[tuple[Problem, ...], tuple[Place, ...]]:
    """Return why charts and heroes of a book cannot be made, and the charts that were not tried when time was up."""
    canvas, found, untried = canvas_of(pack, LEAST_WIDTH), list[Problem](), list[Place]()
    for rule in book.rules.values():
        for part in (rule.hero, *rule.charts):
            try:
                if isinstance(part, Hero):
                    _ = part.file or _hero(pack, rule, part)
                elif part is not None and has_time():
                    _chart(pack, part, canvas)
                elif part is not None:
                    untried.append(part.place)
            except InputError as error:
                found += error.problems
    return tuple(found), tuple(untried)


def canvas_of(pack: Pack, width: float, larger: float = 1.0) -> Canvas:
    """Return what the figures and charts of a pack are drawn on, so many points wide, and enlarged where they fit."""
    return Canvas(width, pack.system.accent, text_width, larger)


def work_out(pack: Pack, rules: Iterable[Rule], canvas: Canvas) -> BookResults:
    """Return the charts of some rules only; InputError at the place of a chart that cannot be."""
    charts = {rule.id: tuple(_chart(pack, chart, canvas) for chart in rule.charts) for rule in rules}
    return BookResults({}, charts, {})


def _hero(pack: Pack, rule: Rule, hero: Hero, kept: Character | None = None) -> ShownHero:
    if kept is not None:
        return kept.text("name"), tuple(
            (step, told_step(lines, kept, pack.system, hero.place)) for step, lines in hero.made.items()
        )
    character, log = hero_roller(pack, rule, hero).explain(hero.index or 1)
    rolled = character.text("name")
    name = hero.name or rolled
    told = [line.replace(rolled, name) for line in log] if rolled else log
    return name, steps_of(told, step_titles(pack.system))


def hero_roller(pack: Pack, rule: Rule, hero: Hero) -> Roller:
    """Return what rolls the hero of a rule; InputError at the rule for words that the game does not know."""
    try:
        plan = plan_of(pack.system, method=hero.method, archetype=hero.archetype, options=hero.options)
    except UsageError as error:
        raise InputError(problems_at(rule.place, error, "hero")) from None
    return Roller(pack.system, plan, hero.seed or 0)


def _chart(pack: Pack, chart: Chart, canvas: Canvas) -> tuple[Drawn, str]:
    """Return a chart with its title; InputError at its place if it cannot be, or if its words do not fit."""
    try:
        if chart.shape == "bars":
            return _bars(pack, chart, canvas)
        (drawn, title), printed = _curve(pack, chart, canvas), pack.system.printed
        changed = printed and _curve(replace(pack, system=printed), chart, canvas)[0] != drawn
        return drawn, f"{title} {HOUSE_RULE}" if changed else title
    except Misfit as error:
        raise InputError([Problem(chart.place, f"odds: {error} (give shorter names under `named:`)")]) from None


def _bars(pack: Pack, chart: Chart, canvas: Canvas) -> tuple[Drawn, str]:
    """Return a bar for each pair of a row's and a column's value."""
    told = odds_of(pack, chart)
    names = {"corner": told.corner, "across": told.across}
    draw = large_odds if canvas.tall else grid
    wide = canvas.enlarged if not canvas.tall else lambda made: made(canvas)
    return drawn_with_rows(lambda rows: wide(lambda on: draw(rows, told.head, on, **names)), told.rows), told.title


def odds_of(pack: Pack, chart: Chart) -> OddsTable:
    """Return the chance of each pair of a row's and a column's value, rows that house rules change with their sign.

    InputError at its place if it cannot be.
    """
    told, printed = _odds_of(pack, chart), pack.system.printed
    return told if printed is None else told.signed(_odds_of(replace(pack, system=printed), chart), HOUSE_RULE)


def _odds_of(pack: Pack, chart: Chart) -> OddsTable:
    procedure, chart = engine_of(pack.system).procedures[chart.procedure], with_values(chart, pack.system)
    row, column = chart.rows, chart.columns
    results, values = chart.of or ("",), column[1] or (None,)
    spread = results == (row[0],)  # the rows are the values of the result itself
    several = ("",) if spread else chart.sought if len(chart.sought) > 1 else results
    head = [label_of(chart, value, column[0]) for value in column[1]] or [chart.called(name) for name in several]
    table = []
    for across in row[1]:
        cells, wanted = [], (str(as_data(across)),) if spread else chart.sought
        for value in values:
            given = chart.given if spread else with_parameter(chart.given, row[0], across, chart.place)
            if value is not None:
                given = with_parameter(given, column[0], value, chart.place)
            cells += [_chance(pack, procedure, chart, given, (of, sought)) for of in results for sought in wanted]
        table.append((label_of(chart, across, row[0]), cells))
    over = column[0] or next((name for name in results if len(chart.sought) > 1 and name in chart.named), "")
    names = (chart.called(row[0]), chart.called(over))
    return OddsTable(chart.title or procedure.say, tuple(head), tuple(table), *names)


def _curve(pack: Pack, chart: Chart, canvas: Canvas) -> tuple[Drawn, str]:
    """Return how likely each row is to reach each number; references in its columns say where stretches begin."""
    procedure, chart = engine_of(pack.system).procedures[chart.procedure], with_values(chart, pack.system)
    stretches, lines = _stretches(chart), []
    numbers = range(1, max(start for start, _ in stretches) + 6)  # to a little past where the last stretch begins
    for across in chart.rows[1]:
        given = with_parameter(chart.given, chart.rows[0], across, chart.place)
        odds = _odds(pack, procedure, chart, given, "".join(chart.of)).odds
        if not all(isinstance(value, int) for value, _ in odds):
            raise InputError([Problem(chart.place, "odds: a curve is of one result that is a number: `of: total`")])
        reached = [float(sum(weight for value, weight in odds if cast(int, value) >= number)) for number in numbers]
        lines.append((label_of(chart, across, chart.rows[0]), reached))
    title, name = chart.title or procedure.say, chart.columns[0]
    below = chart.called(name)
    return canvas.enlarged(lambda each: curves(lines, stretches, each, first=1, across=below)), title


def _stretches(chart: Chart) -> list[tuple[int, str]]:
    """Return where the stretches below a curve begin, with their names; ValueError for a start that is no number."""
    starts = [str(value) for value in chart.columns[1]]
    if not starts or not all(start.isdigit() for start in starts):
        raise ValueError("a curve needs columns that are numbers, each where a stretch begins")
    return [(int(start), chart.named.get(start, "")) for start in starts]


def with_parameter(given: Mapping[Word, Data], path: str, value: Data, place: Place) -> Mapping[Word, Data]:
    """Return the parameters with one of them set; a dotted path leads inside: `actor.strikes`."""
    head, _, rest = path.partition(".")
    inner = given.get(Word(head, place), EMPTY)
    return {
        **given,
        Word(head, place): with_parameter(inner if isinstance(inner, Mapping) else {}, rest, value, place)
        if rest
        else value,
    }


def label_of(chart: Chart, value: Data, parameter: str) -> str:
    """Return the label of a value in a chart, by its name, or the parameter's and its own (`use 1`); a minus is one."""
    said = in_words(value)
    return chart.named.get(f"{parameter} {said}", chart.named.get(said, re.sub(r"^-(?=\d)", "−", said)))


def _chance(pack: Pack, procedure: Procedure, chart: Chart, given: Mapping[Word, Data], seek: tuple[str, str]) -> float:
    """Return the probability that a result has the sought value (`3+` is three or more), with these parameters."""
    of, sought = seek
    odds = _odds(pack, procedure, chart, given, of)
    said = {str(as_data(value)) for value, _ in odds.odds}
    if sought == YES and not said & {"True", "False", YES}:
        words, fix = ", ".join(sorted(said)[:MOST_LINES]), f"say whose chance is shown, such as `value: {min(said)}`"
        raise InputError([Problem(chart.place, f"odds: this result is no yes or no, but one of {words} ({fix})")])
    if why := never_is(procedure, of, sought):
        raise InputError([Problem(chart.place, f"odds: {why}")])
    least = int(sought[:-1]) if sought.endswith("+") and sought[:-1].isdigit() else None
    return float(sum(weight for value, weight in odds.odds if _matches(value, sought, least)))


def _odds(pack: Pack, procedure: Procedure, chart: Chart, given: Mapping[Word, Data], of: str) -> Odds:
    def worked_out() -> Odds:
        arguments = procedure.arguments(given, Play(pack.system, Scripted(())))
        return exact_odds(pack.system, procedure, arguments, of=of, policy=chart.policy)

    try:
        ruled = pack.system.printed is not None
        return pack.cached((LASTING, "odds", chart.procedure, repr(given), of, chart.policy, ruled), worked_out)
    except (Wrong, SheetgenError) as error:
        raise InputError(problems_at(chart.place, error, "odds")) from None


def _matches(value: object, wanted: str, least: int | None) -> bool:
    if least is not None and isinstance(value, int) and not isinstance(value, bool):
        return value >= least
    return str(as_data(value)).casefold() == wanted.casefold()
