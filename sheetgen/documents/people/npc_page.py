"""The texts of an NPC page: half a page that tells a GM what somebody wants, how they talk, fight and what they can do.

Its parts are stacks of blocks (`pdf.form.columns`), so that nobody has an empty line for what they lack: `stack.lead`
has want, manner and story, `stack.voice` a line that they say, `stack.fight` the attacks, the likeliest first,
`stack.skills` what they can do, best first, `stack.ties` whom they know and what they have. What finds no room in its
stack is told of behind the page, the last things first to go: skills from the lowest, attacks from the least likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from sheetgen.documents.marks import boxed, counted_marks, numbered_marks
from sheetgen.documents.people.card import (
    GEAR,
    NOTHING,
    best_first,
    is_had,
    noted_of,
    rated_traits,
    special_traits,
    story_fields,
    told_texts,
    trade_of,
)
from sheetgen.documents.people.npc_odds import odds_of
from sheetgen.documents.people.sheet import VOICE, WANT, sheet_values, with_level
from sheetgen.model.character import Character
from sheetgen.model.people_pages import LEVEL, NUMBER, NpcPage, RatedRows, filled, slots_of
from sheetgen.model.system import FieldSpec, System
from sheetgen.model.wording import DOT, NO_BREAK, hundredths, percent, sentence, within_quotes

NPC, NPC_MORE = "npc.html", "npc/more.html"
ASIDE = "stack.aside"  # where they speak beside a portrait
LEAD, SPEECH, FIGHT, SKILLS, TIES = "stack.lead", "stack.voice", "stack.fight", "stack.skills", "stack.ties"
STORY, ACT, RULE = "hook", "act", "rule"
# What letters of the head take, in mm, as far as can be told without measuring.
PAGE_WIDTH, LONGEST_NAME = 186.0, 112.0
NAME_LETTER, TRADE_LETTER, SMALL_LETTER = 4.3, 1.95, 1.45
HEADS = ("npc.", "stack.", "part.", "page.")
MOST_ROWS, FEW_SKILLS, FEW_LINES, LETTERS_OF_A_LINE, A_FEW_LETTERS = 60, 7, 6, 20, 24
SHORT_SKILL, LETTERS_AT_MOST = 12, 24  # letters of a skill that shares its line, with its level, and of a full line
WIDTHS = {0: ".wide", 1: ".wide", 2: "", 3: ".three"}  # what the blocks of attacks of so many columns end in
WORDED = ".worded"  # behind these where the odds have a word in front of them
UNBRACKETED = str.maketrans("", "", "()")  # a crook (d6) is the weapon of who hits with a crook d6
MOST_SKILLS = 34  # what the skills may take, where a line takes three, and what parts two rows takes one
DOTTED = re.compile(r"\s·\s")  # within a line below the attacks, which has such dots around it
USUAL = NpcPage(
    RatedRows("In a fight", "{arms.#.name}", ("{arms.#.roll}", "{arms.#.injury}"), ("attack", "injury")),
    below=("{armour.1.name} {armour.1.says}",),
)
Block = Iterable[tuple[str, str]]  # what it is, under an empty name, and the text of each of its fields
_Row = tuple[str, list[str], tuple[tuple[str, Fraction], ...]]  # name, columns, and the chance against each opponent
_Skill = tuple[str, list[str], list[str]]  # level, chances, and the names of all who have them


def npc_page_values(
    system: System, character: Character, figures: Mapping[str, str], *, whole: bool = True
) -> dict[str, str]:
    """Return the text of every field of an NPC page that says something: those of a sheet, and the blocks of stacks.

    Many skills of one level stand two to a line, or else run in. A page that is not `whole`, as a stat block is, runs
    them in, and leaves out specialties that have no place of their own.
    """
    values = sheet_values(system, character, figures)
    page = system.npc_page or _usual(system)
    values["name"] = sentence(character.text("name"))
    values |= dict(_marks(system, character, page, values)) if boxed(system) else {}
    values["npc.trade"], values["about"], about = _head(system, character, values)
    for stack, blocks in (
        (LEAD, _lead(system, character, about)),
        _voice(character),
        (FIGHT, _fight(system, character, page, values, whole=whole)),
        (SKILLS, _skills(system, character, page, values, paired=whole)),
        (TIES, [*_ties(system, character, page, values)] or _owns(system, character)),
    ):
        for number, block in enumerate(blocks, 1):
            values.update((f"{stack}.{number}.{name}" if name else f"{stack}.{number}", text) for name, text in block)
    if values.get(f"{FIGHT}.1") == ACT and f"{SKILLS}.1" not in values:
        told = ((f"{FIGHT}.{at}", f"{kind}.across") for at, kind in ((1, ACT), (2, RULE)))
        values |= {name: wide for name, wide in told if values.get(name) in wide.split(".")}  # where skills would stand
    return {name: text for name, text in values.items() if text}


def _usual(system: System) -> NpcPage:
    """Return the page of a pack that declares none: the weapons, and the first group of which not all are told."""
    group = next((group for group in system.groups if group.default is not None), None)
    skills = RatedRows(group.title, group=group.name) if group is not None else None
    return replace(USUAL, skills=skills)


def _marks(system: System, character: Character, page: NpcPage, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what has boxes to mark with their number, and what stands beside them."""
    yield from numbered_marks("npc", counted_marks(system, character, values)).items()
    told = {**_defaults(system, character), **values}
    yield "npc.marked", "\n".join(said for line in page.marked if (said := filled(line, told)))


def _defaults(system: System, character: Character) -> dict[str, str]:
    """Return by field the levels that go unsaid of somebody who has others of their group."""
    groups = (group for group in system.groups if group.default is not None and character.numbers(group.name))
    return {
        f"{group.name}.{trait.name}": system.write(trait.name, trait.default)
        for group in groups
        for trait in group.members
        if trait.default is not None
    }


def _block(kind: str, /, **texts: str) -> Iterator[tuple[str, str]]:
    yield "", kind
    yield from texts.items()


def _head(system: System, character: Character, values: Mapping[str, str]) -> tuple[str, str, str]:
    """Return what stands behind the name, trade first, and what there is no room for in that line."""
    trade = with_level(system, character, trade_of(system, character))
    trade = "" if trade.casefold() in values["name"].casefold() else trade  # an applicant is called applicant 1
    about = values.get("about", "")
    room = PAGE_WIDTH - min(len(values["name"]) * NAME_LETTER, LONGEST_NAME) - len(trade) * TRADE_LETTER
    if room < 0:
        return "", "", ", ".join(filter(None, (trade, about)))
    return (trade, about, "") if len(about) * SMALL_LETTER < room else (trade, "", about)


def _lead(system: System, character: Character, about: str) -> Iterator[Block]:
    """Yield what they want, or else their story, large; then whatever else there is to tell of them.

    Right below the name stands what it leaves no room for in the head. Of whom nothing is written down there are lines
    to write it on; who is rolled without, as beasts are, has none.
    """
    if about:
        yield _block("about", text=about)
    told = [name for name in (WANT, *story_fields(system)) if character.text(name)]
    if not told and character.origin is None:
        yield _block("untold", none=NO_BREAK)
    great = next((name for name in told if name in (WANT, STORY)), "")
    if great:
        yield _block(f"great.{great}", text=sentence(character.text(great)))
    for spec in system.fields:
        if spec.name in told and spec.name != great:
            yield _block(f"tell.{spec.name}", title=spec.title, text=character.text(spec.name))


def _voice(character: Character) -> tuple[str, list[Block]]:
    """Return the stack of what they say, narrower beside a portrait, with a line of theirs."""
    stack, kind = (SPEECH, "voice") if character.picture is None else (ASIDE, "voice.aside")
    said = character.text(VOICE)
    return stack, [_block(kind, text=f"{within_quotes(said)}”")] if said else []


def _fight(
    system: System, character: Character, page: NpcPage, values: Mapping[str, str], *, whole: bool
) -> Iterator[Block]:
    """Yield the attacks, the likeliest with its chances against each opponent, and what stands below them.

    Of whom no attack is told, what they have learnt stands there, such as moves, with what it does.
    """
    attacks = list(_attacks(system, character, page.attacks, values, whole=whole)) if page.attacks is not None else []
    yield from attacks or _learnt(system, character)
    apart = whole and bool(page.besides.shows)
    below = () if whole and page.marked else page.below
    lines = _told(below if apart else (*below, *page.besides.shows), values)
    others = _told(page.besides.shows, values) if apart else []
    if whole or system.npc_page is None:
        left = list(_levels_left(system, character, page, values))
        lines, others = (lines, _with_levels(others, left)) if apart else (_with_levels(lines, left), others)
    if lines:
        said = (
            sentence("; ".join(map(_on_one_line, lines)))
            if whole
            else DOT.join(map(_on_one_line, map(sentence, lines)))
        )
        yield _block("below", text=said)
    if others:
        yield _block("besides", title=page.besides.title.upper(), text=sentence("; ".join(map(_on_one_line, others))))


def _told(lines: Iterable[str], values: Mapping[str, str]) -> list[str]:
    """Return those of the lines that say something."""
    return [DOTTED.sub(", ", said) for line in lines if (said := _filled_line(line, values))]


def _with_levels(lines: list[str], levels: Iterable[str]) -> list[str]:
    """Return lines with further levels: where a line tells one already, its specialty, and the others behind them."""
    for level in levels:
        told = [_with_specialty(line, level) for line in lines]
        lines = told if told != lines else [*lines, level]
    return lines


def _with_specialty(line: str, level: str) -> str:
    """Return a line that tells a level with its specialty where it told it without."""
    bare = r"\s".join(map(re.escape, level.partition(" (")[0].split()))
    return re.sub(rf"\b{bare}\b", lambda _: level, line)


def _levels_left(system: System, character: Character, page: NpcPage, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the levels that neither boxes nor skills show; of a pack that says what its page has, specialties alone."""
    shown = {group.name for group in boxed(system)} | ({page.skills.group} if page.skills is not None else set())
    for group in system.groups:
        if system.npc_page is not None:
            yield from special_traits(system, group, character, values) if group.default is None else ()
        elif group.name not in shown:
            yield from rated_traits(system, group, character, values)


def _attacks(
    system: System, character: Character, rows: RatedRows, values: Mapping[str, str], *, whole: bool
) -> Iterator[Block]:
    found = list(_rows(system, character, rows, values))
    order = sorted(range(len(found)), key=lambda at: -_likely(found[at]))
    many = _columns_of(rows, found, whole=whole)
    wide, first = WIDTHS[many], 2 if many < 2 else 1
    for place, at in enumerate(order[: (rows.most if whole else 0) or None]):
        name, shown, chances = found[at]
        name = sentence(name) if whole else name
        note = "" if many > 2 else _filled_line(rows.note.replace(NUMBER, str(at + 1)), values)
        columns = {f"shown.{number}": text for number, text in enumerate(shown[:many], first) if text not in NOTHING}
        if place == 0 and len(rows.shows) == 1 and not (chances or NUMBER in rows.name):
            marks = [] if boxed(system) else counted_marks(system, character, values)
            yield _act(rows, marks, sentence(name), columns)
            if whole and note:
                yield _block(RULE, text=sentence(note))
        elif place == 0:
            filled_in = map(any, zip(*(shown for _, shown, _ in found), strict=True))
            titled = enumerate(zip(rows.heads[:many], filled_in, strict=False), first)
            heads = {f"head.{number}": text for number, (text, says) in titled if says}
            odds = _odds(chances)
            kind = f"best{wide}{WORDED if 'word' in odds else ''}" if odds else f"first{wide}"
            yield _block(kind, title=rows.title, name=name, note=sentence(note), **columns, **heads, **odds)
        else:
            told = {"name": f"{name} ({note})" if note else name} if whole else {"name": name, "note": sentence(note)}
            yield _block(f"attack{wide}", **told, **columns)


def _columns_of(rows: RatedRows, found: Iterable[_Row], *, whole: bool) -> int:
    """Return how many columns attacks have; the third stands on half a page, if anybody’s says anything there."""
    third = whole and any(text not in NOTHING for _, shown, _ in found for text in shown[2:] if text)
    return min(len(rows.shows), 3 if third else 2)


def _act(rows: RatedRows, marks: Iterable[tuple[str, int]], name: str, columns: Mapping[str, str]) -> Block:
    """Return what somebody does in place of attacks, with the boxes to mark until then."""
    title, count = next(((title, str(count)) for title, count in marks), (DOT.join(columns.values()), ""))
    return _block(ACT, title=rows.title, name=name, of=title.strip("()").upper(), marks=count, **columns)


def _learnt(system: System, character: Character) -> Iterator[Block]:
    """Yield under the title of its group each trait that somebody has or has not, with its hint."""
    for group in system.groups:
        levels = character.numbers(group.name)
        had = [trait for trait in group.members if trait.hint and levels.get(trait.name) and is_had(system, trait.name)]
        for number, trait in enumerate(had):
            if number:
                yield _block("learnt", name=trait.name, note=trait.hint)
            else:
                yield _block("first.wide", title=group.title, name=trait.name, note=trait.hint)


def _likely(row: _Row) -> Fraction:
    """Return the chance against the first opponent; those without any come last."""
    return row[2][0][1] if row[2] else Fraction(-1)


def _filled_line(line: str, values: Mapping[str, str]) -> str:
    """Return a line with its fields filled in; nothing where one is a dash or says nothing, or all figures are 0."""
    said = {name: values.get(name, "") for name in slots_of(line)}
    figures = {text for name, text in said.items() if name.startswith("figure.")}
    return "" if figures == {"0"} or any(text in NOTHING for text in said.values()) else filled(line, values)


def _on_one_line(text: str) -> str:
    """Return a few words that stay on one line."""
    return text.replace(" ", NO_BREAK) if len(text) <= A_FEW_LETTERS else text


def _odds(chances: Sequence[tuple[str, Fraction]]) -> dict[str, str]:
    """Return the chances and what each is against; also a word that is meant for all, and what is left of the first.

    That is `defence` and `0` of `defence 0`, 1 and 2.
    """
    texts = dict[str, str]()
    for number, (say, chance) in enumerate(chances, 1):
        texts |= {
            f"against.{number}": say,
            f"chance.{number}": percent(chance),
            f"bar.{number}": str(hundredths(chance)),
        }
    first, *others = (say for say, _ in chances) if chances else ("",)
    word, _, bare = first.rpartition(" ")
    is_for_all = word and others and not any(" " in say for say in (word, *others))
    return texts | ({"word": word, "bare": bare} if is_for_all else {})


def _skills(
    system: System, character: Character, page: NpcPage, values: Mapping[str, str], *, paired: bool
) -> Iterator[Block]:
    found = list(_rows(system, character, page.skills, values)) if page.skills is not None else []
    if page.skills is None or not found:
        return
    heads = next(([say for say, _ in chances[:2]] for _, _, chances in found if chances), [])
    two = ".two" if len(heads) > 1 else ""
    yield _block(f"skills{two}", title=page.skills.title, **dict(zip(("say", "say.2"), heads, strict=False)))
    rows = []
    for name, shown, chances in sorted(found, key=lambda row: -_likely(row)):
        rows.append((DOT.join(shown), [percent(chance) for _, chance in chances[:2]], [sentence(name)]))
    lines = rows if _lines(rows) <= FEW_SKILLS else _paired(rows)
    fits = paired and 3 * _lines(lines) + len(lines) <= MOST_SKILLS
    for level, likely, names in lines if fits else _together(rows):
        told = dict(zip(("chance", "chance.2"), likely, strict=False))
        yield _block(f"skill{two}", level=level, name=", ".join(names), **told)


def _paired(rows: Sequence[_Skill]) -> list[_Skill]:
    """Return rows of skills, short names of a level two to a line, with the chance that both have."""
    found: list[_Skill] = []
    for (level, chance), alike in groupby(rows, key=lambda row: row[:2]):
        names = [name for _, _, told in alike for name in told]
        room = SHORT_SKILL - len(level)
        long = [name for name in names if len(name) > room]
        short = [name for name in names if len(name) <= room]
        alone = len(short) % 2
        found += [(level, chance, [name]) for name in long + short[:alone]]
        found += [(level, chance, short[at : at + 2]) for at in range(alone, len(short), 2)]
    return found


def _lines(rows: Iterable[_Skill]) -> int:
    """Return about how many lines rows of skills take."""
    return sum(1 if len(row[2]) > 1 else 1 + (_length(row) - 1) // LETTERS_AT_MOST for row in rows)


def _length(row: _Skill) -> int:
    return len(", ".join(row[2]))


def _together(rows: list[_Skill]) -> list[_Skill]:
    """Return rows of skills, those of the lowest level together until there are no more than a few lines."""
    while sum(1 + _length(row) // LETTERS_OF_A_LINE for row in rows) > FEW_LINES:
        at = next((at for at in range(len(rows) - 1, 0, -1) if rows[at][:2] == rows[at - 1][:2]), 0)
        if not at:
            break
        level, chance, names = rows[at - 1]
        rows[at - 1 : at + 1] = [(level, chance, [*names, *rows[at][2]])]
    return rows


def _rows(system: System, character: Character, rows: RatedRows, values: Mapping[str, str]) -> Iterator[_Row]:
    """Yield name, columns and chances of each row."""
    odds = odds_of(system)
    for number, (name, told) in enumerate(_named_rows(system, character, rows, values), 1):
        shown = [filled(line.replace(NUMBER, str(number)), told) for line in rows.shows or (f"{{{LEVEL}}}",)]
        chances = tuple(chance for chance in rows.chances if chance.is_of(name))
        yield name, shown, odds.against(chances, number, told)


def _named_rows(
    system: System, character: Character, rows: RatedRows, values: Mapping[str, str]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the name of each row with the values that it shows: traits somebody has, best first, or numbered rows.

    A name without a number is one row.
    """
    if not rows.group:
        for number in range(1, MOST_ROWS if NUMBER in rows.name else 2):
            name = filled(rows.name.replace(NUMBER, str(number)), values)
            if not name:
                return
            yield name, values
        return
    levels = character.numbers(rows.group)
    for name in best_first(system, system.group(rows.group), character):
        note = noted_of(system, character, name)
        yield f"{name} ({note})" if note else name, {**values, LEVEL: system.write(name, levels[name])}


def _ties(system: System, character: Character, page: NpcPage, values: Mapping[str, str]) -> Iterator[Block]:
    """Yield whom they know, what they have, and the further paragraphs of the pack."""
    for spec in system.fields:
        if spec.kind == "ratings" and spec.within:
            yield from _people_block(spec, character, values)
    lists = [spec for spec in system.fields if spec.kind == "list"]
    for spec in [spec for spec in lists if spec.name == GEAR and system.npc_page is not None] or lists:
        things = DOT.join(_things(system, page, spec, character, values))
        if things:
            yield _block("told", title=spec.title, text=things)
    for line in page.also:
        if said := filled(line.shows, values):
            yield _block("told", title=line.title, text=sentence(said.replace(f".{DOT}", ". ")))  # no dot after a stop
    for name in told_texts(system) if system.npc_page is None else ():
        if said := character.text(name):
            yield _block("told", title=next(spec.title for spec in system.fields if spec.name == name), text=said)


def _owns(system: System, character: Character) -> Iterator[Block]:
    """Yield the title of what people own, for whoever is not rolled: the lines below are to write it on."""
    spec = system.spec(GEAR) or next((spec for spec in system.fields if spec.kind == "list"), None)
    if spec is not None and character.origin is None:
        yield _block("told", title=spec.title)


def _people_block(spec: FieldSpec, character: Character, values: Mapping[str, str]) -> Iterator[Block]:
    for number, who in enumerate(character.numbers(spec.name), 1):
        level = values.get(f"{spec.name}.{number}.level", "")
        if number == 1:
            yield _block("known", title=spec.title, text=who, level=level)
        else:
            yield _block("who", text=who, level=level)


def _things(
    system: System, page: NpcPage, spec: FieldSpec, character: Character, values: Mapping[str, str]
) -> Iterator[str]:
    """Yield the belongings that are not among the attacks; those with more to note come with it."""
    rows = {
        text.partition(" (")[0].casefold()
        for name, text in values.items()
        if name.startswith((f"{FIGHT}.", *(f"{each}." for each in system.rows))) and name.endswith(".name")
    }
    rows |= {filled(page.attacks.name, values).casefold()} if page.attacks is not None else set()
    for number, line in enumerate(character.lines(spec.name), 1):
        if line.casefold() not in rows and line.casefold().translate(UNBRACKETED) not in rows:
            yield values.get(f"{spec.name}.{number}", line)
