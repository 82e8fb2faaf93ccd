"""A filled sheet read back: the text of its fields becomes the values of a character again; its foot says whose.

What stands under the name of a value is read by the limits of the game. Values that a sheet shows by figures alone
(rings, marks on a track, rows of a table) are looked for: what gives the figures that stand there was meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from sheetgen.content.people.characters import character_record
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.nodes import Sequence as SequenceNode
from sheetgen.documents.people.form_fields import Unread
from sheetgen.documents.people.sheet import ABOUT as PERSONAL
from sheetgen.documents.people.sheet import VOICE, WANT, provenance_line, sheet_values
from sheetgen.errors import Place, Problem, SheetgenError, quoted
from sheetgen.model.acroform import YES, is_yes
from sheetgen.model.character import Character, Value
from sheetgen.model.people_pages import MARK
from sheetgen.model.system import FieldSpec, System, Trait
from sheetgen.model.wording import unquoted
from sheetgen.people.figure_search import FigureSearch, plain_text
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of

EDITED = " · edited since"
_FOOT = re.compile(r"(?:(.*?) · )?seed (\d{1,19}) · no\. (\d{1,10})")
_AGAIN = re.compile(r"(.+) by (\d{1,19})")
MOST_CHOICES = 9  # of levels that a tick may mean
MOST_ROUNDS = 5  # of reading, each without what was refused before
PRONOUNS = re.compile(r"she|he|they|it|[a-z]{1,8}(/[a-z]{1,8})+", re.IGNORECASE)
SEED = "seed"
HALF = 0.5  # of a sheet must say what was rolled
NO_VALUE = "a character of this game has no such value"
_DOTTED = re.compile(r"\s*·\s*|\s*\n\s*")
_PARTED = (re.compile(r"\s*;\s*"), re.compile(r",\s+(?![^()]*\))"))
_RATED = re.compile(r"([+\-−]?\w{1,3})\s*·\s*(.+)"), re.compile(r"(.+?)[\s:·]+([+\-−]?[0-9A-Fa-f]{1,2})")
_NOTED = re.compile(r"(.+) \(([^()]+)\)")


@dataclass(frozen=True, slots=True)
class SheetReading:
    """A character as a sheet has it, the rules that it breaks, and what stands on the sheet and is no part of it."""

    character: Character
    broken: tuple[Problem, ...]
    unread: tuple[Unread, ...]


def read_back(
    system: System,
    said: Mapping[str, str],
    field_of: Mapping[str, str],
    *,
    onto: Character | None = None,
    settled: Collection[str] = (),
) -> SheetReading:
    """Return the character whose values a sheet says; `field_of` names the field of the form that says each of them.

    Somebody known (`onto`) keeps every value that the sheet has no field for, or shows as it was; without, that is
    whoever the foot of the sheet says was rolled, if most of the sheet agrees. What `settled` values say is meant so.
    """
    sheet = _Sheet(system, said, field_of, onto, settled)
    if onto is None and (rolled := rolled_as_said(system, said.get(SEED, ""))) is not None:
        known = _Sheet(system, said, field_of, rolled, settled)
        sheet = known if known.agrees() else sheet
    character = sheet.read()
    broken = engine_of(system).judge(system, character)
    left = [each for each in sheet.left_over(character) if each.field not in sheet.unread]
    return SheetReading(character, broken, (*sheet.unread.values(), *left))


@dataclass(slots=True)
class _Sheet:
    system: System
    said: Mapping[str, str]
    field_of: Mapping[str, str]
    onto: Character | None
    settled: Collection[str] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    unread: dict[str, Unread] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.onto is not None:
            self.before = self.shown(self.onto)

    def agrees(self) -> bool:
        """Whether most of what stands on the sheet is as it was."""
        filled = [name for name, text in self.said.items() if text and text != YES and name != SEED]
        return sum(map(self._is_same, filled)) >= HALF * len(filled)

    def shown(self, character: Character) -> dict[str, str]:
        """Return what a sheet of a character says."""
        return sheet_values(self.system, character, engine_of(self.system).figures(self.system, character))

    def read(self) -> Character:
        """Return the character, without what the limits of a field refuse."""
        noted = [spec for spec in self.system.fields if spec.kind == "text per trait"]
        nodes = {spec.name: self._node(spec) for spec in self.system.fields if spec not in noted}
        values, onto = self._decoded(nodes), self.onto
        if onto is not None:
            values |= {spec.name: onto.values[spec.name] for spec in noted if spec.name in onto.values}
        origin = onto.origin if onto is not None else None
        character = Character(self.system.id, values, origin, picture=onto.picture if onto is not None else None)
        character = FigureSearch(self.system, self.said).completed(character)
        nodes = {name: _node_of(self.system, name, value) for name, value in character.values.items()}
        figures = engine_of(self.system).figures(self.system, character)
        nodes |= {spec.name: self._notes(spec, character, figures) for spec in noted}
        return self._without_notes(replace(character, values=self._decoded(nodes)))

    def _without_notes(self, character: Character) -> Character:
        """Return the character with things of lists without what the sheet itself adds to them in brackets."""
        for spec in self.system.fields:
            lines = character.lines(spec.name)
            for at, line in enumerate(lines):
                if found := _NOTED.fullmatch(line):
                    fewer = (*lines[:at], found[1], *lines[at + 1 :])
                    tried = replace(character, values={**character.values, spec.name: fewer})
                    if plain_text(self.shown(tried).get(f"{spec.name}.{at + 1}", "")) == plain_text(line):
                        character, lines = tried, fewer
        return character

    def left_over(self, character: Character) -> Iterator[Unread]:
        """Yield what stands on the sheet and is neither a value of the character nor follows from one."""
        shown = self.shown(character)
        for name, text in self.said.items():
            own = shown.get(name, "")
            if name in self.taken or not text or plain_text(text) == plain_text(own):
                continue
            if name == SEED and (character.origin is not None or " ".join(text.split()).endswith(EDITED)):
                continue
            if (text == YES and is_yes(own)) or self._means_the_same(name, text, own):
                continue
            why = f"says {quoted(text)}, where the rules give {quoted(own)}" if own else f"{quoted(text)}: {NO_VALUE}"
            yield Unread(self.field_of.get(name, name), text, why)

    def _means_the_same(self, name: str, text: str, own: str) -> bool:
        """Whether a figure that the game reads says the same in other words: KS, King of spades."""
        read = engine_of(self.system).read_figures
        meant = read(self.system, {name: text})
        return bool(meant) and meant == read(self.system, {name: own})

    def _decoded(self, nodes: Mapping[str, Node | None]) -> dict[str, Value]:
        """Return the values of fields by their nodes; what their limits refuse is left out, and noted."""
        record = character_record(self.system, lambda system, character: ())
        entries = {name: node for name, node in nodes.items() if node is not None}
        for _ in range(MOST_ROUNDS):
            problems = Problems()
            pairs = tuple((Scalar(name, node.place, True), node) for name, node in entries.items())
            character = record.read(MappingNode(pairs, Place("")), Scope(problems, facts={"refused": set()}), "")
            if not problems.found:
                return {name: value for name, value in character.values.items() if value}
            wrong = {each.place.file: each.message for each in problems.found}
            for name, why in wrong.items():
                said = self.said.get(name, "")
                self.unread[name] = Unread(self.field_of.get(name, name), said, why)
            entries = {name: left for name, node in entries.items() if (left := _without(node, wrong)) is not None}
        return {}

    def _is_same(self, name: str) -> bool:
        """Whether a value stands on the sheet as it was before, or the sheet has no field for it."""
        return self.onto is not None and plain_text(self.said.get(name, "")) == plain_text(self.before.get(name, ""))

    def _node(self, spec: FieldSpec) -> Node | None:
        """Return what the sheet says of a field, or else what was known before, as a character file would have it."""
        known = self.onto.values.get(spec.name) if self.onto is not None else None
        if spec.kind == "levels":
            return self._levels(spec, known if isinstance(known, Mapping) else {})
        if spec.name in PERSONAL and "about" in self.said:
            source = "about"
        elif spec.name in (WANT, VOICE) and spec.name not in self.said:
            source = "notes"
        else:
            source = spec.name
        rows = [name for name in self.said if name.startswith(f"{spec.name}.")]
        sources = [source] if source in self.said else rows
        self.taken.update(sources, rows)
        if not sources or all(map(self._is_same, sources)):
            return None if known is None else _node_of(self.system, spec.name, known)
        if spec.kind in ("text", "choice"):
            text = self._text_part(spec, source)
            return Scalar(text, Place(source), True) if text else None
        if spec.kind == "list":
            return self._list(spec, sources)
        pairs = self._rated(spec, sources) if spec.kind == "ratings" else self._list_items(spec, sources)
        return MappingNode(tuple(pairs), Place(source)) if pairs else None

    def _text_part(self, spec: FieldSpec, source: str) -> str:
        """Return the part of a text of the sheet that is this field."""
        text = self.said[source]
        if source == "about":
            who, _, age = text.partition(",")
            who, age = (who, age) if PRONOUNS.fullmatch(who.strip()) else ("", text)
            return (who if spec.name == PERSONAL[0] else age).strip()
        if source != "notes" and spec.name == VOICE:
            return unquoted(" ".join(text.split()))
        if source != "notes":
            return text if spec.several_lines or spec.kind == "choice" else " ".join(text.split())
        found, own = dict[str, str](), list[str]()
        heads = {f"{each.title}:": each.name for each in self.system.fields if each.name in (WANT, VOICE)}
        for line in text.split("\n"):
            head = next((head for head in heads if line.startswith(head)), "")
            if head and heads[head] not in found:
                found[heads[head]] = line.removeprefix(head).strip()
            else:
                own.append(line)
        said = found.get(spec.name, "") if spec.name in (WANT, VOICE) else "\n".join(own)
        return unquoted(said) if spec.name == VOICE else said

    def _levels(self, spec: FieldSpec, known: Mapping[str, object]) -> Node | None:
        group, pairs = self.system.group(spec.name), list[tuple[Scalar, Node]]()
        for trait in group.members:
            name = f"{spec.name}.{trait.name}"
            text = self.said.get(name, "").strip()
            if name in self.said:
                self.taken.add(name)
            elif (marked := self._marked(trait)) is not None:
                level = max(marked, trait.range.low)
                if group.default is None or (marked and (level != trait.default or trait.name in known)):
                    written = group.scale.plain(level)
                    pairs.append((Scalar(trait.name, Place(name), True), Scalar(written, Place(name), False)))
                continue
            if name not in self.said or self._is_same(name):
                text = group.scale.plain(int(str(known[trait.name]))) if trait.name in known else ""
            elif text == YES and group.scale.kind != "words":
                least = max(trait.range.low, (trait.default or 0) + 1)
                levels = range(least, min(trait.range.high, least + MOST_CHOICES - 1) + 1)
                text, choices = group.scale.plain(least), tuple(map(group.scale.plain, levels))
                why = f"is ticked: {text} was taken for it"
                self.unread[name] = Unread(self.field_of.get(name, name), YES, why, name, choices)
            if text:
                pairs.append((Scalar(trait.name, Place(name), True), Scalar(text, Place(name), False)))
        return MappingNode(tuple(pairs), Place(spec.name)) if pairs else None

    def _marked(self, trait: Trait) -> int | None:
        """Return the level that the marks of a track, a clock or ticks say; None if the form has none for the trait."""
        head = f"{MARK}.{trait.name}."
        marks = {name: text for name, text in self.said.items() if name.startswith(head)}
        self.taken.update(marks)
        ticked = [int(at) for name, text in marks.items() if text == YES and (at := name.removeprefix(head)).isdigit()]
        return max(ticked, default=0) if marks else None

    def _list(self, spec: FieldSpec, sources: Iterable[str]) -> Node | None:
        known = {} if self.onto is None else {plain_text(line): line for line in self.onto.lines(spec.name)}
        rows = {name: [self.said[name].strip()] for name in sources if name != spec.name}
        things = [(name, thing) for name in sources for thing in rows.get(name) or self._parted(name, self.said[name])]
        made = tuple(Scalar(known.get(plain_text(thing), thing), Place(name), True) for name, thing in things if thing)
        return SequenceNode(made, Place(spec.name)) if made else None

    def _parted(self, name: str, text: str) -> list[str]:
        """Return the things of a text: as they are parted, by dots or lines, else by semicolons or commas."""
        parts = [part.strip() for part in _DOTTED.split(text) if part.strip()]
        for mark in _PARTED:
            cut = [part for part in mark.split(text.strip(" .")) if part]
            if len(parts) == 1 and len(cut) > 1 and name not in self.settled:
                why = f"was read as {len(cut)} things, separated by commas or semicolons"
                self.unread[name] = Unread(self.field_of.get(name, name), text, why, name, ("\n".join(cut), text))
                return cut
        return parts

    def _rated(self, spec: FieldSpec, sources: list[str]) -> list[tuple[Scalar, Node]]:
        found: list[tuple[str, str, str]] = []
        if sources == [spec.name]:
            for line in self.said[spec.name].split("\n"):
                first, last = (shape.fullmatch(line.strip()) for shape in _RATED)
                if first or last:
                    found.append((spec.name, *((first[2], first[1]) if first else (last[1], last[2]))))  # type: ignore[index]
                elif line.strip():
                    why = f"{quoted(line)} is no name with its level"
                    self.unread[spec.name] = Unread(self.field_of.get(spec.name, spec.name), line, why)
        else:
            people = [name for name in sources if name.endswith(".name") and self.said[name]]
            found = [(name, self.said[name], self.said.get(f"{name[:-5]}.level", "")) for name in people]
        return [
            (Scalar(who.strip(), Place(name), True), Scalar(level.strip(), Place(name), False))
            for name, who, level in found
        ]

    def _list_items(self, spec: FieldSpec, sources: list[str]) -> list[tuple[Scalar, Node]]:
        if sources == [spec.name]:
            parts = [part for part in _DOTTED.split(self.said[spec.name]) if part.strip()]
            found = [(spec.name, *part.partition(":")[::2]) for part in parts]
        else:
            traits = [name for name in sources if name.endswith(".trait") and self.said[name]]
            found = [(name, self.said[name], self.said.get(f"{name[:-6]}.list", "")) for name in traits]
        return [
            (
                Scalar(trait.strip(), Place(name), True),
                SequenceNode(
                    tuple(
                        Scalar(thing.strip(), Place(name), True) for thing in _PARTED[1].split(things) if thing.strip()
                    ),
                    Place(name),
                ),
            )
            for name, trait, things in found
        ]

    def _notes(self, spec: FieldSpec, character: Character, figures: Mapping[str, str]) -> Node | None:
        """Return what stands beside the levels of traits, without what the sheet itself writes there."""
        pairs, known = list[tuple[Scalar, Node]](), character.notes(spec.name)
        without = replace(character, values={**character.values, spec.name: {}})
        own = sheet_values(self.system, without, figures)
        pools = frozenset(each.within for each in self.system.fields if each.kind == "ratings")
        for trait in (trait for name in spec.groups for trait in self.system.group(name).members):
            name = f"note.{trait.name}"
            if name not in self.said or self._is_same(name):
                text = known.get(trait.name, "")
            else:
                ours = {plain_text(part) for part in _DOTTED.split(own.get(name, ""))}
                if trait.role in pools:  # older sheets repeat the level of what is all one person’s
                    ours.add(plain_text(own.get(f"{self.system.group_of[trait.name].name}.{trait.name}", "")))
                parts = [part for part in _DOTTED.split(self.said[name]) if part and plain_text(part) not in ours]
                text = ", ".join(parts)
            self.taken.add(name)
            if text:
                pairs.append((Scalar(trait.name, Place(name), True), Scalar(text, Place(name), True)))
        order = {trait: at for at, trait in enumerate(known)}  # in which a file had them: nothing moves in it
        pairs.sort(key=lambda pair: order.get(pair[0].text, len(order)))
        return MappingNode(tuple(pairs), Place(spec.name)) if pairs else None


def _node_of(system: System, name: str, value: Value) -> Node:
    """Return a value as a character file has it."""
    spec, here = system.spec(name), Place(name)
    if isinstance(value, str):
        return Scalar(value, here, True)
    if isinstance(value, tuple):
        return SequenceNode(tuple(Scalar(item, here, True) for item in value), here)
    scale = system.group(name).scale if spec is not None and spec.kind == "levels" else system.usual_scale
    pairs = list[tuple[Scalar, Node]]()
    for key, item in value.items():
        at = Place(f"{name}.{key}")
        node: Node = Scalar(scale.plain(item), at, False) if isinstance(item, int) else _node_of(system, name, item)
        pairs.append((Scalar(key, at, True), node))
    return MappingNode(tuple(pairs), here)


def _without(node: Node, wrong: Mapping[str, str]) -> Node | None:
    """Return a node without the entries that stand in places where something is wrong; None if nothing is left."""
    if node.place.file in wrong:
        return None
    if isinstance(node, SequenceNode):
        items = tuple(item for item in node.items if item.place.file not in wrong)
        return replace(node, items=items) if items else None
    if isinstance(node, MappingNode):
        entries = tuple(
            (key, left)
            for key, value in node.entries
            if key.place.file not in wrong and (left := _without(value, wrong)) is not None
        )
        return replace(node, entries=entries) if entries else None
    return node


def rolled_as_said(system: System, line: str) -> Character | None:
    """Return whom the foot of a sheet stands for, as rolled; None if it does not say all of it, or the game changed."""
    foot = " ".join(line.split()).removesuffix(EDITED)
    found = _FOOT.fullmatch(foot)
    if found is None:
        return None
    archetype, method, options, again = "", "", dict[str, str](), dict[str, int]()
    for word in filter(None, (found[1] or "").split(", ")):
        name, _, value = word.partition(" ")
        if reroll := _AGAIN.fullmatch(word):
            again[reroll[1]] = int(reroll[2])
        elif word in system.creation.methods:
            method = word
        elif name in system.creation.options and value:
            options[name] = value
        else:
            archetype = f"{archetype}, {word}" if archetype else word
    try:
        plan = plan_of(system, method=method, archetype=archetype, options=options)
        rolled = Roller(system, plan, int(found[2]), again).roll(int(found[3]))
    except SheetgenError:
        return None
    said = rolled.origin is not None and provenance_line(system, rolled.origin).split() == foot.split()
    return rolled if said else None
