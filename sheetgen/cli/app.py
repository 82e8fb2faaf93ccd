"""The start of the program: streams are prepared, the verb is found and run, every mistake is shown in one line."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TextIO

from sheetgen.cli.terminal import Heed, problem_line, waiting
from sheetgen.cli.verbs import SYNONYMS, VERBS, run_verb
from sheetgen.errors import EXIT_OK, InputError, OutputError, SheetgenError, UsageError, nearest, printable, quoted
from sheetgen.workspace import PACKS_OPTION

HELP = """sheetgen: small tabletop roleplaying systems as things people hold at the table

usage: sheetgen VERB …     (sheetgen VERB --help explains one)

{verbs}

  sheetgen npc gamers -n 12                  a dozen people, rolled and printed
  sheetgen blank gamers --fillable           an empty sheet for a PDF reader
"""
MEANT = {  # words that people try and that are no verbs, and the verb that may be meant
    "people": "npc",
    "create": "make",
    "character": "make",
    "roster": "sheet",
    "form": "fill",
    "scan": "read",
    "empty": "blank",
    "rules": "book",
    "letter": "handouts",
    "fold": "booklet",
    "impose": "booklet",
    "init": "new",
    "fight": "duel",
    "chance": "odds",
    "validate": "check",
    "games": "systems",
    "preview": "studio",
    "watch": "build --watch",
}
STREAMS = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))


def start(words: list[str]) -> int:
    """Return the exit code of the verb that the words ask for."""
    _open_streams()
    complain = _complain_in_json if "--json" in words else _complain
    try:
        with waiting(words, sys.stderr, _heard_by):
            code = _exit_code(partial(_dispatch, words), complain)
    except SystemExit:  # argparse has printed its help
        if failed := _exit_code(_flush, complain):
            return failed
        raise
    if code:
        with suppress(SheetgenError, OSError):  # one line is enough
            _flush()
        return code
    return _exit_code(_flush, complain)


def _heard_by(heed: Heed) -> None:
    """Have all output of this program pass by `heed` first."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, _Standard) and stream.isatty():
            stream.heed = heed


def _dispatch(words: list[str]) -> int:
    words, named = _with_packs(words)
    if words[:1] == ["help"] and len(words) > 1:
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        width = max(map(len, VERBS))
        print(HELP.format(verbs="\n".join(f"  {verb:<{width}}  {say}" for verb, say in VERBS.items())), end="")
        return EXIT_OK
    if words[0] in ("-V", "--version"):
        from sheetgen.version import __version__

        print(f"sheetgen {__version__}")
        return EXIT_OK
    verb = SYNONYMS.get(words[0], words[0])
    if verb not in VERBS:
        near = MEANT.get(verb) or nearest(verb, (*VERBS, *SYNONYMS))
        hint = f' (did you mean "{near}"?)' if near else "; sheetgen --help lists the verbs by what they do"
        raise UsageError(f"unknown verb {quoted(verb)}{hint}")
    return run_verb(verb, words[1:], _working_folder(), {**os.environ, **named})


def _with_packs(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words without the option of folders of packs, and what it adds to the environment of the run."""
    if not any(word.startswith(PACKS_OPTION) for word in words):
        return words, {}
    end = words.index("--") if "--" in words else len(words)
    kept, folders, left = list[str](), list[str](), iter(words[:end])
    for word in left:
        option, equals, folder = word.partition("=")
        if option != PACKS_OPTION:
            kept.append(word)
        elif found := folder if equals else next(left, ""):
            folders.append(found)
        else:
            raise UsageError(f"{PACKS_OPTION} needs a folder that packs lie in")
    named = os.pathsep.join(
        str(_working_folder() / each) for each in os.pathsep.join(folders).split(os.pathsep) if each
    )
    return [*kept, *words[end:]], {PACKS_OPTION: named} if named else {}


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(f"the folder you are in cannot be used ({error.strerror}): go to another one") from None


def _exit_code(work: Callable[[], int], complain: Callable[[SheetgenError], int]) -> int:
    """Return the exit code of the work; `complain` tells of errors that are no bugs."""
    try:
        return work()
    except SheetgenError as error:
        return complain(error)
    except BrokenPipeError:
        _discard(sys.stdout)
        return EXIT_OK
    except (ImportError, OSError) as error:
        from sheetgen.errors import absence

        absent = absence(error)
        if absent is None:
            raise
        return complain(absent)


def _complain(error: SheetgenError) -> int:
    """Print the error on standard error, a line for each problem."""
    lines = (problem_line(printable(line), sys.stderr) for line in str(error).splitlines())
    print("\n".join(lines), file=sys.stderr, flush=True)
    return error.exit_code


def _complain_in_json(error: SheetgenError) -> int:
    """Print the error on standard error as one line of JSON, with the place of each problem of a file."""
    import json

    facts: dict[str, object] = {"error": str(error), "exit": error.exit_code}
    if isinstance(error, InputError):
        facts["problems"] = [problem.as_data() for problem in sorted(error.problems)]
    print(json.dumps(facts, ensure_ascii=False), file=sys.stderr, flush=True)
    return error.exit_code


def _flush() -> int:
    sys.stdout.flush()
    return EXIT_OK


def _discard(stream: TextIO) -> None:
    """Discard what a stream still holds, so that the flush at exit raises nothing."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class _Standard(io.TextIOWrapper):
    """Standard output, or standard error, on a terminal or anywhere else.

    What cannot be spelled is escaped. When standard output takes no more, that is an OutputError like any other; when
    standard error takes no more, there is nobody left to tell.
    """

    def __init__(self, stream: TextIO, name: str) -> None:
        super().__init__(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",
            line_buffering=stream.isatty(),
            write_through=bool(getattr(stream, "write_through", False)),
        )
        self._output = name == "stdout"
        self.heed: Heed | None = None

    def write(self, text: str, /) -> int:
        """Write the text; OutputError if standard output takes no more."""
        if self.heed is not None:
            self.heed(text)
        try:
            return super().write(text)
        except OSError as error:
            self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Write out the buffer; OutputError if standard output takes no more."""
        try:
            super().flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        if isinstance(error, BrokenPipeError):
            raise error
        _discard(self)
        if self._output:
            raise OutputError(f"standard output: cannot be written ({error.strerror})") from None


def _open_streams() -> None:
    """Make every standard stream safe to use; a closed one is replaced.

    Without one, a result could be opened under the number of standard output. The stand-in for standard output can
    only be read, so that writing to it fails as it would on the closed one.
    """
    for number, (name, mode, flags) in enumerate(STREAMS):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, flags)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            stand_in = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stand_in)
            setattr(sys, f"__{name}__", stand_in)
        stream = getattr(sys, name)
        if mode == "w" and stream is getattr(sys, f"__{name}__"):  # and not what another program has put there
            setattr(sys, name, _Standard(stream, name))
