"""New packs, written as a folder of files to edit: a small complete game, or a variant of an existing one."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

from sheetgen.content.packs.folders import MANIFEST
from sheetgen.content.packs.library import LONGEST_ID
from sheetgen.content.schema import FILES, schema_of
from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.documents.export.characters import yaml_fields
from sheetgen.errors import UsageError, printable, quoted
from sheetgen.model.cast import Archetype
from sheetgen.model.character import Character
from sheetgen.model.system import Option, System, TraitGroup
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import (
    DEVICES,
    OpenFolder,
    part_name,
    refusal,
    slug,
    sweep,
    system_errors_explained,
    write_file,
)

SCHEMAS = ".schema"  # a hidden folder is no part of a pack
STARTER, VARIANT = "pack/starter", "pack/variant"
Files = Mapping[str, bytes]

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_UNNAMED = "mist"
WIDTH = 110
FEWEST = 4  # traits whose initials could spell a title
_LEVEL = re.compile(r"[+\-−]?\d+|[A-Fa-f]")
_SKIN = """
# Other names for what characters are rated in: take the first # of each line away, and write your names on the left.
# The roles on the right stay, since the rules know them by these.{spelt}
# skin:
#   """


def checked_name(project: Project, name: str) -> str:
    """Return the name for a new pack; UsageError with a valid suggestion if it cannot name files or is taken."""
    if len(name) > LONGEST_ID or not _NAME.fullmatch(name) or DEVICES.fullmatch(name):
        fix = f"write up to {LONGEST_ID} small letters, digits and hyphens, a letter first, such as {_nearest(name)}"
        raise UsageError(printable(f"{quoted(name)} cannot name a pack ({fix})"))
    if name in project.library.packs:
        fix = f"take another one; sheetgen new my-{name} --from {name} starts a variant of it"
        raise UsageError(f"{quoted(name)} is a system already ({fix})")
    if (project.templates / name).is_dir():
        raise UsageError(f"{quoted(name)} cannot name a pack: pages of sheetgen are called so (such as my-{name} can)")
    return name


def _nearest(name: str) -> str:
    """Return a valid name made of the letters of an invalid one."""
    plain = re.sub("[^a-z0-9]+", "-", slug(name).casefold()).strip("-0123456789")
    return plain[:LONGEST_ID].rstrip("-") or _UNNAMED


def starter(project: Project, name: str) -> Files:
    """Return the files of a small game that works at once, by their paths inside its folder."""
    return _filled_templates(project, STARTER, name, {})


def variant(project: Project, name: str, pack: Pack) -> Files:
    """Return the files of a pack that extends another; UsageError if that one is not where names are looked for."""
    packs, folder = project.library.packs, pack.folder.resolve()
    parent = next((known for known, where in packs.items() if where.resolve() == folder), "")
    if not parent:
        shown = project.shown(pack.folder)
        fix = f"move it to content/{pack.system.id}, and say --from {pack.system.id}"
        raise UsageError(printable(f"{shown}: a pack can extend only what has a name here ({fix})"))
    parts = variant_texts(pack.system)
    files = _filled_templates(project, VARIANT, name, {"extends": scalar(parent), **parts.words})
    return {path: data for path, data in files.items() if path not in parts.without}


def _filled_templates(project: Project, kind: str, name: str, words: Mapping[str, str]) -> Files:
    """Return the files below a folder of templates with their places filled; the manifest, which makes a pack, comes
    last.
    """
    root = project.templates / kind
    title = _title(name)
    words = {"id": scalar(name), "title": scalar(title), "credit": scalar(f"{title}, by its author"), **words}
    paths = sorted(root.rglob("*.yaml"), key=lambda path: (path.name == MANIFEST, path))
    texts = {
        path.relative_to(root).as_posix(): Template(path.read_text(encoding="utf-8")).substitute(words)
        for path in paths
    }
    return _schemas(texts) | {path: f"{_schema_line(path)}{text}".encode() for path, text in texts.items()}


def _schemas(paths: Iterable[str]) -> dict[str, bytes]:
    """Return the schemas of these files of a pack, for editors that complete and explain what is typed."""
    kinds = sorted({kind for path in paths if (kind := _kind_of(path)) in FILES})
    return {f"{SCHEMAS}/{kind}.json": json.dumps(schema_of(FILES[kind]), indent=1).encode() for kind in kinds}


def _kind_of(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return {"": name.removesuffix(".yaml"), "rules": "chapter"}.get(folder, folder)


def _schema_line(path: str) -> str:
    """Return the line by which the YAML language server, which most editors use, finds the schema of a file."""
    kind, up = _kind_of(path), "../" * path.count("/")
    return f"# yaml-language-server: $schema={up}{SCHEMAS}/{kind}.json\n" if kind in FILES else ""


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("-"))


def write_folder(path: Path, files: Mapping[str, bytes], *, shown: str = "") -> None:
    """Write a new folder with these files, by their paths inside; missing folders above it are made, too.

    OutputError, a line with the path, as `shown`, and the reason, if something stands there already or the disk takes
    no more: then nothing is left of what was begun.
    """
    name = shown or str(path)
    part = path.parent / part_name(path.name)
    size = sum(map(len, files.values()))
    explained = partial(system_errors_explained, name, lambda: size, ValueError)  # NUL in a path
    with explained():
        _refuse_existing(path, name)
        sweep(path.parent)
        missing = [folder for folder in path.parents if not folder.exists()]
    try:
        with explained():
            part.mkdir(parents=True)
        for inner, data in files.items():
            write_file(part / inner, data, shown=f"{name}/{inner}")
        with explained():
            _refuse_existing(path, name)
            part.rename(path)
            with closing(OpenFolder(path.parent)) as above:
                above.flush()
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def _refuse_existing(path: Path, name: str) -> None:
    """Raise OutputError if anything exists at the path, even a broken link."""
    if os.path.lexists(path):
        raise refusal(name, "it is there already, and nothing is written over it")


@dataclass(frozen=True, slots=True)
class VariantTexts:
    """The words for the places in the templates of a variant, and the files that it has no use for."""

    words: dict[str, str]
    without: tuple[str, ...]


def variant_texts(system: System) -> VariantTexts:
    """Return what a variant may change of a game, as it stands there."""
    options = list(system.creation.options.values())
    archetype = next(iter(system.cast.archetypes.values()), None)
    title = printable(system.title)
    words = {
        "parent": title,
        "subtitle": scalar(f"a variant of {title}"),
        "skin": _skin(system.groups[0]),
        "options": "\n".join(line for option in options for line in _option(option)),
        "model": printable(archetype.name) if archetype else "",
        "archetype": "\n".join(f"    {line}" for line in _archetype(system, archetype)) if archetype else "",
    }
    without = (*(() if options else ("creation.yaml",)), *(() if archetype else ("npcs.yaml",)))
    return VariantTexts(words, without)


def _skin(group: TraitGroup) -> str:
    """Return other names for the traits of a group, as a comment.

    Nothing for a group that is too small to spell a title.
    """
    if len(group.members) < FEWEST:
        return ""
    lines = [f"{scalar(group.name)}:"]
    for trait in group.members:
        hint = f", hint: {flow_scalar(printable(trait.hint))}" if trait.hint else ""
        lines.append(f"  {scalar(trait.name)}: {{role: {flow_scalar(trait.role)}{hint}}}")
    spelt = " In your order, the initials must spell the title." if group.spells_title else ""
    return _SKIN.format(spelt=spelt) + "\n#   ".join(lines) + "\n"


def _option(option: Option) -> Iterator[str]:
    """Yield what an option is about, which words it takes, and its default."""
    words = ", ".join(option.among or option.steps)
    if option.say or words:
        yield f"  # {printable(': '.join(each for each in (option.say, words) if each))}"
    bare = option.kind == "switch" or _LEVEL.fullmatch(option.default)  # levels and yes and no stand without quotes
    default = option.default if bare else flow_scalar(option.default)
    yield f"  {scalar(option.name)}: {{default: {default}}}"


def _archetype(system: System, archetype: Archetype) -> Iterator[str]:
    """Yield what an archetype is made of, but for its words: the lines of its entry."""

    def names(roles: Iterable[str]) -> list[str]:
        return [flow_scalar(system.by_role[role].name) for role in roles]

    yield from _flow_list("attributes", names(archetype.attributes))
    if archetype.core:
        core = zip(names(archetype.core), archetype.core.values(), strict=True)
        yield f"core: {{{', '.join(f'{name}: {level}' for name, level in core)}}}"
    yield from _flow_list("also", names(archetype.also))
    yield from _flow_list("occupations", [flow_scalar(trade) for trade in archetype.occupations])
    fields = yaml_fields(system, Character(system.id, archetype.gives))
    if fields:
        yield "gives:"
        yield from (f"  {line}" for lines in fields.values() for line in lines)


def _flow_list(name: str, items: list[str]) -> Iterator[str]:
    """Yield a list in brackets, on as many lines as it takes."""
    whole = f"{name}: [{', '.join(items)}]"
    if not items or len(whole) <= WIDTH:
        yield from [whole] if items else []
        return
    yield f"{name}: ["
    line = " "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            yield line
            line = " "
        line += f" {item},"
    yield from (line, "]")
