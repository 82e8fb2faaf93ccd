"""The shape of a pack's screen.yaml: which rules a GM screen and a quick reference show, by moments of play.

Without the file the chapters of the book are the moments, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from sheetgen.content.book.blocks import COLUMNS
from sheetgen.content.packs.folders import Library, read_file
from sheetgen.content.yaml.containers import Either, Entries, Key, Later, ListOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Problems, Scope
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.scalars import ChoiceOf, OneLine, PlacedText, WholeNumber
from sheetgen.errors import Place, among, quoted
from sheetgen.model.book import Book, KeyNumbers, Moment, Part, Prose, RandomTable, Rule, RulePart, Screen
from sheetgen.model.data import Word

FILE = "screen.yaml"
FEWEST_PANELS, MOST_PANELS = 3, 4
MOST_PEOPLE = 12
NUMBERS = 3
MOST_LINES = 12
MOST_SPARE = 8
# The parts of play, in the order in which they stand on every screen, and their panels on a screen of three.
PLAY = ("roll", "acting", "fighting", "harm", "people", "tables")
PANEL_OF = dict(zip(PLAY, (1, 1, 2, 2, 3, 3), strict=True))

Pick = Callable[[Rule], Part]
NAME = PlacedText(80)
SAID = Then(OneLine(300), lambda written, node, scope: Prose(written.strip(), node.place))


def screen_file(folders: Iterable[Path]) -> Path | None:
    """Return the file that orders the screen: that of the first folder of a book that has one."""
    return next((folder / FILE for folder in folders if (folder / FILE).is_file()), None)


def of_screen(rule: Rule) -> Part:
    """Return what a screen shows: what a rule says on the screen, or else on its card."""
    return "screen" if rule.screen or not rule.card else "card"


def of_card(rule: Rule) -> Part:
    """Return what a reference shows: what a rule says on its card, or else on the screen."""
    return "card" if rule.card or not rule.screen else "screen"


def _rule_part(pick: Pick, named: Word | dict[str, Any], scope: Scope) -> RulePart | None:
    """Return the part of a rule that a moment shows: the one that is named, or the one that is usual here."""
    rules: Mapping[str, Rule] = scope.facts["rules"]
    name, part = (named, "") if isinstance(named, Word) else (named["rule"], named["show"])
    if not name or name in scope.facts["elsewhere"]:
        return None
    if name not in rules:
        scope.add(name.place, f"unknown rule {quoted(name)}{among(name, rules)}")
        return None
    rule = rules[name]
    part = part or pick(rule)
    if getattr(rule, part) is None:
        fix = f'(add "{part}: ..." to the rule in {rule.place.file}:{rule.place.line})'
        scope.add(name.place, f"rule {quoted(name)} has nothing to show here {fix}")
        return None
    return RulePart(str(name), cast(Part, part), name.place)


def _check_moment(entries: Entries) -> None:
    if "rules" not in entries and "people" not in entries and "title" in entries:
        entries.add('a moment needs "rules" or "people" (add a line "rules: [...]")')


def _within(_: object, node: Node, scope: Scope) -> int:
    """Return the number of a panel that the screen has."""
    return WholeNumber(1, scope.facts["panels"]).read(node, scope, "panel")


def _noted(panels: int, node: Node, scope: Scope) -> int:
    scope.facts["panels"] = panels
    return panels


def _odds_of(named: Word, node: Node, scope: Scope) -> str:
    """Return the rule whose charts stand under the numbers."""
    rules: Mapping[str, Rule] = scope.facts["rules"]
    if named in scope.facts["elsewhere"]:
        return ""
    if named and named not in rules:
        scope.add(named.place, f"unknown rule {quoted(named)}{among(named, rules)}")
    elif named and not rules[named].charts:
        scope.add(named.place, f"rule {quoted(named)} has no odds (name one that has)")
    return str(named)


def _key_numbers() -> Decoder[KeyNumbers]:
    number = RecordOf[tuple[Prose, Prose]](
        "number",
        lambda number, says: (number, says),
        Key("number", SAID, "the number, from the data of the game: {quickie.difficulty.trained}"),
        Key("says", SAID, "what it means, in a few words"),
    )
    several = ListOf(number, exactly=NUMBERS, meaning=f"{NUMBERS} numbers, each with what it says", each="number")
    return RecordOf(
        "numbers",
        KeyNumbers,
        Key("title", OneLine(60), "what is happening at the table"),
        Key("text", SAID, "what is rolled, in a line", None),
        Key("of", several, "the numbers, in order", to="numbers"),
        Key("odds", Then(NAME, _odds_of), "the rule whose odds stand beneath", ""),
        place="place",
    )


def _without_repeats(moments: tuple[Moment, ...], node: Node, scope: Scope) -> tuple[Moment, ...]:
    """Return the moments of a list, in which one rule stands only once."""
    seen: dict[tuple[str, str], int] = {}
    for each in (part for moment in moments for part in moment.parts):
        key = (each.rule, each.part)
        if key in seen:
            scope.add(each.place, f"rule {quoted(each.rule)} stands here twice, first in line {seen[key]} (keep one)")
        seen.setdefault(key, each.place.line)
    return moments


def _with_something(moments: tuple[Moment, ...], node: Node, scope: Scope) -> tuple[Moment, ...]:
    """Return the moments without those whose rules are all left out of the book."""
    return tuple(each for each in moments if each.parts or each.people) if scope.facts["elsewhere"] else moments


def _moments(pick: Pick) -> Decoder[tuple[Moment, ...]]:
    """Moments that show what `pick` chooses of each rule."""
    rule = RecordOf[dict[str, Any]](
        "rule of a moment",
        dict,
        Key("rule", NAME, "a rule of the book"),
        Key("show", ChoiceOf(get_args(Part), "part of a rule"), "what of it is shown"),
    )
    shown = Then(Either(NAME, rule), lambda named, node, scope: _rule_part(pick, named, scope))
    rules = Then(ListOf(shown, each="rule"), lambda found, node, scope: tuple(each for each in found if each))
    moment = RecordOf(
        "moment",
        Moment,
        Key("title", OneLine(60), "what is happening at the table"),
        Key("rules", rules, "the rules that are looked up then", (), to="parts"),
        Key(
            "panel",
            Then(Later(WholeNumber(1, MOST_PANELS)), _within),
            "the panel that it stands on; wherever it fits if absent",
            0,
        ),
        Key("people", WholeNumber(1, MOST_PEOPLE), "at least so many rolled people, to be somebody at once", 0),
        Key(
            "at", ChoiceOf(PLAY, "part of play"), "what part of play it is; these stand in one order on all screens", ""
        ),
        check=_check_moment,
        place="place",
    )
    return Then(Then(ListOf(moment, most=60, each="moment"), _without_repeats), _with_something)


SPARE = RecordOf(
    "spare list",
    RandomTable,
    Key("title", OneLine(60), "what stands over it"),
    Key("from", COLUMNS, "a list of the pack, such as `names`; or columns that make a line each", to="columns"),
    place="place",
)
SCREEN = RecordOf[dict[str, Any]](
    FILE,
    dict,
    Key("panels", Then(WholeNumber(FEWEST_PANELS, MOST_PANELS), _noted), "how many panels stand side by side", None),
    Key("moments", _moments(of_screen), "what the screen shows, in order"),
    Key("reference", _moments(of_card), "what the reference cards show; all rules with a card if absent", None),
    Key("pocket", _moments(of_screen), "what the pocket book shows; the same as the reference if absent", None),
    Key("numbers", _key_numbers(), "the numbers of the game, large at the head of the first panel", None),
    Key("lines", ListOf(SAID, most=MOST_LINES, each="line"), "what players read from afar, most needed first", ()),
    Key(
        "spare",
        ListOf(SPARE, most=MOST_SPARE, each="list"),
        "lists that fill what columns leave free, by turns; names if absent",
        None,
    ),
)


def read_screen(path: Path, library: Library, book: Book) -> Screen:
    """Return the screen that the file orders; InputError with every problem, unknown rules among them."""
    problems, shown = Problems(), library.shown(path)
    plain = chapters_as_moments(book)
    scope = Scope(problems, facts={"rules": book.rules, "elsewhere": book.elsewhere, "panels": plain.panels})
    found = SCREEN.read(parse(read_file(path, shown, inside=path.parent), shown), scope, FILE)
    problems.raise_if_any()
    reference = plain.reference if found["reference"] is None else found["reference"]
    pocket = reference if found["pocket"] is None else found["pocket"]
    panels, moments = found["panels"] or plain.panels, in_order(found["moments"])
    spare = plain.spare if found["spare"] is None else tuple(found["spare"])
    return Screen(panels, moments, reference, pocket, found["numbers"], tuple(found["lines"]), spare)


def in_order(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return moments in the order of play; those that do not say what part of it they are stay behind the last."""
    found, last = list[tuple[int, Moment]](), 0
    for each in moments:
        last = PLAY.index(each.at) if each.at else last
        found.append((last, each))
    return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))


def chapters_as_moments(book: Book) -> Screen:
    """Return the screen of a pack that orders none: chapter by chapter what its rules have for a screen or a card."""

    def moments(pick: Pick) -> tuple[Moment, ...]:
        found = []
        for chapter in book.chapters:
            rules = [rule for rule in chapter.rules if getattr(rule, pick(rule)) is not None]
            if rules:
                shown = tuple(RulePart(rule.id, pick(rule), rule.place) for rule in rules)
                found.append(Moment(chapter.title, shown, chapter.place))
        return tuple(found)

    reference = moments(of_card)
    names = RandomTable("Names", {"": "names"}, Place(FILE))
    return Screen(FEWEST_PANELS, moments(of_screen), reference, reference, spare=(names,))
