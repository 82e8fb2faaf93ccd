"""What is kept of an Operator from adventure to adventure: Lucky Numbers and Strikes."""

from __future__ import annotations

from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.rules.consequences import Consequence, Event, cited, reads
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.systems.sixshooter.figures import LUCK, STRIKES, lucky_numbers, strikes
from sheetgen.systems.sixshooter.luck import number_refused, third_strike


@reads()
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """A Lucky Number presented at the end of an adventure; the amount is the number itself (`SIX-065`, `SIX-066`)."""
    held = lucky_numbers(play.system, character)
    refusal = number_refused(play, event.amount, held, character.text("name"))
    if refusal:
        raise Refused("number", *refusal)
    said = cited(f"Lucky Number {event.amount}", "SIX-065", "SIX-066")
    return Consequence(said, _luck(play.system, (*held, event.amount)))


@reads(on=True)
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Strikes; after the third the Lucky Number named is given up, or the Operator retires (`SIX-068`, `SIX-069`)."""
    held, before = lucky_numbers(play.system, character), strikes(play.system, character)
    removal, after = play.values.number("strikes.removal"), before + event.amount
    if after > removal:
        raise Refused("strikes", f"{removal} Strikes are the most, and there were {before}", "SIX-038")
    if after < removal:
        if event.on:
            raise Refused("on", f"a Lucky Number is given up at Strike {removal}, and this is {after}", "SIX-068")
        return Consequence(cited(f"Strikes {before} to {after}", "SIX-036"), _strikes(play.system, after))
    word = event.one("none", "Lucky Numbers are given up")
    if word != "none" and not word.isdecimal():
        raise Refused("on", f"what is given up is a Lucky Number, not {word}", "SIX-068")
    given = int(word) if word.isdecimal() else "none"
    _, career, left, start = third_strike(play, lucky=held, sacrifice=given)  # type: ignore[arg-type]
    if career == "retired" or start is None:
        said = cited(f"Strikes {before} to {after}: retired for good", "SIX-068" if held else "SIX-069")
        return Consequence(said, _strikes(play.system, after))
    said = cited(f"the third Strike: gives up the Lucky Number {given}, back next adventure", "SIX-068")
    return Consequence(said, {**_luck(play.system, left), **_strikes(play.system, start)})


@reads(amount=False)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """The next adventure starts, and Strikes return to none, but not for somebody retired (`SIX-070`)."""
    before, start = strikes(play.system, character), play.values.number("strikes.start")
    if before >= play.values.number("strikes.removal"):
        raise Refused("retired", "retired for good by the third Strike", "SIX-068")
    if before == start:
        raise Refused("strikes", "there is no Strike to take away", "SIX-070")
    return Consequence(cited(f"Strikes {before} to {start}", "SIX-070"), _strikes(play.system, start))


def _luck(system: System, numbers: tuple[int, ...]) -> dict[str, Value]:
    members = system.group(LUCK).members
    return {LUCK: {trait.name: number for trait, number in zip(members, numbers, strict=False)}}


def _strikes(system: System, count: int) -> dict[str, Value]:
    return {STRIKES: {system.group(STRIKES).members[0].name: count} if count else {}}
