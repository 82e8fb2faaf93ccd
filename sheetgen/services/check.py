"""Checking packs, folders and files: every problem, or ok with a count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.book.references import line_of
from sheetgen.content.packs.folders import MANIFEST, read_file
from sheetgen.content.session_files import is_session
from sheetgen.content.yaml.nodes import cut_off_texts, parse
from sheetgen.documents.cards import repeated_titles
from sheetgen.documents.markdown import printed_as_typed
from sheetgen.documents.people.sheet import TEMPLATE as SHEET_PAGE
from sheetgen.errors import InputError, LimitError, Place, Problem, UsageError, quoted
from sheetgen.model.book import Book
from sheetgen.model.character import Character
from sheetgen.people.character_files import READABLE, read_parties
from sheetgen.people.groups import checked_group
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import (
    Rulebook,
    curve_warnings,
    failures,
    open_book,
    prose_of,
    settled_warnings,
    stray_digits,
)
from sheetgen.products.handouts.handouts import read_all
from sheetgen.products.product import Reporter, Sink, products_of
from sheetgen.products.session.parts import SessionOptions, SessionParts
from sheetgen.products.session.screen import open_screen
from sheetgen.products.session.session import MOST, open_session
from sheetgen.products.sheet_pages import look_warnings, overruns
from sheetgen.rules.engine_check import check_uses
from sheetgen.table.examples import check_examples
from sheetgen.workspace.manifest import source_files
from sheetgen.workspace.packs import Pack, open_pack, template_file
from sheetgen.workspace.project import Project, is_path

PAPER = "a4"
YAML = (".yaml", ".yml")
MOST_TEMPLATES = 1_000
FONTS, MOST_FONT = (".ttf", ".otf"), 20_000_000  # bytes of a font that are looked at
ODDS_S = 3.0  # after which no further chart of odds is tried
PAGES_S = 20.0  # after which no further product is tried
LONGEST = "book"  # of the products that rules shape
ON_THE_WEB = "as a web page: "


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line that says what was found to be in order, what might be better, and the pack if it was one."""

    line: str
    warnings: tuple[Problem, ...] = ()
    pack: Pack | None = None


def check(project: Project, word: str) -> CheckResult:
    """Return a summary of the checked pack or file; InputError with every problem in it."""
    path = project.where / word
    if is_path(word) and path.suffix.lower() in READABLE and path.name != MANIFEST:
        return _check_people(project, path, word)
    pack = open_pack(project, word)
    problems = [*check_templates(project, pack), *check_uses(pack.system)]
    try:
        examples = check_examples(project, pack)
    except InputError as error:
        problems += error.problems
    rules, covered, warnings, untried = 0, pack.system.covered, tuple[Problem, ...](), tuple[Problem, ...]()
    if has_book(project, pack):
        try:
            rulebook = pack.run_isolated(lambda: _rulebook_and_screen(project, pack))
        except InputError as error:
            problems += error.problems
        else:
            book = rulebook.book
            rules, covered = len(book.rules), covered | book.covered
            failed, untried = _failures(pack, book)
            problems += failed
            warnings = (*_book_warnings(pack, book), *untried)
    warnings += _about_pages(project, pack)
    handouts = _count_handouts(project, pack, problems)
    on_the_web = web_page_problems(project, pack)
    if problems:
        known = {(problem.place.line, problem.message) for problem in problems}
        problems += [
            each for each in on_the_web if (each.place.line, each.message.removeprefix(ON_THE_WEB)) not in known
        ]
    warnings += (*escape_warnings(project, pack), *on_the_web)
    if not problems:
        failed, pages = page_problems(project, pack, 0.0 if untried else PAGES_S)
        problems += failed
        warnings += pages
        untried += pages
    if problems:
        raise InputError(problems)
    warnings, allowed = _answered(pack, (*warnings, *_cut_off_texts(project, pack)))
    system, cast = pack.system, pack.system.cast
    parts = [
        _count(len(system.traits), "trait"),
        _count(len(system.tables), "table"),
        _count(len(system.creation.methods), "creation method"),
        _count(len(cast.archetypes), "archetype"),
        _count(len(cast.occupations), "occupation"),
        _count(len(cast.hooks), "hook"),
        *([_count(len(system.ready_groups), "group")] if system.ready_groups else []),
        _count(len(covered), "rule ID"),
        _count(examples, "worked example"),
        _count(rules, "rule of its book", "rules of its book"),
        *([_count(handouts, "handout")] if handouts else []),
        *([_count(allowed, "warning allowed", "warnings allowed")] if allowed else []),
    ]
    tried = "ok, but not all was tried" if untried else "ok"
    return CheckResult(f"{word}: {tried}, {', '.join(parts)}", warnings, pack)


def _about_pages(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return what of sheets and their look might be better."""
    looks = (*look_warnings(pack), *font_warnings(project, pack), *_unused_page(project, pack))
    return (*fields_without_place(project, pack), *looks, *_overruns(project, pack))


def _unused_page(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return a warning if the pack has a page of its own for its sheet beside a layout, which comes first."""
    page = pack.folder / "templates" / SHEET_PAGE
    if pack.system.sheet_layout is None or not page.is_file():
        return ()
    message = "is not used, since sheet.yaml lays the sheet out (leave out its `layout:`, or this file)"
    return (Problem(Place(project.shown(page)), message),)


def _overruns(project: Project, pack: Pack) -> tuple[Problem, ...]:
    try:
        return pack.run_isolated(lambda: tuple(overruns(project, pack)))
    except InputError:  # told by `check_templates`
        return ()


def _answered(pack: Pack, warnings: tuple[Problem, ...]) -> tuple[tuple[Problem, ...], int]:
    """Return the warnings that the pack does not allow, and how many it does; one for each line that allows nothing."""
    met = {
        words: [each for each in warnings if words.casefold() in str(each).casefold()] for words in pack.system.allow
    }
    allowed = {each for found in met.values() for each in found}
    idle = (Problem(words.place, f"allow: no warning says {quoted(words)} (delete the line)") for words in met)
    left = tuple(each for each in warnings if each not in allowed)
    return (*left, *(each for each, found in zip(idle, met.values(), strict=True) if not found)), len(allowed)


def _check_people(project: Project, path: Path, word: str) -> CheckResult:
    """Return a summary of a checked file of characters, of a group or of an evening."""
    if _is_evening(project, path):
        opened = open_session(project, path, SessionOptions())
        SessionParts(project, opened, SessionOptions()).check()
        scenes, people = len(opened.session.scenes), len(opened.evening.everybody)
        there = f"{_count(scenes, 'scene')} of {opened.pack.system.title}, {_count(people, 'person', 'people')}"
        return CheckResult(f"{word}: ok, an evening of {there}")
    found = checked_group(project, path)
    if found is not None:
        notes = cut_off_texts(read_file(path, project.shown(path)), project.shown(path))
        return CheckResult(f"{word}: ok, a group of {found[1].size:,} of {found[0].system.title}", notes)
    parties = read_parties(project, path)
    said = (f"{_count(len(each.characters), 'character')} of {each.pack.system.title}" for each in parties)
    return CheckResult(f"{word}: ok, {', '.join(said)}", tuple(note for each in parties for note in each.notes))


def _is_evening(project: Project, path: Path) -> bool:
    """Return whether a file holds a session; one that cannot be read is told of by whoever reads it."""
    if path.suffix.lower() not in YAML or not path.is_file() or path.stat().st_size > MOST.size:
        return False
    shown = project.shown(path)
    with suppress(InputError):
        return is_session(parse(read_file(path, shown, most=MOST), shown, most=MOST))
    return False


def _cut_off_texts(project: Project, pack: Pack) -> Iterator[Problem]:
    """Yield notes on the YAML files of a pack in which text without quotes is cut off by a comment."""
    for path in source_files(pack.folder):
        if path.suffix in (".yaml", ".yml"):
            shown = project.shown(path)
            yield from cut_off_texts(read_file(path, shown, inside=pack.folder), shown)


def _count_handouts(project: Project, pack: Pack, problems: list[Problem]) -> int:
    """Return the number of a pack's handouts; their problems are added to `problems`."""
    try:
        return len(read_all(project, pack))
    except InputError as error:
        problems += error.problems
        return 0


def _rulebook_and_screen(project: Project, pack: Pack) -> Rulebook:
    """Return the rules of a pack, after a check of its screen."""
    rulebook = open_book(project, pack)
    open_screen(project, pack, rulebook)
    return rulebook


def check_templates(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return problems of the pages that a stranger's pack makes of its characters; ours are held by our own tests."""
    if pack.ours or not pack.system.fields:
        return ()
    from sheetgen.documents.people.sheet import MORE, TEMPLATE
    from sheetgen.products.form_cache import continuation_form, sheet_forms, use_bundled_fonts  # imports Jinja
    from sheetgen.products.people.roster import INDEX_TEMPLATE, index_form
    from sheetgen.products.people.roster import TEMPLATE as ROSTER

    use_bundled_fonts(project)
    from sheetgen.pdf.flow.layout import prepare  # imports WeasyPrint once, before processes are forked that need it

    prepare()
    pages: Mapping[str, Callable[[], object]] = {
        TEMPLATE: lambda: sheet_forms(project, pack, paper=PAPER, back=True),
        MORE: lambda: continuation_form(project, pack, paper=PAPER),
        ROSTER: lambda: _roster_of_nobody(project, pack),
        INDEX_TEMPLATE: lambda: index_form(project, pack, paper=PAPER, fives=True),
    }
    problems: list[Problem] = []
    for template, make in pages.items():
        try:
            make()
        except InputError as error:
            problems += [_at_template(project, pack, template, problem) for problem in error.problems]
    return tuple(dict.fromkeys(problems))


def page_problems(project: Project, pack: Pack, most_s: float) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return why the book, the cards or the screen of a stranger's pack cannot be made, and a warning that names those
    that were not begun in so many seconds. The book comes last: it takes longer than all others.
    """
    if pack.ours:
        return (), ()
    from sheetgen.pdf.flow import layout  # noqa: F401  # imports WeasyPrint once, before a process is forked

    end, alone = time.monotonic() + most_s, replace(pack, isolated=True)

    def found() -> tuple[tuple[Problem, ...], list[str]]:
        problems, untried = list[Problem](), list[str]()
        shaped = [each for each in products_of(project, alone) if each[0].shaped_by == "rules"]
        for product, words, options in sorted(shaped, key=lambda each: each[0].name == LONGEST):
            if time.monotonic() >= end:
                untried.append(words)
                continue
            try:
                made = product.write(project, alone, options, Sink(product.formats[0], len, Reporter()))
                problems += made.left_out
            except InputError as error:
                problems += error.problems
            except UsageError:  # the pack has nothing for it
                continue
        return tuple(dict.fromkeys(problems)), untried

    try:
        problems, untried = pack.run_isolated(found, limits=PUBLICATION)
    except LimitError:
        problems, untried = (), ["what its rules shape"]
    message = "not tried, since it takes too long for a check: "
    return problems, tuple(Problem(pack.system.place, message + ", ".join(untried)) for _ in untried[:1])


def escape_warnings(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return a warning for each place where a stranger's template switches escaping off."""
    own = pack.folder / "templates"
    if pack.ours or not own.is_dir():
        return ()
    from sheetgen.documents.render import environment, unescaped  # imports Jinja

    def found() -> tuple[Problem, ...]:
        jinja = environment((own,), project.shown)
        files = islice((file for file in own.rglob("*.html") if file.is_file()), MOST_TEMPLATES)
        return tuple(problem for file in sorted(files) for problem in unescaped(jinja, str(file.relative_to(own))))

    return pack.run_isolated(found)


def font_warnings(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return a warning for each font in a stranger's pack that its maker does not let us embed (OS/2 fsType)."""
    own = pack.folder / "templates"
    if pack.ours or not own.is_dir():
        return ()
    from sheetgen.pdf.fonts.face import licence_refusal

    def found() -> tuple[Problem, ...]:
        files = islice(
            (file for file in own.rglob("*") if file.suffix.lower() in FONTS and file.is_file()), MOST_TEMPLATES
        )
        told = ((file, licence_refusal(_bytes_of(file))) for file in sorted(files))
        return tuple(Problem(Place(project.shown(file)), f"{why} (take another font)") for file, why in told if why)

    return pack.run_isolated(found)


def _bytes_of(font: Path) -> bytes:
    with font.open("rb") as opened:
        return opened.read(MOST_FONT)


def web_page_problems(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return why the sheet of a stranger's own template cannot be a web page, even where it can be printed."""
    if pack.ours or not (pack.folder / "templates").is_dir() or not pack.system.fields:
        return ()
    from sheetgen.pdf.form.compositor import Row
    from sheetgen.products.form_cache import web_page  # imports Jinja

    try:
        pack.run_isolated(lambda: web_page(project, pack, [Row("", {})], paper=PAPER, back=True) and None)
    except InputError as error:
        return tuple(replace(each, message=f"{ON_THE_WEB}{each.message}") for each in error.problems)
    return ()


def _book_warnings(pack: Pack, book: Book) -> Iterator[Problem]:
    """Yield what is doubtful about the chapters, Markdown that books do not know among it."""
    yield from (*stray_digits(pack, book), *curve_warnings(book), *settled_warnings(book), *repeated_titles(book))
    for prose in prose_of(book):
        for number, message in printed_as_typed(prose.text):
            yield Problem(line_of(prose, number), message)


def _failures(pack: Pack, book: Book) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return why charts and heroes of a stranger's book cannot be made, and a warning for each chart not tried."""
    if pack.ours:  # held by our own tests
        return (), ()
    end = time.monotonic() + ODDS_S
    found, untried = pack.run_isolated(lambda: failures(pack, book, lambda: time.monotonic() < end))
    message = "these odds were not tried: those before them take too long for a check (`sheetgen book` does)"
    return found, tuple(Problem(place, message) for place in untried)


def fields_without_place(project: Project, pack: Pack) -> tuple[Problem, ...]:
    """Return a warning for each field of sheet.yaml that the pack's sheet shows nowhere, neither in front nor on its
    back.
    """
    if not pack.system.fields:
        return ()
    from sheetgen.products.form_cache import field_names, places_of, sheet_html  # imports Jinja
    from sheetgen.products.sheet_pages import for_word, words_of

    try:
        page = partial(sheet_html, project, paper=PAPER, back=True)
        packs = [pack, *(for_word(pack, word) for word in words_of(pack))]
        names = field_names(pack.run_isolated(lambda: "".join(map(page, packs))))
    except InputError:  # told by `check_templates`
        return ()
    found = []
    for spec, traits in places_of(pack, names).missing():
        of = f" for {', '.join(traits)}" if traits else ""
        where = "goes into the notes or onto a page of its own"
        message = f"the sheet has no place{of}: what stands under {spec.name} {where}"
        found.append(Problem(spec.place, message))
    return tuple(found)


def _roster_of_nobody(project: Project, pack: Pack) -> object:
    from sheetgen.products.people.roster import roster_person, write_roster
    from sheetgen.products.shapes import PrintOptions

    nobody = roster_person(pack, Character(pack.system.id, {"name": "Nobody"}))
    return write_roster(project, pack, [nobody], len, PrintOptions(PAPER), form=".pdf")


def _at_template(project: Project, pack: Pack, template: str, problem: Problem) -> Problem:
    """Return the problem at an existing file: the template itself, if the place only names what was being made."""
    if (project.where / problem.place.file).is_file():
        return problem
    return replace(problem, place=replace(problem.place, file=template_file(project, pack, template)))


def check_file(project: Project, word: str, name: str) -> CheckResult:
    """Return a summary of the cases of an examples file; InputError with every failure."""
    count = check_examples(project, open_pack(project, word), project.where / name)
    return CheckResult(f"{name}: ok, {_count(count, 'worked example')} of {word}")


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number:,} {what if number == 1 else several or what + 's'}"


def all_pack_names(project: Project) -> tuple[str, ...]:
    """Return the names of all packs in sight: what a bare `check` checks."""
    return tuple(sorted(project.library.packs))
