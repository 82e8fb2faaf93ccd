"""Steps that give levels: rolled in order, rolled and arranged, shared from points, or bought level by level."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sheetgen.dice.notation import Notation
from sheetgen.dice.source import Dice
from sheetgen.errors import among, quoted
from sheetgen.model.data import Data, Word
from sheetgen.model.system import Span, Trait, TraitGroup
from sheetgen.rules.creation.draft import ALL, NONE, ROLLED, Draft, Making, StepFunction

JITTER, MOST_TIMES = 8, 100


def members_of(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a `members` option picks: all, none, or a list; ValueError names an unknown one."""
    if text == ALL:
        return tuple(names)
    if text == NONE:
        return ()
    picked = [word.strip() for word in text.split(",") if word.strip()]
    for word in picked:
        if word not in names:
            raise ValueError(word)
    return tuple(name for name in names if name in picked)


def _roller(dice_to_roll: Notation) -> Callable[[Dice, str], int]:
    count, sides, modifier = dice_to_roll.count, dice_to_roll.sides, dice_to_roll.modifier
    if dice_to_roll.keep or dice_to_roll.tens:
        return lambda dice, purpose: dice_to_roll.total(dice.roll(count, sides, purpose))
    return lambda dice, purpose: dice.total(count, sides, purpose) + modifier


def rolled_span(making: Making) -> Span:
    """Return the lowest and the highest level that the dice of a step give, `times` so many."""
    values, times = making.dice().values, _times(making)
    return Span(values[0] * times, values[-1] * times)


def _times(making: Making) -> int:
    times = making.number("times") if "times" in making.step.params else 1
    if not 1 <= times <= MOST_TIMES:
        raise making.wrong(f"times is 1 to {MOST_TIMES}", making.word("times"))
    return times


def _rolled_within(making: Making, members: Sequence[Trait]) -> Callable[[Dice, str], int]:
    """Return what rolls the dice of a step; InputError where a result could lie outside a member's range."""
    rolled, span, times = making.dice(), rolled_span(making), _times(making)
    low, high = span.low, span.high
    for trait in members:
        if low not in trait.range or high not in trait.range:
            fits = f"but {trait.name} runs from {trait.range.low} to {trait.range.high}"
            message = f"{rolled} gives {low} to {high}, {fits} (change the dice or the range)"
            raise making.wrong(message, making.data("dice"))
    roll = _roller(rolled)
    return roll if times == 1 else lambda dice, purpose: times * roll(dice, purpose)


def roll_each(making: Making) -> StepFunction:
    """Return a step that rolls for each member of a group in order; `times: 5` makes levels of 3d6 times five.

    `only` is a list of some of them, or an option that picks them; `fixed` members take an option's level.
    """
    making.only("group", "dice", "times", "only", "fixed")
    group, fixed = making.group(), fixed_levels(making)
    shown = _picked(making, group)
    roll = _rolled_within(making, [each for each in group.members if each.role in shown and each.role not in fixed])
    rolled = [(trait.role, trait.name) for trait in group.members if trait.role in shown and trait.role not in fixed]
    every = [trait.role for trait in group.members]
    order = [role for role in every if role in shown]
    told = [f"{role}: {group.write(level)}, set by the GM" for role, level in fixed.items()]

    def step(draft: Draft, dice: Dice) -> None:
        levels = draft.levels
        levels.update(fixed)
        for role, name in rolled:
            levels[role] = roll(dice, name)
        if order:
            settled = draft.groups.get(group.name, {})  # by a step before, of others of the group
            draft.groups[group.name] = {
                role: levels[role] if role in order else settled[role]
                for role in every
                if role in order or role in settled
            }
        for line in told:
            draft.tell(line)

    return step


def _picked(making: Making, group: TraitGroup) -> list[str]:
    """Return the roles that `only` lists, or that the option picks which it names; all without it."""
    names = {trait.name: trait.role for trait in group.members}
    if "only" not in making.step.params:
        return list(names.values())
    if isinstance(making.data("only"), Word):
        option = making.option("only", "members")
        if option.of != group.name:
            raise making.wrong(
                f"option {option.name} picks from {option.of}, not from {group.name}", making.data("only")
            )
        return [names[name] for name in members_of(making.chosen(option), tuple(names))]
    for word in making.words("only"):
        if word not in names:
            raise making.wrong(f"only: {group.name} has no {quoted(word)}{among(word, names)}", word)
    return [role for name, role in names.items() if name in making.words("only")]


def fixed_levels(making: Making) -> dict[str, int]:
    """Return the levels, by role, that options set in the place of dice; one left to the dice is not among them."""
    data = making.step.params.get("fixed", {})  # type: ignore[call-overload]
    if not isinstance(data, Mapping):
        raise making.wrong("fixed must name traits and the option that sets each")
    fixed: dict[str, int] = {}
    for name, option_name in data.items():
        trait = making.named_trait(name)
        if not isinstance(option_name, Word):
            raise making.wrong(f"fixed: {name} must name one option", name)
        option = making.named_option(option_name, "level")
        if option.of != trait.role:
            raise making.wrong(f"option {option.name} sets {option.of}, not {trait.name}", option_name)
        value = making.chosen(option)
        if value != ROLLED:
            fixed[trait.role] = level_of(making, trait, value, option_name)
    return fixed


def level_of(making: Making, trait: Trait, written: str, at: Data) -> int:
    """Return the level of a trait that a text writes; InputError at the word where it writes none."""
    scale = making.system.group_of[trait.name].scale
    level = scale.read(written)
    if level is None:
        low, high = scale.write(trait.range.low), scale.write(trait.range.high)
        raise making.wrong(f"{quoted(written)} is not a level of {trait.name} (write one from {low} to {high})", at)
    return level


def roll_and_arrange(making: Making) -> StepFunction:
    """Return a step that rolls once per member of a group and gives the highest results to what matters most."""
    making.only("group", "dice", "times")
    group = making.group()
    roll = _rolled_within(making, group.members)
    leanings = _leanings(making)

    def step(draft: Draft, dice: Dice) -> None:
        results = sorted((roll(dice, f"result {number}") for number in range(1, len(group.members) + 1)), reverse=True)
        order = _order(draft, dice, leanings, group.members)
        given = dict(zip(order, results, strict=True))
        _settle(draft, group.name, {trait.role: given[trait.role] for trait in group.members})
        draft.tell("arranged: " + ", ".join(f"{trait.name} {given[trait.role]}" for trait in group.members))

    return step


def array(making: Making) -> StepFunction:
    """Return a step that gives these `levels` to the members of a group, the highest to what matters most.

    With `dealt: yes`, or where no archetype says what matters, they fall as the dice say. With `by: FIELD` there is a
    list for each word of that field, in the order of the group: `levels: {Pilot: [2, 0, -1], Widow: [0, 1, 1]}`.
    """
    making.only("group", "levels", "dealt", "by")
    group = making.group()
    if "by" in making.step.params:
        return _array_by(making, group)
    if isinstance(listed := making.data("levels"), Mapping):
        raise making.wrong("levels is one list; `by: FIELD` takes one for each word of a field", listed)
    levels = sorted(_levels_for_all(making, group, making.words("levels"), listed), reverse=True)
    dealt, leanings = making.step.params.get("dealt") == "yes", _leanings(making)  # type: ignore[call-overload]

    def step(draft: Draft, dice: Dice) -> None:
        told = not dealt and (leanings or draft.archetype is not None)
        order = _order(draft, dice, leanings, group.members) if told else []
        left = [trait.role for trait in group.members if trait.role not in order]
        while left:
            order.append(left.pop(dice.choose(len(left), "the next level")))
        given = dict(zip(order, levels, strict=True))
        _settle(draft, group.name, {trait.role: given[trait.role] for trait in group.members})
        draft.tell(", ".join(f"{trait.name} {group.write(given[trait.role])}" for trait in group.members))

    return step


def _array_by(making: Making, group: TraitGroup) -> StepFunction:
    """Return a step that gives each trait of a group the level that a word of the sheet has for it."""
    field, listed = making.field("by", "text", "choice"), making.data("levels")
    if not isinstance(listed, Mapping) or not all(isinstance(each, tuple) for each in listed.values()):
        raise making.wrong(f"levels must have a list for each word of {field.name}: {{Pilot: [2, 0, -1]}}", listed)
    for word in listed:
        if field.among and word not in field.among:
            raise making.wrong(f"levels: {field.name} has no word {quoted(word)}{among(word, field.among)}", word)
    levels = {str(word): _levels_for_all(making, group, words, word) for word, words in listed.items()}

    def step(draft: Draft, dice: Dice) -> None:
        said = draft.values.get(field.name)
        if not isinstance(said, str) or said not in levels:
            draft.tell(f"{field.title} {said or 'nobody'}: no levels")
            return
        given = dict(zip((trait.role for trait in group.members), levels[said], strict=True))
        _settle(draft, group.name, given)
        draft.tell(", ".join(f"{trait.name} {group.write(given[trait.role])}" for trait in group.members))

    return step


def _levels_for_all(making: Making, group: TraitGroup, words: Data, at: Data) -> list[int]:
    """Return one level for each member of a group, in their order."""
    if not isinstance(words, tuple) or len(words) != len(group.members):
        raise making.wrong(f"levels must be {len(group.members)}, one for each of {group.name}", at)
    return [_level_for_all(making, group, word) for word in words if isinstance(word, Word)]


def _level_for_all(making: Making, group: TraitGroup, word: Word) -> int:
    """Return a level that every member of a group may have."""
    level = level_of(making, group.members[0], str(word), word)
    outside = next((trait for trait in group.members if level not in trait.range), None)
    if outside is not None:
        raise making.wrong(f"{outside.name} cannot be at {word}", word)
    return level


def _leanings(making: Making) -> list[tuple[str, ...]]:
    cast = making.system.cast
    return [archetype.attributes for archetype in cast.archetypes.values() if archetype.attributes]


def _order(draft: Draft, dice: Dice, leanings: list[tuple[str, ...]], members: Sequence[Trait]) -> list[str]:
    """Return the roles of a group, most important first: the archetype's order, or that of one picked for a leaning.

    Where no archetype of the game says what matters, the dice do.
    """
    if not leanings:
        left = [trait.role for trait in members]
        return [left.pop(dice.choose(len(left), "what matters next")) for _ in members]
    wanted: tuple[str, ...] = ()
    if draft.archetype is not None:
        wanted = draft.archetype.attributes
    elif leanings:
        wanted = leanings[dice.choose(len(leanings), "leaning")]
    roles = [trait.role for trait in members]
    return [role for role in wanted if role in roles] + [role for role in roles if role not in wanted]


def share_points(making: Making) -> StepFunction:
    """Return a step that shares points among a group's members, one point a level, within their starting range."""
    making.only("group", "points")
    group, points = making.group(), making.number("points")
    leanings = _leanings(making)
    size = len(group.members)
    start = {trait.role: trait.start for trait in group.members}
    if not sum(span.low for span in start.values()) <= points <= sum(span.high for span in start.values()):
        raise making.wrong(f"{points} points cannot be shared among {size} members")

    def step(draft: Draft, dice: Dice) -> None:
        order = _order(draft, dice, leanings, group.members)
        each = points // size
        levels = {role: min(max(each, start[role].low), start[role].high) for role in order}
        _spend(levels, points - sum(levels.values()), order, start)
        for _ in range(JITTER):
            gains, loses = sorted((dice.choose(size, "more of this"), dice.choose(size, "less of that")))
            high, low = order[gains], order[loses]
            if high != low and levels[high] < start[high].high and levels[low] > start[low].low:
                levels[high] += 1
                levels[low] -= 1
        _settle(draft, group.name, {trait.role: levels[trait.role] for trait in group.members})
        draft.tell(f"{points} points: " + ", ".join(f"{trait.name} {levels[trait.role]}" for trait in group.members))

    return step


def _spend(levels: dict[str, int], left: int, order: list[str], start: Mapping[str, object]) -> None:
    """Bring the sum to the budget, one point at a time from the front."""
    while left:
        for role in order if left > 0 else reversed(order):
            if not left:
                return
            step = 1 if left > 0 else -1
            if levels[role] + step in start[role]:  # type: ignore[operator]
                levels[role] += step
                left -= step


def rising_cost(level: int) -> int:
    """Return the points for all levels up to this one when each costs as many as its number: n(n + 1) / 2."""
    return level * (level + 1) // 2


COSTS: Mapping[str, Callable[[int], int]] = {"rising": rising_cost, "one each": lambda level: level}


def level_cost(making: Making, group: TraitGroup) -> Callable[[int], int]:
    """Return the function from a level to its points in all, as `costs` of a step says (`rising` by default).

    `costs` is a family (`rising`, `one each`) or a value of the pack that lists what each level costs in all, level 1
    first; what is not listed cannot be bought. InputError at the step where it is neither, or lists too few.
    """
    if "costs" not in making.step.params:
        return rising_cost
    word, highest = making.word("costs"), max(trait.start.high for trait in group.members)
    if word in COSTS:
        return COSTS[word]
    listed = making.system.values.at(word) if making.system.values.has(word) else ()
    words = [each for each in listed if isinstance(each, Word) and each.isascii() and each.isdecimal()]
    if not isinstance(listed, tuple) or len(words) < max(highest, len(listed)):
        lists = f"lists a whole number for each level up to {highest}"
        raise making.wrong(f"costs must be {', '.join(COSTS)}, or name a value that {lists}", word)
    totals = (0, *map(int, words))
    return lambda level: totals[min(level, highest)]


def buy_levels(making: Making) -> StepFunction:
    """Return a step that spends points on a group level by level: an archetype's core first, then what the dice fancy.

    Without an archetype the skills of a trade that fits are bought. `costs` says what each level costs (`level_cost`).
    """
    making.only("group", "points", "costs", "without", "barred", "needs")
    group, points, able = making.group(), making.number("points"), needs(making)
    cost, highest = level_cost(making, group), max(trait.start.high for trait in group.members)
    barred = frozenset(barred_traits(making))
    roles = frozenset(trait.role for trait in group.members) - barred
    trades = [trade for trade in making.system.cast.occupations.values() if roles.intersection(trade.skills)]
    everything = [trait.role for trait in group.members if trait.role in roles]
    if not everything:
        raise making.wrong(f"every member of {group.name} is barred, so that there is nothing to buy")

    def step(draft: Draft, dice: Dice) -> None:
        if not able(draft):
            return
        if draft.archetype is not None:
            core, wanted = dict(draft.archetype.core), draft.archetype.also
        else:
            trade = trades[dice.choose(len(trades), "a trade to learn")] if trades else None
            core = dict.fromkeys(trade.skills[:2] if trade else (), 2)
            wanted = trade.skills if trade else ()
        levels = {role: level for role, level in core.items() if role in roles}
        left = points - sum(map(cost, levels.values()))
        best = min(max(levels.values(), default=2) + 1, highest)
        fancied = [role for role in dict.fromkeys((*levels, *wanted)) if role in roles]
        fancied.append(everything[dice.choose(len(everything), "a fancy of one’s own")])
        while left > 0:
            held = [(role, levels.get(role, 0)) for role in fancied]
            open_to = [role for role, level in held if level < best and cost(level + 1) - cost(level) <= left]
            if not open_to and fancied is everything:
                break
            if not open_to:
                fancied = everything
                continue
            role = open_to[dice.choose(len(open_to), "the next level")]
            levels[role] = levels.get(role, 0) + 1
            left -= cost(levels[role]) - cost(levels[role] - 1)
        _settle(draft, group.name, levels)
        draft.tell(f"{points} points: " + ", ".join(f"{role} {level}" for role, level in levels.items()))

    return step


def needs(making: Making) -> Callable[[Draft], bool]:
    """Return a check that each trait under `needs` of the step is absent, or has that level or a better one."""
    data = making.step.params.get("needs", {})  # type: ignore[call-overload]
    if not isinstance(data, Mapping):
        raise making.wrong("needs must name traits and the least level of each")
    for name, level in data.items():
        if not isinstance(level, Word):
            raise making.wrong(f"needs: {name} must state one level", name)
    least = [
        (trait.role, level_of(making, trait, str(level), level))
        for trait, level in ((making.named_trait(name), level) for name, level in data.items())
    ]
    return lambda draft: all(draft.levels.get(role, level) >= level for role, level in least)


def barred_traits(making: Making) -> tuple[str, ...]:
    """Return the roles that a switch keeps out: `barred` names the pack value that lists them, `without` the switch."""
    if "without" not in making.step.params:
        return ()
    allowed = making.chosen(making.option("without", "switch")) == "yes"
    listed = making.system.values.at(making.word("barred"))
    if not isinstance(listed, tuple):
        raise making.wrong("barred must name a list of traits")
    barred = tuple(making.named_trait(word).role for word in listed if isinstance(word, Word))
    return () if allowed else barred


def _settle(draft: Draft, group: str, levels: dict[str, int]) -> None:
    draft.groups[group] = levels
    draft.levels.update(levels)
