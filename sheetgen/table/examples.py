"""Worked examples of a pack or of any file, played with their own dice and cards; and proof of what a book tells."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from shlex import quote, split
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from sheetgen.content.book.references import REFERENCE, WORDS, References
from sheetgen.content.packs.folders import read_file
from sheetgen.content.packs.play import read_examples
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.dice.deck import Card, ScriptedCards
from sheetgen.dice.source import Recorded, Roll, Scripted
from sheetgen.documents.book.worked_example import ExampleTeller, Shown, case_data
from sheetgen.errors import InputError, LimitError, Problem, SheetgenError, UsageError, among, quoted, suggestion
from sheetgen.model.book import JOINED, NEXT, REST, Book, Prose, Role, Scene
from sheetgen.model.character import Character
from sheetgen.model.data import EMPTY, Data, Values, Word, plain
from sheetgen.model.procedures import Example, PlayedCase, Results, Throw, as_data
from sheetgen.model.scale import MINUS
from sheetgen.model.system import System
from sheetgen.people.parameter_binding import parameters_from, short_names
from sheetgen.rules.procedures.parameters import FREE_TEXT, Wrong, is_absent, read, value_for
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import Engine, engine_of, rulings_of
from sheetgen.table.play import COMMAND, as_words, odds, read_words
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

EXAMPLES = "examples.yaml"
_PART = re.compile(r"[+-]? ?\d+")
_SUM = re.compile(r"(-?\d+(?: [+-] ?\d+)+) = (-?\d+)(?![\w.])")
SAMPLES = 1_000  # plays that an example counts where exact odds are out of reach


def run_examples(system: System, examples: tuple[Example, ...]) -> tuple[Problem, ...]:
    """Return a problem for each case that does not come out as it says."""
    engine = engine_of(system)
    found = []
    for example in examples:
        failure = run_example(system, engine, example)
        if failure:
            found.append(Problem(example.place, f"{example.id}: {failure}"))
    return tuple(found)


def run_example(system: System, engine: Engine, example: Example) -> str:
    """Return what is wrong with a case, or nothing."""
    procedure = engine.procedures.get(example.do)
    if procedure is None:
        return f"unknown procedure {quoted(example.do)}{among(example.do, engine.procedures)}"
    for role in example.dice_for:
        if role not in system.by_role:
            return f"dice for: unknown trait {quoted(role)}{among(role, system.by_role)}"
    play, dice, cards = _table(system, engine, example)
    refusal = example.expect.get("error")  # type: ignore[call-overload]
    try:
        outcome = procedure.run(play, procedure.arguments(example.given, play))
        dice.finish()
        cards.finish()
    except (Wrong, Refused) as error:
        return _refused(error, refusal)
    except SheetgenError as error:
        return str(error)
    if refusal is not None:
        return f"expected a refusal, got {as_data(outcome)}"
    return "; ".join(_compared(outcome, procedure.outcome, example.expect, "", system.values))


def played(system: System, example: Example) -> PlayedCase:
    """Return a case as it goes at the table: its throws, its log, its outcome; a refused one ends with why it is."""
    log, throws, procedure = list[str](), list[Throw](), engine_of(system).procedures[example.do]
    dice, cards = Scripted(_faces(system, example)), _SeenCards(example.cards, throws)

    def keep(roll: Roll) -> None:
        throws.append(Throw(roll.purpose, roll.faces, roll.sides, roll.summed))

    play = Play(system, Recorded(dice, keep), rulings=rulings_of(system), cards=cards, log=log)
    try:
        outcome = procedure.run(play, procedure.arguments(example.given, play))
    except (Wrong, Refused) as error:
        log.append(str(error))
        outcome = None
    return PlayedCase(tuple(throws), tuple(log), outcome)


class _SeenCards(ScriptedCards):
    """The cards of a case, noted among its throws as they are drawn."""

    def __init__(self, cards: Iterable[str], throws: list[Throw]) -> None:
        super().__init__(cards)
        self._throws = throws

    def draw(self, purpose: str) -> Card:
        card = super().draw(purpose)
        self._throws.append(Throw(purpose, card=str(card)))
        return card


def _table(system: System, engine: Engine, example: Example) -> tuple[Play, Scripted, ScriptedCards]:
    """Return the table with the dice and cards of a case."""
    dice, cards = Scripted(_faces(system, example)), ScriptedCards(example.cards)
    return Play(system, dice, rulings=rulings_of(system), cards=cards), dice, cards


def _faces(system: System, example: Example) -> tuple[int, ...]:
    """Return the faces of a case as they fall in this game, whose sheet may have another order."""
    return example.faces(trait.role for trait in system.traits.values())


def _refused(error: Wrong | Refused, expected: Data | None) -> str:
    code = error.code if isinstance(error, Refused) else "bad_parameter"
    if expected is None:
        return f"refused: {error}"
    if expected in ("true", code):
        return ""
    return f"expected the refusal {expected}, got {code}: {error}"


def _compared(got: Any, wanted: Any, expect: Mapping[Word, Data], path: str, values: Values) -> Iterator[str]:
    """Yield the differences between a record and the part of it that a case expects."""
    kind = wanted if isinstance(got, Results) else type(got)
    hints = get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}
    names = {each.name.rstrip("_"): each.name for each in fields(kind)} if is_dataclass(kind) else {}
    for key, data in expect.items():
        at = f"{path}{key}"
        if key not in names:
            yield f"{at}: no such outcome{among(key, names)}"
            continue
        value, kind = getattr(got, names[key]), hints[names[key]]
        if is_dataclass(value) and isinstance(data, Mapping):
            yield from _compared(value, kind, data, f"{at}.", values)
            continue
        try:
            expected = None if is_absent(data) and _may_be_none(kind) else read(data, kind, at, values)
        except Wrong as wrong:
            yield f"expected {at} {plain(data)}, got {as_data(value)} ({wrong.takes})"
            continue
        if isinstance(expected, Mapping) and isinstance(value, Mapping):
            value = {name: each for name, each in value.items() if name in expected}
            expected = dict(expected)
        if expected != value:
            yield f"expected {at} {as_data(expected)}, got {as_data(value)}"


def _may_be_none(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and type(None) in get_args(kind)


def examples_in(project: Project, path: Path, *, inside: Path | None = None) -> tuple[Example, ...]:
    """Return the cases of a file; InputError with every problem of its shape."""
    problems = Problems()
    node = parse(read_file(path, project.shown(path), inside=inside), project.shown(path))
    cases = read_examples(node, problems)
    problems.raise_if_any()
    return cases


def check_examples(project: Project, pack: Pack, path: Path | None = None) -> int:
    """Return how many cases gave their expected results, of a file or the pack's own; InputError with every failure."""
    if path is None:
        path = pack.folder / EXAMPLES
        if not path.exists():
            return 0
        cases = examples_in(project, path, inside=pack.folder)
    else:
        cases = examples_in(project, path)
    failures = pack.run_isolated(lambda: run_examples(pack.system.as_printed, cases))
    if failures:
        raise InputError(failures)
    return len(cases)


def command_of(project: Project, pack: Pack, procedure: Procedure) -> str:
    """Return the words that play a procedure as in the first worked example of it, or as made up if there is none."""
    example = next(iter(_examples_of(project, pack, procedure)), None)
    if example is None:
        return " ".join(_made_up(pack, procedure))
    faces = _faces(pack.system, example)
    dice = [f"--dice {','.join(map(str, faces))}"] if faces else []
    cards = [f"--cards {','.join(example.cards)}"] if example.cards else []
    return " ".join([*_command_words(example), *dice, *cards])


def odds_command_of(project: Project, pack: Pack, procedure: Procedure) -> str:
    """Return the words that ask for the odds of a result of a procedure, with `--samples` if nothing exact is found.

    The example that throws the least comes first: a long one may decide what is impossible for other dice than its own.
    """
    examples = sorted(_examples_of(project, pack, procedure), key=_thrown)
    given = _command_words(examples[0]) if examples else _made_up(pack, procedure)
    asked = [of for path in _results(examples[0].expect) if (of := ".".join(path))] if examples else []
    arguments = read_words(project, pack, procedure, map(_unquoted, given))
    for of in (*asked[:1], ""):
        words = [*given, *([f"--of {quote(of)}"] if of else ())]
        try:
            odds(pack, procedure, arguments, of=of)
        except LimitError:
            return " ".join([*words, f"--samples {SAMPLES}"])
        except UsageError:
            continue  # what a skin calls otherwise
        return " ".join(words)
    return " ".join(given)


def _unquoted(word: str) -> str:
    return next(iter(split(word)), "")


def cases_of(project: Project, pack: Pack) -> dict[str, Example]:
    """Return the worked examples of a pack and of those that it extends by id, its own first: of one id they count."""
    packs, found = project.library.packs, dict[str, Example]()
    for folder in (pack.folder, *(packs[name] for name in pack.system.lineage if name in packs)):
        if (folder / EXAMPLES).is_file():
            for case in examples_in(project, folder / EXAMPLES, inside=folder):
                found.setdefault(case.id, case)
    return found


def _examples_of(project: Project, pack: Pack, procedure: Procedure) -> Iterator[Example]:
    """Yield the worked examples of a procedure: of the pack, then of those that it extends."""
    play = Play(pack.system, Scripted(()), rulings=rulings_of(pack.system))
    for example in cases_of(project, pack).values():
        if example.do == procedure.name and "error" not in example.expect:
            with suppress(Wrong):  # a skin may call otherwise what the example names
                procedure.arguments(example.given, play)
                yield example


def _command_words(example: Example) -> list[str]:
    """Return the parameters of an example as words of a command."""
    return [quote(f"{name}={flow_of(value)}") for name, value in example.given.items() if name not in FREE_TEXT]


def _made_up(pack: Pack, procedure: Procedure) -> list[str]:
    """Return a word for each parameter that a procedure needs, with a value that it takes."""
    needed = (each for each in procedure.parameters if each.needed)
    return [quote(f"{each.name}={flow_of(value_for(each.wanted, pack.system.values))}") for each in needed]


def _results(expect: Data) -> Iterator[tuple[str, ...]]:
    """Yield the paths to the single results that an example expects."""
    for name, value in expect.items() if isinstance(expect, Mapping) else ():
        if isinstance(value, Mapping):
            yield from ((str(name), *rest) for rest in _results(value))
        elif isinstance(value, str | int):
            yield (str(name),)


def _thrown(example: Example) -> tuple[bool, int, int]:
    """Sort examples by what they throw, those without parameters and those that throw nothing last."""
    thrown = len(example.faces(example.dice_for)) + len(example.cards)
    return not example.given, thrown or sys.maxsize, len(flow_of(example.given))


def flow_of(data: Data) -> str:
    """Return data as YAML in one line."""
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{scalar(str(key))}: {flow_of(value)}" for key, value in data.items()) + "}"
    if isinstance(data, tuple):
        return "[" + ", ".join(map(flow_of, data)) + "]"
    return str(data) if _is_plain(data) else flow_scalar(str(data))


def _is_plain(word: str) -> bool:
    return word.removeprefix("-").replace(".", "", 1).isdigit() or word in ("true", "false", "null")


class ExampleChecks:
    """Holds what a book tells of its examples against how they are played, and against its cast.

    Its people are each `of` the system of that name: the played one, or one that it extends.
    """

    def __init__(self, system: System, book: Book, cast: Iterable[Character], of: Mapping[str, System]) -> None:
        self.system, self.of, self.teller = system, of, ExampleTeller(system, book)
        self.cast = {name: each for each in cast for name in _names_of(each.text("name"))}

    def problems(self, scene: Scene, case: Example) -> Iterator[Problem]:
        """Yield what is wrong with an example as it is told, each at its place."""
        if case.do not in engine_of(self.system).procedures:
            return  # the case itself has this problem
        try:
            how = played(self.system, case)
        except SheetgenError as error:
            yield Problem(scene.place, f"{case.id} cannot be played: {error}")
            return
        data = case_data(case, how)
        yield from self._cast_problems(scene, case)
        if scene.story:
            yield from References(self.system, self.teller.book, data).problems(scene.story)
        if scene.lines:
            yield from _throw_problems(scene, how)
            for shown in self.teller.shown(scene, how, data):
                yield from self._line_problems(scene, shown, data)

    def _line_problems(self, scene: Scene, shown: Shown, data: Mapping[Word, Data]) -> Iterator[Problem]:
        """Yield figures and names that the data does not vouch for, and what is not so."""
        line, values = shown.line, Values(data, shown.line.place)
        told = ((line.words, shown.references), *zip(line.results, shown.beside, strict=True))
        for prose, references in told:
            yield from references.problems(prose)
            for place, figure in references.figures(prose, words=line.played):
                literal = figure if figure.isdigit() else f"{WORDS.index(figure)}|word"
                fix = f"take it from the case{', as {thrown.dice|word},' if shown.rows else ''} or write {{{literal}}}"
                yield Problem(place, f"{quoted(figure)} stands in the words of an example: {fix}")
        for prose, references in told[1:]:
            yield from _sum_problems(prose, references)
        if line.kept is not None and not values.has(line.kept):
            yield Problem(
                line.kept.place, f"kept: the case has no {quoted(line.kept)}{suggestion(line.kept, map(str, data))}"
            )
        for path, wanted in line.so.items():
            if not values.has(path):
                near = suggestion(path, map(str, data))
                yield Problem(path.place, f"so: the case has no {quoted(path)}{near}")
            elif str(plain(values.at(path))).casefold() != str(plain(wanted)).casefold():
                yield Problem(path.place, f"so: {path} is {plain(values.at(path))}, not {plain(wanted)}")
        filled = [self.cast.get(role.name) for role in scene.people.values()]
        for name, person in self.cast.items() if line.played else ():
            if person not in filled and re.search(rf"\b{re.escape(name)}\b", line.words.text):
                yield Problem(line.place, f"{name} is of the cast: say under people: what {name} does in this case")
                filled.append(person)

    def _cast_problems(self, scene: Scene, case: Example) -> Iterator[Problem]:
        """Yield where the case gives somebody of the cast other figures than their character file has."""
        taken = [self.cast.get(role.name) for role in scene.people.values()]
        for word in _words_in(case.given):
            if word in self.cast and self.cast[word] not in taken:
                yield Problem(scene.place, f"{case.id} names {word} of the cast: say so with `people:`")
        for parameter, role in scene.people.items():
            if role.name not in self.cast:
                near = suggestion(role.name, self.cast)
                yield Problem(role.place, f"nobody of the cast is called {quoted(role.name)}{near}")
                continue
            try:
                found = tuple(self._differences(case, parameter, role))
            except (UsageError, Wrong) as error:
                yield Problem(role.place, f"{parameter}: {error}")
                continue
            for path, theirs, given in found:
                yield Problem(role.place, f"{case.id}, {path}: {role.name} has {theirs}, the case gives {given}")

    def _differences(self, case: Example, parameter: str, role: Role) -> Iterator[tuple[str, str, str]]:
        """Yield each parameter that is not the person's, with what they have and what the case gives."""
        person, procedure = self.cast[role.name], engine_of(self.system).procedures[case.do]
        play, values = Play(self.system, Scripted(()), rulings=rulings_of(self.system)), Values(case.given, case.place)
        theirs = parameters_from(self.of[person.system], case.do, parameter, person, role.what)
        usual = {each.name: each.default for each in procedure.parameters if not each.needed}
        typed = _unordered(usual | procedure.arguments(case.given, play))
        for path in role.but:
            if path not in theirs:
                yield path, f"no such parameter{suggestion(path, theirs)}", _given_at(values, path)
        for path, value in theirs.items():
            given = _given_at(values, path)
            if path in role.but or (path.endswith("name") and self.cast.get(given) == person):
                continue
            changed = procedure.arguments(_replaced_at(case.given, path.split("."), as_words(value)), play)
            if _unordered(usual | changed) != typed:
                yield path, str(value), given


def _unordered(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return arguments with their lists of words in one order: in which order a sheet lists them says nothing."""
    words = {
        name: sorted(value)
        for name, value in arguments.items()
        if isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    }
    return {**arguments, **words}


def _names_of(name: str) -> tuple[str, ...]:
    """Return what somebody may be called in an example: Ugly Jack is also Jack."""
    return name, *short_names(name), name.rpartition(" ")[2]


def _given_at(values: Values, path: str) -> str:
    """Return what stands at a path, in one line, or "nothing"."""
    return str(plain(values.at(path))) if values.has(path) else "nothing"


def _sum_problems(prose: Prose, references: References) -> Iterator[Problem]:
    """Yield a sum beside dice that does not come to what stands behind its equals sign, such as `4 + 1 = 7`."""
    with suppress(ValueError):  # told by `problems`
        said = REFERENCE.sub(lambda found: references.resolve(found[1]).text, prose.text).replace(MINUS, "-")
        found = _SUM.match(said)
        if found and sum(int(part.replace(" ", "")) for part in _PART.findall(found[1])) != int(found[2]):
            yield Problem(prose.place, f"{quoted(said.replace('-', MINUS))} is wrong as a sum")


def _throw_problems(scene: Scene, how: PlayedCase) -> Iterator[Problem]:
    """Yield the first place at which the throws beside the lines are not those of the case, one after another."""
    left = list(how.throws)
    for line, rows in zip(scene.lines, scene.shared_out(how.throws), strict=True):
        for name in line.throws:
            if name == f"{JOINED}{REST}":
                yield Problem(name.place, f"dice: {quoted(name)} joins no row: write {REST}, in rows of their own")
                return
            purpose = name.removeprefix(JOINED)
            if purpose == REST and left:
                left.clear()
                continue
            if not left or purpose not in (NEXT, left[0].purpose):
                due = f"next falls {left[0]}" if left else "nothing falls any more"
                yield Problem(name.place, f"dice: {quoted(purpose)} does not fall here: {due}")
                return
            left.pop(0)
        if len(line.results) > len(rows):
            yield Problem(line.results[-1].place, f"more results than the {len(rows)} rows of dice beside this line")
    if left:
        yield Problem(scene.place, f"no line of the example shows: {'; '.join(map(str, left))}")


def _words_in(data: Data) -> Iterator[str]:
    if isinstance(data, Word):
        yield str(data)
    else:
        for item in data.values() if isinstance(data, Mapping) else data:
            yield from _words_in(item)


def _replaced_at(data: Data, path: Sequence[str], value: Data) -> Data:
    """Return data with another value at a path; numbers in it are places in a list, from 1."""
    head, *rest = path
    if isinstance(data, tuple) and head.isdecimal():
        place = int(head[:9]) - 1
        inner = data[place] if place < len(data) else EMPTY
        return (*data[:place], _replaced_at(inner, rest, value) if rest else value, *data[place + 1 :])
    entries = dict(data) if isinstance(data, Mapping) else {}
    key = Word(head, COMMAND)
    return {**entries, key: _replaced_at(entries.get(key, EMPTY), rest, value) if rest else value}
