"""A first map of a form as YAML text: every field in the order of the page, matched ones filled in."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.errors import printable
from sheetgen.model.acroform import Acroform, Blank, FieldRule, folded
from sheetgen.model.system import System

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
        lines += [f"{_line(blank, rules.get(blank.name), values, used)}\n" for blank in on_page]
    left = [name for name in values if name not in used]
    if left:
        lines.append(f"\n# Values of {system.title} that no field takes yet, as the first of the people has them:\n")
        lines += [f"#   {name:<28} {_short(values[name])}\n" for name in left]
    if used:
        lines.append("\n# Those that have a field:\n")
        lines += [f"#   {name:<28} {_short(values[name])}\n" for name in values if name in used]
    return "".join(lines)


def _line(blank: Blank, rule: FieldRule | None, values: Mapping[str, str], used: set[str]) -> str:
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
    text = printable(" · ".join(text.split("\n")).replace("\u00a0", " "))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
