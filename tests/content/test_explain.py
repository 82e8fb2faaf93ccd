"""An editor is told what may stand where one types, from what the decoders declare, whole text or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.content.schema import FILES, Explanation, explain_place, kind_of, schema_of
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence, parse

CONTENT = Path(__file__).parents[2] / "content"
SESSION = schema_of(FILES["session"])


def at(text: str, kind: str = "session") -> Explanation:
    """What may stand where ▮ is."""
    before, _, after = text.partition("▮")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return explain_place(schema_of(FILES[kind]), before + after, line, column)


def words(found: Explanation) -> set[str]:
    return {each.word for each in found.keys}


def test_keys_of_an_evening_and_what_they_are_for() -> None:
    found = at("title: A toll\n▮")
    assert {"system", "scenes", "people_as"} <= words(found)
    assert not found.open
    [scenes] = (each for each in found.keys if each.word == "scenes")
    assert (scenes.help, scenes.takes, scenes.needed) == ("the scenes, in order", "list", True)


@pytest.mark.parametrize(
    "text",
    [
        "scenes:\n  - title: One\n    ▮",
        "scenes:\n  - ▮",
        "scenes:\n- title: One\n  peo▮",
        "scenes:\n  - title: One\n    read: |\n      title: not a key\n    ▮\n  - title: Two\n",
        "scenes:\n  - {title: One, ▮}",
        "scenes: [{title: One, no▮",
    ],
)
def test_keys_of_a_scene_however_it_is_written(text: str) -> None:
    assert {"where", "read", "clocks", "handouts"} <= words(at(text))
    assert "scenes" not in words(at(text))


def test_deeper_things() -> None:
    assert "segments" in words(at("scenes:\n  - title: One\n    clocks:\n      - title: Tide\n        ▮"))
    assert "archetype" in words(at("scenes:\n  - people:\n      - captain\n      - {count: 2, ▮"))
    assert {"do", "of", "rows"} <= words(at("rules:\n  quickie:\n    title: A\n    odds:\n      ▮", "chapter"))


def test_words_to_choose_from() -> None:
    assert [each.word for each in at("people_as: ▮").values] == ["npc", "card", "index", "none"]
    assert at("people_as: ▮").help == "how people are printed"


def test_nothing_is_proposed_inside_a_text() -> None:
    found = at("scenes:\n  - title: One\n    read: |\n      Fog on\n      the w▮\n")
    assert (found.keys, found.values, found.key) == ((), (), "read")
    assert "read out" in found.help


def test_kinds_of_files() -> None:
    assert kind_of("rules/03-the-roll.yaml") == "chapter"
    assert kind_of("npcs/names.yaml") == "npcs"
    assert kind_of("system.yaml") == "system"
    assert kind_of("handouts/letter.md") == ""


def keys(node: Node) -> list[Scalar]:
    """Every key of the records of a file, to two levels of depth and more."""
    if isinstance(node, Sequence):
        return [key for each in node.items for key in keys(each)]
    if isinstance(node, Mapping):
        return [key for name, value in node.entries for key in (name, *keys(value))]
    return []


FILES_OF_OURS = [path for path in sorted(CONTENT.rglob("*.yaml")) if kind_of(str(path.relative_to(CONTENT)))]


@pytest.mark.parametrize("path", FILES_OF_OURS, ids=lambda path: str(path.relative_to(CONTENT)))
def test_every_key_of_our_own_packs_is_explained(path: Path) -> None:
    text, schema = path.read_text("utf-8"), schema_of(FILES[kind_of(str(path.relative_to(CONTENT)))])
    lines = text.split("\n")
    step = max(1, text.count("\n") // 60)
    for key in keys(parse(text.encode(), path.name))[::step]:
        if lines[key.place.line - 1][: key.place.column - 1].strip(" -"):
            continue  # inside brackets
        found = explain_place(schema, text, key.place.line, key.place.column)
        assert found.key == key.text
        assert found.open or not found.keys or key.text in words(found), f"{path.name}:{key.place.line}: {key.text}"
