"""The shape of creation.yaml and sheet.yaml, and of what a pack says of duels: nodes in, frozen records out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheetgen.content.packs.traits import RULE, TEXT, TRAIT_ROLE, WordsOrPath
from sheetgen.content.yaml.containers import Entries, Key, Later, ListOf, MapOf, RecordOf, Then, known
from sheetgen.content.yaml.decoder import Scope
from sheetgen.content.yaml.levels import FreeMapping, LevelOf, branch
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.scalars import ChoiceOf, NameOf, PlacedText, YesNo
from sheetgen.errors import quoted, suggestion
from sheetgen.model.data import EMPTY, Word
from sheetgen.model.procedures import Reckoning
from sheetgen.model.system import (
    FIGHT,
    Creation,
    Duel,
    Encounter,
    Method,
    OpponentLevel,
    Option,
    Policy,
    Step,
    Trait,
    TraitGroup,
)

OPTION_KINDS = ("members", "level", "step", "strength", "switch", "word")
USUAL = "usual"
EVERYBODY, NOBODY, ROLLED = "all", "none", "rolled"


# Options


def _check_option(entries: Entries) -> None:
    """Read what an option of its kind has, and drop what others have."""
    values, name = entries.values, entries.values["name"]
    kind = values["kind"]
    if "steps" in entries and kind != "step":
        entries.add(f"option {name}: only an option that `is: step` has steps", at="steps")
    if "levels" in entries and kind != "strength":
        entries.add(f"option {name}: only an option that `is: strength` has levels", at="levels")
    reads = {"members": _members, "level": _level_option, "word": _word, "step": _step, "strength": _strength}
    values.update({"of": "", "steps": {}, "among": (), "levels": {}} | reads.get(kind, _switch)(entries, name))


def _strength(entries: Entries, name: str) -> dict[str, Any]:
    """The levels of an option that says how strong people are; without one of them they are made as usual."""
    levels = entries.read("levels", MapOf(OPPONENT_LEVEL), {})
    if not levels:
        entries.add(f"option {name} needs levels: how strong an opponent may be")
    default = entries.read("default", ChoiceOf((USUAL, *levels), f"default of option {name}"), USUAL)
    return {"levels": levels, "among": (USUAL, *levels), "default": default}


def _switch(entries: Entries, name: str) -> dict[str, Any]:
    return {"default": "yes" if entries.read("default", YesNo(), False, f"default of option {name}") else "no"}


def _step(entries: Entries, name: str) -> dict[str, Any]:
    steps = entries.read("steps", CHOSEN_STEPS, {})
    default = entries.read("default", TEXT, "")
    if default not in steps:
        if "default" in entries:
            entries.add(f"option {name}: its default must be one of {', '.join(steps) or 'its steps'}", at="default")
        steps = steps or {"": next(iter(entries.scope.names.get("step", ())), "")}
        default = next(iter(steps))
    return {"steps": steps, "default": default}


def _word(entries: Entries, name: str) -> dict[str, Any]:
    """The words that an option is one of, and its default: one of them, or `rolled`."""
    if "among" not in entries:
        entries.add(f"option {name} needs among: the words that it is one of")
    among = entries.read("among", WordsOrPath(), (), f"option {name}: among")
    default = ChoiceOf((*among, ROLLED), f"default of option {name}")
    return {"among": among, "default": entries.read("default", default, ROLLED) if among else ROLLED}


def _members(entries: Entries, name: str) -> dict[str, Any]:
    """The group that an option picks members of, and its default; everything where that cannot be used."""
    if "of" not in entries:
        entries.add(f"option {name} needs of: the trait group that it is about")
    of = entries.read("of", NameOf("trait group"), "")
    default = entries.read("default", TEXT, EVERYBODY, f"default of option {name}") or EVERYBODY
    groups: Any = entries.scope.names["trait group"]
    if of in groups and default not in (EVERYBODY, NOBODY):
        names = [trait.name for trait in groups[of].members]
        for word in (each.strip() for each in default.split(",")):
            if word not in names:
                near = suggestion(word, names) or f" (write {EVERYBODY}, {NOBODY}, or some of {', '.join(names)})"
                place = entries.nodes["default"].place
                entries.scope.naming("trait").add(place, f"option {name}: unknown name {quoted(word)}{near}")
                return {"of": of, "default": EVERYBODY}
    return {"of": of, "default": default}


def _level_option(entries: Entries, name: str) -> dict[str, Any]:
    """The role of the trait that an option sets, and its default as the trait's group writes it, or `rolled`."""
    if "of" not in entries:
        entries.add(f"option {name} needs of: the trait that it is about")
    role = entries.read("of", TRAIT_ROLE, "")
    given = entries.nodes.get("default")
    if not role or given is None or (isinstance(given, Scalar) and given.text == ROLLED):
        return {"of": role, "default": ROLLED}
    group, trait = _trait_of(role, entries.scope)
    levels = LevelOf(trait.start.low, trait.start.high, group.scale)
    return {"of": role, "default": group.scale.plain(levels.read(given, entries.scope, f"default of option {name}"))}


def _trait_of(role: str, scope: Scope) -> tuple[TraitGroup, Trait]:
    found: tuple[TraitGroup, Trait] = scope.facts["traits"][role]
    return found


OPPONENT_LEVEL = RecordOf(
    "level {key}",
    OpponentLevel,
    Key("say", TEXT, "what makes such an opponent, in a line"),
    RULE,
    Key("method", TEXT, "the method by which they are made, if not the usual one", ""),
    Key("options", MapOf(TEXT), "options that are not at their default", dict),
    Key("steps", MapOf(FreeMapping(), key=NameOf("step")), "step → parameters in the place of its own", dict),
    Key("after", MapOf(ListOf(NameOf("step"))), "step → steps behind it that only this level takes", dict),
    key="name",
    place="place",
)
CHOSEN_STEPS = MapOf(NameOf("step"))
OPTION = RecordOf(
    "option {key}",
    Option,
    Key("is", ChoiceOf(OPTION_KINDS, "kind of option"), "what is decided", to="kind"),
    Key("default", Later(TEXT), "what holds if nobody decides; for levels and words also `rolled`"),
    Key("of", Later(NameOf("trait")), "the trait group (`members`) or the trait (`level`) that it is about", ""),
    Key("steps", Later(CHOSEN_STEPS), "for `step`: word → the step that it stands for", dict),
    Key("among", Later(WordsOrPath()), "for `word`: the words that it is one of", ()),
    Key("levels", Later(MapOf(OPPONENT_LEVEL)), "for `strength`: how strong opponents may be, weakest first", dict),
    RULE,
    Key("say", TEXT, "what it decides, in a line", ""),
    check=_check_option,
    key="name",
)

# Steps and methods


def step(verb: str, meaning: str) -> RecordOf[Step]:
    """Return a named step, which says under `verb` what to do; all other keys are the words of that."""

    def check(entries: Entries) -> None:
        words = branch(entries.node, entries.scope, what=entries.what) if entries.nodes else EMPTY
        entries.values["params"] = {word: data for word, data in words.items() if word not in (verb, "rule", "say")}

    return RecordOf(
        "step {key}" if verb == "do" else "roll {key}",
        Step,
        Key(verb, PlacedText(), meaning, to="do"),
        RULE,
        Key("say", TEXT, "what it does, in a line", ""),
        check=check,
        key="name",
        place="place",
        open=True,
    )


def _choosing_steps(options: dict[str, Option], node: Node, scope: Scope) -> dict[str, Option]:
    """Note the options that stand for a step, which methods may name."""
    steps = (*scope.names.get("step", ()), *(name for name, option in options.items() if option.kind == "step"))
    scope.names["step"] = steps
    return options


PLACED_STEP = Then(NameOf("step"), lambda name, node, scope: Word(name, node.place))
METHOD = RecordOf(
    "method {key}",
    Method,
    Key("steps", ListOf(PLACED_STEP), "its steps in order, or options that stand for one"),
    Key("say", TEXT, "what the method is for, in a line", ""),
    RULE,
    key="name",
)


def _check_creation(entries: Entries) -> None:
    if not entries.values["methods"]:
        entries.add("creation.yaml needs at least one method")


CREATION = RecordOf(
    "creation.yaml",
    Creation,
    Key("steps", known("step", MapOf(step("do", "what to do"))), "the steps by name"),
    Key("options", Then(MapOf(OPTION), _choosing_steps), "what may be decided before any dice fall", dict),
    Key("methods", MapOf(METHOD), "ways to make a character; the first is the usual one"),
    check=_check_creation,
    place="place",
)

# Duels

PAIR = ListOf(TEXT, exactly=2, meaning="a pair of words: [one, other]")
POLICY = RecordOf(
    "policy {key}",
    Policy,
    Key("say", TEXT, "how everybody spends their turns, in a sentence"),
    Key("given", FreeMapping(), "parameters of the procedure", EMPTY),
    Key("each", FreeMapping(), "parameters of every fighter", EMPTY),
    name="policy",
)
ENCOUNTER = RecordOf(
    "encounter",
    Encounter,
    Key("procedure", TEXT, "the procedure that plays a fight of several"),
    Key("fighters", TEXT, "the parameter that lists them; `uses:` fills its `.1`"),
    Key("name", TEXT, "the key of a fighter's name"),
    Key("side", TEXT, "the key of a fighter's side"),
    Key("sides", PAIR, "what the two sides are called there"),
    Key("policies", MapOf(POLICY), "named ways to spend one's turns, the usual one first"),
    Key("given", FreeMapping(), "other parameters of the procedure", EMPTY),
    Key("winner", TEXT, "the result that tells which side won", "winner"),
    Key("length", TEXT, "the result that tells how long it took", "rounds"),
    Key("down", TEXT, "the result that lists who is out of it", "down"),
    Key("cost", PAIR, "the parameter and the result that tell what it cost a fighter, `#` for its number", None),
    Key("unit", TEXT, "what that cost is counted in", "levels"),
)
DUEL = RecordOf(
    "duel",
    Duel,
    Key("procedure", TEXT, "the procedure that plays a fight"),
    Key("fighters", PAIR, "the parameters that take the two"),
    Key("winner", TEXT, "the result that tells who won"),
    Key("winners", PAIR, "what that result says for each of the two"),
    Key("length", TEXT, "the result that tells how long it took"),
    Key("given", FreeMapping(), "other parameters of the procedure", EMPTY),
    Key("cost", ListOf(PAIR), "for each of the two, the parameter and the result that tell what it cost", ()),
    Key("unit", TEXT, "what that cost is counted in", "levels"),
)


def usual_duel(play: Mapping[Word, Step | Reckoning]) -> Duel | None:
    """Return the duel of a pack that has a fight among its rolls and says no more: the first one."""
    name = next((name for name, each in play.items() if isinstance(each, Step) and each.do == FIGHT), None)
    if name is None:
        return None
    cost = (("a.hits", "a_hits"), ("b.hits", "b_hits"))
    return Duel(str(name), EMPTY, ("a", "b"), "winner", ("a", "b"), "rounds", cost, "hits")
