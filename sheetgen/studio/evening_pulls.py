"""What can be pulled into a scene: people of the cast, of the evening, groups, kinds to roll, handouts, lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sheetgen.errors import SheetgenError
from sheetgen.people.campaign_cast import latest
from sheetgen.products.handouts import pack_files
from sheetgen.studio.cast_folder import cast_of
from sheetgen.studio.evening_edits import label_of
from sheetgen.studio.evenings import ReadEvening, names_of_cast
from sheetgen.studio.studio import Studio
from sheetgen.workspace.campaigns import HANDOUTS
from sheetgen.workspace.packs import Pack

MOST = 60  # of a kind, shown at once
LISTED = ("names", "occupations", "hooks", "belongings", "gear")
Pull = dict[str, Any]


def pulls(studio: Studio, evening: ReadEvening, query: str) -> list[dict[str, Any]]:
    """Return what may be pulled in, by kind, with how many there are and those that have the words of a query."""
    words = query.casefold().split()
    found = []
    for title, kind in (
        ("Of this evening", _of_evening(evening)),
        ("Cast", _cast(studio, evening)),
        ("Groups", _groups(studio, evening.pack)),
        ("To roll", _kinds(evening.pack)),
        ("To hand over", _handouts(studio, evening.pack)),
        ("Tables of the game", _tables(evening.pack)),
    ):
        everything = list(kind)
        there = [
            each for each in everything if all(word in f"{each['label']} {each['told']}".casefold() for word in words)
        ]
        if everything:
            found.append({"title": title, "of": len(everything), "count": len(there), "entries": there[:MOST]})
    return found


def meant_by_name(studio: Studio, evening: ReadEvening, asked: dict[str, str]) -> dict[str, str]:
    """Return a form that puts somebody into a scene by words: as the group or whoever of the cast is called so.

    What the evening itself knows by that name comes first, and stays words; so does what nothing is called.
    """
    name = " ".join(asked.get("name", "").split()).casefold()
    if asked.get("do") != "add" or asked.get("kind") != "words" or name in map(str.casefold, names_of_cast(evening)):
        return asked
    callable_so = (*_cast(studio, evening), *_groups(studio, evening.pack))
    named = next((each["fields"] for each in callable_so if each["label"].casefold() == name), None)
    return asked | (named or {})


def foes(pack: Pack | None) -> tuple[str, ...]:
    """Return the kinds of people that a fight may be proposed with; none where the game has no fights of several."""
    return tuple(pack.system.cast.archetypes) if pack and pack.system.encounter is not None else ()


def sides(studio: Studio, evening: ReadEvening) -> list[dict[str, str]]:
    """Return what may be typed as a side of a fight: files of people in the folder, and groups of the game."""
    files = sorted({str(each["fields"]["file"]) for each in _cast(studio, evening)})
    found = [{"value": f"@{file}", "told": "everybody of this file"} for file in files[:MOST]]
    return found + [{"value": each["label"], "told": each["told"]} for each in _groups(studio, evening.pack)]


def _pull(label: str, told: str, **fields: str) -> Pull:
    return {"label": label, "told": told, "fields": {"do": "add", **fields}}


def _of_evening(evening: ReadEvening) -> Iterator[Pull]:
    people = evening.data.get("cast")
    for name in names_of_cast(evening):
        about = people.get(name) if isinstance(people, dict) else None
        yield _pull(name, label_of(about) if isinstance(about, dict) else str(about or ""), kind="words", name=name)


def _cast(studio: Studio, evening: ReadEvening) -> Iterator[Pull]:
    """Yield the people of the campaign, or of a folder that is none whom it keeps of the game."""
    if (cast := evening.cast) is not None:
        kept = [(each.file, each.character, latest(cast, each.name)) for each in cast.people]
    else:
        game = evening.pack.system.id if evening.pack else ""
        kept = [(each.file, each.character, "") for each in cast_of(studio).members if each.pack.system.id == game]
    for file, character, lately in kept:
        if file.is_relative_to(studio.folder):
            name, told = character.text("name"), ", ".join(filter(None, (character.text("occupation"), lately)))
            where = file.relative_to(studio.folder).as_posix()
            yield _pull(name, told, kind="kept", name=name, file=where)


def _groups(studio: Studio, pack: Pack | None) -> Iterator[Pull]:
    for title, group in pack.system.ready_groups.items() if pack else ():
        people = sum(each.count for each in group.members)
        yield _pull(title, f"{people} people", kind="group", name=title)
    folder = studio.folder / "groups"
    for path in sorted(folder.glob("*.y*ml"))[:MOST] if folder.is_dir() else ():
        name = path.relative_to(studio.folder).as_posix()
        yield _pull(path.stem, "a group of yours", kind="group", name=name)


def _kinds(pack: Pack | None) -> Iterator[Pull]:
    for name in pack.system.cast.archetypes if pack else ():
        yield _pull(name, "somebody new", kind="words", name=f"1 {name}")


def _handouts(studio: Studio, pack: Pack | None) -> Iterator[Pull]:
    folder = studio.folder / HANDOUTS
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in (".md", ".yaml", ".yml") and not path.name.startswith("."):
            name = path.relative_to(studio.folder).as_posix()
            yield _pull(path.stem.replace("-", " "), "yours", kind="handout", name=name)
    try:
        ready = pack_files(studio.project, pack) if pack else ()
    except SheetgenError:  # is told where handouts are made
        ready = ()
    for path in ready:
        yield _pull(path.stem.replace("-", " "), "ready-made", kind="handout", name=path.stem, ready="yes")


def _tables(pack: Pack | None) -> Iterator[Pull]:
    for name in LISTED if pack else ():
        yield _pull(name, "rolled ahead", kind="table", name=name.capitalize(), of=name)
