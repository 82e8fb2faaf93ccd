"""Handouts found, read and set: each a small PDF of its own, as large as it will be when it is cut out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.content.handouts.reader import handout_files, read_handout, source_at
from sheetgen.content.handouts.styles import FILE, read_catalogue
from sheetgen.content.packs.folders import read_file
from sheetgen.documents.handout import TEMPLATE
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, UsageError, quoted, suggestion
from sheetgen.model.handout import Catalogue, Handout
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.handout_layout import HandoutSetter, LayoutOptions, PrintedHandout
from sheetgen.products.handout_sheets import HandoutSheetOptions, write_handouts
from sheetgen.products.options import MOST_MM, TonedOptions, choice, millimetres, paper_option
from sheetgen.products.product import Product, ProductResult, default_stem
from sheetgen.workspace.packs import Pack, owner_of, sources, template_folders
from sheetgen.workspace.project import Project

T = TypeVar("T")

PAPERS_FOR = ("a4", "letter", "a5", "a6")
PLAIN_LOOK = "modern"


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
    project: Project, pack: Pack | None, files: Iterable[Path], chosen: LayoutOptions
) -> Iterator[PrintedHandout]:
    """Yield the handouts in these files, set one by one; InputError names the file and what is wrong, or too long, in
    it.
    """
    look = chosen.look or (pack.system.look if pack is not None else "") or PLAIN_LOOK
    use_bundled_fonts(project)
    from sheetgen.pdf.flow import layout  # noqa: F401  # imports WeasyPrint once, before processes are forked that need it

    folders = (project.templates,) if pack is None else template_folders(project, pack)
    page = partial(render, environment(folders, project.shown), TEMPLATE)
    for file in files:
        ours = project.is_ours(file) and (pack is None or pack.ours)
        root = _root(project, pack, file)

        def work(file: Path = file, root: Path = root) -> PrintedHandout:
            catalogue = catalogue_of(project, pack)
            _check_words(chosen, catalogue)
            handout = _read(project, file, root, catalogue, chosen.style)
            setter = HandoutSetter(pack, page, catalogue, catalogue.looks[handout.look or look], chosen)
            return setter.printed(handout, root, _picture(handout, file, root))

        yield _run_isolated(work, ours=ours, shown=project.shown(file))


def styles_of(project: Project, pack: Pack | None) -> Catalogue:
    """Return the catalogue for whoever asks what there is."""
    return catalogue_of(project, pack) if pack is None else pack.run_isolated(lambda: catalogue_of(project, pack))


def _run_isolated(work: Callable[[], T], *, ours: bool, shown: str) -> T:
    return work() if ours else confined(work, what=shown, limits=PUBLICATION)


def _check_words(chosen: LayoutOptions, catalogue: Catalogue) -> None:
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
    _picture(handout, file, root)
    return handout


def _picture(handout: Handout, file: Path, root: Path) -> str:
    """Return the address of a handout's picture below the root; InputError at its place if it is not there."""
    for name, kind in handout.style.fields.items():
        path = handout.entries.get(name)
        if kind != "picture" or not isinstance(path, str) or not path:
            continue
        found, place = (file.parent / path).resolve(), handout.places[name]
        if not found.is_relative_to(root.resolve()):
            raise InputError([Problem(place, f"picture {quoted(path)} lies outside {root.name}/ (copy it there)")])
        if not found.is_file():
            near = (
                suggestion(found.name, (each.name for each in found.parent.iterdir())) if found.parent.is_dir() else ""
            )
            raise InputError([Problem(place, f"no picture {quoted(path)} there{near}")])
        return quote(str(found.relative_to(root.resolve())))
    return ""


@dataclass(frozen=True, slots=True)
class HandoutFiles:
    """Files of handouts, and the pack that they belong to; `own` names files that were named rather than found."""

    pack: Pack | None
    files: tuple[Path, ...]
    own: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HandoutsOptions(TonedOptions):
    """Which handouts of a pack, in which style and look, on which paper; `margin` in mm."""

    only: tuple[str, ...] = choice((), "only this one of a system's handouts", read=str, repeated=True, metavar="NAME")
    style: str = choice("", "for files that name none: letter, telegram, …", read=str, metavar="NAME")
    look: str = choice("", "for those that name none: western, noir, space, …", read=str, metavar="NAME")
    paper: str = paper_option(PAPERS_FOR, "handouts are made for")
    margin: float = choice(
        PRINTER_MARGIN,
        f"what your printer cannot print on (default {PRINTER_MARGIN:g}); small ones keep clear of it",
        read=millimetres(0, MOST_MM),
        metavar="MM",
    )
    marks: bool = choice(True, "where to cut small ones out, and a ruler", negatable=True)


def handouts_of(project: Project, pack: Pack | None, named: Sequence[Path], only: Collection[str]) -> HandoutFiles:
    """Return the named files, or else the pack's own handouts; UsageError if there is neither."""
    if named or pack is None:
        if not named:
            raise UsageError("which handouts? name a system, or a file .md or .yaml")
        return HandoutFiles(pack, tuple(named), tuple(named))
    return HandoutFiles(pack, chosen_files(project, pack, only))


def make_handouts(project: Project, subject: HandoutFiles, options: HandoutsOptions, form: str) -> ProductResult:
    """Return handouts on sheets (.pdf), as one picture (.png), or each alone (.zip)."""
    pack = subject.pack
    chosen = LayoutOptions(options.paper, options.tone, options.style, options.look)
    found, pieces = tuple(printed_handouts(project, pack, subject.files, chosen)), list[bytes]()
    title = f"{pack.system.title} handouts" if pack is not None else "Handouts"
    trim = HandoutSheetOptions(options.paper, options.margin, options.marks)
    advice = write_handouts(found, pieces.append, trim, form=form, title=title)
    what = f"{found[0].style} “{found[0].title}”" if len(found) == 1 else f"{len(found)} handouts"
    return ProductResult(b"".join(pieces), what, advice)


def _inputs(project: Project, subject: HandoutFiles) -> tuple[Path, ...]:
    return (*subject.files, *(sources(project, subject.pack) if subject.pack else ()))


def _stem(subject: HandoutFiles, options: HandoutsOptions) -> str:
    if subject.pack is not None and not subject.own:
        what = options.only[0] if len(options.only) == 1 else "handouts"
        return default_stem(subject.pack, what, options.paper)
    size = "" if options.paper == "a4" else f"-{options.paper}"
    return f"{subject.own[0].stem if len(subject.own) == 1 else 'handouts'}{size}"


def _variants(project: Project, pack: Pack) -> Iterator[tuple[str, HandoutsOptions]]:
    if pack_files(project, pack):
        yield "handouts", HandoutsOptions()


HANDOUTS: Product[HandoutFiles, HandoutsOptions] = Product(
    "handouts",
    "letters, notices, telegrams: a system's own, or of your own words",
    formats=(".pdf", ".png", ".zip"),
    options=HandoutsOptions,
    make=make_handouts,
    stem=_stem,
    inputs=_inputs,
    facts=lambda project, subject: {"system": subject.pack.system.id} if subject.pack else {},
    of_pack=lambda project, pack: HandoutFiles(pack, pack_files(project, pack)),
    variants=_variants,
    owner=lambda project, subject: owner_of(project, subject.pack) if subject.pack else "",
    shaped_by="handouts",
)
