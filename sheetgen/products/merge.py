"""Shards put together into what the single run would have given, to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sheetgen.errors import InputError, Problem
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.shard_reader import Shard
from sheetgen.pdf.form.stamp import Stamp
from sheetgen.products.batch_pdf import FEW, digests, forms_of
from sheetgen.products.formats import SHAPES, Shape
from sheetgen.version import __version__
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

SAME = ("run", "of", "count", "version", "system", "shape", "paper", "back", "fonts")
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of a merge: the system, how many people, and how many shards."""

    system: str
    printed: int
    shards: int


def merge(
    project: Project,
    paths: Sequence[Path],
    write: Write,
    *,
    fonts: Sequence[AddedFont] = (),
    progress: Progress = lambda done: None,
) -> Merged:
    """Writes all sheets of the shards in the order of the run; `progress` is told of each shard that is done.

    InputError for a file that is no shard, belongs to another run, stands twice, or for a shard that is missing, and
    for other added fonts than the shards were made with.
    """
    with ExitStack() as stack:
        shards = [stack.enter_context(_opened(path, project)) for path in paths]
        shards = _in_order(shards)
        facts = shards[0].facts
        _check_fonts(shards[0], fonts)
        pack = open_pack(project, str(facts["system"]))
        stamp = _stamp(project, pack, facts, write, fonts)
        printed = 0
        for number, shard in enumerate(shards, 1):
            for sheet, news in shard.sheets():
                stamp.learn(news)
                stamp.put(sheet)
                printed += 1
            progress(number)
        stamp.close()
    return Merged(pack.system.title, printed, len(shards))


class _Open:
    """A shard that is closed when its block ends."""

    def __init__(self, shard: Shard) -> None:
        self.shard = shard

    def __enter__(self) -> Shard:
        return self.shard

    def __exit__(self, *error: object) -> None:
        self.shard.close()


def _opened(path: Path, project: Project) -> _Open:
    return _Open(Shard(path, project.shown(path)))


def _in_order(shards: Iterable[Shard]) -> list[Shard]:
    """The shards from the first to the last, all of one run and all there."""
    shards = list(shards)
    first = shards[0]
    problems = list(_strangers(first, shards))
    by_number: dict[int, Shard] = {}
    for shard in shards:
        number = int(shard.facts["shard"])
        if number in by_number:
            problems.append(Problem(shard.place, f"is shard {number}, as is {by_number[number].place.file}"))
        by_number[number] = shard
    of = int(first.facts["of"])
    missing = [str(number) for number in range(1, of + 1) if number not in by_number]
    if missing and not problems:
        problems.append(Problem(first.place, f"is one of {of} shards; missing: {', '.join(missing)}"))
    if first.facts["version"] != __version__ and not problems:
        made = f"was made by sheetgen {first.facts['version']}, and this is {__version__}"
        problems.append(Problem(first.place, f"{made}: make the shards again"))
    if problems:
        raise InputError(problems)
    return [by_number[number] for number in sorted(by_number)]


def _strangers(first: Shard, shards: Iterable[Shard]) -> Iterator[Problem]:
    for shard in shards:
        other = next((name for name in SAME if shard.facts.get(name) != first.facts.get(name)), "")
        if other:
            yield Problem(shard.place, f"belongs to another run than {first.place.file}: its {other} differs")


def _check_fonts(shard: Shard, fonts: Sequence[AddedFont]) -> None:
    made, given = shard.facts.get("fonts", []), digests(fonts)
    if made == given:
        return
    if not made:
        raise InputError([Problem(shard.place, "was made without --font: leave it out")])
    what = "other fonts" if given else "added fonts"
    raise InputError([Problem(shard.place, f"was made with {what}: give the same --font FILE, in the same order")])


def _stamp(project: Project, pack: Pack, facts: dict[str, object], write: Write, fonts: Sequence[AddedFont]) -> Stamp:
    shape = _shape(str(facts["shape"]))
    paper, back, system = str(facts["paper"]), bool(facts["back"]), pack.system
    forms = forms_of(project, pack, shape, paper=paper, back=back)
    return Stamp(
        forms.form,
        write,
        title=f"{system.title} characters",
        author=system.credit,
        more=forms.more,
        pictures=int(str(facts["count"])) > FEW,
        plate=shape.plate(paper),
        added=fonts,
    )


def _shape(named: str) -> Shape:
    return next(shape for shape in SHAPES.values() if shape.named == named)
