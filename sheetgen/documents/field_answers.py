"""What filled fields of a form say: the text of each value of a character, by the rule that would fill its field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sheetgen.errors import quoted
from sheetgen.model.acroform import OFF, REFERENCE, YES, Blank, FieldRule

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, order=True)
class Unread:
    """What stands in a field, by its name, and why it is no part of a character, or only in doubt.

    In doubt there are `choices` of what the `value` may say, of which the first was taken.
    """

    field: str
    said: str
    why: str
    value: str = ""
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{quoted(self.field)}: {self.why}"


@dataclass(frozen=True, slots=True)
class Answers:
    """What a form says by the name of a value, empty where it was left so; what none of its rules can read.

    `field_of` names the field that each value was read from.
    """

    said: Mapping[str, str]
    field_of: Mapping[str, str]
    unread: tuple[Unread, ...]


def answers(
    blanks: Iterable[Blank], rules: Mapping[str, FieldRule | None], decided: Mapping[str, str] = NOTHING
) -> Answers:
    """Return what a filled form says of the values that its rules name; what was `decided` of some of them holds."""
    said, field_of, unread = dict[str, str](), dict[str, str](), list[Unread]()
    for blank in blanks:
        text = text_in(blank)
        rule = rules.get(blank.name)
        if rule is None:
            if text and blank.name not in rules:
                unread.append(Unread(blank.name, text, f"no value is known for {quoted(text)}: say which by --map"))
            continue
        found = _undone(rule, text, said)
        if found is None:
            shape = " and ".join(rule.names)
            unread.append(Unread(blank.name, text, f"{quoted(text)} cannot be taken apart into {shape}"))
            continue
        for name, value in found:
            before = said.get(name, "")
            if before and value and before != value and rule.least is None:
                why = f"says {quoted(value)}, and {quoted(field_of[name])} says {quoted(before)}: the latter was taken"
                if name not in decided:
                    unread.append(Unread(blank.name, value, why, name, (before, value)))
            elif value or name not in said:
                said[name], field_of[name] = value, blank.name
    said |= {name: text for name, text in decided.items() if name in said}
    return Answers(said, field_of, tuple(unread))


def text_in(blank: Blank) -> str:
    """Return what a reader sees in a field; `yes` for a ticked box, nothing for an empty one."""
    if blank.kind == "tick":
        return YES if blank.value not in ("", OFF) else ""
    if blank.kind == "radio" and blank.value == OFF:
        return ""
    shown = dict(blank.options).get(blank.value, blank.value)
    return "\n".join(line.strip() for line in shown.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip()


def _undone(rule: FieldRule, text: str, before: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """Return the values that a rule would have made the text of; None if there is more than one way, or none."""
    names = rule.names
    if rule.tick:
        return list(_ticked(rule, text, before))
    if not names:
        return []
    if not text:
        return [(name, "") for name in names]
    pieces = REFERENCE.split(rule.text)
    if len(names) > 1 and not all(between.strip() for between in pieces[2:-1:2]):
        return None
    pattern = "".join("(.*?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return None if found is None else [(name, found[at].strip()) for at, name in enumerate(names, 1)]


def _ticked(rule: FieldRule, text: str, before: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what a box says: of boxes for levels from which on they are ticked, the highest ticked one counts."""
    for name in rule.names:
        if rule.least is not None:
            known = before.get(name, "")
            yield name, str(max(rule.least, int(known or rule.least))) if text else known
        elif rule.equals:
            yield name, rule.equals if text else before.get(name, "")
        else:
            yield name, text
