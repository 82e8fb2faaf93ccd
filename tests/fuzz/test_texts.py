"""Files that somebody edited without thinking, or with bad intent: each is used, or refused with lines that say where.

A few edits are tried each time; `./run fuzz` goes on for an hour.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as some

from sheetgen.content.card_table import read_table
from sheetgen.content.packs.folders import Library, find_packs
from sheetgen.content.packs.library import look_into
from sheetgen.content.yaml.field_map import read_map
from sheetgen.documents.export.characters import yaml_text
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.errors import InputError, LimitError, UsageError
from sheetgen.geometry import Box
from sheetgen.model.acroform import Blank, Spot
from sheetgen.people.character_files import read_party
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.chapters import failures, open_book
from sheetgen.products.handouts.handouts import read_all
from sheetgen.products.session.screen import open_screen
from sheetgen.rules.engine_check import audit
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import project_at
from sheetgen.workspace.scaffold import starter, write_folder
from tests.reading import csv_text

ROOT = Path(__file__).parents[2]

# What stands in place of a value: of the wrong kind, too large, of another script, a way out of its place.
HOSTILE = (
    *("9" * 5000, "9" * 30, "-1", "0", "-0", "+5", "1e9", "0x10", "1/2", "0.5", "²", "٣", "100000", "5 to 1"),
    *("", "~", "null", "true", "[]", "{}", "[[]]", "[a, a]", "{a: {b: c}}", "{do: roll}", "-", "|", "*", "!x y"),
    *("2d6", "99d99", "d0", "0d6", "1d6kh9", "d", "10d10k", "D66"),
    *("'{a.b}'", "'{values.x}'", "'{}'", "'{'", "'}'", "'{table.x.1.y}'", "'{{ 1 }}'", "'{% for %}'"),
    *("'\u202ex'", "'\\x00'", '"\\u0000"', "\U0001f600", "x" * 3000, "'  '", "a b c d e f g h i j"),
    *("..", "../../etc/passwd", "/", "'**x'", "'[x](javascript:1)'", "'| a |'", "'<b>'", "name", "'#fff'", "'* ?'"),
)
LONG = "SHEETGEN_FUZZ" in os.environ
FEW, VERY_FEW = (2_000, 100) if LONG else (40, 2)
FEW_EDITS = settings(settings.get_profile("unhurried"), max_examples=FEW, derandomize=not LONG)
EDITS = some.lists(
    some.tuples(some.integers(0, 10**6), some.one_of(some.sampled_from(HOSTILE), some.integers(0, 10**6), some.none())),
    min_size=1,
    max_size=3,
)
Edits = list[tuple[int, str | int | None]]


def spans(text: str) -> list[tuple[int, int]]:
    """Where each scalar of a YAML file begins and ends."""
    found = yaml.parse(text, Loader=yaml.SafeLoader)
    return [(each.start_mark.index, each.end_mark.index) for each in found if isinstance(each, yaml.ScalarEvent)]


def edited(text: str, at: int, edit: str | int | None, spots: list[tuple[int, int]]) -> str:
    """The text with one value replaced by another one, or by one of its own; or without one of its lines."""
    first, last = spots[at % len(spots)]
    if edit is None:
        lines = text.split("\n")
        return "\n".join((*lines[: at % len(lines)], *lines[at % len(lines) + 1 :]))
    if isinstance(edit, int):
        start, end = spots[edit % len(spots)]
        edit = text[start:end]
    return text[:first] + edit + text[last:]


@contextmanager
def refusals() -> Iterator[None]:
    """What is refused is refused with lines that can be printed; nothing else comes out."""
    lines = ["refused"]
    try:
        yield
    except InputError as error:
        lines = list(map(str, error.problems))
    except (LimitError, UsageError) as error:
        lines = str(error).splitlines()
    assert lines, "refused without a word"
    assert all(map(str.isprintable, lines))


@cache
def files_of(folder: Path) -> dict[Path, tuple[str, list[tuple[int, int]]]]:
    """The YAML files of a pack, by their paths in it."""
    texts = {path.relative_to(folder): path.read_text("utf-8") for path in sorted(folder.rglob("*.yaml"))}
    return {path: (text, spots) for path, text in texts.items() if (spots := spans(text))}


def use_all(folder: Path) -> None:
    """Read a pack, open its book, screen and handouts, and roll three people."""
    project = project_at(folder.parents[1], os.environ)
    packs = {**find_packs([ROOT / "content"]), folder.name: folder}
    reading = look_into(folder, Library(packs, lambda path: path.name))
    problems = reading.problems or (audit(reading.system) if reading.system is not None else ())
    if problems or reading.system is None:
        raise InputError(problems)
    system, pack = reading.system, Pack(reading.system, folder, ours=True)
    rulebook = open_book(project, pack)
    failures(pack, rulebook.book, lambda: False)
    with refusals():
        open_screen(project, pack, rulebook)
    with refusals():
        read_all(project, pack)
    for character in roll(pack, RollOptions(seed=7, count=3)):
        sheet_values(system, character, engine_of(system).figures(system, character))
        "".join(yaml_text(system, [character]))


def try_pack(base: Path, edits: Edits, work: Path) -> None:
    files = files_of(base)
    names = [path for path, (_, spots) in files.items() for _ in spots]
    folder = work / "content" / base.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(base, folder)
    for at, edit in edits:
        path = names[at % len(names)]
        text, spots = files[path]
        (folder / path).write_text(edited(text, at, edit, spots), "utf-8")
    with refusals():
        use_all(folder)


@pytest.fixture(scope="module")
def mist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack as `sheetgen new` begins one."""
    folder = tmp_path_factory.mktemp("new") / "mist"
    write_folder(folder, starter(project_at(folder.parent, os.environ), "mist"))
    return folder


def test_a_new_pack_with_edits_is_used_or_refused(mist: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    work = tmp_path_factory.mktemp("edited")

    @FEW_EDITS
    @given(EDITS)
    def tried(edits: Edits) -> None:
        try_pack(mist, edits, work)

    tried()


@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "waster"])
def test_a_game_with_edits_is_used_or_refused(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    work = tmp_path_factory.mktemp("edited")

    @settings(FEW_EDITS, max_examples=VERY_FEW)
    @given(EDITS)
    def tried(edits: Edits) -> None:
        try_pack(ROOT / "content" / game, edits, work)

    tried()


@pytest.mark.parametrize(
    ("game", "file", "words", "instead"),
    [
        ("diecodes", "sheet.yaml", "  stats:", "  0:"),  # levels of no group, in a game whose archetypes give fields
        ("tsgs", "creation.yaml", "  arrange:", "  arranged:"),  # the method of a level is gone
        (
            "genesix",
            "system.yaml",
            "attributes: {low: -2, high",
            "attributes: {lwo: -2, high",
        ),  # one of several numbers
        (
            "sixshooter",
            "examples.yaml",
            "      - {name: Jonah Pike",
            "      # {name: Jonah Pike",
        ),  # one fewer in a list
    ],
)
def test_what_was_found_is_refused(game: str, file: str, words: str, instead: str, tmp_path: Path) -> None:
    folder = tmp_path / "content" / game
    shutil.copytree(ROOT / "content" / game, folder)
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(text.replace(words, instead), "utf-8")
    with pytest.raises(InputError):
        use_all(folder)


def test_a_count_of_five_thousand_digits_is_refused() -> None:
    with pytest.raises(InputError, match="is not a whole number from 1 to 99"):
        read_table(b"title,count\nRope," + b"9" * 5000, "x.csv")


def read_people(path: Path) -> None:
    """Read a file of characters, and show and write each of them."""
    party = read_party(project_at(path.parent, os.environ), path)
    system = party.pack.system
    for each in party.characters:
        sheet_values(system, each, engine_of(system).figures(system, each))
    "".join(yaml_text(system, party.characters))


@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_characters_with_edits_are_read_or_refused(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("people")
    pack = open_pack(project_at(folder, os.environ), game)
    people = list(roll(pack, RollOptions(seed=7, count=3)))
    text, table = "".join(yaml_text(pack.system, people)), "".join(csv_text(pack.system, people))
    spots, cells = spans(text), [found.span() for found in re.finditer(r"[^,;\n\"]+", table)]

    @FEW_EDITS
    @given(EDITS, some.booleans())
    def tried(edits: Edits, as_table: bool) -> None:
        at, edit = edits[0]
        changed = edited(table, at, edit, cells) if as_table else edited(text, at, edit, spots)
        path = folder / ("x.csv" if as_table else "x.yaml")
        path.write_text(changed, "utf-8")
        with refusals():
            read_people(path)

    tried()


@FEW_EDITS
@given(EDITS)
def test_tables_of_cards_with_edits_are_read_or_refused(edits: Edits) -> None:
    text = (
        "cards:\n- {title: Rope, text: Twenty metres., icon: rope, cost: 2, tags: [gear], back: It frays., count: 3}\n"
    )
    table = "title,text,icon,cost,tags,back,count\nRope,Twenty metres.,rope,2,gear,It frays.,3\n"
    at, edit = edits[0]
    for name, whole, spots in (
        ("x.yaml", text, spans(text)),
        ("x.csv", table, [found.span() for found in re.finditer(r"[^,\n]+", table)]),
    ):
        with refusals():
            read_table(edited(whole, at, edit, spots).encode(), name)


@FEW_EDITS
@given(EDITS)
def test_maps_of_forms_with_edits_are_read_or_refused(edits: Edits) -> None:
    text = "Name: name\nStory: '{name}, {occupation}'\nSneaky: {on: skills.Stealth, from: 3}\nCampaign:\n"
    blanks = [Blank(name, "", "line", (Spot(0, Box(0, 0, 9, 9)),)) for name in ("Name", "Story", "Sneaky", "Campaign")]
    at, edit = edits[0]
    with refusals():
        read_map(edited(text, at, edit, spans(text)).encode(), "map.yaml", blanks, ("name",), {"name"}.__contains__)
