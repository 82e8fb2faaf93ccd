"""Stat blocks: somebody in a few lines of a book, as the NPC page of the game tells of them.

Name, trade and want; levels; attacks with their dice; skills; what stands below the attacks; one thing of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sheetgen.documents.marks import boxed
from sheetgen.documents.people.card import trade_of
from sheetgen.documents.people.npc_page import FIGHT, LEAD, SKILLS, npc_page_values
from sheetgen.model.book import Featured
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.model.people_pages import filled, slots_of
from sheetgen.model.system import System, TraitGroup
from sheetgen.model.wording import DOT, NO_BREAK, sentence

ATTACKS = ("best", "first", "act", "attack")  # blocks of the stack that tells of a fight
COLUMNS = ("1", "2")
DICE = re.compile(r"\d*d\d+")


def stat_block(
    system: System, character: Character, figures: Mapping[str, str], featured: Featured, alike: Sequence[str] = ()
) -> TemplateData:
    """Return a stat block for templates; `alike` are the names of all who share it, if there are several.

    Without words of the author's, those who were rolled have the line of their archetype: what the dice let them want
    belongs to a story that stands nowhere in the block.
    """
    values = npc_page_values(_for_blocks(system), character, figures, whole=False)
    lead = list(_stack(values, LEAD))
    rolled = next((block["text"] for kind, block in lead if kind.startswith("great.")), "")
    attacks, below = _in_one_line(
        [*_attacks(system, values)], "".join(block["text"] for kind, block in _stack(values, FIGHT) if kind == "below")
    )
    archetype = system.cast.archetypes.get(featured.archetype)
    name, trade = featured.name or values["name"], trade_of(system, character)
    is_said = f" {name} ".casefold().endswith(f" {trade} ".casefold())  # a spy is called A spy
    return {
        "name": name,
        "count": max(featured.count, len(alike)),
        "alike": ", ".join(alike),
        "trade": featured.trade or ("" if is_said else trade),
        "want": featured.want or (f"{sentence(archetype.say)}." if archetype else rolled),
        "manner": f"{sentence(manner)}." if (manner := character.text("manner")) else "",
        "levels": [*_levels(system, values)],
        "fight": _title(values, FIGHT),
        "attacks": attacks,
        "can": _title(values, SKILLS),
        "skills": "" if _says_levels_only(system) else "; ".join(_skills(system, values)),
        "brief": DOT.join(_brief(system, values)),
        "below": below,
        "special": featured.special,
    }


def _for_blocks(system: System) -> System:
    """Return a system whose NPC page tells of attacks as in a stat block, and works out no chances.

    These take seconds and stand in no block.
    """
    page = system.npc_page
    if page is None:
        return system
    plain = {name: replace(rows, chances=()) for name in ("attacks", "skills") if (rows := getattr(page, name))}
    plain |= {name: replace(rows, shows=(rows.block,), heads=()) for name, rows in plain.items() if rows.block}
    return replace(system, npc_page=replace(page, **plain))


def _stack(values: Mapping[str, str], stack: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the blocks of a stack of the page, each with its kind and its fields."""
    number = 1
    while kind := values.get(f"{stack}.{number}"):
        head = f"{stack}.{number}."
        yield kind, {name.removeprefix(head): text for name, text in values.items() if name.startswith(head)}
        number += 1


def _title(values: Mapping[str, str], stack: str) -> str:
    return next((block["title"] for _, block in _stack(values, stack) if "title" in block), "")


def _levels(system: System, values: Mapping[str, str]) -> Iterator[TemplateData]:
    """Yield the levels that a stat block shows, each with what it is called.

    A level of 0 is left out where levels lie on both sides of it: it is the one that is not worth a word.
    """
    for group in _printed_groups(system):
        for trait in group.members:
            level = values.get(f"{group.name}.{trait.name}", "")
            if level and not (level == "0" and trait.range.low < 0):
                short = bool(group.spells_title)
                yield {"name": trait.name[0] if short else trait.brief, "level": level, "short": short}


def _says_levels_only(system: System) -> bool:
    """Return whether the rows of skills are a group whose levels the block shows already."""
    page = system.npc_page
    return page is not None and page.skills is not None and page.skills.group in page.levels


def _printed_groups(system: System) -> Sequence[TraitGroup]:
    """Return the groups whose levels a stat block shows: those of the pack, or those that a card has boxes for."""
    if system.npc_page is not None and system.npc_page.levels:
        return [system.group(name) for name in system.npc_page.levels]
    return boxed(system)


def _attacks(system: System, values: Mapping[str, str]) -> Iterator[TemplateData]:
    """Yield the attacks, the likeliest first, each with its columns and what these are."""
    heads: dict[str, str] = {}
    page = system.npc_page
    rows = page.attacks if page is not None else None
    begins_small, several = rows is not None and rows.note[:1].islower(), rows is None or len(rows.shows) > 1
    for kind, block in _stack(values, FIGHT):
        if kind.partition(".")[0] not in ATTACKS:
            continue
        heads |= {name.removeprefix("head."): text for name, text in block.items() if name.startswith("head.")}
        columns = [at for at in COLUMNS if f"shown.{at}" in block]
        told = several and kind.partition(".")[0] != ATTACKS[-1]  # once says what the columns are
        shown = [_beside(heads.get(at, ""), block[f"shown.{at}"], told=told) for at in columns]
        if rows is not None and rows.block and not shown:  # the pack tells of it elsewhere
            continue
        note = block.get("note", "")
        yield {
            "name": block.get("name", ""),
            "shown": shown,
            "note": note[:1].lower() + note[1:] if begins_small else note,
        }


def _in_one_line(attacks: list[TemplateData], below: str) -> tuple[list[TemplateData], str]:
    """Return attacks and what stands below them; it goes on behind a single attack that has no figures of its own."""
    if len(attacks) == 1 and not attacks[0]["shown"] and not attacks[0]["note"] and below:
        return [{**attacks[0], "name": f"{attacks[0]['name']}{DOT}".rstrip(), "shown": [below]}], ""
    return attacks, below


def _beside(head: str, shown: str, *, told: bool) -> str:
    """Return a figure behind what it is, where that is told; dice to which nothing is added are just those dice."""
    if DICE.fullmatch(head) and shown == "0":
        return head
    return f"{head} {shown}" if told and head else shown


def _skills(system: System, values: Mapping[str, str]) -> list[str]:
    """Return the skills with their levels, the highest first where these are plain numbers.

    Levels stand in brackets in games whose names of skills have a plus in them, as `Riding +1 (4)` has.
    """
    found = [
        (block.get("name", ""), block.get("level", "")) for kind, block in _stack(values, SKILLS) if kind == "skill"
    ]
    if all(level.isdigit() for _, level in found):
        found.sort(key=lambda skill: -int(skill[1]))
    numbered = any(word.startswith("+") for group in system.groups for word in group.scale.words)
    return [NO_BREAK.join(filter(None, (name, f"({level})" if numbered and level else level))) for name, level in found]


def _brief(system: System, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of figures that the pack adds to a stat block."""
    for line in system.npc_page.brief if system.npc_page is not None else ():
        if all(values.get(name) for name in slots_of(line)):
            yield filled(line, values)
