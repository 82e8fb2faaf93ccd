"""Groups rolled together: who is in them, found by name or read from a file, and everybody in order.

The people of a line are those of a run of its archetype by the seed of the group, so that nobody changes when a line is
added below. Lines of one archetype begin at numbers 1, 1001, 2001 and so on of that run. What would stand twice in a
group, such as a story, is rolled again for the second one, as are contacts who share a first name with one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.people.groups import MOST_OF_A_LINE, is_group, read_group
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import FileLimit, decoded
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted, suggestion
from sheetgen.model.cast import Group, Member
from sheetgen.model.character import Character, Value
from sheetgen.people.character_files import pack_named
from sheetgen.people.rolling import RollOptions, check_run, explanation, roll, roller
from sheetgen.rules.creation.draft import copy_of
from sheetgen.rules.rolling import Roller
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project, is_path

READABLE = (".yaml", ".yml", ".json")
LARGEST = 100_000  # bytes: a larger file holds characters, perhaps more values than a group may have
MOST = FileLimit(1_000_000, 50_000, "a group has a line for each kind of people")
BLOCK = MOST_OF_A_LINE + 1
SEARCHED = 300  # people of a run who are looked at for those of a trade
TRIED = 30  # seeds by which the trade of one of them is rolled again
# Parts that stand before a name, as one is addressed; all others stand behind it.
TITLES = frozenset(
    (
        "abbess",
        "abbot",
        "baron",
        "baroness",
        "bishop",
        "boss",
        "brother",
        "captain",
        "chancellor",
        "chief",
        "constable",
        "corporal",
        "deputy",
        "detective",
        "doc",
        "doctor",
        "duchess",
        "duke",
        "father",
        "governor",
        "inspector",
        "judge",
        "king",
        "lady",
        "lieutenant",
        "lord",
        "marshal",
        "master",
        "mother",
        "prince",
        "princess",
        "professor",
        "queen",
        "sergeant",
        "sheriff",
        "sister",
    )
)
DISTINCT = ("hook", "want", "drive", "manner")
GIVEN, KNOWN = "first name", "somebody known"
INTO = ("into", "want")  # the words of a step for the fields that it fills
LINES_TRIED = 200  # seeds by which a step is rolled again before its lines count as used up


@dataclass(frozen=True, slots=True)
class GroupRun:
    """A group to be rolled: its seed, and the method and options given for all of it."""

    group: Group
    seed: int
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[tuple[Member, RollOptions], ...]:
        """The run of each line: its own method and options come first, then those given for all, then the group's."""
        found, before = [], Counter[str]()
        for member in self.group.members:
            options = {**self.group.options, **self.options, **member.options}
            method = member.method or self.method or self.group.method
            first = 1 + BLOCK * before[member.archetype]
            before[member.archetype] += 1
            found.append((member, RollOptions(self.seed, member.count, first, method, member.archetype, options)))
        return tuple(found)


def group_named(project: Project, pack: Pack, word: str) -> tuple[Group, tuple[Path, ...]]:
    """Return the group that a word means, ready-made in the pack or in a file, and the file if there is one.

    UsageError for a name that the pack does not have; InputError with every problem of a file.
    """
    ready = {_typed_name(name): group for name, group in pack.system.known_groups.items()}
    if _typed_name(word) in ready:
        return ready[_typed_name(word)], ()
    path = project.where / word
    if is_path(word) or path.is_file():
        return read_group_file(project, pack, path), (path,)
    names = pack.system.ready_groups
    near = suggestion(word, names) or f"; {pack.system.title} has {', '.join(names) or 'none'} (or give a file)"
    raise UsageError(f"unknown group {quoted(word)}{near}")


def _typed_name(name: str) -> str:
    """Return a name as it may be typed: without capitals, with a straight apostrophe."""
    return name.casefold().replace("’", "'")


def read_group_file(project: Project, pack: Pack, path: Path) -> Group:
    """Return the group of a file; InputError with every problem of it."""
    node, problems, system = _node(project, path), Problems(), pack.system
    named = _system(node)
    if named is not None and named.text not in (system.id, *system.lineage):
        problems.add(named.place, f"this group is of system {quoted(named.text)}, not {system.id}")
    group = read_group(node, path.stem.replace("-", " "), system.creation, system.cast, problems)
    problems.raise_if_any()
    return group


def _node(project: Project, path: Path) -> Node:
    shown = project.shown(path)
    if path.suffix.lower() not in READABLE:
        raise InputError([Problem(Place(shown), f"groups are read from {', '.join(READABLE)} files")])
    return parse(read_file(path, shown, most=MOST), shown, most=MOST)


def checked_group(project: Project, path: Path) -> tuple[Pack, Group] | None:
    """Return the group of a file that says of which system it is; None if the file holds no group at all.

    InputError with every problem of it.
    """
    if path.suffix.lower() not in READABLE or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    if "members" not in decoded(read_file(path, project.shown(path), most=MOST), project.shown(path), most=MOST):
        return None  # characters, which need not be parsed for this
    node = _node(project, path)
    if not is_group(node):
        return None
    named = _system(node)
    if named is None:
        raise InputError([Problem(node.place, "a group to be checked must name its system (add `system: gamers`)")])
    pack = pack_named(project, named, path)
    group = read_group_file(project, pack, path)
    check_group(pack, GroupRun(group, seed=0))
    return pack, group


def _system(node: Node) -> Scalar | None:
    entries = node.entries if isinstance(node, MappingNode) else ()
    return next((value for key, value in entries if key.text == "system" and isinstance(value, Scalar)), None)


def check_group(pack: Pack, group_run: GroupRun) -> None:
    """Raise InputError at each line with a method or an option that the pack cannot take, before anybody is rolled.

    What is wrong with those that the group gives to all of its lines is told once.

    Raise UsageError for a method or option of the run that the pack does not know.
    """
    check_run(pack, RollOptions(group_run.seed, method=group_run.method, options=group_run.options))
    group, problems, told = group_run.group, list[Problem](), set[str]()
    everybody = RollOptions(group_run.seed, method=group.method, options=group.options)
    file = replace(group.members[0].place, line=0, column=0)
    for place, run in ((file, everybody), *((member.place, run) for member, run in group_run.runs)):
        try:
            check_run(pack, run)
        except UsageError as error:
            lines = [line for line in str(error).splitlines() if line not in told]
            told |= {*lines} if run is everybody else set()
            problems += [Problem(place, line) for line in lines]
    if problems:
        raise InputError(problems)


def roll_group(pack: Pack, group_run: GroupRun) -> Iterator[Character]:
    """Yield everybody in order under part and name: `Captain Uzoma Vaughan`, `Guard 1 Ilse Marr`."""
    labels, title, layout = _labels(group_run.group), titled(group_run.group.title), pack.system.sheet_layout
    told = ("occupation", layout.by if layout is not None else "")
    for place, (member, _, character) in enumerate(_everybody(pack, group_run), 1):
        yield within(_called(character, member, next(labels), told), title, place)


def titled(title: str) -> str:
    """Return the title of a group as it stands on pages."""
    return title[:1].upper() + title[1:]


def within(character: Character, title: str, place: int = 0) -> Character:
    """Return the character as one of the group of that title; whoever was not rolled as they are."""
    origin = character.origin
    return replace(character, origin=replace(origin, group=title, place=place)) if origin else character


def _everybody(pack: Pack, group_run: GroupRun) -> Iterator[tuple[Member, RollOptions, Character]]:
    variety = Variety(pack)
    for member, run in group_run.runs:
        for character in people_of_line(pack, member, run):
            yield member, run, variety.unlike(character, run, called=member.name)


def people_of_line(pack: Pack, member: Member, run: RollOptions) -> Iterator[Character]:
    """Yield as many of a run as the line says: the first who have one of the trades that it names, or simply the first.

    Each is somebody of the run, found again by number; for the first ones the trade is rolled again until it is one of
    those named. Where the trades do not turn up soon, others fill their places.
    """
    if not member.occupations:
        yield from roll(pack, run)
        return

    def first() -> tuple[Character, ...]:
        return tuple(_recast(roller(pack, run), run, member.occupations))

    others = list[Character]()
    for character in first() if pack.ours else pack.run_isolated(first):
        if character.text("occupation") in member.occupations:
            yield character
        else:
            others.append(character)
    left = len(others)
    if left:
        more = replace(run, first=run.first + run.count, count=min(SEARCHED, BLOCK - run.count))
        for character in roll(pack, more):
            if character.text("occupation") in member.occupations:
                yield character
                left -= 1
                if not left:
                    return
    yield from others[:left]


def _recast(made: Roller, run: RollOptions, trades: Collection[str]) -> Iterator[Character]:
    """Yield the first people of a run, each with their trade rolled again where that gives them one of these."""
    for index in range(run.first, run.first + run.count):
        character = made.roll(index)
        again = _trade_rolled_again(made, index, trades) if character.text("occupation") not in trades else {}
        yield made.again(again).roll(index) if again else character


def _trade_rolled_again(made: Roller, index: int, trades: Collection[str]) -> dict[str, int]:
    """Return the step of the trade with the first seed by which somebody gets one of these trades, or nothing."""
    draft = made.begun(index)
    for slot in made.slots:
        before = copy_of(draft)
        made.take(slot, draft)
        if draft.occupation is not None:
            for seed in range(1, TRIED + 1):
                twin = copy_of(before)
                made.take(slot, twin, seed)
                if twin.values.get("occupation") in trades:
                    return {slot: seed}
            break
    return {}


def group_explanation(pack: Pack, group_run: GroupRun) -> Iterator[str]:
    """Yield how each of a group was rolled, line by line with rule IDs."""
    of: Member | None = None
    for member, run, character in _everybody(pack, group_run):
        if member is not of:
            of = member
            yield f"{member.count} × {member.archetype}"
        origin = character.origin
        first, again = (origin.index, origin.rerolled) if origin else (run.first, {})
        yield from explanation(pack, replace(run, count=1, first=first), again)


def _labels(group: Group) -> Iterator[str]:
    """Yield the label of each person in the group: the part, with a number where several have it.

    A member with a name and no part has none.
    """
    parts = [(member, member.part or ("" if member.name else member.archetype)) for member in group.members]
    sizes, met = Counter[str](), Counter[str]()
    for member, part in parts:
        sizes[part] += member.count
    for member, part in parts:
        for _ in range(member.count):
            met[part] += 1
            title = part[:1].upper() + part[1:]
            yield f"{title} {met[part]}" if title and sizes[part] > 1 else title


def _called(character: Character, member: Member, label: str, told: Collection[str]) -> Character:
    """Return the character under part and name; a part that is no title, or has a number, stands behind the name.

    One that a field of those `told` has goes unsaid, such as the trade, or the playbook that a sheet goes by.
    """
    own = member.name or character.text("name")
    if not label or label.casefold() in {character.text(name).casefold() for name in told}:
        name = own
    elif label.lower() in TITLES:
        name = f"{label} {own}"
    else:
        name = f"{own}, {label[:1].lower()}{label[1:]}"
    origin = replace(character.origin, name=member.name) if character.origin else None
    return replace(character, values={**character.values, "name": name}, origin=origin)


@dataclass(slots=True)
class Variety:
    """What the people of a group have so far: nobody is to have the story or first name of another.

    Nor is anybody outside the group, whom one of them knows, to have the first name of one within it or of another.
    Only those before count, so that a line that is added changes nobody.
    """

    pack: Pack
    taken: set[tuple[str, str]] = field(default_factory=set)
    used_up: set[tuple[str, str]] = field(default_factory=set)
    rollers: dict[str, Roller] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)

    def unlike(self, character: Character, run: RollOptions, *, called: str = "") -> Character:
        """Return the character, with steps rolled again whose lines somebody before has, or knows somebody by.

        `called` is the name that a line of the group gives them. Two may know people of the same name where a pack has
        too few.
        """
        met = {(KNOWN, name) for name in self.called} | {(GIVEN, name) for name in (() if called else self.known)}
        character = self._unlike_too(met, self.used_up, character, run)
        met |= {(KNOWN, name) for name in self.known}
        character = self._unlike_too(met, set(self.used_up), character, run)
        own = _told_parts(character.values)
        self.taken |= {part for part in own if part[0] != KNOWN}
        self.known |= {name for part, name in own if part == KNOWN}
        self.called.add(_first_name(called or character.text("name")))
        return character

    def _unlike_too(
        self, met: set[tuple[str, str]], used_up: set[tuple[str, str]], character: Character, run: RollOptions
    ) -> Character:
        return Variety(self.pack, self.taken | met, used_up, self.rollers)._rolled_again(character, run)

    def _rolled_again(self, character: Character, run: RollOptions) -> Character:
        if character.origin is None or self.taken.isdisjoint(_told_parts(character.values)):
            return character
        anew = partial(self._anew, character, run)
        character, used_up = anew() if self.pack.ours else self.pack.run_isolated(anew)
        self.used_up |= {(run.archetype, slot) for slot in used_up}
        return character

    def _anew(self, character: Character, run: RollOptions) -> tuple[Character, list[str]]:
        """Return somebody unlike all before, and the steps that have no such lines left."""
        origin = character.origin
        assert origin is not None
        made, rerolled, used_up = self._roller(run, origin.rerolled), dict(origin.rerolled), list[str]()
        draft = made.begun(origin.index)
        for slot, fields in _slots(made):
            before = copy_of(draft)
            made.take(slot, draft)
            if not fields or not self._has(draft.values, fields) or (run.archetype, slot) in self.used_up:
                continue
            for seed in range(1, LINES_TRIED + 1):
                twin = copy_of(before)
                made.take(slot, twin, seed)
                if not self._has(twin.values, fields):
                    draft, rerolled[slot] = twin, seed
                    break
            else:
                used_up.append(slot)
        if rerolled == origin.rerolled:
            return character, used_up
        return made.again(rerolled).roll(origin.index), used_up

    def _has(self, values: Mapping[str, Value], fields: frozenset[str]) -> bool:
        return any(part in self.taken for part in _told_parts(values) if part[0] in fields)

    def _roller(self, run: RollOptions, rerolled: Mapping[str, int]) -> Roller:
        key = repr((run.archetype, run.method, sorted(run.options.items()), sorted(rerolled.items())))
        if key not in self.rollers:
            first = roller(self.pack, run)
            self.rollers[key] = first.again(rerolled) if rerolled else first
        return self.rollers[key]


def _slots(made: Roller) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each step in order with the parts that it writes."""
    for slot in made.slots:
        step = made.making(slot).step
        fills = {value for name, value in step.params.items() if name in INTO}
        named = {"name": (GIVEN,), "share out": (KNOWN,)}.get(step.do, ())
        yield slot, frozenset(named or (part for part in DISTINCT if part in fills))


def _told_parts(values: Mapping[str, Value]) -> frozenset[tuple[str, str]]:
    """Return what somebody has by part; whom a story names does not make it another one.

    Creatures, which have no pronouns, may share the first word of their names.
    """
    friends = [
        who.partition(",")[0]
        for listed in values.values()
        if isinstance(listed, Mapping)
        for who in listed
        if ", " in who
    ]
    found = {part: str(values[part]) for part in DISTINCT if values.get(part)}
    for friend in friends:
        found = {part: text.replace(friend, "{friend}") for part, text in found.items()}
    if values.get("pronouns"):
        found[GIVEN] = _first_name(str(values.get("name", "")))
    return frozenset((*found.items(), *((KNOWN, friend) for friend in friends)))


def _first_name(name: str) -> str:
    return name.partition(" ")[0]
