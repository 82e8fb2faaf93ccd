"""The texts of a character card, a token, a standee and a tent card: what is notable, best first.

A pack needs no template of its own for a card: groups whose levels go unsaid when they are at their default are told as
one text, small groups without a default stand in boxes, and `card.rest` holds all that a card has no box for. On tokens
a pack that declares neither numbers nor boxes shows what it has said already: the keys of its roster and the boxes to
tick there, or else the first traits that its cards have in boxes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from sheetgen.documents.marks import (
    boxed,
    boxes_in_a_row,
    counted_marks,
    less_marked,
    most_marked,
    numbered_marks,
    token_of,
)
from sheetgen.documents.people.roster_columns import WANTS
from sheetgen.documents.people.sheet import ABOUT, BESIDE_NOTES, WANT, sheet_values, with_level
from sheetgen.model.character import PICTURE, Character
from sheetgen.model.people_pages import boxes_of, filled, slots_of
from sheetgen.model.system import FieldSpec, System, TraitGroup
from sheetgen.model.wording import DOT, NO_BREAK, sentence, within_quotes

CARD, CARD_MORE, CARD_BACK = "card.html", "card/more.html", "card/back.html"
PUBLIC = ("name", "card.trade", "about", PICTURE)
INDEX = "index.html"
NOTES, ENDS = "notes", (".", "!", "?", "…")
GEAR = "gear"  # what people own, where a game has other lists, too
NOTHING = frozenset(("—", "–", "-"))
ONE_LINE = 36  # letters that a line of a card holds
FEW_ROWS, MANY_ROWS = 2, 3  # of weapons, on a card and on an index card
HEADS = ("top.", "card.")
SEVERAL = 3  # traits of one level say it once
_LEVEL = re.compile(f"{NO_BREAK}([0-9A-Z]+)($| \\()")  # behind a trait, before its specialty
_PARTS = re.compile("\n|·")  # what parts the attacks of a fight that is told as one text
TOKEN, TOKEN_BACK = "token.html", "token/back.html"
HEAD = "token."
LONGEST_ROW = 6


def card_values(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """Return the text of every field of a card that says something: those of a sheet, and what sums them up.

    `top.GROUP` is the rated traits of a group, best first; `top.gear` the belongings, less what stands among the
    weapons.
    `card.skills` is the skills that the fight does not tell, `card.can` what the character is good at, `card.has`
    people and belongings, which `card.people` and `card.owned` are apart, `card.story` manner, hook and notes,
    `card.want` and `card.voice` what they want and say, `card.rest` all that the boxes of a card without a template
    lack, `card.facts` that without belongings, story and what has boxes to mark, `card.marks.1` and `.2`,
    `card.told` those under the heading of a fight, and `card.rows` the weapons that are worth a row.
    """
    values = sheet_values(system, character, figures)
    for group in system.groups:
        values[f"top.{group.name}"] = sentence(", ".join(rated_traits(system, group, character, values)))
    for spec in system.fields:
        if spec.kind == "list":
            things = _things(system, spec.name, character, values, FEW_ROWS)
            values[f"top.{spec.name}"] = sentence(DOT.join(things))
        elif spec.kind == "ratings":
            rated = (f"{who}{NO_BREAK}{level}" for who, level in _shares(spec.name, values))
            values[f"top.{spec.name}"] = "; ".join(rated)
    values.update(_told_by_rows(values))
    values |= dict(_armed(system, character, values))
    if values.get("about") == character.text("pronouns") != "":
        values["about"] = f"({values['about']})"  # a bare pronoun would be a word that has lost its sentence
    values["card.trade"] = sentence(with_level(system, character, trade_of(system, character)))
    values["card.skills"] = sentence(", ".join(_beyond_the_fight(system, values)))
    values["card.can"] = sentence(DOT.join(_can(system, character, values)))
    people, belongings = list(_people(system, values)), list(_owned(system, character, values))
    values["card.has"] = "\n".join((*people, *belongings))
    values["card.people"] = "\n".join(each.partition(": ")[2] for each in people)
    values["card.owned"] = "\n".join(belongings)
    values["card.story"] = "\n".join(_story(system, character))
    values.update(_wants(system, character))
    values["card.about"] = sentence("; ".join(filter(None, (values.get(name) for name in told_texts(system)))))
    facts, deed = list(_other_paragraphs(system, values)), deed_of(system)
    values["card.rest"] = "\n".join(filter(None, (*facts, values["card.story"])))
    gear = system.spec(GEAR)
    owned = f"{gear.title}: {values.get(f'top.{GEAR}')}" if gear is not None else ""
    marks = counted_marks(system, character, values)
    values |= numbered_marks("card", marks)
    told = (owned, *(f"{title}{NO_BREAK}{count}" for title, count in marks))
    left = [each for each in (less_marked(system, fact, values) for fact in facts) if each and each not in told]
    values["card.facts"] = _joined(left)
    act = f"{deed.title}: {values.get(deed.name, '')}" if deed is not None else ""
    first = [sentence(each.removeprefix(f"{deed.title}: ")) for each in left if deed is not None and each == act]
    values["card.told"] = _joined([*first, *(each for each in left if each != act)])
    return {name: text for name, text in values.items() if text}


def _joined(facts: Sequence[str]) -> str:
    """Return facts as one line, if that is short, or else a line each."""
    return (DOT if len(DOT.join(facts)) <= ONE_LINE and "\n" not in "".join(facts) else "\n").join(facts)


def deed_of(system: System) -> FieldSpec | None:
    """Return the text that says how somebody fights or what they do, where half a page has that as its attack."""
    attacks = system.npc_page.attacks if system.npc_page is not None else None
    return system.spec(attacks.name.strip("{}")) if attacks is not None and attacks.name[:1] == "{" else None


def back_values(values: Mapping[str, str]) -> dict[str, str]:
    """Return what of the values of a card its back tells, which faces the players: nothing to be found out in play."""
    seen = {"card.look": values.get("look") or sentence(values.get("manner", ""))}
    return {**{name: values[name] for name in PUBLIC if name in values}, **seen}


def _wants(system: System, character: Character) -> Iterator[tuple[str, str]]:
    for spec in system.fields:
        if spec.name in BESIDE_NOTES and (said := character.text(spec.name)):
            title = spec.title.removesuffix(" from you")  # on a card that goes without saying
            yield f"card.{spec.name}", f"{title}: {said}" if spec.name == WANT else f"“{within_quotes(said)}”"


def boxes(system: System) -> dict[str, object]:
    """Return the boxes of a card for templates: what each is called, its field, whether it holds words.

    Those `beside` are to tick, with the words of the sheet; `heading` stands over how somebody fights or what they do.
    `longest` is the number of letters of the longest name, `marks` how many rows of boxes to mark somebody has at most.
    """
    found: list[dict[str, object]] = [
        {
            "name": trait.brief,
            "field": f"{group.name}.{trait.name}",
            "words": group.scale.kind == "words",
            "beside": system.sheet_layout.beside(group.name) if system.sheet_layout is not None else (),
        }
        for group in boxed(system)
        for trait in group.members
    ]
    longest = max((len(str(each["name"])) for each in found), default=0)
    attacks = system.npc_page.attacks if system.npc_page is not None and deed_of(system) is not None else None
    heading = attacks.title if attacks is not None else "What they do"
    return {"all": found, "marks": most_marked(system), "longest": longest, "heading": heading}


def _told_by_rows(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the skills as one text where the figures tell them row by row, with what is rolled for each."""
    rows, number = [], 1
    while name := values.get(f"figure.skill.{number}.name"):
        dice = values.get(f"figure.skill.{number}.dice", "")
        rows.append(f"{name}{NO_BREAK}({dice})" if dice else name)
        number += 1
    if rows:
        yield "top.skills", ", ".join(rows)


def _armed(system: System, character: Character, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the rows of a fight as a small card numbers them: without bare hands where somebody owns something better.

    What nobody owns is told where they own nothing else to fight with.
    """
    owned = {line.casefold() for spec in system.fields if spec.kind == "list" for line in character.lines(spec.name)}
    for rows in system.rows:
        count = 1
        while f"{rows}.{count}.name" in values:
            count += 1
        heads = [f"{rows}.{number}" for number in range(1, count)]
        own = [head for head in heads if values[f"{head}.name"].casefold() in owned] or heads
        for number, head in enumerate(own, 1):
            begin = f"{head}."
            told = ((name.removeprefix(begin), text) for name, text in values.items() if name.startswith(begin))
            yield from ((f"card.rows.{rows}.{number}.{column}", text) for column, text in told)


def _beyond_the_fight(system: System, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the skills, best first, that a fight told as one text does not tell with the same level, nor the roster."""
    columns = system.roster.columns if system.roster is not None else ()
    keys = {name.rpartition(".")[2] for each in columns if each.key for line in each.shows for name in slots_of(line)}
    fight = [part.replace(NO_BREAK, " ").strip().casefold() for part in _PARTS.split(values.get("figure.fight", ""))]
    for said in filter(None, values.get("top.skills", "").split(", ")):
        plain = said.replace(NO_BREAK, " ").casefold()
        skill, _, level = plain.rpartition(" ")
        if skill not in keys and not any(part == plain or part.endswith(f"({skill}) {level}") for part in fight):
            yield said


def rated_traits(system: System, group: TraitGroup, character: Character, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the traits of a group that are not at their default, best first, each with its specialty."""
    for name in best_first(system, group, character):
        yield _trait(system, character, name, values.get(f"{group.name}.{name}", ""))


def best_first(system: System, group: TraitGroup, character: Character) -> Iterator[str]:
    """Yield the names of the traits of a group that somebody has at another level than their default, best first."""
    levels = character.numbers(group.name)
    order = {trait.name: at for at, trait in enumerate(group.members)}
    default = {trait.name: trait.default for trait in group.members}
    for name in sorted(levels, key=lambda name: (-levels[name], order.get(name, 0))):
        if levels[name] != default.get(name) and (levels[name] or not is_had(system, name)):
            yield name


def noted_of(system: System, character: Character, name: str) -> str:
    """Return what is noted of somebody's trait, such as a specialty."""
    said = (character.notes(spec.name).get(name, "") for spec in system.fields if spec.kind == "text per trait")
    return ", ".join(filter(None, said))


def special_traits(system: System, group: TraitGroup, character: Character, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the traits of a group that have a specialty, each with it."""
    traits = (
        _trait(system, character, name, values.get(f"{group.name}.{name}", ""))
        for name in character.numbers(group.name)
    )
    yield from (trait for trait in traits if trait.endswith(")"))


def _trait(system: System, character: Character, name: str, level: str) -> str:
    note = noted_of(system, character, name)
    return (name if is_had(system, name) else f"{name} {level}").replace(" ", NO_BREAK) + (f" ({note})" if note else "")


def is_had(system: System, name: str) -> bool:
    """Return whether a trait is one that somebody has or has not, such as a move: its levels are 0 and 1."""
    known = system.traits.get(name)
    return known is not None and (known.range.low, known.range.high) == (0, 1)


def _can(system: System, character: Character, values: Mapping[str, str]) -> Iterator[str]:
    """Yield what the character is good at: groups that are told as text, then by title what else has a specialty."""
    told = (
        _lowest_together([*rated_traits(system, group, character, values)])
        for group in system.groups
        if group.default is not None
    )
    if skills := ", ".join(filter(None, told)):
        yield skills
    for group in system.groups:
        if group.default is None and (special := ", ".join(special_traits(system, group, character, values))):
            yield special


def _lowest_together(traits: Sequence[str]) -> str:
    """Return traits, best first, as one text; the lowest level is said once where several have it."""
    levels = [found[1] if (found := _LEVEL.search(each)) else "" for each in traits]
    same = levels.count(levels[-1]) if traits else 0
    if same < SEVERAL or not levels[-1]:
        return ", ".join(traits)
    lowest = ", ".join(_LEVEL.sub(r"\2", each, count=1) for each in traits[-same:])
    return "; ".join(filter(None, (", ".join(traits[:-same]), f"at{NO_BREAK}{levels[-1]}: {lowest}")))


def _other_paragraphs(system: System, values: Mapping[str, str]) -> Iterator[str]:
    """Paragraphs for all that a card without a template has no box for."""
    boxes = {group.name for group in boxed(system)}
    about = told_texts(system)
    yield from _fights(system, values) if "figure.fight" not in values else (values["figure.fight"],)
    for spec in system.fields:
        if spec.kind == "levels" and spec.name not in boxes and values.get(f"top.{spec.name}"):
            yield values[f"top.{spec.name}"]
        elif spec.kind == "list" and values.get(f"top.{spec.name}"):
            yield f"{spec.title}: {values[f'top.{spec.name}']}"
        elif spec.kind in ("ratings", "list per trait") and values.get(spec.name):
            yield f"{spec.title}: {values.get(f'top.{spec.name}', values[spec.name])}"
        elif spec.name in about and values.get(spec.name):
            yield f"{spec.title}: {values[spec.name]}"
    own = {spec.name for spec in system.fields} | {"fight"}
    shown = [(name.removeprefix("figure."), text) for name, text in values.items() if name.startswith("figure.")]
    told = [f"{sentence(name)}: {text}" for name, text in shown if name not in own and "." not in name]
    if told:
        yield ", ".join(told)


def _fights(system: System, values: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each row of the figures, such as a weapon; a bare number says what it is."""
    rows: dict[str, dict[str, str]] = {}
    for name, text in values.items():
        head, _, column = name.rpartition(".")
        if head.partition(".")[0] in system.rows and text not in NOTHING:
            rows.setdefault(head, {})[column] = text
    for row in rows.values():
        said = (
            [row["says"]]
            if "says" in row
            else [f"{column} {text}" if text.isdigit() else text for column, text in row.items() if column != "name"]
        )
        yield ": ".join(part for part in (row.get("name", ""), ", ".join(said)) if part)


def _things(system: System, name: str, character: Character, values: Mapping[str, str], rows: int) -> list[str]:
    """Return the things of a list that are not among so many rows of a fight, or told in it, the noted ones first.

    There is one row where none of its columns may be noted elsewhere.
    """
    shown = ((each.name, row) for each in system.rows.values() for row in range(1, (rows if each.noted else 1) + 1))
    heads = {f"{name}.{row}.name" for name, row in shown}
    lines = {values.get(head, "").casefold() for head in heads}
    fight = tuple(
        part.replace(NO_BREAK, " ").casefold().strip() for part in _PARTS.split(values.get("figure.fight", ""))
    )
    things = [
        (line, _noted(system, values.get(f"{name}.{number}", line), values))
        for number, line in enumerate(character.lines(name), 1)
        if line.casefold() not in lines and not any(part.startswith(f"{line.casefold()} ") for part in fight)
    ]
    told = [text for line, text in things if len(text) > len(line)]
    return told + [line for line, text in things if len(text) <= len(line)]


def _noted(system: System, thing: str, values: Mapping[str, str]) -> str:
    """Return the thing with what its row says, for a card without that row."""
    for rows in system.rows.values():
        named = (name.removesuffix(".name") for name, text in values.items() if text == thing)
        row = next((name for name in named if name.startswith(f"{rows.name}.")), "")
        said = ", ".join(filter(None, (values.get(f"{row}.{column}") for column in rows.noted)))
        if said:
            return f"{thing} ({said})"
    return thing


def _texts(system: System) -> list[FieldSpec]:
    """Return the fields that are one text: the name first, then what somebody is."""
    return [spec for spec in system.fields if spec.kind in ("text", "choice")]


def _story(system: System, character: Character) -> Iterator[str]:
    """Manner and story as sentences of one paragraph, notes, and behind its title each text of a variant's own."""
    told = [(name, _as_sentence(system, name, said)) for name in story_fields(system) if (said := character.text(name))]
    if lines := [said if said.rstrip("”’").endswith(ENDS) else f"{said}." for name, said in told if name != NOTES]:
        yield " ".join(lines)
    yield from (said for name, said in told if name == NOTES)
    yield from (f"{spec.title}: {said}" for spec in _added(system) if (said := character.text(spec.name)))


def _as_sentence(system: System, name: str, said: str) -> str:
    """Return a text as a sentence, what somebody is about “to do” behind its title."""
    spec, said = system.spec(name), said.strip()
    return f"{spec.title}: {said}" if spec is not None and said.startswith("to ") else sentence(said)


def story_fields(system: System) -> list[str]:
    """Return the texts that the pack's sheet says are told last, without a title."""
    return [spec.name for spec in system.fields if spec.story]


def _added(system: System) -> list[FieldSpec]:
    """Return the texts that a variant of a game has in its own sheet.yaml, beside those that cards show anyway."""
    shown = ("name", *story_fields(system), *trade_fields(system))
    own = PurePath(system.place.file).parent
    return [
        spec
        for spec in (system.fields if system.lineage else ())
        if spec.kind == "text" and PurePath(spec.place.file).parent == own and spec.name not in shown
    ]


def told_texts(system: System) -> list[str]:
    """Return the texts about somebody that are neither name, trade nor story."""
    added = [spec.name for spec in _added(system)]
    told = (*story_fields(system), *trade_fields(system), *ABOUT, *BESIDE_NOTES, *added)
    return [spec.name for spec in _texts(system)[1:] if spec.name not in told]


def trade_fields(system: System) -> list[str]:
    """Return the fields that say what somebody is: the second text, and the next one if it is a choice of words."""
    texts = _texts(system)
    return [spec.name for spec in texts[1 : 3 if len(texts) > 2 and texts[1].kind == "choice" else 2]]


def trade_of(system: System, character: Character) -> str:
    """Return what somebody is, in words: `dangerous wolf hunter`, or behind a comma `Pilot, oyster dredger`.

    The comma is for a field that chooses a sheet: its word is a name, and no word beside another.
    """
    fields = trade_fields(system)
    chooses = system.sheet_layout is not None and system.sheet_layout.by == fields[0] if fields else False
    return (", " if chooses else " ").join(filter(None, map(character.text, fields)))


def _people(system: System, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the people somebody has, behind what they are called."""
    for spec in system.fields:
        people = values.get(f"top.{spec.name}", "")
        if spec.kind == "ratings" and spec.within in system.by_role and people:
            yield f"{spec.title} (shares): {people}"


def _owned(system: System, character: Character, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the belongings that have no row of their own on an index card."""
    lists = [spec.name for spec in system.fields if spec.kind == "list"]
    for name in [GEAR] if GEAR in lists else lists:
        if things := _things(system, name, character, values, MANY_ROWS):
            yield sentence(DOT.join(things))


def _shares(name: str, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each rated person or thing of a field with its rating, in order."""
    number = 1
    while who := values.get(f"{name}.{number}.name"):
        yield who, values.get(f"{name}.{number}.level", "")
        number += 1


def token_values(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """Return the text of every field of a token that says something: what a card has, numbers, and rows of boxes."""
    values, token = card_values(system, character, figures), token_of(system)
    for number, line in enumerate(token.marks, 1):
        count, said = boxes_of(line.shows, values), filled(line.shows, values)
        if said.isdigit() and not count and int(said):
            values[f"token.marks.{number}.title"] = f"{line.title} {said}"
        elif count:
            values |= {f"token.marks.{number}.title": line.title, f"token.rows.{number}": _in_rows(count)}
            alone = len(token.marks) == 1
            values |= {"token.alone": _in_rows(count)} if alone else {f"token.marks.{number}": boxes_in_a_row(count)}
    for number, line in enumerate(token.numbers, 1):
        said = filled(line.shows, values)
        values |= {f"token.{number}.title": line.title, f"token.{number}": "—" if said in NOTHING else said or "—"}
    if PICTURE not in values:
        values["token.initials"] = _initials(character.text("name"))
    values["token.about"] = "\n".join(_lines_of(character))
    return {name: text for name, text in values.items() if text}


def _in_rows(count: int) -> str:
    """Return boxes in rows that are equally long, or nearly so."""
    rows = -(-count // LONGEST_ROW)
    return "\n".join(boxes_in_a_row((count + at) // rows) for at in reversed(range(rows)))


def _initials(name: str) -> str:
    """Return the first letters of the first and the last of somebody's names."""
    words = [word for word in name.split() if word[:1].isalpha()]
    return "".join(word[0] for word in dict.fromkeys((*words[:1], *words[-1:]))).upper()


def _lines_of(character: Character) -> Iterator[str]:
    """Yield a line on what somebody does, and one on what they want."""
    for name, before in (("manner", ""), (WANT, f"{WANTS}: ")):
        if said := character.text(name):
            yield before + (said[:1].lower() + said[1:] if before and said[1:2].islower() else sentence(said))
