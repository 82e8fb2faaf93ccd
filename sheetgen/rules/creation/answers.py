"""Typed answers read as values (levels by name, entries of a list or field), and values as numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sheetgen.errors import quoted, suggestion
from sheetgen.model.character import Value
from sheetgen.model.scale import Scale
from sheetgen.model.system import FieldSpec, System

DROP = re.compile(r"[-−]\s+(?=\S)|[-−](?=\d+$)")
ADD = re.compile(r"\+\s*(?=\D)")


class RefusedAnswer(Exception):
    """An answer that is refused; each argument is a line that says why."""


class BrokenRule(RefusedAnswer):
    """An answer that breaks the rule of the step it belongs to."""


def picked(answer: str, names: Sequence[str], what: str) -> str:
    """Return the name that an answer means: its number from 1, the name, or a beginning that no other has."""
    if answer.isascii() and answer.isdigit() and answer not in names:
        if 1 <= int(answer[:9]) <= len(names):
            return names[int(answer) - 1]
        raise RefusedAnswer(f"there is no number {answer[:9]}: type 1 to {len(names)}, or a name")
    return named(answer, names, what)


def named(answer: str, names: Iterable[str], what: str) -> str:
    """Return the name that an answer writes, in any case, or shortened as long as only one begins so."""
    folded = {name.casefold(): name for name in names}
    word = answer.casefold().strip()
    if word in folded:
        return folded[word]
    begun = [name for fold, name in folded.items() if word and fold.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise RefusedAnswer(f"{quoted(answer)} may be {' or '.join(begun)}: type more of it")
    near = suggestion(answer, folded.values()) or f"; there are {listed(folded.values())}"
    raise RefusedAnswer(f"unknown {what} {quoted(answer)}{near}")


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return the first of some names, with commas."""
    names = list(names)
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def numbered(things: Iterable[str]) -> tuple[str, ...]:
    """Return each thing with its number, from 1."""
    things = list(things)
    width = len(str(len(things)))
    return tuple(f"{number:>{width}}  {thing}" for number, thing in enumerate(things, 1))


def levels_in(answer: str, names: Sequence[str], scale: Scale) -> dict[str, int]:
    """Return the levels that an answer such as `Fire 2, Melee 1` states; RefusedAnswer for anything else."""
    found: dict[str, int] = {}
    for part in re.split(r"[,;]", answer):
        if part.strip():
            name, level = _name_and_level(part.strip(), names, scale)
            found[name] = level
    if not found:
        raise RefusedAnswer("type a name and a level")
    return found


def _name_and_level(part: str, names: Sequence[str], scale: Scale) -> tuple[str, int]:
    words = re.sub(r"\s*[:=]\s*", " ", part).split()
    for count in range(len(words) - 1, 0, -1):
        level = _read_level(" ".join(words[count:]), scale)
        if level is not None:
            return named(" ".join(words[:count]), names, "name"), level
    usual = {"words": scale.lowest + 1, "code": 3 * scale.pips}.get(scale.kind, 2)
    raise RefusedAnswer(f"{quoted(part)} is no name with a level (type it like {names[0]} {scale.plain(usual)})")


def _read_level(text: str, scale: Scale) -> int | None:
    if scale.kind == "words":
        text = {word.casefold(): word for word in scale.words}.get(text.casefold(), text)
    return scale.read(text)


def changed(spec: FieldSpec, value: Value | None, answer: str, system: System) -> Value:
    """Return the value of a field after an answer; RefusedAnswer when it is nothing that the field can hold."""
    if spec.kind == "choice":
        return picked(answer, spec.among, spec.title.lower())
    if spec.kind == "text":
        return unquoted(answer)
    if spec.kind == "list":
        return _changed_list(value if isinstance(value, tuple) else (), answer)
    entries = value if isinstance(value, Mapping) else {}
    if spec.kind == "levels":
        group = system.group(spec.name)
        typed = levels_in(answer, [trait.name for trait in group.members], group.scale)
        usual = {trait.name: trait.default for trait in group.members}
        return {name: at for name, at in {**_whole_numbers(entries), **typed}.items() if at != usual.get(name)}
    drop = DROP.match(answer)
    if drop:
        gone = named(answer[drop.end() :], entries, "name")
        return {name: said for name, said in entries.items() if name != gone}  # type: ignore[return-value]
    if spec.kind == "ratings":
        return {
            name: at for name, at in {**_whole_numbers(entries), **_ratings(answer, system.usual_scale)}.items() if at
        }
    traits = [trait.name for group in system.groups if group.name in spec.groups for trait in group.members]
    lists = spec.kind == "list per trait"
    return {**entries, **dict(_trait_and_words(part, traits, lists=lists) for part in answer.split(";"))}  # type: ignore[return-value]


def _whole_numbers(entries: Mapping[str, object]) -> dict[str, int]:
    return {name: at for name, at in entries.items() if isinstance(at, int)}


def _trait_and_words(part: str, traits: Sequence[str], *, lists: bool) -> tuple[str, str | tuple[str, ...]]:
    """Return the trait and the words of a part of an answer: `Fire: bows`, or `Fire: bows, slings` for lists."""
    name, colon, said = part.partition(":")
    if not colon or not said.strip():
        raise RefusedAnswer(f"{quoted(part.strip())} is no “name: text”")
    things = tuple(thing.strip() for thing in said.split(",") if thing.strip())
    return named(name.strip(), traits, "name"), things if lists else said.strip()


def _ratings(answer: str, scale: Scale) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in answer.split(";"):
        name, _, level = part.strip().rpartition(" ")
        number = scale.read(level)
        if not name or number is None:
            raise RefusedAnswer(f"{quoted(part.strip())} is no name with a level (type it like Ines 2; Ada 1)")
        found[unquoted(name.rstrip(" :="))] = number
    return found


def _changed_list(things: tuple[str, ...], answer: str) -> tuple[str, ...]:
    drop, add = DROP.match(answer), ADD.match(answer)
    if drop:
        gone = picked(answer[drop.end() :].strip(), things, "thing")
        return tuple(thing for thing in things if thing != gone)
    wanted = [unquoted(thing) for thing in answer[add.end() if add else 0 :].split(";") if thing.strip()]
    return (*things, *(thing for thing in wanted if thing not in things))


def unquoted(text: str) -> str:
    """Return the text without the quotes that let a word such as “back” be an answer."""
    text = text.strip()
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else text
