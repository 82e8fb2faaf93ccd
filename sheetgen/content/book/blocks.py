"""Parts of a rule that are made from the pack's people: tables to roll on, and stat blocks of whom the players meet."""

from __future__ import annotations

from sheetgen.content.packs.traits import know_traits
from sheetgen.content.yaml.containers import Either, Entries, Key, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Scope
from sheetgen.content.yaml.levels import Conditions
from sheetgen.content.yaml.nodes import Node
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, OneLine, WholeNumber
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.model.book import RANDOM_DICE, Featured, RandomTable
from sheetgen.model.system import System

MOST_ALIKE, MOST_COLUMNS = 99, 5
WHO = ("archetype", "file", "group")
ROLLED = ("archetype", "index", "count", "name", "trade")
TOLD = ("behind", "otherwise")  # of a group

LIST = OneLine(60)
NAME = OneLine(60)
COLUMNS = Either(
    Then(LIST, lambda name, node, scope: {"": name} if name else {}),
    MapOf(LIST, key=OneLine(40), most=MOST_COLUMNS, each="column {key}"),
)
SEED = Key("seed", WholeNumber(0, LARGEST_SEED), "the seed of the dice that draw", 1)
RANDOM_TABLE = RecordOf(
    "random table",
    RandomTable,
    Key("title", FreeText(120), "what stands over it"),
    Key("from", COLUMNS, "a list of the pack, such as `hooks`; or columns, each with its list", to="columns"),
    Key("as", ChoiceOf(RANDOM_DICE, "kind of table"), "what is rolled or drawn", "d66", to="dice"),
    Key("fits", Conditions(), "whom every entry must fit: levels of traits, words of options", ()),
    Key("archetype", NameOf("archetype"), "whose own names, manners and hooks are drawn", ""),
    SEED,
    place="place",
)


def _check_featured(entries: Entries) -> None:
    """Tell what does not go together: people are rolled, kept in a file, or a ready-made group."""
    named = [name for name in WHO if name in entries]
    if len(named) != 1:
        entries.add(f"people need one of {', '.join(WHO)}" + (f", not {' and '.join(named)}" if named else ""))
    for name in ROLLED[1:] if "archetype" not in named else ():
        if name in entries:
            entries.add(f"{name}: goes with an archetype, not with a {named[0] if named else 'file'}", at=name)
    for name in TOLD if "group" not in named else ():
        if name in entries:
            entries.add(f"{name}: goes with a group", at=name)
    if entries.values["name"] and entries.values["count"] > 1:
        entries.add(f"{entries.values['count']} people cannot all be {entries.values['name']}", at="name")


def _archetype(name: str, node: Node, scope: Scope) -> str:
    """Return the archetype by its own name, whichever word found it."""
    known = scope.names["archetype"].get(name)
    return known.name if known is not None else name


FEATURED = RecordOf(
    "people",
    Featured,
    Key("archetype", Then(NameOf("archetype"), _archetype), "what they are: somebody of it is rolled", ""),
    Key("file", FreeText(80), "a character file of the pack: whoever is kept there", ""),
    Key("only", ListOf(NAME), "of that file only those of these names", ()),
    Key("group", NameOf("group"), "a ready-made group of groups.yaml, with its line", ""),
    SEED,
    Key("index", WholeNumber(1, 10**9), "the number of the person in that run", 1),
    Key("method", NameOf("method"), "how they are made", ""),
    Key("options", MapOf(FreeText(200), key=NameOf("option"), each="option {key}"), "options of creation.yaml", dict),
    Key("count", WholeNumber(1, MOST_ALIKE), "so many who are alike", 1),
    Key("name", NAME, "a name in place of the rolled one", ""),
    Key("trade", NAME, "what they are, in place of the rolled trade", ""),
    Key("want", FreeText(300), "what they want, in place of what was rolled or kept", ""),
    Key("special", FreeText(400), "what they alone can do or know", ""),
    Key("behind", FreeText(400), "of a group: what is behind its line, for the GM", ""),
    Key("otherwise", FreeText(400), "of a group: what happens if nobody acts", ""),
    check=_check_featured,
    place="place",
)
PEOPLE = ListOf(
    Either(
        Then(
            NameOf("archetype"),
            lambda name, node, scope: Featured(archetype=_archetype(name, node, scope), place=node.place),
        ),
        FEATURED,
    ),
    most=60,
    each="people",
)


def know_people(scope: Scope, system: System) -> None:
    """Make the traits, archetypes, groups, methods and options of a game known to what is read from now on."""
    know_traits(scope, system.groups)
    options = system.creation.options.values()
    scope.facts["word options"] = {option.name: option.among for option in options if option.kind == "word"}
    scope.names |= {
        "archetype": system.cast.archetype_words,
        "group": system.known_groups,
        "method": system.creation.methods,
        "option": system.creation.options,
    }
