"""Quick rolls (section 8): help brought in first, and one roll against a number or a foe, with its confirm roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from sheetgen.model.procedures import spread
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.gamers.terms import Difficulty, Level, Modifier, two_dice
from sheetgen.systems.gamers.traits import effective
from sheetgen.systems.gamers.travel import Effort, require_affordable, turned

BALLS_UP, PLAIN, TRIUMPH = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Complement:
    """A trait brought in to help: an attribute, a feature (for People, the person's share), or a skill.

    `trait` and `name` say which it is and whose, so that the same one cannot help twice.
    """

    attribute: Level | None = None
    feature: Level | None = None
    skill: Level | None = None
    specialty_applies: bool = False
    trait: str = ""
    name: str = ""

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels given; there must be exactly one."""
        return tuple(level for level in (self.attribute, self.feature, self.skill) if level is not None)


def complementary(play: Play, complements: Sequence[Complement]) -> tuple[bool, ...]:
    """Pass or fail of each complementary roll made; the first failure ends them (`GAM-143`)."""
    _require_sound(complements)
    passed: list[bool] = []
    rung = play.values.number("help.rung")
    for each in complements:
        passed.append(play.part(_helps, each, rung))
        if not passed[-1]:
            break
        if each.skill is not None:
            rung += play.values.number("help.step")
    return tuple(passed)


def _require_sound(complements: Sequence[Complement]) -> None:
    seen = set()
    for number, each in enumerate(complements, 1):
        if len(each.levels) != 1:
            message = f"complements[{number}]: takes one of attribute, feature and skill"
            raise Refused("complement", message, "GAM-140")
        who = (each.name, each.trait)
        if each.trait and who in seen:
            raise Refused("complement", f"complements[{number}]: {each.trait} helps once only", "GAM-Q32")
        seen.add(who)


def _helps(play: Play, complement: Complement, rung: int) -> bool:
    """Whether one trait helps: attributes and features at or under their level, skills by the rung of the ladder."""
    values = play.values
    level = effective(play, complement.levels[0], complement.specialty_applies)
    rolled, faces = two_dice(play, "complement")
    gain = f"DM{values.number('quickie.helped'):+d}"
    if complement.skill is not None:
        helps = rolled + level >= rung
        text = f"{faces}, + {complement.trait or 'skill'} {level} = {rolled + level}, against {rung}"
        rules: tuple[str, ...] = ("GAM-142",)
    else:
        helps = rolled <= level
        kind = "attribute" if complement.feature is None else "feature"
        text = f"{faces}, {'at or under' if helps else 'above'} {complement.trait or kind} {level}"
        rules = ("GAM-141",) if complement.feature is None else ("GAM-141", "GAM-Q10")
    play.tell(f"complement: {text}: {f'it helps, {gain}' if helps else 'no help, and no more tries'}", *rules)
    return helps


@dataclass(frozen=True, slots=True)
class Help:
    """What a quick roll may bring besides its skill: modifiers, help in order, the attribute of a confirm roll, effort.

    `trait` is what the log calls the skill.
    """

    dm: tuple[Modifier, ...] = ()
    unfamiliar: bool = False
    specialty_applies: bool = False
    complements: tuple[Complement, ...] = ()
    attribute: Level | None = None
    effort: Effort | None = None
    trait: str = "skill"

    def side(self, skill: int, *dms: int) -> Side:
        """The party that rolls with all this, and with modifiers that the occasion adds."""
        return Side(**{**spread(self), "dm": (*self.dm, *dms)}, skill=skill)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(Help):
    """One party's roll: its skill with all that it brings; `name` is what the log calls the party."""

    skill: Level
    name: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """How one party's roll came out; `effort` is the injury taken for it where that was decided after the dice."""

    complements: tuple[bool, ...]
    total: int
    triumph: bool
    balls_up: bool
    confirm_target: int | None
    confirm_passed: bool | None
    effort: int | None

    @property
    def rank(self) -> int:
        """A triumph beats a plain result, and that a balls-up (`GAM-Q30`)."""
        return TRIUMPH if self.triumph else BALLS_UP if self.balls_up else PLAIN


def roll_of(play: Play, side: Side, *, against: int | None = None, who: str = "") -> Block:
    """One party's whole block of dice: help, the two dice, and a confirm roll if one is due (`GAM-C03`)."""
    if side.effort is not None:
        require_affordable(play, side.effort)
    return play.part(_block, side, against, f"{side.name or who}: " if side.name or who else "")


def _block(play: Play, side: Side, against: int | None, who: str) -> Block:
    helped = complementary(play, side.complements)
    skill = effective(play, side.skill, side.specialty_applies)
    modifiers = _modifiers(play, side, skill, sum(helped))
    dice, text, strained = _dice(play, side, sum(amount for _, amount in modifiers), against)
    total = dice + sum(amount for _, amount in modifiers)
    if side.effort is not None and side.effort.mode == "plain" and strained:
        modifiers.append(("effort ", strained * play.values.number("effort.dm")))
        total += modifiers[-1][1]
    outcome = "" if against is None else f", against {against}: {_margin(total - against)}"
    play.tell(f"{who}{text}{''.join(map(_signed, modifiers))} = {total}{outcome}", "GAM-133")
    later = strained if side.effort is not None and side.effort.decided == "after" else None
    turns = strained if side.effort is not None and side.effort.mode == "cinematic" else 0
    threat = _threat(play, dice, total, turns)
    if turns >= play.values.number("quickie.dice.count"):
        play.tell("every die was turned: a triumph, without a confirm roll", "GAM-253", "GAM-Q68")
        return Block(helped, total, True, False, None, None, later)
    if threat == PLAIN or side.attribute is None:
        return Block(helped, total, False, False, None, None, later)
    target, passed = _confirm(play, side, skill=skill, added=total - dice, against=against, threat=threat)
    triumph, balls_up = threat == TRIUMPH and passed, threat == BALLS_UP and not passed
    return Block(helped, total, triumph, balls_up, target, passed, later)


def _modifiers(play: Play, side: Side, skill: int, helped: int) -> list[tuple[str, int]]:
    values = play.values
    found = [(f"{side.trait or 'skill'} ", skill), *(("", dm) for dm in side.dm)]
    if side.unfamiliar:
        found.append(("unfamiliar ", values.number("quickie.unfamiliar")))
    return [*found, ("help ", helped * values.number("quickie.helped"))]


def _signed(modifier: tuple[str, int]) -> str:
    label, amount = modifier
    return f" {'-' if amount < 0 else '+'} {label}{abs(amount)}" if amount else ""


def _margin(by: int) -> str:
    if by > 0:
        return f"success by {by}"
    return f"failure by {-by}" if by else "success, exactly"


def _dice(play: Play, side: Side, added: int, against: int | None) -> tuple[int, str, int]:
    """The sum of the two dice, as the log shows it, and the levels of injury taken for them."""
    count, sides = play.values.number("quickie.dice.count"), play.values.number("quickie.dice.sides")
    effort, purpose = side.effort, side.name or "the quick roll"
    if play.log is None and (effort is None or effort.mode == "plain"):
        total = play.dice.total(count, sides, purpose)
        return total, "", _levels_taken(play, effort, (total,), added, against)
    faces = play.dice.roll(count, sides, purpose)
    strained, text = _levels_taken(play, effort, faces, added, against), " + ".join(map(str, faces))
    if effort is not None and effort.mode == "cinematic" and strained:
        faces = turned(play, faces, strained)
        text = f"{text}, turned to {' + '.join(map(str, faces))},"
    return sum(faces), text, strained


def _levels_taken(play: Play, effort: Effort | None, faces: tuple[int, ...], added: int, against: int | None) -> int:
    """The levels taken: those declared before the roll, or as many as the player finds worth it after (`GAM-254`)."""
    if effort is None or effort.decided == "before":
        return effort.injuries if effort is not None else 0
    most = effort.injuries

    def wise() -> int:
        return next((levels for levels in range(most + 1) if against is None or reached(levels) >= against), 0)

    def reached(levels: int) -> int:
        if effort.mode == "cinematic":
            return sum(turned(play, faces, levels)) + added
        return sum(faces) + added + levels * play.values.number("effort.dm")

    taken = play.decide({"wise": wise, "none": lambda: 0, "all": lambda: most}, "effort after the roll")
    play.tell(f"the dice show {sum(faces)}: {taken} levels of effort", "GAM-254")
    return taken


def _threat(play: Play, dice: int, total: int, turned_dice: int) -> int:
    """Whether the dice threaten a triumph or a balls-up; two sixes are tested for a triumph only (`GAM-Q29`)."""
    count, sides = play.values.number("quickie.dice.count"), play.values.number("quickie.dice.sides")
    if dice == count * sides:
        return TRIUMPH
    if not turned_dice and (dice == count or total <= play.values.number("quickie.balls_up")):
        return BALLS_UP
    return PLAIN


def _confirm(play: Play, side: Side, *, skill: int, added: int, against: int | None, threat: int) -> tuple[int, bool]:
    """The number of the confirm roll and whether it was passed, by the ruling of the table (`GAM-137`, `GAM-Q28`)."""
    values, attribute = play.values, side.attribute or 0
    ruling = play.ruling("GAM-Q28")
    rolled, faces = two_dice(play, "confirm roll")
    if ruling == "sum":
        target, text = attribute + skill, f"{attribute} + {side.trait or 'skill'} {skill} = {attribute + skill}"
        passed, sign = rolled <= target, "at or under" if rolled <= target else "above"
    elif ruling == "repeat":
        target = values.number("quickie.difficulty.trained") if against is None else against
        rolled, faces = rolled + added, f"{faces}, with skill and DMs {rolled + added},"
        passed, sign, text = rolled >= target, "against", str(target)
    else:
        target, rung = attribute, values.number("help.rung")
        passed, sign, text = rolled <= target, "at or under" if rolled <= target else "above", str(target)
        if passed:
            second = two_dice(play, "confirm roll on the skill")[0] + skill
            passed, text = second >= rung, f"{text}, and {second} on the skill against {rung}"
    what = "triumph" if threat == TRIUMPH else "balls-up"
    stands = f"a {what}" if passed == (threat == TRIUMPH) else "the plain result stands"
    play.tell(f"a {what} threatens; confirm roll {faces} {sign} {text}: {stands}", "GAM-137", "GAM-Q28")
    return target, passed


@dataclass(frozen=True, slots=True)
class CheckOutcome(Block):
    """How a quick roll came out; the confirm roll is told only where one was made."""

    success: bool


def outcome_of(block: Block, difficulty: int) -> CheckOutcome:
    """The outcome of a quick roll against a number: special results override the total (`GAM-Q29`)."""
    success = block.total >= difficulty if block.rank == PLAIN else block.triumph
    return CheckOutcome(**spread(block), success=success)


def difficulty_of(play: Play, difficulty: Difficulty) -> int:
    """A difficulty as a number; the pack names three (`GAM-131`)."""
    return play.values.number(f"quickie.difficulty.{difficulty}") if isinstance(difficulty, str) else difficulty


def difficulty_or(play: Play, difficulty: Difficulty | None, path: str) -> int:
    """The difficulty given, or the one that the pack states for this kind of check."""
    return play.values.number(path) if difficulty is None else difficulty_of(play, difficulty)


@procedure(
    "GAM-010 GAM-011 GAM-012 GAM-013 GAM-048 GAM-071 GAM-100 GAM-105 GAM-131 GAM-133 GAM-135 GAM-136 GAM-137 GAM-140",
    "GAM-141 GAM-142 GAM-143 GAM-144 GAM-250 GAM-252 GAM-253 GAM-254",
    say="a quick roll against a fixed difficulty",
    policies=("wise", "none", "all"),
)
@taking(Help)
def check(play: Play, aid: Help, *, skill: Level, difficulty: Difficulty) -> CheckOutcome:
    """How the quick roll comes out: 2d6 + skill + DMs reach the difficulty, or a special result decides (`GAM-133`)."""
    number = difficulty_of(play, difficulty)
    return outcome_of(roll_of(play, aid.side(skill), against=number), number)


@procedure(
    "GAM-124 GAM-Q25",
    say="may a second thing be trained at the same time",
    policies=("wise", "none", "all"),
    results="* permitted",
)
@taking(Help)
def second_training(
    play: Play, aid: Help, *, skill: Level = 0, difficulty: Difficulty | None = None
) -> tuple[CheckOutcome, bool]:
    """Whether the check succeeds that the GM may ask for; Grit, for instance, may complement it."""
    number = difficulty_or(play, difficulty, "training.second")
    found = outcome_of(roll_of(play, aid.side(skill), against=number), number)
    play.tell("a second thing may be trained" if found.success else "one thing at a time", "GAM-124")
    return found, found.success


@procedure("GAM-H3", say="an attribute alone, where no skill fits", results="total target success")
def bare(
    play: Play,
    *,
    level: Level,
    difficulty: Annotated[str, OneOf("house.bare")] = "trained",
    dm: tuple[Modifier, ...] = (),
) -> tuple[int, int, bool]:
    """Whether two dice come out at or under the attribute, with what the difficulty and circumstances make of it."""
    target = level + play.values.number(f"house.bare.{difficulty}") + sum(dm)
    total, faces = two_dice(play, "the attribute")
    play.tell(f"{faces}, {'at or under' if total <= target else 'above'} {target}", "GAM-H3")
    return total, target, total <= target


def prevails(one: Block, other: Block, *, ties: bool) -> bool:
    """Whether one roll beats another: by its special result, else by its total (`GAM-Q30`); `ties`: a tie is enough."""
    mine, theirs = (one.rank, one.total), (other.rank, other.total)
    return mine >= theirs if ties else mine > theirs


@procedure(
    "GAM-132 GAM-Q26 GAM-Q30",
    say="a quick roll against somebody who resists",
    policies=("wise", "none", "all"),
    results="active_* opposing_* active_wins",
)
def opposed(play: Play, *, active: Side, opposing: Side) -> tuple[Block, Block, bool]:
    """Who wins a contest: the other's roll is the difficulty, so a tie goes to the active side (`GAM-C04`)."""
    mine = roll_of(play, active, who="active side")
    theirs = roll_of(play, opposing, who="opposing side")
    wins = prevails(mine, theirs, ties=True)
    play.tell(
        f"{mine.total} against {theirs.total}: the {'active' if wins else 'opposing'} side wins", "GAM-132", "GAM-Q30"
    )
    return mine, theirs, wins
