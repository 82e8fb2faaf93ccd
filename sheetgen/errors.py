"""What can go wrong, as values: a place, a problem, and the errors that carry them; also of libraries that are missing.

    SheetgenError                 anything a user can mend; `exit_code` says how a run ends
    ├── UsageError                2  a wrong word on the command line
    ├── InputError                2  a file that does not hold what it should; carries every Problem of it
    ├── LimitError                3  work that was stopped because it would take too long or too much
    └── OutputError               4  a result that could not be written

Everything else that escapes is a bug in sheetgen and shows a traceback.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType

EXIT_OK, EXIT_SOME, EXIT_INPUT, EXIT_LIMIT, EXIT_OUTPUT, EXIT_INTERRUPTED = 0, 1, 2, 3, 4, 130

FEW = 12  # names that a message lists
LONGEST_NAME = 100  # letters of a word that may be a misspelt name


SHEET_END = "!"  # of a place in a workbook: behind the name of the sheet
_STRING = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""  # as repr writes one, whatever stands in it
_PLACE = re.compile(rf"Place\(file={_STRING}, line=\d+, column=\d+\)")
PACKAGES = MappingProxyType(
    {
        "yaml": "pyyaml",
        "fontTools": "fonttools",
        "PIL": "pillow",
        "markdown_it": "markdown-it-py",
    }
)
# What not everybody needs, by what it is for: the packages, as the extra of that name brings them.
EXTRAS = MappingProxyType(
    {
        "tables": ("python-calamine", "xlsxwriter"),
        "cluster": ("distributed", "dask", "cloudpickle", "fsspec"),
        "studio": ("starlette", "uvicorn", "python-multipart", "anyio"),
    }
)
MORE = "sheetgen doctor tells more"


def column_letters(column: int) -> str:
    """Return the name of a spreadsheet's column, numbered from 1: A … Z, AA, AB …; "" for 0."""
    name = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A spot in a file: the path as the user wrote it, line and column from 1 (0 where unknown).

    In a workbook the file ends with its sheet (`heroes.xlsx:Sheet1!`), and the spot reads as a spreadsheet names it:
    `heroes.xlsx:Sheet1!C7`.
    """

    file: str
    line: int = 0
    column: int = 0

    def __reduce__(self) -> tuple[type[Place], tuple[str, int, int]]:
        """What pickle makes it of again: there are thousands in a pack, and its own way takes ten times as long."""
        return Place, (self.file, self.line, self.column)

    def __str__(self) -> str:
        if self.file.endswith(SHEET_END):
            return f"{self.file}{column_letters(self.column)}{self.line}" if self.line else self.file[:-1]
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


def without_places(value: object, instead: Callable[[str], str] = lambda place: "") -> str:
    """Return the repr of a value with another text for each `Place` in it: lines above it may have come and gone."""
    return _PLACE.sub(lambda found: instead(found[0]), repr(value))


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong in one place, and the ID of the rule it breaks where there is one."""

    place: Place
    message: str
    rule: str = ""

    def __str__(self) -> str:
        """The problem as one line: `content/gamers/system.yaml:31:7: unknown skill "Sord" (did you mean "Sword"?)`."""
        rule = f" [{self.rule}]" if self.rule else ""
        return printable(f"{self.place}: {self.message}{rule}")

    def as_data(self) -> dict[str, object]:
        """Return the problem for programs."""
        place = self.place
        about = {"file": place.file, "line": place.line, "column": place.column}
        return {**about, "message": self.message, "rule": self.rule}


def problems_at(place: Place, error: Exception, what: str = "") -> tuple[Problem, ...]:
    """Return a problem for each line of an error that knows no place, `what` before each."""
    return tuple(Problem(place, f"{what}: {line}" if what else line) for line in str(error).splitlines())


class SheetgenError(Exception):
    """A mistake that the user can mend; the message is one line, ready to print."""

    exit_code = EXIT_INPUT


class UsageError(SheetgenError):
    """A wrong word on the command line."""


class LimitError(SheetgenError):
    """Work that was stopped by a limit on count, time or memory."""

    exit_code = EXIT_LIMIT


class OutputError(SheetgenError):
    """A result that could not be written where it was asked for."""

    exit_code = EXIT_OUTPUT


class InputError(SheetgenError):
    """Input that cannot be used, with every problem found in it; `stopped` if reading stopped before its end."""

    shown = 20

    def __init__(self, problems: Iterable[Problem], *, stopped: bool = False) -> None:
        self.problems, self.stopped = tuple(problems), stopped
        super().__init__(self.problems)

    def __str__(self) -> str:
        """One line a problem in file order, the first 20 of them."""
        lines = [str(problem) for problem in sorted(self.problems)[: self.shown]]
        rest = len(self.problems) - self.shown
        more = f"and {'at least ' if self.stopped else ''}{rest} more"
        return "\n".join([*lines, more] if rest > 0 else lines)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean "Sword"?)` for the nearest known name, or nothing when none is near."""
    near = nearest(word, known)
    return f' (did you mean "{near}"?)' if near else ""


def among(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean "Sword"?)`, or ` (there are Bow, Sword)` where no name is near: the first twelve."""
    names = list(dict.fromkeys(known))
    return suggestion(word, names) or f" (there are {some_of(names) or 'none'})"


def some_of(known: Iterable[str]) -> str:
    """Return the first twelve names in a line, and how many more there are."""
    names = list(known)
    return ", ".join(names[:FEW]) + (f" and {len(names) - FEW:,} more" if len(names) > FEW else "")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the nearest known name, or nothing when none is near.

    The hyphens of an option make nothing near; options are short and share parts, so that they must be nearer.
    """
    by_folded = {name.casefold().lstrip("-"): name for name in known if len(word) <= LONGEST_NAME}
    near = difflib.get_close_matches(
        word.casefold().lstrip("-"), by_folded, n=1, cutoff=0.7 if word.startswith("-") else 0.6
    )
    return by_folded[near[0]] if near else ""


def quoted(text: str, longest: int = 60) -> str:
    """Return the text in double quotes as a message shows it, shortened in the middle when it is long."""
    return f'"{shortened(text, longest)}"'


def shortened(text: str, longest: int = 60) -> str:
    """Return the text, or its beginning and its end where it is longer."""
    return text if len(text) <= longest else f"{text[: longest - 12]}…{text[-10:]}"


def printable(text: str) -> str:
    """Return the text with control and direction characters written as escapes, so that a message stays one line."""
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode("ascii") for c in text)


def absence(error: BaseException) -> UsageError | None:
    """Return the error to show for a missing or broken library; None for every other error."""
    if isinstance(error, OSError) and str(error).startswith("cannot load library"):
        return UsageError(f"Pango is not installed: apt install libpango-1.0-0 libpangoft2-1.0-0; {MORE}")
    if not isinstance(error, ImportError):
        return None
    name = (error.name or "").partition(".")[0]
    if not name or name == "sheetgen" or name in sys.stdlib_module_names:
        return None
    package = PACKAGES.get(name, name.replace("_", "-"))
    extra = next((each for each, brings in EXTRAS.items() if package in brings), "")
    if isinstance(error, ModuleNotFoundError) and extra:
        return UsageError(f"{package} is not installed: {with_extra(extra)}; {MORE}")
    if isinstance(error, ModuleNotFoundError):  # PackageNotFoundError, too, is one
        return UsageError(f"{package} is not installed: pip install {package}; {MORE}")
    reason = (str(error).splitlines() or [""])[0]
    return UsageError(
        printable(f"{package} cannot be used ({reason}): pip install --force-reinstall {package}; {MORE}")
    )


def with_extra(extra: str) -> str:
    """Return the command that installs what an extra brings, into the environment that runs."""
    return f"pip install {' '.join(EXTRAS[extra])}"
