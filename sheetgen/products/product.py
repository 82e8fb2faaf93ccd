"""The `Product` type and the one way to make products: for the command line, for `build` and for the library.

Refused inputs, default names, manifests, print plans, advice and facts for programs stand here once. A product itself
says its name, its formats, its options, which packs have it, and how its bytes are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from sheetgen.documents.print_plan import plan
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, SHEET_PAPERS
from sheetgen.model.print_job import Printer, PrintJob
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.options import Chosen, Options
from sheetgen.workspace.packs import Pack, owner_of, sources
from sheetgen.workspace.printer_profiles import printer
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, refuse_inputs, write_target

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

    With a `job` a print plan can be made, under the `title`. The `notes` say what of a source is not in it.
    """

    data: bytes
    what: str
    advice: tuple[str, ...] = ()
    job: PrintJob | None = None
    title: str = ""
    notes: tuple[str, ...] = ()


class Reporter(Protocol):
    """The receiver of messages about results: facts for programs, lines for people."""

    facts: dict[str, Any]
    failed: bool

    def wrote(self, name: str, what: str) -> None:
        """Report a file that was written."""

    def say(self, line: str) -> None:
        """Report a line for people."""

    def note(self, lines: Iterable[str], kind: str) -> None:
        """Report warnings about work that went on; `kind` names them for programs."""


def no_variants(project: Project, pack: Pack) -> Iterator[tuple[str, Any]]:
    """Yield nothing, for what is not made of a pack."""
    yield from ()


def no_owner(project: Project, subject: Any) -> str:
    """Return the owner of a result that is made of no pack."""
    return ""


def no_conflict(options: Any, formats: Collection[str]) -> None:
    """Accept all options in all formats."""


@dataclass(frozen=True, slots=True)
class Product(Generic[Subject, Chosen]):
    """Something that can be made of a subject: of a pack, of a PDF file, of handouts.

    `make` returns the product in one of the `formats`, the first of which is the default; `built` are those that
    `build` makes. `conflict` raises UsageError for options that do not go together, or not with a format. `stem` names
    the file where no name was given. `of_pack` is the subject that a pack comes to, and `variants` yields what a pack
    has of it, as the words of the command line and the options; a pack without any has no such product. `shaped_by`
    names the part of a pack that shapes it: "rules", "handouts", or nothing for sheets and people. `owner` names the
    pack in the manifest, so that packs with one id do not write over each other's results.
    """

    name: str
    say: str
    formats: tuple[str, ...]
    options: type[Chosen]
    make: Callable[[Project, Subject, Chosen, str], ProductResult]
    stem: Callable[[Subject, Chosen], str]
    inputs: Callable[[Project, Subject], Iterable[Path]]
    facts: Callable[[Project, Subject], dict[str, Any]]
    of_pack: Callable[[Project, Pack], Subject] | None = None
    variants: Callable[[Project, Pack], Iterator[tuple[str, Chosen]]] = no_variants
    conflict: Callable[[Chosen, Collection[str]], None] = no_conflict
    owner: Callable[[Project, Subject], str] = no_owner
    built: tuple[str, ...] = (".pdf",)
    shaped_by: str = ""

    def check(self, options: Chosen, wanted: Sequence[Target]) -> None:
        """Raise UsageError for options that do not go together, before anything is opened or made."""
        self.conflict(options, {target.form for target in wanted} or {self.formats[0]})
        for target in wanted if getattr(options, "plan", False) else ():
            if target.path is None:
                raise UsageError("--plan is a file beside the result: give -o a name")


def pack_facts(project: Project, pack: Pack) -> dict[str, Any]:
    """Return what programs are told of the subject of a pack's product."""
    return {"system": pack.system.id}


def pack_product(name: str, say: str, **more: Any) -> Product[Pack, Any]:
    """Return a product whose subject is a pack; `more` are the other fields of `Product`."""
    return Product(
        name, say, inputs=sources, facts=pack_facts, owner=owner_of, of_pack=lambda project, pack: pack, **more
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
    inputs, plan = tuple(product.inputs(project, subject)), getattr(options, "plan", False)
    refuse_inputs(wanted, inputs)
    if plan:
        refuse_inputs([_plan_target(target) for target in wanted], inputs)
    reporter.facts.update(product.facts(project, subject))
    made, owner = dict[str, ProductResult](), product.owner(project, subject)
    if not wanted:
        form = product.formats[0]
        made[form] = product.make(project, subject, options, form)
        wanted = own_targets(project, product.stem(subject, options), (form,), reporter.say, owner=owner)
    for target in wanted:
        form = target.form
        if form not in made:
            made[form] = product.make(project, subject, options, form)
        _write(project, target, made[form], inputs, reporter, plan_owner=owner if plan else None)
    return tuple(made[target.form] for target in wanted)


def _write(
    project: Project,
    target: Target,
    made: ProductResult,
    inputs: Collection[Path],
    reporter: Reporter,
    *,
    plan_owner: str | None,
) -> None:
    write_target(target, lambda write: write(made.data), inputs=inputs)
    if target.path is not None:
        reporter.wrote(target.name, made.what)
    if plan_owner is not None and made.job is not None and target.path is not None:
        beside = _plan_target(target)
        if target.manifest is not None:
            (beside,) = own_targets(project, Path(beside.name).stem, (".pdf",), reporter.say, owner=plan_owner)
        job, title = made.job, made.title
        write_target(beside, lambda write: write(print_plan(project, job, title=title)), inputs=[target.path, *inputs])
        reporter.wrote(beside.name, "how to print and make it")
    if made.advice:
        reporter.facts["print"] = list(made.advice)
    if made.notes:
        reporter.facts["notes"] = list(made.notes)
    for line in (*made.advice, *(f"note: {note}" for note in made.notes)):
        reporter.say(f"  {line}")


def _plan_target(target: Target) -> Target:
    """Return where the plan of a result goes: `cards-plan.pdf` beside `cards.pdf`."""
    assert target.path is not None
    plan = target.path.with_name(f"{target.path.stem}-plan.pdf")
    return Target(str(Path(target.name).with_name(plan.name)), plan, ".pdf")


def known_printer(project: Project, name: str) -> Printer:
    """Return the profile of a printer, or that of one of which nothing is known; UsageError for an unknown name."""
    return printer(project, name) if name else Printer("")


@dataclass(slots=True)
class SilentReporter:
    """A reporter that keeps what it is told: for the library, where nobody reads a terminal."""

    facts: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    failed: bool = False

    def wrote(self, name: str, what: str) -> None:
        """Keep the name of a file that is there now."""
        self.facts.setdefault("written", []).append(name)
        self.lines.append(f"{name}: {what}")

    def say(self, line: str) -> None:
        """Keep a line."""
        self.lines.append(line)

    def note(self, lines: Iterable[str], kind: str) -> None:
        """Keep lines under the name of their kind."""
        self.facts.setdefault(kind, []).extend(lines)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in self.lines)


# Each name with the constant that declares it; its module is imported when the product is asked for.
PRODUCTS = {
    "blank": "blank.BLANK",
    "book": "book.BOOK_PRODUCT",
    "cards": "cards.CARDS_PRODUCT",
    "screen": "screen.SCREEN",
    "reference": "reference.REFERENCE",
    "handouts": "handouts.HANDOUTS",
    "booklet": "booklet.BOOKLET",
}


def product_named(name: str) -> Product[Any, Any]:
    """Return the product of that name; UsageError with the nearest one if there is none."""
    if name not in PRODUCTS:
        raise UsageError(
            f"unknown product {quoted(name)}{suggestion(name, PRODUCTS) or f'; there are {list(PRODUCTS)}'}"
        )
    module, constant = PRODUCTS[name].split(".")
    made: Product[Any, Any] = getattr(import_module(f"sheetgen.products.{module}"), constant)
    return made


def products_of(project: Project, pack: Pack) -> Iterator[tuple[Product[Any, Any], str, Options]]:
    """Yield what a pack can make: the product, the words that ask for it, and its options."""
    for name in PRODUCTS:
        product = product_named(name)
        for words, options in product.variants(project, pack):
            yield product, words, options
