"""Fights of two, and of several on two sides: rounds of attack and reaction until blows decide, since no more is ruled.

The pages give no figures for damage (`DIE-Q22`), so that nothing here says what a blow does: only who lands it, after
how many rounds. How they spend their rounds, and how many blows decide, is a house default: the source is silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from sheetgen.errors import quoted
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import NONE, Number, Wild, codes_of
from sheetgen.systems.diecodes.fight import Act, Colliding, Fighter, Hits, Turn, declared, play_segments
from sheetgen.systems.diecodes.rounds import Use, reactions_of

SIDES = ("a", "b")


@dataclass(frozen=True, slots=True)
class Opponent:
    """One side: what it fights with, the codes as written, and how many attacks it declares in every round.

    `reactions` are the codes of the reactions it can throw in; the best one that meets the attack is.
    """

    code: str
    who: str = ""
    perception: str | None = None
    skill: Annotated[str, OneOf("arms")] | None = None
    reactions: Mapping[str, str] = field(default_factory=dict)
    attacks: Annotated[int, Whole(1, 9)] = 1
    wounded: bool = False


@dataclass(frozen=True, slots=True)
class _Pairing:
    """The two, what the log calls them, and the range between them."""

    sides: Mapping[str, Opponent]
    names: Mapping[str, str]
    number: Number | None


@dataclass(frozen=True, slots=True)
class _Score:
    """How an exchange stands: who is wounded, how many blows each has landed, and who has won, if anybody."""

    wounded: tuple[bool, ...]
    landed: tuple[int, ...] = (0, 0)
    winner: str = ""


@dataclass(frozen=True, slots=True)
class _Count:
    """How blows are counted: whose they are, and how many decide."""

    names: tuple[str, ...]
    wanted: int

    def __call__(self, score: _Score, hits: Hits, turns: tuple[Turn, ...]) -> _Score:
        """The score with the blows of a segment, in the order in which they came; equal totals land together."""
        for together in hits:
            landed = tuple(have + (who in together) for who, have in zip(self.names, score.landed, strict=True))
            enough = [side for side, have in zip(SIDES, landed, strict=True) if have >= self.wanted]
            decided = enough[0] if len(enough) == 1 else NONE if enough else ""
            score = replace(score, landed=landed, winner=score.winner or decided)
        return score


@procedure(
    "DIE-028 DIE-062 DIE-064 DIE-070 DIE-071 DIE-074 DIE-205 DIE-206 DIE-207 DIE-212 DIE-213 DIE-Q13 DIE-Q22 DIE-Q34",
    "DIE-Q35",
    say="two fight until a blow comes off (house default: the source is silent on damage)",
    results="winner rounds a_blows b_blows",
)
def exchange(
    play: Play,
    *,
    a: Opponent,
    b: Opponent,
    number: Number | None = None,
    blows: Annotated[int, Whole(1, 99)] | None = None,
    rounds: Annotated[int, Whole(1, 999)] | None = None,
    wild: Wild = "table",
) -> tuple[str, int, int, int]:
    """Rounds in which both attack and throw in their best reactions, until one has landed so many blows.

    `number` is the range of shots and throws; hand to hand only the reaction counts (`DIE-Q13`). A blow wounds, which
    takes a die off from the next roll on (`DIE-062`, `DIE-Q35`). Blows on equal totals land together (`DIE-Q34`).
    """
    sides = {"a": a, "b": b}
    _check(play, sides, number)
    if number is not None and all(
        play.values.text(f"arms.{skill_of(play, each)}") != "range" for each in sides.values()
    ):
        play.note("number: nobody shoots or throws, so that the range makes no difference (skill says how)", "DIE-Q13")
    names = _names(sides)
    pairing = _Pairing(sides, names, number)
    wanted = play.values.number("exchange.blows") if blows is None else blows
    most = play.values.number("exchange.rounds") if rounds is None else rounds
    fighters = tuple(_fighter(play, pairing, side) for side in SIDES)
    score, count = play.rounds(
        *(_round, _Score(tuple(each.wounded for each in fighters)), fighters, wild),
        _Count(tuple(names.values()), wanted),
        goes_on=lambda score: not score.winner,
        what="rounds of the exchange",
        most=most,
        counted=play.needs("rounds"),
        begins=lambda count: play.tell(f"round {count}", "DIE-205"),
    )
    won, landed = score.winner or NONE, dict(zip(SIDES, score.landed, strict=True))
    play.tell(
        f"after {count} {'round' if count == 1 else 'rounds'}: {_outcome_in_words(won, names, landed)}", "DIE-Q22"
    )
    return won, count, landed["a"], landed["b"]


def _round(play: Play, score: _Score, fighters: tuple[Fighter, ...], wild: Wild, count: _Count) -> _Score:
    now = tuple(replace(each, wounded=hurt) for each, hurt in zip(fighters, score.wounded, strict=True))
    declared(play, now)
    after = play_segments(play, now, Colliding((count.names,), wild, seen=False), score, count)
    return replace(after.kept, wounded=tuple(each.wounded for each in after.standing))


def _outcome_in_words(won: str, names: Mapping[str, str], landed: Mapping[str, int]) -> str:
    if won == NONE:
        return "nobody has the better of it"
    return f"{names[won]} has landed {'the first blow' if landed[won] == 1 else f'{landed[won]} blows'}"


def _check(play: Play, sides: Mapping[str, Opponent], number: Number | None) -> None:
    """Refused for reactions that the game lacks, and for shots and throws at no range (`DIE-028`, `DIE-069`)."""
    known = reactions_of(play)
    for side, each in sides.items():
        for name in each.reactions:
            if name not in known:
                message = f"{side}.reactions: takes {', '.join(known)}, not {quoted(name)}"
                raise Refused("reaction", message, "DIE-069")
        if number is None and play.values.text(f"arms.{skill_of(play, each)}") == "range":
            raise Refused("number", f"number: {skill_of(play, each)} needs the range, as a number or a band", "DIE-028")


def skill_of(play: Play, each: Opponent) -> str:
    """Return what an opponent fights with: bare hands where nothing is said."""
    return each.skill or play.values.text("exchange.bare_hands")


def _names(sides: Mapping[str, Opponent]) -> dict[str, str]:
    """What the log calls the two: by their names, unless both have the same one or none."""
    names = {side: each.who or side for side, each in sides.items()}
    return names if len(set(names.values())) == len(names) else {side: f"{who} ({side})" for side, who in names.items()}


def _fighter(play: Play, pairing: _Pairing, side: str) -> Fighter:
    """What one side declares: its attacks, each at the other one, who throws in the best reaction against it."""
    own, other = pairing.sides[side], next(name for name in SIDES if name != side)
    skill = skill_of(play, own)
    at_range = play.values.text(f"arms.{skill}") == "range"
    act = Act(
        act=skill,
        code=own.code,
        number=pairing.number if at_range else None,
        at=pairing.names[other],
        effect="wounded",
        reaction=best_reaction(play, pairing.sides[other], skill),
    )
    perception = own.perception or play.values.text("stats.least")
    return Fighter(pairing.names[side], perception, acts=(act,) * own.attacks, wounded=own.wounded)


def best_reaction(play: Play, defender: Opponent, attack: str) -> Use | None:
    """The reaction with the highest code that meets an attack with this skill, or None when there is none."""
    codes, values = codes_of(play), play.values
    meeting = values.at(f"exchange.answers.{values.text(f'arms.{attack}')}")
    able = [str(name) for name in meeting if str(name) in defender.reactions]
    if not able:
        return None
    worth = {name: codes.read(defender.reactions[name], f"reactions.{name}", empty=True) for name in able}
    best = max(able, key=lambda name: worth[name])
    return Use(best, defender.reactions[best])


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
    while len(standing := _sides_standing(fighters, taken, wanted)) > 1 and count < most:
        count += 1
        play.tell(f"round {count}", "DIE-205")
        able = tuple(each for each in fighters if taken.get(each.who, 0) < wanted)
        aims = {each.who: next(foe.who for foe in able if foe.side != each.side) for each in able}
        by_name = {each.who: each for each in able}
        ready = tuple(_declared(play, each, by_name[aims[each.who]], number, each.who in hurt) for each in able)
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


def _sides_standing(fighters: tuple[Brawler, ...], taken: Mapping[str, int], wanted: int) -> list[str]:
    return list(dict.fromkeys(each.side for each in fighters if taken.get(each.who, 0) < wanted))


def _declared(play: Play, own: Brawler, foe: Brawler, number: Number | None, wounded: bool) -> Fighter:
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
