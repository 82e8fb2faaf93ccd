"""What is kept of somebody from session to session: experience and the picks it buys, wound points, days of rest."""

from __future__ import annotations

from sheetgen.model.character import Character, Value
from sheetgen.rules.consequences import YES, Consequence, Event, cited, counted, levels_with, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.systems.tsgs.characters import levels_by_pair, pluses, tally
from sheetgen.systems.tsgs.skills import advance, plus_of, skill_label, universal_in
from sheetgen.systems.tsgs.wounds import recover

REFUSED = {
    "no_tutor": ("nobody taught {}: --helper says that somebody did", "TSG-084"),
    "not_enough_xp": ("too few points for {}", "TSG-082"),
    "advanced_not_allowed": ("{} would be more advanced than the GM allows", "TSG-088"),
}


@reads(on=True, helper=YES)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """The award of a session, and a skill pick for each skill named (`TSG-080` to `TSG-084`)."""
    system, counts = play.system, tally(play.system, character)
    least, most = (play.values.number(f"experience.award.{name}") for name in ("least", "most"))
    if not least <= event.amount <= most:
        told = f"a session gives {least} to {most} points, not {event.amount}"
        raise Refused("award", told, "TSG-080")
    if event.helper and not event.on:
        raise Refused("helper", "a teacher teaches a skill: name it with --on, or leave --helper out", "TSG-084")
    own = {name.casefold(): ("own", name) for name in character.numbers("own")}
    bought = [own.get(each.casefold()) or trait_named(system, ("skills",), each) for each in event.on]
    names = tuple(name for _, name in bought)
    legal, left, skills, problems = advance(
        play,
        xp=counts["xp"],
        award=event.amount,
        skills=tuple(skill_label(name, plus) for name, plus in pluses(character).items()),
        universal=tuple(universal_in(play.values, character.text("setting"))),
        buy=names,
        tutored=names if event.helper else (),
    )
    if not legal:
        words, rule = REFUSED[min(problems)]
        raise Refused(min(problems), words.format(", ".join(names)), rule)
    after = {name: plus + 1 for name, plus in map(plus_of, skills)}
    changes = _tally(play, character, xp=left, bought=counts["bought"] + len(names))
    values: dict[str, Value] = {**changes}
    for group in {group for group, _ in bought}:
        values[group] = levels_with(character, group, {name: after[name] for each, name in bought if each == group})
    gained = f", {' and '.join(skill_label(name, after[name] - 1) for name in dict.fromkeys(names))}" if names else ""
    rules = ("TSG-081", "TSG-082") if names else ("TSG-081",)
    return Consequence(cited(f"experience {counts['xp']} to {left}{gained}", *rules), values)


@reads()
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Wound points, added to those that are open (`TSG-065`)."""
    before = tally(play.system, character)["wounds"]
    after = before + event.amount
    said = cited(f"wounds {before} to {after}", "TSG-065")
    return Consequence(said, _tally(play, character, wounds=after))


@reads(helper=YES)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """Days of rest, with a medic where somebody helps (`TSG-075` to `TSG-077`)."""
    before = tally(play.system, character)["wounds"]
    if not before:
        raise Refused("unhurt", "there is no wound point to close", "TSG-075")
    tough = levels_by_pair(play.system, character)[play.values.text("wounds.toughness")]
    medic = bool(event.helper)
    left, _ = recover(play, tough=tough, wounds=before, days=event.amount, medic=medic)
    came = f"wounds {before} to {left}" if left < before else f"no better yet, wounds {before}"
    said = cited(f"{counted(event.amount, 'day')} of rest: {came}", "TSG-075", *(("TSG-076",) if medic else ()))
    return Consequence(said, _tally(play, character, wounds=left))


def _tally(play: Play, character: Character, **counts: int) -> dict[str, dict[str, int]]:
    names = {trait.role: trait.name for trait in play.system.group("tally").members}
    return {"tally": levels_with(character, "tally", {names[role]: count for role, count in counts.items()})}
