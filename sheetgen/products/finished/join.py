"""Several PDFs in one, ours or anybody's: with bookmarks, a page of contents, and blanks where a part begins right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheetgen.batch.child import scratch_folder
from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.errors import UsageError
from sheetgen.geometry import Box, Size, millimetres, mm
from sheetgen.pdf.acroform.fill import draw_values
from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.press.join import JoinPlan, PartFacts, facts_of, joined
from sheetgen.press.pages import Pdf, opened
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.options import Options, choice
from sheetgen.products.product import Argument, Product, ProductResult
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.project import Project

TEMPLATE = "press/contents.html"
MARGIN, HEAD, ROW, LEAST, MOST_PARTS = 20.0, 24.0, 9.0, 100.0, 200  # mm, but the last
LIMITS = replace(PUBLICATION, file_mb=400, memory_mb=900)


@dataclass(frozen=True, kw_only=True)
class JoinOptions(Options):
    """What stands before and between the parts."""

    title: str = choice("", "what the whole is called; over the contents", read=str, metavar="TEXT")
    contents: bool = choice(True, "a page of contents in front, with links", negatable=True)
    right: bool = choice(True, "blank pages, so that each part begins on a right-hand page", negatable=True)


@dataclass(frozen=True, slots=True)
class JoinedFiles:
    """The files to be joined, in order."""

    paths: tuple[Path, ...]


def make_join(project: Project, files: JoinedFiles, options: JoinOptions, form: str) -> ProductResult:
    """Return all pages of the files as one PDF; InputError for the first that cannot be read."""
    facts = tuple(read_pdf(path, project.shown(path), facts_of) for path in files.paths)
    titles = tuple(each.title or path.stem for each, path in zip(facts, files.paths, strict=True))
    size = Size(*(max(LEAST, millimetres(side)) for side in facts[0].size))
    each_page = max(1, int((size.height - 2 * MARGIN - HEAD) / ROW))
    fronts = -(-len(facts) // each_page) if options.contents else 0
    starts = _starts(facts, fronts, options)
    whole = options.title or (titles[0] if len(titles) == 1 else "Contents")
    front = _contents(project, whole, tuple(zip(titles, starts, strict=True)), size, each_page) if fronts else b""
    links = tuple(_links(starts, size, each_page)) if fronts else ()
    plan = JoinPlan(options.title or " · ".join(titles)[:200], titles, starts, links, options.right)
    with scratch_folder() as folder:
        target = Path(folder) / "joined.pdf"

        def work() -> tuple[str, ...]:
            with ExitStack() as stack:
                return joined(front, _opened(project, files.paths, stack), facts, plan, target)

        notes = confined(work, what="these files together", limits=LIMITS)
        data = target.read_bytes()
    pages = starts[-1] + facts[-1].pages
    blank = pages - fronts - sum(each.pages for each in facts)
    blanks = f", {blank} of them blank" if blank else ""
    advice = ("printed on both sides, each part begins on a front",) if options.right else ()
    return ProductResult(data, f"{len(facts)} files, {pages} pages{blanks}", advice, notes=notes)


def _opened(project: Project, paths: Sequence[Path], stack: ExitStack) -> Iterator[Pdf]:
    """Yield each file, open until all is written, the values of its fields drawn."""
    for path in paths:
        source = stack.enter_context(opened(path, project.shown(path)))
        draw_values(source, project.shown(path), load_face)
        yield source


def _starts(facts: Sequence[PartFacts], fronts: int, options: JoinOptions) -> tuple[int, ...]:
    """Return the page on which each part begins, from 0."""
    found, at = list[int](), fronts
    for each in facts:
        at += at % 2 if options.right else 0
        found.append(at)
        at += each.pages
    return tuple(found)


def _contents(project: Project, title: str, rows: Sequence[tuple[str, int]], size: Size, each_page: int) -> bytes:
    from sheetgen.documents.render import environment, render  # imports Jinja
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    listed = [{"title": name, "page": start + 1} for name, start in rows]
    pages = [listed[at : at + each_page] for at in range(0, len(listed), each_page)]
    data: dict[str, Any] = {"title": title, "pages": pages, "width": size.width, "height": size.height}
    data |= {"margin": MARGIN, "head": HEAD, "row": ROW}
    html = render(environment((project.templates,), project.shown), TEMPLATE, data)
    use_bundled_fonts(project)
    return flow(html, root=project.templates, name="contents")


def _links(starts: Sequence[int], size: Size, each_page: int) -> Iterator[tuple[int, Box, int]]:
    """Yield the box of each row of the contents, and where it leads."""
    for number, start in enumerate(starts):
        page, row = divmod(number, each_page)
        top = mm(size.height - MARGIN - HEAD - row * ROW)
        yield page, Box(mm(MARGIN), top - mm(ROW), mm(size.width - 2 * MARGIN), mm(ROW)), start


def _open(project: Project, given: Any, options: JoinOptions) -> JoinedFiles:
    listed = [given] if isinstance(given, (str, Path)) else list(given)
    if len(listed) > MOST_PARTS:
        raise UsageError(f"{MOST_PARTS} files at the most are joined, not {len(listed)}")
    return JoinedFiles(tuple(project.where / each for each in listed))


JOIN: Product[JoinedFiles, JoinOptions] = Product(
    "join",
    "several PDFs in one, with bookmarks and one contents in front",
    formats=(".pdf",),
    options=JoinOptions,
    arguments=(Argument("files", "PDFs, ours or anybody's, in order", "FILE.pdf", "+"),),
    open=_open,
    make=make_join,
    stem=lambda files, options: "joined",
    inputs=lambda project, files: files.paths,
)
