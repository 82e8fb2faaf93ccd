"""What can be pulled into a scene, and what a page asks to be done to an evening, as edits of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

from sheetgen.content.yaml.edits import insert, move, remove, set_value, transfer
from sheetgen.errors import SheetgenError, UsageError, quoted
from sheetgen.people.campaign_cast import latest
from sheetgen.products.handouts.handouts import pack_files
from sheetgen.studio.evenings import SCENE_KEYS, SESSION_KEYS, ReadEvening, names_of_cast
from sheetgen.studio.people.cast_folder import cast_of
from sheetgen.studio.studio import Studio
from sheetgen.table.encounter import AND, FROM_FILE
from sheetgen.workspace.campaigns import HANDOUTS
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.safekeeping import name_in

HERE, THOSE_HERE = "here", "those of this scene"  # as files name them, and pages
LISTS = ("people", "handouts", "odds", "fights", "clocks", "tables", "boxes", "stakes")
PROSE = ("read", "notes")
SCENE_FIELDS, EVENING_FIELDS = ("title", "where", *PROSE), ("title", "date", "notes", "seed")
NEW_SCENE = "A new scene"

Asked = Mapping[str, str]  # the fields of a form
Edit = tuple[str, str]  # the new text, and what was done
SAME_AGAIN = ("kept", "group", "handout")  # what is the same twice; a line like `2 guards` rolls two others
FILED = MappingProxyType({"kept": "file", "group": "name", "handout": "name"})  # which field of a form names a file
MOST = 60  # of a kind, shown at once
LISTED = ("names", "occupations", "hooks", "belongings", "gear")
Pull = dict[str, Any]


def edited(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    """Return what a form asks for, done to the scene of this number from 0; UsageError for what cannot be done."""
    do = asked.get("do", "")
    if do not in DOES:
        raise UsageError(f"nothing here does {quoted(do)}")
    return DOES[do](evening, scene, asked)


def number(asked: Asked, name: str) -> int:
    """Return a whole number of a form; UsageError for anything else."""
    written = asked.get(name, "")
    if not written.isdecimal() or len(written) > 6:
        raise UsageError(f"{name} is a whole number, not {quoted(written)}")
    return int(written)


def _asked_list(asked: Asked) -> str:
    if asked.get("list") not in LISTS:
        raise UsageError(f"a scene has no list {quoted(asked.get('list', ''))}")
    return asked["list"]


def _title(evening: ReadEvening, scene: int) -> str:
    scenes = evening.scenes
    return str(scenes[scene].get("title", f"scene {scene + 1}")) if 0 <= scene < len(scenes) else f"scene {scene + 1}"


def prose(written: str) -> str:
    """Return a text as a file has it: with plain line ends, and one at its end if it has several lines."""
    plain = "\n".join(line.rstrip() for line in written.replace("\r\n", "\n").split("\n")).strip("\n")
    return f"{plain}\n" if "\n" in plain or len(plain) > 90 else plain


def _set_field(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    field, of_evening = asked.get("field", ""), asked.get("of") == "evening"
    if field not in (EVENING_FIELDS if of_evening else SCENE_FIELDS):
        raise UsageError(f"there is no field {quoted(field)} here")
    written = asked.get("value", "")
    value = prose(written) if field in PROSE else " ".join(written.split())
    path, order = ((field,), SESSION_KEYS) if of_evening else (("scenes", scene, field), SCENE_KEYS)
    whole = evening.data if of_evening else evening.scenes[scene] if scene < len(evening.scenes) else {}
    label = f"changed {field} of {_title(evening, scene) if not of_evening else 'the evening'}"
    if not value and field not in whole:
        return evening.text, label
    if str(whole.get(field, "")).rstrip("\n") == value.rstrip("\n"):
        return evening.text, label
    return set_value(evening.text, path, value, order=order), label


def is_as_shown(evening: ReadEvening, scene: int, asked: Asked) -> bool:
    """Whether a form sets a field that still is as its page showed it or last sent it, or already is as it is to be.

    Then nothing of an evening that was changed meanwhile is written over. The scene must be the one of the page, too:
    its title tells it from the others, or, where it has none of its own, that the others are as they were.
    """
    if asked.get("do") != "set" or "was" not in asked:
        return False
    field, whole = asked.get("field", ""), evening.data
    if asked.get("of") != "evening":
        scenes = evening.scenes
        if scene >= len(scenes) or str(len(scenes)) != asked.get("scenes"):
            return False
        whole = scenes[scene]
        shown, titles = asked.get("scene_title", asked["was"]), [str(each.get("title") or "") for each in scenes]
        if field != "title" and titles[scene] != shown:
            return False
        if (not shown or titles.count(shown) > 1) and others(evening, scene) != asked.get("others"):
            return False
    known = (asked["was"], asked.get("sent", asked["was"]), asked.get("value", ""))
    return _unwrapped(str(whole.get(field) or "")) in map(_unwrapped, known)


def others(evening: ReadEvening, scene: int) -> str:
    """Return a digest of all scenes but the one of this number, from 0."""
    rest = [each for at, each in enumerate(evening.scenes) if at != scene]
    return blake2b(repr(rest).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _unwrapped(written: str) -> str:
    return "\n".join(" ".join(line.split()) for line in prose(written).strip("\n").split("\n"))


def _add(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    kind = asked.get("kind", "")
    if kind not in KINDS:
        raise UsageError(f"nothing here adds {quoted(kind)}")
    listed, make = KINDS[kind]
    value, called = make(asked)
    there = evening.scenes[scene].get(listed) if scene < len(evening.scenes) else None
    if kind in SAME_AGAIN and value in (there or []):
        raise UsageError(f"{called} is in {_title(evening, scene)} already")
    at = min(number(asked, "at"), len(there or [])) if asked.get("at") else len(there or [])
    text = insert(evening.text, ("scenes", scene, listed), at, value, order=SCENE_KEYS)
    return text, f"put {called} into {_title(evening, scene)}"


def _remove(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    listed, at = _asked_list(asked), number(asked, "at")
    there = evening.scenes[scene].get(listed, []) if scene < len(evening.scenes) else []
    called = label_of(there[at]) if at < len(there) else listed
    path: tuple[str | int, ...] = ("scenes", scene, listed, at) if len(there) > 1 else ("scenes", scene, listed)
    return remove(evening.text, path), f"took {called} out of {_title(evening, scene)}"


def _move_entry(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    listed, at, to = _asked_list(asked), number(asked, "at"), number(asked, "to")
    there = evening.scenes[scene].get(listed, []) if scene < len(evening.scenes) else []
    text = move(evening.text, ("scenes", scene, listed), at, min(to, max(len(there) - 1, 0)))
    return text, f"moved {label_of(there[at]) if at < len(there) else listed} in {_title(evening, scene)}"


def _transfer(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    listed, at, to = _asked_list(asked), number(asked, "at"), number(asked, "scene") - 1
    scenes = evening.scenes
    if not 0 <= to < len(scenes) or to == scene:
        raise UsageError("there is no such scene to go to")
    there = scenes[scene].get(listed, [])
    last = len(scenes[to].get(listed) or [])
    source = ("scenes", scene, listed, at)
    text = transfer(evening.text, source, ("scenes", to, listed), last, order=SCENE_KEYS)
    if len(there) == 1:
        text = remove(text, ("scenes", scene, listed))
    return text, f"moved {label_of(there[at])} to {_title(evening, to)}"


def _add_scene(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    title = " ".join(asked.get("title", "").split()) or NEW_SCENE
    at = min(scene + 1, len(evening.scenes))
    return insert(evening.text, ("scenes",), at, {"title": title}, order=SESSION_KEYS), f"added {title}"


def _remove_scene(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    if len(evening.scenes) < 2:
        raise UsageError("an evening has a scene: change this one, or add another first")
    return remove(evening.text, ("scenes", scene)), f"took out {_title(evening, scene)}"


def _move_scene(evening: ReadEvening, scene: int, asked: Asked) -> Edit:
    at, to = number(asked, "at"), min(number(asked, "to"), len(evening.scenes) - 1)
    return move(evening.text, ("scenes",), at, to), f"moved {_title(evening, at)}"


DOES: Mapping[str, Callable[[ReadEvening, int, Asked], Edit]] = {
    "set": _set_field,
    "add": _add,
    "remove": _remove,
    "move": _move_entry,
    "transfer": _transfer,
    "add-scene": _add_scene,
    "remove-scene": _remove_scene,
    "move-scene": _move_scene,
}


def _needed(asked: Asked, name: str) -> str:
    written = " ".join(asked.get(name, "").split())
    if not written:
        raise UsageError(f"write {name} first")
    return written


def _filled_in(asked: Asked, *names: str) -> dict[str, Any]:
    found = {name: " ".join(asked.get(name, "").split()) for name in names}
    return {name: value for name, value in found.items() if value}


def _kept_person(asked: Asked) -> tuple[Any, str]:
    name = _needed(asked, "name")
    return {"from": _needed(asked, "file"), "only": name}, name


def _group(asked: Asked) -> tuple[Any, str]:
    return {"group": _needed(asked, "name")}, asked["name"]


def _needed_name(asked: Asked) -> tuple[Any, str]:
    return _needed(asked, "name"), asked["name"]


def _handout(asked: Asked) -> tuple[Any, str]:
    name = _needed(asked, "name")
    if asked.get("ready"):
        return {"ready": name, **_filled_in(asked, "when")}, name
    return {"file": name, **_filled_in(asked, "when")}, _called(name)


def _odds(asked: Asked) -> tuple[Any, str]:
    made = {"try": _needed(asked, "name"), **_filled_in(asked, "with")}
    level = " ".join(asked.get("level", "").split())
    return made | ({"at": level} if level else {}), asked["name"]


def _clock(asked: Asked) -> tuple[Any, str]:
    made = {"title": _needed(asked, "name"), "segments": number({"segments": "6", **asked}, "segments")}
    return made | _filled_in(asked, "ticks"), asked["name"]


def _table(asked: Asked) -> tuple[Any, str]:
    if asked.get("of"):
        return {"title": _needed(asked, "name"), "of": asked["of"]}, asked["name"]
    rows = [" ".join(row.split()) for row in asked.get("rows", "").splitlines() if row.strip()]
    if not rows:
        raise UsageError("write what may come up, a line for each")
    return {"title": _needed(asked, "name"), "rows": rows}, asked["name"]


def _fight(asked: Asked) -> tuple[Any, str]:
    made = {"first": _needed(asked, "first"), **_filled_in(asked, "second", "policy", "title")}
    return made, f"a fight with {made['first']}"


KINDS: Mapping[str, tuple[str, Callable[[Asked], tuple[Any, str]]]] = {
    "kept": ("people", _kept_person),
    "group": ("people", _group),
    "words": ("people", _needed_name),
    "handout": ("handouts", _handout),
    "odds": ("odds", _odds),
    "clock": ("clocks", _clock),
    "table": ("tables", _table),
    "box": ("boxes", _needed_name),
    "stake": ("stakes", _needed_name),
    "fight": ("fights", _fight),
}


def check_files(folder: Path, asked: Asked) -> None:
    """UsageError if a form names a file that is none of a folder; what people wrote into the evening is theirs."""
    if asked.get("do") != "add":
        return
    kind = asked.get("kind", "")
    if kind == "fight":
        check_sides(folder, asked.get("first", ""), asked.get("second", ""))
    elif kind in FILED and asked.get(FILED[kind]) and not asked.get("ready"):
        name_in(folder, asked[FILED[kind]])


def check_sides(folder: Path, *sides: str) -> None:
    """UsageError if a side of a fight is to be read from a file that is none of a folder."""
    for part in (each.strip() for side in sides for each in side.split(AND)):
        if part.startswith(FROM_FILE):
            name_in(folder, part.removeprefix(FROM_FILE))


def _called(file: object) -> str:
    """Return what people call a file: its name without folder and ending."""
    return PurePath(str(file)).stem.replace("-", " ") if file else ""


def label_of(item: object) -> str:
    """Return what an entry of a scene is called, whatever it is."""
    if not isinstance(item, dict):
        return str(item)
    only = item.get("only")
    named = only if isinstance(only, str) else ", ".join(map(str, only)) if isinstance(only, list) else ""
    archetype = f"{item.get('count', '')} {item['archetype']}".strip() if item.get("archetype") else ""
    words = (item.get("name"), item.get("title"), item.get("try"), named, item.get("who"), archetype)
    more = (item.get("group"), item.get("from"), _called(item.get("file")), item.get("ready"))
    against = item.get("second", HERE)
    fight = f"{item['first']} against {THOSE_HERE if against == HERE else against}" if item.get("first") else ""
    return str(next((each for each in (*words, *more, fight) if each), "something"))


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
