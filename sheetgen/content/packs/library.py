"""Packs read: the System that a folder comes to, or every problem it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sheetgen.content.packs.creation import Terms, read_creation, read_duel, read_fields, read_step
from sheetgen.content.packs.folders import MANIFEST, Ancestry, Library, extended
from sheetgen.content.packs.roster_columns import read_roster
from sheetgen.content.packs.traits import Reader, read_groups, read_table
from sheetgen.content.people.characters import read_given
from sheetgen.content.people.groups import read_pack_groups
from sheetgen.content.people.npcs import CastReader, read_item_kinds
from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, text
from sheetgen.content.yaml.levels import Measures, branch
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion
from sheetgen.geometry import CARDS
from sheetgen.model.cast import Cast
from sheetgen.model.data import EMPTY, Data, Values, Word
from sheetgen.model.system import MOST_IN_DECK, RULES, Creation, CustomDeck, Step, System, Table, Trait, TraitGroup

HEAD = (
    "id",
    "extends",
    "title",
    "subtitle",
    "motto",
    "credit",
    "licence",
    "engine",
    "accent",
    "look",
    "covers",
    "traits",
    "skin",
    "values",
    "items",
    "rulings",
    "uses",
    "play",
    "duel",
    "decks",
)
LONGEST_ID = 40

_ID = re.compile(rf"[a-z][a-z0-9-]{{0,{LONGEST_ID - 1}}}")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pack folder came to: the system, as far as there is one, and every problem.

    `sound` tells that its traits, tables and people are as written, so that steps of creation can be held against them.
    """

    system: System | None
    problems: tuple[Problem, ...]
    sound: bool


def read_pack(folder: Path, library: Library) -> System:
    """The System that a pack folder states, what it extends included; InputError with every problem found."""
    reading = look_into(folder, library)
    if reading.system is None or reading.problems:
        raise InputError(reading.problems)
    return reading.system


def look_into(folder: Path, library: Library) -> Reading:
    """What a pack folder states, what it extends included, however wrong; InputError when there is no pack at all."""
    problems, ancestry = Problems(), Ancestry()
    parts = extended(folder, library, problems, ancestry)
    if "system" in ancestry.broken or "system" not in parts:
        return Reading(None, _once(problems), False)
    place = Place(library.shown(folder / MANIFEST), 1, 1)
    system, sound = _assemble(parts, place, ancestry, problems)
    return Reading(system, _once(problems), sound and ancestry.broken.isdisjoint(("tables", "npcs")))


def _once(problems: Problems) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(problems.found))


def _assemble(
    parts: Mapping[str, MappingNode], place: Place, ancestry: Ancestry, problems: Problems
) -> tuple[System, bool]:
    """The system, and whether all that steps of creation refer to could be read."""
    reader = Reader(problems)
    needs = ("id", "title", "credit", "licence", "traits")
    head = fields(parts["system"], problems, what="system.yaml", needs=needs, may=HEAD)
    reader.covers(head)
    title = reader.optional(head, "title")
    values = Values(branch(head["values"], problems, what="values") if "values" in head else EMPTY, place)
    before = len(problems.found)
    groups = read_groups(head["traits"], values, reader) if "traits" in head else ()
    complete = bool(groups) and len(problems.found) == before
    if "skin" in head and complete:
        groups = tuple(_skinned(group, head["skin"], reader, ancestry) for group in groups)
    traits = {name: trait.role for group in groups for trait in group.members for name in (trait.name, trait.role)}
    tables = _tables(parts.get("tables"), reader)
    if "tables" not in ancestry.broken:
        _check_bands(groups, tables, problems, parts["system"])
    kinds = read_item_kinds(head["items"], problems) if "items" in head else {}
    sound = complete and len(problems.found) == before
    terms = Terms(groups, traits, problems if complete else Problems(), values)
    creation = read_creation(parts["creation"], terms, reader) if "creation" in parts else Creation({}, {}, {}, place)
    scales = {trait.role: group.scale for group in groups for trait in group.members}
    measures = Measures(
        {name: (role, scales[role]) for name, role in traits.items()},
        {option.name: option.among for option in creation.options.values() if option.kind == "word"},
    )
    system = System(
        id=_id(head["id"], problems) if "id" in head else "",
        title=title,
        subtitle=reader.optional(head, "subtitle"),
        credit=reader.optional(head, "credit"),
        licence=reader.optional(head, "licence"),
        engine=reader.optional(head, "engine"),
        accent=reader.optional(head, "accent", "#333333"),
        look=reader.optional(head, "look"),
        motto=reader.optional(head, "motto"),
        place=place,
        values=values,
        groups=groups,
        tables=tables,
        fields=read_fields(parts["sheet"], terms, reader) if "sheet" in parts else (),
        creation=creation,
        cast=Cast(),
        lineage=tuple(ancestry.names),
        rulings=_rulings(head, problems),
        uses=_uses(head, problems),
        play=_play(head, reader),
        duel=read_duel(head["duel"], reader) if "duel" in head else None,
        decks=_decks(head, problems),
        covered=frozenset(reader.covered),
    )
    given = lambda node, found: read_given(node, system, found)  # noqa: E731
    choices = partial(_names, values, problems)
    people = CastReader(problems, measures, kinds, choices, given, complete=complete)
    system = replace(system, cast=people.read(parts.get("npcs") or MappingNode((), place)))
    return _arranged(system, parts, terms, reader), sound


def _arranged(system: System, parts: Mapping[str, MappingNode], terms: Terms, reader: Reader) -> System:
    """The system with what it says of many people at once: the columns of a roster, and its ready-made groups."""
    found = {key.text: node for key, node in parts["sheet"].entries} if "sheet" in parts else {}
    roster = read_roster(found["roster"], system.fields, terms, reader) if "roster" in found else None
    if "groups" not in parts:
        return replace(system, roster=roster)
    groups = read_pack_groups(parts["groups"], system.creation, system.cast, reader.problems)
    return replace(system, roster=roster, ready_groups=groups)


def _id(node: Node, problems: Problems) -> str:
    """The pack's id, which names files and folders and so holds nothing that could lead elsewhere."""
    before = len(problems.found)
    written = text(node, problems, what="id")
    if len(problems.found) == before and not _ID.fullmatch(written):
        slug = re.sub("[^a-z0-9]+", "-", written.casefold()).strip("-0123456789")[:LONGEST_ID].rstrip("-") or "mist"
        fix = f"write up to {LONGEST_ID} small letters, digits and hyphens, a letter first, such as {slug}"
        problems.add(node.place, f"id {quoted(written)} cannot name files ({fix})")
    return written


def _names(values: Values, problems: Problems, path: str) -> tuple[str, ...]:
    """The names below a value of the pack, none if it has no such value."""
    if not values.has(path):
        return ()
    try:
        return tuple(values.names(path))
    except InputError as error:
        for problem in error.problems:
            problems.add(problem.place, problem.message, problem.rule)
        return ()


def _rulings(head: Mapping[str, Node], problems: Problems) -> dict[str, str]:
    """How the pack rules open points, by their IDs; `rules` checks that they are points that can be ruled."""
    if "rulings" not in head:
        return {}
    return pairs(head["rulings"], problems, lambda _, value: text(value, problems, what="ruling"), what="rulings")


def _uses(head: Mapping[str, Node], problems: Problems) -> dict[str, dict[str, Mapping[Word, Data]]]:
    """What a character fills in: procedure, parameter that names the character, and where each value comes from."""
    if "uses" not in head:
        return {}
    filled = lambda _, node: branch(node, problems, what="uses")  # noqa: E731
    return pairs(head["uses"], problems, lambda key, node: pairs(node, problems, filled, what=key.text), what="uses")


def _play(head: Mapping[str, Node], reader: Reader) -> dict[str, Step]:
    """The rolls of a pack that chooses its mechanics by name."""
    if "play" not in head:
        return {}
    read = lambda key, node: read_step(key, node, reader, verb="family")  # noqa: E731
    return pairs(head["play"], reader.problems, read, what="play")


def _decks(head: Mapping[str, Node], problems: Problems) -> dict[str, CustomDeck]:
    """Return the decks of cards that the pack declares, by name."""
    if "decks" not in head:
        return {}
    return pairs(head["decks"], problems, lambda key, node: _deck(key, node, problems), what="decks")


def _deck(key: Scalar, node: Node, problems: Problems) -> CustomDeck:
    what, name = f"deck {key.text}", text(key, problems, what="deck", longest=40)
    if not _ID.fullmatch(name) or name == RULES:
        problems.add(key.place, f"{what}: write small letters, digits and hyphens, a letter first, and not {RULES}")
    found = fields(node, problems, what=what, needs=("say", "template", "sizes"), may=("people", "cards"))
    if ("people" in found) == ("cards" in found):
        problems.add(node.place, f"{what} needs either people or cards (write `people: 12`, or `cards: {{jokers: 2}}`)")
    said = {key: text(found[key], problems, what=key, longest=200) for key in ("say", "template") if key in found}
    size = lambda each: choice(each, problems, CARDS, what="size of card")  # noqa: E731
    sizes = items(found["sizes"], problems, size, what="sizes") if "sizes" in found else ()
    if "sizes" in found and not sizes:
        problems.add(found["sizes"].place, f"{what} needs a size (write `sizes: [poker]`)")
    cards = fields(found["cards"], problems, what="cards", may=("jokers", "ranks", "suits")) if "cards" in found else {}
    return CustomDeck(
        name=name,
        say=said.get("say", ""),
        template=said.get("template", ""),
        sizes=sizes,
        people=number(found["people"], problems, what="people", low=1, high=MOST_IN_DECK) if "people" in found else 0,
        jokers=number(cards["jokers"], problems, what="jokers", low=0, high=4) if "jokers" in cards else 0,
        ranks=text(cards["ranks"], problems, what="ranks") if "ranks" in cards else "",
        suits=text(cards["suits"], problems, what="suits") if "suits" in cards else "",
    )


def _tables(node: Node | None, reader: Reader) -> dict[str, Table]:
    if node is None:
        return {}
    found = fields(node, reader.problems, what="tables.yaml", needs=("tables",))
    read = lambda key, value: read_table(key, value, reader)  # noqa: E731
    return pairs(found["tables"], reader.problems, read, what="tables") if "tables" in found else {}


def _check_bands(groups: tuple[TraitGroup, ...], tables: Mapping[str, Table], problems: Problems, node: Node) -> None:
    wanted = {trait.bands: trait for group in groups for trait in group.members if trait.bands}
    for name, trait in wanted.items():
        if name not in tables:
            message = f"bands of {trait.name}: unknown table {quoted(name)}{suggestion(name, tables)}"
            problems.add(node.place, message)


def _skinned(group: TraitGroup, node: Node, reader: Reader, ancestry: Ancestry) -> TraitGroup:
    """The group with its members renamed and put in the skin's order; each role must be named once.

    Where the group asks for it, the initials spell the title of the pack that the skin stands in, not that of a pack
    which extends it.
    """
    problems = reader.problems
    skins = pairs(node, problems, lambda key, value: (key, value), what="skin")
    if group.name not in skins:
        return group
    key, names = skins[group.name]
    roles = {trait.role: trait for trait in group.members}
    members: dict[str, Trait] = {}

    def renamed(name: Scalar, value: Node) -> Trait:
        found = fields(value, problems, what=name.text, needs=("role",), may=("hint",))
        role = choice(found["role"], problems, roles, what="role") if "role" in found else ""
        trait = roles.get(role, group.members[0])
        if role in members:
            problems.add(value.place, f"{role} has two names: {members[role].name} and {name.text}")
        skin = trait.renamed(text(name, problems, longest=40), reader.optional(found, "hint", trait.hint))
        members[role] = skin
        return skin

    order = tuple(pairs(names, problems, renamed, what=f"skin of {group.name}").values())
    missing = [role for role in roles if role not in members]
    if missing:
        problems.add(key.place, f"the skin gives no name to {', '.join(missing)}", group.spells_title)
    initials = "".join(trait.name[:1] for trait in order)
    title = ancestry.titles.get(key.place.file)
    if group.spells_title and isinstance(title, Scalar) and initials.casefold() != title.text.casefold():
        problems.add(key.place, f"the initials spell {initials}, not {title.text[:40]}", group.spells_title)
    return group.with_members(order)
