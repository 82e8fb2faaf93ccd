"""Character files read and judged: YAML, JSON or a table in, characters of opened packs out; and made by choice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.content.packs.folders import MANIFEST, read_file
from sheetgen.content.people.characters import read_characters, read_group_title, system_named
from sheetgen.content.people.spreadsheet import Grid, characters_of, grids, read_csv
from sheetgen.content.people.workbook import WORKBOOKS, Workbook, read_workbook
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.content.yaml.nodes import Node, Scalar, cut_off_texts, parse
from sheetgen.documents.export.characters import yaml_text
from sheetgen.errors import InputError, Place, Problem, UsageError, among, quoted, suggestion
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import Character, PictureFile
from sheetgen.model.system import System
from sheetgen.pdf.pictures import Portrait, read_portrait
from sheetgen.rules.conversation import Interview, PresetAnswers, Prompt, question_after
from sheetgen.rules.interview import interview
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, is_path

UNNAMED = "new.yaml"
LONGEST_NUMBER, LONGEST_PATH = 9, 190
DELIMITED = (".csv", ".tsv")
READABLE = (".yaml", ".yml", ".json", *DELIMITED, *WORKBOOKS)
WORKBOOK_LIMITS = Limits(memory_mb=1_000, cpu_s=60, wall_s=120, file_mb=1)
LARGEST_PICTURE = FileLimit(20_000_000, 1, "make it smaller")
MOST_PICTURES = 200_000_000  # bytes of all pictures of a file as they are embedded
PICTURE_LIMITS = Limits(memory_mb=700, cpu_s=20, wall_s=60)
# Ten thousand characters may be 12 MB of YAML or 13 MB of JSON, a million values, and take some 350 MB of memory.
MOST = FileLimit(
    60_000_000, 1_250_000, "split it into files of fewer characters; `sheetgen sheet` takes several at once"
)
Opened = tuple[Pack, Node, tuple[Problem, ...]]


@dataclass(frozen=True, slots=True)
class Party:
    """The characters of one file, their pack, and notes on texts that may be written by mistake.

    `group` is what the file says of the group that they are.
    """

    pack: Pack
    characters: tuple[Character, ...]
    notes: tuple[Problem, ...] = ()
    group: GroupTitle | None = None


def read_party(project: Project, path: Path) -> Party:
    """Return the characters of a file of one game, valid by its rules; InputError with every problem of the file."""
    parties = read_parties(project, path)
    if len(parties) > 1:
        games = " and ".join(quoted(each.pack.system.id) for each in parties)
        message = f"holds characters of {games}, and one game is taken here (split the file)"
        raise InputError([Problem(Place(project.shown(path)), message)])
    return parties[0]


def read_parties(project: Project, path: Path, *, keep_columns: bool = False) -> tuple[Party, ...]:
    """Return the characters of a file, game by game; only tables hold several. InputError with every problem of it.

    With `keep_columns` the columns of a table that its game does not know are kept as somebody's own.
    """
    shown = project.shown(path)
    if path.suffix.lower() not in READABLE:
        raise InputError([Problem(Place(shown), f"characters are read from {', '.join(READABLE)} files")])
    problems, parties = Problems(), list[Party]()
    for pack, node, notes in _read(project, path, problems, keep_columns):
        characters = read_characters(node, pack.system, problems, judge=engine_of(pack.system).judge)
        group = read_group_title(node, pack.system, problems)
        if any(each.picture for each in characters):
            characters = with_portraits(path, characters, problems)
        parties.append(Party(pack, characters, notes, group))
    problems.raise_if_any()
    return tuple(parties)


def _read(project: Project, path: Path, problems: Problems, keep: bool) -> list[Opened]:
    """Return the packs that a file names, what it holds for each, and notes.

    The bytes and their table are freed on return.
    """
    shown, suffix = project.shown(path), path.suffix.lower()
    data = read_file(path, shown, most=MOST)
    if suffix in DELIMITED:
        return _games(project, path, read_csv(data, shown, problems, most=MOST), problems, keep)
    if suffix in WORKBOOKS:
        book = workbook_of(data, shown, ours=True)
        for problem in book.problems:
            problems.add(problem.place, problem.message)
        found = [grid for sheet in book.sheets for grid in grids(sheet.rows, sheet.file, problems)]
        games = _games(project, path, found, problems, keep)
        return [(pack, node, book.notes if at == 0 else ()) for at, (pack, node, _) in enumerate(games)]
    node = parse(data, shown, most=MOST)
    name = system_named(node, problems)
    problems.raise_if_any()
    notes = cut_off_texts(data, shown, most=MOST) if suffix != ".json" else ()
    return [(pack_named(project, name, path), node, notes)]


def workbook_of(data: bytes, shown: str, *, ours: bool) -> Workbook:
    """Return a workbook, `ours` or anybody's, read in a confined process."""
    work = partial(read_workbook, data, shown, most=MOST, ours=ours)
    return confined(work, what=shown, limits=WORKBOOK_LIMITS)


def _games(project: Project, path: Path, found: Sequence[Grid], problems: Problems, keep: bool) -> list[Opened]:
    packs = [pack_named(project, grid.system, path) for grid in found]
    games = [pack.system for pack in packs]
    nodes = (
        characters_of(grid, pack.system, problems, beside=games, keep=keep)
        for grid, pack in zip(found, packs, strict=True)
    )
    return [(pack, node, ()) for pack, node in zip(packs, nodes, strict=True)]


def name_in_files(project: Project, pack: Pack) -> str:
    """Return the name by which character files find a pack from the user's folder: its id where that is enough.

    Otherwise it is the path of its folder, relative to the user's.
    """
    name, folder = pack.system.id, pack.folder.resolve()
    known = project.library.packs.get(name, project.where / name)
    path = Path(os.path.relpath(folder, project.where.resolve())).as_posix()
    if known.resolve() == folder or len(path) > LONGEST_PATH or not path.isprintable():
        return name
    return path if is_path(path) else f"./{path}"


def pack_named(project: Project, name: Scalar, path: Path) -> Pack:
    """Return the pack that a character file names; a failure to find one gets the place of that name.

    A path starts in the user's folder, at the file or above it.
    """
    word = name.text
    if not is_path(word) and word not in project.library.packs:
        return _pack_nearby(project, name, path)
    if is_path(word) and not _is_pack(project.where / word):
        word = next((str(root / word) for root in _roots(project, path) if _is_pack(root / word)), word)
    if is_path(word) and not project.is_within_bounds(project.where / word):
        raise InputError([Problem(name.place, "this game lies outside the folder that is open (copy it in)")])
    try:
        return open_pack(project, word)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError([Problem(name.place, f"system {quoted(word)}: {reason}")]) from None
    except InputError as error:
        folder = {word, project.shown(project.where / word)}
        if all(problem.place.file in folder and not problem.place.line for problem in error.problems):
            found = [Problem(name.place, f"system {quoted(word)}: {each.message}") for each in error.problems]
            raise InputError(found) from None
        raise


def _pack_nearby(project: Project, name: Scalar, path: Path) -> Pack:
    """Return the pack of that id in a folder of that name: here, beside the file, or beside the folder of the file."""
    word = name.text
    others = ""
    for root in _roots(project, path):
        folder = root / word
        if not project.is_within_bounds(folder) or not _is_pack(folder):
            continue
        pack = open_pack(project, str(folder))
        if pack.system.id == word:
            return pack
        others += f"; {project.shown(folder)} is of system {quoted(pack.system.id)}"
    near = suggestion(word, project.library.packs) or f"; there are {', '.join(sorted(project.library.packs))}"
    looked = ", ".join(project.shown(root / word) for root in _roots(project, path))
    message = f"unknown system {quoted(word)}{near}{others}; no such pack in {looked} (or write the path of its folder)"
    raise InputError([Problem(name.place, message)])


def _roots(project: Project, path: Path) -> Iterator[Path]:
    here = project.where.resolve()
    beside = (project.where / path).parent.resolve()
    return iter(dict.fromkeys((here, beside, beside.parent)))


def _is_pack(folder: Path) -> bool:
    try:
        return (folder / MANIFEST).is_file()
    except OSError:  # a name too long for a folder, or a folder that is closed to us
        return False


def places_in(characters: Sequence[Character], words: Iterable[str]) -> tuple[int, ...]:
    """Return the places, from 0 and in order, of those characters who are meant: by name or by number, from 1.

    Capitals do not matter; a name means everybody who has it, and words of a name whoever alone has them. UsageError
    with a line for each word that means nobody.
    """
    found, wrong = set[int](), list[str]()
    names = [character.text("name") for character in characters]
    for word in words:
        meant = {at for at, name in enumerate(names) if name.casefold() == word.strip().casefold()}
        if not meant and word.isascii() and word.isdigit() and len(word) < LONGEST_NUMBER:
            meant = {int(word) - 1} & set(range(len(names)))
        elif not meant and len(meant := set(places_called(names, word))) > 1:
            wrong.append(
                f"--only: {quoted(word)} may be {', '.join(names[at] for at in sorted(meant))} (write the whole name)"
            )
        if not meant:
            near = among(word, names)
            count = f"{len(names):,} {'person' if len(names) == 1 else 'people'}"
            wrong.append(f"--only: {quoted(word)} is none of the {count} of the file{near}")
        found |= meant
    if wrong:
        raise UsageError("\n".join(wrong))
    return tuple(sorted(found))


def places_called(names: Sequence[str], word: str) -> list[int]:
    """Return the places of the names that a word means: the whole of a name, or else words that stand in it."""
    folded, *plain = (" ".join(name.casefold().replace(",", " ").split()) for name in (word, *names))
    exact = [at for at, name in enumerate(plain) if name == folded]
    return exact or [at for at, name in enumerate(plain) if folded and f" {folded} " in f" {name} "]


def chosen_parties(parties: Sequence[Party], words: Sequence[str]) -> list[Party]:
    """Return the parties of those who are named, who are no group any more; all of them if nobody is."""
    if not words:
        return list(parties)
    chosen = set(places_in([each for party in parties for each in party.characters], words))
    at, left = 0, list[Party]()
    for party in parties:
        some = tuple(each for number, each in enumerate(party.characters, at) if number in chosen)
        at += len(party.characters)
        if some:
            left.append(replace(party, characters=some, group=None))
    return left


def joined_parties(parties: Sequence[Party]) -> list[Party]:
    """Return a party for each game, in the order of the files; only a single file is still a group."""
    if len(parties) == 1:
        return list(parties)
    joined: dict[str, Party] = {}
    for party in parties:
        name = str(party.pack.folder.resolve())
        before = joined.get(name, Party(party.pack, ()))
        joined[name] = replace(
            before, characters=(*before.characters, *party.characters), notes=(*before.notes, *party.notes)
        )
    return list(joined.values())


def problems_of(system: System, characters: Sequence[Character]) -> tuple[Problem, ...]:
    """Return every problem that a file of these characters would have, with places in such a file."""
    problems = Problems()
    data = "".join(yaml_text(system, characters)).encode()
    try:
        read_characters(parse(data, UNNAMED, most=MOST), system, problems, judge=engine_of(system).judge)
    except InputError as error:
        return (*problems.found, *error.problems)
    return problems.found


def complaints(system: System, character: Character) -> tuple[str, ...]:
    """Return what is wrong with a character, each problem in a line with its rule."""
    found = problems_of(system, [character])
    return tuple(f"{each.message} [{each.rule}]" if each.rule else each.message for each in found)


def with_portraits(path: Path, characters: Iterable[Character], problems: Problems) -> tuple[Character, ...]:
    """Return the characters of a file with their pictures read; a problem at the place of each that cannot be."""
    known: dict[PictureFile, str] = {}
    together, found = 0, list[Character]()
    for each in characters:
        picture = each.picture
        if picture is None:
            found.append(each)
            continue
        if picture not in known:
            try:
                known[picture] = _portrait(path.parent, picture).text
            except InputError as error:
                known[picture] = ""
                for told in error.problems:
                    problems.add(picture.place, told.message)
            together += len(known[picture])
            if together > MOST_PICTURES:
                problems.add(picture.place, "the pictures of this file are too large together (split the file)")
                return tuple(found)
        found.append(replace(each, picture=replace(picture, shown=known[picture])))
    return tuple(found)


def _portrait(folder: Path, picture: PictureFile) -> Portrait:
    """Return a picture below a folder; InputError for one that is elsewhere, missing, too large or no picture."""
    named = f"picture {quoted(picture.file)}"
    file = folder / picture.file
    if not _is_inside(file, folder):
        message = f"{named} is not in the folder of this file (copy it there)"
        raise InputError([Problem(picture.place, message)])
    try:
        data = read_file(file, picture.file, inside=folder, most=LARGEST_PICTURE)
    except InputError as error:
        raise InputError([Problem(picture.place, f"{named}: {each.message}") for each in error.problems]) from None
    return confined(
        lambda: read_portrait(data, picture.place, picture.focus), what=os.fspath(picture.file), limits=PICTURE_LIMITS
    )


def _is_inside(file: Path, folder: Path) -> bool:
    """Return whether a path leads to somewhere in a folder, through links or not."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # too long a name, links in a circle, a zero byte
        return False


def interview_about(pack: Pack, settled: PresetAnswers, seed: int) -> Interview:
    """Return the conversation that makes a character of a pack; UsageError for what is settled wrongly.

    A stranger's pack is asked in a confined process: what comes next follows from the answers alone.
    """
    system = pack.system

    rollers: dict[object, Roller] = {}

    def judge(character: Character) -> Sequence[str]:
        return complaints(system, character)

    def after(answers: Sequence[str]) -> Prompt | Character:
        return pack.run_isolated(lambda: question_after(interview(system, settled, seed, judge, rollers), answers))

    return Interview(after)
