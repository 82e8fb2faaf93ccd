"""The people of a campaign, from all files of its cast, each with what happened to them and whom they know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.session_files import LOG, read_log
from sheetgen.content.yaml.decoder import Problems
from sheetgen.errors import InputError, UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.data import Word
from sheetgen.model.session import Campaign, KnownTie, LogEntry
from sheetgen.people.character_files import places_called, read_party
from sheetgen.workspace.campaigns import HANDOUTS, cast_files, session_files
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

FOUND_IN = (".yaml", ".yml", ".md")
AROUND = 44  # letters of a line on each side of what was found


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
