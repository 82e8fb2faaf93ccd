"""The shape of a pack's npcs.yaml, or of the files in its folder npcs/: what makes rolled people playable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from sheetgen.content.yaml.decode import Problems, choice, decimal, fields, items, number, pairs, switch, text
from sheetgen.content.yaml.levels import Measures, branch, conditions, known
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import quoted
from sheetgen.model.cast import Archetype, Armour, Cast, Condition, GearList, NameSet, Occupation, Phrase, Thing, Weapon
from sheetgen.model.character import Value
from sheetgen.model.data import EMPTY

T = TypeVar("T")

PARTS = (
    *("names", "languages", "relations", "occupations", "archetypes", "manners", "hooks", "specialties"),
    *("familiarities", "weapons", "armours", "things", "gear", "belongings"),
)
SLOTS = ("{friend}",)


class CastReader:
    """Reads the parts of a cast; `measures` has every name that traits and options may be called by.

    `given` reads what an archetype gives, as a part of a character file. Where the traits themselves could not all be
    read (`complete` is false), unknown names are not held against it.
    """

    def __init__(
        self,
        problems: Problems,
        measures: Measures,
        sizes: tuple[str, ...],
        given: Callable[[Node, Problems], Mapping[str, Value]],
        *,
        complete: bool = True,
    ) -> None:
        self.problems, self.measures, self.sizes, self.given = problems, measures, sizes, given
        self.traits = {name: role for name, (role, _) in measures.traits.items()}
        self.of_names = problems if complete else Problems()

    def read(self, node: Node) -> Cast:
        """The whole cast; parts that the pack leaves out are empty."""
        found = fields(node, self.problems, what="npcs", may=PARTS)
        names, sets = self._names(found)
        occupations = self._named(found, "occupations", self._occupation)
        archetypes = self._named(found, "archetypes", lambda key, node: self._archetype(key, node, occupations))
        weapons = self._named(found, "weapons", self._weapon)
        armours = self._named(found, "armours", self._armour)
        things = self._named(found, "things", self._thing)
        nameable = (*weapons, *armours, *things, *dict.fromkeys(tag for each in weapons.values() for tag in each.tags))
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
            weapons=weapons,
            armours=armours,
            things=things,
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

    def _weapon(self, key: Scalar, node: Node) -> Weapon:
        problems = self.problems
        may = ("thrown", "bow", "strength", "tags", "fits")
        found = fields(node, problems, what=f"weapon {key.text}", needs=("skill", "size", "kg"), may=may)
        if len([name for name in ("thrown", "bow", "strength") if name in found]) > 1:
            problems.add(node.place, f"weapon {key.text}: only one of thrown, bow and strength")
        return Weapon(
            name=text(key, problems, longest=40),
            skill=self._trait(found["skill"], "skill") if "skill" in found else "",
            size=choice(found["size"], problems, self.sizes, what="size") if "size" in found else "",
            kg=decimal(found["kg"], problems, what="kg", low=0, high=500) if "kg" in found else Decimal(0),
            thrown=switch(found["thrown"], problems, what="thrown") if "thrown" in found else False,
            bow=decimal(found["bow"], problems, what="bow", low=1, high=9) if "bow" in found else None,
            strength=number(found["strength"], problems, what="strength", low=1, high=200)
            if "strength" in found
            else None,
            tags=self._words(found, "tags"),
            fits=self._fits(found, key.text),
        )

    def _armour(self, key: Scalar, node: Node) -> Armour:
        problems = self.problems
        found = fields(node, problems, what=f"armour {key.text}", needs=("coverage", "rating", "kg"), may=("fits",))
        return Armour(
            name=text(key, problems, longest=40),
            coverage=number(found["coverage"], problems, what="coverage", low=2, high=13) if "coverage" in found else 2,
            rating=number(found["rating"], problems, what="rating", low=1, high=99) if "rating" in found else 1,
            kg=decimal(found["kg"], problems, what="kg", low=0, high=500) if "kg" in found else Decimal(0),
            fits=self._fits(found, key.text),
        )

    def _thing(self, key: Scalar, node: Node) -> Thing:
        found = fields(node, self.problems, what=f"thing {key.text}", needs=("facts",), may=("fits",))
        facts = branch(found["facts"], self.problems, what=f"facts of {key.text}") if "facts" in found else EMPTY
        return Thing(text(key, self.problems, longest=60), facts, self._fits(found, key.text))

    def _gear(self, found: Mapping[str, Node]) -> dict[str, GearList]:
        def entry(key: Scalar, node: Node) -> tuple[str, GearList]:
            lists = fields(node, self.problems, what=f"gear of {key.text}", needs=("basic", "advanced"))
            return self._trait(key, "skill"), GearList(self._phrases(lists, "basic"), self._phrases(lists, "advanced"))

        return dict(self._named(found, "gear", entry).values())
