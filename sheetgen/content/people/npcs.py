"""The shape of a pack's npcs.yaml, or of the files in its folder npcs/: what makes rolled people playable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, get_args

from sheetgen.content.yaml.decode import Problems, choice, decimal, fields, items, number, pairs, switch, text
from sheetgen.content.yaml.levels import HIGHEST, Measures, branch, conditions, known, span
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import quoted
from sheetgen.model.cast import (
    Archetype,
    Cast,
    Condition,
    FactKind,
    FactSpec,
    GearList,
    Item,
    ItemKind,
    NameSet,
    Occupation,
    Phrase,
)
from sheetgen.model.character import Value
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.system import Span

T = TypeVar("T")

PARTS = (
    *("names", "languages", "relations", "occupations", "archetypes", "manners", "hooks", "specialties"),
    *("familiarities", "things", "gear", "belongings"),
)
UNDECLARED = ("weapons", "armours")  # kinds that a pack may have without saying what their facts are
SLOTS = ("{friend}",)


def without(node: Node, name: str) -> tuple[Node, dict[str, Node]]:
    """A mapping without one of its keys, and what stood under that key."""
    if not isinstance(node, MappingNode):
        return node, {}
    rest = tuple((key, value) for key, value in node.entries if key.text != name)
    return MappingNode(rest, node.place), {key.text: value for key, value in node.entries if key.text == name}


def read_item_kinds(node: Node, problems: Problems) -> dict[str, ItemKind]:
    """The kinds of items that a pack declares under `items:` in system.yaml, each with its facts."""

    def kind(key: Scalar, value: Node) -> ItemKind:
        found = fields(value, problems, what=key.text, needs=("facts",), may=("only_one",))
        facts = pairs(found["facts"], problems, fact, what=f"facts of {key.text}") if "facts" in found else {}
        read = lambda each: choice(each, problems, facts, what="fact")  # noqa: E731
        only_one = items(found["only_one"], problems, read, what="only_one") if "only_one" in found else ()
        return ItemKind(text(key, problems, longest=40), tuple(facts.values()), only_one)

    def fact(key: Scalar, value: Node) -> FactSpec:
        may = ("range", "among", "optional")
        found = fields(value, problems, what=f"fact {key.text}", needs=("is",), may=may)
        limits = span(found["range"], problems, what="range") if "range" in found else Span(0, HIGHEST)
        return FactSpec(
            text(key, problems, longest=40),
            choice(found["is"], problems, get_args(FactKind), what="kind of fact") if "is" in found else "text",  # type: ignore[arg-type]
            limits.low,
            limits.high,
            text(found["among"], problems, what="among", longest=80) if "among" in found else "",
            switch(found["optional"], problems, what="optional") if "optional" in found else False,
        )

    return pairs(node, problems, kind, what="items")


class CastReader:
    """Reads the parts of a cast; `measures` has every name that traits and options may be called by.

    `kinds` are the kinds of items that the pack declares, and `choices` gives the names under one of its values.
    `given` reads what an archetype gives, as a part of a character file. Where the traits themselves could not all be
    read (`complete` is false), unknown names are not held against it.
    """

    def __init__(
        self,
        problems: Problems,
        measures: Measures,
        kinds: Mapping[str, ItemKind],
        choices: Callable[[str], tuple[str, ...]],
        given: Callable[[Node, Problems], Mapping[str, Value]],
        *,
        complete: bool = True,
    ) -> None:
        self.problems, self.measures, self.kinds, self.choices, self.given = problems, measures, kinds, choices, given
        self.traits = {name: role for name, (role, _) in measures.traits.items()}
        self.of_names = problems if complete else Problems()

    def read(self, node: Node) -> Cast:
        """The whole cast; parts that the pack leaves out are empty."""
        kinds = tuple(dict.fromkeys((*UNDECLARED, *self.kinds)))
        found = fields(node, self.problems, what="npcs", may=(*PARTS, *kinds))
        names, sets = self._names(found)
        occupations = self._named(found, "occupations", self._occupation)
        archetypes = self._named(found, "archetypes", lambda key, node: self._archetype(key, node, occupations))
        listed = {kind: self._named(found, kind, self._item(kind)) for kind in kinds if kind in found}
        things = self._named(found, "things", self._thing)
        every = [item for each in (*listed.values(), things) for item in each.values()]
        nameable = tuple(dict.fromkeys(name for item in every for name in (item.name, *item.tags)))
        return Cast(
            given=(*self._words(names, "given"), *(name for each in sets for name in each.given)),
            family=(*self._words(names, "family"), *(name for each in sets for name in each.family)),
            name_sets=sets,
            languages=self._words(found, "languages"),
            relations=self._phrases(found, "relations"),
            occupations=occupations,
            archetypes=archetypes,
            manners=self._phrases(found, "manners"),
            hooks=self._phrases(found, "hooks"),
            specialties=self._by_trait(found, "specialties", nameable),
            familiarities=self._by_trait(found, "familiarities"),
            things=things,
            items=listed,
            gear=self._gear(found),
            belongings=self._phrases(found, "belongings"),
        )

    def _names(self, found: Mapping[str, Node]) -> tuple[Mapping[str, Node], tuple[NameSet, ...]]:
        """The names of the pack: one pair of lists, or `sets:` of them, each with whom it fits."""
        if "names" not in found:
            return {}, ()
        node = found["names"]
        several = isinstance(node, MappingNode) and any(key.text == "sets" for key, _ in node.entries)
        needs = ("sets",) if several else ("given", "family")
        names = fields(node, self.problems, what="names", needs=needs, may=("given", "family") if several else ())
        return names, items(names["sets"], self.problems, self._name_set, what="sets") if "sets" in names else ()

    def _name_set(self, node: Node) -> NameSet:
        found = fields(node, self.problems, what="set of names", needs=("given", "family"), may=("fits",))
        return NameSet(self._words(found, "given"), self._words(found, "family"), self._fits(found, "a set of names"))

    def _named(self, found: Mapping[str, Node], part: str, read: Callable[[Scalar, Node], T]) -> dict[str, T]:
        return pairs(found[part], self.problems, read, what=part) if part in found else {}

    def _words(self, found: Mapping[str, Node], part: str) -> tuple[str, ...]:
        if part not in found:
            return ()
        seen: dict[str, int] = {}

        def word(node: Node) -> str:
            read = text(node, self.problems, what=part, longest=60)
            if read in seen:
                self.problems.add(node.place, f"{quoted(read)} stands in {part} twice (line {seen[read]})")
            seen.setdefault(read, node.place.line)
            return read

        return items(found[part], self.problems, word, what=part)

    def _phrases(self, found: Mapping[str, Node], part: str) -> tuple[Phrase, ...]:
        return (
            items(found[part], self.problems, lambda node: self._phrase(node, part), what=part) if part in found else ()
        )

    def _phrase(self, node: Node, part: str, nameable: Sequence[str] = ()) -> Phrase:
        """One phrase; `nameable` lists the things and tags that its `names` may hold."""
        if not isinstance(node, MappingNode):
            return Phrase(self._said(node, part))
        may = ("names", "fits") if nameable else ("fits",)
        found = fields(node, self.problems, what=f"entry of {part}", needs=("say",), may=may)
        said = self._said(found["say"], part) if "say" in found else ""
        what = f"thing or tag that {quoted(said)} names"
        names = self._list(found, "names", lambda name: choice(name, self.of_names, nameable, what=what))
        return Phrase(said, self._fits(found, quoted(said)), names)

    def _said(self, node: Node, part: str) -> str:
        said = text(node, self.problems, what=f"entry of {part}", longest=200)
        rest = said
        for slot in SLOTS:
            rest = rest.replace(slot, "")
        if "{" in rest or "}" in rest:
            self.problems.add(node.place, f"{quoted(said)}: the only slot is {', '.join(SLOTS)}")
        return said

    def _fits(self, found: Mapping[str, Node], what: str) -> tuple[Condition, ...]:
        return conditions(found.get("fits"), self.of_names, what=what, measures=self.measures)

    def _trait(self, node: Node, what: str = "trait") -> str:
        return known(node, self.of_names, self.traits, what=what, where="traits in system.yaml")

    def _by_trait(
        self, found: Mapping[str, Node], part: str, nameable: Sequence[str] = ()
    ) -> dict[str, tuple[Phrase, ...]]:
        def entry(key: Scalar, node: Node) -> tuple[str, tuple[Phrase, ...]]:
            read = lambda item: self._phrase(item, part, nameable)  # noqa: E731
            return self._trait(key), items(node, self.problems, read, what=key.text)

        return dict(self._named(found, part, entry).values())

    def _occupation(self, key: Scalar, node: Node) -> Occupation:
        found = fields(node, self.problems, what=f"occupation {key.text}", may=("skills", "fits", "gear"))
        skills = (
            items(found["skills"], self.problems, lambda n: self._trait(n, "skill"), what="skills")
            if "skills" in found
            else ()
        )
        fitting = self._fits(found, key.text)
        return Occupation(text(key, self.problems, longest=40), skills, fitting, self._words(found, "gear"))

    def _archetype(self, key: Scalar, node: Node, occupations: Mapping[str, Occupation]) -> Archetype:
        problems = self.problems
        may = ("attributes", "core", "also", "occupations", "gives", "names", "manners", "hooks")
        found = fields(node, problems, what=f"archetype {key.text}", needs=("say",), may=may)
        order = self._list(found, "attributes", lambda n: self._trait(n, "attribute"))
        if len(set(order)) != len(order):
            self.of_names.add(found["attributes"].place, f"archetype {key.text} names an attribute twice")
        core: dict[str, int] = {}
        if "core" in found:
            for name, level in pairs(found["core"], problems, self._bought, what="core").values():
                core[name] = level
        return Archetype(
            name=text(key, problems, longest=40),
            say=text(found["say"], problems, what="say") if "say" in found else "",
            attributes=order,
            core=core,
            also=self._list(found, "also", lambda n: self._trait(n, "skill")),
            occupations=self._list(found, "occupations", lambda n: choice(n, problems, occupations, what="occupation")),
            gives=self.given(found["gives"], self.of_names) if "gives" in found else {},
            names=self._words(found, "names"),
            manners=self._phrases(found, "manners"),
            hooks=self._phrases(found, "hooks"),
        )

    def _bought(self, key: Scalar, node: Node) -> tuple[str, int]:
        return self._trait(key, "skill"), number(node, self.problems, what=key.text, low=1, high=15)

    def _list(self, found: Mapping[str, Node], name: str, read: Callable[[Node], str]) -> tuple[str, ...]:
        return items(found[name], self.problems, read, what=name) if name in found else ()

    def _item(self, named: str) -> Callable[[Scalar, Node], Item]:
        """What reads an item of a kind by the facts that the pack declares; undeclared, any facts will do."""
        kind, what = self.kinds.get(named), named.removesuffix("s")
        needs = [fact.name for fact in kind.facts if not fact.optional] if kind is not None else []
        optional = [fact.name for fact in kind.facts if fact.optional] if kind is not None else []

        def read(key: Scalar, node: Node) -> Item:
            problems, name = self.problems, text(key, self.problems, longest=40)
            if kind is None:
                rest, fitting = without(node, "fits")
                facts = branch(rest, problems, what=f"{what} {key.text}")
                return Item(name, facts, self._fits(fitting, key.text), key.place)
            found = fields(node, problems, what=f"{what} {key.text}", needs=needs, may=(*optional, "fits"))
            if len([fact for fact in kind.only_one if fact in found]) > 1:
                only = f"{', '.join(kind.only_one[:-1])} and {kind.only_one[-1]}"
                problems.add(node.place, f"{what} {key.text}: only one of {only}")
            read = {fact.name: self._fact(fact, found[fact.name]) for fact in kind.facts if fact.name in found}
            facts = {Word(fact, found[fact].place): value for fact, value in read.items() if value is not None}
            return Item(name, facts, self._fits(found, key.text), key.place)

        return read

    def _fact(self, spec: FactSpec, node: Node) -> Data | None:
        """A fact of an item as words with their places, a trait by its role; None for a switch that is off."""
        name, problems = spec.name, self.problems
        said: object
        match spec.kind:
            case "trait":
                said = self._trait(node, name)
            case "choice":
                said = choice(node, problems, self.choices(spec.among), what=name)
            case "whole":
                said = number(node, problems, what=name, low=spec.low, high=spec.high)
            case "number":
                said = decimal(node, problems, what=name, low=spec.low, high=spec.high)
            case "switch":
                said = "yes" if switch(node, problems, what=name) else None
            case "words":
                return tuple(Word(word, node.place) for word in self._words({name: node}, name))
            case _:
                said = text(node, problems, what=name, longest=60)
        return None if said is None else Word(str(said), node.place)

    def _thing(self, key: Scalar, node: Node) -> Item:
        found = fields(node, self.problems, what=f"thing {key.text}", needs=("facts",), may=("fits",))
        facts = branch(found["facts"], self.problems, what=f"facts of {key.text}") if "facts" in found else EMPTY
        return Item(text(key, self.problems, longest=60), facts, self._fits(found, key.text), key.place)

    def _gear(self, found: Mapping[str, Node]) -> dict[str, GearList]:
        def entry(key: Scalar, node: Node) -> tuple[str, GearList]:
            lists = fields(node, self.problems, what=f"gear of {key.text}", needs=("basic", "advanced"))
            return self._trait(key, "skill"), GearList(self._phrases(lists, "basic"), self._phrases(lists, "advanced"))

        return dict(self._named(found, "gear", entry).values())
