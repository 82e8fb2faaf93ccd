"""The shape of creation.yaml and sheet.yaml, and of what a pack says of duels: nodes in, frozen records out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from sheetgen.content.packs.traits import Reader, listed
from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, switch, text
from sheetgen.content.yaml.levels import branch, level
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import quoted, suggestion
from sheetgen.model.data import EMPTY, Values, Word
from sheetgen.model.system import Creation, Duel, FieldSpec, Method, Option, Step, Trait, TraitGroup

FIELD_KINDS = ("text", "choice", "list", "levels", "ratings", "text per trait", "list per trait")
OPTION_KINDS = ("members", "level", "step", "switch", "word")
EVERYBODY, NOBODY, ROLLED = "all", "none", "rolled"


@dataclass(frozen=True, slots=True)
class Terms:
    """What options and fields may refer to: trait groups, the role of every name of a trait, and the pack's values.

    `problems` takes names that are unknown; it leads nowhere where the traits themselves could not all be read.
    """

    groups: tuple[TraitGroup, ...]
    traits: Mapping[str, str]
    problems: Problems
    values: Values

    def group(self, node: Node, what: str) -> TraitGroup | None:
        """The group that a node names."""
        name = choice(node, self.problems, [group.name for group in self.groups], what=what)
        return next((group for group in self.groups if group.name == name), None)

    def trait(self, node: Node, what: str) -> tuple[TraitGroup, Trait] | None:
        """The trait that a node names, with its group."""
        role = self.traits.get(choice(node, self.problems, self.traits, what=what))
        return next(((each, trait) for each in self.groups for trait in each.members if trait.role == role), None)

    def words(self, node: Node, what: str) -> tuple[str, ...]:
        """The words of a list, or those of the pack value whose path stands there."""
        if not isinstance(node, Scalar):
            return items(node, self.problems, lambda each: text(each, self.problems, what=what, longest=60), what=what)
        if self.values.has(node.text):
            return listed(self.values, node.text)
        self.problems.add(node.place, f"{what}: the pack has no value {quoted(node.text)}, and this is no list")
        return ()


def read_creation(node: Node, terms: Terms, reader: Reader) -> Creation:
    """Options, steps and methods of creation.yaml; names of steps and options are checked against each other."""
    problems = reader.problems
    found = fields(node, problems, what="creation.yaml", needs=("steps", "methods"), may=("options",))
    steps = (
        pairs(found["steps"], problems, lambda k, v: read_step(k, v, reader), what="steps") if "steps" in found else {}
    )
    options: dict[str, Option] = {}
    if "options" in found:
        read = partial(_option, known=steps, terms=terms, reader=reader)
        options = pairs(found["options"], problems, read, what="options")
    choosing = [name for name, option in options.items() if option.kind == "step"]
    names = [*steps, *choosing]
    methods: dict[str, Method] = {}
    if "methods" in found:
        methods = pairs(found["methods"], problems, lambda k, v: _method(k, v, names, reader), what="methods")
    if not methods:
        problems.add(node.place, "creation.yaml needs at least one method")
    return Creation(methods, options, steps, node.place)


def _option(key: Scalar, node: Node, *, known: Mapping[str, Step], terms: Terms, reader: Reader) -> Option:
    problems, name = reader.problems, key.text
    may = ("of", "steps", "among", "rule", "say")
    found = fields(node, problems, what=f"option {name}", needs=("is", "default"), may=may)
    kind = choice(found["is"], problems, OPTION_KINDS, what="kind of option") if "is" in found else "switch"
    of, among = "", tuple[str, ...]()
    if kind == "members":
        of, default = _members_option(name, node, found, terms, problems)
    elif kind == "level":
        of, default = _level_option(name, node, found, terms, problems)
    elif kind == "switch":
        yes = "default" in found and switch(found["default"], problems, what=f"default of option {name}")
        default = "yes" if yes else "no"
    elif kind == "word":
        among, default = _word_option(name, node, found, terms, problems)
    else:
        default = reader.optional(found, "default")
    steps: dict[str, str] = {}
    if "steps" in found and kind != "step":
        problems.add(found["steps"].place, f"option {name}: only an option that `is: step` has steps")
    elif "steps" in found:
        read = lambda _, value: choice(value, problems, known, what="step")  # noqa: E731
        steps = pairs(found["steps"], problems, read, what="steps")
    if kind == "step" and default not in steps:
        if "default" in found:
            wanted = ", ".join(steps) or "its steps"
            problems.add(found["default"].place, f"option {name}: its default must be one of {wanted}")
        steps = steps or {"": next(iter(known), "")}
        default = next(iter(steps))
    return Option(
        name=name,
        kind=kind,  # type: ignore[arg-type]
        default=default,
        of=of,
        steps=steps,
        among=among,
        rule=reader.rule(found),
        say=reader.optional(found, "say"),
    )


def _word_option(
    name: str, node: Node, found: Mapping[str, Node], terms: Terms, problems: Problems
) -> tuple[tuple[str, ...], str]:
    """The words that an option is one of, and its default: one of them, or `rolled`."""
    if "among" not in found:
        problems.add(node.place, f"option {name} needs among: the words that it is one of")
        return (), ROLLED
    among = terms.words(found["among"], f"option {name}: among")
    if "default" not in found or not among:
        return among, ROLLED
    return among, choice(found["default"], problems, (*among, ROLLED), what=f"default of option {name}")


def _of(name: str, node: Node, found: Mapping[str, Node], wanted: str, problems: Problems) -> Node | None:
    if "of" not in found:
        problems.add(node.place, f"option {name} needs of: the {wanted} that it is about")
    return found.get("of")


def _members_option(
    name: str, node: Node, found: Mapping[str, Node], terms: Terms, problems: Problems
) -> tuple[str, str]:
    """The group that an option picks members of, and its default; everything where that cannot be used."""
    of = _of(name, node, found, "trait group", problems)
    group = terms.group(of, "trait group") if of is not None else None
    default = text(found["default"], problems, what=f"default of option {name}") if "default" in found else EVERYBODY
    if group is None or not default or default in (EVERYBODY, NOBODY):
        return group.name if group else "", default or EVERYBODY
    names = [trait.name for trait in group.members]
    for word in default.split(","):
        if word.strip() not in names:
            near = suggestion(word.strip(), names) or f" (write {EVERYBODY}, {NOBODY}, or some of {', '.join(names)})"
            terms.problems.add(found["default"].place, f"option {name}: unknown name {quoted(word.strip())}{near}")
            return group.name, EVERYBODY
    return group.name, default


def _level_option(
    name: str, node: Node, found: Mapping[str, Node], terms: Terms, problems: Problems
) -> tuple[str, str]:
    """The role of the trait that an option sets, and its default as the trait's group writes it, or `rolled`."""
    of = _of(name, node, found, "trait", problems)
    pair = terms.trait(of, "trait") if of is not None else None
    given = found.get("default")
    if pair is None or given is None or (isinstance(given, Scalar) and given.text == ROLLED):
        return pair[1].role if pair else "", ROLLED
    group, trait = pair
    span = trait.start
    what = f"default of option {name}"
    value = level(given, problems, what=what, low=span.low, high=span.high, scale=group.scale)
    return trait.role, group.scale.plain(value)


def read_step(key: Scalar, node: Node, reader: Reader, *, verb: str = "do") -> Step:
    """A named step: what to do (under `verb`), its words with their places, its rule and what it says to people."""
    words = branch(node, reader.problems, what=f"step {key.text}")
    plain = {str(name): value for name, value in words.items()}
    do = plain.get(verb, Word("", node.place))
    if not isinstance(do, Word) or not do:
        reader.problems.add(node.place, f"{key.text} must say what to do: `{verb}: …`")
        do = Word("", node.place)
    rule, say = plain.get("rule", ""), plain.get("say", "")
    if rule:
        reader.covered.add(str(rule))
    params = {name: value for name, value in words.items() if name not in (verb, "rule", "say")}
    return Step(key.text, do, params, node.place, rule=str(rule), say=str(say))


def _method(key: Scalar, node: Node, names: list[str], reader: Reader) -> Method:
    problems = reader.problems
    found = fields(node, problems, what=f"method {key.text}", needs=("steps",), may=("say", "rule"))
    read = lambda item: Word(choice(item, problems, names, what="step"), item.place)  # noqa: E731
    steps = items(found["steps"], problems, read, what="steps") if "steps" in found else ()
    return Method(key.text, reader.optional(found, "say"), steps, reader.rule(found))


def read_fields(node: Node, terms: Terms, reader: Reader) -> tuple[FieldSpec, ...]:
    """What a character file may hold, from sheet.yaml."""
    problems = reader.problems
    found = fields(node, problems, what="sheet.yaml", needs=("character",), may=("roster",))
    if "character" not in found:
        return ()
    specs = pairs(found["character"], problems, lambda key, value: _field(key, value, terms, reader), what="character")
    return tuple(specs.values())


def _field(key: Scalar, node: Node, terms: Terms, reader: Reader) -> FieldSpec:
    problems, named = reader.problems, terms.problems
    names = [group.name for group in terms.groups]
    may = ("longest", "most", "groups", "least_level", "within", "among", "rule", "hint")
    found = fields(node, problems, what=f"field {key.text}", needs=("is", "title"), may=may)
    kind = choice(found["is"], problems, FIELD_KINDS, what="kind of field") if "is" in found else "text"
    if kind == "levels" and key.text not in names:
        named.add(key.place, f"field {key.text} holds levels, but no trait group has that name")
    of = (
        tuple(items(found["groups"], problems, lambda n: choice(n, named, names, what="trait group"), what="groups"))
        if "groups" in found
        else ()
    )
    pool = terms.trait(found["within"], "trait") if "within" in found else None
    if (kind == "choice") != ("among" in found):
        problems.add(node.place, f"field {key.text}: `is: choice` and among: (the words it is one of) go together")
    return FieldSpec(
        name=key.text,
        title=reader.optional(found, "title"),
        kind=kind,  # type: ignore[arg-type]
        longest=number(found["longest"], problems, what="longest", low=1, high=10_000) if "longest" in found else 300,
        most=number(found["most"], problems, what="most", low=1, high=1000) if "most" in found else 200,
        groups=of,
        least_level=level(found["least_level"], problems, what="least_level") if "least_level" in found else 0,
        within=pool[1].role if pool is not None else "",
        among=terms.words(found["among"], f"field {key.text}: among") if "among" in found else (),
        rule=reader.rule(found),
        hint=reader.optional(found, "hint"),
    )


def read_duel(node: Node, reader: Reader) -> Duel:
    """How two characters of the game fight each other."""
    problems = reader.problems
    needs = ("procedure", "fighters", "winner", "winners", "length")
    found = fields(node, problems, what="duel", needs=needs, may=("given", "cost", "unit"))
    cost = items(found["cost"], problems, lambda each: _pair(each, reader), what="cost") if "cost" in found else ()
    nobody = ("", "")
    return Duel(
        procedure=reader.optional(found, "procedure"),
        given=branch(found["given"], problems, what="given") if "given" in found else EMPTY,
        fighters=_pair(found["fighters"], reader) if "fighters" in found else nobody,
        winner=reader.optional(found, "winner"),
        winners=_pair(found["winners"], reader) if "winners" in found else nobody,
        length=reader.optional(found, "length"),
        cost=cost,
        unit=reader.optional(found, "unit") or "levels",
    )


def _pair(node: Node, reader: Reader) -> tuple[str, str]:
    words = items(node, reader.problems, lambda each: text(each, reader.problems), what="pair")
    if len(words) != 2:
        reader.problems.add(node.place, f"this must be a pair, not {len(words)}")
        return ("", "")
    return words[0], words[1]
