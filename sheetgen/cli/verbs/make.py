"""`sheetgen make`: one character by choice, step by step, on a terminal or from answers that are piped in."""

from __future__ import annotations

import re
import secrets
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from sheetgen.cli.options import add_output, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import add_options, options_from
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import EXIT_INTERRUPTED, UsageError, printable
from sheetgen.model.character import Character
from sheetgen.people.character_files import interview_about
from sheetgen.products.options import (
    TonedOptions,
    choice,
    margin_option,
    name_and_value,
    paper_option,
    refuse_margin,
    whole_number,
)
from sheetgen.products.people.options import PeopleOptions
from sheetgen.products.people.people import SHEETS, PeopleJob
from sheetgen.products.people.printing import FORMATS
from sheetgen.products.product import opened_pack, produce
from sheetgen.products.shapes import SHEET_FREE
from sheetgen.rules.conversation import Interview, PresetAnswers, Prompt
from sheetgen.workspace.packs import sources
from sheetgen.workspace.project import project_at
from sheetgen.workspace.targets import refuse_inputs, targets
from sheetgen.workspace.write import slug

EXAMPLE = """  sheetgen make gamers
  sheetgen make gamers --method points --archetype scholar -o ada.yaml -o ada.pdf"""
WIDEST = 100
BACK, MORE, QUIT = "back", "?", "quit"
_LEVEL = re.compile(r" (?=[\w+−-]{1,4}(?:[,;]|$))")  # a name and its level stay on one line
HOW = (
    "Enter takes what is suggested. “back” undoes the last answer and “back STEP” goes back to a step; “?” tells more; "
    "“quit” ends without writing. A text that looks like one of these goes in double quotes."
)


@dataclass(frozen=True, kw_only=True)
class MakeOptions(TonedOptions):
    """What is settled before the first question, and how the sheet is printed."""

    method: str = choice("", "how it is made; else you are asked", read=str, metavar="NAME")
    archetype: str | None = choice(None, "a part to play, or none; else you are asked", read=str, metavar="NAME")
    option: Mapping[str, str] = choice(
        {}, "an option, not asked any more", read=name_and_value, repeated=True, metavar="NAME=VALUE"
    )
    seed: int | None = choice(
        None, "the same seed, the same suggestions", read=whole_number(0, LARGEST_SEED), metavar="N"
    )
    back: bool = choice(False, "player sheets: with the back")
    margin: float | None = margin_option()
    paper: str = paper_option()

    @property
    def printed(self) -> PeopleOptions:
        """How the sheet is printed, as `sheet` prints it."""
        shared = {each.name for each in fields(PeopleOptions)} & {each.name for each in fields(self)}
        return PeopleOptions(**{name: getattr(self, name) for name in shared})


def run_make(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Ask for a character of the named system, step by step, and write it."""
    parse = parser("make", "Makes a character by choice: asks step by step, within the rules, and writes it.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    add_options(parse, MakeOptions)
    add_output(parse, formats=".pdf, .html, .yaml, .json, .csv, .tsv, .xlsx or .ods")
    args = parse.read(words)
    options, project = options_from(args, MakeOptions), project_at(where, environ)
    refuse_margin(options.margin, SHEET_FREE, "a sheet")
    wanted = targets(args.output, args.to, where, FORMATS)
    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    pack = opened_pack(project, args.system, options)
    refuse_inputs(wanted, sources(project, pack))
    interview = interview_about(pack, PresetAnswers(options.method, options.archetype, dict(options.option)), seed)
    character = _talk(interview, _Table(quiet=args.quiet or args.json, title=pack.system.title))
    if character is None:
        print("nothing was written", file=sys.stderr)
        return EXIT_INTERRUPTED
    name, facts = character.text("name"), {"system": pack.system.id, "seed": seed}
    stem = f"{pack.system.id}-{slug(name)}"
    job = PeopleJob(pack, lambda: [character], 1, stem, lambda report: name, facts)
    reporter = ConsoleReporter.of(args, to_stderr=any(target.is_stdout for target in wanted))
    product = replace(SHEETS, usual=(".pdf", ".yaml"))
    produce(product, project, job, options.printed, wanted=wanted, reporter=reporter)
    return reporter.finish()


class _Table:
    """Where questions are shown, on standard error, and answers read from standard input."""

    def __init__(self, *, quiet: bool, title: str) -> None:
        self._terminal = sys.stdin.isatty()
        self._silent = quiet and not self._terminal
        self._width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
        self.show([f"A character of {title}.", *self._wrapped(HOW, "")])

    def ask(self, question: Prompt) -> None:
        """Show a question, or only what was wrong with the last answer to it."""
        if question.complaint:
            self.show((line for each in question.complaint for line in self._wrapped(each, "! ")), always=True)
            return
        rule = f" [{question.rule}]" if question.rule else ""
        lines = ["", question.title + rule, *self._wrapped(question.say, "  ")]
        lines += [line for each in question.shown for line in self._wrapped(each, "    ")]
        self.show([*lines, *self._wrapped(question.ask, "  ")])

    def tell(self, lines: Iterable[str]) -> None:
        """Show what stands behind a question."""
        self.show(line for each in lines for line in self._wrapped(each, "    "))

    def show(self, lines: Iterable[str], *, always: bool = False) -> None:
        """Print lines for people."""
        if always or not self._silent:
            for line in lines:
                print(printable(line), file=sys.stderr)

    def read(self) -> str | None:
        """Return the next answer; None at the end of the input."""
        if not self._silent:
            print("> ", end="", file=sys.stderr, flush=True)
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            raise UsageError("standard input: the answers must be text in UTF-8") from None
        if not self._terminal:
            self.show([line.rstrip("\n")])
        return line.strip() if line else None

    def ended(self, question: Prompt) -> None:
        """Handle the end of the input: a person left, or piped answers are too few."""
        if not self._terminal:
            raise UsageError(f"the answers end before “{question.title}” is answered: nothing was written")
        self.show([""])

    def _wrapped(self, text: str, indent: str) -> list[str]:
        within = " " * (len(indent) + len(text) - len(text.lstrip()))
        first = indent + within[len(indent) :]
        tied = _LEVEL.sub("\0", text.lstrip())
        lines = textwrap.wrap(tied, self._width, initial_indent=first, subsequent_indent=f"{within}  ")
        return [line.replace("\0", " ") for line in lines]


def _talk(interview: Interview, table: _Table) -> Character | None:
    """Return the character at the end of the conversation; None if the person left."""
    before: Prompt | None = None
    while isinstance(interview.now, Prompt):
        question = interview.now
        if question is not before:
            table.ask(question)
        before, line = question, table.read()
        if line is None:
            table.ended(question)
            return None
        verb, _, rest = line.casefold().partition(" ")
        if line.casefold() == QUIT:
            return None
        if line == MORE:
            table.tell(question.help or ("there is no more to tell",))
        elif verb == BACK:
            interview.back(rest.strip())
        else:
            interview.answer(line)
    return interview.now
