"""Time, preparing, running, wounds, several uses in a round, reactions (ledger parts G to K; stun: M2 and N)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sheetgen.errors import quoted
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.diecodes.codes import Uses, codes_of

DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a skill or stat: its name and its code as written on the sheet."""

    name: str
    code: str


def reactions_of(play: Play) -> tuple[str, ...]:
    """The reaction skills of the pack (`DIE-069`)."""
    return tuple(trait.name for trait in play.system.group("skills").members if trait.kind == "reaction")


@dataclass(frozen=True, slots=True)
class Flags:
    """What a round makes of a code: how many are used in it, running, wounds, preparing, doubled dice (`DIE-068`)."""

    uses: Uses = 1
    running: bool = False
    wounded: bool = False
    prepared: bool = False
    doubled: bool = False

    def penalty(self, play: Play) -> int:
        """The dice taken off one roll (`DIE-061`, `DIE-062`, `DIE-066`)."""
        counted = {"use": max(0, self.uses - 1), "running": self.running, "wounded": self.wounded}
        return sum(play.values.number(f"penalty.{why}") * count for why, count in counted.items() if count)


def working(
    play: Play, pips: int, penalty: int, *, prepared: bool = False, doubled: bool = False, helped: bool = False
) -> int:
    """What is left to roll, in pips: doubled first, the prepared die next, then the penalty (`DIE-068`, `DIE-Q6`).

    A helper's die stands with the prepared one (`DIE-H7`).
    """
    codes, values = codes_of(play), play.values
    if not codes.kept(pips) or not (penalty or prepared or doubled or helped):
        return codes.kept(pips)
    whole = pips * values.number("luck.factor") if doubled else pips
    given = values.number("house.help.dice") if helped else 0
    more = values.number("preparing.dice") * prepared + given - penalty
    left = codes.kept(whole + codes.per_die * more)
    why = [f"doubled to {codes.write(whole)}"] if doubled else []
    why += [f"{values.number('preparing.dice')}d more for preparing"] if prepared else []
    why += [f"{given}d more for a helper"] if helped else []
    why += [f"{penalty}d off"] if penalty else []
    rules = (
        *(("DIE-047", doubled), ("DIE-058", prepared), ("DIE-H7", helped)),
        *(("DIE-068", penalty), ("DIE-Q1", not left)),
    )
    result = f"{codes.write(left)} is rolled" if left else "no dice are left"
    play.tell(f"{codes.write(pips)}, {', '.join(why)}: {result}", *(rule for rule, holds in rules if holds))
    return left


def left_of(play: Play, code: str, what: str, flags: Flags, *, helped: bool = False) -> int:
    """The pips that are rolled on a written code, by the flags of a round (`DIE-068`)."""
    pips, penalty = codes_of(play).read(code, what, empty=True), flags.penalty(play)
    return working(play, pips, penalty, prepared=flags.prepared, doubled=flags.doubled, helped=helped)


def flagged(play: Play, code: str, what: str, flags: Flags, *, helped: bool = False) -> int:
    """The same for a roll by itself; Refused for several uses in a prepared round (`DIE-059`)."""
    if flags.prepared and flags.uses > (most := play.values.number("preparing.uses")):
        allows = "only one stat or skill is" if most == 1 else f"at most {most} stats or skills are"
        raise Refused("prepared", f"uses: {allows} used in the round after preparing, not {flags.uses}", "DIE-059")
    return left_of(play, code, what, flags, helped=helped)


@procedure(
    "DIE-010 DIE-047 DIE-058 DIE-059 DIE-060 DIE-061 DIE-062 DIE-064 DIE-066 DIE-068",
    say="the code that is rolled after preparing, running, wounds and several uses",
    results="code penalty",
)
@taking(Flags)
def working_code(play: Play, flags: Flags, *, code: str) -> tuple[str, int]:
    """The working code of one roll (`DIE-068`); Refused for several uses in a prepared round (`DIE-059`)."""
    return codes_of(play).write(flagged(play, code, "code", flags)), flags.penalty(play)


@procedure(
    "DIE-058 DIE-059 DIE-064 DIE-065 DIE-066 DIE-068 DIE-069 DIE-070 DIE-071 DIE-072 DIE-073 DIE-074 DIE-075 DIE-076",
    say="the codes of a whole round: what was declared, and reactions thrown in",
    results="penalties codes acts",
)
def round_(
    play: Play,
    *,
    declared: tuple[Use, ...] = (),
    order: tuple[Literal["declared"] | Use, ...] | None = None,
    running: bool = False,
    wounded: bool = False,
    prepared: bool = False,
    doubled: bool = False,
    doubled_from: Uses = 1,
) -> tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """Penalty and code of each roll of a round (`DIE-074`); moves are left out, and nothing declared may be dropped.

    `doubled_from` is the roll from which luck doubles when the point is spent in mid-round (`DIE-Q20`).
    """
    sequence = (DECLARED,) * len(declared) if order is None else order
    _check_round(play, declared, sequence, prepared)
    codes, penalties, written, acts = codes_of(play), list[int](), list[str](), list[str]()
    for number, (use, reactions, is_reaction) in enumerate(_uses(declared, sequence), 1):
        bonus = prepared and not reactions and not is_reaction
        flags = Flags(len(declared) + reactions, running, wounded, bonus, doubled and number >= doubled_from)
        penalty = flags.penalty(play)
        thrown_in = f", {reactions} thrown in" if reactions else ""
        play.tell(f"{use.name}: {len(declared)} declared{thrown_in}: {penalty}d off", "DIE-074")
        penalties.append(penalty)
        written.append(codes.write(left_of(play, use.code, f"code of {use.name}", flags)))
        acts.append(use.name)
    return tuple(penalties), tuple(written), tuple(acts)


def _uses(declared: tuple[Use, ...], sequence: tuple[str | Use, ...]) -> Iterator[tuple[Use, int, bool]]:
    """Each use in order with the reactions thrown in so far, this one included, and whether it is a reaction."""
    waiting, reactions = iter(declared), 0
    for item in sequence:
        if isinstance(item, Use):
            reactions += 1
            yield item, reactions, True
        else:
            yield next(waiting), reactions, False


def _check_round(play: Play, declared: tuple[Use, ...], sequence: tuple[str | Use, ...], prepared: bool) -> None:
    reactions, move = reactions_of(play), play.values.text("round.move")
    for number, use in enumerate(declared, 1):
        if use.name in reactions:
            message = f"declared[{number}]: {use.name} is a reaction; it is thrown in, not declared"
            raise Refused("reaction", message, "DIE-070")
        if use.name == move:
            raise Refused("move", f"declared[{number}]: a move is no use of a skill; leave it out", "DIE-Q21")
    for number, item in enumerate(sequence, 1):
        if isinstance(item, Use) and item.name not in reactions:
            message = f"order[{number}]: only {', '.join(reactions)} may be thrown in, not {quoted(item.name)}"
            raise Refused("reaction", message, "DIE-069")
    made = sum(1 for item in sequence if not isinstance(item, Use))
    if made != len(declared):
        message = f"order: {len(declared)} uses were declared and each must be attempted once, not {made}"
        raise Refused("declared", message, "DIE-073")
    if prepared and len(declared) > play.values.number("preparing.uses"):
        raise Refused("prepared", f"declared: one use in the round after preparing, not {len(declared)}", "DIE-059")


@procedure(
    "DIE-109 DIE-225",
    say="what is left of wounds and stuns as the next round begins",
    results="wounded stunned",
)
def end_round(play: Play, *, wounded: bool = False, stunned: bool = False) -> tuple[bool, bool]:
    """The two boxes as the next round begins: a stun is over, a wound is not (`DIE-225`)."""
    if stunned:
        play.tell("the stun is over", "DIE-225")
    if wounded:
        play.tell(f"still wounded: {play.values.number('penalty.wounded')}d off every roll", "DIE-062", "DIE-109")
    return wounded, False
