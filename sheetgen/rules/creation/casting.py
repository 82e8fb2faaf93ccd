"""Steps that turn rolled numbers into a person: name, people, manner, story and age."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from sheetgen.dice.source import Dice, latin_pair, shuffled
from sheetgen.errors import quoted, suggestion
from sheetgen.model.cast import HE, SHE, Hook, NameSet, Phrase, fits
from sheetgen.model.character import Value
from sheetgen.rules.creation.dealing import APART, ConditionalChoices, Dealer
from sheetgen.rules.creation.draft import Draft, Given, Making, StepFunction

SLOT = "{friend}"
THEY = "they"
ONE = "one"
MOST_LINES = 20
LONG_ROMAN = 40  # from here on, names that come again are numbered in digits
PRONOUNS = (SHE, HE, THEY)
OF_A_HOOK = ("want", "voice")
WIDER = {"manners": 9, "hooks": 3}  # hands more than a list needs, so that no two come round together


def people_names(making: Making) -> StepFunction:
    """A step that names the character; names do not repeat before every first name has met every family name.

    Where several sets of names fit, a run deals them in turn; an option that they ask for, such as `culture`, may be
    `one`: then a whole run, and a group with it, is of one set that the seed chooses. Where no set fits wholly, those
    do of which the condition that stands last holds. `pronouns: FIELD` writes the pronouns that go with a name, and an
    option of that name keeps to one of them.
    """
    making.only("pronouns")
    cast, archetype = making.system.cast, making.plan.archetype
    into = making.field("pronouns", "text").name if "pronouns" in making.step.params else ""
    if archetype is not None and archetype.names:
        return _own_names(archetype.names, making)
    if not cast.given or not cast.family:
        raise making.wrong("the pack has no names: npcs.yaml needs given and family names")
    wish = making.plan.options.get(into, "") if into else ""
    sets = [_Dealt(names, making, number, wish) for number, names in enumerate(cast.name_sets)]
    asked = {trait for names in cast.name_sets for trait, _ in names.fits}
    of_one = any(making.plan.options.get(trait) == ONE for trait in asked)
    # A name rolled again is of one people; so are the archetypes of a group.
    whole = f"{making.system.id}\0{making.run}\0people".encode()
    order = shuffled(len(sets), whole if of_one else replace(making, seed=making.run).key("sets"))

    def step(draft: Draft, dice: Dice) -> None:
        fitting = [sets[at] for at in order if fits(sets[at].names.fits, draft.levels)]
        fitting = fitting or [sets[at] for at in order if fits(sets[at].names.fits[-1:], draft.levels)] or sets[:1]
        number, at = divmod(draft.index - 1, 1 if of_one else len(fitting))
        first, name = _name(number, fitting[at:] + fitting[:at])
        names = draft.names = fitting[at].names
        draft.values["name"] = name
        draft.tell(f"name: {name}")
        if into:
            pronoun = wish if wish in PRONOUNS else names.pronoun(first)
            draft.values[into] = pronoun or PRONOUNS[dice.choose(2, "pronoun")]

    return step


class _Dealt:
    """A set of names in the order in which a run deals them, less the first names that its pronoun does not bear."""

    def __init__(self, names: NameSet, making: Making, number: int, wish: str) -> None:
        words = (number + 1,) if len(making.system.cast.name_sets) > 1 or names.fits else ()
        given = names.given if wish == THEY and names.given else names.borne_by(wish)
        self.names = names
        self.given = [given[at] for at in shuffled(len(given), making.key("given", *words))]
        self.family = [names.family[at] for at in shuffled(len(names.family), making.key("family", *words))]


def _name(number: int, sets: Sequence[_Dealt]) -> tuple[str, str]:
    """Return the first name and the whole name with that number of the first set, from 0.

    When its own family names are through, those of the other sets follow, and then a numeral.
    """
    given = sets[0].given
    turn, number = divmod(number, len(given) * sum(len(each.family) for each in sets))
    for each in sets:
        if number < len(given) * len(each.family):
            break
        number -= len(given) * len(each.family)
    first, last = latin_pair(number, len(given), len(each.family))
    again = f" {numeral(turn + 1)}" if turn else ""
    return given[first], f"{given[first]} {each.family[last]}{again}"


def _own_names(names: Sequence[str], making: Making) -> StepFunction:
    """A step that deals an archetype's own names, numbered when they begin again."""
    dealt = [names[at] for at in shuffled(len(names), making.key("names"))]

    def step(draft: Draft, dice: Dice) -> None:
        turn, at = divmod(draft.index - 1, len(dealt))
        draft.values["name"] = name = f"{dealt[at]} {numeral(turn + 1)}" if turn else dealt[at]
        draft.tell(f"name: {name}")

    return step


def numeral(number: int) -> str:
    """Return the number of somebody whose name comes again: in Roman figures as long as those are short."""
    if number >= LONG_ROMAN:
        return str(number)
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def given(making: Making) -> StepFunction:
    """A step that lays down what the archetype gives; no later step changes it."""
    making.only()
    system, archetype = making.system, making.plan.archetype
    gives = archetype.gives if archetype is not None else {}
    roles = {group.name: {trait.name: trait.role for trait in group.members} for group in system.groups}
    groups: dict[str, dict[str, int]] = {}
    for name in roles.keys() & gives.keys():
        levels = gives[name]
        if isinstance(levels, Mapping):
            groups[name] = {roles[name][trait]: level for trait, level in levels.items() if isinstance(level, int)}
    options = making.system.creation.options.values()
    words = [each for each in options if each.kind == "word" and gives.get(each.name) in each.among]
    settled = Given(groups, {name: value for name, value in gives.items() if name not in roles}) if gives else None

    def step(draft: Draft, dice: Dice) -> None:
        draft.given = settled
        draft.keep()
        for option in words:  # what an archetype is, phrases that fit go by
            draft.words[option.name] = word = str(gives[option.name])
            draft.levels[option.name] = option.among.index(word)
        told = f"to every {archetype.name}: {', '.join(gives)}" if settled is not None and archetype is not None else ""
        draft.tell(told or "nothing")

    return step


def share_out(making: Making) -> StepFunction:
    """A step that divides a rating among named people, each with a share of its own."""
    making.only("of", "into")
    pool, into = making.trait("of").role, making.field("into", "ratings").name
    cast = making.system.cast
    if not cast.given or not cast.relations:
        raise making.wrong("the pack has no given names or no relations")
    kin = cast.relations
    places = {each: place for place, each in enumerate(kin)}  # numbers are told apart faster than relations
    by_age = {
        age: ConditionalChoices(
            (places[each], each.fits) for each in kin if not (age and each.ages) or age in each.ages
        )
        for age in ("", *cast.ages)
    }

    def step(draft: Draft, dice: Dice) -> None:
        rating = draft.levels.get(pool, 0)
        if not rating:
            draft.tell("people: nobody")
            return
        names = draft.names or NameSet(cast.given, cast.family)
        people: dict[str, int] = {}
        taken, met = {str(draft.values.get("name", "")).partition(" ")[0]}, set[int]()
        fitting = by_age.get(draft.age, by_age[""]).fitting(draft.levels)
        for share in _shares(rating, dice):
            others, relation, who = fitting.without(met) or fitting, None, ""
            if others:
                place = others[dice.choose(len(others), "relation")]
                met.add(place)
                relation = kin[place]
                who = relation.who
            name = _new_name(names.borne_by(who), taken, dice)
            taken.add(name)
            people[f"{name}, {relation.say}" if relation is not None else name] = share
        draft.values[into] = people
        draft.friend = next(iter(people)).partition(",")[0]
        if draft.log is not None:
            draft.tell("people: " + "; ".join(f"{name} {share}" for name, share in people.items()))

    return step


def _shares(rating: int, dice: Dice) -> list[int]:
    """The rating in one to four whole parts of 2 or more where it is large enough, the largest first."""
    count = 1 + dice.choose(min(4, max(rating // 2, 1)), "how many people")
    shares = [min(2, rating)] * count
    for _ in range(rating - sum(shares)):
        shares[dice.choose(count, "who matters more")] += 1
    return sorted(shares, reverse=True)


def _new_name(given: Sequence[str], taken: AbstractSet[str], dice: Dice) -> str:
    at = dice.choose(len(given), "a name")
    for step in range(len(given)):
        name = given[(at + step) % len(given)]
        if name not in taken:
            return name
    return given[at]


def phrase(making: Making) -> StepFunction:
    """A step that gives a character one line from a list; neighbours in a run do not share one.

    In a field that is a list the line joins what is there, and `times` gives so many different ones. `want` and `voice`
    name the fields for what a hook says of these.
    """
    making.only("from", "into", "times", *OF_A_HOOK)
    field = making.field("into", "text", "choice", "list")
    name, into, times = making.word("from"), field.name, making.number("times") if "times" in making.step.params else 1
    if not 1 <= times <= (MOST_LINES if field.kind == "list" else 1):
        raise making.wrong(f"times must be 1 to {MOST_LINES}, and 1 where the field is no list", making.word("times"))
    also = {part: making.field(part, "text").name for part in OF_A_HOOK if part in making.step.params}
    fitting = [line for line in _lines_of(making, name) if making.may_fit(line.fits)]
    usable, spare = _usable(fitting), 1 + any(isinstance(line, Hook) for line in fitting)
    lines = [(line, line.fits) for line in fitting]
    few = {line for line in fitting if isinstance(line, Hook) and line.trades}
    wider = WIDER.get(name, 17)
    dealer = Dealer(lines, making.key(name), each=times, spare=spare, wider=wider, few=few, motif=_motif)

    def step(draft: Draft, dice: Dice) -> None:
        taken, may = set[Phrase | Hook](), usable(draft)
        for turn in range(times):
            line = dealer.deal(draft.index, draft.levels, dice, taken=taken, usable=may, turn=turn)
            if line is None:
                draft.tell(f"{into}: none that fits")
                return
            taken.add(line)
            said = line.say.replace(SLOT, draft.friend)
            draft.values[into] = _with_line(draft.values.get(into), said) if field.kind == "list" else said
            draft.tell(f"{into}: {said}")
            for part, other in also.items():
                if words := getattr(line, part, ""):
                    draft.values[other] = words.replace(SLOT, draft.friend)

    return step


def _motif(line: Phrase | Hook) -> str:
    return line.motif if isinstance(line, Hook) else ""


def _usable(lines: Sequence[Phrase | Hook]) -> Callable[[Draft], Callable[[Phrase | Hook], bool] | None]:
    """Return what says of a draft which of these lines can be told of it; None stands for all."""
    picky = any(isinstance(line, Hook) and (line.ages or line.without or line.trades) for line in lines)

    def usable(draft: Draft) -> Callable[[Phrase | Hook], bool] | None:
        if draft.friend and not picky:
            return None
        known = {
            who.partition(", ")[2]
            for listed in draft.values.values()
            if not isinstance(listed, str | tuple)
            for who in listed
        }
        trade = str(draft.values.get("occupation", ""))
        return lambda line: (
            (bool(draft.friend) or SLOT not in line.say)
            and (not isinstance(line, Hook) or line.told_of(draft.age, trade, known))
        )

    return usable


def _lines_of(making: Making, name: str) -> Sequence[Phrase | Hook]:
    """Return the list of that name: the archetype's own, or else the pack's; InputError if there is none."""
    cast, archetype = making.system.cast, making.plan.archetype
    lists: dict[str, Sequence[Phrase | Hook]] = {"manners": cast.manners, "hooks": cast.hooks, **cast.phrases}
    if archetype is not None:
        own: dict[str, Sequence[Phrase | Hook]] = {
            "manners": archetype.manners,
            "hooks": archetype.hooks,
            **archetype.phrases,
        }
        lists |= {part: phrases for part, phrases in own.items() if phrases}
    elsewhere = {part for each in cast.archetypes.values() for part in each.phrases}
    if name not in lists and name not in elsewhere:
        raise making.wrong(f'"{name}" is not a list of phrases: use {" or ".join(lists)}', making.word("from"))
    return lists.get(name, ())


def _with_line(listed: Value | None, line: str) -> tuple[str, ...]:
    """Return a list of lines with one more, unless it is there already."""
    lines = listed if isinstance(listed, tuple) else ()
    return lines if line in lines else (*lines, line)


def age(making: Making) -> StepFunction:
    """A step that says in words how old somebody is, at an age of life at which their trade is held, one of `ages`.

    Whoever has a name of the archetype's own, such as a monster, is of no age that shows.
    """
    making.only("into", "ages")
    ages, into = making.system.cast.ages, making.field("into", "text").name
    if not ages:
        raise making.wrong("the pack has no ages")
    old_enough = tuple(map(str, making.words("ages"))) if "ages" in making.step.params else tuple(ages)
    if unknown := [name for name in old_enough if name not in ages]:
        raise making.wrong(f"there is no age {quoted(unknown[0])}{suggestion(unknown[0], ages)}", making.data("ages"))

    dealt = {name: [words[at] for at in shuffled(len(words), making.key("age", name))] for name, words in ages.items()}

    def step(draft: Draft, dice: Dice) -> None:
        if draft.archetype is not None and draft.archetype.names:
            draft.tell("nothing")
            return
        held = draft.occupation.ages if draft.occupation is not None and draft.occupation.ages else tuple(ages)
        held = tuple(name for name in held if name in old_enough) or old_enough
        likely = [name for name in held for _ in ages.get(name, ())]
        draft.age = likely[dice.choose(len(likely), "age")]
        # In turn by number: nobody has the words of a neighbour, however the ages of life fall. Trades come round every
        # APART people: so a list of at most so many words begins one later in each round, and is not in step with them.
        words = dealt[draft.age]
        round, at = divmod(draft.index - 1, len(words))
        said = words[(at + round) % len(words) if len(words) <= APART else at]
        draft.values[into] = said
        draft.tell(f"{into}: {said}")

    return step
