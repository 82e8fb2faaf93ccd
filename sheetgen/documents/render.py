"""Templates to HTML, in a sandbox that sees plain data only, escapes always, and refuses unknown names.

A template is looked up in the pack, then under templates/<system>/, then under templates/; the first that has it wins.
"""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from html import escape
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    Undefined,
    nodes,
)
from jinja2.bccache import Bucket
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.errors import InputError, Place, Problem
from sheetgen.model.book import HOUSE_RULE, LEGEND
from sheetgen.model.data import Word
from sheetgen.model.system import EMPHASIS

LARGEST_TEMPLATE = 1024 * 1024
LARGEST_PAGE = 5 * 1024 * 1024
MOST_REPEATED = 10_000
TAGS = {"*": "em", "**": "b"}
JOINED = "joined"  # the filter of ours through which `~` goes
SIGNED_FILTERS = ("join", "replace")  # those that pages print values with
_NESTED = re.compile(
    r"(?P<opens>[(\[{]|%-?\s*(?:for|if|call|filter|with)\b)|[)\]}]|%-?\s*end(?:for|if|call|filter|with)\b"
)
_MIXED = re.compile(r"can only concatenate|unsupported operand|not supported between instances|must be str, not")
_IN_MEMORY = re.compile(r" at 0x[0-9a-f]{6,}>")


class _Folders(BaseLoader):
    """Loads a template from the first of some folders that has it; links that leave a folder are ignored."""

    def __init__(self, folders: Sequence[Path], shown: Callable[[Path], str]) -> None:
        self.folders, self.shown = folders, shown

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        for folder in self.folders:
            path = folder / template
            if (
                ".." in Path(template).parts
                or not path.is_file()
                or not path.resolve().is_relative_to(folder.resolve())
            ):
                continue
            about = path.stat()
            if about.st_size > LARGEST_TEMPLATE:
                message = f"has {about.st_size:,} bytes; the most for a template is {LARGEST_TEMPLATE:,}"
                raise InputError([Problem(Place(self.shown(path)), message)])
            return path.read_text("utf-8"), self.shown(path), lambda: True
        raise TemplateNotFound(template)


class _Compiled(BytecodeCache):
    """Keeps the code that each template was compiled to, for as long as its source stays the same."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[str, CodeType | None]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self.codes.get(bucket.key, ("", None))
        bucket.code = code if checksum == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.codes[bucket.key] = bucket.checksum, bucket.code


_COMPILED = _Compiled()


class _Sandbox(ImmutableSandboxedEnvironment):
    """The immutable sandbox with repetition bounded, at compile time too: intercepted operators are not folded."""

    intercepted_binops = frozenset(("*", "**", "%"))

    def call_binop(self, context: object, operator: str, left: object, right: object) -> object:
        sizes = [abs(side) for side in (left, right) if isinstance(side, int)]
        if operator == "**" or (operator == "%" and isinstance(left, str)):
            raise SecurityError(f"{operator} is not allowed in templates")
        if (
            operator == "*"
            and not all(isinstance(side, (int, float)) for side in (left, right))
            and max(sizes, default=0) > MOST_REPEATED
        ):
            raise SecurityError("text repeated too often")
        return super().call_binop(context, operator, left, right)  # type: ignore[arg-type]

    def _generate(self, source: nodes.Template, *given: Any, **named: Any) -> str:
        """Compile a template whose `~` joins values as they are printed, those of house rules with their sign.

        This is the hook that Jinja has for what compiles.
        """
        for joined in source.find_all(nodes.Concat):
            joined.nodes = [nodes.Filter(each, JOINED, [], [], None, None, lineno=each.lineno) for each in joined.nodes]
        return super()._generate(source, *given, **named)


def environment(folders: Sequence[Path], shown: Callable[[Path], str]) -> Environment:
    """Return a Jinja environment that is sandboxed, strict and autoescaping, without global functions."""
    made = _Sandbox(
        loader=_Folders(folders, shown),
        bytecode_cache=_COMPILED,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.clear()
    made.filters["emphasised"] = _emphasised
    made.filters[JOINED] = _printed_value
    for name in SIGNED_FILTERS:
        made.filters[name] = _signing(made.filters[name])
    return made


def _emphasised(text: object) -> str:
    """Return a cell of a table as HTML: its **bold** and *slanted* words so, and all else as it stands."""
    return EMPHASIS.sub(lambda found: f"<{TAGS[found[1]]}>{found[2]}</{TAGS[found[1]]}>", escape(str(text)))


def _signing(filtered: Callable[..., object]) -> Callable[..., object]:
    """Return a filter whose text keeps the sign of a house rule, where what it is given is one."""

    @wraps(filtered)
    def signed(*given: object, **named: object) -> object:
        made = filtered(*given, **named)
        return f"{made}{HOUSE_RULE}" if any(map(_is_ruled, given)) and isinstance(made, str) else made

    return signed


def _is_ruled(value: object) -> bool:
    """Whether a value, or one of a list, stands in the project file and not in the pack."""
    if isinstance(value, (tuple, list)):
        return any(map(_is_ruled, value))
    return isinstance(value, Word) and value.place.file.endswith(HOUSE_FILE)


def _printed_value(value: object) -> object:
    """Return the value as it is printed, one of a house rule with its sign; TypeError for one that would print its
    address in memory, which differs in each run.
    """
    if _is_ruled(value) and isinstance(value, Word):
        return f"{value}{HOUSE_RULE}"
    if not isinstance(value, (str, int, float, Undefined)) and _IN_MEMORY.search(str(value)):
        raise TypeError("cannot be printed: a method needs brackets behind it, and a row of things |list or |join")
    return value


def unescaped(environment: Environment, template: str) -> Iterator[Problem]:
    """Yield a warning for each place where a template switches escaping off."""
    source, name, _ = environment.loader.get_source(environment, template)  # type: ignore[union-attr]
    with suppress(TemplateSyntaxError, RecursionError):  # are told where the template is used
        tree = environment.parse(source, template, name)
        found = [(node.lineno, "|safe") for node in tree.find_all(nodes.Filter) if node.name == "safe"]
        found += [(node.lineno, "autoescape") for node in tree.find_all(nodes.EvalContextModifier)]
        for line, what in sorted(found):
            yield Problem(Place(name or template, line), f"{what} lets values become markup (leave it out)")


def _without_legend(page: str) -> str:
    """Return a page without the word on house rules if it shows none and has no fields that might."""
    shows = page.count(HOUSE_RULE) > page.count(LEGEND) or any(mark in page for mark in ("<input", "<textarea"))
    return page if shows else page.replace(LEGEND, "")


def render(environment: Environment, template: str, data: Mapping[str, object]) -> str:
    """Return the HTML of a template filled with plain data; InputError at the line of the template that is wrong."""
    try:
        page = _without_legend(environment.get_template(template).render(data))
    except TemplateNotFound as error:
        place = _place(error, template)
        raise InputError([Problem(place, f"template {error.name or template} not found in the pack")]) from None
    except TemplateSyntaxError as error:
        place = Place(error.filename or error.name or template, error.lineno)
        raise InputError([Problem(place, error.message or "cannot be read")]) from None
    except (TemplateError, TypeError, ValueError, KeyError, ZeroDivisionError, RecursionError, SyntaxError) as error:
        place = _place(error, _file_of(environment, template))
        if not place.line and isinstance(error, (RecursionError, SyntaxError)):
            place = Place(place.file, _deepest_line(environment, template))
        raise InputError([Problem(place, _message(error, data))]) from None
    if len(page) > LARGEST_PAGE:
        raise InputError(
            [
                Problem(
                    Place(_file_of(environment, template)),
                    f"makes a page of {len(page):,} characters; the most is {LARGEST_PAGE:,}",
                )
            ]
        )
    return page


def _file_of(environment: Environment, template: str) -> str:
    """Return the file of a template, as messages show it."""
    return _source_of(environment, template)[1] or template


def _source_of(environment: Environment, template: str) -> tuple[str, str | None]:
    """Return the text of a template, and its file if it has one."""
    return environment.loader.get_source(environment, template)[:2]  # type: ignore[union-attr]


def _place(error: BaseException, template: str) -> Place:
    """Return the last line of a template in the traceback."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.endswith((".html", ".css", ".svg")):
            return Place(frame.filename, frame.lineno or 0)
    return Place(template)


def _deepest_line(environment: Environment, template: str) -> int:
    """Return the line of a template at which most brackets and blocks are open."""
    source, depth, deepest, found = _source_of(environment, template)[0], 0, 0, 0
    for number, line in enumerate(source.split("\n"), 1):
        for mark in _NESTED.finditer(line):
            depth += 1 if mark["opens"] else -1
            deepest, found = (depth, number) if depth > deepest else (deepest, found)
    return found


def _message(error: BaseException, data: Mapping[str, object]) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, (RecursionError, SyntaxError)):  # the latter counts lines of what Jinja makes of the template
        return "nested too deeply"
    if isinstance(error, ZeroDivisionError):
        return "divides by zero"
    if isinstance(error, TypeError) and _MIXED.search(text):
        return "a text and a number are added or compared (`~` joins texts, `|int` makes a number of one)"
    missing = re.fullmatch(r"'(\w+)' is undefined", text) or re.search(r"has no (?:attribute|element) '?(\w+)'?$", text)
    if missing is None:
        return text
    near = difflib.get_close_matches(missing[1], [*(_names(data) - {missing[1]})], n=1)
    return f"{missing[1]}: no such value" + (f" (did you mean {near[0]}?)" if near else "")


def _names(data: object) -> set[str]:
    if not isinstance(data, Mapping):
        return set()
    return {str(name) for name in data} | {name for value in data.values() for name in _names(value)}
