"""The two steps of GAMERS that are more than dice and points: the random skill table, and languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sheetgen.dice.source import Dice
from sheetgen.errors import LimitError, quoted, suggestion
from sheetgen.model.cast import Item, has_words
from sheetgen.model.character import Character
from sheetgen.model.system import System, Table, TableRow
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.creation.steps import barred_traits, needs

LARGE_TONGUES = 8
MOST_FOREIGN = 3
HIGHEST = 15
MOST_ROLLS = 1000


def table_skill(table: Table, faces: tuple[int, ...]) -> str:
    """What two faces read on the random skill table, tens first (`GAM-074`, `GAM-Q16`)."""
    return table.row(10 * faces[0] + faces[1])["is"]


def skills(making: Making) -> StepFunction:
    """A step that rolls 2d6 and then that many times on the skill table, +1 for each appearance (`GAM-073`).

    A player choice deepens a skill already there, or becomes a *Roll twice* while there is none (`GAM-075`); a GM
    choice is any skill of the setting (`GAM-076`); *Roll twice* is used up and adds two rolls (`GAM-077`, `GAM-Q17`).
    InputError at the step for a table that names no skill, or one the game lacks; the step itself raises LimitError
    past 1,000 rolls for one character, which a table of little but *Roll twice* would reach.
    """
    making.only("dice", "table", "without", "barred", "needs")
    table, count, able = making.table(), making.dice(), needs(making)
    player, gm, twice = (making.system.values.text(f"choices.{name}") for name in ("player", "gm", "twice"))
    barred = frozenset(barred_traits(making))
    every = [trait.role for trait in making.system.group("skills").members]
    open_to_gm = [role for role in every if role not in barred]
    _check_skill_table(making, table, every, frozenset((player, gm, twice)))
    if not open_to_gm:
        raise making.wrong("every skill is barred")
    reads: dict[tuple[int, ...], str] = {
        (tens, ones): table_skill(table, (tens, ones)) for tens in range(1, 7) for ones in range(1, 7)
    }

    def step(draft: Draft, dice: Dice) -> None:
        if not able(draft):
            draft.tell("skills: none can be had")
            return
        left = dice.total(count.count, count.sides, "number of skill rolls")
        levels: dict[str, int] = {}
        rolls = 0
        while left:
            left, rolls = left - 1, rolls + 1
            if rolls > MOST_ROLLS:
                raise LimitError(f"{making.system.title}: more than {MOST_ROLLS:,} rolls on the skill table [GAM-077]")
            faces = dice.roll(2, 6, "skill table")
            entry = read = reads[faces]
            if entry == player:
                entry = _players_choice(levels, dice) or twice
            elif entry == gm:
                entry = open_to_gm[dice.choose(len(open_to_gm), "GM choice")]
            if entry == twice:
                left += 2
            else:
                levels[entry] = min(levels.get(entry, 0) + 1, HIGHEST)
            if draft.log is not None:
                _tell_reading(draft, faces, read, entry, levels.get(entry))
        draft.groups["skills"] = levels
        draft.levels.update(levels)

    return step


def _check_skill_table(making: Making, table: Table, skills: Sequence[str], choices: frozenset[str]) -> None:
    """InputError at the step unless each row is a choice or a skill of the game, and one row at least is a skill."""
    entries = {_entry(making, table, row) for row in table.rows} - choices
    for entry in sorted(entries):
        if entry not in skills:
            raise making.wrong(f"table {table.name}: unknown skill {quoted(entry)}{suggestion(entry, skills)}")
    if not entries:
        raise making.wrong(f"table {table.name} names no skill")


def _entry(making: Making, table: Table, row: TableRow) -> str:
    if "is" not in row.columns:
        raise making.wrong(f"table {table.name}: row {row.span.low} must be one skill or choice")
    return row.columns["is"]


def _tell_reading(draft: Draft, faces: tuple[int, ...], read: str, entry: str, level: int | None) -> None:
    """Adds to the roll that was just logged what it reads: `skill table: 5, 6 -> 56 Sciences, now 1`."""
    given = "" if entry == read else f": {entry}"
    now = "" if level is None else f", now {level}"
    reading = f"{''.join(map(str, faces))} {read}{given}{now}"
    if draft.log and draft.log[-1].endswith(", ".join(map(str, faces))):
        draft.log[-1] += f" -> {reading}"
    else:
        draft.tell(reading)


def _players_choice(levels: dict[str, int], dice: Dice) -> str:
    held = list(levels)
    return held[dice.choose(len(held), "player choice")] if held else ""


def native_level(table: Table, mind: int) -> int:
    """The free level of the native language, from the full level of Mind (`GAM-095`, `GAM-Q18`)."""
    return int(table.row(mind)["level"])


def languages(making: Making) -> StepFunction:
    """A step that names the native language and spreads levels of Languages over tongues (`GAM-094` to `GAM-096`).

    The native one goes with the name, where its set of names says which tongues these people speak.
    Three foreign tongues are the most; further levels deepen them. Levels bought with points all go to one foreign
    tongue: each tongue is priced as a skill of its own (`GAM-Q19`), and so it costs what Languages was bought for.
    """
    making.only()
    cast, values = making.system.cast, making.system.values
    skill = values.text("language.skill")
    most = 1 if _buys_skills(making) else MOST_FOREIGN
    if not cast.languages:
        raise making.wrong("the pack has no languages")
    large = cast.languages[:LARGE_TONGUES]
    of_names = {names: [each for each in names.tongues if each in cast.languages] for names in cast.name_sets}

    def step(draft: Draft, dice: Dice) -> None:
        tongues = (of_names.get(draft.names) if draft.names is not None else None) or large
        native = tongues[dice.choose(len(tongues), "native language")]
        draft.values["native"] = native
        spoken: dict[str, int] = {}
        for _ in range(draft.levels.get(skill, 0)):
            known = list(spoken)
            others = [name for name in cast.languages if name != native and name not in spoken]
            if not others or len(known) >= most or (known and dice.choose(2, "deeper or wider")):
                among = known or [native]
            else:
                among = others
            tongue = among[dice.choose(len(among), "language")]
            spoken[tongue] = spoken.get(tongue, 0) + 1
        if spoken:
            draft.values["languages"] = spoken
        draft.tell(f"native language: {native}" + "".join(f"; {name} {level}" for name, level in spoken.items()))

    return step


def _buys_skills(making: Making) -> bool:
    """Whether the plan's method buys levels of a group with points."""
    creation = making.system.creation
    for name in creation.methods[making.plan.method].steps:
        option = creation.options.get(name)
        chosen = option.steps[making.chosen(option)] if option is not None and option.steps else name
        if creation.steps[chosen].do == "buy levels":
            return True
    return False


WEAPONS, ARMOURS = "weapons", "armours"
YES = ("yes", "true", "on")

Strikes = Literal["held", "thrown", "bow", "firearm"]


@dataclass(frozen=True, slots=True)
class WeaponKind:
    """A weapon: its skill, its size, its weight in kg, and how its range is found (`GAM-180` to `GAM-183`).

    `bow` multiplies Strength; `strength` is the weapon’s own.
    """

    name: str
    skill: str
    size: str
    kg: Decimal
    thrown: bool
    bow: Decimal | None
    strength: int | None

    @property
    def strikes(self) -> Strikes:
        """How it strikes, which decides what adds to its injury (`GAM-213`)."""
        if self.strength is not None:
            return "firearm"
        return "bow" if self.bow is not None else "thrown" if self.thrown else "held"


@dataclass(frozen=True, slots=True)
class ArmourKind:
    """An armour: coverage and rating (`GAM-200`, `GAM-202`)."""

    name: str
    coverage: int
    rating: int


def weapon(item: Item) -> WeaponKind:
    """The weapon that an item is; InputError where a fact is missing or wrong."""
    return WeaponKind(
        item.name,
        item.text("skill"),
        item.text("size"),
        item.number("kg"),
        item.text("thrown") in YES,
        item.number("bow") if item.has("bow") else None,
        item.whole("strength") if item.has("strength") else None,
    )


def weapons_of(system: System, character: Character) -> list[WeaponKind]:
    """The weapons that a character owns, in their order."""
    return [weapon(item) for item in system.owned(WEAPONS, character.lines("gear"))]


def armour_of(system: System, character: Character) -> list[ArmourKind]:
    """The pieces of armour that a character owns, in their order."""
    owned = system.owned(ARMOURS, character.lines("gear"))
    return [ArmourKind(item.name, item.whole("coverage"), item.whole("rating")) for item in owned]


def attack_bonus(system: System, character: Character, arm: WeaponKind, skill: int) -> int:
    """What an attack with a weapon adds to two dice.

    The skill, one higher where its specialty names the weapon (`GAM-100`), never past F; less for a weapon that is
    not among what the skill is familiar with, and for any other one at skill 0 (`GAM-071`, `GAM-105`).
    """
    values, trait = system.values, system.by_role.get(arm.skill)
    name, own = arm.name.casefold(), trait.name if trait is not None else arm.skill
    if skill and is_special(system, arm, character.notes("specialties").get(own, "")):
        return min(skill + values.number("quickie.specialty"), trait.range.high if trait is not None else skill)
    familiar = [thing.casefold() for thing in character.lists("familiarities").get(own, ())]
    known = name in familiar if familiar or not skill else True
    return skill if known else skill + values.number("quickie.unfamiliar")


def is_special(system: System, arm: WeaponKind, specialty: str) -> bool:
    """Whether a specialty of the weapon's skill means the weapon.

    The pack's phrase of these words says what it names; words of a player's own mean a weapon that has them in its
    name, or whose name is among them, as whole words.
    """
    if not specialty:
        return False
    phrases = system.cast.specialties.get(arm.skill, ())
    phrase = next((each for each in phrases if each.say.casefold() == specialty.casefold()), None)
    if phrase is not None and phrase.names:
        return phrase.means(arm.name, system.cast.tags(arm.name))
    return has_words(arm.name, specialty) or has_words(specialty, arm.name)
