"""The shape of `layout` in sheet.yaml: blocks that name fields, traits, rules, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sheetgen.content.packs.traits import TEXT
from sheetgen.content.yaml.containers import Either, Entries, Key, ListOf, MapOf, OneOrMore, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Schema, Scope, Wrapped
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, OneLine, WholeNumber, YesNo
from sheetgen.errors import among, quoted
from sheetgen.model.people_pages import MARKED, MOST_MARKS, BlockKind, SheetBlock, SheetLayout
from sheetgen.model.system import FieldSpec, Trait, TraitGroup

MOST_BLOCKS, MOST_COLUMNS, MOST_LINES, MOST_BESIDE = 60, 12, 40, 6
COLUMNS = 6
FEW = 6  # traits that stand in large boxes; more stand in rows
CONTENTS = ("show", "write", "say", "rule", "table", "list", "picture", "stack")
OTHERS = "others"  # whoever has no word of the field that a layout goes by
PORTRAIT, MOTIF = "portrait", "motif"
# Which blocks show a field of a kind, the usual one first; a text of several lines is an area.
BLOCKS_OF: dict[str, tuple[BlockKind, ...]] = {
    "text": ("line", "heading", "area"),
    "choice": ("line", "heading"),
    "list": ("slots", "area"),
    "levels": ("numbers", "rows", "track", "clock", "ticks"),
    "ratings": ("rated", "area"),
    "text per trait": (),
    "list per trait": ("area",),
}
SHOWING = tuple(dict.fromkeys(kind for kinds in BLOCKS_OF.values() for kind in kinds))
MORE: dict[str, tuple[BlockKind, ...]] = {  # which further keys a kind of block takes
    "lines": ("area", "slots", "rated", "write", "picture", "ticks"),
    "columns": ("slots", "numbers", "rows", "track", "clock", "ticks", "rated", "list"),
    "beside": ("slots", "numbers", "rows", "rated"),
    "dots": ("write",),
}


class _Blocks(Decoder[Any]):
    """The blocks within a stack, which are blocks themselves."""

    blank = ()

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return ListOf(BLOCK, MOST_BLOCKS, each="block").read(node, scope, what)

    def schema(self, definitions: Definitions) -> Schema:
        return ListOf(BLOCK, MOST_BLOCKS).schema(definitions)

    def __str__(self) -> str:
        return "list of blocks"


def _of_field(word: str, node: Node, scope: Scope) -> dict[str, Any]:
    """What a block shows by the word for it: a field, a trait group or one trait of it."""
    fields: dict[str, FieldSpec] = scope.names.get("field") or {}
    groups: dict[str, TraitGroup] = scope.names.get("trait group", {})
    roles: dict[str, str] = scope.names.get("trait", {})
    spec = fields.get(word)
    if spec is not None and spec.kind == "levels" and word not in groups:
        return {}  # told where the field stands
    if spec is not None and spec.kind in ("text", "choice", "list", "ratings", "list per trait"):
        return {"shows": word, "spec": spec}
    head, dot, rest = word.partition(".")
    if word in groups and spec is not None:
        group = groups[word]
        return {"shows": word, "spec": spec, "group": group, "members": group.members}
    if dot and head in groups and head in fields and rest in groups[head].sections:
        members = groups[head].sections[rest]
        return {"shows": head, "spec": fields[head], "group": groups[head], "members": members, "section": rest}
    named = rest if dot and head in groups else word
    if named in roles:
        group, trait = scope.facts["traits"][roles[named]]
        if group.name in fields:
            return {"shows": group.name, "spec": fields[group.name], "group": group, "members": (trait,)}
        fix = f"add `{group.name}: {{is: levels, title: {group.title}}}` under character"
        scope.add(node.place, f"no field of the character holds {quoted(word)} ({fix})")
        return {}
    names = (*(name for name, each in fields.items() if BLOCKS_OF[each.kind]), *roles)
    scope.naming("trait").add(node.place, f"unknown field {quoted(word)}{among(word, names)}")
    return {}


SHOWN = Then(TEXT, _of_field)


def _check_block(entries: Entries) -> None:
    """Put together a block: what it shows, and how."""
    values = entries.values
    found = {name: values.pop(name) for name in CONTENTS}
    given = [name for name in CONTENTS if name in entries]
    kind: BlockKind = "words"
    shown: dict[str, Any] = {}
    values["text"] = ""
    if len(given) != 1:
        said = f"not {' and '.join(given)}" if given else "and this one has none"
        entries.add(f"a block has one of {', '.join(CONTENTS)}, {said}")
    elif given[0] == "show":
        shown = found["show"] or {}
        kind = _kind_of(entries, shown) if shown else kind
    else:
        kind = {"say": "words", "write": "write"}.get(given[0], given[0])  # type: ignore[assignment]
        values["text"] = found[given[0]] if isinstance(found[given[0]], str) else ""
        if kind == "write":
            values["title"] = values["title"] or values["text"]
    values.pop("for")
    _check_keys(entries, kind, given == ["show"], shown.get("spec"))
    if kind in ("numbers", "rows") and shown:
        _check_beside(entries, shown)
    values |= {"kind": kind, "shows": shown.get("shows", ""), **_titled(entries, shown)}
    values["stack"] = tuple(block for block in found["stack"] if block is not None)
    if any(block.kind == "stack" for block in values["stack"]):
        entries.add("a stack holds blocks, and no stack (write its blocks here)", at="stack")


def _check_keys(entries: Entries, kind: BlockKind, shows: bool, spec: FieldSpec | None) -> None:
    """Note the keys that a block of this kind does not take."""
    if entries.values.pop("as") and not shows:
        entries.add("as: says how a field is shown (leave it out here)", at="as")
    for key, kinds in MORE.items():
        if key in entries and kind not in kinds and (spec is not None or not shows):
            entries.add(f"{key}: is for {', '.join(kinds)}; this block is {kind}{_instead(kinds, spec)}", at=key)
    most = entries.scope.facts.get("layout columns", COLUMNS)
    if entries.values["span"] > most:
        entries.add(f"span: {entries.values['span']} is more than the {most} columns of the layout", at="span")


def _check_beside(entries: Entries, shown: dict[str, Any]) -> None:
    """Note a trait group beside another one that has no field, or not a trait for each of the other's."""
    group: TraitGroup = shown["group"]
    groups: dict[str, TraitGroup] = entries.scope.names.get("trait group", {})
    fields: dict[str, FieldSpec] = entries.scope.names.get("field") or {}
    for word in entries.values["beside"]:
        if word == group.name:
            entries.add(f"beside: {word} is what this block shows", at="beside")
        elif word in groups and len(groups[word].members) != len(group.members):
            counts = f"{len(groups[word].members)} traits, and {group.name} {len(group.members)}"
            entries.add(f"beside: {word} has {counts}: each box needs the one in its place", at="beside")
        elif word in groups and word not in fields:
            fix = f"add `{word}: {{is: levels, title: {groups[word].title}}}` under character"
            entries.add(f"beside: no field of the character holds {quoted(word)} ({fix})", at="beside")


def _instead(kinds: Iterable[BlockKind], spec: FieldSpec | None) -> str:
    """Return how the field of a block may be shown as one of these kinds, or else which fields may be."""
    if spec is None:
        return ""
    fitting = [kind for kind in kinds if kind in BLOCKS_OF[spec.kind]]
    if fitting:
        return f" (show it as: {' or '.join(fitting)})"
    fields = [each for each, blocks in BLOCKS_OF.items() if any(kind in kinds for kind in blocks)]
    return f" (a field that is {', '.join(fields[:-1])} or {fields[-1]} has such blocks)"


def _titled(entries: Entries, shown: dict[str, Any]) -> dict[str, Any]:
    """The traits that a block shows, and its title and hint, which are those of the field if it says nothing."""
    members: tuple[Trait, ...] = shown.get("members", ())
    spec, group = shown.get("spec"), shown.get("group")
    title, hint = entries.values["title"], entries.values["hint"]
    whole = group is not None and members == group.members
    if "title" not in entries and spec is not None:
        title = shown.get("section") or (members[0].name if members and not whole else spec.title)
    if whole and group is not None and "hint" not in entries:
        hint = group.hint
    return {"traits": tuple(trait.name for trait in members), "title": title, "hint": hint}


def _kind_of(entries: Entries, shown: dict[str, Any]) -> BlockKind:
    """How a block shows what it shows: as it says, or as usual."""
    spec, members = shown["spec"], shown.get("members", ())
    kinds = BLOCKS_OF[spec.kind]
    asked = entries.values["as"]
    if asked and asked not in kinds:
        entries.add(f"{spec.name} cannot be shown as {asked} (one of: {', '.join(kinds)})", at="as")
        return kinds[0]
    if asked in MARKED:
        for trait in members:
            if not 0 <= trait.range.low <= trait.range.high <= MOST_MARKS:
                span = f"{trait.range.low} to {trait.range.high}"
                fix = f"give it a range such as 0-6 in system.yaml, or show it as: numbers; {MOST_MARKS} at most"
                entries.add(f"{trait.name} goes from {span}, too many for marks ({fix})", at="as")
                return "rows"
    if asked:
        return asked  # type: ignore[no-any-return]
    if spec.kind == "levels":
        return "numbers" if len(members) <= FEW else "rows"
    return "area" if spec.several_lines else kinds[0]


def _checked_picture(word: str, node: Node, scope: Scope) -> str:
    if word not in (PORTRAIT, MOTIF) and not word.endswith((".svg", ".png", ".jpg", ".jpeg")):
        scope.add(node.place, f"picture: {quoted(word)} is none ({PORTRAIT}, {MOTIF}, or a file such as crest.svg)")
    return word


def _drawing(word: str, node: Node, scope: Scope) -> str:
    if word and not word.endswith(".svg"):
        scope.add(node.place, f"motif: {quoted(word)} is no drawing (write the name of an .svg file in templates/)")
    return word


def _font(word: str, node: Node, scope: Scope) -> str:
    if word and not word.endswith(".ttf"):
        scope.add(node.place, f"font: {quoted(word)} is no TrueType font (write the name of a .ttf file in templates/)")
    return word


def _name_of(kind: str) -> Any:
    """The name of a table of the pack; other kinds of names are known only once its rules are read."""

    def check(word: str, node: Node, scope: Scope) -> str:
        known: Iterable[str] | None = scope.names.get(kind)
        if known is not None and word not in known:
            scope.add(node.place, f"unknown {kind} {quoted(word)}{among(word, known)}")
        return word

    return check


def _of_words(found: tuple[str, ...], node: Node, scope: Scope) -> tuple[str, ...]:
    if "layout words" not in scope.facts:
        scope.add(node.place, "for: goes with `by` of the layout, the field whose word it is")
    return found


FULL_BLOCK = RecordOf(
    "block",
    SheetBlock,
    Key("show", SHOWN, "a field, a trait group, one section or trait of it: `name`, `moves.Pilot`, `Stress`", None),
    Key("as", ChoiceOf(SHOWING, "kind of block"), "how it is shown, if not as usual", ""),
    Key("write", FreeText(60), "in place of a field: lines to write on by hand, under this title", ""),
    Key("say", FreeText(2000), "or a reminder; **bold** words, and lines of their own", ""),
    Key("rule", TEXT, "or what a rule of the book says on its card, by its name", ""),
    Key("table", Then(TEXT, _name_of("table")), "or a table of tables.yaml, by its name", ""),
    Key("list", OneLine(60), "or a list of phrases of npcs.yaml: those of the word that the layout goes by", ""),
    Key("picture", Then(FreeText(120), _checked_picture), "or `portrait`, `motif`, or a file of `templates/`", ""),
    Key("stack", _Blocks(), "or blocks one below the other, in these columns", ()),
    Key("for", Then(OneOrMore(TEXT), _of_words), "only on the sheets of these words of the field it goes `by`", ()),
    Key("title", FreeText(60, empty=True), "what stands over it, if not the title of the field", ""),
    Key("hint", FreeText(160, empty=True), "a line in small type beside the title", ""),
    Key("span", WholeNumber(1, MOST_COLUMNS), "how many columns it is wide; all of them if absent", 0),
    Key("lines", WholeNumber(1, MOST_LINES), "how many lines, slots, marks or rows", 0),
    Key("columns", WholeNumber(1, 6), "in how many columns its parts stand", 0),
    Key("dots", YesNo(), "dots 5 mm apart to draw on, in place of lines", False),
    Key(
        "beside",
        ListOf(FreeText(12), MOST_BESIDE),
        "boxes beside each part: `[max, now]`, `[d8, d6, d4]`; a trait group fills them in",
        (),
    ),
    check=_check_block,
    place="place",
    name="block of a sheet",
)


def _short(word: str, node: Node, scope: Scope) -> SheetBlock:
    """A block of nothing but the field that it shows."""
    key = Scalar("show", node.place, quoted=False)
    return FULL_BLOCK.read(Mapping(((key, node),), node.place), scope, "block")


BLOCK: Decoder[SheetBlock] = Either(Then(TEXT, _short), FULL_BLOCK)


class _Columns(WholeNumber):
    def read(self, node: Node, scope: Scope, what: str) -> int:
        scope.facts["layout columns"] = number = super().read(node, scope, what)
        return number


def _layout(by: str, sheets: object, **values: Any) -> SheetLayout:
    return SheetLayout(by=by, **values)


SIDES = (
    Key("columns", _Columns(1, MOST_COLUMNS), "how many columns the grid has", COLUMNS),
    Key("front", ListOf(BLOCK, MOST_BLOCKS, each="block"), "the blocks, from left to right and from top to bottom"),
    Key("back", ListOf(BLOCK, MOST_BLOCKS, each="block"), "those of the other side", ()),
)
OWN_SHEET = RecordOf[dict[str, Any]]("sheet of {key}", dict, *SIDES)
ONE_LAYOUT = RecordOf(
    "layout",
    _layout,
    Key("by", TEXT, "a field `is: choice`: each word of it has a sheet, where `{playbook}` stands for the word", ""),
    *SIDES,
    Key("sheets", MapOf(OWN_SHEET), "for words of that field, or `others` who have none: blocks of their own", dict),
    Key("theme", OneLine(40), "a look: `ruled`, `boxed`, or that of a game that comes along, by its name", ""),
    Key("motif", Then(FreeText(120), _drawing), "a drawing beside the title, such as `motif.svg` in `templates/`", ""),
    Key("font", Then(FreeText(120), _font), "a font for titles, such as `title.ttf` in `templates/`", ""),
    place="place",
)


class _Layouts(Wrapped[SheetLayout]):
    """A layout, and that of each word of the field it goes `by`; a problem of several of them is told once."""

    def __init__(self) -> None:
        super().__init__(ONE_LAYOUT)

    def read(self, node: Node, scope: Scope, what: str) -> SheetLayout:
        by = _entry(node, "by")
        words = self._choices_of_field(by, scope) if isinstance(by, Scalar) else ()
        if not words or not isinstance(by, Scalar):
            return ONE_LAYOUT.read(node, scope, what)
        scope.facts["layout words"] = words
        for each in _asked_for(node):
            if each.text not in words:
                scope.add(each.place, f"for: unknown word {quoted(each.text)}{among(each.text, words)}")
        sheets = _entry(node, "sheets")
        for key, _ in sheets.entries if isinstance(sheets, Mapping) else ():
            if key.text not in (*words, OTHERS):
                scope.add(key.place, f"sheets: unknown word {quoted(key.text)}{among(key.text, (*words, OTHERS))}")
        found = {}
        for word in ("", *words):
            own = _for_word(_own_sides(node, word or OTHERS), by.text, word)
            if own is None or (not word and _entry(own, "front") is None):
                continue
            apart = replace(scope, problems=Problems())
            found[word] = replace(ONE_LAYOUT.read(own, apart, what), word=word)
            for problem in apart.problems.found:
                if problem not in scope.problems.found:
                    scope.add(problem.place, problem.message, problem.rule)
        del scope.facts["layout words"]
        usual = found.pop("", None) or next(iter(found.values()))
        return replace(usual, variants=found, word="")

    def _choices_of_field(self, by: Scalar, scope: Scope) -> tuple[str, ...]:
        spec = (scope.names.get("field") or {}).get(by.text)
        if spec is None or spec.kind != "choice":
            choices = [name for name, each in (scope.names.get("field") or {}).items() if each.kind == "choice"]
            scope.add(by.place, f"by: {quoted(by.text)} is no field that `is: choice`{among(by.text, choices)}")
            return ()
        return tuple(spec.among)


def _asked_for(node: Node) -> Iterator[Scalar]:
    """Yield each word that a block of a layout is for."""
    parts = node.items if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        parts = tuple(value for key, value in node.entries)
        yield from _words_in(_entry(node, "for"))
    for part in parts:
        yield from _asked_for(part)


def _words_in(node: Node | None) -> list[Scalar]:
    """Return a word, or the words of a list."""
    return [each for each in (node.items if isinstance(node, Sequence) else (node,)) if isinstance(each, Scalar)]


def _own_sides(node: Node, word: str) -> Node:
    """Return a layout with the sides that a word has of its own, and without those of others."""
    entries = node.entries if isinstance(node, Mapping) else ()
    sheets = next((value for key, value in entries if key.text == "sheets"), None)
    own = _entry(sheets, word) if sheets is not None else None
    theirs = own.entries if isinstance(own, Mapping) else ()
    replaced = {"sheets", *(key.text for key, _ in theirs), *(("back",) if theirs else ())}
    kept = [(key, value) for key, value in entries if key.text not in replaced]
    return Mapping((*kept, *theirs), node.place)


def _entry(node: Node, name: str) -> Node | None:
    entries = node.entries if isinstance(node, Mapping) else ()
    return next((value for key, value in entries if key.text == name), None)


def _for_word(node: Node, field: str, word: str) -> Node | None:
    """Return what of a layout stands on the sheet for a word of a field: without the blocks that are for other words.

    Nothing that names the word is for whoever has none.
    """
    slot = f"{{{field}}}"
    if isinstance(node, Scalar):
        return None if slot in node.text and not word else replace(node, text=node.text.replace(slot, word))
    if isinstance(node, Sequence):
        items = [_for_word(item, field, word) for item in node.items]
        kept = tuple(item for item in items if item is not None)
        return replace(node, items=kept) if kept or not node.items else None
    wanted = _entry(node, "for")
    if wanted is not None and word not in [each.text for each in _words_in(wanted)]:
        return None
    entries = [(key, _for_word(value, field, word)) for key, value in node.entries]
    lost = [key.text for key, value in entries if value is None]
    if not {"front", "back"}.issuperset(lost):
        return None
    return replace(node, entries=tuple((key, value) for key, value in entries if value is not None))


LAYOUT = _Layouts()
