"""Session files, an evening scene by scene with all that it needs, and the log of a campaign with who knows whom."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from sheetgen.content.packs.sheet import MOST_OPPONENTS, OPPONENT
from sheetgen.content.people.groups import ARCHETYPE, HOW, HOW_MANY, check_member, member_in_short, scope_of
from sheetgen.content.yaml.containers import (
    Either,
    Entries,
    Key,
    ListOf,
    MapOf,
    OneOrMore,
    OrNothing,
    RecordOf,
    Then,
    mapping_entries,
)
from sheetgen.content.yaml.decoder import Problems, Scope, Wrapped
from sheetgen.content.yaml.edits import insert, plain
from sheetgen.content.yaml.levels import FreeMapping
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.quoting import list_entry
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, OneLine, PlacedText, WholeNumber
from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.cast import Member
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.people_pages import Chance
from sheetgen.model.session import (
    Attempt,
    Casting,
    Clock,
    DiceAhead,
    Fight,
    GivenHandout,
    KnownTie,
    LogEntry,
    SceneMap,
    SceneTable,
    Session,
    SessionScene,
)
from sheetgen.model.system import System

FILE = "session.yaml"
MOST_SCENES, MOST_LINES, MOST_ROWS, MOST_AHEAD, MOST_SEGMENTS = 40, 60, 66, 60, 16
LONGEST_PROSE = 6000
PEOPLE_AS, REFERENCES, SCREENS = (
    ("npc", "card", "index", "none"),
    ("reference", "pocket", "none"),
    ("gm", "both", "none"),
)
PICTURES = (".png", ".jpg", ".jpeg", ".svg")
ABOUT_MAPS = ("title", "note", "picture")
CAST = "cast"
PATH = PlacedText(300)
Castings = tuple[Casting, ...]
SOURCES = ("who", "from", "group", ARCHETYPE)
LOG, MOST = "log.yaml", 5_000
NAME = PlacedText(120)
ENTRY = RecordOf(
    "entry",
    LogEntry,
    Key("who", NAME, "somebody of the cast, by name"),
    Key("what", FreeText(500), "what happened to them"),
    Key("date", OneLine(40), "when: 2026-11-28", ""),
    Key("rules", OneLine(2_000), "what came of it by the rules: `wounds 0 to 2`", ""),
    Key("hurt", MapOf(WholeNumber(-999, 999), most=40), "levels lost, or healed below 0", {}),
    place="place",
)
TIE = RecordOf(
    "tie",
    KnownTie,
    Key("who", NAME, "somebody of the cast, by name"),
    Key("to", NAME, "somebody else of the cast"),
    Key("is", OneLine(60), "what they are to them: `owes a boat to`", "", to="relation"),
    place="place",
)
LOG_FILE = RecordOf[dict[str, Any]](
    "the log",
    dict,
    Key("ties", OrNothing(ListOf(TIE, most=MOST)), "who knows whom", ()),
    Key("log", OrNothing(ListOf(ENTRY, most=MOST)), "what happened, entry by entry", ()),
    name="log",
)


def _curly(written: str, node: Node, scope: Scope) -> str:
    """The text with the apostrophes of print."""
    return re.sub(r"(?<=\w)'(?=\w)", "’", written)


TITLE, LINE = Then(OneLine(80), _curly), Then(OneLine(80, empty=True), _curly)
WORDS, PROSE = Then(FreeText(300), _curly), FreeText(LONGEST_PROSE, empty=True)


class _Cast(Wrapped[dict[str, Castings]]):
    """The people of an evening by name; scenes call them by it."""

    def read(self, node: Node, scope: Scope, what: str) -> dict[str, Castings]:
        known: dict[str, Castings] = {}
        scope.names[CAST] = known
        for name, (key, value) in mapping_entries(node, scope, what=what, most=MOST_LINES * 4).items():
            known[name] = PEOPLE.under(key, value, scope)
        return known


def _called(written: Word, node: Node, scope: Scope) -> Castings:
    """Those whom a few words mean: somebody of the cast, or so many of an archetype."""
    cast = scope.names.get(CAST, {})
    if written in cast:
        return tuple(replace(each, place=node.place) for each in cast[written])
    tried = Scope(Problems(), scope.names, facts=scope.facts)
    member = member_in_short(written, node, tried)
    near = suggestion(written, cast)
    for problem in tried.problems.found:
        scope.add(problem.place, f"nobody is called {quoted(written)}{near}" if near else problem.message)
    return (Casting(member, place=node.place),) if member.archetype else ()


def _check_person(entries: Entries) -> None:
    shown = [name for name in SOURCES if name in entries]
    if len(shown) != 1:
        entries.add(f"people come from one of {', '.join(SOURCES)}" + (f", not {' and '.join(shown)}" if shown else ""))
    if "only" in entries and "from" not in entries:
        entries.add("only chooses people of a file (say which, with from:)", at="only")
    if ARCHETYPE not in entries:
        for name in ("count", "level", "name", "part", "occupations", "method", "options"):
            if name in entries and not (name == "options" and "group" in entries):
                entries.add(f"{name} is for an archetype, not for people who are there already", at=name)
    check_member(entries)


def _castings(
    who: Castings, file: Word | None, group: Word | None, only: tuple[Word, ...], seed: int | None, **more: Any
) -> Castings:
    wants, note, place = more.pop("wants"), more.pop("note"), more["place"]
    if who:
        said = {name: text for name, text in (("wants", wants), ("note", note)) if text}
        return tuple(replace(each, place=place, **said) for each in who)
    member = Member(**more) if more[ARCHETYPE] else None
    return (Casting(member, group, file, only, seed, wants, note, place),)


PERSON = RecordOf(
    "person",
    _castings,
    Key("who", NameOf(CAST, what="name", where="cast: at the top of the file"), "somebody of the cast", ()),
    Key("from", PATH, "a file of characters, kept or edited", None, to="file"),
    Key("only", OneOrMore(PATH, MOST_LINES), "of that file, only these, by name", ()),
    Key("group", PATH, "a ready-made group of the system, or the file of one", None),
    Key(ARCHETYPE, NameOf(ARCHETYPE), "what they are, if they are rolled", ""),
    *HOW_MANY,
    Key("seed", WholeNumber(0, LARGEST_SEED), "the seed they are rolled by; that of the session if absent", None),
    Key("wants", WORDS, "what they want tonight, in place of what was rolled", ""),
    Key("note", WORDS, "a word on them for you alone", ""),
    check=_check_person,
    place="place",
)
PEOPLE = Either(Then(PATH, _called), PERSON)


def _joined(found: tuple[Castings, ...], node: Node, scope: Scope) -> Castings:
    return tuple(each for some in found for each in some)


def _check_attempt(entries: Entries) -> None:
    values, tries = entries.values, entries.scope.facts["tries"]
    given, at = values.pop("given"), values["at"]
    asked = {name: values.pop(name) for name in ("do", "of", "policy", "against")}
    values["at"] = str(at or "")
    values["chance"] = None
    if asked["do"]:
        if not asked["of"]:
            entries.add("of: which result counts? (write `of: success` or the like)", at="do")
        if not asked["against"]:
            entries.add("against: which cases? (write `against: [{say: plain}]`, with given: for each)", at="do")
        values["chance"] = Chance(asked["do"], asked["of"], given, asked["policy"], asked["against"])
    elif not at:
        entries.add("how hard is it? (write `at: 8`, or a procedure with do:, of: and against:)")
    elif tries is None:
        entries.add(
            "this game does not say what an attempt rolls (give a procedure with do:, of: and against:)", at="at"
        )
    else:
        values["chance"] = replace(tries.chance, given={**tries.chance.given, **given, Word(tries.at, at.place): at})


ATTEMPT = RecordOf(
    "attempt",
    Attempt,
    Key("try", WORDS, "what they will try", to="say"),
    Key("with", TITLE, "the skill or trait it takes", "", to="skill"),
    Key("at", PATH, "how hard it is, as the game says it: a number, or a word", None),
    Key("given", FreeMapping(), "more parameters of the procedure", EMPTY),
    Key("do", TITLE, "a procedure other than the usual one", ""),
    Key("of", TITLE, "with do: the result that counts", ""),
    Key("policy", TITLE, "with do: how choices are made", ""),
    Key("against", ListOf(OPPONENT, most=MOST_OPPONENTS), "with do: the cases, each with its own parameters", ()),
    check=_check_attempt,
    place="place",
)


def _check_clock(entries: Entries) -> None:
    most = entries.values["segments"]
    for at in entries.values["beats"]:
        if at > most:
            entries.add(f"beat {at} comes after the last of {most} segments", at="beats")


CLOCK = RecordOf(
    "clock",
    Clock,
    Key("title", TITLE, "what it counts"),
    Key("segments", WholeNumber(2, MOST_SEGMENTS), "how many", 6),
    Key("ticks", TITLE, "what fills a segment", ""),
    Key("beats", MapOf(WORDS, key=WholeNumber(1, MOST_SEGMENTS)), "what happens when so many are full", dict),
    Key("note", WORDS, "what else moves it", ""),
    check=_check_clock,
)


def _dice(written: str, node: Node, scope: Scope) -> str:
    try:
        if written:
            parse_notation(written)
    except NotationError as error:
        scope.add(node.place, error.message)
    return written


def _check_table(entries: Entries) -> None:
    values = entries.values
    if bool(values["rows"]) == bool(values["of"]):
        entries.add("a table has rows: of your own, or of: a list of the game")
    elif values["rows"] and values["dice"]:
        results = notation(values["dice"])
        if results is not None and len(results.values) != len(values["rows"]):
            told = f"{values['dice']} has {len(results.values)} results, and there are {len(values['rows'])} rows"
            entries.add(told, at="dice")


def notation(written: str) -> Notation | None:
    """Return dice notation as it was checked; None for what is none."""
    try:
        return parse_notation(written)
    except NotationError:
        return None


SCENE_TABLE = RecordOf(
    "table",
    SceneTable,
    Key("title", TITLE, "what it is for"),
    Key("rows", ListOf(WORDS, most=MOST_ROWS), "what may come up, row by row", ()),
    Key("of", TITLE, "in place of rows: a list of the game: names, occupations, hooks, belongings, gear, …", ""),
    Key("dice", Then(OneLine(20), _dice), "what is rolled; one die with a face for each row if absent", ""),
    Key("ahead", WholeNumber(0, MOST_ROWS), "how many rolls are made for you, and marked", 1),
    check=_check_table,
    place="place",
)
DICE = Either(
    Then(Then(OneLine(20), _dice), lambda written, node, scope: DiceAhead(written)),
    RecordOf(
        "dice",
        DiceAhead,
        Key("dice", Then(OneLine(20), _dice), "what is rolled: 2d6, d20, 3d6kh2"),
        Key("count", WholeNumber(1, MOST_AHEAD), "how many rolls", 12),
        Key("title", TITLE, "what they are for", ""),
    ),
)


def _map(found: dict[Word, Data], node: Node, scope: Scope) -> SceneMap:
    """A picture, or what is to be drawn: everything but title and note."""
    about = {name: found[name] for name in ABOUT_MAPS if name in found}  # type: ignore[index]  # a Word is a text
    for name, value in about.items():
        if not isinstance(value, Word):
            scope.add(node.place, f"{name} of a map is a text")
            return SceneMap(place=node.place)
    picture = about.get("picture")
    drawn = {name: value for name, value in found.items() if name not in ABOUT_MAPS}
    if isinstance(picture, Word) and not picture.lower().endswith(PICTURES):
        scope.add(picture.place, f"a picture is a file {', '.join(PICTURES)}, not {picture}")
    if (picture is None) == ("places" not in drawn):
        scope.add(node.place, "a map is a picture:, or has places: to be drawn")
    title, note = (str(about.get(name, "")) for name in ("title", "note"))
    return SceneMap(title, note, picture if isinstance(picture, Word) else None, drawn or None, node.place)


def _handout(file: Word | None, ready: Word | None, when: str, title: str) -> GivenHandout:
    return GivenHandout(file or ready or PATH.blank, file is None, when, title)


def _check_handout(entries: Entries) -> None:
    if ("file" in entries) == ("ready" in entries):
        entries.add("a handout is a file: beside the session, or a ready: one of the system")


FIGHT = RecordOf(
    "fight",
    Fight,
    Key("first", PATH, "one side: `@party.yaml`, `3 guards`, `2 wolves + 1 boss`, a group, or `here`"),
    Key("second", PATH, "the other one; `here` is everybody in the scene", Word("here", PATH.blank.place)),
    Key("title", TITLE, "what it is about", ""),
    Key("policy", TITLE, "how everybody fights, as `sheetgen encounter` names it", ""),
    place="place",
)
HANDOUT = Either(
    Then(PATH, lambda written, node, scope: GivenHandout(written)),
    RecordOf(
        "handout",
        _handout,
        Key("file", PATH, "a handout of your own, .md or .yaml", None),
        Key("ready", PATH, "one of the system's own, by its name", None),
        Key("when", WORDS, "when you hand it over", ""),
        Key("title", TITLE, "what you call it, if not as it calls itself", ""),
        check=_check_handout,
    ),
)
SCENE = RecordOf(
    "scene",
    SessionScene,
    Key("title", TITLE, "what it is called"),
    Key("where", LINE, "place and hour", ""),
    Key("read", PROSE, "what you read out, or say in your own words; Markdown", ""),
    Key("notes", PROSE, "what only you know; Markdown", ""),
    Key("stakes", ListOf(WORDS, most=6), "how it may end: `They look away: bad coin by spring`", ()),
    Key("people", Then(ListOf(PEOPLE, most=MOST_LINES), _joined), "who is there; in short `3 guards`", ()),
    Key("odds", ListOf(ATTEMPT, most=12), "what they will try, with the chances", (), to="attempts"),
    Key("fights", ListOf(FIGHT, most=4), "fights to be weighed: who wins, how long it takes, who falls", ()),
    Key("clocks", ListOf(CLOCK, most=4), "what runs out while they play", ()),
    Key("tables", ListOf(SCENE_TABLE, most=6), "tables to roll on, rolled ahead", ()),
    Key("dice", DICE, "rolls made before play, to strike out", None),
    Key("map", Then(FreeMapping(), _map), "a picture, or places and ways as a figure of a book has them", None),
    Key("handouts", ListOf(HANDOUT, most=20), "what you hand over, and when", ()),
    Key("boxes", ListOf(WORDS, most=12), "things to tick off: clues, promises, what must not be forgotten", ()),
    place="place",
)


def _session(system: str, cast: dict[str, Castings], **values: Any) -> Session:
    return Session(**values)


SESSION = RecordOf(
    "session",
    _session,
    Key("system", OneLine(200), "the game: its name, or the folder of a pack"),
    Key("title", TITLE, "what the evening is called"),
    Key("date", LINE, "when it is played", ""),
    Key("notes", PROSE, "what to remember before it begins; Markdown", ""),
    Key("seed", WholeNumber(0, LARGEST_SEED), "people, tables and dice are rolled by it", 1),
    HOW[1],
    Key(CAST, _Cast(MapOf(PEOPLE)), "people by a name that scenes call them by", dict),
    Key("scenes", ListOf(SCENE, most=MOST_SCENES), "the scenes, in order"),
    Key("people_as", ChoiceOf(PEOPLE_AS), "how people are printed", PEOPLE_AS[0]),
    Key("reference", ChoiceOf(REFERENCES), "what players look up", REFERENCES[0]),
    Key("screen", ChoiceOf(SCREENS), "which sides of the GM screen", SCREENS[0]),
    place="place",
    name="session file",
)


def read_session(node: Node, system: System, problems: Problems) -> Session:
    """Return the session of a file for a game that was opened; problems are noted where they stand."""
    scope = scope_of(system.creation, system.cast, problems)
    scope.facts["tries"] = system.tries
    session = SESSION.read(node, scope, "session")
    if not session.scenes and not problems.found:
        problems.add(node.place, "a session has scenes (write `scenes:` and `- title: …` for each)")
    return session


def is_session(node: Node) -> bool:
    """Return whether a file holds a session and neither characters nor a group."""
    return isinstance(node, MappingNode) and any(key.text == "scenes" for key, _ in node.entries)


def read_log(data: bytes, file: str) -> tuple[tuple[KnownTie, ...], tuple[LogEntry, ...]]:
    """Return the ties and the entries of a log; InputError with every problem and its place."""
    problems = Problems()
    found = LOG_FILE.read(parse(data, file), Scope(problems), "")
    problems.raise_if_any()
    return found["ties"] or (), found["log"] or ()


def with_entry(text: str, entry: LogEntry) -> str:
    """Return the text of a log with an entry behind those that it has; every other line stays.

    UsageError for a log without `log:`.
    """
    said: dict[str, Any] = {"date": entry.date, "who": str(entry.who), "what": entry.what, "rules": entry.rules}
    written = {key: value for key, value in said.items() if value}
    written |= {"hurt": {name: str(by) for name, by in entry.hurt.items()}} if entry.hurt else {}
    data = plain(parse(text.encode(), LOG))
    if not isinstance(data, dict) or "log" not in data:
        raise UsageError(f"{LOG} has no line `log:` to add to: write one at its end")
    listed = data["log"]
    bare = listed is None and re.search(r"^log:[ \t]*(#.*)?$", text, re.MULTILINE)
    if bare and list(data)[-1] == "log":  # behind the comments that a new file has
        return f"{text.rstrip()}\n{list_entry(written, 0)}"
    return insert(text, ("log",), len(listed or ()), written)
