"""Packs read: the System that a folder comes to, or every problem it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheetgen.content.packs.creation import CREATION, DUEL, ENCOUNTER, usual_duel
from sheetgen.content.packs.folders import MANIFEST, OVERRIDE, Ancestry, Library, extended, least_version, release
from sheetgen.content.packs.play import PlayDecoder
from sheetgen.content.packs.sheet import SHEET
from sheetgen.content.packs.traits import COVERS, GROUP, GROUPS, LINE, TABLE, TEXT, know_traits
from sheetgen.content.people.characters import read_given
from sheetgen.content.people.groups import read_pack_groups, scope_of
from sheetgen.content.people.npcs import ITEM_KIND, npcs
from sheetgen.content.yaml.containers import Entries, Key, Later, ListOf, MapOf, RecordOf, Then, mapping_entries
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.levels import FreeMapping
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.scalars import ChoiceOf, NameOf, OneLine, WholeNumber, YesNo
from sheetgen.errors import Place, Problem, among, quoted
from sheetgen.geometry import CARDS
from sheetgen.model.book import LEGEND
from sheetgen.model.cast import Cast
from sheetgen.model.data import EMPTY, Data, Values, Word
from sheetgen.model.people_pages import USUAL_ROWS
from sheetgen.model.printing import MOST_IN_DECK, RULES, CustomDeck
from sheetgen.model.system import Creation, System, Table, Trait, TraitGroup
from sheetgen.version import __version__

LONGEST_ID = 40

_ID = re.compile(rf"[a-z][a-z0-9-]{{0,{LONGEST_ID - 1}}}")


def _id(written: str, node: Node, scope: Scope) -> str:
    """The pack's id, which names files and folders and so holds nothing that could lead elsewhere."""
    if written and not _ID.fullmatch(written):
        slug = re.sub("[^a-z0-9]+", "-", written.casefold()).strip("-0123456789")[:LONGEST_ID].rstrip("-") or "mist"
        fix = f"write up to {LONGEST_ID} small letters, digits and hyphens, a letter first, such as {slug}"
        scope.add(node.place, f"id {quoted(written)} cannot name files ({fix})")
    return written


def _needs(written: str, node: Node, scope: Scope) -> str:
    """The sheetgen that a pack needs, which is this one or an earlier one."""
    least = least_version(written)
    if written and least is None:
        scope.add(node.place, f"needs {quoted(written)}: write the least version of sheetgen, such as '>=0.2'")
    elif least is not None and least > release(__version__):
        scope.add(node.place, f"this pack needs sheetgen {written}, and this is {__version__} (install a later one)")
    return written


def _known_values(found: Mapping[Word, Data], node: Node, scope: Scope) -> Values:
    scope.values = Values(found, scope.facts["place"])
    return scope.values


def _deck_name(name: str, node: Node, scope: Scope) -> str:
    if not _ID.fullmatch(name) or name == RULES:
        what = f"deck {name}: write small letters, digits and hyphens, a letter first, and not {RULES}"
        scope.add(node.place, what)
    return name


def _check_deck(entries: Entries) -> None:
    values, what = entries.values, entries.what
    if ("people" in entries) == ("cards" in entries):
        entries.add(f"{what} needs either people or cards (write `people: 12`, or `cards: {{jokers: 2}}`)")
    if "sizes" in entries and not values["sizes"]:
        entries.add(f"{what} needs a size (write `sizes: [poker]`)", at="sizes")
    values |= values.pop("cards")


DECK = RecordOf(
    "deck {key}",
    CustomDeck,
    Key("say", OneLine(200), "what the deck is, in a line"),
    Key("template", OneLine(200), "the page that sets a card"),
    Key("sizes", ListOf(ChoiceOf(tuple(CARDS), "size of card")), "the sizes it can be printed in, the usual one first"),
    Key("people", WholeNumber(1, MOST_IN_DECK), "a deck of so many rolled people", 0),
    Key(
        "cards",
        RecordOf[dict[str, Any]](
            "cards",
            dict,
            Key("jokers", WholeNumber(0, 4), "how many jokers", 0),
            Key("ranks", TEXT, "the pack value that lists the ranks", ""),
            Key("suits", TEXT, "the pack value that lists the suits", ""),
        ),
        "a deck of playing cards",
        dict,
    ),
    check=_check_deck,
    key="name",
)
SKINNED = RecordOf[dict[str, Any]](
    "{key}",
    dict,
    Key("role", NameOf("role"), "the trait of the other pack that has this name here"),
    Key("hint", TEXT, "a word or two on what it is for", None),
    Key("short", OneLine(8), "this name where there is little room", ""),
    name="renamed trait",
)
PLACED = Then(LINE, lambda name, node, scope: Word(name, node.place))
SYSTEM = RecordOf[dict[str, Any]](
    "system.yaml",
    dict,
    Key("id", Then(TEXT, _id), "the name of the pack's folder, which also names files"),
    Key("title", LINE, "the name of the game"),
    Key("credit", TEXT, "whose work it is; printed on every page"),
    Key("licence", TEXT, "under which licence it may be used"),
    Key("traits", Later(MapOf(GROUP)), "groups of traits: attributes, skills and the like"),
    Key("extends", TEXT, "the pack that this one varies; `gamers >=1.2` says at least which version of it", ""),
    Key("version", LINE, "the version of this pack, such as 1.2", ""),
    Key("needs", Then(LINE, _needs), "the least sheetgen that it needs, such as `'>=0.2'`", ""),
    Key("subtitle", TEXT, "a line below the title", ""),
    Key("motto", TEXT, "a line for the cover", ""),
    Key("blurb", TEXT, "what the back of the book says; empty lines between its paragraphs", ""),
    Key("players", LINE, "a line for the back of the book: how many players, from what age, how long they play", ""),
    Key("rights", MapOf(TEXT, key=OneLine(40)), "for the imprint: what may be copied, what is yours", dict),
    Key(OVERRIDE, YesNo(), "yes: it takes the place of the game of sheetgen whose name it has", False),
    Key("engine", TEXT, "the Python that plays its rules, by name; none for games by families", ""),
    Key("accent", TEXT, 'the colour of lines and heads, such as `"#334455"`', "#333333"),
    Key("look", TEXT, "the look of its handouts", ""),
    COVERS,
    Key("values", Then(FreeMapping(), _known_values), "numbers and words that rules use, by path", None),
    Key("items", MapOf(ITEM_KIND, key=OneLine(40)), "kinds of things that people own, and their facts", dict),
    Key("skin", Later(MapOf(MapOf(SKINNED))), "new names for the traits of each group of the pack it varies", None),
    Key("leaves_out", ListOf(PLACED), "chapters of the pack it varies that its own book has not", None),
    Key("reasons", YesNo(), "no: its book has neither the signs † nor why the rules are read so", True),
    Key("without", ListOf(PLACED), "optional rules of the edition, by their IDs, that this game goes without", ()),
    Key("rulings", MapOf(TEXT, key=PLACED, each="ruling"), "how open points are ruled, by their IDs", dict),
    Key("uses", MapOf(MapOf(FreeMapping(), each="uses")), "which parameters a character fills in", dict),
    Key("play", MapOf(PlayDecoder()), "rolls and other procedures of the game, by name", dict),
    Key("duel", DUEL, "how two characters fight", None),
    Key("allow", ListOf(PLACED, 100), "warnings of `check` that are meant so, each by words of its line", ()),
    Key("card_size", ChoiceOf(tuple(CARDS), "size of card"), "the size of its reference cards, if not poker", ""),
    Key("encounter", ENCOUNTER, "how several fight on two sides", None),
    Key("decks", MapOf(DECK, key=Then(OneLine(40), _deck_name)), "decks of cards to print, by name", dict),
)
TABLES = RecordOf[dict[str, Any]]("tables.yaml", dict, Key("tables", MapOf(TABLE), "the tables by name"))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pack folder came to: the system, as far as there is one, and every problem.

    `sound` tells that its traits, tables and people are as written, so that steps of creation can be held against them.
    """

    system: System | None
    problems: tuple[Problem, ...]
    sound: bool


def look_into(folder: Path, library: Library) -> Reading:
    """Return what a pack folder states, what it extends included, however wrong; InputError if there is no pack."""
    problems, ancestry = Problems(), Ancestry()
    parts = extended(folder, library, problems, ancestry)
    if "system" in ancestry.broken or "system" not in parts:
        return Reading(None, _unique_problems(problems), False)
    place = Place(library.shown(folder / MANIFEST), 1, 1)
    system, sound = _assemble(parts, place, ancestry, problems)
    if not library.house.keys().isdisjoint((folder.name, *ancestry.names)):
        printed = look_into(folder, replace(library, house={})).system
        system = replace(system, credit=f"{system.credit}{LEGEND}", printed=printed)
    return Reading(system, _unique_problems(problems), sound and ancestry.broken.isdisjoint(("tables", "npcs")))


def _unique_problems(problems: Problems) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(problems.found))


def _assemble(
    parts: Mapping[str, MappingNode], place: Place, ancestry: Ancestry, problems: Problems
) -> tuple[System, bool]:
    """The system, and whether all that steps of creation refer to could be read."""
    scope = Scope(problems, values=Values(EMPTY, place), facts={"place": place})
    head = SYSTEM.read(parts["system"], scope, MANIFEST)
    before = len(problems.found)
    groups = GROUPS.read(head["traits"], scope, "traits") if head["traits"] is not None else ()
    complete = bool(groups) and len(problems.found) == before
    if head["skin"] is not None and complete:
        groups = tuple(_skinned(group, head["skin"], scope, ancestry) for group in groups)
    know_traits(scope, groups)
    tables = TABLES.read(parts["tables"], scope, "tables.yaml")["tables"] if "tables" in parts else {}
    if "tables" not in ancestry.broken:
        _check_bands(groups, tables, problems, parts["system"])
    sound = complete and len(problems.found) == before
    if not complete:
        scope.unsure |= {"trait", "trait group", "thing or tag"}
    creation = CREATION.read(parts["creation"], scope, "") if "creation" in parts else Creation({}, {}, {}, place)
    scope.names["table"] = tables
    sheet: dict[str, Any] = SHEET.read(parts["sheet"], scope, "") if "sheet" in parts else {}
    said = ("id", "title", "subtitle", "credit", "licence", "motto", "blurb", "players", "rights")
    kept = (*said, "engine", "accent", "look", "card_size", "version", "needs", "leaves_out", "reasons", "allow")
    system = System(
        **{name: head[name] for name in kept},
        place=place,
        values=scope.values,
        groups=groups,
        tables=tables,
        fields=sheet.get("character") or (),
        creation=creation,
        cast=Cast(),
        lineage=tuple(ancestry.names),
        rulings=head["rulings"],
        without=head["without"],
        uses=head["uses"],
        play=head["play"],
        duel=head["duel"] or usual_duel(head["play"]),
        encounter=head["encounter"],
        decks=head["decks"],
        roster=sheet.get("roster"),
        npc_page=sheet.get("npc"),
        sheet_layout=sheet.get("layout"),
        boxes=sheet.get("boxes"),
        tries=sheet.get("tries"),
        token=sheet.get("token"),
        rows=sheet.get("rows") or USUAL_ROWS,
        covered=frozenset(scope.covered),
    )
    words = {each.name: each.among for each in creation.options.values() if each.kind == "word"}
    scope.facts |= {"word options": words, "methods": tuple(creation.methods)}
    scope.facts["read given"] = lambda node, found: read_given(node, system, found)
    people = npcs(head["items"], scope)
    system = replace(system, cast=people.read(parts.get("npcs") or MappingNode((), place), scope, "npcs"))
    if "groups" in parts:
        known = scope_of(system.creation, system.cast, problems)
        ready, stand_ins = read_pack_groups(parts["groups"], ancestry.replaced, known)
        system = replace(system, ready_groups=ready, stand_ins=stand_ins)
    return system, sound


def _check_bands(groups: tuple[TraitGroup, ...], tables: Mapping[str, Table], problems: Problems, node: Node) -> None:
    wanted = {trait.bands: trait for group in groups for trait in group.members if trait.bands}
    for name, trait in wanted.items():
        if name not in tables:
            message = f"bands of {trait.name}: unknown table {quoted(name)}{among(name, tables)}"
            problems.add(node.place, message)


def _skinned(group: TraitGroup, node: Node, scope: Scope, ancestry: Ancestry) -> TraitGroup:
    """The group with its members renamed and put in the skin's order; each role must be named once.

    Where the group asks for it, the initials spell the title of the pack that the skin stands in, not that of a pack
    which extends it.
    """
    skins = mapping_entries(node, scope, what="skin", most=100)
    if group.name not in skins:
        return group
    key, names = skins[group.name]
    roles = {trait.role: trait for trait in group.members}
    members: dict[str, Trait] = {}
    scope.names["role"] = roles
    entries = mapping_entries(names, scope, what=f"skin of {group.name}", most=1000)
    for name, (at, value) in entries.items():
        found = SKINNED.under(at, value, scope)
        role = found["role"] or group.members[0].role
        if role in members:
            scope.add(value.place, f"{role} has two names: {members[role].name} and {name}")
            continue
        OneLine(40).read(at, scope, "name")
        hint = roles[role].hint if found["hint"] is None else found["hint"]
        members[role] = replace(roles[role], name=name, hint=hint, short=found["short"])
    missing = [role for role in roles if role not in members]
    if missing:
        scope.add(key.place, f"the skin gives no name to {', '.join(missing)}", group.spells_title)
    initials = "".join(trait.name[:1] for trait in members.values())
    title = ancestry.titles.get(key.place.file)
    if group.spells_title and isinstance(title, Scalar) and initials.casefold() != title.text.casefold():
        scope.add(key.place, f"the initials spell {initials}, not {title.text[:40]}", group.spells_title)
    return replace(group, members=tuple(members.values()))
