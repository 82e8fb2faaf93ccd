"""Edits of YAML in place: what changes is what was asked for, and every other line stays to the byte."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sheetgen.content.yaml.edits import insert, move, plain, remove, set_value, transfer
from sheetgen.content.yaml.nodes import parse
from sheetgen.content.yaml.quoting import block_value
from sheetgen.errors import InputError, UsageError

EVENING = """\
# An evening by the river.
title: A toll   # as it is called
scenes:
  # it begins here
  - title: The gate   # first
    read: |   # aloud
      Fog on the water.
      Rain on the wall.

    people:
      - captain
      # owes forty silver
      - 3 guards   # rolled
      - {archetype: sailor, name: Bastian Quill}
    # to do: a map

  - title: Supper
    people: [widow, clerk]
    clocks:
    - title: The tide
      segments: 8
"""


def read(text: str) -> Any:
    return plain(parse(text.encode(), "text"))


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and those that came, between the first and the last difference."""
    old, new = before.splitlines(True), after.splitlines(True)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


GATE, CLERK = "  - title: The gate   # first\n", "    people: [widow, clerk]\n"


@pytest.mark.parametrize(
    ("path", "value", "went", "came"),
    [
        (
            ("title",),
            "Supper",
            "title: A toll   # as it is called\n",
            "title: Supper   # as it is called\n",
        ),
        (("scenes", 0, "read"), "Snow.\n", "      Fog on the water.\n      Rain on the wall.\n", "      Snow.\n"),
        (("scenes", 1, "clocks", 0, "segments"), 6, "      segments: 8\n", "      segments: 6\n"),
        (("scenes", 1, "people", 1), "the clerk, late", CLERK, '    people: [widow, "the clerk, late"]\n'),
        (("scenes", 0, "title"), "Fog\nand\n", GATE, "  - title: |   # first\n      Fog\n      and\n"),
        (("date",), "2026-11-28", "", 'date: "2026-11-28"\n'),
        (("scenes", 1, "where"), "the inn", "", "    where: the inn\n"),
    ],
)
def test_a_value_is_set_and_its_lines_only(path: Any, value: Any, went: str, came: str) -> None:
    made = set_value(EVENING, path, value)
    assert tuple("".join(lines) for lines in changed_lines(EVENING, made)) == (went, came)


def test_a_new_key_stands_where_its_kind_says() -> None:
    made = set_value(EVENING, ("scenes", 1, "notes"), "Nobody pays.", order=("title", "where", "notes", "people"))
    assert made.index("  - title: Supper\n    notes: Nobody pays.\n    people:") > 0


def test_somebody_moves_with_the_comment_on_them() -> None:
    made = move(EVENING, ("scenes", 0, "people"), 1, 0)
    assert "    people:\n      # owes forty silver\n      - 3 guards   # rolled\n      - captain\n" in made


def test_scenes_change_places_with_all_that_is_in_them() -> None:
    made = move(EVENING, ("scenes",), 1, 0)
    assert [scene["title"] for scene in read(made)["scenes"]] == ["Supper", "The gate"]
    assert sorted(made.splitlines()) == sorted(EVENING.splitlines())


def test_somebody_goes_from_one_scene_to_another() -> None:
    made = transfer(EVENING, ("scenes", 0, "people", 1), ("scenes", 1, "people"), 0)
    assert read(made)["scenes"][1]["people"] == ["3 guards", "widow", "clerk"]
    block = EVENING.replace(" [widow, clerk]", "\n    - widow")
    assert "    people:\n    # owes forty silver\n    - 3 guards   # rolled\n    - widow\n" in transfer(
        block, ("scenes", 0, "people", 1), ("scenes", 1, "people"), 0
    )


def test_a_list_is_begun_and_ended() -> None:
    begun = insert(EVENING, ("scenes", 0, "boxes"), 0, "Pask has a child")
    assert "    boxes:\n      - Pask has a child\n" in begun
    ended = remove(EVENING, ("scenes", 1, "clocks", 0))
    assert ended.endswith("    clocks: []\n")
    assert read(insert(ended, ("scenes", 1, "clocks"), 0, {"title": "Tide", "segments": 8})) == read(
        EVENING.replace("The tide", "Tide")
    )


def test_line_ends_and_the_mark_of_windows_stay() -> None:
    theirs = "\ufeff" + EVENING.replace("\n", "\r\n")
    for made in (
        set_value(theirs, ("title",), "Supper"),
        set_value(theirs, ("scenes", 0, "read"), "One.\nTwo.\n"),
        move(theirs, ("scenes",), 0, 1),
        remove(theirs, ("scenes", 0, "people", 1)),
    ):
        assert made.startswith("\ufeff# An evening")
        assert "\n" not in made.replace("\r\n", "")


def test_a_last_line_without_an_end_stays_so() -> None:
    assert set_value("a: 1\nb: 2", ("b",), "3") == "a: 1\nb: 3"
    assert set_value("a: 1\nb: 2", ("c",), "3") == "a: 1\nb: 2\nc: 3"


@pytest.mark.parametrize("text", ["? a\n: b\n", "- - a\n  - b\n- - c\n", "a:\n  # why\n  b: 1\n"])
def test_what_cannot_be_done_in_place_is_refused_or_right(text: str) -> None:
    for edit in (
        lambda: set_value(text, ("a",), {"x": "y"}),
        lambda: move(text, (), 0, 1),
        lambda: remove(text, (0, 0)),
        lambda: remove(text, ("a", "b")),
    ):
        try:
            made = edit()
        except UsageError:
            continue
        assert isinstance(read(made), dict | list)


def test_a_file_that_cannot_be_read_is_not_edited() -> None:
    with pytest.raises(InputError):
        set_value("a: [1\n", ("a",), "2")
    with pytest.raises(UsageError, match="changed elsewhere"):
        remove("a: 1\n", ("b", 3))


# Files of people: names, texts, blocks, brackets; with comments and blank lines wherever they may stand.
WORDS = st.sampled_from(
    [*("fog", "rain, snow", "8", "no", "", "it's: #1", '"quoted"', "- dash", "é ü"), "a\nb\n", "one\n\n  two\n", "x\n"]
)
KEYS = st.sampled_from(["title", "where", "people", "notes", "odds"])
DATA = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    max_leaves=12,
)
FILES = st.dictionaries(KEYS, DATA, min_size=1, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, Any]:
    """A file as people leave it: a comment or a blank line before any line but those of a block text."""
    data = draw(FILES)
    lines, made, inside = block_value(data, 0).lines, list[str](), -1
    for line in lines:
        depth = len(line) - len(line.lstrip(" "))
        inside = inside if inside >= 0 and (depth > inside or not line) else -1
        if inside < 0:
            extra = draw(st.sampled_from(["", "", "", "blank", "comment", "deep", "end"]))
            made += {"blank": [""], "comment": [f"{' ' * depth}# why"], "deep": [f"{' ' * depth}   # so"]}.get(
                extra, []
            )
            inside = depth if line.rstrip().endswith(("|", "|-")) else -1
            made.append(f"{line}  # end" if extra == "end" and line[-1:] not in '|-:"' else line)
        else:
            made.append(line)
    text = draw(st.sampled_from(["\n", "\r\n"])).join([*made, ""])
    try:
        assume(read(text) == data)
    except InputError:
        assume(False)
    return text, data


def paths(data: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path for key, value in children for path in ((*above, key), *paths(value, (*above, key)))]


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def comments(text: str) -> list[str]:
    return sorted(line.strip() for line in text.splitlines() if line.strip() in ("# why", "# so"))


class TestAnyFile:
    """What is proved for any file that sheetgen's own hand, or a person's, may have left."""

    @given(texts(), st.data(), WORDS)
    def test_a_text_is_set(self, file: tuple[str, Any], data: st.DataObject, value: str) -> None:
        text, before = file
        leaves = [each for each in paths(before) if isinstance(at(before, each), str)]
        path = data.draw(st.sampled_from(leaves or [("new",)]))
        made = set_value(text, path, value)
        expected = deepcopy(before)
        at(expected, path[:-1])[path[-1]] = value
        assert read(made) == expected
        assert comments(made) == comments(text)
        assert (
            len(changed_lines(text, made)[0]) <= len(str(at(before, path)).splitlines() if path != ("new",) else "") + 1
        )

    @given(texts(), st.data())
    def test_something_is_removed(self, file: tuple[str, Any], data: st.DataObject) -> None:
        text, before = file
        path = data.draw(st.sampled_from(paths(before)))
        try:
            made = remove(text, path)
        except UsageError:  # told, and left to the editor of the text
            return
        expected = deepcopy(before)
        del at(expected, path[:-1])[path[-1]]
        assert read(made) == expected
        assert len(set(made.splitlines()) - set(text.splitlines())) <= 1  # the line of what is empty now, or begins

    @given(texts(), st.data())
    def test_an_entry_moves_and_no_line_is_lost(self, file: tuple[str, Any], data: st.DataObject) -> None:
        text, before = file
        lists = [path for path in paths(before) if isinstance(at(before, path), list) and len(at(before, path)) > 1]
        assume(lists)
        path = data.draw(st.sampled_from(lists))
        last = len(at(before, path)) - 1
        index, to = data.draw(st.integers(0, last)), data.draw(st.integers(0, last))
        try:
            made = move(text, path, index, to)
        except UsageError:  # told, and left to the editor of the text
            return
        expected = deepcopy(before)
        at(expected, path).insert(to, at(expected, path).pop(index))
        assert read(made) == expected
        if "[" not in text:
            assert sorted(made.splitlines()) == sorted(text.splitlines())
