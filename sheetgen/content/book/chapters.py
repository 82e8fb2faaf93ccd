"""The shape of a pack's rules/ folder: chapters of rules, in the order of their files' names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sheetgen.content.book.blocks import PEOPLE, RANDOM_TABLE, know_people
from sheetgen.content.book.varied_rules import Reopened, Replacements, varied_chapter
from sheetgen.content.packs.folders import Library, read_file
from sheetgen.content.packs.house_rules import OPTIONAL
from sheetgen.content.yaml.containers import NEEDED, Either, Entries, Key, ListOf, MapOf, OneOrMore, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.levels import FreeMapping, branch
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.nodes import Sequence as SequenceNode
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, PlacedText, WholeNumber, YesNo
from sheetgen.errors import InputError, Place, quoted, suggestion
from sheetgen.model.book import (
    Book,
    Chapter,
    Chart,
    Extract,
    FaceReading,
    Figure,
    Hero,
    Prose,
    Role,
    Rule,
    Scene,
    ToldLine,
)
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.system import System

Axis = tuple[str, tuple[Data, ...]]

LONGEST = 20_000
CHARTS = ("bars", "curve")
DRAWN = ("plain", "black", "light", "struck")
NOWHERE: Axis = ("", ())
ROLLED_BY = ("seed", "index")

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def chapter_files(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of the chapters in these folders in order; one of the first stands in for one of its name."""
    found = [files_of_folder(folder) for folder in reversed(folders)]
    by_name = {path.name: path for files in found for path in files}
    return tuple(by_name[name] for name in sorted(by_name))


def files_of_folder(folder: Path) -> tuple[Path, ...]:
    """Return the files of the chapters that stand in one pack's folder, in order."""
    return tuple(sorted((folder / "rules").glob("*.yaml"))) if (folder / "rules").is_dir() else ()


def chapter_name(path: Path) -> str:
    """Return the name of a chapter: that of its file, without the number."""
    return path.stem.partition("-")[2] or path.stem


def _axis_called(name: str, help: str, default: Any) -> Key:
    def read(data: Mapping[Word, Data], node: Node, scope: Scope) -> Axis:
        parameter, values = next(iter(data.items()), ("", ()))
        if len(data) == 1 and isinstance(values, tuple):
            return str(parameter), values
        scope.add(node.place, f"{name} must be one parameter with a list of values: `{{skill: [0, 1]}}`")
        return NOWHERE

    return Key(name, Then(FreeMapping(), read), help, default)


def _check_chart(entries: Entries) -> None:
    values = entries.values
    several = max(len(values["sought"]), len(values["of"])) > 1
    if values["shape"] == CHARTS[0] and several and values["columns"] != NOWHERE:
        entries.add("several values or results are columns already: leave out `columns`, or give one of them")


def _check_figure(entries: Entries) -> None:
    params = branch(entries.node, entries.scope, what="figure") if entries.nodes else EMPTY
    entries.values["params"] = {name: value for name, value in params.items() if name not in ("is", "title", "below")}


def _noted_title(title: str, node: Node, scope: Scope) -> str:
    """Return the title of a rule, which is the heading of what it shows elsewhere."""
    scope.facts["rule title"] = title
    return title


def _check_extract(entries: Entries) -> None:
    values, shown = entries.values, entries.values.pop("with")
    values["heading"] = values["heading"] or entries.scope.facts.get("rule title", "")
    values |= {"with_odds": "odds" in shown, "with_figure": "figure" in shown}


def _check_rule(entries: Entries) -> None:
    name = entries.values["id"]
    if not _NAME.fullmatch(name) and entries.key is not None:
        wanted = "write small letters, digits and hyphens, a letter first"
        entries.scope.add(entries.key.place, f"rule {quoted(name)}: {wanted}")
    entries.values["text"] = entries.values["text"] or Prose("", entries.node.place)
    entries.values["title"] = entries.values["title"] or name


def _check_hero(entries: Entries) -> None:
    kept = "file" in entries
    wrong = [name for name in ROLLED_BY if (name in entries) is kept]
    if wrong and kept:
        entries.add(f"a hero of a file is not rolled: leave out {' and '.join(wrong)}", at=wrong[0])
    elif wrong:
        entries.add(f"hero lacks {' and '.join(wrong)} (or the file in which it is kept)")


def _check_chapter(entries: Entries) -> None:
    if "rules" in entries and "opening" not in entries:
        entries.add("a chapter needs an opening: what it is for")


SHORT = FreeText(80)
SAID = Then(FreeText(LONGEST), lambda written, node, scope: Prose(written.strip(), node.place))
EXPLAINED = Then(FreeText(LONGEST, empty=True), lambda written, node, scope: Prose(written.strip(), node.place))
GLANCE = ListOf(SAID)
ICON = PlacedText()
WORDS = OneOrMore(SHORT)
CALLED = Then(SHORT, lambda title, node, scope: Word(title, node.place))
TABLES = OneOrMore(NameOf("table"))


def _check_scene(entries: Entries) -> None:
    """Make the story that opens a scene its first line."""
    values = entries.values
    if values["lines"] and values["story"] is not None:
        first = ToldLine(values["story"], values["story"].place, played=False)
        values |= {"lines": (first, *values["lines"]), "story": None}


LINE = Either(
    Then(SAID, lambda words, node, scope: ToldLine(words, node.place, played=False)),
    RecordOf(
        "told line",
        ToldLine,
        Key("say", SAID, "what happens, in words; figures are references", to="words"),
        Key(
            "dice",
            OneOrMore(PlacedText()),
            "the throws beside it, by what they are for; `+ ` joins a row",
            (),
            "throws",
        ),
        Key("result", OneOrMore(SAID), "what stands under each row of dice, if not what they come to", (), "results"),
        Key("kept", PlacedText(), "where the case lists the faces that counted, if not all of these dice did", None),
        Key("so", FreeMapping(), "what must be so when the case is played, by path", EMPTY),
        place="place",
    ),
)
ROLE = Either(
    Then(SHORT, lambda name, node, scope: Role(name, node.place)),
    RecordOf(
        "person of the cast",
        Role,
        Key("is", SHORT, "who of the cast", to="name"),
        Key("with", SHORT, "the weapon, skill or ability used", "", to="what"),
        Key("but", WORDS, "parameters that are not those of the character file now", ()),
        place="place",
    ),
)
SCENE = RecordOf(
    "example",
    Scene,
    Key("case", SHORT, "the worked example, by its id"),
    Key("told", SAID, "the story around it", None, to="story"),
    Key("title", SHORT, "what stands over it", ""),
    Key("people", MapOf(ROLE), "who of the cast fills which parameter of the case", dict),
    Key("scene", ListOf(LINE), "its play in words, line by line, with the dice beside them", (), to="lines"),
    check=_check_scene,
    place="place",
    name="told example",
)
CASE = Then(SHORT, lambda case, node, scope: Scene(case, None, node.place))
FACE = RecordOf(
    "faces {key}",
    FaceReading,
    Key("say", SHORT, "what the key to the dice says of them"),
    Key("drawn", ChoiceOf(DRAWN, "way to draw a die"), "how they are drawn", DRAWN[0]),
    Key("of", PlacedText(), "where the pack's values list them; all other faces if left out", None),
    Key("adds", WholeNumber(-9, 9), "what each adds to the result", 0),
    Key("for", SHORT, "only dice whose throw has these words in what it is for: `wild die`", "", to="throws"),
)
CHART = RecordOf(
    "odds",
    Chart,
    Key("do", SHORT, "the procedure", to="procedure"),
    _axis_called("rows", "the parameter that varies from row to row: `{skill: [0, 1, 2]}`", NEEDED),
    Key("as", ChoiceOf(CHARTS, "kind of chart"), "how the odds are drawn", CHARTS[0], to="shape"),
    Key("given", FreeMapping(), "other parameters of the procedure", EMPTY),
    Key("of", WORDS, "the results whose chance is shown", ()),
    Key("value", WORDS, "the values of that result that count", ("true",), to="sought"),
    _axis_called("columns", "the parameter that varies from column to column", NOWHERE),
    Key("title", SHORT, "what stands over the chart", ""),
    Key("card", SHORT, "the title of its card, where several charts of a rule take one each", ""),
    Key("policy", SHORT, "how choices within the procedure are made", ""),
    Key("named", MapOf(FreeText(40), each="named"), "names for the columns of a curve", dict),
    check=_check_chart,
    place="place",
)
FIGURE = RecordOf(
    "figure",
    Figure,
    Key("is", PlacedText(), "what is drawn", to="kind", what="kind of figure"),
    Key("title", FreeText(120), "what stands over it", ""),
    Key("below", FreeText(200), "what stands under it, such as what the signs of a map mean", ""),
    check=_check_figure,
    place="place",
    open=True,
)
HERO = RecordOf(
    "hero",
    Hero,
    Key("seed", WholeNumber(0, 2**63 - 1), "the seed of the dice", None),
    Key("index", WholeNumber(1, 10**9), "the number of the person in that run", None),
    Key("method", SHORT, "the method of making", ""),
    Key("archetype", SHORT, "the archetype", ""),
    Key("options", MapOf(SHORT, each="option"), "options of creation.yaml", dict),
    Key("name", SHORT, "what the book calls them, in place of the name that is rolled", ""),
    Key("file", SHORT, "a character file of the pack, for a hero who is kept and not rolled", ""),
    Key(
        "made",
        MapOf(OneOrMore(FreeText(400)), each="step"),
        "how, line by line; `{gear}`, `{figure.move}`",
        dict,
    ),
    check=_check_hero,
    place="place",
)
EXTRACT = Either(
    Then(SAID, lambda text, node, scope: Extract(scope.facts.get("rule title", ""), text, (), node.place)),
    RecordOf(
        "card or screen",
        Extract,
        Key("title", FreeText(60), "its heading, if not the title of the rule", "", to="heading"),
        Key("text", SAID, "what it says", None),
        Key("table", TABLES, "tables to show", (), to="tables"),
        Key("with", OneOrMore(ChoiceOf(("odds", "figure"), "part")), "what of the rule's own to show", ()),
        check=_check_extract,
        place="place",
    ),
)
EXAMPLES = OneOrMore(Either(CASE, SCENE))
RULE = RecordOf(
    "rule {key}",
    Rule,
    Key("title", Then(SHORT, _noted_title), "the heading of the rule"),
    Key("text", SAID, "the rule, in Markdown, with references in braces"),
    Key("covers", WORDS, "the IDs of the rules that it states", ()),
    Key("optional", YesNo(), "the rule is for tables that want it", False),
    Key("house", YesNo(), "the rule is this edition's own, not the author's", False),
    Key("settled", SAID, "why this edition reads the rule as it does where its text has the sign †", None),
    Key("label", FreeText(120), "whose rule it is, where it is not the author's", ""),
    Key("note", SAID, "a remark beside the rule", None),
    Key("table", TABLES, "tables to print", (), to="tables"),
    Key("odds", OneOrMore(CHART), "exact odds to draw", (), to="charts"),
    Key("figure", OneOrMore(FIGURE), "drawings", (), to="figures"),
    Key("random", OneOrMore(RANDOM_TABLE), "tables to roll on, drawn from the lists of npcs.yaml", ()),
    Key("people", PEOPLE, "stat blocks of whom the players meet; in short an archetype", ()),
    Key("examples", EXAMPLES, "worked examples, played and told", (), to="scenes"),
    Key("hero", HERO, "a character, step by step", None),
    Key("card", OneOrMore(EXTRACT), "what stands on its reference card, or cards", (), to="cards"),
    Key("screen", EXTRACT, "what stands on a screen", None),
    Key("index", WORDS, "words that lead to it in the index", ()),
    Key("handouts", MapOf(CALLED, each="handout {key}"), "handouts to print in the book: `{owls: On Owls}`", dict),
    check=_check_rule,
    key="id",
    place="place",
)
REOPENED = RecordOf(
    "reopened {key}",
    Reopened,
    Key("title", SHORT, "its heading, if another", ""),
    Key("icon", ICON, "the drawing on its cards, if another", None),
    Key("opening", SAID, "what it is for, if in other words", None),
    Key("summary", GLANCE, "it at one glance, if otherwise", ()),
    place="place",
)
CHAPTER = RecordOf[dict[str, Any]](
    "chapter",
    dict,
    Key("title", SHORT, "the heading of the chapter"),
    Key("icon", ICON, "the drawing on its cards: a file of icons/, such as `shield`", None),
    Key("opening", SAID, "what the chapter is for; needed where there are rules", None),
    Key("rules", MapOf(RULE), "the rules by name, in order", None),
    Key("instead", MapOf(RULE), "rules that stand in place of those of the same name in shared chapters", dict),
    Key("retold", MapOf(EXAMPLES), "examples in place of those of the shared rule of that name, or of that case", dict),
    Key("reopened", MapOf(REOPENED), "what shared chapters, by their names, open with and come to here", dict),
    Key("summary", GLANCE, "the chapter at one glance", ()),
    Key("glossary", MapOf(EXPLAINED, each="text"), "words of the game, explained; an empty one is left out", dict),
    Key("cast", OneOrMore(PlacedText()), "character files of the pack: the people of the book's examples", ()),
    Key("faces", MapOf(FACE), "how dice beside examples are read: each way by its name", dict),
    Key("see", MapOf(SHORT, each="word"), "words of the index that lead to others: `{fists: bare hands}`", dict),
    check=_check_chapter,
)


KnownChapters = dict[str, tuple[bytes, Place, dict[str, Any]]]  # by file: what it says, and how it was read
Found = dict[Path, tuple[Place, dict[str, Any]]]


def read_book(
    files: Iterable[Path], library: Library, system: System, *, home: str = "", known: KnownChapters | None = None
) -> Book:
    """Return the chapters that the files hold; InputError with every problem of their shape.

    Of those that the system leaves out the book only knows the titles, and that they stand in the book of `home`.
    A rule under `instead` has the place of the rule of that name, in whichever chapter that is; examples that are
    `retold` have that of its own; chapters that are `reopened` stay where they are. Sound chapters are `known` from
    then on, for this very system, and not read again until their files say otherwise.
    """
    problems, chapters, glossary = Problems(), list[Chapter](), dict[str, Prose]()
    cast, faces, see = list[Word](), dict[str, FaceReading](), dict[str, str]()
    elsewhere, covered = dict[str, str](), set[str]()
    read = _read_chapters(files, library, system, {} if known is None else known, problems)
    for path in [path for path in read if chapter_name(path) in (system.leaves_out or ())]:
        _, found = read.pop(path)
        rules = found["rules"] or {}
        titles = {chapter_name(path): found["title"], **{name: rule.title for name, rule in rules.items()}}
        elsewhere |= {name: f"{title} (in the book of {home})" for name, title in titles.items()}
    instead = Replacements()
    for found in _nearest_last(read, library, system):
        instead = instead.with_those_of(found)
        glossary.update(found["glossary"])
        cast += found["cast"]
        faces.update(found["faces"])
        see.update(found["see"])
    as_read = [_chapter(path, place, found) for path, (place, found) in read.items() if found["rules"] is not None]
    instead.note_those_without_place(as_read, problems)
    for chapter in map(instead.chapter, as_read):
        covered.update(each for rule in chapter.rules for each in rule.covers)
        unused = {rule.id: rule for rule in chapter.rules if _is_unused(rule, system)}
        elsewhere |= {name: f"{rule.title} (which this table does not use)" for name, rule in unused.items()}
        used = tuple(rule for rule in chapter.rules if rule.id not in unused)
        if unused and not used:
            elsewhere[chapter.id] = f"{chapter.title} (which this table does not use)"
        else:
            chapters.append(replace(chapter, rules=used))
    if system.lineage:
        chapters = [varied_chapter(chapter, system) for chapter in chapters]
    _check_names(chapters, problems)
    for point in system.without:
        if point not in covered:
            near = suggestion(point, sorted(each for each in covered if OPTIONAL.fullmatch(each)))
            problems.add(point.place, f"no optional rule {quoted(point)} to go without{near}")
    problems.raise_if_any()
    words = {word: glossary[word] for word in sorted(glossary, key=str.casefold) if glossary[word].text}
    return Book(tuple(chapters), words, tuple(cast), faces, see, elsewhere)


def _read_chapters(
    files: Iterable[Path], library: Library, system: System, known: KnownChapters, problems: Problems
) -> Found:
    """Return what the files of chapters hold, those left out among them; notes what is wrong with their shape."""
    scope, read = Scope(problems, {"table": system.tables}), Found()
    know_people(scope, system)
    for path in files:
        shown = library.shown(path)
        try:
            read[path] = _read_chapter(read_file(path, shown, inside=path.parent), shown, scope, known)
        except InputError as error:
            problems.extend(error)
    return read


def _nearest_last(read: Found, library: Library, system: System) -> list[dict[str, Any]]:
    """Return what the files hold, those of the game itself last, for what they say goes before what others do."""
    lineage = [library.packs.get(name) for name in system.lineage]
    depth = {path: lineage.index(home) if (home := path.parent.parent) in lineage else -1 for path in read}
    return [read[path][1] for path in sorted(read, key=depth.__getitem__, reverse=True)]


def _chapter(path: Path, place: Place, found: Mapping[str, Any]) -> Chapter:
    opening, rules = found["opening"] or Prose("", place), tuple(found["rules"].values())
    return Chapter(chapter_name(path), found["title"], opening, rules, found["summary"], place, found["icon"])


def _read_chapter(data: bytes, shown: str, scope: Scope, known: KnownChapters) -> tuple[Place, dict[str, Any]]:
    if shown not in known or known[shown][0] != data:
        node, before = parse(data, shown), len(scope.problems)
        found = CHAPTER.read(node, scope, "")
        if len(scope.problems) > before:
            return node.place, found
        known[shown] = data, node.place, found
    return known[shown][1:]


def _is_unused(rule: Rule, system: System) -> bool:
    """Whether all that a rule covers is left out."""
    return bool(rule.covers) and set(rule.covers) <= set(system.without)


def keys_of_rules(data: bytes, file: str) -> frozenset[str]:
    """Return the keys that the rules of a chapter's file have, such as `card`; InputError if it cannot be read as YAML.

    Empty values do not count. Nothing else is checked.
    """
    rules = [node for key, node in _entries(parse(data, file)) if key == "rules"]
    parts = (part for node in rules for _, rule in _entries(node) for part in _entries(rule))
    return frozenset(key for key, node in parts if node != SequenceNode((), node.place) and not node.is_null)


def _entries(node: Node) -> list[tuple[str, Node]]:
    return [(key.text, value) for key, value in node.entries] if isinstance(node, MappingNode) else []


def _check_names(chapters: Iterable[Chapter], problems: Problems) -> None:
    seen: dict[str, str] = {}
    for chapter in chapters:
        for rule in chapter.rules:
            if rule.id in seen:
                problems.add(rule.place, f"rule {quoted(rule.id)} stands in {seen[rule.id]} too")
            seen[rule.id] = rule.place.file
