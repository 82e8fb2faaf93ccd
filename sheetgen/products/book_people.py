"""The people of a book: those kept in character files of the pack, those rolled for a rule, and ready-made groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from sheetgen.content.book.references import REFERENCE, References
from sheetgen.content.packs.folders import read_file
from sheetgen.content.people.characters import read_characters, system_named
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.documents.people.card import trade_of
from sheetgen.documents.people.stat_blocks import stat_block
from sheetgen.errors import InputError, Place, Problem, UsageError, problems_at, quoted, suggestion
from sheetgen.model.book import Book, Featured
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.model.system import System
from sheetgen.model.wording import sentence
from sheetgen.people.groups import TITLES, GroupRun, people_of_line
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.products.chapter_files import folders_of
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

FIGURE = "figure."


def system_of_book(project: Project, pack: Pack, folder: Path) -> System:
    """Return the game that a book is about: that of the folder where its chapters stand."""
    return pack.system if folder == pack.folder else open_pack(project, folder.name).system


def kept_characters(project: Project, pack: Pack, name: str) -> tuple[Character, ...]:
    """Return the characters of a file of the pack, or else of one that it varies; InputError with every problem of it.

    They are of the game in whose folder the file stands.
    """
    folder = next((each for each in folders_of(project, pack) if (each / name).is_file()), pack.folder)
    system, path, problems = system_of_book(project, pack, folder), folder / name, Problems()
    shown = project.shown(path)
    node = parse(read_file(path, shown, inside=folder), shown)
    if system_named(node, problems).text != system.id:
        problems.add(node.place, f"somebody of this book is of system {system.id}")
    problems.raise_if_any()
    characters = read_characters(node, system, problems, judge=engine_of(system).judge)
    problems.raise_if_any()
    return characters


def kept_heroes(project: Project, pack: Pack, book: Book) -> tuple[dict[str, Character], list[Problem]]:
    """Return the heroes of character files by rule, and what is wrong with them."""
    found, wrong = dict[str, Character](), list[Problem]()
    for rule in book.rules.values():
        if rule.hero is None or not rule.hero.file:
            continue
        try:
            (character, *more) = kept_characters(project, pack, rule.hero.file)
            if more:
                raise InputError(
                    [Problem(rule.hero.place, f"a hero is one character, and {rule.hero.file} has several")]
                )
            found[rule.id] = character
            for words in rule.hero.made.values():
                told_step(words, character, pack.system, rule.hero.place)
        except InputError as error:
            wrong += error.problems
    return found, wrong


def told_step(words: Iterable[str], hero: Character, system: System, place: Place) -> tuple[str, ...]:
    """Return the lines of a step with the fields and figures that they name; InputError for a name that says nothing.

    `{gear}` is a field, `{figure.wounds}` what the sheet works out.
    """

    def field_of(match: re.Match[str]) -> str:
        if match[1].startswith(FIGURE):
            figures, name = engine_of(system).figures(system, hero), match[1].removeprefix(FIGURE)
            if name in figures:
                return figures[name]
            near = suggestion(name, figures)
            raise InputError([Problem(place, f"hero: {match[0]} is no figure of {hero.text('name')}{near}")])
        said = hero.text(match[1]) or "; ".join(hero.lines(match[1]))
        try:
            return said or (References(system, Book((), {})).resolve(match[1]), match[0])[1]
        except ValueError:
            problem = Problem(place, f"hero: {match[0]} is no text and no list of {hero.text('name')}")
        raise InputError([problem])

    return tuple(REFERENCE.sub(field_of, line) for line in words)


def kept_people(project: Project, pack: Pack, book: Book) -> tuple[dict[str, tuple[Character, ...]], list[Problem]]:
    """Return the characters of the files that rules name in `people`, by file, and what is wrong with these."""
    found, wrong = dict[str, tuple[Character, ...]](), list[Problem]()
    for each in (each for rule in book.rules.values() for each in rule.people if each.file):
        try:
            if each.file not in found:
                found[each.file] = kept_characters(project, pack, each.file)
            names = [character.text("name") for character in found[each.file]]
            for name in each.only:
                if name not in names:
                    message = f"nobody in {each.file} is called {quoted(name)}{suggestion(name, names)}"
                    wrong.append(Problem(each.place, message))
        except InputError as error:
            wrong += error.problems
    return found, wrong


def shown_people(
    pack: Pack, people: Sequence[Featured], kept: Mapping[str, tuple[Character, ...]]
) -> tuple[TemplateData, ...]:
    """Return whom a rule shows, for templates: groups with title and line, and single people without, in order.

    Two of an archetype would have the same line: of whoever comes later it tells the manner.
    InputError at the place of somebody who cannot be rolled.
    """
    found, told = list[TemplateData](), set[object]()
    for each in people:
        try:
            if each.group:
                found.append(_group(pack, each, told))
                continue
            blocks = [_told_once(_block(pack.system, who, each), told) for who in _single(pack, each, kept)]
        except UsageError as error:
            raise InputError(problems_at(each.place, error, "people")) from None
        if found and not found[-1]["title"]:
            blocks = [*found.pop()["people"], *blocks]  # type: ignore[misc]
        found.append({"title": "", "say": "", "people": blocks})
    return tuple(found)


def _single(pack: Pack, each: Featured, kept: Mapping[str, tuple[Character, ...]]) -> Iterator[Character]:
    if each.file:
        yield from (who for who in kept.get(each.file, ()) if not each.only or who.text("name") in each.only)
        return
    run = RollOptions(each.seed, 1, each.index, each.method, each.archetype, each.options)
    yield roller(pack, run).roll(each.index)


def _block(system: System, who: Character, each: Featured, alike: Sequence[str] = ()) -> TemplateData:
    return stat_block(system, who, engine_of(system).figures(system, who), each, alike)


def _told_once(block: TemplateData, told: set[object]) -> TemplateData:
    """Return a block whose line is none that was `told`, as long as there is a manner to tell of."""
    want = block["manner"] if block["want"] in told and block["manner"] else block["want"]
    told |= {want} - {""}
    return {**block, "want": want}


def _group(pack: Pack, each: Featured, told: set[object]) -> TemplateData:
    """Return a ready-made group: a block for each line of it, with the names of all who are alike.

    A part that is the trade goes unsaid; one that is no title stands before that.
    """
    group, blocks = pack.system.known_groups[each.group], list[TemplateData]()
    for member, run in GroupRun(group, each.seed, each.method, each.options).runs:
        everybody = list(people_of_line(pack, member, run))
        part, names = sentence(member.part or member.archetype), [who.text("name") for who in everybody]
        said = member.part and part.casefold() != everybody[0].text("occupation").casefold()
        name, trade = member.name or (part if len(names) > 1 else names[0]), ""
        if said and name == names[0] and part.lower() in TITLES:
            name = f"{part} {name}"
        elif said and name == names[0]:
            trade = ", ".join(filter(None, (part[:1].lower() + part[1:], trade_of(pack.system, everybody[0]))))
        shown = Featured(each.place, archetype=member.archetype, name=name, trade=trade)
        alike = names if len(names) > 1 else ()
        blocks.append(_told_once(_block(pack.system, everybody[0], shown, alike), told))
    heading = {"title": sentence(group.title), "say": sentence(group.say)}
    return {**heading, "behind": each.behind, "otherwise": each.otherwise, "people": blocks}
