"""Products and drafts drawn for the page: ordered by name, made in warm processes, kept in memory and on disk.

A process of many threads neither forks nor lays out pages: it orders. What nobody awaits any more is ended. Strangers'
packs are confined by the products themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from threading import Event, Lock
from types import MappingProxyType
from typing import Any, cast

from starlette.requests import Request

from sheetgen.batch.sandbox import PUBLICATION, alone, pickled, portable, unpickled
from sheetgen.batch.warm import Outdated, Tell, WarmProcesses
from sheetgen.content.yaml.nodes import Scalar
from sheetgen.documents.markdown import anchor
from sheetgen.errors import InputError, OutputError, Place, Problem, SheetgenError, problems_at, without_places
from sheetgen.model.book import Rule
from sheetgen.model.printing import PrintJob
from sheetgen.pdf.pdfium import page_sizes
from sheetgen.people.character_files import pack_named
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.press.pages import anchored_pages, page_count
from sheetgen.products.books.setting import chapter_names, chapter_pdf, known_pages
from sheetgen.products.cards.decks import carded_rules, rule_cards
from sheetgen.products.cards.sheets import single_cards
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import open_book
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.handouts.handouts import handout_of_text
from sheetgen.products.handouts.layout import HandoutsOptions
from sheetgen.products.option_form import offers_of, read_form
from sheetgen.products.people.people import asks
from sheetgen.products.people.printing import write_people
from sheetgen.products.product import Reporter, Sink, print_plan, product_named
from sheetgen.products.session.session import part_of_text
from sheetgen.products.shapes import PrintOptions
from sheetgen.studio.evenings import people_as_known
from sheetgen.studio.studio import Lately
from sheetgen.table.examples import check_examples
from sheetgen.workspace.manifest import source_key, versions
from sheetgen.workspace.packs import OpenedPacks, Pack, sources
from sheetgen.workspace.printers import print_shop, printers
from sheetgen.workspace.project import Project, is_path, project_at
from sheetgen.workspace.write import write_file

PAPER, SEED, MOST_MOVED = "a5", 7, 30
CARD = "poker"
PROCESSES = 2
IMPORTS = ("sheetgen.pdf.flow.layout", "sheetgen.press.impose", "pypdfium2", "sheetgen.products.cards.cards", __name__)
BRISK = replace(PUBLICATION, cpu_s=20, wall_s=60)  # of a part of a stranger's pack, before it is tried apart
MOST_ON_DISK, LARGEST_ON_DISK = 120, 400_000_000  # files, bytes of all of them
FIRST = "*first"  # the part that is drawn alone where none is named; the whole of what has no parts
EVENING = "session"
PLAN = "*plan"  # the page on how to print the whole
_OPENED = OpenedPacks()  # by this process


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """Pages that show a draft: card or page, what or whom they show, the PDF, and the numbers of those to look at."""

    what: str
    say: str
    data: bytes
    shown: tuple[int, ...]
    count: int


def worked(project: Project, opened: OpenedPacks, asked: Mapping[str, Any]) -> object:
    """Return what is asked of a draft: `paper` or `whole`; errors as those of opening its pack and of drawing.

    `packs` has the folders of all packs in sight by name, the copy with the draft among them, which is `folder`.
    """
    packs = {str(name): Path(folder) for name, folder in asked["packs"].items()}
    around = replace(project, library=replace(project.library, packs=packs))
    return _WORK[asked["do"]](around, opened, asked)


def _paper(project: Project, opened: OpenedPacks, asked: Mapping[str, Any]) -> tuple[DrawnPage, ...]:
    """Return the card and the page of the rule at hand, or somebody, whom all else shapes."""
    pack = opened.pack(project, asked["folder"])
    return _of_rule(project, pack, asked["chapter"], asked["rule"]) or _somebody(project, pack)


def _of_rule(project: Project, pack: Pack, chapter: str, rule: str) -> tuple[DrawnPage, ...]:
    if not rule or not has_book(project, pack):
        return ()
    found = list[DrawnPage]()
    if rule in carded_rules(project, pack):
        cards = rule_cards(project, pack, pack.system.card_size or CARD, rule)
        data = single_cards(cards, backs=False, bleed=0)
        count = page_count(data)
        found.append(DrawnPage("card", rule, data, tuple(range(1, count + 1)), count))
    if chapter in chapter_names(project, pack):
        data = chapter_pdf(project, pack, PAPER, chapter, known_pages(project, pack, PAPER))
        count = page_count(data)
        at = min(anchored_pages(data).get(anchor("rule", rule), 1), count)
        found.append(DrawnPage("page", f"{rule} in the book", data, (at,), count))
    return tuple(found)


def _somebody(project: Project, pack: Pack) -> tuple[DrawnPage, ...]:
    """Somebody rolled by the pack, as their page is printed: what creation, names and sheets shape."""
    if not pack.system.creation.methods:
        return ()
    with BytesIO() as made:
        people = list(roll(pack, RollOptions(SEED, 1)))
        printing = PrintOptions("a4", "sheet", workers=1, asked=asks(pack, people))
        write_people(project, pack, people, made.write, printing, form=".pdf")
        return (DrawnPage("page", f"Somebody of seed {SEED}, on the sheet", made.getvalue(), (1,), 1),)


def _pack_problems(
    project: Project, opened: OpenedPacks, asked: Mapping[str, Any]
) -> tuple[tuple[Problem, ...], tuple[tuple[str, str], ...]]:
    """Return every problem of the pack with the draft in it, and what that changes beside the pack without it."""
    pack = opened.pack(project, asked["folder"])
    problems = list[Problem]()
    for work in (check_examples, _rules):
        try:
            work(project, pack)
        except InputError as error:
            problems += error.problems
        except SheetgenError as error:
            problems += problems_at(Place(asked["folder"]), error)
    if problems or not asked["before"]:
        return tuple(dict.fromkeys(problems)), ()
    name = pack.folder.name
    around = {**project.library.packs, name: Path(asked["before"])}
    try:
        before = replace(project, library=replace(project.library, packs=around))
        return (), _moved(before, opened.pack(before, asked["before"]), project, pack)
    except SheetgenError:  # it could not be read before: there is nothing to compare
        return (), ()


def _moved(before: Project, old: Pack, project: Project, new: Pack) -> tuple[tuple[str, str], ...]:
    """Return what a draft changes elsewhere, as far as it can be told truly: rules that read otherwise, people."""
    old_rules, new_rules, old_people, new_people = (
        _rules(before, old),
        _rules(project, new),
        _sample_people(old),
        _sample_people(new),
    )
    moved = [("new rule", name) for name in new_rules if name not in old_rules]
    moved += [("rule gone", name) for name in old_rules if name not in new_rules]
    same = [name for name in new_rules if name in old_rules]
    moved += [("rule", name) for name in same if without_places(new_rules[name]) != without_places(old_rules[name])]
    others = sum(one != other for one, other in zip(old_people, new_people, strict=False))
    if others or len(old_people) != len(new_people):
        moved.append(("people", f"{others} of {len(old_people)} people of seed {SEED} come out otherwise"))
    if new.system.values != old.system.values:
        moved.append(("values", "values that rules, cards and odds refer to"))
    return tuple(moved[:MOST_MOVED])


def _rules(project: Project, pack: Pack) -> Mapping[str, Rule]:
    """Return the rules of the book of a pack; none if it has no book."""
    if not has_book(project, pack):
        return {}
    return pack.run_isolated(lambda: dict(open_book(project, pack).book.rules))


def _sample_people(pack: Pack) -> list[object]:
    if not pack.system.creation.methods:
        return []
    people: Callable[[], list[object]] = lambda: [each.values for each in roll(pack, RollOptions(SEED, 6))]  # noqa: E731
    return pack.cached("people of a seed", lambda: pack.run_isolated(people))


_WORK: Mapping[str, Callable[[Project, OpenedPacks, Mapping[str, Any]], object]] = MappingProxyType(
    {"paper": _paper, "whole": _pack_problems}
)


@dataclass(frozen=True, slots=True)
class DrawingOrder:
    """What is to be drawn: a product of a pack, of files or of nothing, as the fields of its form say it.

    With a `part` one card, chapter or panel alone, or the plan of the whole. A `form` that is no PDF has no pages. A
    `text` stands for what the first of the files would say: a handout that is typed, an evening that is prepared.
    """

    product: str
    given: tuple[str, ...]
    fields: tuple[tuple[str, str], ...] = ()
    part: str = ""
    form: str = ".pdf"
    text: str = ""


@dataclass(frozen=True, slots=True)
class DrawnProduct:
    """A product that was drawn: its PDF, the size of each page in points, and what is told to whoever prints it.

    `part` is what of it was drawn alone, `parts` are the names of all that can be, with what people call them; `marks`
    are its bookmarks with their pages, `count` is how many pages the whole has of which it is a part, where that is
    known. An evening without the part that was asked for has no data.
    """

    data: bytes
    what: str
    sizes: tuple[tuple[float, float], ...]
    advice: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    job: PrintJob | None = None
    title: str = ""
    part: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    marks: tuple[tuple[str, int], ...] = ()
    count: int = 0


@dataclass(frozen=True)
class Drawings:
    """Everything that was drawn lately, and the processes that draw."""

    processes: WarmProcesses = field(
        default_factory=lambda: WarmProcesses(answer, processes=PROCESSES, imports=IMPORTS)
    )
    lately: Lately = field(default_factory=lambda: Lately(24))

    _turns: dict[str, Lock] = field(default_factory=dict)

    def drawn(
        self, project: Project, environ: Mapping[str, str], order: DrawingOrder, key: str, unwanted: Event
    ) -> DrawnProduct:
        """Return the drawing of an order, made once for all who ask; `key` tells all that shapes it, see `key_of`.

        Outdated when it became unwanted, and whatever making the product raises.
        """
        turn = self._turns.setdefault(key, Lock())
        while not turn.acquire(timeout=0.05):
            if unwanted.is_set():
                raise Outdated
        try:
            return self.lately.get(key, lambda: self._make_product(project, environ, order, key, unwanted))
        finally:
            turn.release()
            self._turns.pop(key, None)

    def is_ready(self, project: Project, key: str) -> bool:
        """Return whether a drawing is kept, so that nobody has to wait for it."""
        return self.lately.knows(key) or _kept_file(project, key).is_file()

    def _make_product(
        self, project: Project, environ: Mapping[str, str], order: DrawingOrder, key: str, unwanted: Event
    ) -> DrawnProduct:
        kept = _kept_file(project, key)
        with suppress(Exception):  # whatever a damaged file can raise
            found, _ = unpickled(kept.read_bytes())
            if isinstance(found, DrawnProduct):
                return found
        drawn, data = self._ask_process(project, environ, {"order": _as_data(order)}, order.product, unwanted)
        assert isinstance(drawn, DrawnProduct)
        with suppress(OutputError):  # a cache that cannot be written only costs time
            write_file(kept, data)
            _forget_oldest(kept.parent)
        return drawn

    def worked(self, project: Project, environ: Mapping[str, str], asked: Mapping[str, Any], unwanted: Event) -> object:
        """Return what is worked out of a draft of a pack, see `draft_work`; Outdated when it became unwanted."""
        return self._ask_process(project, environ, {"draft": asked}, str(asked["folder"]), unwanted)[0]

    def _ask_process(
        self, project: Project, environ: Mapping[str, str], what: Mapping[str, Any], name: str, unwanted: Event
    ) -> tuple[object, bytes]:
        """Return the answer of a process, and its bytes; what one died of is asked again, for a reason."""
        use_bundled_fonts(project)  # for the processes, which are started with our environment
        request = {"where": str(project.where), "environ": dict(environ), **what}
        try:
            try:
                data = self.processes.ask(json.dumps({**request, "anew": False}).encode(), unwanted)
            except EOFError:  # this time each piece is confined by itself, and says what stopped it
                data = self.processes.ask(json.dumps({**request, "anew": True}).encode(), unwanted)
            answered, error = unpickled(data)
        except EOFError:
            raise InputError([Problem(Place(name), "the process that draws it has died")]) from None
        if error is not None:
            raise error
        return answered, data


def key_of(project: Project, order: DrawingOrder, opened: Pack | None, lately: Lately, mark: str = "") -> str:
    """Return a key of everything that shapes a drawing: files of its pack and of its options, printers, versions.

    `mark` tells this state of the pack from others as long as the program runs.
    """
    digest = blake2b(repr((order, versions())).encode(), digest_size=20)
    if opened is not None:
        folders = sources(project, opened)
        found = lately.get(("sources", mark, folders), lambda: source_key(project, folders, "", lambda line: None))
        digest.update(found.encode())
    fields = dict(order.fields)
    if fields.get("printer"):
        digest.update(repr(printers(project)).encode())
    if fields.get("shop"):
        digest.update(repr(print_shop(project, fields["shop"])).encode())
    named = [text for _, value in order.fields for text in value.splitlines()]
    for word in (*order.given, *named):
        with suppress(OSError, ValueError):
            if (path := project.where / word).is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def answer(request: bytes, tell: Tell) -> bytes:
    """Return what a process answers to a request of `Drawings`: a packed drawing, or the error there is instead."""
    asked = json.loads(request)
    name = str(asked["draft"]["folder"] if "draft" in asked else asked["order"]["product"])
    try:
        project = project_at(Path(asked["where"]), asked["environ"])
        if "draft" in asked:
            with alone(name, BRISK) if not asked["anew"] else nullcontext():
                return pickled(worked(project, _OPENED, asked["draft"]), None)
        order = _as_order(asked["order"])
        with _confined(project, order) if not asked["anew"] else nullcontext():
            return pickled(_draw(project, order), None)
    except SheetgenError as error:
        return pickled(None, portable(error))
    except Exception as error:  # a mistake of ours: the page tells of it, and this process goes on
        message = f"cannot be drawn ({type(error).__name__}: {error})"
        return pickled(None, InputError([Problem(Place(name), message)]))


def _as_data(order: DrawingOrder) -> dict[str, Any]:
    return {name: getattr(order, name) for name in DrawingOrder.__slots__}


def _as_order(data: dict[str, Any]) -> DrawingOrder:
    fields = tuple((str(name), str(text)) for name, text in data["fields"])
    return DrawingOrder(**{**data, "given": tuple(data["given"]), "fields": fields})


def _confined(project: Project, order: DrawingOrder) -> AbstractContextManager[None]:
    """Return what confines this process while it draws a part that a stranger's pack shapes, or what is typed."""
    given = order.given[1:] if order.text else order.given  # what is typed has a name, and no file yet
    packs = [word for word in given if not (project.where / word).is_file()]
    strange = any(not project.is_lasting(project.pack_folder(word)) for word in packs)
    small = order.text or (strange and order.part not in ("", PLAN))
    return alone(order.product, BRISK) if small else nullcontext()


def _draw(project: Project, order: DrawingOrder) -> DrawnProduct:
    if order.text:
        return _prepared(project, order) if order.product == EVENING else _typed(project, order)
    product = product_named(order.product)
    given: Any = tuple(_subject(project, word) for word in order.given)
    opened = next((each for each in given if isinstance(each, Pack)), None)
    files = tuple(text for _, value in order.fields for text in value.splitlines())  # checked when they were offered
    offers = offers_of(product.options, project, opened, files) if opened else {}
    options = read_form(product.options, order.fields, offers, product.options()).options
    product.conflict(options, (order.form,))
    subject = product.open(project, given[0] if len(given) == 1 else given, options)
    product.suits(project, subject, options, ())
    parts = tuple(product.parts(project, subject, options).items())
    part = parts[0][0] if order.part == FIRST and parts else order.part
    if part not in ("", FIRST, PLAN):
        assert product.make_part is not None
        made = product.make_part(project, subject, options, part)
        data = made.data
    else:
        pieces = list[bytes]()
        made = product.write(project, subject, options, Sink(order.form, pieces.append, Reporter()))
        data, part = b"".join(pieces), ""
    if order.part == PLAN and made.job is not None:
        data = print_plan(project, made.job, title=made.title)
    left_out = (*map(str, made.left_out), *(made.report.skipped if made.report else ()))
    sizes = page_sizes(data) if order.form == ".pdf" else ()
    return DrawnProduct(data, made.what, sizes, made.advice, made.notes, left_out, made.job, made.title, part, parts)


def _typed(project: Project, order: DrawingOrder) -> DrawnProduct:
    """Return a handout that is typed, as large as it will be when it is cut out."""
    file, *games = order.given
    options = read_form(HandoutsOptions, order.fields, {}, HandoutsOptions()).options
    opened = _OPENED.pack(project, games[0]) if games else None
    made = handout_of_text(project, opened, project.where / file, order.text, options)
    return DrawnProduct(made.data, made.style, page_sizes(made.data), notes=made.notes, title=made.title)


def _prepared(project: Project, order: DrawingOrder) -> DrawnProduct:
    """Return a part of an evening, as large as it is printed."""

    def opened(project: Project, named: Scalar, path: Path) -> Pack:
        known = not is_path(named.text) and named.text in project.library.packs
        return _OPENED.pack(project, named.text) if known else pack_named(project, named, path)

    path = project.where / order.given[0]
    made = part_of_text(project, path, order.text, order.part, opened=opened, people=people_as_known)
    if made is None:
        return DrawnProduct(b"", order.part, ())
    sizes = page_sizes(made.data)
    return DrawnProduct(made.data, made.about.title, sizes, marks=made.marks, count=made.about.pages)


def _subject(project: Project, word: str) -> Pack | Path | str:
    path = project.where / word
    return path if path.is_file() else _OPENED.pack(project, word)


def _kept_file(project: Project, key: str) -> Path:
    return project.cache / "studio" / f"{key}.drawn"


def drawings_of(request: Request) -> Drawings:
    """Return what draws for the studio that a request is made to."""
    return cast(Drawings, request.app.state.drawings)


def _forget_oldest(folder: Path) -> None:
    """Remove the drawings that were made first, as far as there are too many or they are too large together."""
    with suppress(OSError):
        found = sorted(((path.stat().st_mtime, path.stat().st_size, path) for path in folder.iterdir()), reverse=True)
        total = 0
        for at, (_, size, path) in enumerate(found):
            total += size
            if at >= MOST_ON_DISK or total > LARGEST_ON_DISK:
                path.unlink(missing_ok=True)
