"""The shape of `play` in system.yaml, rolls of a family of mechanics and reckonings, and of examples of such play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from sheetgen.content.packs.creation import step
from sheetgen.content.packs.traits import RULE_ID, TEXT
from sheetgen.content.yaml.containers import Either, Entries, Key, ListOf, MapOf, OneOrMore, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Schema, Scope
from sheetgen.content.yaml.levels import FreeMapping, tree
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, PlacedText, WholeNumber, YesNo
from sheetgen.errors import Place, quoted
from sheetgen.model.data import Data, Word
from sheetgen.model.procedures import RECKONING, Example, Formula, LogLine, Operand, Reckoning, Refusal, Takes
from sheetgen.model.system import Step

ROUNDINGS = ("half up", "half down", "up", "down")
WORD = PlacedText()
# Its own key, the other keys that it needs, and those that it may have.
Operation = tuple[Key, tuple[str, ...], tuple[str, ...]]
KINDS = ("is", "one of", "named in", "member of", "levels of", "list of", "values of")
RULES = OneOrMore(RULE_ID, 100)
ROLL = step("family", "the family of mechanics")
MOST_CASES = 10_000


class Within(Decoder[Any]):
    """A decoder inside itself, by the name of the record that describes it."""

    def __init__(self, name: str) -> None:
        self.name, self.blank = name, Word("", Place(""))

    @property
    def _meant(self) -> Decoder[Any]:
        return FORMULA if self.name == "formula" else PARAMETER

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return self._meant.read(node, scope, what)

    def schema(self, definitions: Definitions) -> Schema:
        return self._meant.schema(definitions)

    def __str__(self) -> str:
        return f"{{{self.name}}}"


ONE, MANY = Within("formula"), OneOrMore(Within("formula"), 100)


def _part(name: str, takes: Decoder[Any], help: str) -> Key:
    return Key(name, takes, help, None)


def _operation(name: str, takes: Decoder[Any], help: str, needs: str = "", may: str = "") -> Operation:
    needed, optional = (tuple(filter(None, words.split(", "))) for words in (needs, may))
    return _part(name, takes, help), needed, optional


OPERATIONS: tuple[Operation, ...] = (
    _operation("if", ONE, "`then` where this holds, or `else`; or two texts", may="then, else, say, otherwise"),
    _operation("say", WORD, "a text, with {names} in it"),
    _operation("look up", WORD, "a path of the pack's values, with {names}; `else` where there is none", may="else"),
    _operation("row", WORD, "a table: the `column` of the row for `at`, or all its columns", needs="at", may="column"),
    _operation("trait", ONE, "a trait by its role: `its` name, section, kind or hint", needs="its"),
    _operation("written", ONE, "a level `as` a group of traits writes it", needs="as"),
    _operation("sum", MANY, "these added up, and lists of them"),
    _operation("difference", MANY, "the first less the others"),
    _operation("times", MANY, "these multiplied"),
    _operation(
        "divide", ONE, "this `by` another; exact, or `round` half up, half down, up or down", needs="by", may="round"
    ),
    _operation("least", MANY, "the lowest of these, and of lists"),
    _operation("most", MANY, "the highest of these, and of lists"),
    _operation("count", ONE, "how many a list has"),
    _operation("at least", MANY, "whether each is at least the next"),
    _operation("more than", MANY, "whether each is more than the next"),
    _operation("is", MANY, "whether these are the same; words of a parameter may stand here"),
    _operation("same", MANY, "whether two lists have the same in any order"),
    _operation("among", ONE, "whether it is `in` a list", needs="in"),
    _operation("all", MANY, "whether all of these hold, and all in lists"),
    _operation("any", MANY, "whether any of these holds, or any in lists"),
    _operation("not", ONE, "whether this does not hold"),
    _operation("given", ONE, "whether a parameter is given; with `else` the parameter, or that", may="else"),
    _operation("case", ONE, "by this word, one `of` several, or `else`", needs="of", may="else"),
    _operation("list", MANY, "a list of these"),
    _operation("each", ONE, "`give` for each of a list `where` that holds, or `by name`", may="give, where, by name"),
    _operation("join", ONE, "a list in one text, `with` this between, or `empty` for none", may="with, empty"),
    _operation("sorted", ONE, "a list in rising order"),
    _operation("set", ONE, "a list whose order means nothing"),
    _operation(
        "roll", WORD, "dice such as 2d6 or 4d6kh3; with `more` so many more, of which the best count", may="more"
    ),
    _operation("faces", ONE, "so many dice with these `sides`: a list of their faces, rising", needs="sides"),
    _operation("band", ONE, "the word `of` several whose least number this reaches", needs="of"),
)
COMPANIONS = (
    _part("then", ONE, "what holds with `if`"),
    _part("else", ONE, "what stands in otherwise"),
    _part("otherwise", WORD, "the other text of `if`"),
    _part("at", ONE, "a level"),
    _part("column", WORD, "a column of the table"),
    _part("its", ChoiceOf(("name", "section", "kind", "hint")), "what of the trait"),
    _part("as", WORD, "a group of traits"),
    _part("by", ONE, "the divisor"),
    _part("round", ChoiceOf(ROUNDINGS), "how to round to a whole number"),
    _part("in", ONE, "the list"),
    _part("of", MapOf(ONE, key=WORD), "what stands for each word"),
    _part("where", ONE, "which are taken"),
    _part("give", ONE, "what each becomes; itself if absent"),
    _part("by name", YesNo(), "values by name instead of a list"),
    _part("with", WORD, "what stands between"),
    _part("empty", WORD, "what stands for none"),
    _part("more", ONE, "advantage: how many more dice; below 0 the worst count"),
    _part("sides", ONE, "how many sides each die has"),
)


def _check_formula(entries: Entries) -> None:
    """Notes keys that do not belong together; such a formula does nothing."""
    do, needs, may = next(
        ((key.name, needs, may) for key, needs, may in OPERATIONS if key.name in entries), ("", (), ())
    )
    before = len(entries.scope.problems)
    if not do and isinstance(entries.node, MappingNode) and len(entries.nodes) == len(entries.node.entries):
        entries.add("a formula needs an operation (one of: " + ", ".join(key.name for key, _, _ in OPERATIONS) + ")")
    for name in needs:
        if name not in entries:
            entries.add(f"{quoted(do)} needs {quoted(name)}", at=do)
    for name in entries.nodes if do else ():
        if name not in (do, *needs, *may):
            entries.add(f"{quoted(name)} does not go with {quoted(do)}", at=name)
    if do == "if" and ("then" in entries) is ("say" in entries):
        entries.add('"if" needs either "then" and perhaps "else", or the texts "say" and "otherwise"')
    entries.values["do"] = do if len(entries.scope.problems) == before else ""


def _formula(do: str, stands: Place, **parts: Any) -> Formula:
    return Formula(do, {name: part for name, part in parts.items() if part is not None}, stands)


RECORD = RecordOf(
    "formula",
    _formula,
    *(key for key, _, _ in OPERATIONS),
    *COMPANIONS,
    help="One operation with what it needs.",
    check=_check_formula,
    place="stands",
)
FORMULA: Decoder[Operand] = Either(WORD, RECORD)


class Anything(Decoder[Data]):
    """A word, list or mapping as it stands."""

    blank = Word("", Place(""))

    def read(self, node: Node, scope: Scope, what: str) -> Data:
        return tree(node, scope)

    def schema(self, definitions: Definitions) -> Schema:
        return {}

    def __str__(self) -> str:
        return "value"


def _check_parameter(entries: Entries) -> None:
    """Gathers what a parameter takes from the one key that says so."""
    kinds = [kind for kind in KINDS if kind in entries]
    if len(kinds) != 1 and isinstance(entries.node, MappingNode):
        entries.add(f"a parameter needs one of {', '.join(KINDS)}")
    narrowed = {kind: entries.values.pop(kind) for kind in KINDS}
    entries.values["kind"] = kinds[0] if kinds else "is"
    entries.values["narrowed"] = narrowed[kinds[0]] if kinds else Word("text", entries.node.place)


PARAMETER: Decoder[Takes] = Either(
    Then(WORD, lambda word, node, scope: Takes("is", word, node.place)),
    RecordOf(
        "parameter",
        Takes,
        Key("is", WORD, "`yes or no`, `text`, `decimal`, or whole numbers such as `0 to 15`", None),
        Key("one of", ListOf(WORD, 100), "these words", None),
        Key("named in", WORD, "the names below a path of the pack's values", None),
        Key("member of", WORD, "the role of a trait in this group", None),
        Key("levels of", WORD, "levels of traits in this group, by their roles", None),
        Key("list of", Within("parameter"), "a list, each entry as said", None),
        Key("values of", Within("parameter"), "values by name, each as said", None),
        Key("default", Anything(), "what it is when it is not given; `null` for nothing", None),
        Key("every", YesNo(), "levels: all of the group, and not just some", False),
        Key("rule", RULE_ID, "the rule that a name which is not in the group breaks", ""),
        help="What one parameter takes.",
        check=_check_parameter,
        place="place",
    ),
)
REFUSAL = RecordOf(
    "refusal",
    Refusal,
    Key("if", ONE, "when it refuses", to="condition"),
    Key("code", TEXT, "a code for programs and worked examples"),
    Key("say", WORD, "a sentence for people, with {names} in it"),
    Key("rule", RULE_ID, "the rule that is broken", ""),
    place="place",
)
LINE: Decoder[LogLine] = Either(
    Then(WORD, lambda word, node, scope: LogLine(word, None, None, None, node.place)),
    RecordOf(
        "line",
        LogLine,
        Key("say", WORD, "the line, with {names} in it"),
        Key("rule", RULES, "the rules that it follows; those of the whole procedure if absent", None, to="rules"),
        Key("if", ONE, "only where this holds", None, to="condition"),
        Key("otherwise", WORD, "the line where that does not hold", None),
        place="place",
    ),
)
FORMULAS = MapOf(ONE, key=WORD, most=100)
PROCEDURE = RecordOf(
    "reckoning",
    Reckoning,
    Key("family", ChoiceOf((RECKONING,)), "a procedure stated in formulas"),
    Key("say", TEXT, "what it decides, in a line"),
    Key("results", FORMULAS, "what it comes to, by name"),
    Key("about", TEXT, "a sentence or two more, for `--help`", ""),
    Key("rule", RULES, "the rules that it follows", (), to="rules"),
    Key("takes", MapOf(PARAMETER, key=WORD, most=100), "its parameters, by name", dict),
    Key("refuses", ListOf(REFUSAL, 100), "what it refuses", ()),
    Key("first", FORMULAS, "values that are needed on the way, by name", dict),
    Key("tells", ListOf(LINE, 100), "the lines of its log", ()),
    check=lambda entries: entries.values.pop("family"),
    key="name",
    place="place",
)


class PlayDecoder(Decoder[Step | Reckoning]):
    """A roll by a family of mechanics, or a procedure stated in formulas."""

    blank = None

    def read(self, node: Node, scope: Scope, what: str) -> Step | Reckoning:
        return cast(Step | Reckoning, self._meant(node).read(node, scope, what))

    def under(self, key: Scalar, node: Node, scope: Scope) -> Step | Reckoning:
        return cast(Step | Reckoning, self._meant(node).under(key, node, scope))

    def _meant(self, node: Node) -> RecordOf[Any]:
        family = (
            next((value for key, value in node.entries if key.text == "family"), None)
            if isinstance(node, MappingNode)
            else None
        )
        return PROCEDURE if isinstance(family, Scalar) and family.text == RECKONING else ROLL

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [ROLL.schema(definitions), PROCEDURE.schema(definitions)]}

    def __str__(self) -> str:
        return f"{ROLL}, or {PROCEDURE}"

    def parts(self) -> Iterable[Decoder[Any]]:
        return (ROLL, PROCEDURE, PARAMETER, FORMULA)


def _check_case(entries: Entries) -> None:
    """Take out of `given` what is to be done."""
    values, given = entries.values, entries.values["given"]
    do = next((value for key, value in given.items() if key == "do"), None)
    if not isinstance(do, Word):
        entries.add("given must say what to do: `do: check`", at="given")
        do = Word("", entries.node.place)
    values |= {"do": do, "given": {key: value for key, value in given.items() if key != "do"}}
    del values["source"]


CASE = RecordOf(
    "example",
    Example,
    Key("id", FreeText(80), "the name of the case, by which chapters refer to it"),
    Key("given", FreeMapping(), "the procedure (`do`) and its parameters"),
    Key("expect", FreeMapping(), "the results that must come out, by path"),
    Key("rule", ListOf(TEXT), "the IDs of the rules that it shows", (), to="rules"),
    Key("dice", ListOf(WholeNumber(1, 1000), each="face"), "the faces that fall, in order", ()),
    Key(
        "dice for",
        MapOf(ListOf(WholeNumber(1, 1000), each="face"), each="trait"),
        "the faces for each trait, which fall first, in the order of the sheet of the game that plays",
        dict,
        to="dice_for",
    ),
    Key("cards", ListOf(TEXT), "the cards that are drawn, in order", ()),
    Key("source", FreeText(), "where the case is from", ""),
    Key("note", FreeText(1000), "a remark", ""),
    check=_check_case,
    place="place",
)
EXAMPLES = ListOf(CASE, most=MOST_CASES)


def read_examples(node: Node, problems: Problems) -> tuple[Example, ...]:
    """Return the cases of a file, in order; ids may stand only once."""
    cases = EXAMPLES.read(node, Scope(problems), "examples")
    seen: dict[str, int] = {}
    for case in cases:
        if case.id in seen:
            problems.add(case.place, f"{case.id} stands twice (first on line {seen[case.id]})")
        seen.setdefault(case.id, case.place.line)
    return cases
