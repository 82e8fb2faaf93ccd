"""Handouts found, read and set: each a small PDF of its own, as large as it will be when it is cut out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.content.handout_files import (
    FILE,
    READABLE,
    HandoutSource,
    handout_files,
    pictured,
    read_catalogue,
    read_handout,
    source_at,
)
from sheetgen.content.packs.folders import read_file
from sheetgen.documents.handout.handout import TEMPLATE
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, Size, paper_name
from sheetgen.model.handout import Catalogue, Handout
from sheetgen.pdf.fonts.bundled import label_font
from sheetgen.press.impose import Imposition, impose_pages
from sheetgen.press.marks import EDGE, RULER_LABEL, Marks, check_rule, corner_marks
from sheetgen.press.pages import concatenate, page_count
from sheetgen.press.plan import PRINTER_MARGIN, ImpositionPlan, Side, packed
from sheetgen.products.chapters import open_book
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.handouts.layout import HandoutSetter, HandoutsOptions, PrintedHandout
from sheetgen.products.options import Options
from sheetgen.products.page_cache import overfull_parts, pdf_of
from sheetgen.products.product import Argument, Product, ProductResult, default_stem, fonts_of, opened_pack
from sheetgen.workspace.archive import archive
from sheetgen.workspace.packs import Pack, owner_of, sources, template_folders
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import slugs

T = TypeVar("T")

PLAIN_LOOK = "modern"
WHOLE_FREE = 6.0  # mm: what handouts as large as the paper leave free at its edges; the frames of posters stand there


def pack_files(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the files of a pack's own handouts, or of those of the pack that it extends."""
    return handout_files((pack.folder, *(project.library.packs[name] for name in pack.system.lineage)))


def catalogue_of(project: Project, pack: Pack | None) -> Catalogue:
    """Return all styles and looks, those in a pack's templates on top; InputError if the pack names an unknown look."""
    folders = (project.templates,) if pack is None else tuple(reversed(template_folders(project, pack)))
    files = [(folder, folder / FILE) for folder in folders if (folder / FILE).is_file()]
    shown = [(folder, file, project.shown(file)) for folder, file in files]
    found = read_catalogue((read_file(file, name, inside=folder), name) for folder, file, name in shown)
    if pack is not None and pack.system.look not in ("", *found.looks):
        near = suggestion(pack.system.look, found.looks)
        raise InputError([Problem(pack.system.place, f"unknown look {quoted(pack.system.look)}{near}")])
    return found


def chosen_files(project: Project, pack: Pack, names: Collection[str]) -> tuple[Path, ...]:
    """Return the files of the handouts of these names, or of all; UsageError for a name that is not there."""
    files = pack_files(project, pack)
    if not files:
        raise UsageError(f"{pack.system.title} has no handouts: its pack has no handouts/ folder")
    known = {file.stem: file for file in files}
    for name in names:
        if name not in known:
            near = suggestion(name, known) or f"; there are {', '.join(known)}"
            raise UsageError(f"{pack.system.title} has no handout {quoted(name)}{near}")
    return tuple(file for name, file in known.items() if not names or name in names)


def read_all(project: Project, pack: Pack) -> tuple[Handout, ...]:
    """Return every handout of a pack, pictures looked for; InputError with every problem of theirs."""

    def read() -> tuple[Handout, ...]:
        catalogue, found, problems = catalogue_of(project, pack), list[Handout](), list[Problem]()
        for file in pack_files(project, pack):
            root = _root(project, pack, file)
            try:
                found.append(_read(project, file, root, catalogue, ""))
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)
        return tuple(found)

    return pack.run_isolated(read)


def printed_handouts(
    project: Project, pack: Pack | None, files: Iterable[Path], chosen: HandoutsOptions
) -> Iterator[PrintedHandout]:
    """Yield the handouts in these files, set one by one; InputError names the file and what is wrong, or too long, in
    it.
    """
    for file in files:
        ours = project.is_ours(file) and (pack is None or pack.ours)
        root = _root(project, pack, file)
        source = partial(source_at, file, project.shown(file), inside=root)
        work = _work(project, pack, file, source, chosen, kept=ours)
        yield _run_isolated(work, ours=ours, shown=project.shown(file))


def handout_of_text(
    project: Project, pack: Pack | None, file: Path, text: str, chosen: HandoutsOptions
) -> PrintedHandout:
    """Return what a file would be as a handout if it held this text; errors as `printed_handouts`."""
    source = HandoutSource(text.encode(), file.stem, file.suffix.lower(), project.shown(file))
    return _run_isolated(_work(project, pack, file, lambda: source, chosen), ours=False, shown=project.shown(file))


def _work(
    project: Project,
    pack: Pack | None,
    file: Path,
    source: Callable[[], HandoutSource],
    chosen: HandoutsOptions,
    *,
    kept: bool = False,
) -> Callable[[], PrintedHandout]:
    """Return what reads a source and sets it; what the processes that do it need is imported before they are forked.

    If it may be `kept`, its pages come out of the cache of pages when they are set again.
    """
    look = chosen.look or (pack.system.look if pack is not None else "") or PLAIN_LOOK
    use_bundled_fonts(project)
    from sheetgen.pdf.flow import document, layout  # noqa: F401  # imports WeasyPrint

    flow: Callable[..., bytes] = document.flow
    overfull: Callable[..., frozenset[str]] = document.overfull
    if kept and pack is not None:
        flow, overfull = partial(pdf_of, project, pack), partial(overfull_parts, project, pack)
    fonts, _ = fonts_of(project, chosen.font)
    folders = (project.templates,) if pack is None else template_folders(project, pack)
    page, root = partial(render, environment(folders, project.shown), TEMPLATE), _root(project, pack, file)

    def work() -> PrintedHandout:
        catalogue = catalogue_of(project, pack)
        _check_words(chosen, catalogue)
        handout = read_handout(source(), catalogue, style=chosen.style)
        picture = _picture_below(handout, file, root)
        setter = HandoutSetter(
            pack, page, catalogue, catalogue.looks[handout.look or look], chosen, flow, overfull, fonts
        )
        return setter.printed(handout, root, picture)

    return work


def styles_of(project: Project, pack: Pack | None) -> Catalogue:
    """Return the catalogue for whoever asks what there is."""
    return catalogue_of(project, pack) if pack is None else pack.run_isolated(lambda: catalogue_of(project, pack))


def _run_isolated(work: Callable[[], T], *, ours: bool, shown: str) -> T:
    return work() if ours else confined(work, what=shown, limits=PUBLICATION)


def _check_words(chosen: HandoutsOptions, catalogue: Catalogue) -> None:
    for what, word, known in (("style", chosen.style, catalogue.styles), ("look", chosen.look, catalogue.looks)):
        if word and word not in known:
            near = suggestion(word, known) or f"; there are {', '.join(known)}"
            raise UsageError(f"unknown {what} {quoted(word)}{near}")


def _root(project: Project, pack: Pack | None, file: Path) -> Path:
    """Return the folder that a handout's picture must be in: its pack, or the folder of the file."""
    packs = () if pack is None else (pack.folder, *(project.library.packs[name] for name in pack.system.lineage))
    return next((folder for folder in packs if file.is_relative_to(folder)), file.parent)


def _read(project: Project, file: Path, root: Path, catalogue: Catalogue, style: str) -> Handout:
    handout = read_handout(source_at(file, project.shown(file), inside=root), catalogue, style=style)
    _picture_below(handout, file, root)
    return handout


def _picture_below(handout: Handout, file: Path, root: Path) -> str:
    """Return the file of a handout's picture below the root; InputError at its place if it is not there."""
    for name, kind in handout.style.fields.items():
        entry = handout.entries.get(name)
        if kind != "picture" or not isinstance(entry, str) or not entry:
            continue
        path, _ = pictured(entry)
        found, place = (file.parent / path).resolve(), handout.places[name]
        if not found.is_relative_to(root.resolve()):
            raise InputError([Problem(place, f"picture {quoted(path)} lies outside {root.name}/ (copy it there)")])
        if not found.is_file():
            near = (
                suggestion(found.name, (each.name for each in found.parent.iterdir())) if found.parent.is_dir() else ""
            )
            raise InputError([Problem(place, f"no picture {quoted(path)} there{near}")])
        return str(found.relative_to(root.resolve()))
    return ""


@dataclass(frozen=True, slots=True)
class HandoutFiles:
    """Files of handouts, and the pack that they belong to.

    `own` names files that were named rather than found, `in_book` those that the pack's book prints, in its order.
    """

    pack: Pack | None
    files: tuple[Path, ...]
    own: tuple[Path, ...] = ()
    in_book: tuple[str, ...] = ()

    @property
    def advice(self) -> tuple[str, ...]:
        """Which of a pack's handouts its book uses, and how many are left for other evenings."""
        free = len(self.files) - len(self.in_book)
        if not self.in_book or not free:
            return ()
        only = " ".join(f"--only {name}" for name in self.in_book)
        other = "the other is for an evening" if free == 1 else f"the other {free} are for evenings"
        return (f"those of its book are {only}; {other} of your own",)


def _open(project: Project, given: Any, options: HandoutsOptions) -> HandoutFiles:
    """Return the files that are named or, for a system, its own; UsageError if there are neither.

    Given are words, or for the library a pack or a path, or several of these.
    """
    listed = [given] if isinstance(given, (Pack, Path, str)) else list(given)
    files = [each for each in listed if isinstance(each, Path) or (isinstance(each, str) and _is_file(each))]
    systems = [each for each in listed if each not in files]
    if len(systems) > 1:
        raise UsageError("handouts of one system at a time: name one, and files of your own beside it if you like")
    if not listed:
        raise UsageError("which handouts? name a system, or a file .md or .yaml (sheetgen handouts --help explains)")
    if options.only and files:
        raise UsageError("--only chooses among the handouts of a system, and files are named")
    for each in systems:
        if isinstance(each, str) and each not in project.library.packs and _is_folder_of_files(project.where / each):
            raise UsageError(
                f"{quoted(each)} is a folder: name the files in it (sheetgen handouts {each.rstrip('/')}/*.md)"
            )
    pack = opened_pack(project, systems[0], Options()) if systems else None
    if pack is None or files:
        named = tuple(project.where / each for each in files)
        return HandoutFiles(pack, named, named)
    found = chosen_files(project, pack, options.only)
    if options.only:
        return HandoutFiles(pack, found)
    in_book = {name: at for at, name in enumerate(_in_book(project, pack))}
    found = tuple(sorted(found, key=lambda file: in_book.get(file.stem, len(in_book))))
    return HandoutFiles(pack, found, in_book=tuple(in_book))


def _in_book(project: Project, pack: Pack) -> tuple[str, ...]:
    """Return the names of the handouts that a pack's book prints, in its order; none if there is no sound book."""
    try:
        return tuple(pack.run_isolated(lambda: tuple(open_book(project, pack).book.handouts)))
    except (InputError, UsageError):
        return ()


def _is_file(word: str) -> bool:
    """Return whether a word names a file of a handout, not a system or its folder."""
    return Path(word).suffix.lower() in READABLE and Path(word).name != "system.yaml"


def _is_folder_of_files(path: Path) -> bool:
    """Return whether a folder is no pack and has files of handouts."""
    return not (path / "system.yaml").exists() and any(path.glob("*.md"))


def on_sheets(found: Sequence[PrintedHandout], options: HandoutsOptions, *, title: str) -> ProductResult:
    """Return large handouts as they are, then the small ones side by side, as one PDF under a title.

    Large ones with less free at their edges than the printer needs are drawn smaller. UsageError for one too large for
    the paper.
    """
    small = [each for each in found if not each.whole]
    large = [each for each in found if each.whole]
    parts = [each.data for each in large]
    paper = PAPERS[options.paper]
    smaller = min(1.0, *((side - 2 * options.margin) / (side - 2 * WHOLE_FREE) for side in (paper.width, paper.height)))
    if large and smaller < 1.0:
        parts = [_shrunk(each.data, each.pages, each.size, smaller) for each in large]
    if small:
        parts += _beside(small, options)
    data = concatenate(parts, title=title)
    count = page_count(data)
    stack = f"{count} sheet{'' if count == 1 else 's'} of {paper_name(options.paper)}"
    advice = [f"{stack}, printed on one side, at actual size (100 %)"]
    if large and smaller < 1.0:
        kept = f"so that {options.margin:g} mm stay free for your printer"
        advice.append(f"those as large as the paper are drawn at {100 * smaller:.0f} % of their size, {kept}")
    if small:
        advice.append(f"cut the small ones {'along the marks at their corners' if options.marks else 'out'}")
    return ProductResult(data, title, (*advice, *(note for each in found for note in each.notes)))


def _shrunk(pages: bytes, count: int, paper: Size, smaller: float) -> bytes:
    """Return pages as large as the paper with everything on them drawn smaller around the middle."""
    plan = ImpositionPlan(1, 1, tuple(Side((number + 1,)) for number in range(count)))
    return impose_pages(pages, Imposition(plan, paper, margin=paper.width * (1 - smaller) / 2))


def _beside(found: Sequence[PrintedHandout], options: HandoutsOptions) -> Iterator[bytes]:
    """Yield the PDF of each sheet of small handouts."""
    sizes = [each.size for each in found for _ in range(each.pages)]
    try:
        sheets = packed(sizes, PAPERS[options.paper], margin=options.margin)
    except ValueError as error:
        each = [each for each in found for _ in range(each.pages)][error.args[0]]
        size = f"{each.size.width:g} × {each.size.height:g} mm"
        what = f"a {each.style} of {size} does not fit on {paper_name(options.paper)}"
        less = " or a smaller --margin" if options.margin > PRINTER_MARGIN else ""
        raise UsageError(f"{what} ({each.name}): take a larger paper{less}") from None
    pages = concatenate([each.data for each in found], title="")
    names = tuple(each.title for each in found for _ in range(each.pages))
    for sheet in sheets:
        side = Side(tuple(number + 1 for number in sheet.pieces))
        known = options.margin if options.margin > PRINTER_MARGIN else None
        lines = corner_marks(sheet.cells, sheet.paper, margin=known or EDGE)
        marks = Marks(lines, rule=check_rule(sheet.cells, sheet.paper, margin=known))
        plan = ImpositionPlan(len(sheet.pieces), 1, (side,))
        made = Imposition(plan, sheet.paper, cells=sheet.cells, names=names)
        if options.marks:
            made = replace(made, marks=(marks,), font=label_font(RULER_LABEL))
        yield impose_pages(pages, made)


def make_handouts(project: Project, subject: HandoutFiles, options: HandoutsOptions, form: str) -> ProductResult:
    """Return handouts on sheets (.pdf), as one picture (.png), or each alone (.zip).

    UsageError for a picture of more than one page, and as `on_sheets`.
    """
    pack, pieces = subject.pack, list[bytes]()
    found = tuple(printed_handouts(project, pack, subject.files, options))
    what = f"{found[0].style} “{_within(found[0].title)}”" if len(found) == 1 else f"{len(found)} handouts"
    if form == ".pdf":
        title = f"{pack.system.title} handouts" if pack is not None else "Handouts"
        made = on_sheets(found, options, title=title)
        return replace(made, what=what, advice=(*made.advice, *subject.advice))
    if form == ".png":
        pages = sum(each.pages for each in found)
        if pages != 1:
            raise UsageError(
                f"a .png holds one page, and these are {pages}: name one with --only, or make a .pdf or .zip"
            )
        from sheetgen.pdf.pdfium import pictures  # imports PDFium

        return ProductResult(b"".join(pictures(found[0].data)), what)
    with archive(pieces.append) as add:
        for each, name in zip(found, slugs(each.name for each in found), strict=True):
            add(f"{name}.pdf", lambda put, each=each: put(concatenate([each.data], title=each.title)))  # type: ignore[misc]
    return ProductResult(b"".join(pieces), what)


def _within(title: str) -> str:
    """Return a title as it stands between quotes."""
    return title.replace("“", "‘").replace("”", "’")


def _inputs(project: Project, subject: HandoutFiles) -> tuple[Path, ...]:
    return (*subject.files, *(sources(project, subject.pack) if subject.pack else ()))


def _stem(subject: HandoutFiles, options: HandoutsOptions) -> str:
    if subject.pack is not None and not subject.own:
        what = options.only[0] if len(options.only) == 1 else "handouts"
        return default_stem(subject.pack, what, options.paper)
    size = "" if options.paper == "a4" else f"-{options.paper}"
    return f"{subject.own[0].stem if len(subject.own) == 1 else 'handouts'}{size}"


HANDOUTS: Product[HandoutFiles, HandoutsOptions] = Product(
    "handouts",
    "letters, notices, telegrams: a system's own, or of your own words",
    formats=(".pdf", ".png", ".zip"),
    options=HandoutsOptions,
    arguments=(Argument("what", "a system or pack, or files .md and .yaml, or both", "SYSTEM|FILE", "*"),),
    open=_open,
    make=make_handouts,
    stem=_stem,
    inputs=_inputs,
    facts=lambda project, subject: {"system": subject.pack.system.id} if subject.pack else {},
    variants=lambda project, pack: [("handouts", HandoutsOptions())] if pack_files(project, pack) else [],
    owner=lambda project, subject: owner_of(project, subject.pack) if subject.pack else "",
    shaped_by="handouts",
)
