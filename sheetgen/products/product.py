"""The `Product` type and the one way to make products: for the command line, for `build` and for the library.

Refused inputs, default names, manifests, print plans, advice and facts for programs stand here once. A product itself
says its name, its formats, its options, which packs have it, and how its bytes are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from sheetgen.documents.press_pages import plan
from sheetgen.errors import Problem, UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, SHEET_PAPERS
from sheetgen.model.printing import Printer, PrintJob
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.options import Chosen, Options
from sheetgen.products.report import NobodyPrinted, Report, dropped_lines, grouped_lines
from sheetgen.workspace.foreign_files import read_fonts
from sheetgen.workspace.packs import Pack, open_pack, owner_of, sources
from sheetgen.workspace.printers import printer
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, refuse_inputs, targets, write_target
from sheetgen.workspace.write import Write

PLAN = "press/plan.html"


def print_plan(project: Project, job: PrintJob, *, title: str) -> bytes:
    """Return the plan as PDF, on the paper of the job if that is a sheet to read from, else on A4."""
    from sheetgen.documents.render import environment, render  # imports Jinja
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    size = PAPERS[job.paper if job.paper in SHEET_PAPERS else SHEET_PAPERS[0]]
    data = {**plan(job), "title": title, "width": size.width, "height": size.height}
    html = render(environment((project.templates,), project.shown), PLAN, data)
    use_bundled_fonts(project)
    return flow(html, root=project.templates, name="print plan")


Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class ProductResult:
    """A finished product: its bytes, what it is in a few words, and what to tell whoever prints it.

    The bytes are empty if they were written piece by piece; of a print run `report` says who was left out. With a `job`
    a print plan can be made, under the `title`. The `notes` say what of a source is not in it, `left_out` what had no
    room in it, so that the rest of it could be made.
    """

    data: bytes
    what: str
    advice: tuple[str, ...] = ()
    job: PrintJob | None = None
    title: str = ""
    notes: tuple[str, ...] = ()
    report: Report | None = None
    left_out: tuple[Problem, ...] = ()


class Meter:
    """The progress of long work, told how many of `total` are done; this one shows it to nobody."""

    def __init__(self, total: int, output: str = "") -> None:
        self.total, self.output, self.done = total, output, 0

    def __call__(self, done: int) -> None:
        """Report that `done` items are done."""
        self.done = done

    def counting(self) -> Callable[[int], None]:
        """Return a function that reports how many items of the next output are done."""
        before = self.done
        return lambda done: self(before + done)

    def clear(self) -> None:
        """Make room for a line."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()


@dataclass(slots=True)
class Reporter:
    """Receives what is told of results, as facts for programs and lines for people, and keeps it.

    `failed` says that some of the work could not be done; `output` is the file that is being written, if several are.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    failed: bool = False
    output: str = ""

    def wrote(self, name: str, what: str) -> None:
        """Report a file that was written."""
        self.facts.setdefault("written", []).append(name)
        self.say(f"{name}: {what}")

    def say(self, line: str) -> None:
        """Report a line for people."""
        self.lines.append(line)

    def note(self, lines: Iterable[str], kind: str, shown: Sequence[str] | None = None) -> None:
        """Report warnings about work that went on; `kind` names them for programs, `shown` has them in fewer lines."""
        if lines := list(lines):
            self.facts.setdefault(kind, []).extend(lines)

    def report(self, report: Report) -> None:
        """Report who was skipped in a print run and why, and who needed more pages."""
        self.note(report.skipped, "skipped")
        self.note(report.continued, "continued", grouped_lines(report.continued))
        self.note(report.dropped, "dropped", dropped_lines(report))
        self.note(report.coarse, "coarse")
        self.failed = self.failed or bool(report.skipped)

    def nobody(self, name: str, report: Report) -> None:
        """Report that nobody could be printed; an existing file stays as it is."""
        self.report(report)
        self.failed = True
        self.note([f"{name}: nobody could be printed, so nothing was written"], "skipped")

    def doing(self, what: str) -> None:
        """Report what is being done now, until the next line; nothing at the end of it."""

    def progress(self, total: int, what: str) -> Meter:
        """Return what is told how much of so many things is done."""
        return Meter(total, self.output)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in self.lines)


@dataclass(frozen=True, slots=True)
class Argument:
    """What a product is made of, as the command line asks for it; `count` is that of argparse: "?", "*", "+"."""

    name: str
    help: str
    metavar: str = ""
    count: str = ""


Make = Callable[[Project, Subject, Chosen, str], ProductResult]


@dataclass(frozen=True, slots=True)
class Sink:
    """Where one result goes: its format, what takes its bytes, and who is told."""

    form: str
    write: Write
    reporter: Reporter


Stream = Callable[[Project, Subject, Chosen, Sink], ProductResult]


@dataclass(frozen=True, slots=True)
class Product(Generic[Subject, Chosen]):
    """Something that can be made of a subject: of a pack, of people, of a PDF file, of handouts.

    `open` returns the subject of what was given for the `arguments`: words, or for the library also packs and paths. It
    is made by `make`, or written by `stream`, which tells how it goes on, in one of the `formats`; `usual` are those of
    default names, the first format unless said or `usual_of` the options, and `stem` is their name. `targets` reads
    what `-o` and `--to` name. `conflict` raises UsageError for options that do not go together, or not with a format,
    and `suits` for such as do not go with the subject. `deliver` takes over from `write_targets` where a result is
    several files.

    `variants` yields what a pack has of it, as the words of the command line and the options; `built` are the formats
    of these that `build` makes, under the name `build_stem` if that is another. `shaped_by` names the part of a pack
    that shapes it: "rules", "handouts", or nothing for sheets and people. `owner` names the pack in the manifest, so
    that packs with one id do not write over each other's results. `parts` names what of it can be drawn alone, in its
    order and with what people call it: cards, chapters, panels; `make_part` draws one of them, as it is in the whole,
    as a PDF. `output_help` says what `-o` takes, if not just the
    formats.
    """

    name: str
    say: str
    formats: tuple[str, ...]
    options: type[Chosen]
    arguments: tuple[Argument, ...]
    open: Callable[[Project, Any, Chosen], Subject]
    stem: Callable[[Subject, Chosen], str]
    make: Make[Subject, Chosen] | None = None
    stream: Stream[Subject, Chosen] | None = None
    inputs: Callable[[Project, Subject], Iterable[Path]] = lambda project, subject: ()
    facts: Callable[[Project, Subject], dict[str, Any]] = lambda project, subject: {}
    owner: Callable[[Project, Subject], str] = lambda project, subject: ""
    usual: tuple[str, ...] = ()
    usual_of: Callable[[Project, Chosen], tuple[str, ...]] = lambda project, options: ()
    targets: Callable[[Chosen, Sequence[str], str, Path], tuple[Target, ...]] | None = None
    conflict: Callable[[Chosen, Collection[str]], None] = lambda options, formats: None
    suits: Callable[[Project, Subject, Chosen, Sequence[Target]], None] = lambda *all_of_it: None
    deliver: Callable[..., tuple[ProductResult, ...]] | None = None
    variants: Callable[[Project, Pack], Iterable[tuple[str, Chosen]]] = lambda project, pack: ()
    built: Callable[[Chosen], tuple[str, ...]] = lambda options: (".pdf",)
    build_stem: Callable[[Subject, Chosen], str] | None = None
    shaped_by: str = ""
    parts: Callable[[Project, Subject, Chosen], Mapping[str, str]] = lambda project, subject, options: {}
    make_part: Callable[[Project, Subject, Chosen, str], ProductResult] | None = None
    output_help: str = ""

    @property
    def prints(self) -> bool:
        """Whether it is something to print, of which only what changed may be printed again."""
        return ".pdf" in self.formats and self.name not in ("diff", "proof", "merge")

    def read_targets(self, options: Chosen, names: Sequence[str], to: str, where: Path) -> tuple[Target, ...]:
        """Return the targets that the words name; UsageError for what cannot take this product."""
        if self.targets is not None:
            return self.targets(options, names, to, where)
        return targets(names, to, where, self.formats)

    def check(self, options: Chosen, wanted: Sequence[Target]) -> None:
        """Raise UsageError for options that do not go together, before anything is opened or made."""
        self.conflict(options, {target.form for target in wanted} or {self.formats[0]})
        for target in wanted if getattr(options, "plan", False) else ():
            if target.path is None:
                raise UsageError("--plan is a file beside the result: give -o a name")

    def write(self, project: Project, subject: Subject, options: Chosen, sink: Sink) -> ProductResult:
        """Write the product and return what is to be told of it."""
        if self.stream is not None:
            return self.stream(project, subject, options, sink)
        assert self.make is not None
        sink.reporter.doing(f"making {self.say.partition(':')[0].partition(',')[0]}")
        try:
            made = self.make(project, subject, options, sink.form)
        finally:
            sink.reporter.doing("")
        sink.write(made.data)
        return made


def opened_pack(project: Project, given: Pack | Path | str, options: Options) -> Pack:
    """Return the pack of a word, a path or itself, in the tone that the options ask for."""
    pack = given if isinstance(given, Pack) else open_pack(project, str(given))
    return pack.with_tone(options.tone)


def fonts_of(project: Project, names: Iterable[str]) -> tuple[tuple[AddedFont, ...], tuple[Path, ...]]:
    """Return the fonts of these files, and the files; InputError for one that is no font or may not be embedded."""
    files = tuple(project.where / name for name in names)
    return read_fonts(project, files), files


SYSTEM = Argument("system", "a system, or the folder of a pack")


def pack_product(name: str, say: str, **more: Any) -> Product[Pack, Any]:
    """Return a product whose subject is a pack; `more` are the other fields of `Product`."""
    return Product(
        name,
        say,
        arguments=(SYSTEM,),
        open=opened_pack,
        inputs=sources,
        facts=lambda project, pack: {"system": pack.system.id},
        owner=owner_of,
        **more,
    )


def default_stem(pack: Pack, what: str, paper: str = "a4") -> str:
    """Return the name of a result that was given none, without suffix: `gamers-blank-letter`."""
    return f"{pack.system.id}-{what}{'' if paper == 'a4' else f'-{paper}'}"


def produce(
    product: Product[Subject, Chosen],
    project: Project,
    subject: Subject,
    options: Chosen,
    *,
    wanted: Sequence[Target],
    reporter: Reporter,
) -> tuple[ProductResult, ...]:
    """Make a product, write it to every target or else under its default name; return what each of them got.

    UsageError, before anything is made, for options that do not go together and for a target among the inputs.
    """
    product.check(options, wanted)
    product.suits(project, subject, options, wanted)
    inputs = tuple(product.inputs(project, subject))
    refuse_inputs(wanted, inputs)
    if getattr(options, "plan", False):
        refuse_inputs([_plan_target(target) for target in wanted], inputs)
    reporter.facts.update(product.facts(project, subject))
    deliver = product.deliver or write_targets
    return deliver(product, project, subject, options, wanted=wanted, reporter=reporter)


def write_targets(
    product: Product[Subject, Chosen],
    project: Project,
    subject: Subject,
    options: Chosen,
    *,
    wanted: Sequence[Target],
    reporter: Reporter,
) -> tuple[ProductResult, ...]:
    """Write a product to each target, or under its default name in its usual formats; return what each of them got.

    A print run in which nobody could be printed is reported, and the other targets are written.
    """
    inputs, owner = tuple(product.inputs(project, subject)), product.owner(project, subject)
    ready: dict[str, ProductResult] = {}
    if not wanted:
        usual = product.usual_of(project, options) or product.usual or product.formats[:1]
        if product.make is not None:  # what cannot be made takes no name
            ready = {form: _held(product, project, subject, options, Sink(form, len, reporter)) for form in usual}
        wanted = own_targets(project, product.stem(subject, options), usual, reporter.say, owner=owner)
    results: list[ProductResult] = []
    for target in wanted:
        reporter.output = target.name if len(wanted) > 1 else ""

        def write(put: Write, form: str = target.form) -> ProductResult:
            if form in ready:
                put(ready[form].data)
                return ready[form]
            return product.write(project, subject, options, Sink(form, put, reporter))

        try:
            made = write_target(target, write, inputs=inputs)
        except NobodyPrinted as error:
            reporter.nobody("standard output" if target.is_stdout else target.name, error.report)
            continue
        results.append(made)
        _tell_what_is_missing(made, reporter)
        if target.path is not None:
            reporter.wrote(target.name, made.what)
            if getattr(options, "plan", False) and made.job is not None:
                _write_plan(project, target, made, (target.path, *inputs), reporter=reporter, owner=owner)
        _tell_advice(made, reporter)
    return tuple(results)


def _held(
    product: Product[Subject, Chosen], project: Project, subject: Subject, options: Chosen, sink: Sink
) -> ProductResult:
    """Return a product that is held in memory, with its bytes."""
    pieces = list[bytes]()
    made = product.write(project, subject, options, replace(sink, write=pieces.append))
    return replace(made, data=b"".join(pieces))


def _tell_what_is_missing(made: ProductResult, reporter: Reporter) -> None:
    if made.report is not None:
        reporter.report(made.report)
    if made.left_out:
        reporter.report(Report(skipped=[f"left out: {each}" for each in made.left_out]))


def _tell_advice(made: ProductResult, reporter: Reporter) -> None:
    if made.advice:
        reporter.facts["print"] = list(made.advice)
    if made.notes:
        reporter.facts["notes"] = list(made.notes)
    for line in (*made.advice, *(f"note: {note}" for note in made.notes)):
        reporter.say(f"  {line}")


def _write_plan(
    project: Project, target: Target, made: ProductResult, inputs: Sequence[Path], *, reporter: Reporter, owner: str
) -> None:
    beside, job = _plan_target(target), made.job
    assert job is not None
    if target.manifest is not None:
        (beside,) = own_targets(project, Path(beside.name).stem, (".pdf",), reporter.say, owner=owner)
    write_target(beside, lambda write: write(print_plan(project, job, title=made.title)), inputs=inputs)
    reporter.wrote(beside.name, "how to print and make it")


def _plan_target(target: Target) -> Target:
    """Return where the plan of a result goes: `cards-plan.pdf` beside `cards.pdf`."""
    assert target.path is not None
    plan = target.path.with_name(f"{target.path.stem}-plan.pdf")
    return Target(str(Path(target.name).with_name(plan.name)), plan, ".pdf")


def known_printer(project: Project, name: str) -> Printer:
    """Return the profile of a printer, or that of one of which nothing is known; UsageError for an unknown name."""
    return printer(project, name) if name else Printer("")


# Each name with the constant that declares it; its module is imported when the product is asked for.
PRODUCTS = {
    "npc": "people.npc.NPC",
    "sheet": "people.people.SHEETS",
    "blank": "people.blank.BLANK",
    "book": "books.book.BOOK_PRODUCT",
    "cards": "cards.cards.CARDS_PRODUCT",
    "screen": "session.screen.SCREEN",
    "reference": "session.reference.REFERENCE",
    "handouts": "handouts.handouts.HANDOUTS",
    "session": "session.session.SESSION",
    "campaign": "session.session.CAMPAIGN",
    "fill": "finished.filled_form.FILL",
    "booklet": "books.booklet.BOOKLET",
    "merge": "finished.merge.MERGE",
    "join": "finished.join.JOIN",
    "diff": "finished.diff.DIFF",
    "proof": "printer_test.PROOF_PRODUCT",
}


def product_named(name: str) -> Product[Any, Any]:
    """Return the product of that name; UsageError with the nearest one if there is none."""
    if name not in PRODUCTS:
        raise UsageError(
            f"unknown product {quoted(name)}{suggestion(name, PRODUCTS) or f'; there are {list(PRODUCTS)}'}"
        )
    module, constant = PRODUCTS[name].rsplit(".", 1)
    made: Product[Any, Any] = getattr(import_module(f"sheetgen.products.{module}"), constant)
    return made


def products_of(project: Project, pack: Pack) -> Iterator[tuple[Product[Any, Any], str, Options]]:
    """Yield what a pack can make: the product, the words that ask for it, and its options."""
    for name in PRODUCTS:
        product = product_named(name)
        for words, options in product.variants(project, pack):
            yield product, words, options
