"""Pack folders: which names mean which, what may lie in them, and their files, merged with those that they extend.

Python files are no problem, since nothing in a pack is ever run; hidden files and results in output/ are left alone.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from filecmp import cmp
from pathlib import Path

from sheetgen.content.packs.house_rules import HouseRules, manifest_of
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import ORDINARY, FileLimit
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.scalars import YES
from sheetgen.errors import InputError, Place, Problem, nearest, quoted, some_of, suggestion

_LEAST = re.compile(r">= ?(\d{1,4}(?:\.\d{1,4}){0,2})")
MANIFEST = "system.yaml"
OVERRIDE = "override"
PARTS_OF_A_PACK = ("system", "tables", "creation", "sheet", "npcs", "groups")
DEEPEST_EXTENDS = 8
FOLDERS = ("rules", "people", "handouts", "templates", "npcs", "output")
MOST_ENTRIES = 10_000
LINK_OUT = "is a link to a file outside the pack"
NOT_REGULAR = "is not a regular file"
_YAML = (".yaml", ".yml")
_TEXTS = (*_YAML, ".html", ".md", ".css", ".svg")
_ABOUT = re.compile(r"(readme|licen[cs]e|changelog|notice|__pycache__)", re.IGNORECASE)
_CHARACTERS = re.compile(rb"^system\s*:", re.MULTILINE)


def release(version: str) -> tuple[int, ...]:
    """Return a version as three numbers to compare: 1.2 is (1, 2, 0)."""
    numbers = [int(each) for each in re.findall(r"\d{1,9}", version)[:3]]
    return (*numbers, *[0] * (3 - len(numbers)))


def least_version(written: str) -> tuple[int, ...] | None:
    """Return the version that `>=1.2` asks for at least; None for anything else."""
    found = _LEAST.fullmatch(written)
    return release(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Library:
    """The packs that names can mean, how a path is shown in messages, and the house rules of each game.

    `core` is the folder of the packs that come with sheetgen, whose place no other takes unless it says so.
    """

    packs: Mapping[str, Path]
    shown: Callable[[Path], str]
    house: Mapping[str, HouseRules] = field(default_factory=dict)
    core: Path | None = None

    def folder(self, name: str) -> Path:
        """The folder of a named pack; InputError with the nearest name otherwise."""
        if name in self.packs:
            return self.packs[name]
        near = suggestion(name, self.packs) or f"; there are {', '.join(sorted(self.packs))}"
        raise InputError([Problem(Place("sheetgen"), f"unknown system {quoted(name)}{near}")])


@dataclass(slots=True)
class Ancestry:
    """What was met on the way up through `extends`: names, the title that holds in each manifest, parts not to be read.

    `replaced` are groups of packs above that those of one below took the place of. A broken `system` means that the
    pack's own lines or those of a parent are not there to be judged.
    """

    names: list[str] = field(default_factory=list)
    titles: dict[str, Node | None] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    replaced: list[MappingNode] = field(default_factory=list)


def find_packs(roots: Iterable[Path]) -> dict[str, Path]:
    """Return each folder below the roots that has a system.yaml and is not hidden, by name; earlier roots win."""
    found: dict[str, Path] = {}
    for root in roots:
        with suppress(OSError):  # a folder that may not be read has none
            for folder in sorted(root.iterdir()) if root.is_dir() else ():
                if os.path.isfile(folder / MANIFEST) and not folder.name.startswith("."):
                    found.setdefault(folder.name, folder)
    return found


def read_file(path: Path, shown: str, *, inside: Path | None = None, most: FileLimit = ORDINARY) -> bytes:
    """Return the bytes of a regular file that is not too large; with `inside`, only if it lies in that folder."""
    place = Place(shown)
    try:
        if inside is not None and not path.resolve().is_relative_to(inside.resolve()):
            raise InputError([Problem(place, LINK_OUT)])
        with open(path, "rb", opener=_at_once) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise InputError([Problem(place, NOT_REGULAR)])
            if about.st_size > most.size:
                message = f"has {about.st_size:,} bytes; the most is {most.size:,} ({most.advice})"
                raise InputError([Problem(place, message)])
            return file.read(most.size + 1)
    except RuntimeError:  # how Python up to 3.12 tells of links in a circle
        raise InputError([Problem(place, "is a link that leads nowhere (delete it)")]) from None
    except OSError as error:
        raise InputError([Problem(place, _reason(path, error))]) from None


def _at_once(path: str, flags: int) -> int:
    """Opens a file, or a pipe, without waiting for anybody at its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _reason(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        folder = path.parent
        near = suggestion(path.name, (each.name for each in folder.iterdir())) if folder.is_dir() else ""
        return f"no such file{near}"
    return (error.strerror or str(error)).lower()


def _files(folder: Path) -> dict[str, list[Path]]:
    found = {part: [folder / f"{part}.yaml"] for part in PARTS_OF_A_PACK if (folder / f"{part}.yaml").exists()}
    if (folder / "npcs").is_dir():
        found.setdefault("npcs", []).extend(sorted((folder / "npcs").glob("*.yaml")))
    return found


def _own_parts(folder: Path, library: Library, problems: Problems, ancestry: Ancestry) -> dict[str, MappingNode]:
    parts: dict[str, MappingNode] = {}
    for part, paths in _files(folder).items():
        for path in paths:
            shown = library.shown(path)
            try:
                node = parse(read_file(path, shown, inside=folder), shown)
            except InputError as error:
                problems.extend(error)
                ancestry.broken.add(part)
                continue
            if not isinstance(node, MappingNode):
                problems.add(node.place, f"this file must hold named parts, such as `{_first_key(part)}:`")
                ancestry.broken.add(part)
                continue
            parts[part] = MappingNode(parts[part].entries + node.entries, parts[part].place) if part in parts else node
    return parts


def _first_key(part: str) -> str:
    keys = {"system": "id", "tables": "tables", "creation": "steps", "sheet": "character", "npcs": "names"}
    return keys.get(part, "the watch")


def extended(folder: Path, library: Library, problems: Problems, ancestry: Ancestry) -> dict[str, MappingNode]:
    """Return the parts of a pack by name, merged with those of what it extends; `ancestry` takes what is met."""
    manifest = folder / MANIFEST
    if not manifest.exists() and not manifest.is_symlink():
        beside = {each.stem: each.name for each in folder.iterdir()} if folder.is_dir() else {}
        near = f' (did you mean "{beside[stem]}"?)' if (stem := nearest(Path(MANIFEST).stem, beside)) else ""
        message = f"no pack here: there is no {MANIFEST} in this folder{near}"
        raise InputError([Problem(Place(library.shown(folder)), message)])
    take_inventory(folder, PARTS_OF_A_PACK, library.shown, problems)
    own = _own_parts(folder, library, problems, ancestry)
    head = dict((key.text, node) for key, node in own["system"].entries) if "system" in own else {}
    _check_place(folder, head.get(OVERRIDE), library)
    parent = _parent(head.get("extends"), folder, library, problems, ancestry)
    above = extended(parent, library, problems, ancestry) if parent is not None else {}
    if "system" in above and parent is not None:
        _check_version(head["extends"], above["system"], problems)
        _check_values(folder, head.get("values"), above["system"], parent, problems)
        entries = tuple((key, node) for key, node in above["system"].entries if key.text != "version")
        above["system"] = MappingNode(entries, above["system"].place)
    if "groups" in above and "groups" in own:
        ancestry.replaced.append(above.pop("groups"))
    if "system" in own:
        inherited = ancestry.titles.get(above["system"].place.file) if "system" in above else None
        ancestry.titles[own["system"].place.file] = head.get("title", inherited)
    parts = {
        part: _merged(above[part], own[part]) if part in above and part in own else above.get(part) or own[part]
        for part in PARTS_OF_A_PACK
        if part in above or part in own
    }
    if (rules := library.house.get(folder.name)) and library.packs.get(folder.name) == folder and "system" in parts:
        parts["system"] = _merged(parts["system"], manifest_of(rules, parts["system"], problems))
    return parts


def _check_place(folder: Path, override: Node | None, library: Library) -> None:
    """Raise InputError if a pack has the name of one of ours, is another one, and does not say that it is meant."""
    name, said = folder.name, isinstance(override, Scalar) and override.text.casefold() in YES
    if library.core is None or said or library.packs.get(name) != folder:
        return
    ours = library.core / name
    if (ours / MANIFEST).is_file() and folder.resolve() != ours.resolve() and not _same(folder, ours):
        message = f"takes the place of the game {name} that comes with sheetgen ({ours}), also for packs that extend it"
        place, mend = Place(library.shown(folder / MANIFEST), 1, 1), f"rename the folder, or write `{OVERRIDE}: yes`"
        raise InputError([Problem(place, f"{message} ({mend})")])


def _same(folder: Path, other: Path) -> bool:
    """Return whether a folder holds what another one does, file by file."""
    try:
        found, wanted = ({each.name for each in where.iterdir() if not _aside(each)} for where in (folder, other))
        return found == wanted and all(
            (folder / name).is_dir() and _same(folder / name, other / name)
            if (other / name).is_dir()
            else cmp(folder / name, other / name, shallow=False)
            for name in wanted
        )
    except OSError:
        return False


def _aside(path: Path) -> bool:
    return path.name.startswith(".") or path.name in ("__pycache__", "output")


def _parent(
    extends: Node | None, folder: Path, library: Library, problems: Problems, ancestry: Ancestry
) -> Path | None:
    """The folder of the pack that is extended, if there is one."""
    if extends is None:
        return None
    if not isinstance(extends, Scalar) or extends.is_null:
        problems.add(extends.place, "extends must be the name of a pack (write `extends: gamers` or the like)")
        ancestry.broken.add("system")
        return None
    name = extends.text.partition(" ")[0]
    if name in ancestry.names or len(ancestry.names) >= DEEPEST_EXTENDS:
        problems.add(extends.place, f"packs extend each other: {' -> '.join([*ancestry.names, name])}")
        ancestry.broken.add("system")
        return None
    if name not in library.packs:
        beside = name in find_packs([folder.parent])
        hint = (
            " (it lies beside this one: name the folder of both with --packs, or move them to content/)"
            if beside
            else ""
        )
        problems.add(extends.place, f"unknown pack {quoted(name)}{hint or suggestion(name, library.packs)}")
        ancestry.broken.add("system")
        return None
    ancestry.names.append(name)
    return library.packs[name]


def _check_version(extends: Node, above: MappingNode, problems: Problems) -> None:
    """Note if the pack that is extended is earlier than `extends: gamers >=1.2` asks for."""
    name, _, needed = extends.text.partition(" ") if isinstance(extends, Scalar) else ("", "", "")
    there = next((node.text for key, node in above.entries if key.text == "version" and isinstance(node, Scalar)), "")
    if needed and (least := least_version(needed)) is None:
        problems.add(extends.place, f"extends {quoted(needed)}: write `{name}`, or its least version: `{name} >=1.2`")
    elif needed and least is not None and release(there) < least:
        problems.add(extends.place, f"extends {name} {needed}, and what is here is {there or 'without a version'}")


def _check_values(folder: Path, own: Node | None, above: MappingNode, parent: Path, problems: Problems) -> None:
    """Note each value of a variant that its game does not have where the name is a slip of one that is read by name.

    A game by families is known by its files: rows of a list are read by no name of their own, and another value that
    nothing else names is read by nobody.
    """
    heads = {key.text: node for key, node in above.entries}
    waiting, families = [("", own, heads.get("values"))], "engine" not in heads
    while waiting:
        path, mine, its = waiting.pop(0)
        if not isinstance(mine, MappingNode) or not isinstance(its, MappingNode):
            continue
        known, given = {key.text: node for key, node in its.entries}, {key.text for key, _ in mine.entries}
        for key, node in mine.entries:
            if key.text in known:
                waiting.append((f"{path}{key.text}.", node, known[key.text]))
                continue
            alike = [each for each, there in known.items() if each not in given and type(there) is type(node)]
            near = nearest(key.text, alike) if not path or not isinstance(node, MappingNode) else ""
            read = bool(near) and (not families or not path or _times_named(parent, f"{path}{near}") > 0)
            named = _times_named(folder, key.text) > 1 or (path and _times_named(folder, f"{path}{key.text}") > 0)
            if (read or (families and not path)) and not named:
                inside = f" in {path.rstrip('.')}" if path else ""
                meant = f' (did you mean "{near}"?)' if read else ""
                message = (
                    f"values: {parent.name} has no {quoted(key.text)}{inside}, and nothing else in this pack names it"
                )
                problems.add(key.place, f"{message}{meant}; there are {some_of(known)}")


def _times_named(folder: Path, name: str) -> int:
    """Return how often a pack has a name in its texts, remarks aside."""
    word, count = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)"), 0
    for path in _entries(folder, str, Problems()):
        with suppress(InputError, UnicodeDecodeError):
            if path.suffix in _TEXTS:
                lines = read_file(path, path.name, inside=folder).decode().splitlines()
                count += sum(len(word.findall(line.partition(" #")[0])) for line in lines if line[:1] != "#")
    return count


def _merged(parent: MappingNode, child: MappingNode) -> MappingNode:
    """The parent with what the child says instead or besides; mappings merge, everything else is replaced."""
    mine: dict[str, tuple[Scalar, Node]] = {}
    repeated = list[tuple[Scalar, Node]]()
    for key, node in child.entries:
        if key.text in mine:
            repeated.append((key, node))
        mine[key.text] = (key, node)
    entries = []
    for key, node in parent.entries:
        if key.text not in mine:
            entries.append((key, node))
            continue
        own_key, own = mine.pop(key.text)
        both = isinstance(node, MappingNode) and isinstance(own, MappingNode)
        entries.append((own_key, _merged(node, own) if both else own))  # type: ignore[arg-type]
    return MappingNode((*entries, *mine.values(), *repeated), child.place)


def take_inventory(folder: Path, parts: Iterable[str], shown: Callable[[Path], str], problems: Problems) -> None:
    """Notes every entry below the folder that cannot belong to a pack; `parts` are the names of its YAML files."""
    files = (*(f"{part}.yaml" for part in parts), "examples.yaml", "screen.yaml")
    inside = folder.resolve()
    for number, path in enumerate(_entries(folder, shown, problems)):
        if number == MOST_ENTRIES:
            problems.add(Place(shown(folder)), f"holds more than {MOST_ENTRIES:,} files (keep other things elsewhere)")
            return
        wrong = _file_problem(path, inside) or (_name(path, files) if path.parent == folder else _in_npcs(path, folder))
        if wrong:
            problems.add(Place(shown(path)), wrong)


def _entries(folder: Path, shown: Callable[[Path], str], problems: Problems) -> Iterator[Path]:
    """Everything below the folder, parents first, in the order of the names; links are not followed."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            found = sorted(each for each in here.iterdir() if not each.name.startswith("."))
        except OSError as error:
            problems.add(Place(shown(here)), (error.strerror or str(error)).lower())
            continue
        yield from found
        known = [each for each in found if here != folder or (each.name in FOLDERS and each.name != "output")]
        waiting += [each for each in reversed(known) if each.is_dir() and not each.is_symlink()]


def _file_problem(path: Path, inside: Path) -> str:
    """What is wrong with an entry as the file system sees it, or nothing."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            if not path.resolve().is_relative_to(inside):
                return LINK_OUT
            mode = path.stat().st_mode
    except (OSError, RuntimeError):  # RuntimeError: links in a circle, up to Python 3.12
        return "is a link that leads nowhere (delete it)"
    return "" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else NOT_REGULAR


def _name(path: Path, files: tuple[str, ...]) -> str:
    """What is wrong with the name of an entry of the pack folder itself, or nothing."""
    if _ABOUT.match(path.name):
        return ""
    if path.is_dir():
        if path.name in FOLDERS:
            return ""
        return f"unknown folder {quoted(path.name)} in a pack{_pack_file_hint(path.name, FOLDERS)}"
    if path.name in files or path.suffix.lower() not in _YAML or _holds_characters(path):
        return ""
    return f"unknown file {quoted(path.name)} in a pack{_pack_file_hint(path.name, files)}"


def _pack_file_hint(name: str, known: Iterable[str]) -> str:
    return suggestion(name, known) or f" (a pack has {', '.join(known)}; keep others elsewhere)"


def _in_npcs(path: Path, folder: Path) -> str:
    if path.parent == folder / "npcs" and path.suffix.lower() in _YAML and path.suffix != ".yaml":
        return f"is not read (name it {path.stem}.yaml)"
    return ""


def _holds_characters(path: Path) -> bool:
    """Whether the file says early on which system it is for, as files of characters do."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            return _CHARACTERS.search(file.read(4096)) is not None
    except OSError:
        return False
