"""The people of a campaign, each with what happened to them and whom they know, and those of one of its evenings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from sheetgen.content.packs.folders import read_file
from sheetgen.content.session_files import LOG, read_log
from sheetgen.content.yaml.decoder import Problems
from sheetgen.dice.source import Seeded
from sheetgen.documents.people.sheet import WANT
from sheetgen.errors import InputError, Place, Problem, SheetgenError, UsageError, problems_at, quoted, suggestion
from sheetgen.model.cast import Group, Member
from sheetgen.model.character import Character
from sheetgen.model.data import Word
from sheetgen.model.session import Campaign, Casting, KnownTie, LogEntry, Session
from sheetgen.people.character_files import Party, places_called, read_party
from sheetgen.people.groups import GroupRun, check_group, group_named, read_group_file, roll_group
from sheetgen.people.parameter_binding import short_names
from sheetgen.workspace.campaigns import HANDOUTS, cast_files, session_files
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, is_path

FOUND_IN = (".yaml", ".yml", ".md")
AROUND = 44  # letters of a line on each side of what was found
T = TypeVar("T")
MOST_PEOPLE = 300


@dataclass(frozen=True, slots=True)
class CampaignMember:
    """Somebody of a campaign: the character, the file, and what happened to them, the latest last."""

    character: Character
    file: Path
    log: tuple[LogEntry, ...] = ()

    @property
    def name(self) -> str:
        """What they are called."""
        return self.character.text("name")

    @property
    def before(self) -> tuple[dict[str, int], ...]:
        """What was hurt, by name, after each entry since they were last whole, the latest last."""
        found, since = Counter[str](), list[dict[str, int]]()
        for entry in self.log:
            found.update(entry.hurt)
            now = {name: lost for name, lost in found.items() if lost > 0}
            since = [*since, now] if now else []
        return tuple(since)

    @property
    def hurt(self) -> dict[str, int]:
        """What the log has of injuries that are not healed, by name."""
        return self.before[-1] if self.before else {}


@dataclass(frozen=True, slots=True)
class CampaignCast:
    """Everybody of a campaign, who knows whom (by place among the people), and the files of it all."""

    campaign: Campaign
    pack: Pack
    people: tuple[CampaignMember, ...]
    ties: tuple[tuple[int, int, str], ...]
    files: tuple[Path, ...]


def read_cast(project: Project, campaign: Campaign) -> CampaignCast:
    """Return the cast of a campaign; InputError with every problem of its files."""
    problems, people, files = Problems(), list[tuple[Character, Path]](), list[Path]()
    pack = open_pack(project, _system(campaign))
    for file in cast_files(campaign):
        files.append(file)
        try:
            party = read_party(project, file)
        except InputError as error:
            problems.extend(error)
            continue
        people += [(each, file) for each in party.characters if party.pack.system.id == pack.system.id]
    ties, log = tuple[KnownTie, ...](), tuple[LogEntry, ...]()
    path = campaign.folder / LOG
    if path.is_file():
        files.append(path)
        try:
            ties, log = read_log(read_file(path, project.shown(path)), project.shown(path))
        except InputError as error:
            problems.extend(error)
    names = [each.text("name") for each, _ in people]
    happened = {at: list[LogEntry]() for at in range(len(people))}
    for entry in log:
        at = _place(entry.who, names, problems)
        if at is not None:
            happened[at].append(entry)
    known = [(_place(tie.who, names, problems), _place(tie.to, names, problems), tie.relation) for tie in ties]
    problems.raise_if_any()
    kept = tuple(CampaignMember(each, file, _in_order(happened[at])) for at, (each, file) in enumerate(people))
    whole = tuple((one, other, said) for one, other, said in known if one is not None and other is not None)
    return CampaignCast(campaign, pack, kept, whole, tuple(files))


def _in_order(entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """The entries by their dates; one without a date stays behind the one it was written after."""
    dated, date = list[tuple[str, LogEntry]](), ""
    for entry in entries:
        date = entry.date or date
        dated.append((date, entry))
    return tuple(entry for _, entry in sorted(dated, key=lambda each: each[0]))


def _system(campaign: Campaign) -> str:
    """Return the system as it can be opened: a path starts in the folder of the campaign."""
    word = campaign.system
    return str(campaign.folder / word) if "/" in word else word


def _place(name: Word, names: list[str], problems: Problems) -> int | None:
    """Return who is meant, by the whole name or by part of it that only one has; a problem where nobody is."""
    found = places_called(names, name)
    if len(found) == 1:
        return found[0]
    told = f"{quoted(name)} may be {', '.join(names[at] for at in found)} (write the whole name)" if found else ""
    problems.add(name.place, told or f"nobody of the cast is called {quoted(name)}{suggestion(name, names)}")
    return None


def meant(cast: CampaignCast, who: str) -> CampaignMember:
    """Return who is meant, by the whole name or by part of it that only one has; UsageError where nobody is."""
    names = [each.name for each in cast.people]
    found = places_called(names, who)
    if len(found) != 1:
        told = f" (it may be {', '.join(names[at] for at in found)})" if found else suggestion(who, names)
        raise UsageError(f"nobody of the cast is called {quoted(who)}{told}")
    return cast.people[found[0]]


def latest(cast: CampaignCast | None, name: str) -> str:
    """Return the last thing that happened to somebody; nothing for others."""
    entry = next((each.log[-1] for each in (cast.people if cast else ()) if each.name == name and each.log), None)
    return "" if entry is None else f"{entry.date}: {entry.told}" if entry.date else entry.told


@dataclass(frozen=True, slots=True)
class Finding:
    """Where something was found: in which file and line, of whom if it is somebody, and the words around it."""

    file: str
    line: int
    who: str
    words: str


def findings(project: Project, campaign: Campaign, wanted: str) -> Iterator[Finding]:
    """Yield every line of cast, log, sessions and handouts that has these words, capitals or not."""
    folder = campaign.folder / HANDOUTS
    handouts = sorted(each for each in folder.iterdir() if each.suffix in FOUND_IN) if folder.is_dir() else []
    log = campaign.folder / LOG
    files = (*cast_files(campaign), *((log,) if log.is_file() else ()), *session_files(campaign), *handouts)
    folded = wanted.casefold()
    for file in files:
        shown, who = project.shown(file), ""
        text = read_file(file, shown).decode("utf-8", "replace")
        for number, line in enumerate(text.splitlines(), 1):
            plain = line.strip().removeprefix("- ")
            if plain.startswith("name:"):
                who = plain.removeprefix("name:").strip().strip("'\"")
            at = line.casefold().find(folded)
            if at >= 0 and not line.lstrip().startswith("#"):
                start, end = max(0, at - AROUND), at + len(wanted) + AROUND
                before, after = "…" if start else "", "…" if end < len(line) else ""
                yield Finding(shown, number, who, f"{before}{line[start:end].strip()}{after}")


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody in a scene: their number among all of the evening, from 0, and what they want and are there.

    `line` is that of the scene's people which brought them, from 0.
    """

    number: int
    character: Character
    wants: str = ""
    note: str = ""
    line: int = 0


@dataclass(slots=True)
class Evening:
    """Everybody once, in the order in which they come, who is in each scene, and the files that they were read from."""

    everybody: list[Character] = field(default_factory=list)
    scenes: list[tuple[Present, ...]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    _rolled: list[int] = field(default_factory=list)

    def meets(self, somebody: Character, *, is_rolled: bool) -> int:
        """Return the number that somebody new has from now on; who is in no file yet is rolled."""
        number = len(self.everybody)
        self.everybody.append(somebody)
        if is_rolled:
            self._rolled.append(number)
        return number

    @property
    def rolled(self) -> tuple[Character, ...]:
        """Those who were rolled for this evening, as they are printed, in the order in which they come."""
        return tuple(self.everybody[number] for number in self._rolled)


def file_beside(session: Path, word: Word, project: Project) -> Path:
    """Return the file that a session names: beside it, in the folder above, or in the user's.

    InputError at the word for one that is not there, or lies outside of these folders.
    """
    folder = session.parent.resolve()
    roots = dict.fromkeys((folder, folder.parent, project.where.resolve()))
    for root in roots:
        path = root / word
        try:
            found, inside = path.is_file(), any(path.resolve().is_relative_to(each) for each in roots)
        except (OSError, ValueError, RuntimeError):
            continue
        if found and inside:
            return path
        if found:
            raise InputError(
                [Problem(word.place, f"{quoted(word)} lies outside the folder of the session (copy it in)")]
            )
    beside = folder / Path(word).parent
    names = [str(Path(word).with_name(each.name)) for each in beside.iterdir()] if beside.is_dir() else []
    raise InputError([Problem(word.place, f"no file {quoted(word)} there{suggestion(word, names)}")])


def evening_of(project: Project, pack: Pack, session: Session, path: Path, cast: CampaignCast | None = None) -> Evening:
    """Return the people of a session, with what last happened to those of a campaign.

    InputError with every casting that cannot be met, at its place.
    """
    problems, evening = Problems(), Evening()
    castings = [casting for scene in session.scenes for casting in scene.people]
    asked = sum(each.member.count for each in castings if each.member)
    if asked > MOST_PEOPLE:
        problems.add(session.place, f"a session has {MOST_PEOPLE} people at the most, not {asked:,}")
        problems.raise_if_any()
    found = _Found(project, pack, session, path, evening)
    found.cast = cast
    found.roll(castings, problems)
    for scene in session.scenes:
        there: list[Present] = []
        for line, casting in enumerate(scene.people):
            try:
                there += (replace(each, line=line) for each in found.present(casting))
            except InputError as error:
                problems.extend(error)
        evening.scenes.append(tuple({each.number: each for each in there}.values()))
    problems.raise_if_any()
    return evening


class _Found:
    """Those who were met so far, by where they come from."""

    def __init__(self, project: Project, pack: Pack, session: Session, path: Path, evening: Evening) -> None:
        self.project, self.pack, self.session, self.path, self.evening = project, pack, session, path, evening
        self.cast: CampaignCast | None = None
        self._rolled: dict[Place, tuple[Character, ...]] = {}
        self._groups: dict[tuple[str, int], tuple[Character, ...]] = {}
        self._parties: dict[str, Party] = {}
        self._numbers: dict[tuple[object, int], int] = {}

    def roll(self, castings: Sequence[Casting], problems: Problems) -> None:
        """Roll the lines of each seed together, so that nobody comes twice."""
        lines: dict[int, dict[Place, Member]] = {}
        for each in castings:
            if each.member is not None:
                seed = self.session.seed if each.seed is None else each.seed
                lines.setdefault(seed, {})[each.member.place] = each.member
        for seed, members in lines.items():
            run = GroupRun(Group(self.session.title, tuple(members.values())), seed, "", self.session.options)
            try:
                check_group(self.pack, run)
                people = roll_group(self.pack, run)
                for place, member in members.items():
                    self._rolled[place] = tuple(next(people) for _ in range(member.count))
            except InputError as error:
                problems.extend(error)
            except UsageError as error:
                for problem in problems_at(self.session.place, error, "options"):
                    problems.add(problem.place, problem.message)

    def present(self, casting: Casting) -> Iterator[Present]:
        """Yield those whom a casting means; InputError at it for nobody."""
        key, people, places = self._source_people(casting)
        for at, each in zip(places, people, strict=True):
            number = self._numbers.get((key, at))
            if number is None:
                number = self._numbers[key, at] = self.evening.meets(each, is_rolled=casting.file is None)
                if casting.wants and self.pack.system.spec(WANT) is not None:
                    self.evening.everybody[number] = replace(each, values={**each.values, WANT: casting.wants})
            there = self.evening.everybody[number]
            note = casting.note or latest(self.cast, there.text("name"))
            yield Present(number, there, casting.wants, note)

    def _source_people(self, casting: Casting) -> tuple[object, Sequence[Character], Sequence[int]]:
        """Return where people come from, the people, and their places there."""
        if casting.member is not None:
            people: Sequence[Character] = self._rolled.get(casting.member.place, ())
            return casting.member.place, people, range(len(people))
        if casting.group is not None:
            seed = _seed_of(self.session, casting.group) if casting.seed is None else casting.seed
            people = self._group(casting.group, seed)
            return (str(casting.group), seed), people, range(len(people))
        assert casting.file is not None
        party = self._party(casting.file)
        places = (
            _places_named(party.characters, casting.only, casting.file)
            if casting.only
            else range(len(party.characters))
        )
        return str(casting.file), [party.characters[at] for at in places], places

    def _group(self, word: Word, seed: int) -> tuple[Character, ...]:
        def rolled() -> tuple[Character, ...]:
            if is_path(word):
                path = file_beside(self.path, word, self.project)
                self.evening.files.append(path)
                group = read_group_file(self.project, self.pack, path)
            else:
                group, _ = group_named(self.project, self.pack, word)
            run = GroupRun(group, seed, "", self.session.options)
            check_group(self.pack, run)
            return tuple(roll_group(self.pack, run))

        if (str(word), seed) not in self._groups:
            self._groups[str(word), seed] = _placed(word.place, rolled)
        return self._groups[str(word), seed]

    def _party(self, word: Word) -> Party:
        if str(word) not in self._parties:
            path = file_beside(self.path, word, self.project)
            party = _placed(word.place, lambda: read_party(self.project, path))
            if party.pack.system.id != self.pack.system.id:
                told = f"{quoted(word)} holds characters of {party.pack.system.title}, not of {self.pack.system.title}"
                raise InputError([Problem(word.place, told)])
            self.evening.files.append(path)
            self._parties[str(word)] = party
        return self._parties[str(word)]


def _seed_of(session: Session, group: str) -> int:
    """Return the seed of a group that says none: its own, so that its guards are not those of a line `3 guards`."""
    return Seeded(f"{session.seed}\0{group.casefold()}".encode()).choose(1_000_000, "the seed of a group")


def _placed(place: Place, make: Callable[[], T]) -> T:
    """Return what is made; an error that knows no place gets this one."""
    try:
        return make()
    except InputError:
        raise
    except SheetgenError as error:
        raise InputError(problems_at(place, error)) from None


def _places_named(people: Sequence[Character], names: Sequence[Word], file: Word) -> list[int]:
    """Return the places of those who are named, by their name or, where only one has it, part of it."""
    found, problems = list[int](), Problems()
    for name in names:
        near = places_called([each.text("name") for each in people], name)
        if len(near) == 1:
            found += near
        elif near:
            both = ", ".join(people[at].text("name") for at in near)
            problems.add(name.place, f"{quoted(name)} may be {both} (write the whole name)")
        else:
            known = [each.text("name") for each in people]
            meant = suggestion(name, [*known, *(short for each in known for short in short_names(each))])
            problems.add(name.place, f"{file} has no {quoted(name)}{meant}")
    problems.raise_if_any()
    return list(dict.fromkeys(found))
