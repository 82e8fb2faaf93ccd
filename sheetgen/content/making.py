"""The shape of creation.yaml and sheet.yaml, and of what a pack says of duels: nodes in, frozen records out."""

from __future__ import annotations

from sheetgen.content.decode import choice, fields, items, number, pairs, text
from sheetgen.content.levels import branch, level
from sheetgen.content.nodes import Node, Scalar
from sheetgen.content.schema import Reader
from sheetgen.model.data import EMPTY, Word
from sheetgen.model.system import Creation, Duel, FieldSpec, Method, Option, Step, TraitGroup

FIELD_KINDS = ("text", "list", "levels", "ratings", "text per trait", "list per trait")
OPTION_KINDS = ("members", "level", "step", "switch")


def read_creation(node: Node, reader: Reader) -> Creation:
    """Options, steps and methods of creation.yaml; names of steps and options are checked against each other."""
    problems = reader.problems
    found = fields(node, problems, what="creation.yaml", needs=("steps", "methods"), may=("options",))
    options = (
        pairs(found["options"], problems, lambda k, v: _option(k, v, reader), what="options")
        if "options" in found
        else {}
    )
    steps = (
        pairs(found["steps"], problems, lambda k, v: read_step(k, v, reader), what="steps") if "steps" in found else {}
    )
    choosing = [name for name, option in options.items() if option.kind == "step"]
    names = [*steps, *choosing]
    methods: dict[str, Method] = {}
    if "methods" in found:
        methods = pairs(found["methods"], problems, lambda k, v: _method(k, v, names, reader), what="methods")
    if not methods:
        problems.add(node.place, "creation.yaml needs at least one method")
    for option in options.values():
        for name in option.steps.values():
            if name not in steps:
                problems.add(node.place, f'option {option.name}: unknown step "{name}"')
    return Creation(methods, options, steps, node.place)


def _option(key: Scalar, node: Node, reader: Reader) -> Option:
    problems = reader.problems
    found = fields(
        node, problems, what=f"option {key.text}", needs=("is", "default"), may=("of", "steps", "rule", "say")
    )
    kind = choice(found["is"], problems, OPTION_KINDS, what="kind of option") if "is" in found else "switch"
    steps = {}
    if "steps" in found:
        steps = pairs(found["steps"], problems, lambda _, value: text(value, problems, what="step"), what="steps")
    default = reader.optional(found, "default")
    if kind == "step" and default not in steps:
        problems.add(node.place, f"option {key.text}: its default must be one of {', '.join(steps) or 'its steps'}")
    return Option(
        name=key.text,
        kind=kind,  # type: ignore[arg-type]
        default=default,
        of=reader.optional(found, "of"),
        steps=steps,
        rule=reader.rule(found),
        say=reader.optional(found, "say"),
    )


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


def read_fields(node: Node, groups: tuple[TraitGroup, ...], reader: Reader) -> tuple[FieldSpec, ...]:
    """What a character file may hold, from sheet.yaml."""
    problems = reader.problems
    found = fields(node, problems, what="sheet.yaml", needs=("character",), may=())
    if "character" not in found:
        return ()
    specs = pairs(found["character"], problems, lambda key, value: _field(key, value, groups, reader), what="character")
    return tuple(specs.values())


def _field(key: Scalar, node: Node, groups: tuple[TraitGroup, ...], reader: Reader) -> FieldSpec:
    problems = reader.problems
    names = [group.name for group in groups]
    may = ("longest", "most", "groups", "least_level", "within", "rule", "hint")
    found = fields(node, problems, what=f"field {key.text}", needs=("is", "title"), may=may)
    kind = choice(found["is"], problems, FIELD_KINDS, what="kind of field") if "is" in found else "text"
    if kind == "levels" and key.text not in names:
        problems.add(key.place, f"field {key.text} holds levels, but no trait group has that name")
    of = (
        tuple(items(found["groups"], problems, lambda n: choice(n, problems, names, what="trait group"), what="groups"))
        if "groups" in found
        else ()
    )
    return FieldSpec(
        name=key.text,
        title=reader.optional(found, "title"),
        kind=kind,  # type: ignore[arg-type]
        longest=number(found["longest"], problems, what="longest", low=1, high=10_000) if "longest" in found else 300,
        most=number(found["most"], problems, what="most", low=1, high=1000) if "most" in found else 200,
        groups=of,
        least_level=level(found["least_level"], problems, what="least_level") if "least_level" in found else 0,
        within=reader.optional(found, "within"),
        rule=reader.rule(found),
        hint=reader.optional(found, "hint"),
    )


def read_duel(node: Node, reader: Reader) -> Duel:
    """How two characters of the game fight each other."""
    problems = reader.problems
    needs = ("procedure", "fighters", "winner", "winners", "length")
    found = fields(node, problems, what="duel", needs=needs, may=("given", "cost"))
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
    )


def _pair(node: Node, reader: Reader) -> tuple[str, str]:
    words = items(node, reader.problems, lambda each: text(each, reader.problems), what="pair")
    if len(words) != 2:
        reader.problems.add(node.place, f"this must be a pair, not {len(words)}")
        return ("", "")
    return words[0], words[1]
