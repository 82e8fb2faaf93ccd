"""Filled forms read back: ours or anybody's, a character each, and all that is odd about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.people.characters import LONGEST_OWN, MOST_OWN
from sheetgen.content.people.records import MOST, RECORDS, read_records, shape_of, short_name
from sheetgen.content.people.workbook import WORKBOOKS, WorkbookSheet
from sheetgen.content.yaml.field_map import read_map
from sheetgen.content.yaml.nodes import Scalar
from sheetgen.documents.export.tables import TABLES, Listed
from sheetgen.documents.people.form_fields import Answers, Unread, answers, matched, value_names, value_test
from sheetgen.documents.people.sheet import unknown_fields
from sheetgen.errors import InputError, Place, Problem, UsageError, printable, quoted, suggestion
from sheetgen.geometry import Box
from sheetgen.model.acroform import Acroform, Blank, FieldRule, Spot
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import OWN_PREFIX, Character
from sheetgen.model.system import System
from sheetgen.model.wording import DOT
from sheetgen.pdf.acroform.reader import read, text
from sheetgen.people.character_files import Party, name_in_files, pack_named, read_parties, workbook_of
from sheetgen.people.reading_back import read_back
from sheetgen.press.pages import Pdf
from sheetgen.products.people.printing import TEXTS, file_pieces
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

FORMATS = (*TEXTS, *TABLES)
MOST_FORMS = 500
NO_PAPER = 0  # pages of what comes from other programs
WIDE = 1_000  # points: room for texts of several lines
WHOM = "--onto"
HALF = 0.5  # of the fields of a form must be known for it to be of a game
_CONTINUED = re.compile(r"continued\.\d+")  # what stands on a page behind a sheet, below the title of its field
BY_HAND = ("pencil", "player", "campaign", "date")  # what players write on a sheet that is no part of a character


@dataclass(frozen=True, slots=True)
class ReadForm:
    """A filled form and the character whom it shows; `odd` are the lines that tell what is odd about it.

    `by_hand` is what players wrote in places that a character file does not have, `group` what a file of ours says of
    the group that its characters are; `notes` tell which sheets of its workbook are left out.
    """

    path: Path
    shown: str
    pack: Pack
    character: Character
    odd: tuple[str, ...]
    by_hand: tuple[str, ...]
    whom: int = 0
    group: GroupTitle | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question about a form, and what may be meant; the first choice is taken if nobody answers."""

    shown: str
    question: str
    choices: tuple[str, ...]


Ask = Callable[[Doubt], int | None]
_Read = tuple[Character, tuple[str, ...], tuple[str, ...], int]


def read_forms(
    project: Project,
    paths: Sequence[Path],
    *,
    system: str = "",
    by: Path | None = None,
    onto: Party | None = None,
    ask: Ask | None = None,
) -> Iterator[ReadForm | InputError]:
    """Yield the character of each filled form, or why it cannot be read or is of no known game.

    Values go by the map `by`, or else by the names of fields. With `onto` each form is that of somebody of the party,
    found by name, who keeps what the form does not change. What is ambiguous is put to `ask`, which returns the number
    of a choice, from 0, or None for no answer; what was answered is not odd any more.
    """
    if len(paths) > MOST_FORMS:
        raise UsageError(f"{MOST_FORMS} forms are read at a time, not {len(paths):,}")
    if onto is not None and system and system != onto.pack.system.id:
        raise UsageError(f"--onto names a file of {onto.pack.system.id}, and --system says {system}")
    known: dict[object, Pack] = {}
    for path in paths:
        try:
            ours, named = _character_file(project, path, system) if onto is None and by is None else (False, None)
            if ours:
                yield from _as_written(project, path)
                continue
            for shown, form, title, notes in _filled_forms(path, project.shown(path)):
                key = title, named and named.folder, frozenset(blank.name for blank in form.blanks)
                if key not in known:
                    meant = partial(_pack_of, project, form, title, shown=shown, word=system, ask=ask)
                    known[key] = onto.pack if onto is not None else named or meant()
                pack = known[key]
                rules = _rules(project, form, pack.system, by)
                settled = _settled(pack, form, rules, shown=shown, onto=onto, ask=ask)
                yield ReadForm(path, shown, pack, *settled, notes=notes)
        except InputError as error:
            yield error


def _character_file(project: Project, path: Path, system: str) -> tuple[bool, Pack | None]:
    """Return whether a file of characters is one that sheetgen writes, of the game that is asked for, if any is.

    So is one like that whose game is not to be found.
    The only one that a file names comes second, if none is asked for.
    """
    if path.suffix.lower() not in RECORDS:
        return False, None
    shown = project.shown(path)
    shape = shape_of(*_table(path, shown)[:3])
    try:
        packs = {game: pack_named(project, Scalar(game, Place(shown), True), path) for game in shape.games}
    except InputError:
        known = (open_pack(project, name).system for name in sorted(project.library.packs))
        return not system and (shape.marked or shape.fits(known)), None
    asked = all(system in ("", game, pack.system.id) for game, pack in packs.items())
    fits = shape.fits(pack.system for pack in packs.values())
    return bool(packs) and asked and fits, None if system or len(packs) != 1 else next(iter(packs.values()))


def _table(path: Path, shown: str) -> tuple[bytes, str, tuple[WorkbookSheet, ...], tuple[str, ...]]:
    """Return a table or JSON file, its name, and if it is a workbook its sheets and which of them are left out.

    InputError for cells out of place.
    """
    data = read_file(path, shown, most=MOST)
    if path.suffix.lower() not in WORKBOOKS:
        return data, shown, (), ()
    book = workbook_of(data, shown, ours=False)
    if book.problems:
        raise InputError(book.problems)
    return data, shown, book.sheets, tuple(map(str, book.notes))


def _as_written(project: Project, path: Path) -> Iterator[ReadForm]:
    """Yield the characters of a file of ours as it has them, whatever its cells hold, and its other columns."""
    for party in read_parties(project, path, keep_columns=True):
        notes = tuple(map(str, party.notes))
        for each in party.characters:
            yield ReadForm(path, project.shown(path), party.pack, each, (), (), group=party.group, notes=notes)
            notes = ()


def _filled_forms(path: Path, shown: str) -> Iterator[tuple[str, Acroform, str, tuple[str, ...]]]:
    """Yield what was filled in with its name in messages, its title and notes: a form, or people of other programs."""
    if path.suffix.lower() not in RECORDS:
        yield (shown, *read_pdf(path, shown, partial(_opened, shown)), ())
        return
    anywhere = (Spot(0, Box(0, 0, WIDE, WIDE)),)
    data, name, sheets, notes = _table(path, shown)
    for place, record in read_records(data, name, sheets).items():
        blanks = [Blank(name, short_name(name), "line", anywhere, text) for name, text in record.items() if name]
        yield place, Acroform(NO_PAPER, tuple(blanks)), "", notes
        notes = ()


def _settled(
    pack: Pack,
    form: Acroform,
    rules: Mapping[str, FieldRule | None],
    *,
    shown: str,
    onto: Party | None,
    ask: Ask | None,
) -> _Read:
    """Return what a form says, read again with what was decided as long as there are questions."""
    decided = dict[str, str]()
    while True:
        whom = _person_shown(onto, answers(form.blanks, rules), decided, shown, ask) if onto is not None else 0
        somebody = onto.characters[whom] if onto is not None else None
        work = partial(_read, pack.system, form, rules, somebody, decided)
        character, odd, by_hand, doubts = pack.run_isolated(work)
        if ask is None or not doubts:
            return character, odd, by_hand, whom
        for doubt in doubts:
            label = next((blank.title or blank.name for blank in form.blanks if blank.name == doubt.field), doubt.field)
            choices = tuple(" · ".join(each.split("\n")) for each in doubt.choices)
            why = doubt.why.rpartition(": ")[0] or doubt.why  # what was taken for it is the first choice
            at = ask(Doubt(shown, f"{quoted(label)} {why}", choices)) or 0
            decided[doubt.value] = doubt.choices[at]


def _opened(shown: str, source: Pdf) -> tuple[Acroform, str]:
    return read(source, shown), text(source.docinfo.get("/Title"))


def _pack_of(project: Project, form: Acroform, title: str, *, shown: str, word: str, ask: Ask | None) -> Pack:
    """Return the pack that a form is of: the one that is named, or else the one whose sheet has such fields."""
    if word:
        return open_pack(project, word)
    packs = [open_pack(project, name) for name in sorted(project.library.packs)]
    known = {pack.system.id: sum(map(lambda blank: _is_ours(blank, pack.system), form.blanks)) for pack in packs}
    most = max(known.values(), default=0)
    best = [pack for pack in packs if known[pack.system.id] == most] if most >= HALF * len(form.blanks) else []
    titled = [pack for pack in best if title.startswith(pack.system.title)]
    if len(titled or best) == 1:
        return (titled or best)[0]
    if best and ask is not None:
        at = ask(Doubt(shown, "is of which game?", tuple(pack.system.id for pack in best)))
        if at is not None:
            return best[at]
    games = ", ".join(pack.system.id for pack in best) or "no game that is known here"
    raise InputError([Problem(Place(shown), f"by its fields it could be of {games} (say which by --system NAME)")])


def _is_ours(blank: Blank, system: System) -> bool:
    return not unknown_fields((blank.name,), system)


def _rules(project: Project, form: Acroform, system: System, by: Path | None) -> dict[str, FieldRule | None]:
    names = value_names(system, ())
    if by is not None:
        file = project.shown(by)
        return read_map(read_file(by, file), file, form.blanks, names, value_test(system, names))
    ours = [blank for blank in form.blanks if _is_ours(blank, system)]
    if len(ours) >= HALF * len(form.blanks):
        rules = {blank.name: FieldRule(f"{{{blank.name}}}", tick=blank.kind == "tick") for blank in ours}
        # What else stands on a sheet of ours is somebody's own; a table can have columns of either kind.
        others = () if form.pages else tuple(blank for blank in form.blanks if blank not in ours)
        said = {rule.text for rule in rules.values()}  # a column called exactly as ours says it alone
        return {
            **{name: rule for name, rule in matched(others, names, system).items() if rule.text not in said},
            **rules,
        }
    return dict(matched(form.blanks, names, system))


def _read(
    system: System,
    form: Acroform,
    rules: Mapping[str, FieldRule | None],
    whom: Character | None,
    decided: Mapping[str, str],
) -> tuple[Character, tuple[str, ...], tuple[str, ...], tuple[Unread, ...]]:
    """Return whom a form shows, the lines on what is odd about it, what was written by hand, and what is in doubt."""
    found = _continued(system, form, answers(form.blanks, rules, decided))
    reading = read_back(system, found.said, found.field_of, onto=whom, settled=frozenset(decided))
    titles = {blank.name: blank.title or blank.name for blank in form.blanks}
    odd, by_hand = list[str](), list[str]()
    kept = () if form.pages else tuple(_beside(found.unread, rules))
    character = replace(
        reading.character, own={**reading.character.own, **{f"{OWN_PREFIX}{each.field}": each.said for each in kept}}
    )
    unread = [each for each in (*found.unread, *reading.unread) if each not in kept]
    for each in unread:
        label = titles.get(each.field, each.field)
        if each.field.partition(".")[0] in BY_HAND:
            by_hand.append(f"{label}: {' '.join(each.said.split())}")
        else:
            odd.append(f"{quoted(label)}: {each.why}")
    odd += [f"{each.message}{f' [{each.rule}]' if each.rule else ''}" for each in reading.broken]
    doubts = tuple(each for each in unread if each.choices and each.value not in decided)
    return character, tuple(odd), tuple(by_hand), doubts


def _continued(system: System, form: Acroform, found: Answers) -> Answers:
    """Return the answers with what the pages behind a sheet of ours say of texts and lists, each under its title."""
    specs = {spec.title: spec for spec in system.fields if spec.kind in ("text", "list")}
    heads = {blank.name: blank.title for blank in form.blanks if _CONTINUED.fullmatch(blank.name)}
    said, field_of, unread = dict(found.said), dict(found.field_of), list[Unread]()
    for each in found.unread:
        spec = specs.get(heads.get(each.field.removesuffix(".title"), ""))
        if spec is None:
            unread.append(each)
        elif each.field in heads:
            before = said.get(spec.name, "")
            parts = [each.said] if spec.kind == "text" or before else each.said.split(DOT.strip())
            rows = 0 if before else sum(name.startswith(f"{spec.name}.") for name in said)
            for at, part in enumerate(parts, rows + 1):
                name = f"{spec.name}.{at}" if spec.kind == "list" and not before else spec.name
                said[name] = f"{before}\n{part}".strip()
                field_of.setdefault(name, each.field)
    return Answers(said, field_of, tuple(unread))


def _beside(unread: Iterable[Unread], rules: Mapping[str, FieldRule | None]) -> Iterator[Unread]:
    """Yield what other programs tell that is no value of the game: it is kept beside them, as columns of one's own."""
    unknown = [each for each in unread if each.field not in rules and len(each.said) <= LONGEST_OWN]
    yield from unknown[:MOST_OWN]


def _person_shown(party: Party, found: Answers, decided: dict[str, str], shown: str, ask: Ask | None) -> int:
    """Return which of a party a form shows: by name, or the only one there is, or who is chosen."""
    name, names = found.said.get("name", ""), [each.text("name") for each in party.characters]
    called = [at for at, each in enumerate(names) if each.casefold() == name.casefold()]
    if len(called) == 1 or len(names) == 1:
        return called[0] if len(called) == 1 else 0
    who = f"{len(called)} of them" if called else "none of them"
    message = f"{quoted(name)} is {who} in the file that --onto names"
    if ask is not None and WHOM not in decided:
        at = ask(Doubt(shown, f"{message}: who is it?", tuple(names)))
        decided[WHOM] = "" if at is None else str(at)
    if decided.get(WHOM):
        return int(decided[WHOM])
    raise InputError([Problem(Place(shown), f"{message}{suggestion(name, names)}")])


def onto_party(party: Party, forms: Iterable[ReadForm]) -> tuple[Character, ...]:
    """Return everybody of a party, in order, as the forms have those whom they show."""
    people = list(party.characters)
    for form in forms:
        people[form.whom] = form.character
    return tuple(people)


def text_of(project: Project, suffix: str, forms: Sequence[ReadForm]) -> bytes:
    """Return the characters of forms of one game as a file; in YAML what is odd about each stands above as comments."""
    pack = forms[0].pack
    others = {form.pack.system.id for form in forms} - {pack.system.id}
    if others:
        raise UsageError(f"one file holds characters of one game, and these are of {pack.system.id} and {min(others)}")
    people, named = [form.character for form in forms], name_in_files(project, pack)
    groups = {form.group for form in forms}
    group = groups.pop() if len(groups) == 1 else None
    notes = [line.encode() for line in _comments(forms)] if suffix == ".yaml" else []
    return b"".join((*notes, *file_pieces(suffix, Listed(pack.system, people, group, named))))


def _comments(forms: Iterable[ReadForm]) -> Iterator[str]:
    for form in forms:
        lines = [*form.odd, *(f"by hand: {line}" for line in form.by_hand)]
        if lines:
            yield f"# {printable(form.shown)}, read back; what is not among the values below:\n"
            yield from (f"#   {printable(' '.join(line.split()))}\n" for line in lines)
