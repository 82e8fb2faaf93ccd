"""Shards of one run merged into the file that a single run would have made, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.geometry import PEOPLE_PAPERS
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.pdf.form.compositor import Sheet
from sheetgen.pdf.form.form import NewResources
from sheetgen.pdf.form.shard import ShardFacts, read_facts, read_piece
from sheetgen.pdf.form.stamp import Stamp
from sheetgen.products.batch_pdf import digests, forms_of, stamp_of
from sheetgen.products.options import Options, font_option
from sheetgen.products.product import Argument, Product, ProductResult, Sink, fonts_of
from sheetgen.products.shapes import SHAPES, PrintOptions, RosterHeading, shape_named
from sheetgen.version import __version__
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

SAME = ("run", "of", "count", "version", "system", "shape", "paper", "back", "fonts")
MOST_NAMED = 8  # missing shards in a message
MOST_PAGES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class MergeOptions(Options):
    """What shards were made with that they do not hold."""

    font: tuple[str, ...] = font_option("as the shards were made, in the same order")


@dataclass(frozen=True, slots=True)
class Shards:
    """The files of all shards of a run, and the fonts that were added to it."""

    paths: tuple[Path, ...]
    fonts: tuple[AddedFont, ...] = ()
    font_files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _ShardFile:
    """A file and the shard that it is."""

    path: Path
    place: Place
    facts: ShardFacts

    def refused(self, why: str) -> InputError:
        return InputError([Problem(self.place, why)])


def merge(project: Project, subject: Shards, options: MergeOptions, sink: Sink) -> ProductResult:
    """Write all sheets of the shards in the order of the run.

    InputError for a file that is no shard, belongs to another run, stands twice, or for a shard that is missing, and
    for other added fonts than the shards were made with.
    """
    shards = _in_order([_shard(project, path) for path in subject.paths])
    _check_fonts(shards[0], subject.fonts)
    pack, stamp, backgrounds = _begin(project, shards[0], sink.write, subject.fonts)
    printed, shown = 0, sink.reporter.progress(len(shards), "shards")
    for number, shard in enumerate(shards, 1):
        with _refuse_damaged(shard):
            for sheet, new in _sheets(shard):
                if not all(0 <= background < backgrounds for background, _ in sheet.pages):
                    raise ValueError
                stamp.add_resources(new)
                stamp.put(sheet)
                printed += 1
        shown(number)
    with _refuse_damaged(shards[0]):
        stamp.close()
    return ProductResult(b"", f"{printed:,} of {pack.system.title}, from {len(shards)} shards")


@contextmanager
def _refuse_damaged(shard: _ShardFile) -> Iterator[None]:
    """Raise InputError for what breaks on entries that sheetgen never writes into a shard."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError, UnicodeError):
        raise shard.refused("holds what no shard holds: make it again") from None


def _shard(project: Project, path: Path) -> _ShardFile:
    shown = project.shown(path)
    return _ShardFile(path, Place(shown), _read(path, shown, partial(read_facts, shown=shown)))


_read = partial(read_pdf, most_pages=MOST_PAGES, whole=False)  # every page is unpacked as it is read


def _sheets(shard: _ShardFile) -> Iterator[tuple[Sheet, NewResources]]:
    """Yield every sheet of a shard, read piece by piece."""
    first, rows, shown = 0, 1, shard.place.file
    while first < rows:
        piece = _read(shard.path, shown, partial(read_piece, shown=shown, first=first))
        yield from piece.sheets
        first, rows = first + len(piece.sheets), piece.rows


def _in_order(shards: Sequence[_ShardFile]) -> list[_ShardFile]:
    """Return the shards from the first to the last, all of one run and all there."""
    first = shards[0]
    problems = list(_of_other_runs(first, shards))
    by_number: dict[int, _ShardFile] = {}
    for shard in shards:
        number = shard.facts.shard
        if number in by_number:
            problems.append(Problem(shard.place, f"is shard {number}, as is {by_number[number].place.file}"))
        by_number[number] = shard
    missing = [str(number) for number in range(1, first.facts.of + 1) if number not in by_number]
    if missing and not problems:
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        named = ", ".join(missing[:MOST_NAMED]) + more
        problems.append(Problem(first.place, f"is one of {first.facts.of} shards; missing: {named}"))
    if first.facts.version != __version__ and not problems:
        made = f"was made by sheetgen {quoted(first.facts.version)}, and this is {__version__}"
        problems.append(Problem(first.place, f"{made}: make the shards again"))
    if problems:
        raise InputError(problems)
    return [by_number[number] for number in sorted(by_number)]


def _of_other_runs(first: _ShardFile, shards: Iterable[_ShardFile]) -> Iterator[Problem]:
    for shard in shards:
        other = next((name for name in SAME if getattr(shard.facts, name) != getattr(first.facts, name)), "")
        if other:
            yield Problem(shard.place, f"belongs to another run than {first.place.file}: its {other} differs")


def _check_fonts(shard: _ShardFile, fonts: Sequence[AddedFont]) -> None:
    made, given = shard.facts.fonts, tuple(digests(fonts))
    if made == given:
        return
    if not made:
        raise shard.refused("was made without --font: leave it out")
    what = "other fonts" if given else "added fonts"
    raise shard.refused(f"was made with {what}: give the same --font FILE, in the same order")


def _begin(project: Project, shard: _ShardFile, write: Write, fonts: Sequence[AddedFont]) -> tuple[Pack, Stamp, int]:
    """Return the pack of a run, the stamp that writes its file, and how many backgrounds the pages of that can have."""
    facts = shard.facts
    named = {shape_named(name).named: name for name in SHAPES if shape_named(name).is_stamped}
    if facts.shape not in named or facts.paper not in PEOPLE_PAPERS or facts.system not in project.library.packs:
        raise shard.refused("was printed in a way that this sheetgen does not know, or for a system that is not here")
    pack = open_pack(project, facts.system)
    heading = RosterHeading(reroll_hint=facts.again)
    printing = PrintOptions(
        facts.paper, named[facts.shape], facts.back, fonts=tuple(fonts), heading=heading, asked=facts.asked
    )
    forms = forms_of(project, pack, printing)
    stamp = stamp_of(pack, forms, printing, count=facts.count)(write=write)
    return pack, stamp, sum(len(each.pages) for each in (*forms.form.all, forms.more))


def _open(project: Project, given: Sequence[Path | str], options: MergeOptions) -> Shards:
    return Shards(tuple(project.where / each for each in given), *fonts_of(project, options.font))


MERGE: Product[Shards, MergeOptions] = Product(
    "merge",
    "the shards of one run put together into one file",
    formats=(".pdf",),
    options=MergeOptions,
    arguments=(Argument("files", "all shards of one run, in any order", "SHARD.pdf", "+"),),
    open=_open,
    stem=lambda shards, options: "merged",
    inputs=lambda project, shards: (*shards.paths, *shards.font_files),
    stream=merge,
)
