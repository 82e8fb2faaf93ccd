"""The shape of a pack's npcs.yaml, or of the files in its folder npcs/: what makes rolled people playable."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from sheetgen.content.yaml.containers import (
    Either,
    Entries,
    Key,
    Later,
    ListOf,
    MapOf,
    RecordOf,
    Then,
    known,
    mapping_entries,
)
from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Schema, Scope, Wrapped
from sheetgen.content.yaml.levels import HIGHEST, Conditions, FreeMapping, LevelRange, branch
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Sequence
from sheetgen.content.yaml.scalars import ChoiceOf, DecimalNumber, FreeText, NameOf, OneLine, WholeNumber, YesNo
from sheetgen.errors import InputError, among, quoted
from sheetgen.model.cast import (
    HE,
    SHE,
    Archetype,
    Cast,
    FactKind,
    FactSpec,
    GearList,
    Hook,
    Item,
    ItemKind,
    NameSet,
    Occupation,
    Phrase,
    Relation,
)
from sheetgen.model.data import Data, Word
from sheetgen.model.system import Span

UNDECLARED = ("weapons", "armours")  # kinds that a pack may have without saying what their facts are
SLOTS, TIE_SLOTS = ("{friend}",), ("{one}", "{other}")
WHERE = "traits in system.yaml"


class UniqueWords(ListOf[str]):
    """A list of words in which none stands twice."""

    def read(self, node: Node, scope: Scope, what: str) -> tuple[str, ...]:
        found, lines = super().read(node, scope, what), dict[str, int]()
        for word, item in zip(found, node.items if isinstance(node, Sequence) else (), strict=False):
            if word and word in lines:
                scope.add(item.place, f"{quoted(word)} stands in {what} twice (line {lines[word]})")
            lines.setdefault(word, item.place.line)
        return found


def _checked_slots(written: str, node: Node, scope: Scope) -> str:
    rest = written
    for slot in SLOTS:
        rest = rest.replace(slot, "")
    if "{" in rest or "}" in rest:
        scope.add(node.place, f"{quoted(written)}: the only slot is {', '.join(SLOTS)}")
    return written


def _tied(written: str, node: Node, scope: Scope) -> str:
    if set(re.findall(r"\{[^}]*\}", written)) != set(TIE_SLOTS):
        scope.add(node.place, f"{quoted(written)}: a tie names {' and '.join(TIE_SLOTS)}")
    return written


def _known_things(found: dict[str, Any], node: Node, scope: Scope) -> dict[str, Any]:
    """Note the names and tags of things, which specialties may name."""
    tags = (tag for each in found.values() for tag in getattr(each, "tags", ()))
    scope.names["thing or tag"] = (*scope.names.get("thing or tag", ()), *found, *dict.fromkeys(tags))
    return found


def _check_archetype(entries: Entries) -> None:
    order = entries.values["attributes"]
    if len(set(order)) != len(order):
        place = entries.nodes["attributes"].place
        entries.scope.naming("trait").add(place, f"{entries.what} names an attribute twice")


def _known_method(word: str, node: Node, scope: Scope) -> str:
    methods = scope.facts.get("methods")
    if methods is not None and word not in methods:
        scope.add(node.place, f"unknown method {quoted(word)}{among(word, methods)}")
    return word


def _check_fact(entries: Entries) -> None:
    limits = entries.values.pop("range")
    entries.values |= {"low": limits.low, "high": limits.high}


FACT = RecordOf(
    "fact {key}",
    FactSpec,
    Key("is", ChoiceOf(get_args(FactKind), "kind of fact"), "what the fact is", to="kind"),
    Key("range", LevelRange(), "for numbers: the lowest and the highest", Span(0, HIGHEST)),
    Key("among", FreeText(80), "for `choice`: the pack value whose names may be chosen", ""),
    Key("optional", YesNo(), "an item may lack it", False),
    check=_check_fact,
    key="name",
)
FACTS = Then(known("fact", MapOf(FACT)), lambda facts, node, scope: tuple(facts.values()))
ITEM_KIND = RecordOf(
    "{key}",
    ItemKind,
    Key("facts", FACTS, "what must be said of each item", what="facts of {key}"),
    Key("only_one", ListOf(NameOf("fact")), "facts of which an item has one at most", ()),
    key="name",
    name="kind of items",
)


def _check_names(entries: Entries) -> None:
    if "sets" not in entries:
        _check_name_set(entries)


def _check_name_set(entries: Entries) -> None:
    if not any(name in entries for name in ("given", "women", "men")):
        entries.add(f'{entries.what} lacks "given" (add a line "given: ...")')
    if "family" not in entries:
        entries.add(f'{entries.what} lacks "family" (add a line "family: ...")')


FITS = Key("fits", Conditions(), "whom it fits: levels of traits, words of options", (), what="fits of {key}")
WORDS = UniqueWords(OneLine(60))
TRAIT, SKILL, ATTRIBUTE = (NameOf("trait", what, WHERE) for what in ("trait", "skill", "attribute"))
SAID = Then(FreeText(200), _checked_slots)
NAMES = Key(
    "names", ListOf(NameOf("thing or tag")), "things, or tags of things, that the words mean without showing it", ()
)


def _phrase(kind: Callable[..., Any], name: str, *more: Key) -> Either:
    keys = (
        Key("say", SAID, "the words, with {friend} for somebody's name"),
        *more,
        Key("fits", Conditions(), FITS.help, ()),
    )
    short = Then(SAID, lambda written, node, scope: kind(written))
    return Either(short, RecordOf("", kind, *keys, name=name))


PHRASE, SPECIALTY = _phrase(Phrase, "phrase"), _phrase(Phrase, "phrase that names things", NAMES)
HOOK = _phrase(
    Hook,
    "hook",
    Key("want", SAID, "what somebody with this story wants from the players", ""),
    Key("voice", SAID, "a line that they say", ""),
    Key(
        "ages", ListOf(NameOf("age")), "the ages of life at which somebody has such a story; any, if none is named", ()
    ),
    Key("trades", ListOf(NameOf("occupation")), "the trades that it tells of; anybody's, if none is named", ()),
    Key("without", WORDS, "relations, such as spouse, or trades: nobody who knows or is such a one has it", ()),
    Key(
        "motif",
        OneLine(30),
        "what it turns on, such as debt: neighbours in a run hardly ever have stories of one motif",
        "",
    ),
)
RELATION = _phrase(
    Relation,
    "relation",
    Key("who", ChoiceOf((SHE, HE), "pronoun"), "the pronoun of the other one, where the word has a gender", ""),
    Key("ages", ListOf(NameOf("age")), "the ages of life at which somebody has such a one; any, if none is named", ()),
)


def _phrases(part: str, help: str, each: Either = PHRASE) -> Key:
    return Key(part, ListOf(each, each=f"entry of {part}"), help, ())


class _PhrasesByWord(Wrapped[tuple[Phrase, ...]]):
    """A list of phrases for each word of an option: whoever has that word has one of these."""

    def read(self, node: Node, scope: Scope, what: str) -> tuple[Phrase, ...]:
        options = scope.facts["word options"]
        found, asked = mapping_entries(node, scope, what=what, most=100), list[Phrase]()
        option = next((name for name, words in options.items() if set(found) & set(words)), "")
        for word, (key, value) in found.items():
            listed = PHRASES.read(value, scope, f"{what}: {word}")
            if not option or word not in options[option]:
                words = options.get(option) or [each for words in options.values() for each in words]
                said = f"{quoted(word)} is no word of an option in creation.yaml{among(word, words)}"
                scope.add(key.place, f"{what}: {said}")
                continue
            allowed = frozenset((options[option].index(word),))
            asked += [replace(each, fits=((option, allowed), *each.fits)) for each in listed]
        return tuple(asked)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "object", "additionalProperties": self.takes.schema(definitions)}

    def __str__(self) -> str:
        return f"mapping: word of an option → {self.takes}"


PHRASES = ListOf(PHRASE, 1000, each="phrase")
LISTS_OF_PHRASES = MapOf(Either(PHRASES, _PhrasesByWord(PHRASES)), key=OneLine(40))

NAME_LISTS = (
    Key("given", WORDS, "first names that anybody may bear", ()),
    Key("women", WORDS, "first names of women", ()),
    Key("men", WORDS, "first names of men", ()),
    Key("family", WORDS, "family names", ()),
)
NAME_SET = RecordOf(
    "set of names",
    NameSet,
    *NAME_LISTS,
    Key("fits", Conditions(), FITS.help, ()),
    Key("tongues", WORDS, "languages that these people grow up with: those of them that `languages` has", ()),
    check=_check_name_set,
)
PAIR_OF_LISTS = RecordOf[dict[str, Any]](
    "names",
    dict,
    *NAME_LISTS,
    Key("sets", ListOf(NAME_SET), "names that belong together, in place of the two lists", ()),
    check=_check_names,
)
OCCUPATION = RecordOf(
    "occupation {key}",
    Occupation,
    Key("skills", ListOf(SKILL), "the skills it lives by, the best first", ()),
    FITS,
    Key("gear", WORDS, "what it brings along", ()),
    Key("ages", ListOf(NameOf("age")), "the ages of life at which somebody has it; any, if none is named", ()),
    Key("wears", FreeText(40), "a kind of items, such as armours: its people have one that its skills bring", ""),
    Key("arms", WORDS, "weapons, or tags of weapons, of which its people choose theirs, if their skills bring any", ()),
    key="name",
)
GIVEN = Then(Later(FreeMapping()), lambda _, node, scope: scope.facts["read given"](node, scope.naming("trait")))
ARCHETYPE = RecordOf(
    "archetype {key}",
    Archetype,
    Key("say", FreeText(), "what they are, in a line"),
    Key("attributes", ListOf(ATTRIBUTE), "attributes, the most important first", ()),
    Key("core", MapOf(WholeNumber(1, 15), key=SKILL), "skills bought first, and to which level", dict),
    Key("also", ListOf(SKILL), "skills that dice may add", ()),
    Key("occupations", ListOf(NameOf("occupation")), "the trades they may have", ()),
    Key("gives", GIVEN, "what each of them has: any part of a character file", dict),
    Key("names", WORDS, "names in place of those of the pack", ()),
    _phrases("manners", "manners in place of those of the pack"),
    _phrases("hooks", "hooks in place of those of the pack", HOOK),
    Key("phrases", LISTS_OF_PHRASES, "lists of phrases in place of those of the pack, by name", dict),
    Key("method", Then(FreeText(60), _known_method), "how they are made, if not by the usual method", ""),
    Key("also_called", WORDS, "other words that find it, such as bandit for an outlaw", ()),
    check=_check_archetype,
    key="name",
)


def _check_open_item(entries: Entries) -> None:
    node = entries.node
    rest = tuple(entry for entry in getattr(node, "entries", ()) if entry[0].text != "fits")
    facts = branch(MappingNode(rest, node.place), entries.scope, what=entries.what)
    entries.values |= {"facts": facts, "place": entries.key.place if entries.key else node.place}


THING = RecordOf(
    "thing {key}",
    Item,
    Key("facts", FreeMapping(), "what rules need to know of it", what="facts of {key}"),
    FITS,
    check=lambda entries: entries.values.update(place=entries.key.place if entries.key else entries.node.place),
    key="name",
)


def _as_data(value: object, node: Node, scope: Scope) -> Data | None:
    """A fact as words with their places; None for a switch that is off."""
    if isinstance(value, tuple):
        return tuple(Word(word, node.place) for word in value)
    said = "yes" if value is True else str(value)
    return None if value is False else Word(said, node.place)


def _fact(fact: FactSpec, scope: Scope) -> Key:
    """The key of a fact that a pack declares."""
    kinds: dict[str, Callable[[], Decoder[Any]]] = {
        "trait": lambda: NameOf("trait", fact.name, WHERE),
        "choice": lambda: ChoiceOf(_names_below(fact.among, scope), fact.name),
        "number": lambda: DecimalNumber(fact.low, fact.high),
        "whole": lambda: WholeNumber(fact.low, fact.high),
        "switch": YesNo,
        "words": lambda: WORDS,
        "text": lambda: FreeText(60),
    }
    takes = Then(kinds[fact.kind](), _as_data)
    return Key(fact.name, takes, "", None) if fact.optional else Key(fact.name, takes, "")


def _names_below(path: str, scope: Scope) -> tuple[str, ...]:
    """The names below a value of the pack, none if it has no such value."""
    try:
        return tuple(scope.values.names(path)) if scope.values.has(path) else ()
    except InputError as error:
        scope.problems.extend(error)
        return ()


def _item(named: str, kind: ItemKind | None, scope: Scope) -> RecordOf[Item]:
    """An item with the facts that the pack declares for its kind; where it declares none, with any facts."""
    what = f"{named.removesuffix('s')} {{key}}"
    if kind is None:
        return RecordOf(what, Item, FITS, check=_check_open_item, key="name", open=True)

    def check(entries: Entries) -> None:
        if len([fact for fact in kind.only_one if fact in entries]) > 1:
            entries.add(f"{entries.what}: only one of {', '.join(kind.only_one[:-1])} and {kind.only_one[-1]}")
        values = entries.values
        said = {fact.name: values.pop(fact.name) for fact in kind.facts}
        values["facts"] = {
            Word(name, entries.nodes[name].place): fact for name, fact in said.items() if name in entries and fact
        }
        values["place"] = entries.key.place if entries.key else entries.node.place

    return RecordOf(what, Item, *(_fact(fact, scope) for fact in kind.facts), FITS, check=check, key="name")


GEAR = RecordOf(
    "gear of {key}",
    GearList,
    _phrases("basic", "plain things"),
    _phrases("advanced", "better things"),
)
BEFORE_ITEMS = (
    Key("names", PAIR_OF_LISTS, "names of people", dict),
    Key("languages", WORDS, "languages they may speak", ()),
    Key("ages", known("age", MapOf(WORDS, key=OneLine(40))), "ages of life by name, each with words for it", dict),
    _phrases("relations", "how they know each other", RELATION),
    Key(
        "ties",
        ListOf(Then(FreeText(120), _tied), each="entry of ties"),
        "what {one} of a group is to {other}, in a sentence; if there are none, relations without conditions",
        (),
    ),
    Key("occupations", known("occupation", MapOf(OCCUPATION, key=OneLine(40))), "trades by name", dict),
    Key("standing", ListOf(TRAIT), "traits that may lie a level beside what a trade fits, so that few share one", ()),
    Key("archetypes", MapOf(ARCHETYPE, key=OneLine(40)), "kinds of people by name", dict),
    _phrases("manners", "how somebody comes across"),
    _phrases("hooks", "what somebody wants or hides", HOOK),
    Key("phrases", LISTS_OF_PHRASES, "further lists of your own, such as bonds or omens, for the step `phrase`", dict),
)
AFTER_ITEMS = (
    Key("things", Then(MapOf(THING, key=OneLine(60)), _known_things), "things by name, with any facts", dict),
    Key("specialties", MapOf(ListOf(SPECIALTY), key=TRAIT), "specialties by trait", dict),
    Key("familiarities", MapOf(ListOf(PHRASE), key=TRAIT), "familiarities by trait", dict),
    Key("gear", MapOf(GEAR, key=SKILL), "what a skill brings", dict),
    _phrases("belongings", "small things that anybody may have"),
    Key("without", WORDS, "what this world lacks of gear, manners and relations, in a pack that extends another", ()),
    Key(
        "only_one",
        ListOf(WORDS, each="list of only_one"),
        "lists of words, such as `[shoes, boots]`: nobody owns two things that have words of one list in their names",
        (),
    ),
)


def npcs(kinds: Mapping[str, ItemKind], scope: Scope, *, open: bool = False) -> RecordOf[Cast]:
    """Return the record of npcs.yaml for a pack that declares these kinds of items."""
    named = tuple(dict.fromkeys((*UNDECLARED, *kinds)))
    items = {kind: Then(MapOf(_item(kind, kinds.get(kind), scope), key=OneLine(40)), _known_things) for kind in named}
    keys = (
        Key(kind, takes, f"{kind} by name, with the facts that system.yaml declares", None)
        for kind, takes in items.items()
    )

    def cast(names: dict[str, Any], without: tuple[str, ...], gear: Mapping[str, GearList], **values: Any) -> Cast:
        def left(things: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(thing for thing in things if thing.say not in without)

        sets: tuple[NameSet, ...] = names.pop("sets", ()) or ((NameSet(**names),) if names else ())
        listed = {kind: values.pop(kind) for kind in named}
        return Cast(
            given=tuple(name for each in sets for name in each.borne_by("")),
            family=tuple(name for each in sets for name in each.family),
            name_sets=sets,
            items={kind: found for kind, found in listed.items() if found is not None},
            gear={skill: GearList(left(things.basic), left(things.advanced)) for skill, things in gear.items()},
            manners=left(values.pop("manners")),
            relations=left(values.pop("relations")),
            **values,
        )

    return RecordOf("npcs", cast, *BEFORE_ITEMS, *keys, *AFTER_ITEMS, open=open)


NPCS = npcs({}, Scope(Problems()), open=True)  # for any pack
