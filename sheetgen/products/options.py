"""Options of products, said once: a field of a dataclass with its help, its limits and how it is read from a word.

The command line makes its parser from these fields, the library checks its arguments by them, and `build` takes their
defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, TypeVar

from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.model.printing import Tone
from sheetgen.press.plan import Flip

if TYPE_CHECKING:
    from sheetgen.workspace.packs import Pack
    from sheetgen.workspace.project import Project

Read = Callable[[str], object]  # the value of a word; ValueError says what it takes instead
OPTION = "option"
MOST_MM = 50.0


@dataclass(frozen=True, slots=True)
class Choice:
    """How one field is given: its help, how a word becomes its value, how it looks on the command line and in a form.

    Its `flag` is `--` and the name of the field, if no other is given. A field without `read` and `choices` is a
    switch; a `negatable` one also has a `--no-` form, a `repeated` one gathers its values. In a form it has its
    `label`, or its name, and its `hint` where the help speaks to a terminal; `offers` returns the words that a project
    and a pack have for it, and what is for long runs from a `terminal` is left out.
    """

    help: str
    read: Read | None = None
    choices: tuple[str | int, ...] = ()
    metavar: str = ""
    short: str = ""
    flag: str = ""
    negatable: bool = False
    repeated: bool = False
    label: str = ""
    hint: str | None = None
    offers: Callable[[Project, Pack], Iterable[str]] | None = None
    terminal: bool = False

    @property
    def is_switch(self) -> bool:
        """True for an option that takes no value."""
        return self.read is None and not self.choices


def choice(default: Any, help: str, *, read: Read | None = None, **more: Any) -> Any:
    """Return a dataclass field for an option; `more` are the other fields of `Choice`."""
    made = {OPTION: Choice(help, read, **more)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=made)
    return field(default=default, metadata=made)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What may be chosen of a product; every field is made by `choice`."""

    @property
    def tone(self) -> Tone:
        """The tone of the pages."""
        return Tone()


@dataclass(frozen=True, kw_only=True)
class TonedOptions(Options):
    """The options of pages that may be printed in greys or with little ink."""

    ink_saver: bool = choice(False, "outlines for fills, thinner lines")
    greyscale: bool = choice(False, "greys in place of every colour")

    @property
    def tone(self) -> Tone:
        """The tone of the pages."""
        return Tone(ink_saver=self.ink_saver, greyscale=self.greyscale)


@dataclass(frozen=True, slots=True)
class NumberReader:
    """Reads whole numbers from `low` to `high`."""

    low: int
    high: int

    def __call__(self, text: str) -> int:
        """Return the number; ValueError for anything else, and for one out of range."""
        plain = text.isascii() and text.isdigit() and len(text) < 20
        if not plain or not self.low <= int(text) <= self.high:
            raise ValueError(f"takes a whole number from {self.low} to {self.high:,}, not {quoted(text)}")
        return int(text)


def whole_number(low: int, high: int) -> NumberReader:
    """Return a reader of whole numbers in a range."""
    return NumberReader(low, high)


@dataclass(frozen=True, slots=True)
class LengthReader:
    """Reads lengths in mm from `low` to `high`."""

    low: float
    high: float

    def __call__(self, text: str) -> float:
        """Return the length in mm; ValueError for anything else, and for one out of range."""
        try:
            length = float(text) if text.isascii() and len(text) < 20 else self.low - 1
        except ValueError:
            length = self.low - 1
        if not self.low <= length <= self.high:
            raise ValueError(f"takes millimetres from {self.low:g} to {self.high:g}, not {quoted(text)}")
        return length


def millimetres(low: float, high: float) -> LengthReader:
    """Return a reader of lengths in mm in a range."""
    return LengthReader(low, high)


@dataclass(frozen=True, slots=True)
class PaperReader:
    """Reads the name of one of these papers; `say` leads their list where another is named: "sheets are made for"."""

    names: tuple[str, ...]
    say: str

    def __call__(self, text: str) -> str:
        """Return the name of the paper; ValueError with the nearest for one that is not among them."""
        if text.lower() not in self.names:
            listed = (" and " if len(self.names) == 2 else ", ").join(self.names)
            near = suggestion(text, self.names) or f"; {self.say} {listed}"
            raise ValueError(f"unknown paper {quoted(text)}{near}")
        return text.lower()


def paper_name(names: Collection[str], say: str) -> PaperReader:
    """Return a reader of the name of one of these papers."""
    return PaperReader(tuple(names), say)


def name_and_value(text: str) -> tuple[str, str]:
    """Return the two sides of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"takes NAME=VALUE, not {quoted(text)}")
    return name.strip(), value.strip()


@dataclass(frozen=True, kw_only=True)
class RolledOptions(TonedOptions):
    """The options of people who are rolled."""

    seed: int | None = choice(
        None, "the same seed rolls the same people", read=whole_number(0, LARGEST_SEED), metavar="N"
    )
    archetype: str = choice(
        "",
        "cast them as guard, scholar, thief, …",
        read=str,
        metavar="NAME",
        label="cast as",
        offers=lambda project, pack: pack.system.cast.archetypes,
    )
    option: Mapping[str, str] = choice(
        {},
        "an option of the game, such as tech=9 or features=none",
        read=name_and_value,
        repeated=True,
        metavar="NAME=VALUE",
        label="options of the game",
    )


def paper_option(names: Collection[str] = SHEET_PAPERS, say: str = "sheets are made for") -> Any:
    """Return the field for a paper, A4 unless another is named."""
    listed = "a4 (default) or letter" if tuple(names) == SHEET_PAPERS else f"{', '.join(names)} (default a4)"
    return choice("a4", listed, read=paper_name(names, say), metavar="SIZE", hint="")


def flip_option(default: Flip | None = "long", note: str = "") -> Any:
    """Return the field for the edge over which the printer turns the paper."""
    return choice(
        default, f"the edge your printer turns over{note}", choices=("long", "short"), label="turned over the edge"
    )


def _printers(project: Project, pack: Pack) -> Iterable[str]:
    from sheetgen.workspace.printers import printers  # imports PyYAML, without which doctor lives

    return printers(project)


def _shops(project: Project, pack: Pack) -> Iterable[str]:
    from sheetgen.workspace.printers import shop_names  # imports PyYAML

    return shop_names(project)


def printer_option() -> Any:
    """Return the field for the printer whose backs are set right."""
    hint = "shift backs as this printer needs it"
    say = f"{hint}; sheetgen proof measures and keeps that"
    return choice("", say, read=str, metavar="NAME", hint=hint, offers=_printers)


def shop_option(say: str) -> Any:
    """Return the field for the print shop that the result is sent to."""
    return choice(
        "",
        f"as a print shop asks for {say}, or your own of shops/NAME.yaml",
        read=str,
        metavar="SHOP",
        flag="--for",
        label="for a print shop",
        hint=f"as a print shop asks for {say}",
        offers=_shops,
    )


def margin_option() -> Any:
    """Return the field for what the printer leaves white, for pages whose margins stay what they are."""
    say = "what your printer cannot print on; refused if it is more than the page leaves free"
    return choice(None, say, read=millimetres(0, MOST_MM), metavar="MM", label="printer’s margin")


def refuse_margin(margin: float | None, free: float, what: str) -> None:
    """Raise UsageError if the printer leaves more white than `what` has free at its edges, in mm."""
    if margin is not None and margin > free:
        raise UsageError(f"--margin {margin:g} is more than the {free:g} mm that {what} leaves free at its edges")


def plan_option() -> Any:
    """Return the field for the page that says how to print, fold and cut."""
    return choice(False, "also make a page, NAME-plan.pdf, that shows how to print, fold and cut", terminal=True)


FONT = (
    "PDF: a TrueType font for what the bundled ones lack, such as Arabic or Chinese; may be given several times, and "
    "the first that has all of a text sets it"
)


def font_option(say: str = FONT) -> Any:
    """Return the field for files of added fonts."""
    return choice((), say, read=str, repeated=True, metavar="FILE", label="added fonts")


def options_of(kind: type[Options]) -> Iterator[tuple[Field[Any], Choice]]:
    """Yield the fields of an options class with their options: its own first, then those it shares with others."""
    own = get_annotations(kind)
    for each in sorted(fields(kind), key=lambda each: each.name not in own):
        yield each, each.metadata[OPTION]


def default_of(each: Field[Any]) -> Any:
    """Return the default of a field."""
    return {} if each.default is MISSING else each.default


Chosen = TypeVar("Chosen", bound=Options)


def chosen_options(kind: type[Chosen], given: Mapping[str, object]) -> Chosen:
    """Return the options with the given values, checked as the command line checks its words.

    UsageError for an unknown name, with the nearest one, and for a value that an option does not take.
    """
    known = {each.name: (each, about) for each, about in options_of(kind)}
    for name in given:
        if name not in known:
            raise UsageError(
                f"unknown option {quoted(name)}{suggestion(name, known) or '; there are ' + ', '.join(known)}"
            )
    return kind(**{name: _checked(*known[name], value) for name, value in given.items()})


def _checked(each: Field[Any], about: Choice, value: object) -> object:
    if value == default_of(each):
        return value
    if about.is_switch:
        if isinstance(value, bool):
            return value
        raise UsageError(f"{each.name} takes True or False, not {quoted(str(value))}")
    if about.choices:
        if value in about.choices:
            return value
        raise UsageError(f"{each.name} takes {', '.join(map(str, about.choices))}, not {quoted(str(value))}")
    if about.repeated:
        if isinstance(value, Mapping):
            return {str(name): str(word) for name, word in value.items()}
        if isinstance(value, (list, tuple)):
            return tuple(map(str, value))
        raise UsageError(f"{each.name} takes several values, not {quoted(str(value))}")
    assert about.read is not None
    try:
        return about.read(str(value))
    except ValueError as error:
        raise UsageError(f"{each.name} {error}") from None
