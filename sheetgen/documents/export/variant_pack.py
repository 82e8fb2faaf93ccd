"""The texts of a variant's files about the game that they vary: traits, options and an archetype, as YAML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.documents.export.characters import yaml_fields
from sheetgen.errors import printable
from sheetgen.model.cast import Archetype
from sheetgen.model.character import Character
from sheetgen.model.system import Option, System, TraitGroup

WIDTH = 110
FEWEST = 4  # traits whose initials could spell a title

_LEVEL = re.compile(r"[+\-−]?\d+|[A-Fa-f]")
_SKIN = """
# Other names for what characters are rated in: take the first # of each line away, and write your names on the left.
# The roles on the right stay, since the rules know them by these.{spelt}
# skin:
#   """


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
