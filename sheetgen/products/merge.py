"""Merging shards into the file that a single run would have made, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.compositor import NewResources, Sheet
from sheetgen.pdf.form.shard import ShardFacts, read_facts, read_piece
from sheetgen.pdf.form.stamp import Stamp
from sheetgen.products.batch_pdf import FEW, digests, forms_of
from sheetgen.products.formats import SHAPES
from sheetgen.version import __version__
from sheetgen.workspace.foreign_pdf import read_pdf
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

SAME = ("run", "of", "count", "version", "system", "shape", "paper", "back", "fonts")
MOST_NAMED = 8  # missing shards in a message
MOST_PAGES = 1_000_000
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The result of a merge: the title of the system, and how many people and shards it holds."""

    system: str
    printed: int
    shards: int


@dataclass(frozen=True, slots=True)
class _ShardFile:
    """A file and the shard that it is."""

    path: Path
    place: Place
    facts: ShardFacts

    def refused(self, why: str) -> InputError:
        return InputError([Problem(self.place, why)])


def merge(
    project: Project,
    paths: Sequence[Path],
    write: Write,
    *,
    fonts: Sequence[AddedFont] = (),
    progress: Progress = lambda done: None,
) -> MergeResult:
    """Write all sheets of the shards in the order of the run; `progress` is told of each shard that is done.

    InputError for a file that is no shard, belongs to another run, stands twice, or for a shard that is missing, and
    for other added fonts than the shards were made with.
    """
    shards = _in_order([_shard(project, path) for path in paths])
    _check_fonts(shards[0], fonts)
    pack, stamp, backgrounds = _begin(project, shards[0], write, fonts)
    printed = 0
    for number, shard in enumerate(shards, 1):
        with _refuse_damaged(shard):
            for sheet, new in _sheets(shard):
                if not all(0 <= background < backgrounds for background, _ in sheet.pages):
                    raise ValueError
                stamp.add_resources(new)
                stamp.put(sheet)
                printed += 1
        progress(number)
    with _refuse_damaged(shards[0]):
        stamp.close()
    return MergeResult(pack.system.title, printed, len(shards))


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
    shape = next((shape for shape in SHAPES.values() if shape.named == facts.shape), None)
    if shape is None or facts.paper not in SHEET_PAPERS or facts.system not in project.library.packs:
        raise shard.refused("was printed in a way that this sheetgen does not know, or for a system that is not here")
    pack = open_pack(project, facts.system)
    forms = forms_of(project, pack, shape, paper=facts.paper, back=facts.back)
    stamp = Stamp(
        forms.form,
        write,
        title=f"{pack.system.title} characters",
        author=pack.system.credit,
        more=forms.more,
        pictures=facts.count > FEW,
        plate=shape.plate(facts.paper),
        added=fonts,
    )
    return pack, stamp, len(forms.form.pages) + len(forms.more.pages)
