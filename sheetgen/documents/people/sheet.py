"""Character sheets: the data of a game for templates, and the text of every field for one character."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from glob import escape
from types import MappingProxyType
from typing import NamedTuple

from sheetgen.documents.figures.icons import RED, SUITS
from sheetgen.model.character import PICTURE, Character, Origin
from sheetgen.model.data import TemplateData
from sheetgen.model.people_pages import MARK, MOST_MARKS
from sheetgen.model.printing import paled
from sheetgen.model.system import FieldSpec, System, TraitGroup
from sheetgen.model.wording import DOT, NO_BREAK, quoted_speech, sentence, without_runt
from sheetgen.rules.rolling import unusual_words

MORE = "more.html"
TEMPLATE, SMALL_TEMPLATE = "sheet.html", "sheet-a5.html"
WANT, VOICE = "want", "voice"
ABOUT, BESIDE_NOTES = ("pronouns", "age"), (WANT, VOICE)
SHOWN_BY = {**dict.fromkeys(ABOUT, ("about",)), **dict.fromkeys(BESIDE_NOTES, ("notes",))}
LONGEST_NOTE = 20
LONGEST_PROVENANCE = 52  # what a field of 60 mm holds at 7 pt
EVERY_TRAIT = MappingProxyType({"name": "*", "role": "*"})


def game(system: System) -> TemplateData:
    """Return a game as plain data for templates: no objects, no methods."""
    return {
        "id": system.id,
        "title": system.title,
        "subtitle": system.subtitle,
        "motto": system.motto,
        "credit": system.credit,
        "licence": " ".join(system.licence.split()),
        "blurb": [without_runt(" ".join(part.split())) for part in system.blurb.split("\n\n") if part.strip()],
        "players": system.players,
        "rights": {head: " ".join(text.split()) for head, text in system.rights.items()},
        "house": [rule._asdict() for rule in system.house_rules],
        "accent": system.accent,
        "pale": paled(system.accent, 0.35),
        "red": system.tone.of(RED),
        "ink_saver": system.tone.ink_saver,
        "groups": {group.name: _group(group) for group in system.groups},
        "names": {trait.role: trait.name for trait in system.all_traits()},
        "titles": {spec.name: spec.title for spec in system.fields},
        "noted": [name for spec in system.fields if spec.kind == "text per trait" for name in spec.groups],
        "specs": [
            {"name": each.name, "title": each.title, "kind": each.kind, "story": each.story, "long": each.several_lines}
            for each in system.fields
        ],
        "values": system.values.plain(),
        "tables": {
            table.name: [{"low": row.span.low, "high": row.span.high, **row.columns} for row in table.rows]
            for table in system.tables.values()
        },
        "steps": {step.name: {**step.params, "say": step.say} for step in system.creation.steps.values()},
        "suits": dict(SUITS),
    }


def _group(group: TraitGroup) -> dict[str, object]:
    return {
        "title": group.title,
        "hint": group.hint,
        "default": "" if group.default is None else group.write(group.default),
        "traits": [
            {
                **{"name": trait.name, "short": trait.brief, "role": trait.role, "hint": trait.hint},
                **{"kind": trait.kind, "section": trait.section},
                "start": [group.write(trait.start.low), group.write(trait.start.high)],
            }
            for trait in group.members
        ],
        "sections": {name: [trait.name for trait in members] for name, members in group.sections.items()},
    }


def is_asked(character: Character) -> bool:
    """Return whether somebody wants something of the players, or says something."""
    return any(map(character.text, BESIDE_NOTES))


def sheet_values(
    system: System, character: Character, figures: Mapping[str, str], *, asked: bool = False
) -> dict[str, str]:
    """Return the text of every field of a sheet that says something, by field name.

    Fields are named after what they hold: `name`, `attributes.Grit`, `note.Fire` (a specialty, or what the level
    means), `gear`, `gear.1`, `people.1.name`, `figure.move`; empty fields are left out. What people want and say stands
    in the notes, unless the sheet has a row in which that is `asked`, or a layout with places for it.
    """
    values: dict[str, str] = {}
    for name, text in figures.items():
        if field := _field_of_figure(name, system.row_names):
            values[field] = text
    values.update(_notes(system, character, figures))
    for spec in system.fields:
        if spec.name in character.values:
            values.update(_field(system, character, spec, figures))
    values["about"] = ", ".join(filter(None, map(character.text, ABOUT)))
    if values.get(VOICE) and (asked or system.sheet_layout is not None):
        values[VOICE] = quoted_speech(values[VOICE])
    if not asked or system.sheet_layout is not None:
        values["notes"] = "\n".join(filter(None, (*_beside_notes(system, character), values.get("notes", ""))))
    if character.picture is not None:
        values[PICTURE] = character.picture.shown
    values.update(_marks(system, character))
    if character.origin is not None:
        values["seed"] = provenance_line(system, character.origin)
    for name in [name for name, text in values.items() if not text]:
        del values[name]
    return values


@lru_cache(maxsize=1 << 12)
def _field_of_figure(name: str, rows: frozenset[str]) -> str:
    """Return the field that shows a figure; nothing for one that goes with a trait or a thing."""
    if name.partition(".")[0] in rows:
        return name
    return "" if name.startswith(("word.", "thing.")) else f"figure.{name}"


def marked_fields(system: System) -> dict[str, tuple[str, ...]]:
    """Return the figures that show levels as marks, by field: those of tracks, clocks and ticks of a layout."""
    layout = system.sheet_layout
    return {} if layout is None else {name: (f"{MARK}.{{name}}.*",) for name in layout.marked()}


def _marks(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """Yield each mark of a sheet that is ticked: as many of a trait as its level, or that of its word alone.

    A level that is not written down is the default of its group.
    """
    layout = system.sheet_layout
    ticked = layout.of(character.text(layout.by)).ticked() if layout is not None else ()
    for name in sorted(ticked):
        group = system.group_of[name]
        level = character.numbers(group.name).get(name, system.traits[name].default or 0)
        first = max(level, 1) if group.scale.kind == "words" else 1
        yield from ((f"{MARK}.{name}.{at}", "yes") for at in range(first, min(level, MOST_MARKS) + 1))


def _beside_notes(system: System, character: Character) -> Iterator[str]:
    """Yield what people want and what they say, unless the front of their sheet has a place for it."""
    layout = system.sheet_layout
    placed = layout.of(character.text(layout.by)).shown_in_front() if layout is not None else frozenset()
    for spec in system.fields:
        if spec.name in BESIDE_NOTES and spec.name not in placed and (said := character.text(spec.name)):
            yield f"{spec.title}: {said if spec.name == WANT else quoted_speech(said)}"


def _field(system: System, character: Character, spec: FieldSpec, figures: Mapping[str, str]) -> dict[str, str]:
    name = spec.name
    if spec.kind == "choice":
        return {name: sentence(character.text(name))}
    if spec.kind == "text":
        return {name: sentence(character.text(name)) if name == "occupation" else character.text(name)}
    if spec.kind == "list":
        lines = [_thing(line, figures.get(f"thing.{line.casefold()}", "")) for line in character.lines(name)]
        return {name: DOT.join(lines), **{f"{name}.{number}": line for number, line in enumerate(lines, 1)}}
    if spec.kind == "levels":
        written, levels = system.written, {**_usual_levels(system, name), **character.numbers(name)}
        return {f"{name}.{trait}": written[trait](level) for trait, level in levels.items()}
    if spec.kind == "ratings":
        rated = [(who, _share(system, spec, level)) for who, level in character.numbers(name).items()]
        rows = {f"{name}.{at}.name": who for at, (who, _) in enumerate(rated, 1)}
        rows.update({f"{name}.{at}.level": level for at, (_, level) in enumerate(rated, 1)})
        return {name: "\n".join(f"{level}{DOT}{who}" for who, level in rated), **rows}
    if spec.kind == "list per trait":
        listed = character.lists(name)
        rows = {f"{name}.{at}.trait": trait for at, trait in enumerate(listed, 1)}
        rows.update({f"{name}.{at}.list": ", ".join(things) for at, things in enumerate(listed.values(), 1)})
        return {name: DOT.join(f"{trait}: {', '.join(things)}" for trait, things in listed.items()), **rows}
    return {}


def _usual_levels(system: System, group: str) -> dict[str, int]:
    """Return what a layout shows of traits that somebody does not write down: levels that everybody begins with."""
    if system.sheet_layout is None:
        return {}
    return {trait.name: trait.default for trait in system.group(group).members if trait.default}


def _share(system: System, spec: FieldSpec, level: int) -> str:
    """Return a rating as the trait that it is a share of would be written."""
    pool = system.by_role.get(spec.within)
    return system.write(pool.name, level) if pool is not None else str(level)


def _thing(line: str, note: str) -> str:
    """Return a thing of a list with what the figures have to add to it."""
    return f"{sentence(line)} ({note})" if note else sentence(line)


def _notes(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """Return what stands beside a level: its specialty first, then what the level means."""
    notes: dict[str, list[str]] = {}
    for spec in system.fields:
        if spec.kind == "text per trait":
            for name, text in character.notes(spec.name).items():
                notes.setdefault(name, []).append(text)
        if spec.kind == "ratings" and spec.within in system.by_role:
            pool, levels = system.by_role[spec.within], character.numbers(spec.name).values()
            if list(levels) == [character.numbers(system.group_of[pool.name].name).get(pool.name)]:
                continue  # all of it is one person’s: the level stands there already
            shares = f"{NO_BREAK}+{NO_BREAK}".join(_share(system, spec, level) for level in levels)
            said = notes.setdefault(pool.name, [])
            if not said or sum(map(len, said)) + len(shares) <= LONGEST_NOTE:
                said.append(shares)
    for trait in system.banded:
        word = figures.get(f"word.{trait.role}")
        if word and not trait.kind:
            said = notes.setdefault(trait.name, [])
            if not said or sum(map(len, said)) + len(word) <= LONGEST_NOTE:
                said.append(word)
    return {f"note.{name}": DOT.join(words) for name, words in notes.items()}


def unknown_fields(names: tuple[str, ...], system: System, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the field names of a form that no character of this game could ever fill.

    `also` lists more first parts of field names that count as known.
    """
    known = {"name", "about", "seed", "code", "page", "text", "heading", "part", "player", "campaign", "date", PICTURE}
    known.update(spec.name for spec in system.fields)
    heads = {f"{name}." for name in (*(spec.name for spec in system.fields), *system.rows, "figure", "pencil", MARK)}
    heads.update(also)
    traits = {f"{group.name}.{trait.name}" for group in system.groups for trait in group.members}
    traits.update(f"note.{trait.name}" for trait in system.all_traits())
    levels = {f"{group.name}." for group in system.groups}
    found = []
    for name in names:
        head = f"{name.partition('.')[0]}."
        if name in known or name in traits or (head in heads and head not in levels):
            continue
        found.append(name)
    return tuple(found)


class _Piece(NamedTuple):
    """A part of a character's value: the field or fields of a sheet that show it, and what it says in words.

    `within` is the text that a figure must hold to show it, `trait` whose level or note it is. What is `unmarked` needs
    no figure where the form has some for it: a track without marks shows a level of 0, rings one word among others.
    """

    places: tuple[str, ...]
    says: str
    within: str = ""
    trait: str = ""
    unmarked: bool = False


class FieldPlaces:
    """Which values of a character a form has places for; `names` are the names of its fields.

    `shown_by` says, by field, which figures of the engine show it where the form has no field of its name (see Engine).
    Every sheet of a run is asked about, so that whatever depends on the form alone is worked out once.
    """

    def __init__(self, system: System, names: Iterable[str], shown_by: Mapping[str, tuple[str, ...]]) -> None:
        self._system, self._names = system, frozenset(names)
        self._open = tuple(spec for spec in system.fields if not self._names.issuperset(_names_of(system, spec)))
        self._patterns = {spec.name: shown_by.get(spec.name, SHOWN_BY.get(spec.name, ())) for spec in self._open}
        self._figures: dict[tuple[str, str], tuple[str, ...]] = {}
        self._belongs: dict[str, frozenset[str]] = {}

    def unplaced(self, character: Character, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Title and text of each field of which the form does not show all; `values` are those of `sheet_values`."""
        asked = [spec for spec in self._open if spec.name in character.values]
        if not asked:
            return ()
        lost = {field for name in values.keys() - self._names for field in self._fields_of(name)}
        found = []
        for spec in asked:
            pieces = _pieces(self._system, character, spec, values)
            left = [each.says for each in pieces if not self._is_shown(spec, each, values, lost)]
            if left:
                found.append((spec.title, (DOT if spec.kind.startswith("list") else ", ").join(left)))
        return tuple(found)

    def missing(self) -> tuple[tuple[FieldSpec, tuple[str, ...]], ...]:
        """Return the fields that the form has no place for.

        If only some traits lack a place, the field comes with those traits.
        """
        found: list[tuple[FieldSpec, tuple[str, ...]]] = []
        for spec in self._open:
            if spec.kind in ("levels", "text per trait"):
                traits = {place.partition(".")[2]: place in self._names for place in _names_of(self._system, spec)}
                lacking = [name for name, placed in traits.items() if not placed and not self._shown_for(spec, name)]
                if lacking:
                    found.append((spec, tuple(lacking) if len(lacking) < len(traits) else ()))
            elif not any(name.startswith(f"{spec.name}.") for name in self._names) and not self._shown_for(spec, ""):
                found.append((spec, ()))
        return tuple(found)

    def _is_shown(self, spec: FieldSpec, piece: _Piece, values: Mapping[str, str], lost: Container[str]) -> bool:
        """Return whether the form shows a piece; some figure of the fields in `lost` has no place on it."""
        if self._names.issuperset(piece.places) or not piece.says:
            return True
        if spec.name in lost:
            return False
        figures = self._shown_for(spec, piece.trait)
        if piece.within:
            return any(_says(values.get(name, ""), piece.within) for name in figures)
        return bool(figures) and (piece.unmarked or not values.keys().isdisjoint(figures))

    def _shown_for(self, spec: FieldSpec, trait: str) -> tuple[str, ...]:
        """Return the figures of the form that show a field, or one trait of it."""
        key = spec.name, trait
        if key not in self._figures:
            known = self._system.traits.get(trait)
            named = {"name": escape(trait), "role": escape(known.role)} if known is not None else EVERY_TRAIT
            patterns = [each.format_map(named) for each in self._patterns[spec.name]]
            self._figures[key] = tuple(name for name in self._names if _matches(name, patterns))
        return self._figures[key]

    def _fields_of(self, name: str) -> frozenset[str]:
        """Return the fields that a figure tells something of."""
        if name not in self._belongs:
            self._belongs[name] = frozenset(
                field
                for field, shown in self._patterns.items()
                if _matches(name, [each.format_map(EVERY_TRAIT) for each in shown])
            )
        return self._belongs[name]


def _says(text: str, words: str) -> bool:
    """Return whether a text has these words in it, in either case; most often they stand there as they are."""
    return words in text or words.casefold() in text.casefold()


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _names_of(system: System, spec: FieldSpec) -> tuple[str, ...]:
    """Return the names of the fields of a form that together show all of a field, whatever it holds."""
    if spec.kind == "levels":
        return tuple(f"{spec.name}.{trait.name}" for trait in system.group(spec.name).members)
    if spec.kind == "text per trait":
        groups = [system.group(name) for name in spec.groups]
        return tuple(f"note.{trait.name}" for group in groups for trait in group.members)
    return (spec.name,)


def _pieces(system: System, character: Character, spec: FieldSpec, values: Mapping[str, str]) -> Iterator[_Piece]:
    """Yield the parts of a field that a form may show one by one."""
    name = spec.name
    if spec.kind == "text":
        yield _Piece((name,), values.get(name, ""), within=character.text(name))
    elif spec.kind == "choice":
        yield _Piece((name,), values.get(name, ""), unmarked=True)
    elif spec.kind == "list":
        for number, line in enumerate(character.lines(name), 1):
            yield _Piece((f"{name}.{number}",), values.get(f"{name}.{number}", line))
    elif spec.kind == "ratings":
        for number, (who, level) in enumerate(character.numbers(name).items(), 1):
            places = f"{name}.{number}.name", f"{name}.{number}.level"
            yield _Piece(places, f"{who} {_share(system, spec, level)}", within=who)
    elif spec.kind == "list per trait":
        for number, (trait, things) in enumerate(character.lists(name).items(), 1):
            places = f"{name}.{number}.trait", f"{name}.{number}.list"
            yield _Piece(places, f"{trait}: {', '.join(things)}")
    else:
        yield from _pieces_by_trait(character, name, values)


def _pieces_by_trait(character: Character, name: str, values: Mapping[str, str]) -> Iterator[_Piece]:
    """Yield the levels or the notes of a field, trait by trait."""
    for trait, level in character.numbers(name).items():
        written = values.get(f"{name}.{trait}", str(level))
        yield _Piece((f"{name}.{trait}",), f"{trait} {written}", trait=trait, unmarked=not level)
    for trait, text in character.notes(name).items():
        yield _Piece((f"note.{trait}",), f"{trait}: {text}", within=text, trait=trait)


def with_level(system: System, character: Character, trade: str) -> str:
    """Return what somebody is with the word for how strong an opponent they were made, if they were made one."""
    options, strength = character.origin.options if character.origin is not None else {}, system.creation.strength
    level = options.get(strength.name, "") if strength is not None else ""
    return DOT.join(filter(None, (trade, level)))


def said_words(system: System, archetype: str, method: str, options: Mapping[str, str]) -> list[str]:
    """Return archetype, method and options as a reader says them: a strength is its own word, others name the option.

    `boss`, `slavic culture`, `skills bought`, `tech 9`.
    """
    said = [word for word in (archetype, method) if word]
    for name, value in options.items():
        option = system.creation.options.get(name)
        kind = option.kind if option is not None else ""
        said.append(value if kind == "strength" else f"{value} {name}" if kind == "word" else f"{name} {value}")
    return said


def provenance_line(system: System, origin: Origin) -> str:
    """Return the line at the foot of a sheet by which the same person can be rolled again.

    It holds archetype, method and options where they are not the usual ones, then seed and number. What the foot of a
    sheet cannot hold ends in “…”; the file of the character holds all of it. The line of a person changed by hand says
    "edited since", because the seed does not give that person. In a group its title and the place in it say enough.
    """
    if origin.group:
        place, edited = f"no. {origin.place}" if origin.place else "", "edited since" if origin.edited else ""
        line = DOT.join(filter(None, (f"seed {origin.seed}", place, edited)))
        titled = f"{origin.group}{DOT}{line}"
        return titled if len(titled) <= LONGEST_PROVENANCE else line
    number = DOT.join((f"seed {origin.seed}", f"no. {origin.index}", *(("edited since",) if origin.edited else ())))
    method, options = unusual_words(system, origin)
    said = said_words(system, origin.archetype, method, options)
    said += ["rolled again in part"] if origin.rerolled else []
    for words in (", ".join(said), f"{origin.archetype} …".lstrip(), "…" if said else ""):
        line = f"{words}{DOT}{number}" if words else number
        if len(line) <= LONGEST_PROVENANCE:
            break
    return line
