"""A fight of several on two sides, as far as the rules carry: whoever is struck is out of it, until one side is.

The pages give no figures for damage (`DIE-Q22`): how many blows put somebody out is a house default, as it is for two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.exchange import Opponent, best_reaction, skill_of
from sheetgen.systems.diecodes.fight import Act, Colliding, Fighter, Hits, Turn, declared, play_segments
from sheetgen.systems.diecodes.terms import NONE, Number, Wild


@dataclass(frozen=True, slots=True)
class Brawler(Opponent):
    """A fighter of one of two sides."""

    side: str = ""


@dataclass(frozen=True, slots=True)
class Brawled:
    """What a melee left of somebody: the blows taken."""

    who: str
    blows: int


@dataclass(frozen=True, slots=True)
class _Landing:
    """How blows are counted: at whom everybody aims in this round, and how many blows put somebody out."""

    aims: Mapping[str, str] = field(hash=False)
    wanted: int

    def __call__(
        self, taken: tuple[tuple[str, int], ...], hits: Hits, turns: tuple[Turn, ...]
    ) -> tuple[tuple[str, int], ...]:
        """Blows by victim, in the order in which they land; who is out lands none, equal totals land together."""
        count = dict(taken)
        for together in hits:
            able = [who for who in together if who in self.aims and count.get(who, 0) < self.wanted]
            for who in able:
                if count.get(self.aims[who], 0) < self.wanted:
                    count[self.aims[who]] = count.get(self.aims[who], 0) + 1
        return tuple(count.items())


@procedure(
    "DIE-028 DIE-062 DIE-064 DIE-070 DIE-071 DIE-074 DIE-205 DIE-206 DIE-207 DIE-212 DIE-213 DIE-Q13 DIE-Q22 DIE-Q34",
    "DIE-Q35",
    say="several fight on two sides until one side is out (house default: the source is silent on damage)",
    results="winner rounds fighters down",
)
def melee(
    play: Play,
    *,
    fighters: tuple[Brawler, ...],
    number: Number | None = None,
    blows: Annotated[int, Whole(1, 99)] | None = None,
    rounds: Annotated[int, Whole(1, 999)] | None = None,
    wild: Wild = "table",
) -> tuple[str, int, tuple[Brawled, ...], tuple[str, ...]]:
    """Each attacks the first enemy who is still in it, as listed, and throws in the best reaction against each attack.

    A blow wounds, and so many `blows` put somebody out; who is out lands none from then on (`DIE-Q34`, `DIE-Q35`).
    """
    sides = tuple(dict.fromkeys(each.side for each in fighters))
    if len(sides) != 2:
        raise Refused("sides", f"fighters: stand on two sides, not {len(sides)}", "DIE-205")
    wanted = play.values.number("exchange.blows") if blows is None else blows
    most = play.values.number("exchange.rounds") if rounds is None else rounds
    taken, count, hurt = dict[str, int](), 0, {each.who for each in fighters if each.wounded}
    while len(standing := _standing(fighters, taken, wanted)) > 1 and count < most:
        count += 1
        play.tell(f"round {count}", "DIE-205")
        able = tuple(each for each in fighters if taken.get(each.who, 0) < wanted)
        aims = {each.who: next(foe.who for foe in able if foe.side != each.side) for each in able}
        by_name = {each.who: each for each in able}
        ready = tuple(_ready(play, each, by_name[aims[each.who]], number, each.who in hurt) for each in able)
        declared(play, ready)
        names = tuple(each.who for each in able)
        start = tuple(taken.items())
        after = play_segments(play, ready, Colliding((names,), wild, seen=False), start, _Landing(aims, wanted))
        taken = dict(after.kept)
        hurt |= {who for who, blows_taken in taken.items() if blows_taken}
    winner = standing[0] if len(standing) == 1 else NONE
    play.tell(f"after {count} {'round' if count == 1 else 'rounds'}: {winner}", "DIE-Q22")
    down = tuple(each.who for each in fighters if taken.get(each.who, 0) >= wanted)
    return winner, count, tuple(Brawled(each.who, taken.get(each.who, 0)) for each in fighters), down


def _standing(fighters: tuple[Brawler, ...], taken: Mapping[str, int], wanted: int) -> list[str]:
    return list(dict.fromkeys(each.side for each in fighters if taken.get(each.who, 0) < wanted))


def _ready(play: Play, own: Brawler, foe: Brawler, number: Number | None, wounded: bool) -> Fighter:
    """What somebody declares: the attacks at one enemy, who throws in the best reaction."""
    skill = skill_of(play, own)
    at_range = play.values.text(f"arms.{skill}") == "range"
    if at_range and number is None:
        raise Refused("number", f"number: {skill} needs the range, as a number or a band", "DIE-028")
    act = Act(
        act=skill,
        code=own.code,
        number=number if at_range else None,
        at=foe.who,
        effect="wounded",
        reaction=best_reaction(play, foe, skill),
    )
    perception = own.perception or play.values.text("stats.least")
    return Fighter(own.who, perception, acts=(act,) * own.attacks, wounded=wounded)
