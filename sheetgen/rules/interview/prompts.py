"""How a value is shown to whoever makes a character, and how it may be typed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetgen.model.character import Value
from sheetgen.model.system import FieldSpec, System
from sheetgen.rules.creation.answers import listed, numbered
from sheetgen.rules.creation.choices import Form
from sheetgen.rules.interview.question import cited

HOW = {
    "text": "type another",
    "choice": "type another of its words",
    "list": "type a thing to add it, “- 2” to drop the second",
    "levels": "type names with levels, such as {example}",
    "ratings": "type names with levels, such as {example}; “- name” drops one",
    "text per trait": "type “name: text”; “- name” drops one",
    "list per trait": "type “name: one, two”; “- name” drops one",
}
SHOWN = 2

Values = Mapping[str, "Value | None"]


def levels_of(values: Values, name: str) -> Mapping[str, int]:
    """The levels of a field."""
    value = values.get(name)
    return {each: at for each, at in value.items() if isinstance(at, int)} if isinstance(value, Mapping) else {}


def lines_of(system: System, spec: FieldSpec, value: Value | None) -> tuple[str, ...]:
    """A field and its value in lines."""
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


def typed(system: System, spec: FieldSpec, value: Value | None) -> str:
    """How a field is typed, with an example that would be taken."""
    example = "Ines 2; Ada 1"
    if isinstance(value, Mapping) and value:
        example = _with_levels(system, spec, value, SHOWN)
    elif spec.kind == "levels":
        group = system.group(spec.name)
        trait = group.members[0]
        example = f"{trait.name} {group.scale.plain(min(trait.start.low + 1, trait.start.high))}"
    return HOW[spec.kind].format(example=example)


def how_to_answer(system: System, specs: Sequence[FieldSpec], values: Values, forms: Mapping[str, Form]) -> str:
    """What may be typed at a step that fills these fields."""
    others = [spec for spec in specs if spec.name not in forms]
    if len(specs) > 1:
        alone = forms[next(iter(forms))].how() if len(forms) == 1 else ""
        change = f"change one: {', '.join(f'“{spec.name}: …”' for spec in (others if alone else specs))} (? tells how)"
        return f"{alone}; or {change}" if alone else f"or {change}"
    (spec,) = specs
    return forms[spec.name].how() if spec.name in forms else typed(system, spec, values.get(spec.name))


def told_more(system: System, specs: Sequence[FieldSpec], values: Values, forms: Mapping[str, Form]) -> tuple[str, ...]:
    """What whoever asks is told: the limits, how each field is typed, and what the pack has for it."""
    lines: list[str] = []
    for spec in specs:
        if spec.hint or spec.rule:
            lines.append(cited(f"{spec.title}: {spec.hint}".rstrip(": "), spec.rule))
        if spec.name in forms:
            lines += forms[spec.name].help()
            continue
        lines.append(f"{spec.name}: {typed(system, spec, values.get(spec.name))}")
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
