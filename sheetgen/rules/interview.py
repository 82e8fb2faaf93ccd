"""Making a character by choice: questions about each step in turn, and a character when all are answered.

The next question is a pure function of the answers so far, so that going back leaves out the last answer. A person who
accepts every suggestion gets the character that the same seed rolls. Nothing here reads from a terminal or a file: a
judge that the caller passes in says what a character file of the game would be refused for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sheetgen.model.character import Character, Value
from sheetgen.model.system import FieldSpec, Step, System
from sheetgen.model.wording import capital
from sheetgen.rules.conversation import Asking, PresetAnswers, Prompt, asked, cited, settle
from sheetgen.rules.creation.answers import (
    BrokenRule,
    RefusedAnswer,
    changed,
    listed,
    named,
    numbered,
    picked,
    unquoted,
)
from sheetgen.rules.creation.choices import ChoiceForm, ChoiceFormMaker, forms_of
from sheetgen.rules.creation.draft import Draft, RollPlan, copy_of, set_field
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller

AGAIN = "again"
OFFERED, TRIED = 5, 12  # texts that are offered at a time, and streams of dice that are tried to find them
FEW_ROLLS = 8  # so many lines of dice are shown at once, more of them to whoever asks

_DICE = re.compile(r": \d+(?: \+ \d+|, \d+)*(?: = -?\d+)?(?: ->.*)?$")  # a line that tells how dice fell
HOW_TO_TYPE = {
    "text": "type another",
    "choice": "type another of its words",
    "list": "type a thing to add it, “- 2” to drop the second",
    "levels": "type names with levels, such as {example}",
    "ratings": "type names with levels, such as {example}; “- name” drops one",
    "text per trait": "type “name: text”; “- name” drops one",
    "list per trait": "type “name: one, two”; “- name” drops one",
}
EXAMPLES = 2

Judge = Callable[[Character], Sequence[str]]
Filled = dict[str, "Value | None"]

SEEDS = 2**63
Values = Mapping[str, "Value | None"]


def interview(
    system: System, settled: PresetAnswers, seed: int, judge: Judge, rollers: dict[object, Roller] | None = None
) -> Asking[Character]:
    """Ask for everything in the order of the game's own creation, and return the character.

    `rollers` caches compiled rollers between calls with the same answers and more.
    """
    plan = yield from settle(system, settled)
    roller = Roller(system, plan, seed) if rollers is None else _roller_for(rollers, system, plan, seed)
    session = ChoiceSession(system, roller, judge, forms=engine_of(system).forms)
    draft = session.roller.begun(1)
    for slot in session.roller.slots:
        draft = yield from _step(session, slot, draft)
    draft = yield from _review(session, draft)
    made = session.roller.finished(draft)
    assert made.origin is not None
    return replace(made, origin=replace(made.origin, rerolled=session.seeds))


def _roller_for(rollers: dict[object, Roller], system: System, plan: RollPlan, seed: int) -> Roller:
    key = (plan.method, plan.archetype.name if plan.archetype else "", tuple(plan.options.items()))
    if key not in rollers:
        rollers[key] = Roller(system, plan, seed)
    return rollers[key]


def _step(session: ChoiceSession, slot: str, draft: Draft) -> Asking[Draft]:
    """Ask about one step until something is accepted; a step that fills no field asks nothing."""
    tries = 0
    while True:
        tried = session.try_step(slot, draft, tries)
        if not tried.made:
            return tried.draft
        specs = [session.spec(name) for name in tried.made]
        if all(spec.kind == "text" for spec in specs):  # of several, the first is what others belong to
            taken, tries = yield from _offered_text(session, tried, specs[0], draft)
        elif len(specs) == 1 and specs[0].kind == "choice":
            taken = yield from _chosen_word(session, tried, specs[0])
        else:
            taken, tries = yield from _changeable_fields(session, tried, specs)
        if taken is not None:
            if tries:
                session.seeds[slot] = session.seed(tries)
            return taken


def _heading(session: ChoiceSession, slot: str) -> tuple[str, str, str]:
    """Return the title of a step, what it says to people, and its rule."""
    step = session.step(slot)
    return capital(step.name), step.say, step.rule


def _offered_text(
    session: ChoiceSession, tried: TriedStep, spec: FieldSpec, draft: Draft
) -> Asking[tuple[Draft | None, int]]:
    """Ask for a text, offered or the person's own, and return its draft; None with a further try for more offers."""
    offers: dict[str, TriedStep] = {}
    for tries in range(tried.tries, tried.tries + TRIED):
        other = tried if tries == tried.tries else session.try_step(tried.slot, draft, tries)
        said = other.made.get(spec.name)
        if isinstance(said, str) and len(offers) < OFFERED:
            offers.setdefault(said, other)
    lines = numbered(offers)
    ask = f"Enter takes 1; a number takes another; {AGAIN} offers more; or type your own"

    def read(answer: str) -> tuple[Draft | None, int]:
        if answer.casefold() == AGAIN:
            return None, tried.tries + TRIED
        if not answer or (answer.isascii() and answer.isdigit()):
            number = int((answer or "1")[:9])
            if not 1 <= number <= len(offers):
                raise RefusedAnswer(f"there is no number {number}: type 1 to {len(offers)}, or a text of your own")
            taken = list(offers.values())[number - 1]
            return taken.draft, taken.tries
        own = session.with_values(tried, {spec.name: unquoted(answer)})
        for name in tried.made.keys() - {spec.name}:  # what a rolled story wants belongs to no other one
            own.values.pop(name, None)
        return own, tried.tries

    question = Prompt(*_heading(session, tried.slot), lines, ask, help_lines(session.system, [spec], tried.made, {}))
    return (yield from asked(question, read))


def _chosen_word(session: ChoiceSession, tried: TriedStep, spec: FieldSpec) -> Asking[Draft]:
    """Ask for one of the words that a field may hold; Enter takes what the dice suggest."""
    ask = f"Type a number or a word; Enter: {tried.made[spec.name]}"
    question = Prompt(
        *_heading(session, tried.slot), numbered(spec.among), ask, help_lines(session.system, [spec], tried.made, {})
    )

    def read(answer: str) -> Draft:
        if not answer:
            return tried.draft
        return session.with_values(tried, {spec.name: picked(answer, spec.among, spec.title.lower())})

    return (yield from asked(question, read))


def _changeable_fields(
    session: ChoiceSession, tried: TriedStep, specs: Sequence[FieldSpec]
) -> Asking[tuple[Draft | None, int]]:
    """Ask about what the dice made, which may be changed, until it is accepted. Return None and a try to roll anew."""
    forms = forms_of(session.roller.making(tried.slot), tried.draft, session.forms)
    now = dict(tried.made)
    while True:
        question = _question(session, tried, specs, now, forms)

        def read(answer: str, now: Filled = now) -> Filled | Draft | int:
            if answer.casefold() == AGAIN:
                return tried.tries + 1
            if not answer:
                return _accepted(session, tried, now, forms)
            return _changed(session, tried, now, answer, forms)

        answer = yield from asked(question, read)
        if isinstance(answer, int):
            return None, answer
        if isinstance(answer, Draft):
            return answer, tried.tries
        now = answer


def _question(
    session: ChoiceSession,
    tried: TriedStep,
    specs: Sequence[FieldSpec],
    now: Filled,
    forms: Mapping[str, ChoiceForm],
) -> Prompt:
    untouched = now == tried.made
    dice = [line.strip() for line in tried.log if _DICE.search(line)] if untouched else []
    lines = dice if len(dice) <= FEW_ROLLS else []
    for spec in specs:
        lines += lines_of(session.system, spec, now[spec.name])
        lines += forms[spec.name].standing(levels_of(now, spec.name)) if spec.name in forms else ()
    how = how_to_answer(session.system, specs, now, forms)
    ask = f"Enter takes {'these' if untouched else 'your choice'}; {AGAIN} rolls anew; {how}"
    more = (*help_lines(session.system, specs, now, forms), *(line.strip() for line in tried.log))
    return Prompt(*_heading(session, tried.slot), tuple(lines), ask, more)


def _accepted(session: ChoiceSession, tried: TriedStep, now: Filled, forms: Mapping[str, ChoiceForm]) -> Draft:
    if now == tried.made:
        return tried.draft
    refusals = [refusal for name, form in forms.items() if (refusal := form.refusal(levels_of(now, name)))]
    if refusals:
        raise RefusedAnswer(*(cited(refusal, session.step(tried.slot).rule) for refusal in refusals))
    return session.with_values(tried, now)


def _changed(
    session: ChoiceSession, tried: TriedStep, now: Filled, answer: str, forms: Mapping[str, ChoiceForm]
) -> Filled:
    specs = [session.spec(name) for name in now]
    likely = [spec for spec in specs if spec.name in forms]
    meant = [spec for spec in specs if _begins_with_a_name(session, spec, answer)]
    spec, said = _addressed(specs, answer, meant if len(meant) == 1 else likely)
    if spec.name not in forms:
        return {**now, spec.name: changed(spec, now[spec.name], said, session.system)}
    try:
        return {**now, spec.name: forms[spec.name].changed(levels_of(now, spec.name), said)}
    except BrokenRule as broken:
        raise RefusedAnswer(cited(str(broken), session.step(tried.slot).rule)) from None


def _begins_with_a_name(session: ChoiceSession, spec: FieldSpec, answer: str) -> bool:
    names = session.system.group(spec.name).members if spec.kind == "levels" else ()
    return any(answer.casefold().startswith(trait.name.casefold()) for trait in names)


def _addressed(specs: Sequence[FieldSpec], answer: str, likely: Sequence[FieldSpec] = ()) -> tuple[FieldSpec, str]:
    """Return the field that an answer is about (named before a colon, or the only likely one) and the rest of it."""
    name, colon, said = answer.partition(":")
    names = {word.casefold(): spec for spec in specs for word in (spec.title, spec.name)}
    if colon and name.strip().casefold() in names and said.strip():
        return names[name.strip().casefold()], said.strip()
    if len(likely or specs) == 1:
        return (likely or specs)[0], answer
    raise RefusedAnswer(f"say which: {', or '.join(f'“{spec.name}: …”' for spec in specs[:8])}")


def _review(session: ChoiceSession, draft: Draft) -> Asking[Draft]:
    """Show the whole character, and ask for changes until it is legal and accepted."""
    by_steps = {group.name for group in session.system.groups} & set(session.roller.values(draft))
    specs = [spec for spec in session.system.fields if spec.name not in by_steps]
    while True:
        values = session.roller.values(draft)
        said = [spec for spec in session.system.fields if values.get(spec.name)]
        lines = [line for spec in said for line in lines_of(session.system, spec, values[spec.name])]
        ask = "Enter writes the character; “hook: …” changes a field (? tells how); back changes a step"
        more = [f"{spec.name}: {how_to_type(session.system, spec, values.get(spec.name))}" for spec in specs]
        question = Prompt("The whole character", "", "", tuple(lines), ask, tuple(more))

        def read(answer: str, draft: Draft = draft) -> Draft | None:
            if not answer:
                wrong = session.complaints(draft)
                if wrong:
                    raise RefusedAnswer(*wrong, "it cannot be written so: change a field, or go back")
                return None
            spec, text = _addressed(_open_fields(specs, answer), answer)
            tried = TriedStep("", 0, draft, (), {spec.name: session.roller.values(draft).get(spec.name)})
            return session.with_values(tried, {spec.name: changed(spec, tried.made[spec.name], text, session.system)})

        answer = yield from asked(question, read)
        if answer is None:
            return draft
        draft = answer


def _open_fields(specs: Sequence[FieldSpec], answer: str) -> Sequence[FieldSpec]:
    """Return the field that an answer names; RefusedAnswer if a step settles it, or there is none."""
    name, colon, _ = answer.partition(":")
    if not colon:
        raise RefusedAnswer("type the field, a colon and what it is to say, or Enter to write the character")
    word = named(name.strip(), [spec.name for spec in specs], "field (levels are changed in their step: go back)")
    return [spec for spec in specs if spec.name == word]


# Steps, tried and changed


@dataclass(frozen=True, slots=True)
class TriedStep:
    """The result of a step: the draft after it, its log, and the fields that it filled."""

    slot: str
    tries: int
    draft: Draft
    log: tuple[str, ...]
    made: Filled


@dataclass(slots=True)
class ChoiceSession:
    """What the questions about a character share: game, compiled steps, judge, and seeds of steps rolled again."""

    system: System
    roller: Roller
    judge: Judge
    seeds: dict[str, int] = field(default_factory=dict)
    forms: Mapping[str, ChoiceFormMaker] = field(default_factory=dict)

    def seed(self, tries: int) -> int:
        """Return the seed of a further try at a step."""
        return (self.roller.seed + tries) % SEEDS

    def spec(self, name: str) -> FieldSpec:
        """Return what a field may hold."""
        return next(spec for spec in self.system.fields if spec.name == name)

    def complaints(self, draft: Draft) -> list[str]:
        """Return what a file of this draft would be refused for, a line each."""
        return list(self.judge(self.roller.finished(draft)))

    def step(self, slot: str) -> Step:
        """Return the step of a slot."""
        return self.roller.making(slot).step

    def try_step(self, slot: str, draft: Draft, tries: int) -> TriedStep:
        """Return what a step makes of a copy of a draft at a further try."""
        log: list[str] = []
        tried = copy_of(draft, log)
        before = self.roller.values(draft)
        self.roller.take(slot, tried, self.seed(tries))
        after = self.roller.values(tried)
        made: Filled = {name: value for name, value in after.items() if value != before.get(name) and value}
        tried.log = None
        return TriedStep(slot, tries, tried, tuple(log), made)

    def with_values(self, tried: TriedStep, now: Filled) -> Draft:
        """Return the draft with a person's own values; RefusedAnswer with every problem that is new."""
        draft = copy_of(tried.draft)
        for name, value in now.items():
            if value != tried.made[name]:
                set_field(self.system, draft, name, value)
        before = self.complaints(tried.draft)
        wrong = [each for each in self.complaints(draft) if each not in before]
        if wrong:
            raise RefusedAnswer(*wrong)
        return draft


# What a person reads


def levels_of(values: Values, name: str) -> Mapping[str, int]:
    """Return the levels of a field by name."""
    value = values.get(name)
    return {each: at for each, at in value.items() if isinstance(at, int)} if isinstance(value, Mapping) else {}


def lines_of(system: System, spec: FieldSpec, value: Value | None) -> tuple[str, ...]:
    """Return a field and its value in lines."""
    if not value:
        return (f"{spec.title}: none",)
    if isinstance(value, str):
        return (f"{spec.title}: {value}",)
    if isinstance(value, tuple):
        return (f"{spec.title}:", *(f"  {line}" for line in numbered(value)))
    if spec.kind in ("levels", "ratings"):
        return (f"{spec.title}: {_with_levels(system, spec, value, len(value))}",)
    lists = {name: ", ".join(said) if isinstance(said, tuple) else said for name, said in value.items()}
    return (f"{spec.title}:", *(f"  {name}: {said}" for name, said in lists.items()))


def _with_levels(system: System, spec: FieldSpec, value: Mapping[str, object], most: int) -> str:
    some = [(name, at) for name, at in value.items() if isinstance(at, int)][:most]
    if spec.kind == "levels":
        return ", ".join(f"{name} {system.write(name, at)}" for name, at in some)
    return "; ".join(f"{name} {at}" for name, at in some)


def how_to_type(system: System, spec: FieldSpec, value: Value | None) -> str:
    """Return how a field is typed, with an example that would be accepted."""
    example = "Ines 2; Ada 1"
    if isinstance(value, Mapping) and value:
        example = _with_levels(system, spec, value, EXAMPLES)
    elif spec.kind == "levels":
        group = system.group(spec.name)
        trait = group.members[0]
        example = f"{trait.name} {group.scale.plain(min(trait.start.low + 1, trait.start.high))}"
    return HOW_TO_TYPE[spec.kind].format(example=example)


def how_to_answer(system: System, specs: Sequence[FieldSpec], values: Values, forms: Mapping[str, ChoiceForm]) -> str:
    """Return what may be typed at a step that fills these fields."""
    others = [spec for spec in specs if spec.name not in forms]
    if len(specs) > 1:
        alone = forms[next(iter(forms))].how() if len(forms) == 1 else ""
        change = f"change one: {', '.join(f'“{spec.name}: …”' for spec in (others if alone else specs))} (? tells how)"
        return f"{alone}; or {change}" if alone else f"or {change}"
    (spec,) = specs
    return forms[spec.name].how() if spec.name in forms else how_to_type(system, spec, values.get(spec.name))


def help_lines(
    system: System, specs: Sequence[FieldSpec], values: Values, forms: Mapping[str, ChoiceForm]
) -> tuple[str, ...]:
    """Return the help for a step: limits, how each field is typed, and what the pack has for it, a line each."""
    lines: list[str] = []
    for spec in specs:
        if spec.hint or spec.rule:
            lines.append(cited(f"{spec.title}: {spec.hint}".rstrip(": "), spec.rule))
        if spec.name in forms:
            lines += forms[spec.name].help()
            continue
        lines.append(f"{spec.name}: {how_to_type(system, spec, values.get(spec.name))}")
        if spec.kind == "levels":
            lines += _levels(system, spec.name)
    if any(spec.name == "occupation" for spec in specs) and system.cast.occupations:
        lines.append(f"known to the pack: {', '.join(system.cast.occupations)}")
    return tuple(lines)


def _levels(system: System, name: str) -> tuple[str, ...]:
    group = system.group(name)
    low, high = (
        bound(getattr(trait.range, end) for trait in group.members) for bound, end in ((min, "low"), (max, "high"))
    )
    scale = f"levels: {group.write(low)} to {group.write(high)}"
    if group.scale.kind == "words":
        scale = f"levels: {listed(map(group.write, range(low, high + 1)), 40)}"
    return scale, f"names: {', '.join(trait.name for trait in group.members)}"
