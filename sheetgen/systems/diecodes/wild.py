"""The wild die (ledger part E, dice order of part O): one die of every roll goes on for as long as it shows a six."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import codes_of

Wild = Literal["table", "chat"]


@dataclass(frozen=True, slots=True)
class RollOutcome:
    """A roll on a code: its total, what the wild die came to, and the dice that counted after its first six."""

    total: int
    wild_total: int
    extra: tuple[int, ...]


NOTHING_ROLLED = RollOutcome(0, 0, ())


@procedure(
    *("DIE-005", "DIE-006", "DIE-031", "DIE-032", "DIE-033", "DIE-034", "DIE-035", "DIE-036", "DIE-037", "DIE-038"),
    *("DIE-039", "DIE-040", "DIE-043", "DIE-120", "DIE-122"),
    say="a roll on a die code, wild die and all",
)
def roll(play: Play, *, code: str, wild: Wild = "table") -> RollOutcome:
    """The total of a code rolled as it stands (`DIE-006`, `DIE-032`); `none` takes no dice and comes to 0."""
    return throw(play, codes_of(play).read(code, "code", empty=True), wild)


def throw(play: Play, pips: int, wild: Wild, *, who: str = "", aim: int = 0) -> RollOutcome:
    """A roll on a code of so many pips: the wild die, the other dice, then what the wild die runs on to (`DIE-120`).

    Odds follow the wild die for as long as it can matter whether the total reaches `aim`, and some way beyond; then
    they raise Tail, and all that is known is that it does.
    """
    codes = codes_of(play)
    dice, plus = divmod(pips, codes.per_die)
    says = f"{who}: " if who else ""
    if not dice:
        play.tell(f"{says}no dice left, so nothing is rolled: 0", "DIE-Q1", "DIE-122")
        return NOTHING_ROLLED
    sides, again = play.values.number("dice.sides"), play.values.number("wild.again")
    first = play.dice.roll(1, sides, f"{says}the wild die")[0]
    others = play.dice.total(dice - 1, sides, f"{says}the other {_dice(dice - 1)}") if dice > 1 else 0
    extra: tuple[int, ...] = ()
    if first == again:
        free = max(0, aim) // again
        extra = _one_by_one(play, sides, again, free) if wild == "table" else _in_batches(play, sides, again, free)
    wild_total = first + sum(extra)
    total = wild_total + others + plus
    run = " + ".join(map(str, (first, *extra)))
    parts = [f"wild die {run}{f' = {wild_total}' if extra else ''}"]
    parts += [f"the other {_dice(dice - 1)} {others}"] if dice > 1 else []
    parts += [f"plus {plus}"] if plus else []
    rules = ("DIE-031", "DIE-032", "DIE-033") if extra else ("DIE-031",)
    play.tell(f"{says}{codes.write(pips)}: {', '.join(parts)}: total {total}", *rules)
    return RollOutcome(total, wild_total, extra)


def _dice(count: int) -> str:
    return "die" if count == 1 else f"{count} dice"


def _one_by_one(play: Play, sides: int, again: int, free: int) -> tuple[int, ...]:
    """What the wild die adds at a table: one die at a time until it is no six (`DIE-032`, `DIE-035`)."""
    extra: tuple[int, ...] = ()
    while not extra or extra[-1] == again:
        play.again(max(0, len(extra) - free), "the wild die")
        extra += play.dice.roll(1, sides, "the wild die again")
    return extra


def _in_batches(play: Play, sides: int, again: int, free: int) -> tuple[int, ...]:
    """What the wild die adds in a chat room: batches of dice until one is not all sixes (`DIE-036`, `DIE-038`)."""
    extra: tuple[int, ...] = ()
    while not extra or extra[-1] == again:
        play.again(max(0, len(extra) - free), "the wild die")
        extra += play.part(_batch, play.values.number("wild.batch"), sides, again)
    return extra


def _batch(play: Play, size: int, sides: int, again: int) -> tuple[int, ...]:
    """The dice of one batch that count: the sixes in front and the first die that is none (`DIE-037`)."""
    faces = play.dice.roll(size, sides, f"a batch of {size} for the wild die")
    counting = next((number for number, face in enumerate(faces, 1) if face != again), size)
    counted = faces[:counting]
    told = f"the batch is {_listed(faces)}: {_listed(counted)} {'counts' if counting == 1 else 'count'}"
    play.tell(told if counted[-1] != again else f"{told}, and another batch follows", "DIE-037", "DIE-038")
    return counted


def _listed(faces: tuple[int, ...]) -> str:
    return ", ".join(map(str, faces))
