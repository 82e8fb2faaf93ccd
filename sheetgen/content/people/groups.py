"""Group files and a pack's groups.yaml: who belongs together, read from a pack or from a stranger's file."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, text
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.number_format import is_whole
from sheetgen.errors import quoted, suggestion
from sheetgen.model.cast import Cast
from sheetgen.model.group import Group, Member
from sheetgen.model.system import Creation

MOST_LINES = 100
MOST_OF_A_LINE = 999
LONGEST_NAME = 60
FILE_KEYS = ("system", "title", "say", "members", "options", "method")


def read_pack_groups(node: Node, creation: Creation, cast: Cast, problems: Problems) -> dict[str, Group]:
    """The ready-made groups of a pack by name."""
    reader = _Reader(creation, cast, problems)
    return pairs(node, problems, reader.named, what="groups.yaml", most=500)


def read_group(node: Node, title: str, creation: Creation, cast: Cast, problems: Problems) -> Group:
    """The one group of a file, called `title` unless it has a title of its own; what is wrong goes to `problems`."""
    return _Reader(creation, cast, problems).group(node, title, what="group", may=FILE_KEYS)


def is_group(node: Node) -> bool:
    """Whether a file holds a group and not characters."""
    return isinstance(node, MappingNode) and any(key.text == "members" for key, _ in node.entries)


class _Reader:
    """Reads groups of one game, every archetype, method and option checked against it."""

    def __init__(self, creation: Creation, cast: Cast, problems: Problems) -> None:
        self.creation, self.cast, self.problems = creation, cast, problems

    def named(self, key: Scalar, node: Node) -> Group:
        """A group of a pack, under its name."""
        name = text(key, self.problems, what="group name", longest=LONGEST_NAME)
        return self.group(node, name, what=f"group {name}", may=FILE_KEYS[1:])

    def group(self, node: Node, title: str, *, what: str, may: tuple[str, ...]) -> Group:
        """One group, from the mapping with its members."""
        problems = self.problems
        found = fields(node, problems, what=what, needs=("members",), may=may)
        if "title" in found:
            title = text(found["title"], problems, what="title", longest=LONGEST_NAME)
        members: tuple[Member, ...] = ()
        if "members" in found:
            members = items(found["members"], problems, self._member, what="members", most=MOST_LINES)
        if "members" in found and not members and not problems.found:
            problems.add(found["members"].place, f"{what} has no members (write `- archetype: …` for each)")
        said = text(found["say"], problems, what="say", longest=200) if "say" in found else ""
        return Group(title, members, said, self._method(found), self._options(found))

    def _member(self, node: Node) -> Member:
        """One line: a mapping, or in short `5 guards`."""
        problems = self.problems
        if isinstance(node, Scalar):
            return self._in_short(node)
        may = ("count", "part", "name", "method", "options")
        found = fields(node, problems, what="member", needs=("archetype",), may=may)
        archetype = ""
        if "archetype" in found:
            archetype = choice(found["archetype"], problems, self.cast.archetypes, what="archetype")
        count = number(found["count"], problems, what="count", low=1, high=MOST_OF_A_LINE) if "count" in found else 1
        name = text(found["name"], problems, what="name", longest=LONGEST_NAME) if "name" in found else ""
        if name and count > 1:
            problems.add(found["name"].place, f"{count} people cannot all be {quoted(name)} (give each a line)")
        return Member(
            archetype=archetype,
            count=count,
            part=text(found["part"], problems, what="part", longest=LONGEST_NAME) if "part" in found else "",
            name=name,
            method=self._method(found),
            options=self._options(found),
            place=node.place,
        )

    def _in_short(self, node: Scalar) -> Member:
        """The line that a few words state: how many, and an archetype in the singular or the plural."""
        count, _, word = text(node, self.problems, what="member", longest=LONGEST_NAME).strip().partition(" ")
        if not is_whole(count):
            count, word = "1", node.text.strip()
        known = next((name for name in _singulars(word.strip()) if name in self.cast.archetypes), "")
        if known and 1 <= int(count) <= MOST_OF_A_LINE:
            return Member(known, int(count), place=node.place)
        if known:
            message = f"{quoted(node.text)}: from 1 to {MOST_OF_A_LINE} on a line"
        else:
            near = suggestion(_singulars(word)[-1], self.cast.archetypes)
            message = f"unknown archetype {quoted(word)}{near or ' (write 5 guards, or archetype: guard)'}"
        self.problems.add(node.place, message)
        return Member("", place=node.place)

    def _method(self, found: Mapping[str, Node]) -> str:
        if "method" not in found:
            return ""
        return choice(found["method"], self.problems, self.creation.methods, what="method")

    def _options(self, found: Mapping[str, Node]) -> dict[str, str]:
        return pairs(found["options"], self.problems, self._option, what="options") if "options" in found else {}

    def _option(self, key: Scalar, node: Node) -> str:
        choice(key, self.problems, self.creation.options, what="option")
        return text(node, self.problems, what=f"option {key.text}", longest=200)


def _singulars(word: str) -> tuple[str, ...]:
    """The word, and what it may be the plural of: guards, bosses, spies, thieves."""
    ends = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"))
    return (word, *(word.removesuffix(end) + one for end, one in ends if word.endswith(end)))
