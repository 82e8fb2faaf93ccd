"""The shape of sheet.yaml: what a character file may hold, the columns of a roster, and the rows of an NPC page."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from sheetgen.content.packs.sheet_layout import LAYOUT
from sheetgen.content.packs.traits import RULE, TEXT, TRAIT_ROLE, WordsOrPath, hint
from sheetgen.content.yaml.containers import Entries, Key, Later, ListOf, MapOf, OneOrMore, RecordOf, Then, known
from sheetgen.content.yaml.decoder import Scope
from sheetgen.content.yaml.levels import FreeMapping, LevelOf
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, OneLine, WholeNumber, YesNo, is_whole
from sheetgen.errors import quoted, suggestion
from sheetgen.model.data import EMPTY, Word
from sheetgen.model.people_pages import (
    LEVEL,
    SLOT,
    USUAL_ROWS,
    Chance,
    FigureRows,
    NpcPage,
    Opponent,
    RatedRows,
    Roster,
    RosterColumn,
    TitledLine,
    TitledLines,
    Token,
    Tries,
)
from sheetgen.model.system import FieldSpec

MOST_COLUMNS = 24
MOST_KEYS = 3
MOST_LINES = 6
MOST_BRIEF = 12
MOST_TICKS = 30
MOST_NUMBERS = 2
MOST_OPPONENTS, MOST_HEADS, MOST_CHANCES = 4, 3, 3
FIELD_KINDS = ("text", "choice", "list", "levels", "ratings", "text per trait", "list per trait")
CONTENTS = ("shows", "each", "best", "ticks", "slots")


def _line_with_fields(said: str, node: Node, scope: Scope) -> str:
    """A line with the fields of a sheet in its braces; a bare word is a field."""
    if "{" not in said and "}" not in said:
        return f"{{{_field(said, node, scope)}}}" if said else ""
    rest = SLOT.sub("", said)
    if "{" in rest or "}" in rest:
        scope.add(node.place, f"{quoted(said)}: a field stands in braces, such as {{name}}")
    return SLOT.sub(lambda slot: f"{{{_field(slot[1], node, scope)}}}", said)


def _field(word: str, node: Node, scope: Scope) -> str:
    """The field of a sheet that a word means: a trait by any of its names, or the field itself."""
    groups, fields, roles = (scope.names.get(kind, {}) for kind in ("trait group", "field", "trait"))

    def named(name: str) -> tuple[str, str]:
        group, trait = scope.facts["traits"][roles[name]]
        return group.name, trait.name

    if word in roles:
        return ".".join(named(word))
    head, dot, rest = word.partition(".")
    if dot and head in (*groups, "note") and rest in roles:
        group, name = named(rest)
        if head in ("note", group):
            return f"{head}.{name}"
    figures = ("figure", *scope.facts.get("rows", USUAL_ROWS))
    if word in (*fields, LEVEL) or (dot and rest and (head in figures or (head in fields and head not in groups))):
        return word
    near = suggestion(word, (*roles, *fields)) or " (name a trait, a field of the character, or a figure.move)"
    scope.naming("trait").add(node.place, f"unknown field {quoted(word)}{near}")
    return word


def _ticks(_: object, node: Node, scope: Scope) -> str:
    """How many boxes: a number, the pack value of a path, or a field."""
    values = scope.values
    if isinstance(node, Scalar) and values.has(node.text) and isinstance(values.at(node.text), Word):
        node = Scalar(values.text(node.text), node.place, quoted=False)
    if isinstance(node, Scalar) and is_whole(node.text):
        return str(WholeNumber(1, MOST_TICKS).read(node, scope, "ticks"))
    return LINE.read(node, scope, "shows")


def _check_column(entries: Entries) -> None:
    """Put together the columns that an entry makes: one, or one for each trait of a group."""
    values = entries.values
    shown = [name for name in CONTENTS if name in entries]
    if len(shown) > 1:
        entries.add(f"a column has only one of {', '.join(CONTENTS)}, not {' and '.join(shown)}")
    if "title" not in entries and "each" not in entries:
        entries.add('column lacks "title" (add `title: ...`, or `each: ` with a trait group)')
    key = entries.nodes.get("key")
    if isinstance(key, Scalar) and not key.quoted and key.text.casefold() in ("yes", "true", "on"):
        if not values["shows"]:
            entries.add("a key must show something (give the column `shows`)", at="key")
        values["key"] = next(iter(values["shows"]), "")
    else:
        values["key"] = entries.read("key", LINE, "", "shows")
    values["group"] = entries.scope.names["trait group"].get(values.pop("each"))


def _columns(group: Any, heads: str, **values: Any) -> tuple[RosterColumn, ...]:
    if group is None:
        return (RosterColumn(**values),)
    initials = heads == "initials"
    return tuple(
        RosterColumn(
            title=trait.name[:1] if initials else trait.brief,
            hint=trait.name if initials or trait.short else "",
            shows=(f"{{{group.name}.{trait.name}}}",),
            pencil=values["pencil"],
            of=values["of"],
        )
        for trait in group.members
    )


def _known_rows(rows: dict[str, FigureRows], node: Node, scope: Scope) -> dict[str, FigureRows]:
    scope.facts["rows"] = rows
    return rows


ROWS = RecordOf(
    "rows {key}",
    FigureRows,
    Key("noted", ListOf(TEXT), "the columns that are noted behind a thing without a row of its own", ()),
    Key("also", ListOf(TEXT), "other words for such a row on forms of other people", ()),
    Key("columns", MapOf(ListOf(TEXT)), "other words for each column", dict),
    key="name",
    name="rows of figures",
)
ROWS_BY_NAME = Then(MapOf(ROWS), _known_rows)
LINE = Then(FreeText(200), _line_with_fields)
COLUMN = RecordOf(
    "column",
    _columns,
    Key("title", FreeText(40), "its head", ""),
    Key("hint", FreeText(80), "what its head means", ""),
    Key("shows", OneOrMore(LINE, MOST_LINES), "a field, or lines with fields in braces: `{name}, {gear.1}`", ()),
    Key("each", NameOf("trait group"), "in place of one column, one for each trait of the group", ""),
    Key("best", NameOf("trait group"), "the highest traits of a group", ""),
    Key("ticks", Then(Later(TEXT), _ticks), "boxes to tick: a number, a pack value or a field", ""),
    Key("slots", WholeNumber(1, 12), "numbered boxes to write in, such as places for cards", 0),
    Key("heads", ChoiceOf(("names", "initials")), "what stands over the columns of `each`", "names"),
    Key("most", WholeNumber(1, 12), "for `best`: how many", 3),
    Key("pencil", YesNo(), "room to write beside what is printed", False),
    Key("of", NameOf("field"), "the field that it is about; where nobody has that, there is no such column", ""),
    Key("words", ListOf(FreeText(12), most=MOST_TICKS), "what stands below the boxes of `ticks`, one by one", ()),
    Key("folded", YesNo(), "stands below the rows in front of it, for those who have any, and not in a column", False),
    Key("key", Later(TEXT), "what an index shows of it: `yes` for its first line, or a line of its own", ""),
    check=_check_column,
)


def _check_roster(entries: Entries) -> None:
    own, columns = entries.values.pop("own"), entries.values["columns"]
    columns = (*columns[:-1], *(replace(column, own=True) for column in own), *columns[-1:])
    if len(columns) > MOST_COLUMNS:
        entries.add(f"a roster of {len(columns)} columns fits no paper (leave {MOST_COLUMNS} at most)")
    keys = [column for column in columns if column.key]
    if len(keys) > MOST_KEYS:
        entries.add(f"{len(keys)} columns have a key; an index takes {MOST_KEYS}")
    entries.values["columns"] = columns[:MOST_COLUMNS]


COLUMNS = Then(ListOf(COLUMN, most=MOST_COLUMNS), lambda found, node, scope: tuple(chain.from_iterable(found)))
ROSTER = RecordOf(
    "roster",
    Roster,
    Key("columns", COLUMNS, "the columns behind number and name"),
    Key("own", COLUMNS, "columns that a skin adds on the page of a group", ()),
    Key("under", NameOf("field"), "the field that stands below each name", ""),
    Key("reminder", TEXT, "a line at the foot; a trait group in braces stands for its initials by kind", ""),
    Key("reminders", MapOf(TEXT), "reminders in its place for those who have a field, by that field", dict),
    Key("told", ListOf(LINE, most=MOST_LINES), "what the page of a group tells of each, beside manner and story", ()),
    Key("drive", NameOf("field"), "the field that stands there for those who want nothing of the players", ""),
    check=_check_roster,
)


GIVEN = Key("given", FreeMapping(), "parameters of the procedure; fields of a sheet stand in braces", EMPTY)
OPPONENT = RecordOf(
    "opponent",
    Opponent,
    Key("say", TEXT, "what stands over the chance: `defence 0`"),
    Key("given", FreeMapping(), "the parameters that say how strong it is", EMPTY),
)
CHANCE = RecordOf(
    "chance",
    Chance,
    Key("do", TEXT, "the procedure", to="procedure"),
    Key("of", TEXT, "the result that is asked for: `hit`, `total>=8`"),
    GIVEN,
    Key("policy", TEXT, "how choices are made, where the rule leaves one", ""),
    Key("against", ListOf(OPPONENT, most=MOST_OPPONENTS), "against whom, the plain opponent first"),
    Key("named", OneOrMore(TEXT, MOST_LINES), "only of rows whose name has one of these words: `bow`", ()),
)
TRIES = RecordOf(
    "tries",
    lambda at, usual, by, **chance: Tries(Chance(**chance), at, usual, by),
    Key("do", TEXT, "the procedure", to="procedure"),
    Key("of", TEXT, "the result that counts: `success`"),
    Key("at", TEXT, "the parameter that says how hard it is, which a session gives"),
    Key("usual", TEXT, "how hard a fair attempt is: `8`"),
    Key("by", FreeText(40), "what the cases are: `skill`", ""),
    GIVEN,
    Key("policy", TEXT, "how choices are made, where the rule leaves one", ""),
    Key("against", ListOf(OPPONENT, most=MOST_OPPONENTS), "the cases: skills from 0 to 3, for one"),
)
ROWS_OF_NPC = RecordOf(
    "rows",
    RatedRows,
    Key("title", FreeText(40), "the head over the rows"),
    Key("name", LINE, "the name of a row, `#` standing for its number: `arms.#.name`", ""),
    Key("shows", OneOrMore(LINE, MOST_HEADS), "what stands behind the name: `arms.#.roll`", ()),
    Key("note", LINE, "what is to know of it besides; a third of `shows` stands in its place on half a page", ""),
    Key("most", WholeNumber(1, MOST_TICKS), "how many rows half a page has; a stat block has all", 0),
    Key("heads", ListOf(TEXT, most=MOST_HEADS), "what stands over that", ()),
    Key("block", LINE, "what stands behind the name in a stat block of a book, in place of `shows`", ""),
    Key("group", NameOf("trait group"), "in place of a name: a row for each trait of the group", ""),
    Key("chance", OneOrMore(CHANCE, MOST_CHANCES), "how likely a row is to succeed", (), to="chances"),
)
NPC_PAGE = RecordOf(
    "npc",
    NpcPage,
    Key("attacks", ROWS_OF_NPC, "the attacks; the likeliest against the first opponent stands first", None),
    Key("skills", ROWS_OF_NPC, "what somebody can do", None),
    Key("below", OneOrMore(LINE, MOST_LINES), "lines below the attacks, such as armour", ()),
    Key(
        "besides",
        RecordOf(
            "lines besides",
            TitledLines,
            Key("title", FreeText(16), "what stands before it"),
            Key("shows", OneOrMore(LINE, MOST_LINES), "fields, or lines with fields in braces"),
        ),
        "what has nothing to do with the attacks, such as languages",
        TitledLines(),
    ),
    Key(
        "marked", OneOrMore(LINE, MOST_LINES), "on half a page, lines at the boxes to mark in place of those below", ()
    ),
    Key(
        "also",
        ListOf(
            RecordOf(
                "paragraph",
                TitledLine,
                Key("title", FreeText(40), "what stands over it"),
                Key("shows", LINE, "a field, or a line with fields in braces"),
            )
        ),
        "more paragraphs beside people and belongings",
        (),
    ),
    Key("levels", ListOf(NameOf("trait group")), "of a stat block in a book: the groups whose levels it shows", ()),
    Key("brief", OneOrMore(LINE, MOST_BRIEF), "of a stat block in a book: lines before those below the attacks", ()),
)

TOKEN = RecordOf(
    "token",
    Token,
    Key(
        "numbers",
        ListOf(
            RecordOf(
                "number",
                TitledLine,
                Key("title", FreeText(16), "what stands over it"),
                Key("shows", LINE, "a field, or a line with fields in braces"),
            ),
            most=MOST_NUMBERS,
        ),
        "the two numbers of somebody that are asked for most",
        (),
    ),
    Key(
        "marks",
        ListOf(
            RecordOf(
                "mark",
                TitledLine,
                Key("title", FreeText(16), "what stands before the boxes"),
                Key("ticks", Then(Later(TEXT), _ticks), "how many: a number, a pack value or a field", to="shows"),
            ),
            most=MOST_NUMBERS,
        ),
        "boxes to mark what they suffer",
        (),
    ),
)


def _check_field(entries: Entries) -> None:
    values, name = entries.values, entries.values["name"]
    if values["kind"] == "levels" and name not in entries.scope.names["trait group"] and entries.key is not None:
        place = entries.key.place
        entries.scope.naming("trait").add(place, f"field {name} holds levels, but no trait group has that name")
    if (values["kind"] == "choice") != ("among" in entries):
        entries.add(f"field {name}: `is: choice` and among: (the words it is one of) go together")


FIELD = RecordOf(
    "field {key}",
    FieldSpec,
    Key("is", ChoiceOf(FIELD_KINDS, "kind of field"), "what it holds", to="kind"),
    Key("title", OneLine(), "what it is called on a sheet"),
    Key("longest", WholeNumber(1, 10_000), "the most characters of a text; from 300 on it may have several lines", 300),
    Key("most", WholeNumber(1, 1000), "the most entries of a list", 200),
    Key("groups", ListOf(NameOf("trait group")), "for `per trait`: the groups whose traits may have an entry", ()),
    Key("least_level", LevelOf(), "the level that a trait needs for an entry", 0),
    Key("within", TRAIT_ROLE, "the trait whose level the ratings may not exceed in sum", ""),
    Key("among", WordsOrPath(), "for `choice`: the words it is one of", (), what="field {key}: among"),
    RULE,
    hint("a line on what to write there"),
    Key("also", ListOf(TEXT), "other words for it on forms of other people", ()),
    Key("story", YesNo(), "a text that cards tell last and without its title, as manner and story are", False),
    check=_check_field,
    key="name",
    place="place",
)


FIELDS = Then(known("field", MapOf(FIELD)), lambda fields, node, scope: tuple(fields.values()))
SHEET = RecordOf[dict[str, Any]](
    "sheet.yaml",
    dict,
    Key("character", FIELDS, "what a character file may hold, in the order of the sheet"),
    Key("rows", ROWS_BY_NAME, "figures that come in rows, such as weapons", None),
    Key("roster", ROSTER, "the columns of a list of people", None),
    Key("npc", NPC_PAGE, "the rows of an NPC page", None),
    Key("layout", LAYOUT, "the blocks of a sheet of your own, in place of a template", None),
    Key("boxes", ListOf(NameOf("trait group")), "groups in boxes on cards; else small ones without default", None),
    Key("tries", TRIES, "what a plain attempt rolls, for the odds of a session", None),
    Key("token", TOKEN, "the numbers and boxes of a token, a standee and a tent card", None),
)
