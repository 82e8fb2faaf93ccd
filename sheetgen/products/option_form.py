"""Options as the controls of a form, and a form that was sent back as options, from the one declaration of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field
from typing import Any, Generic, Literal, cast

from sheetgen.errors import UsageError, quoted
from sheetgen.geometry import paper_name
from sheetgen.model.wording import capital
from sheetgen.products.options import (
    Choice,
    Chosen,
    LengthReader,
    NumberReader,
    Options,
    PaperReader,
    chosen_options,
    default_of,
    options_of,
)
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

ControlKind = Literal["switch", "choice", "number", "length", "word", "file", "lines"]
YES, NO, FILE = "yes", "no", "FILE"
USUAL = "as usual"
_FLAG = re.compile(r"--(no-)?([a-z][a-z-]*)|(?<![\w-])-([a-z])\b")


@dataclass(frozen=True, slots=True)
class Control:
    """One option as a form shows it: its `label` and `help` in plain words, its `value` as text.

    A switch is YES or NO. `choices` are values with what they are called, those that the game or the folder has for it
    among them; other kinds take any text. Numbers and lengths in mm lie between `low` and `high`. `problem` says what
    is wrong with what was given.
    """

    name: str
    label: str
    help: str
    kind: ControlKind
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    low: float | None = None
    high: float | None = None
    own: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SentForm(Generic[Chosen]):
    """What a form came to: the options, with the default of each field that has a problem, and the problems by field.

    `given` is what the form said, so that it can be shown again as it was.
    """

    options: Chosen
    problems: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)


Offers = Mapping[str, Sequence[str]]


def offers_of(kind: type[Options], project: Project, pack: Pack, files: Iterable[str] = ()) -> Offers:
    """Return the words that a project and a pack have for the options; those that are files take `files` alone."""
    found = {each.name: tuple(about.offers(project, pack)) for each, about in options_of(kind) if about.offers}
    return found | {each.name: tuple(files) for each, about in options_of(kind) if about.metavar == FILE}


def controls(kind: type[Options], read: SentForm[Any], offers: Offers, fixed: Iterable[str] = ()) -> Iterator[Control]:
    """Yield the controls of a class of options, its own first; without those that are `fixed`, or for a terminal."""
    own = {*vars(kind).get("__annotations__", {})}
    for each, about in options_of(kind):
        if not about.terminal and each.name not in fixed:
            yield _control(each, about, read, tuple(offers.get(each.name, ())), own=each.name in own)


def _control(each: Field[Any], about: Choice, read: SentForm[Any], offered: tuple[str, ...], *, own: bool) -> Control:
    value = read.given.get(each.name, as_text(getattr(read.options, each.name), default_of(each)))
    problem = in_plain_words(read.problems.get(each.name, ""), type(read.options))
    said = about.help if about.hint is None else about.hint
    label, help = label_of(each.name, about), in_plain_words(said, type(read.options))
    kind, choices = _control_kind(each, about, offered)
    low, high = (
        (about.read.low, about.read.high) if isinstance(about.read, NumberReader | LengthReader) else (None, None)
    )
    return Control(each.name, label, help, kind, value, choices, low, high, own, problem)


def _control_kind(
    each: Field[Any], about: Choice, offered: tuple[str, ...]
) -> tuple[ControlKind, tuple[tuple[str, str], ...]]:
    default = default_of(each)
    if about.is_switch:
        return "switch", ((YES, "yes"), (NO, "no"))
    usual = () if as_text(default, default) and default in (about.choices or (default,)) else (("", USUAL),)
    if about.choices:
        return "choice", (*usual, *((str(word), str(word)) for word in about.choices))
    if isinstance(about.read, PaperReader):
        return "choice", (*usual, *((name, paper_name(name)) for name in about.read.names))
    if about.offers is not None:
        return "choice", (*usual, *((word, word) for word in offered))
    if about.metavar == FILE:
        return "file", (("", "none"), *((name, name) for name in offered))
    if about.repeated:
        return "lines", ()
    if isinstance(about.read, NumberReader):
        return "number", ()
    return ("length", ()) if isinstance(about.read, LengthReader) else ("word", ())


def label_of(name: str, about: Choice) -> str:
    """Return what an option is called in plain words."""
    words = about.label or name.replace("_", " ")
    return capital(words)


def in_plain_words(text: str, kind: type[Options]) -> str:
    """Return a sentence for the command line with the labels of the options in place of their flags."""
    named = {(about.flag or f"--{each.name.replace('_', '-')}"): (each, about) for each, about in options_of(kind)}
    short = {about.short.removeprefix("-"): (each, about) for each, about in options_of(kind) if about.short}

    def label(found: re.Match[str]) -> str:
        known = named.get(f"--{found[2]}") if found[2] else short.get(found[3])
        if known is None:
            return found[0]
        return f"{'no ' if found[1] else ''}“{label_of(known[0].name, known[1])}”"

    return _FLAG.sub(label, text)


def as_text(value: object, usual: object = None) -> str:
    """Return the value of an option as a form holds it; several are lines, and nothing stands for a usual 0."""
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, Mapping):
        return "\n".join(f"{name}={word}" for name, word in value.items())
    if isinstance(value, tuple):
        return "\n".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None or value == usual == 0 else str(value)


def read_form(kind: type[Chosen], form: Iterable[tuple[str, str]], offers: Offers, usual: Chosen) -> SentForm[Chosen]:
    """Return what the fields of a form came to; `usual` are the options of fields that the form does not have.

    A name may stand several times: the last of it counts, but for options that take several values. Names that are no
    option are left alone, and files must be among those offered.
    """
    pairs = tuple(form)
    chosen: dict[str, object] = {}
    problems, given = dict[str, str](), dict[str, str]()
    for each, about in options_of(kind):
        texts = [text for name, text in pairs if name == each.name]
        if not texts or about.terminal:
            continue
        given[each.name] = text = "\n".join(texts) if about.repeated else texts[-1]
        try:
            chosen[each.name] = _value(each, about, text.strip(), offers, kind)
        except UsageError as error:
            problems[each.name] = str(error).removeprefix(f"{each.name} ")
    whole = {each.name: chosen.get(each.name, getattr(usual, each.name)) for each, _ in options_of(kind)}
    return SentForm(kind(**whole), problems, given)


def _value(each: Field[Any], about: Choice, text: str, offers: Offers, kind: type[Options]) -> object:
    """Return the value that a field of a form stands for; UsageError for one that the option does not take."""
    if about.is_switch:
        if text not in (YES, NO):
            raise UsageError(f"takes {YES} or {NO}, not {quoted(text)}")
        return text == YES
    if about.repeated:
        words = [line.strip() for line in text.splitlines() if line.strip()]
        if about.metavar == FILE:
            for word in words:
                _refuse_unoffered(word, offers.get(each.name, ()))
        return _pairs(about, words) if default_of(each) == {} else tuple(words)
    if not text:
        return default_of(each)
    if about.metavar == FILE:
        _refuse_unoffered(text, offers.get(each.name, ()))
    line: str | int = next((line for line in about.choices if str(line) == text), text)
    return getattr(chosen_options(kind, {each.name: line}), each.name)


def _pairs(about: Choice, words: Iterable[str]) -> dict[str, str]:
    assert about.read is not None
    found = dict[str, str]()
    for word in words:
        try:
            found.update([cast(tuple[str, str], about.read(word))])
        except ValueError as error:
            raise UsageError(str(error)) from None
    return found


def _refuse_unoffered(name: str, files: Sequence[str]) -> None:
    if name not in files:
        raise UsageError(f"no file {quoted(name)} in this folder")


def form_of(options: Options, usual: Options) -> list[tuple[str, str]]:
    """Return the fields of a form that say what of the options is not as usual: `read_form` makes them of it again."""
    return [
        (each.name, as_text(getattr(options, each.name), default_of(each)))
        for each, about in options_of(type(options))
        if not about.terminal and getattr(options, each.name) != getattr(usual, each.name)
    ]
