"""Group files and a pack's groups.yaml: who belongs together, read from a pack or from a stranger's file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sheetgen.content.yaml.containers import Either, Entries, Key, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import FreeText, NameOf, OneLine, WholeNumber, is_whole
from sheetgen.errors import quoted, suggestion
from sheetgen.model.cast import Cast, Group, Member
from sheetgen.model.system import Creation

MOST_LINES = 100
MOST_OF_A_LINE = 999
NAME = OneLine(60)


def check_member(entries: Entries) -> None:
    """Tell what a line of people cannot be, and put its level among its options."""
    _check_trades(entries)
    _check_level(entries)
    if entries.values["name"] and entries.values["count"] > 1:
        count, name = entries.values["count"], quoted(entries.values["name"])
        entries.add(f"{count} people cannot all be {name} (give each a line)", at="name")


def _check_level(entries: Entries) -> None:
    """Put the level of a line among its options, or tell which ones there are."""
    level, option = entries.values.pop("level"), entries.scope.facts["strength"]
    if not level:
        return
    if option is not None and level in option.levels:
        entries.values["options"] = {**entries.values["options"], option.name: level}
    else:
        there = f"there are {', '.join(option.levels)}" if option is not None else "this game has none"
        entries.add(f"unknown level {quoted(level)}; {there}", at="level")


def _check_trades(entries: Entries) -> None:
    """Tell each trade that nobody of the archetype ever has, which is called by its name from here on."""
    archetype = entries.scope.names["archetype"].get(entries.values["archetype"])
    if archetype is not None:
        entries.values["archetype"] = archetype.name
    known = archetype.occupations if archetype is not None else ()
    listed = entries.nodes.get("occupations")
    written = [item.text for item in listed.items if isinstance(item, Scalar)] if isinstance(listed, Sequence) else []
    for trade in entries.values["occupations"] if known else ():
        if trade not in known and trade in written:  # others are told as unknown
            near = suggestion(trade, known) or f" (it has {', '.join(known)})"
            entries.add(f"no {archetype.name} is a {trade}{near}", at="occupations")


def member_in_short(written: str, node: Node, scope: Scope) -> Member:
    """Return the line that a few words state: how many, and an archetype in the singular or the plural."""
    archetypes = scope.names["archetype"]
    count, _, word = written.strip().partition(" ")
    if not is_whole(count):
        count, word = "1", written.strip()
    level, _, levelled = word.strip().partition(" ")
    option = scope.facts["strength"]
    options = {option.name: level} if option is not None and level in option.levels and levelled else {}
    word = levelled if options else word
    known = next((name for name in _singulars(word.strip()) if name in archetypes), "")
    if known and 1 <= int(count) <= MOST_OF_A_LINE:
        return Member(archetypes[known].name, int(count), options=options, place=node.place)
    if known:
        scope.add(node.place, f"{quoted(written)}: from 1 to {MOST_OF_A_LINE} on a line")
    elif written:
        near = suggestion(_singulars(word)[-1], archetypes) or " (write 5 guards, or archetype: guard)"
        scope.add(node.place, f"nobody here is called {quoted(word)}{near}")
    return Member("", place=node.place)


def _singulars(word: str) -> tuple[str, ...]:
    """The word, and what it may be the plural of: guards, bosses, spies, thieves, watchmen."""
    ends = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("men", "man"))
    return (word, *(word.removesuffix(end) + one for end, one in ends if word.endswith(end)))


def in_short(count: int, level: str, archetype: str) -> str:
    """Return the few words that `member_in_short` reads as so many of an archetype: `2 able guards`."""
    return " ".join(filter(None, (str(count), level, archetype if count == 1 else _plural(archetype))))


def _plural(word: str) -> str:
    """The word for several of them: guards, bosses, spies, thieves, watchmen."""
    if word.endswith("man"):
        return f"{word.removesuffix('man')}men"
    if word.endswith(("thief", "lf")):
        return f"{word[:-1]}ves"
    if word.endswith("y") and not word.endswith(("ay", "ey", "oy")):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def _check_group(entries: Entries) -> None:
    values = entries.values
    if "members" in entries and not values["members"] and not entries.scope.problems.found:
        entries.add(f"{entries.what} has no members (write `- archetype: …` for each)", at="members")
    if not values["title"] and entries.key is not None:
        values["title"] = entries.key.text


HOW = (
    Key("method", NameOf("method"), "how they are made: a method of creation.yaml", ""),
    Key(
        "options",
        MapOf(FreeText(200), key=NameOf("option"), each="option {key}"),
        "options of creation.yaml, such as `{tech: 6}`",
        dict,
    ),
)
ARCHETYPE = "archetype"
HOW_MANY = (
    Key("count", WholeNumber(1, MOST_OF_A_LINE), "how many of them", 1),
    Key("part", NAME, "what they are called in the group, numbered if there are several", ""),
    Key("name", NAME, "somebody's own name, in place of a rolled one", ""),
    Key("level", NAME, "how strong they are: weak, average, able, strong, boss, as the game has it", ""),
    Key("occupations", ListOf(NameOf("occupation")), "trades of the archetype, one of which they live by", ()),
    *HOW,
)
MEMBER = RecordOf(
    "member",
    Member,
    Key(ARCHETYPE, NameOf(ARCHETYPE), "what they are"),
    *HOW_MANY,
    check=check_member,
    place="place",
)
MEMBERS = ListOf(Either(Then(NAME, member_in_short), MEMBER), most=MOST_LINES, each="member")
KEYS = (
    Key("title", NAME, "what the group is called, if not by its name", ""),
    Key("say", FreeText(200), "a line to print with the group", ""),
    Key("members", MEMBERS, "who belongs to it; in short `5 guards`"),
    *HOW,
)
PACK_GROUP = RecordOf(
    "group {key}",
    Group,
    *KEYS,
    Key(
        "stands_for",
        ListOf(NameOf("group")),
        "groups of the pack that it varies: what is met there, and whoever asks for one of them gets this one",
        (),
    ),
    check=_check_group,
)
PACK_GROUPS = MapOf(PACK_GROUP, key=NAME, most=500)


def _without_system(system: str, **values: Any) -> Group:
    return Group(**values)


GROUP_FILE = RecordOf(
    "group", _without_system, Key("system", FreeText(), "the game", ""), *KEYS, check=_check_group, name="group file"
)


def read_pack_groups(
    node: Node, replaced: Iterable[MappingNode], scope: Scope
) -> tuple[dict[str, Group], dict[str, Group]]:
    """Return the ready-made groups of a pack by name, and by the names of groups that they took the place of the one
    that stands for it, or else that group as it is: chapters that are shared with the pack above may show it.
    """
    above = {key.text: (key, value) for each in replaced for key, value in each.entries}
    scope = replace(scope, names={**scope.names, "group": above})
    ready: dict[str, Group] = PACK_GROUPS.read(node, scope, "groups.yaml")
    stand_ins = dict[str, Group]()
    for group in ready.values():
        for name in group.stands_for:
            other = ready.get(name) or stand_ins.setdefault(name, group)
            if other is not group:
                scope.add(node.place, f"{quoted(name)} cannot be both {quoted(other.title)} and {quoted(group.title)}")
    left = tuple(entry for name, entry in above.items() if name not in stand_ins and name not in ready)
    others: dict[str, Group] = PACK_GROUPS.read(MappingNode(left, node.place), scope, "groups.yaml")
    theirs = {name: group for group in others.values() for name in group.stands_for}
    return ready, {**others, **theirs, **stand_ins}


def read_group(node: Node, title: str, creation: Creation, cast: Cast, problems: Problems) -> Group:
    """Return the one group of a file, called `title` unless it has a title of its own."""
    group = GROUP_FILE.read(node, scope_of(creation, cast, problems), "group")
    return group if group.title else replace(group, title=title)


def scope_of(creation: Creation, cast: Cast, problems: Problems) -> Scope:
    """Return what lines of people are read with: the archetypes, trades, methods and options of a game."""
    names = {
        "archetype": cast.archetype_words,
        "occupation": cast.occupations,
        "method": creation.methods,
        "option": creation.options,
    }
    return Scope(problems, dict(names), facts={"strength": creation.strength})


def is_group(node: Node) -> bool:
    """Return whether a file holds a group and not characters."""
    return isinstance(node, MappingNode) and any(key.text == "members" for key, _ in node.entries)
