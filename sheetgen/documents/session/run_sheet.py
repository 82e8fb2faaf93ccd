"""Run sheets: what a GM runs a scene from, as blocks of plain data that are placed on pages later.

A block has an `id`, a `kind`, which its part of the template is called after, and a place where it would rather stand:
`left` beside the text, `right` in the narrow column, `people`, or `below` in three columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from sheetgen.dice.notation import Notation, parse_notation
from sheetgen.dice.source import Seeded, shuffled
from sheetgen.documents.book.rolled_tables import random_table
from sheetgen.documents.markdown import plain_html
from sheetgen.documents.people.npc_odds import odds_of
from sheetgen.documents.people.npc_page import FIGHT
from sheetgen.documents.people.roster import roster_of
from sheetgen.errors import InputError, Problem, UsageError
from sheetgen.model.book import RandomTable
from sheetgen.model.character import Character
from sheetgen.model.people_pages import RosterColumn, boxes_of, filled
from sheetgen.model.session import Attempt, DiceAhead, SceneTable, Session, SessionScene
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, percent, sentence
from sheetgen.rules.procedures.parameters import Wrong

RADIUS, NUMBER_AT, NUMBER_PT = 46.0, 0.74, 15.0  # pt; where numbers stand, as a share of the radius
BlockData = dict[str, Any]  # what a block is told, and is asked for again
Block = tuple[str, str, BlockData]  # its kind, where it stands, and its data
LEFT, RIGHT, PEOPLE, BELOW = "left", "right", "people", "below"
FIGURE = "{figure."
LONGEST_ASIDE = 105  # letters beside the head of the people
SHORT = 5  # letters of what stands in a narrow column of numbers
NAME_LEAST, ATTACK, LEVEL, TICK, SLOT = 54.0, 52.0, 11.9, 5.2, 7.2  # mm
NUMBER_LEAST, HEAD_LETTER, NAME_ENOUGH = 9.0, 1.45, 62.0  # mm; of a letter in the head of a column
WIDTH = 186.0
MOST_IN_A_ROW = 6  # ticks
DICE_SIDES = (4, 6, 8, 10, 12, 20, 100)


def clock_figure(segments: int, beats: Collection[int]) -> str:
    """Return the SVG of a clock with so many segments, 100 points wide, that starts at the top."""
    spokes, numbers = [], []
    for at in range(segments):
        turn = 2 * pi * at / segments - pi / 2
        spokes.append(f"M50 50L{50 + RADIUS * cos(turn):.2f} {50 + RADIUS * sin(turn):.2f}")
        if at + 1 in beats:
            middle, far = turn + pi / segments, RADIUS * NUMBER_AT
            x, y = 50 + far * cos(middle), 50 + far * sin(middle) + NUMBER_PT * 0.34
            numbers.append(f'<text x="{x:.2f}" y="{y:.2f}">{at + 1}</text>')
    style = f'font-family="Source Serif Pro" font-weight="700" font-size="{NUMBER_PT:g}" text-anchor="middle"'
    return (
        f'<svg viewBox="0 0 100 100" role="img" aria-label="A clock of {segments} segments">'
        f'<path d="{"".join(spokes)}" fill="none" stroke="#777" stroke-width="0.9"/>'
        f'<circle cx="50" cy="50" r="{RADIUS:g}" fill="none" stroke="#000" stroke-width="2.4"/>'
        f"<g {style}>{''.join(numbers)}</g></svg>"
    )


@dataclass(frozen=True, slots=True)
class Attending:
    """Somebody in a scene: the character, the texts of its NPC page, what they want, a note, and their own page."""

    character: Character
    values: Mapping[str, str]
    wants: str = ""
    note: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A handout of a scene: what it is called, what it is, when it is given, and its page."""

    title: str
    style: str
    when: str = ""
    page: int = 0


def scene_blocks(
    system: System,
    session: Session,
    number: int,
    *,
    people: Sequence[Attending],
    handouts: Sequence[HandedOver],
    drawn_map: str,
    fights: Sequence[BlockData] = (),
) -> list[BlockData]:
    """Return the blocks of a scene, whose number is from 1; InputError for odds and tables that the game refuses."""
    scene = session.scenes[number - 1]
    found = [*_scene_blocks(scene, drawn_map), *(_people_rows(system, people) if people else ())]
    found += [("fight", BELOW, each) for each in fights]
    found += _used(system, scene, f"{session.seed}\0{number}")
    if handouts:
        found.append(("handouts", BELOW, {"rows": [_handed(each) for each in handouts]}))
    if scene.boxes:
        found.append(("boxes", BELOW, {"rows": [plain_html(each, inline=True) for each in scene.boxes]}))
    return [
        {"id": f"s{number}-{at}", "kind": kind, "where": where, **data} for at, (kind, where, data) in enumerate(found)
    ]


def _scene_blocks(scene: SessionScene, drawn_map: str) -> Iterator[Block]:
    """Yield what is read out, what only the GM knows, the map, and beside them what is at stake."""
    if scene.read:
        yield "read", LEFT, {"html": plain_html(scene.read)}
    if scene.notes:
        yield "notes", LEFT, {"html": plain_html(scene.notes)}
    if drawn_map and scene.map is not None:
        yield "map", LEFT, {"title": scene.map.title or "The place", "note": scene.map.note, "html": drawn_map}
    if scene.stakes:
        yield "stakes", RIGHT, {"rows": [_stake(each) for each in scene.stakes]}
    for each in scene.clocks:
        yield "clock", RIGHT, _clock(each)


def _used(system: System, scene: SessionScene, key: str) -> list[Block]:
    """Return odds, tables and dice; InputError with every one that the game refuses."""
    found, problems = list[Block](), list[Problem]()
    makes = [(each, f"{key}\0{at}") for at, each in enumerate(scene.tables)]
    try:
        found += [("odds", BELOW, _odds(system, scene.attempts))] if scene.attempts else []
    except InputError as error:
        problems += error.problems
    for table, its_key in makes:
        try:
            found.append(("table", BELOW, _table(system, table, its_key)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found + ([("dice", BELOW, dice_ahead(scene.dice, key))] if scene.dice is not None else [])


def _stake(said: str) -> BlockData:
    """Return an ending, what comes before the colon in bold."""
    head, colon, rest = said.partition(": ")
    return {"head": f"{head}:" if colon else "", "html": plain_html(rest if colon else said, inline=True)}


def _clock(clock: Any) -> BlockData:
    return {
        "title": clock.title,
        "ticks": clock.ticks,
        "note": clock.note,
        "segments": clock.segments,
        "svg": clock_figure(clock.segments, clock.beats),
        "beats": [{"at": at, "html": plain_html(said, inline=True)} for at, said in sorted(clock.beats.items())],
    }


def _handed(each: HandedOver) -> BlockData:
    return {"title": each.title, "style": each.style, "when": each.when, "page": each.page}


def _refused(error: UsageError, at: str) -> str:
    """What is wrong with an attempt: the parameter that says how hard it is goes by its name in the session, `at`."""
    wrong = error.__cause__
    if isinstance(wrong, Wrong) and wrong.path == at:
        wrong = Wrong("at", wrong.takes, wrong.given, wrong.near, wrong.others)
    return str(wrong or error)


def _odds(system: System, attempts: Iterable[Attempt]) -> BlockData:
    """Return rows of attempts with a chance for each case; those of other cases begin rows under heads of their own."""
    tries, groups, problems = system.tries, list[BlockData](), list[Problem]()
    for each in attempts:
        assert each.chance is not None
        try:
            chances = odds_of(system).against((each.chance,), 1, {})
        except UsageError as error:
            problems.append(Problem(each.place, _refused(error, tries.at if tries is not None else "")))
            continue
        if not chances:
            told = "these odds take too long to work out (ask for fewer, or for others)"
            problems.append(Problem(each.place, told))
            continue
        heads = [say for say, _ in chances]
        by = tries.by if tries is not None and each.chance.procedure == tries.chance.procedure else ""
        if not groups or groups[-1]["heads"] != heads:
            groups.append({"heads": heads, "by": by, "rows": []})
        said = {"at": each.at, "long": len(each.at) > 2, "say": each.say, "skill": each.skill}
        groups[-1]["rows"].append({**said, "chances": [percent(chance).removesuffix("%") for _, chance in chances]})
    if problems:
        raise InputError(problems)
    return {"groups": groups}


def _table(system: System, table: SceneTable, key: str) -> BlockData:
    """Return a table with its results, and which of its rows were rolled, in order."""
    if table.of:
        drawn = RandomTable(table.title, {"": table.of}, table.place, table.dice or "d6", seed=_number(key))  # type: ignore[arg-type]
        try:
            made: Any = random_table(system, drawn)
        except (ValueError, KeyError) as error:
            raise InputError([Problem(table.place, str(error))]) from None
        lines = [(row["result"], row["cells"][0]) for stack in made["stacks"] for group in stack for row in group]
    else:
        results = parse_notation(table.dice).values if table.dice else range(1, len(table.rows) + 1)
        lines = [(str(at), said) for at, said in zip(results, table.rows, strict=True)]
    ahead = _rolled_rows(table, len(lines), key)
    rows = [
        {"result": result, "html": plain_html(said, inline=True), "rolled": ahead.index(at) + 1 if at in ahead else 0}
        for at, (result, said) in enumerate(lines)
    ]
    dice = table.dice or (f"d{len(lines)}" if len(lines) in DICE_SIDES else "")
    return {"title": table.title, "dice": dice, "rows": rows, "several": len(ahead) > 1}


def _number(key: str) -> int:
    return Seeded(key.encode()).choose(2**31, "table")


def _rolled_rows(table: SceneTable, count: int, key: str) -> list[int]:
    """Return the rows that come up, from 0 and none twice, by the weight of their dice."""
    if not table.dice or table.of:
        return list(shuffled(count, key.encode()))[: table.ahead]
    dice, source, found = parse_notation(table.dice), Seeded(key.encode()), list[int]()
    while len(found) < min(table.ahead, count):
        at = dice.values.index(_total(dice, source))
        if at not in found:
            found.append(at)
    return found


def _total(dice: Notation, source: Seeded) -> int:
    return dice.total(source.roll(dice.count, dice.sides, "ahead"))


def dice_ahead(dice: DiceAhead, key: str) -> BlockData:
    """Return rolls to strike out, the lowest and the highest results told apart."""
    notation, source = parse_notation(dice.dice), Seeded(f"dice\0{key}".encode())
    totals = [_total(notation, source) for _ in range(dice.count)]
    ends = (notation.values[0], notation.values[-1])
    rolls = [{"total": str(each), "end": each in ends} for each in totals]
    return {"title": dice.title, "dice": str(notation), "rolls": rolls}


def _people_rows(system: System, people: Sequence[Attending]) -> Iterator[Block]:
    """Yield the head over the people, then a row for each."""
    columns, soft = _columns(system, people)
    width = sum(column["width"] for column in columns)
    attack = any(each.values.get(f"{FIGHT}.1") for each in people)
    attack = attack and width + NAME_LEAST + ATTACK <= WIDTH + 2
    fights = [_attack(each) if attack else None for each in people]
    cases = {tuple(each["against"]) for each in fights if each and each["against"]}
    shared = list(cases.pop()) if len(cases) == 1 else []
    name = max(WIDTH - width - (ATTACK if attack else 0), NAME_LEAST)
    spare = max(0.0, name - NAME_ENOUGH) / 2 if attack else 0.0
    shown = [{name: data for name, data in column.items() if name != "source"} for column in columns]
    layout = {"name": round(name - spare, 1), "attack": round(ATTACK + spare, 1) if attack else 0, "columns": shown}
    reminder = sentence(roster_of(system).reminder)
    short = reminder if len(reminder) <= LONGEST_ASIDE else ""
    heads = next((each["heads"] for each in fights if each), "")
    yield "people", PEOPLE, {"layout": layout, "against": shared, "heads": heads, "reminder": short}
    for each, fight in zip(people, fights, strict=True):
        cells = [_cell(column, each) for column in columns]
        trade = each.values.get("npc.trade", "") or each.character.text("occupation")
        said = [text for column, name in soft if (text := _in_words(column, name, each)) and text not in trade]
        yield (
            "person",
            PEOPLE,
            {
                "layout": layout,
                "name": sentence(each.character.text("name")),
                "trade": trade,
                "wants": sentence(each.wants or each.character.text("want")),
                "note": each.note,
                "page": each.page,
                "attack": {**fight, "shared": fight["against"] == shared} if fight else None,
                "below": _below(fight, said),
                "cells": cells,
            },
        )
    if reminder != short:
        yield "reminder", PEOPLE, {"text": reminder}


def _attack(person: Attending) -> BlockData | None:
    """Return the likeliest attack of somebody, with its chance against each opponent."""
    values, first = person.values, f"{FIGHT}.1"
    if not values.get(f"{first}.name"):
        return None
    numbers = range(1, 5)
    against = [text for at in numbers if (text := values.get(f"{first}.against.{at}", ""))]
    return {
        "name": values[f"{first}.name"],
        "heads": ", ".join(text for at in (1, 2) if (text := values.get(f"{first}.head.{at}", ""))),
        "shown": [text for at in (1, 2) if (text := values.get(f"{first}.shown.{at}", ""))],
        "against": against,
        "chances": [text for at in numbers if (text := values.get(f"{first}.chance.{at}", ""))],
        "other": _other_attack(values),
    }


def _other_attack(values: Mapping[str, str]) -> str:
    """Return the second likeliest attack, without what stands in brackets: the page of its own has all of them."""
    if not values.get(f"{FIGHT}.2", "").startswith("attack"):
        return ""
    name = values.get(f"{FIGHT}.2.name", "").partition(" (")[0]
    shown = values.get(f"{FIGHT}.2.shown.1", "") or values.get(f"{FIGHT}.2.shown.2", "")
    return f"{name} {shown}".strip()


def _below(fight: BlockData | None, said: Sequence[str]) -> str:
    """Return what stands below the attack of somebody."""
    return DOT.join(text for text in (fight["other"] if fight else "", *said) if text)


def _columns(system: System, people: Sequence[Attending]) -> tuple[list[BlockData], list[tuple[RosterColumn, str]]]:
    """Return the columns of a roster that are used up or looked up in a fight, and those told in words.

    Beside these stands the name that follows a figure that is one of many; none for what is told otherwise.
    """
    columns, soft = list[BlockData](), list[tuple[RosterColumn, str]]()
    for column in roster_of(system).common:
        if column.ticks:
            most = max((boxes_of(column.ticks, each.values) for each in people), default=0)
            width = min(most, MOST_IN_A_ROW) * TICK + 3
            columns.append({"kind": "ticks", "width": max(width, _head_width(column)), "column": column})
        elif column.slots:
            columns.append({"kind": "slots", "width": column.slots * SLOT + 2, "column": column, "slots": column.slots})
        elif column.pencil:
            columns.append({"kind": "level", "width": LEVEL, "column": column})
        elif column.shows and column.row is None and not column.best:
            texts = [_soft(column, each) for each in people]
            is_number = len(column.shows) == 1 and all(len(text) <= SHORT for text in texts) and any(texts)
            if is_number and not column.hint:  # what has a short head beside a long one is one of many
                columns.append({"kind": "number", "width": _head_width(column), "column": column})
            elif any(texts):
                soft.append((column, column.hint))
    if sum(each["width"] for each in columns) + NAME_LEAST > WIDTH:  # too many figures for columns are told in words
        many = [each for each in columns if each["kind"] == "number" and not each["column"].key]
        columns = [each for each in columns if each not in many]
        soft = [(each["column"], each["column"].title) for each in many] + soft
    for each in columns:
        column = each.pop("column")
        each |= {"title": column.title, "initial": each["kind"] == "level", "source": column}
    return columns, soft


def _head_width(column: RosterColumn) -> float:
    longest = max(map(len, column.title.split()), default=0)
    return max(NUMBER_LEAST, round(longest * HEAD_LETTER + 1.6, 1))


def _soft(column: RosterColumn, person: Attending) -> str:
    return ", ".join(text.replace("\n", ", ") for line in column.shows if (text := filled(line, person.values)))


def _in_words(column: RosterColumn, name: str, person: Attending) -> str:
    """Return what a column says in a line of text: under its title if it is one thing, what is not zero if several.

    A figure that is one of many is told with its `name` behind it, unless it is zero.
    """
    parts = [text.replace("\n", ", ") for line in column.shows if (text := filled(line, person.values))]
    if name:
        return "".join(f"{part} {name}" for part in parts if part != "0")
    if len(column.shows) == 1:
        return f"{column.title} {parts[0]}" if parts and column.shows[0].startswith(FIGURE) else "".join(parts)
    return ", ".join(part for part in parts if not part.startswith("0 "))


def _cell(column: BlockData, person: Attending) -> BlockData:
    source: RosterColumn = column["source"]
    if column["kind"] == "ticks":
        return {"kind": "ticks", "count": boxes_of(source.ticks, person.values)}
    if column["kind"] == "slots":
        return {"kind": "slots", "count": source.slots}
    return {"kind": column["kind"], "text": _soft(source, person)}
