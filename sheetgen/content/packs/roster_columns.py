"""The shape of `roster:` in sheet.yaml: which columns everybody's line has, and which fields stand in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetgen.content.packs.creation import Terms
from sheetgen.content.packs.traits import Reader
from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, switch, text
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.number_format import is_whole
from sheetgen.errors import quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.model.roster import SLOT, Column, Roster
from sheetgen.model.system import FieldSpec, TraitGroup

MOST_COLUMNS = 24
MOST_KEYS = 3
MOST_LINES = 4
MOST_TICKS = 30
CONTENTS = ("shows", "each", "best", "ticks")
FIGURES = ("figure", "arms", "armour")


def read_roster(node: Node, specs: Sequence[FieldSpec], terms: Terms, reader: Reader) -> Roster:
    """The columns of a roster; every field they name is one that a sheet of the game could have."""
    problems = reader.problems
    found = fields(node, problems, what="roster", needs=("columns",), may=("under", "reminder"))
    columns = _Columns(specs, terms, problems)
    listed: list[Column] = []
    if "columns" in found:
        for column in items(found["columns"], problems, columns.read, what="columns", most=MOST_COLUMNS):
            listed += column
    if len(listed) > MOST_COLUMNS:
        problems.add(node.place, f"a roster of {len(listed)} columns fits no paper (leave {MOST_COLUMNS} at most)")
    keys = [column for column in listed if column.key]
    if len(keys) > MOST_KEYS:
        problems.add(node.place, f"{len(keys)} columns have a key; an index takes {MOST_KEYS}")
    under = ""
    if "under" in found:
        under = choice(found["under"], problems, [spec.name for spec in specs], what="field")
    return Roster(tuple(listed[:MOST_COLUMNS]), under, reader.optional(found, "reminder"))


class _Columns:
    """Reads one column after another, each against the fields of the game."""

    def __init__(self, specs: Sequence[FieldSpec], terms: Terms, problems: Problems) -> None:
        self.terms, self.problems = terms, problems
        self.specs = {spec.name: spec for spec in specs}
        self.groups = {group.name: group for group in terms.groups}
        self.named = {
            word: (group.name, trait.name)
            for group in terms.groups
            for trait in group.members
            for word in (trait.role, trait.name)
        }

    def read(self, node: Node) -> tuple[Column, ...]:
        """One column, or one for each trait of a group."""
        may = ("title", "hint", *CONTENTS, "heads", "most", "pencil", "key")
        found = fields(node, self.problems, what="column", may=may)
        told = [name for name in CONTENTS if name in found]
        if len(told) > 1:
            self.problems.add(node.place, f"a column has only one of {', '.join(CONTENTS)}, not {' and '.join(told)}")
        pencil = switch(found["pencil"], self.problems, what="pencil") if "pencil" in found else False
        if "each" in found:
            return self._each(found, pencil)
        if "title" not in found:
            self.problems.add(node.place, 'column lacks "title" (add `title: ...`, or `each: ` with a trait group)')
        shows = self._lines(found["shows"]) if "shows" in found else ()
        column = Column(
            title=self._text(found, "title", 40),
            hint=self._text(found, "hint", 80),
            shows=shows,
            best=self._best(found),
            most=number(found["most"], self.problems, what="most", low=1, high=12) if "most" in found else 3,
            ticks=self._ticks(found["ticks"]) if "ticks" in found else "",
            pencil=pencil,
            key=self._key(found["key"], shows) if "key" in found else "",
        )
        return (column,)

    def _text(self, found: Mapping[str, Node], name: str, longest: int) -> str:
        return text(found[name], self.problems, what=name, longest=longest) if name in found else ""

    def _each(self, found: Mapping[str, Node], pencil: bool) -> tuple[Column, ...]:
        group = self._group(found["each"])
        if "heads" in found:
            heads = choice(found["heads"], self.problems, ("names", "initials"), what="heads")
        else:
            heads = "names"
        if group is None:
            return ()
        return tuple(
            Column(
                title=trait.name[:1] if heads == "initials" else trait.name,
                hint=trait.name if heads == "initials" else "",
                shows=(f"{{{group.name}.{trait.name}}}",),
                pencil=pencil,
            )
            for trait in group.members
        )

    def _best(self, found: Mapping[str, Node]) -> str:
        group = self._group(found["best"]) if "best" in found else None
        return group.name if group is not None else ""

    def _group(self, node: Node) -> TraitGroup | None:
        return self.groups.get(choice(node, self.terms.problems, self.groups, what="trait group"))

    def _lines(self, node: Node) -> tuple[str, ...]:
        if isinstance(node, Scalar):
            return (self._line(node),)
        return items(node, self.problems, self._line, what="shows", most=MOST_LINES)

    def _line(self, node: Node) -> str:
        """A line with the fields of a sheet in its braces; a bare word is a field."""
        said = text(node, self.problems, what="shows", longest=200)
        if "{" not in said and "}" not in said:
            return f"{{{self._field(said, node)}}}" if said else ""
        rest = SLOT.sub("", said)
        if "{" in rest or "}" in rest:
            self.problems.add(node.place, f"{quoted(said)}: a field stands in braces, such as {{name}}")
        return SLOT.sub(lambda slot: f"{{{self._field(slot[1], node)}}}", said)

    def _field(self, word: str, node: Node) -> str:
        """The field of a sheet that a word means: a trait by any of its names, or the field itself."""
        if word in self.named:
            return ".".join(self.named[word])
        head, dot, rest = word.partition(".")
        if dot and head in (*self.groups, "note") and rest in self.named:
            group, name = self.named[rest]
            if head in ("note", group):
                return f"{head}.{name}"
        if word in self.specs or (
            dot and rest and (head in FIGURES or (head in self.specs and head not in self.groups))
        ):
            return word
        known = (*self.named, *self.specs)
        fix = suggestion(word, known) or " (name a trait, a field of the character, or a figure such as figure.move)"
        self.terms.problems.add(node.place, f"unknown field {quoted(word)}{fix}")
        return word

    def _ticks(self, node: Node) -> str:
        """How many boxes: a number, the pack value of a path, or a field."""
        values = self.terms.values
        if isinstance(node, Scalar) and values.has(node.text) and isinstance(values.at(node.text), Word):
            node = Scalar(values.text(node.text), node.place, quoted=False)
        if isinstance(node, Scalar) and is_whole(node.text):
            return str(number(node, self.problems, what="ticks", low=1, high=MOST_TICKS))
        return self._line(node)

    def _key(self, node: Node, shows: tuple[str, ...]) -> str:
        """What an index shows of the column: a line of its own, or with `yes` the first of the column."""
        if isinstance(node, Scalar) and not node.quoted and node.text.casefold() in ("yes", "true", "on"):
            if not shows:
                self.problems.add(node.place, "a key must show something (give the column `shows`)")
            return shows[0] if shows else ""
        return self._line(node)
