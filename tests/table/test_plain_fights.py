"""Encounters against fights played here once more: plain loops over dice, written from the rules, not the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from math import sqrt
from random import Random
from typing import Any

import pytest

from sheetgen.people.parameter_binding import parameters_from
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.rules.registry import engine_of
from sheetgen.table.encounter import encounter, troop_present
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

FIGHTS, PLAIN = 120, 2_000
SIDES = (("guard", "thief"), ("thief", "guard"))

Fighter = dict[str, Any]
Plain = Callable[[Random, list[Fighter]], tuple[int, int]]  # who wins, 0 or 1 (2 for nobody), and the rounds it took


def dice(random: Random, count: int) -> list[int]:
    return [random.randint(1, 6) for _ in range(count)]


def up_on(fighters: list[Fighter], side: int) -> list[Fighter]:
    return [each for each in fighters if each["side"] == side and each["up"]]


def winner_of(fighters: list[Fighter]) -> int:
    sides = {each["side"] for each in fighters if each["up"]}
    return sides.pop() if len(sides) == 1 else 2


# Die Codes: a code is dice and a plus of 0 to 2; the first die is wild and rolls on after each six (DIE-031, DIE-032).


def pips(code: str) -> int:
    count, _, plus = code.partition("d")
    return 3 * int(count) + int(plus or 0)


def die_code(random: Random, left: int) -> int:
    """The total of so many pips, 0 with less than a die (DIE-Q1)."""
    count, plus = divmod(left, 3)
    if left < 3:
        return 0
    wild = [*dice(random, 1)]
    while wild[-1] == 6:
        wild += dice(random, 1)
    return sum(wild) + sum(dice(random, count - 1)) + plus


TURNED_BY = {"melee": ("dodge", "melee parry", "brawling parry"), "throwing": ("dodge",)}
TURNED_BY |= {"brawling": TURNED_BY["melee"], "missile weapons": ("dodge",), "blaster": ("dodge",)}


def die_codes(random: Random, fighters: list[Fighter]) -> tuple[int, int]:
    rounds = 0
    while up_on(fighters, 0) and up_on(fighters, 1) and rounds < 100:
        rounds += 1
        standing = [each for each in fighters if each["up"]]
        aims = {each["at"]: up_on(fighters, 1 - each["side"])[0] for each in standing}
        totals = {each["at"]: die_code(random, pips(each["code"])) for each in standing}
        thrown_in = dict.fromkeys(totals, 0)
        for total in sorted(set(totals.values()), reverse=True):  # equal totals act at the same instant (DIE-Q34)
            landed = []
            for each in (one for one in standing if totals[one["at"]] == total):
                foe, skill = aims[each["at"]], each.get("skill", "brawling")
                short = skill in ("throwing", "missile weapons", "blaster")
                if not total or (short and total < 4):  # the middle of Short (DIE-107)
                    continue
                answers = [pips(foe["reactions"][name]) for name in TURNED_BY[skill] if name in foe["reactions"]]
                if answers:  # each reaction is one more use, a die off for each beyond the first (DIE-074)
                    thrown_in[foe["at"]] += 1
                    if die_code(random, max(answers) - 3 * thrown_in[foe["at"]]) >= total:
                        continue
                landed.append(each)
            for each in [one for one in landed if one["up"]]:
                aims[each["at"]]["struck"] = True
            for each in standing:
                each["up"] = each["up"] and not each.get("struck")
    return winner_of(fighters), rounds


# TSGS: 4, 5 and 6 succeed, a 1 takes a success away; by the first policy nobody rolls bonus dice (TSG-033, TSG-034).

DICE = {"Disability": 1, "Normal": 2, "Ability": 3, "Very": 4, "Extremely": 5, "Super": 6, "Ultra": 7}
SKILL = {"none": 0, "basic": 0, "+1": 1, "+2": 2}


def successes(random: Random, pool: int) -> int:
    return sum((face >= 4) - (face == 1) for face in dice(random, max(pool, 0)))


def more_wounds(fighter: Fighter) -> int:
    """What the row of TSG-066 adds for the level and the weapon."""
    level, weapon = DICE[fighter["levels"][fighter["attack"]]], fighter["weapon"]
    size = weapon.get("size") if weapon["kind"] == "melee" else weapon["kind"]
    if fighter["attack"] == "strength":
        return {"small": level >= 3, "one-handed": level >= 3, "larger": 2 * (level >= 4)}.get(size, 0)
    return int(fighter["attack"] == "dexterity" and size in ("small", "thrown") and level >= 3)


def tsgs_blow(random: Random, fighter: Fighter, foe: Fighter) -> int:
    """The wound points of an attack."""
    pool = DICE[fighter["levels"][fighter["attack"]]] + SKILL[fighter["attack_skill"]] - bool(fighter["wounds"])
    pool -= int(fighter.get("unskilled", 0)) if fighter["attack_skill"] == "none" else 0
    own = max(pool, 0)
    if foe["lies"]:  # who cannot defend is a roll against 1 (TSG-Q42)
        return 1 + more_wounds(fighter) if successes(random, own) >= 1 else 0
    other = max(DICE[foe["levels"]["agility"]] + SKILL[foe["defend_skill"]] - bool(foe["wounds"]), 0)
    hit = (successes(random, own), own) > (successes(random, other), other)  # more dice win (TSG-042)
    return 1 + more_wounds(fighter) if hit else 0


def tsgs(random: Random, fighters: list[Fighter]) -> tuple[int, int]:
    rounds = 0
    for each in fighters:
        each |= {"wounds": 0, "lies": 0, "dying": False}
    while up_on(fighters, 0) and up_on(fighters, 1) and rounds < 100:
        rounds += 1
        lay = {each["at"]: (each["lies"], each["dying"]) for each in fighters}
        plans = {each["at"]: up_on(fighters, 1 - each["side"])[0] for each in fighters if each["up"]}
        order = {}
        for each in (one for one in fighters if one["up"]):
            best = max(DICE[each["levels"]["agility"]], DICE[each["levels"]["speed"]])
            order[each["at"]] = successes(random, best - bool(each["wounds"]))
        for result in sorted(set(order.values()), reverse=True):
            acting = [each for each in fighters if order.get(each["at"]) == result and each["up"]]
            blows = [(each, plans[each["at"]]) for each in acting if not plans[each["at"]].get("dead")]
            struck = [(foe, tsgs_blow(random, each, foe), each["weapon"]["lethal"]) for each, foe in blows]
            for foe, points, _ in struck:
                foe["wounds"] += points
            for foe, points, lethal in sorted(struck, key=lambda blow: blow[0]["at"]):
                if points and successes(random, DICE[foe["levels"]["toughness"]]) < foe["wounds"]:
                    falls(random, foe, lethal)
        for each in fighters:
            if each["lies"] and lay[each["at"]] == (each["lies"], each["dying"]):
                each["lies"] -= 1
                each["dead"] = each.get("dead") or (not each["lies"] and each["dying"])
                each["up"] = not each["lies"] and not each["dead"]
    return winner_of(fighters), rounds


def falls(random: Random, foe: Fighter, lethal: bool) -> None:
    """Out cold for two dice of rounds, or dying for one (TSG-069, TSG-070, TSG-Q22)."""
    rounds = sum(dice(random, 1 if lethal else 2))
    if foe["dying"]:
        foe["lies"] = min(foe["lies"], rounds) if lethal else foe["lies"]
    else:
        foe["lies"] = rounds if lethal else max(foe["lies"], rounds)
        foe["dying"], foe["up"] = lethal, False


# GeneSix: two dice and two ratings against each other; the lead is harm, less what resists it (GEN-012, GEN-267).


def genesix(random: Random, fighters: list[Fighter]) -> tuple[int, int]:
    rounds = 0
    came = {each["at"]: sum(dice(random, 2)) + rating(each) for each in fighters}
    slots = [each["side"] for each in sorted(fighters, key=lambda each: (-came[each["at"]], each["side"]))]
    for each in fighters:
        each["stunned"] = 0
    while up_on(fighters, 0) and up_on(fighters, 1) and rounds < 20:
        rounds += 1
        acted = set[int]()
        for side in slots:
            able = [each for each in up_on(fighters, side) if each["at"] not in acted]
            foes = up_on(fighters, 1 - side)
            if able and foes:
                acted.add(able[0]["at"])
                genesix_turn(random, able[0], foes[0])
    return winner_of(fighters), rounds


def rating(fighter: Fighter) -> int:
    return int(fighter.get("attribute", 0)) + int(fighter.get("approach", 0))


def genesix_turn(random: Random, one: Fighter, foe: Fighter) -> None:
    if one["stunned"]:
        one["stunned"] -= 1
        return
    lead = sum(dice(random, 2)) + rating(one) - sum(dice(random, 2)) - rating(foe)
    while not lead:  # a roll-off with bare dice, which leads by nothing (GEN-014)
        first, second = dice(random, 2)
        if first != second:
            lead = 0 if first > second else -1
            break
    if lead >= 0:
        resists = int(foe.get("toughness", 0)) + int(foe.get("protective", 0))
        foe["wounds"] += max(max(lead, 1) - max(resists, 0), 1)
        foe["up"] = foe["wounds"] < foe["wounds_capacity"]
        foe["stunned"] = max(foe["stunned"], int("Stunning" in one["tags"]))


# GAMERS: two dice and a skill against two dice and a skill; a hit strikes one of three attributes (GAM-170, GAM-214).

BODY = ("Endurance", "Strength", "Reflexes")
SIZE = {"small": 1, "medium": 2, "large": 3, "huge": 4}
ADDS = {"unarmed": BODY[1:2], "held": BODY[1:2], "thrown": BODY[1:], "bow": BODY[1:], "firearm": BODY[2:]}


def quickie(random: Random, fighter: Fighter) -> tuple[int, int]:
    """A special result (1 for a triumph, -1 for a balls-up), and the total (GAM-135 to GAM-137)."""
    thrown, skill = sum(dice(random, 2)), int(fighter["skill"])
    special = 1 if thrown == 12 else -1 if thrown == 2 or thrown + skill <= 0 else 0
    if special:
        held = sum(dice(random, 2)) <= int(fighter["levels"][fighter["attribute"]]) + skill
        special = special if held == (special > 0) else 0
    return special, thrown + skill


def gamers(random: Random, fighters: list[Fighter]) -> tuple[int, int]:
    rounds = 0
    first = {each["at"]: sum(dice(random, 2)) + int(each["skill"]) for each in fighters}
    order = sorted(fighters, key=lambda each: (-first[each["at"]], each["side"]))
    while up_on(fighters, 0) and up_on(fighters, 1) and rounds < 100:
        rounds += 1
        guarding = {each["at"] for each in fighters}
        for each in order:
            foes = up_on(fighters, 1 - each["side"])
            if each["up"] and foes:
                guarded = foes[0]["at"] in guarding
                guarding.discard(foes[0]["at"])
                strike = quickie(random, each)
                if strike > (quickie(random, foes[0]) if guarded else (0, 0)):
                    gamers_injury(random, each, foes[0])
    return winner_of(fighters), rounds


def gamers_injury(random: Random, one: Fighter, foe: Fighter) -> None:
    harm = sum(dice(random, SIZE[one.get("size", "small")]))
    harm += sum(max(0, int(one["levels"][name]) - 9) for name in ADDS[one["weapon"]])  # GAM-212: A is 10
    ratings = [worn["rating"] for worn in foe.get("armour", ()) if sum(dice(random, 2)) < worn["coverage"]]
    if ratings:  # the first points are stopped, as many again halved (GAM-202)
        best = max(ratings)
        harm = max(0, min(harm - best, best)) // 2 + max(0, harm - 2 * best)
    while harm and any(foe["levels"].values()):
        struck = random.choice([name for name in BODY if foe["levels"][name]])
        taken = min(harm, foe["levels"][struck])
        foe["levels"][struck] -= taken
        harm -= taken
    foe["up"] = all(foe["levels"].values())


# Six Shooter, no cards spent: the lower die looks for a card in its hand, until there is none (SIX-034, SIX-061).


def six_shooter(random: Random, fighters: list[Fighter]) -> tuple[int, int]:
    deck, exchanges = [*range(1, 14)] * 4, 0
    random.shuffle(deck)
    for each in fighters:
        each["hand"] = [[deck.pop(), place == 0] for place in range(6)]
    while up_on(fighters, 0) and up_on(fighters, 1):
        exchanges += 1
        pair = up_on(fighters, 0)[0], up_on(fighters, 1)[0]
        thrown = dice(random, 2)
        for each, own, other in zip(pair, thrown, thrown[::-1], strict=True):
            if own <= other:
                roll_your_hand(random, each, deck)
    return winner_of(fighters), exchanges


def roll_your_hand(random: Random, fighter: Fighter, deck: list[int]) -> None:
    place = random.randrange(6)
    held = fighter["hand"][place]
    if held is None:  # a Strike, which loses the contest
        fighter["up"] = False
    elif held[1]:  # a card of the Lucky Number brings another (SIX-053, SIX-054)
        fighter["hand"][place] = [deck.pop(), True] if held[0] in fighter["lucky"] and deck else None
    else:
        held[1] = True


PLAINLY: Mapping[str, Plain] = {
    "gamers": gamers,
    "tsgs": tsgs,
    "sixshooter": six_shooter,
    "diecodes": die_codes,
    "genesix": genesix,
}
POLICIES = {"sixshooter": "no cards"}


@pytest.mark.parametrize("system", PLAINLY)
def test_who_wins_and_how_long_it_takes_is_what_a_plain_loop_finds(project: Project, system: str) -> None:
    pack = open_pack(project, system)
    rules = pack.system.encounter
    assert rules is not None
    people = []
    for side, kinds in enumerate(SIDES):
        rolled = [
            roller(pack, RollOptions(5, 1, 1, "", kind, {})).roll(10 * side + at) for at, kind in enumerate(kinds)
        ]
        people.append(rolled)
    troops = troop_present("first", people[0]), troop_present("second", people[1])
    tally = encounter(project, pack, troops, policy=POLICIES.get(system, ""), given={}, count=FIGHTS, seed=11)

    def sheet_of(at: int, side: int) -> Fighter:
        character = [*people[0], *people[1]][at]
        weapon = engine_of(pack.system).best_weapon(pack.system, character)
        first = f"{rules.fighters}.1"
        return tree_of(parameters_from(pack.system, rules.procedure, first, character, weapon), first) | {
            "at": at,
            "side": side,
            "up": True,
        }

    sheets = [sheet_of(at, side) for at, side in enumerate((0, 0, 1, 1))]
    random, wins, lengths = Random(3), [0, 0, 0], list[int]()
    for _ in range(PLAIN):
        won, rounds = PLAINLY[system](random, deepcopy(sheets))
        wins[won] += 1
        lengths.append(rounds)
    for share, plain in zip(tally.shares, wins, strict=True):
        true = plain / PLAIN
        assert abs(share - true) <= 4 * sqrt(max(true * (1 - true), 1 / FIGHTS) * (1 / FIGHTS + 1 / PLAIN))
    assert sum(tally.lengths) / FIGHTS == pytest.approx(sum(lengths) / PLAIN, rel=0.15)


def tree_of(values: Mapping[str, Any], first: str) -> Fighter:
    """The parameters of one fighter as branches: `fighters.1.levels.agility` becomes `levels`, `agility`."""
    made: Fighter = {}
    for path, value in values.items():
        *branches, leaf = path.removeprefix(f"{first}.").split(".")
        at = made
        for branch in branches:
            at = at.setdefault(branch, {})
        at[leaf] = value
    return made
