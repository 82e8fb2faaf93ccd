"""Making a character by choice: questions about each step in turn, and a character when all are answered.

What is asked next is a pure function of the answers so far, so that going back is leaving the last one out. Whoever
takes what the dice suggest gets the very character that the same seed rolls. Nothing here reads from a terminal, and
nothing knows of files: what a file of the game would refuse is told by a judge that is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sheetgen.model.character import Character
from sheetgen.model.system import FieldSpec, System
from sheetgen.rules.creation.answers import Broken, Refused, changed, named, numbered, picked, unquoted
from sheetgen.rules.creation.choices import Form, forms_of
from sheetgen.rules.creation.draft import Draft, Plan
from sheetgen.rules.interview.preset_answers import Settled, settle
from sheetgen.rules.interview.prompts import how_to_answer, levels_of, lines_of, told_more, typed
from sheetgen.rules.interview.question import Asking, Question, asked, cited
from sheetgen.rules.interview.trial import Desk, Judge, Made, Trial
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller

AGAIN = "again"
OFFERED, TRIED = 5, 12  # texts that are offered at a time, and streams of dice that are tried to find them
FEW_ROLLS = 8  # so many lines of dice are shown at once, more of them to whoever asks

_DICE = re.compile(r": \d+(?: \+ \d+|, \d+)*(?: = -?\d+)?(?: ->.*)?$")  # a line that tells how dice fell


def interview(
    system: System, settled: Settled, seed: int, judge: Judge, rollers: dict[object, Roller] | None = None
) -> Asking[Character]:
    """Asks for everything, in the order of the game's own creation; returns the character.

    `rollers` keeps what was compiled for whoever asks the same again with more answers.
    """
    plan = yield from settle(system, settled)
    roller = Roller(system, plan, seed) if rollers is None else _kept(rollers, system, plan, seed)
    desk = Desk(system, roller, judge, forms=engine_of(system).forms)
    draft = desk.roller.begun(1)
    for slot in desk.roller.slots:
        draft = yield from _step(desk, slot, draft)
    draft = yield from _review(desk, draft)
    made = desk.roller.finished(draft)
    assert made.origin is not None
    return replace(made, origin=replace(made.origin, rerolled=desk.again))


def _kept(rollers: dict[object, Roller], system: System, plan: Plan, seed: int) -> Roller:
    key = (plan.method, plan.archetype.name if plan.archetype else "", tuple(plan.options.items()))
    if key not in rollers:
        rollers[key] = Roller(system, plan, seed)
    return rollers[key]


def _step(desk: Desk, slot: str, draft: Draft) -> Asking[Draft]:
    """Asks about one step until something is taken; a step that fills no field asks nothing."""
    tries = 0
    while True:
        trial = desk.tried(slot, draft, tries)
        if not trial.made:
            return trial.draft
        specs = [desk.spec(name) for name in trial.made]
        if len(specs) == 1 and specs[0].kind == "text":
            taken, tries = yield from _one_of_some(desk, trial, specs[0], draft)
        elif len(specs) == 1 and specs[0].kind == "choice":
            taken = yield from _one_word(desk, trial, specs[0])
        else:
            taken, tries = yield from _as_it_is_or_changed(desk, trial, specs)
        if taken is not None:
            if tries:
                desk.again[slot] = desk.seed(tries)
            return taken


def _heading(desk: Desk, slot: str) -> tuple[str, str, str]:
    """The title of a step, what it says to people, and its rule."""
    step = desk.step(slot)
    return step.name[:1].upper() + step.name[1:], step.say, step.rule


def _one_of_some(desk: Desk, trial: Trial, spec: FieldSpec, draft: Draft) -> Asking[tuple[Draft | None, int]]:
    """A text of some that the dice offer, or one's own."""
    offers: dict[str, Trial] = {}
    for tries in range(trial.tries, trial.tries + TRIED):
        other = trial if tries == trial.tries else desk.tried(trial.slot, draft, tries)
        said = other.made.get(spec.name)
        if isinstance(said, str) and len(offers) < OFFERED:
            offers.setdefault(said, other)
    lines = numbered(offers)
    ask = f"Enter takes 1; a number takes another; {AGAIN} offers more; or type your own"

    def read(answer: str) -> tuple[Draft | None, int]:
        if answer.casefold() == AGAIN:
            return None, trial.tries + TRIED
        if not answer or (answer.isascii() and answer.isdigit()):
            number = int((answer or "1")[:9])
            if not 1 <= number <= len(offers):
                raise Refused(f"there is no number {number}: type 1 to {len(offers)}, or a text of your own")
            taken = list(offers.values())[number - 1]
            return taken.draft, taken.tries
        return desk.laid(trial, {spec.name: unquoted(answer)}), trial.tries

    question = Question(*_heading(desk, trial.slot), lines, ask, told_more(desk.system, [spec], trial.made, {}))
    return (yield from asked(question, read))


def _one_word(desk: Desk, trial: Trial, spec: FieldSpec) -> Asking[Draft]:
    """One of the words that a field may hold; Enter takes what the dice suggest."""
    ask = f"Type a number or a word; Enter: {trial.made[spec.name]}"
    question = Question(
        *_heading(desk, trial.slot), numbered(spec.among), ask, told_more(desk.system, [spec], trial.made, {})
    )

    def read(answer: str) -> Draft:
        if not answer:
            return trial.draft
        return desk.laid(trial, {spec.name: picked(answer, spec.among, spec.title.lower())})

    return (yield from asked(question, read))


def _as_it_is_or_changed(desk: Desk, trial: Trial, specs: Sequence[FieldSpec]) -> Asking[tuple[Draft | None, int]]:
    """What the dice made, changed as often as a person likes, until it is taken."""
    forms = forms_of(desk.roller.making(trial.slot), trial.draft, desk.forms)
    now = dict(trial.made)
    while True:
        question = _question(desk, trial, specs, now, forms)

        def read(answer: str, now: Made = now) -> Made | Draft | int:
            if answer.casefold() == AGAIN:
                return trial.tries + 1
            if not answer:
                return _taken(desk, trial, now, forms)
            return _changed(desk, trial, now, answer, forms)

        answer = yield from asked(question, read)
        if isinstance(answer, int):
            return None, answer
        if isinstance(answer, Draft):
            return answer, trial.tries
        now = answer


def _question(desk: Desk, trial: Trial, specs: Sequence[FieldSpec], now: Made, forms: Mapping[str, Form]) -> Question:
    untouched = now == trial.made
    dice = [line.strip() for line in trial.log if _DICE.search(line)] if untouched else []
    lines = dice if len(dice) <= FEW_ROLLS else []
    for spec in specs:
        lines += lines_of(desk.system, spec, now[spec.name])
        lines += forms[spec.name].standing(levels_of(now, spec.name)) if spec.name in forms else ()
    how = how_to_answer(desk.system, specs, now, forms)
    ask = f"Enter takes {'these' if untouched else 'your choice'}; {AGAIN} rolls anew; {how}"
    more = (*told_more(desk.system, specs, now, forms), *(line.strip() for line in trial.log))
    return Question(*_heading(desk, trial.slot), tuple(lines), ask, more)


def _taken(desk: Desk, trial: Trial, now: Made, forms: Mapping[str, Form]) -> Draft:
    if now == trial.made:
        return trial.draft
    refusals = [refusal for name, form in forms.items() if (refusal := form.refusal(levels_of(now, name)))]
    if refusals:
        raise Refused(*(cited(refusal, desk.step(trial.slot).rule) for refusal in refusals))
    return desk.laid(trial, now)


def _changed(desk: Desk, trial: Trial, now: Made, answer: str, forms: Mapping[str, Form]) -> Made:
    specs = [desk.spec(name) for name in now]
    likely = [spec for spec in specs if spec.name in forms]
    meant = [spec for spec in specs if _begins_with_a_name(desk, spec, answer)]
    spec, said = _addressed(specs, answer, meant if len(meant) == 1 else likely)
    if spec.name not in forms:
        return {**now, spec.name: changed(spec, now[spec.name], said, desk.system)}
    try:
        return {**now, spec.name: forms[spec.name].changed(levels_of(now, spec.name), said)}
    except Broken as broken:
        raise Refused(cited(str(broken), desk.step(trial.slot).rule)) from None


def _begins_with_a_name(desk: Desk, spec: FieldSpec, answer: str) -> bool:
    names = desk.system.group(spec.name).members if spec.kind == "levels" else ()
    return any(answer.casefold().startswith(trait.name.casefold()) for trait in names)


def _addressed(specs: Sequence[FieldSpec], answer: str, likely: Sequence[FieldSpec] = ()) -> tuple[FieldSpec, str]:
    """The field that an answer is about, and the rest of it: the one named before a colon, or the only likely one."""
    name, colon, said = answer.partition(":")
    names = {word.casefold(): spec for spec in specs for word in (spec.title, spec.name)}
    if colon and name.strip().casefold() in names and said.strip():
        return names[name.strip().casefold()], said.strip()
    if len(likely or specs) == 1:
        return (likely or specs)[0], answer
    raise Refused(f"say which: {', or '.join(f'“{spec.name}: …”' for spec in specs[:8])}")


def _review(desk: Desk, draft: Draft) -> Asking[Draft]:
    """The whole character, to be mended where it is not yet legal or not yet liked."""
    by_steps = {group.name for group in desk.system.groups} & set(desk.roller.values(draft))
    specs = [spec for spec in desk.system.fields if spec.name not in by_steps]
    while True:
        values = desk.roller.values(draft)
        said = [spec for spec in desk.system.fields if values.get(spec.name)]
        lines = [line for spec in said for line in lines_of(desk.system, spec, values[spec.name])]
        ask = "Enter writes the character; “hook: …” changes a field (? tells how); back changes a step"
        more = [f"{spec.name}: {typed(desk.system, spec, values.get(spec.name))}" for spec in specs]
        question = Question("The whole character", "", "", tuple(lines), ask, tuple(more))

        def read(answer: str, draft: Draft = draft) -> Draft | None:
            if not answer:
                wrong = desk.complaints(draft)
                if wrong:
                    raise Refused(*wrong, "it cannot be written so: change a field, or go back")
                return None
            spec, text = _addressed(_open(specs, answer), answer)
            trial = Trial("", 0, draft, (), {spec.name: desk.roller.values(draft).get(spec.name)})
            return desk.laid(trial, {spec.name: changed(spec, trial.made[spec.name], text, desk.system)})

        answer = yield from asked(question, read)
        if answer is None:
            return draft
        draft = answer


def _open(specs: Sequence[FieldSpec], answer: str) -> Sequence[FieldSpec]:
    """The field that an answer names, Refused if it is settled by a step or unknown."""
    name, colon, _ = answer.partition(":")
    if not colon:
        raise Refused("type the field, a colon and what it is to say, or Enter to write the character")
    word = named(name.strip(), [spec.name for spec in specs], "field (levels are changed in their step: go back)")
    return [spec for spec in specs if spec.name == word]
