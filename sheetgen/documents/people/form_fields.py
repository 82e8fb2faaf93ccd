"""The fields of a form and the values of a character: matched by their names, read back, and listed in a first map.

A name that is letter by letter that of a value comes first, then names that differ in case, spaces and hyphens, then
those that leave out what a value is part of (`Grit` for `attributes.Grit`), then other words for the same thing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.documents.people.sheet import unknown_fields
from sheetgen.errors import printable, quoted
from sheetgen.model.acroform import OFF, REFERENCE, YES, Acroform, Blank, FieldRule, folded
from sheetgen.model.people_pages import FigureRows
from sheetgen.model.system import System
from sheetgen.model.wording import NO_BREAK

MOST_ROWS = 40  # of a list that may be longer than anybody's
OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "name": ("character name", "pc name", "full name", "hero", "name 2", "character name 2"),
    "occupation": ("profession", "career", "class", "job", "trade", "calling", "concept"),
    "gear": ("equipment", "inventory", "items", "possessions", "belongings", "item", "thing"),
    "manner": ("personality", "mannerism", "demeanour", "demeanor"),
    "hook": ("story", "background", "backstory", "biography"),
    "notes": ("note",),
    "people": ("contacts", "allies", "friends"),
}
NARROW = 150  # points: nothing for texts of several lines
_ROW = re.compile(r"(\w+)\.(\d+)(?:\.(\w+))?")
_INDEX = re.compile(r"\[\d+\]")
_PREFIX = re.compile(
    r"(?:txt|text|fld|field|tf|input|topmostsubform|form|page\d|character|char|pc|chk|cb|checkbox|check|box|skills?|"
    r"attributes?|attr|stats?|ability|abilities|trait)(?=.)"
)
_SUFFIX = re.compile(r"(?<=.)(?:score|level|value|rating|field|total|text|points|box)$")
NOTHING: Mapping[str, str] = MappingProxyType({})
_WIDTH, _SHOWN, _FEW = 36, 60, 8
_ABOUT = """\
# What goes into which field of {form}: {count}, {matched} of them known by name.
#
#   Field: attributes.Grit                    the value of that name; all values stand at the end
#   Field: "{{name}}, {{occupation}}"             a small text with values in it
#   Field: {{say: Winter campaign}}             the same words for everybody
#   Box: {{on: skills.Stealth}}                 ticked if there is such a value, and it is not 0 or no
#   Box: {{on: skills.Stealth, from: 3}}        ticked if that level is 3 or more
#   Box: {{on: occupation, is: Scout}}          ticked if that is what it says
#
# A field without a value, or left out, stays as it is in the form. Then:
#   sheetgen fill {form} {people} --map THIS-FILE.yaml

"""


def value_names(system: System, people: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    """Return the names of all values that somebody of this game may have, those one looks for first in front."""
    names: dict[str, None] = {}
    for spec in system.fields:
        if spec.kind == "levels":
            names.update(dict.fromkeys(f"{spec.name}.{trait.name}" for trait in system.group(spec.name).members))
        elif spec.kind in ("text", "choice", "list"):
            names[spec.name] = None
    found = {name for values in people for name in values}
    lists = [spec.name for spec in system.fields if spec.kind == "list"]
    first = ("figure.", *(f"{rows.name}." for rows in system.rows.values() if rows.columns))
    names.update(dict.fromkeys(sorted(found, key=lambda name: (not name.startswith(first), name))))
    names.update(dict.fromkeys(f"{name}.{row}" for name in lists for row in range(1, MOST_ROWS + 1)))
    names.update(dict.fromkeys(f"note.{trait.name}" for trait in system.all_traits()))
    return tuple(names)


def value_test(system: System, names: Iterable[str]) -> Callable[[str], bool]:
    """Return whether a word is the name of a value: one of `names`, or a field of a sheet of the game."""
    known = frozenset(names)
    return lambda name: name in known or not unknown_fields((name,), system)


def matched(blanks: Iterable[Blank], names: Iterable[str], system: System) -> dict[str, FieldRule]:
    """Return the rule of each field whose name, or what a reader shows for it, tells of a value."""
    names = tuple(names)
    levelled = {spec.name for spec in system.fields if spec.kind in ("levels", "ratings")}
    levels = {name for name in names if name.partition(".")[0] in levelled}
    long = {spec.name for spec in system.fields if spec.several_lines or spec.kind == "ratings"}
    letter, known = frozenset(names), _index(names, system)
    rules = {}
    for blank in blanks:
        ours = blank.name in letter or ("." in blank.name and not unknown_fields((blank.name,), system))
        value = blank.name if ours else next((known[each] for each in _forms(blank) if each in known), "")
        if value in long and not ours and blank.spots[0].box.width < NARROW:
            continue
        ticked = value in levels or value.startswith("figure.") or value == blank.name
        if value and (blank.kind != "tick" or ticked):
            rules[blank.name] = FieldRule(f"{{{value}}}", tick=blank.kind == "tick")
    return rules


def _forms(blank: Blank) -> Iterator[str]:
    """Yield what a field may be called, the surest first: its name, the end of it, both without what says nothing."""
    name = _INDEX.sub("", blank.name)
    for words in (name, _end(name), blank.title):
        plain = folded(words)
        yield plain
        shorter = _SUFFIX.sub("", plain)
        yield shorter
        while (shorter := _PREFIX.sub("", plain, count=1) if _PREFIX.match(plain) else "") and shorter != plain:
            plain = shorter
            yield plain
            yield _SUFFIX.sub("", plain)


def _end(name: str) -> str:
    """Return the last part of a whole name, with the number of its line if it is in one: Melee, arms.2.name."""
    parts = name.split(".")
    first = next((at for at, part in enumerate(parts) if part.isdigit()), len(parts))
    return ".".join(parts[max(first - 1, 0) :])


def _index(names: Iterable[str], system: System) -> dict[str, str]:
    """Return the value that each folded name means; the surer way of naming comes first."""
    ways = {name: tuple(_ways_to_say(name, system)) for name in names}
    known: dict[str, str] = {}
    for rank in range(3):
        for name, ranks in ways.items():
            for words in ranks[rank]:
                if word := folded(words):
                    known.setdefault(word, name)
    return known


def _ways_to_say(name: str, system: System) -> tuple[tuple[str, ...], ...]:
    """Return how a value may be called: by its whole name, by its end, by other words."""
    head, dot, end = name.partition(".")
    own = [(spec.title, *spec.also) for spec in system.fields if spec.name == head]
    rows = system.rows.get(head, FigureRows(head))
    others = (*(word for words in own for word in words), *OTHER_WORDS.get(head, ()), *rows.also)
    if not dot:
        return (name,), (), others
    if row := _ROW.fullmatch(name):
        part = row[3] or ""
        ends = (part, *rows.columns.get(part, ()), *(("",) if part == "name" else ()))
        numbered = (f"{word}{row[2]}{each}" for word in (head, *others) for each in ends)
        swapped = (f"{word}{each}{row[2]}" for word in (head, *others) for each in ends)
        alone = (f"{each}{row[2]}" for each in ends if rows.columns and part != "name")
        first = (f"{word}{each}" for word in (head, *others) for each in ends if row[2] == "1" and part)
        return (name,), (), (*numbered, *swapped, *alone, *first)
    called = (end, system.traits[end].short) if end in system.traits else (end,)
    return (name,), called if head not in ("note", "familiarities") else (), ()


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


def starter(
    form: Acroform,
    rules: Mapping[str, FieldRule],
    system: System,
    values: Mapping[str, str],
    *,
    named: tuple[str, str],
) -> str:
    """Return the text of the map.

    `values` are those of the first person, `named` what the form and the people are called.
    """
    count = len(form.blanks)
    counted = f"{count} field{'' if count == 1 else 's'}"
    about = _ABOUT.format(form=printable(named[0]), people=printable(named[1]), count=counted, matched=len(rules))
    used = {name for rule in rules.values() for name in rule.names}
    lines = [about]
    for page in range(form.pages):
        on_page = [blank for blank in form.blanks if blank.spots[0].page == page]
        if on_page and form.pages > 1:
            lines.append(f"# Page {page + 1}\n")
        lines += [f"{_yaml_line(blank, rules.get(blank.name), values, used)}\n" for blank in on_page]
    left = [name for name in values if name not in used]
    if left:
        lines.append(f"\n# Values of {system.title} that no field takes yet, as the first of the people has them:\n")
        lines += [f"#   {name:<28} {_short(values[name])}\n" for name in left]
    if used:
        lines.append("\n# Those that have a field:\n")
        lines += [f"#   {name:<28} {_short(values[name])}\n" for name in values if name in used]
    return "".join(lines)


def _yaml_line(blank: Blank, rule: FieldRule | None, values: Mapping[str, str], used: set[str]) -> str:
    """Return a field with its rule, or the line of a comment that tells what could go there."""
    key = scalar(blank.name)
    if rule is not None:
        said = flow_scalar(rule.text[1:-1]) if rule.names == (rule.text[1:-1],) else scalar(rule.text)
        entry = f"{key}: {{on: {said}}}" if rule.tick else f"{key}: {said}"
    else:
        entry = f"# {key}:"
    return f"{entry:<{_WIDTH}} # {', '.join(_notes(blank, rule, values, used))}"


def _notes(blank: Blank, rule: FieldRule | None, values: Mapping[str, str], used: set[str]) -> Iterator[str]:
    yield blank.kind
    if blank.title and folded(blank.title) != folded(blank.name):
        yield f"“{_short(blank.title)}”"
    if blank.longest:
        yield f"up to {blank.longest} characters"
    if len(blank.spots) > 1 and blank.kind != "radio":
        yield f"stands {len(blank.spots)} times"
    if blank.options:
        shown = [printable(each) for _, each in blank.options]
        yield f"one of {' | '.join(shown[:_FEW])}{' | …' if len(shown) > _FEW else ''}"
    if blank.value and blank.shows_text:
        yield f"holds “{_short(blank.value)}”"
    if rule is None and (near := _near(blank, values, used)):
        yield f"perhaps {' or '.join(near)}"


def _near(blank: Blank, values: Mapping[str, str], used: set[str]) -> list[str]:
    """Return values without a field whose names are like that of the field."""
    ends = {folded(name.rpartition(".")[2]): name for name in values if name not in used and name != "seed"}
    found = []
    for words in (blank.name.rpartition(".")[2], blank.title):
        found += [ends[each] for each in difflib.get_close_matches(folded(words), ends, n=2, cutoff=0.8)]
    return list(dict.fromkeys(found))


def _short(text: str) -> str:
    text = printable(" · ".join(text.split("\n")).replace(NO_BREAK, " "))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
