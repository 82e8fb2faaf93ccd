"""Declared records: what keys take, what stands for absent ones, and what a declaration tells an editor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from sheetgen.content.yaml.containers import Either, Entries, Key, ListOf, MapOf, OneOrMore, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Scope
from sheetgen.content.yaml.nodes import parse
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, OneLine, WholeNumber


@dataclass(frozen=True)
class Boat:
    """A boat by its name."""

    name: str
    crew: int
    kind: str = "punt"
    cargo: tuple[str, ...] = ()


def one_of_each(entries: Entries) -> None:
    cargo = entries.values["cargo"]
    if len(set(cargo)) < len(cargo):
        entries.add(f"{entries.what} carries something twice", at="cargo")


BOAT = RecordOf(
    "boat {key}",
    Boat,
    Key("crew", WholeNumber(1, 9), "how many it takes"),
    Key("is", ChoiceOf(("punt", "barge")), "what it is", "punt", to="kind"),
    Key("cargo", OneOrMore(OneLine(20)), "what it carries", ()),
    check=one_of_each,
    key="name",
)
BOATS = MapOf(BOAT)


def read(takes: Decoder[Any], text: str, **names: Any) -> tuple[Any, list[str]]:
    problems = Problems()
    value = takes.read(parse(text.encode(), "x.yaml"), Scope(problems, names), "the file")
    return value, [str(problem) for problem in problems.found]


def test_a_record_is_made_of_its_keys_and_of_defaults_for_those_that_are_absent() -> None:
    found, wrong = read(BOATS, "Osk: {crew: 2}\nMara: {crew: 9, is: barge, cargo: [salt, wool]}")
    assert wrong == []
    assert found == {"Osk": Boat("Osk", 2), "Mara": Boat("Mara", 9, "barge", ("salt", "wool"))}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Osk: {}", '1:6: boat Osk lacks "crew" (add a line "crew: ...")'),
        ("Osk: {crew: 12}", "1:13: crew is 12 (write a whole number from 1 to 9)"),
        ("Osk: {crew: 1, crago: x}", '1:16: unknown key "crago" in boat Osk (did you mean "cargo"?)'),
        ("Osk: {crew: 1, cargo: [a, a]}", "1:23: boat Osk carries something twice"),
        ('Osk: {crew: 1, cargo: "a\\tb"}', "1:23: cargo holds the control character U+0009, a tab (write a space)"),
        ('Osk: {crew: 1, cargo: "a\\nb"}', "1:23: cargo has a line break (write it on one line)"),
        ('Osk: {crew: 1, cargo: "a\\eb"}', "1:23: cargo holds the control character U+001B (delete it)"),
    ],
)
def test_each_mistake_is_one_line_with_its_place(text: str, line: str) -> None:
    assert read(BOATS, text)[1] == [f"x.yaml:{line}"]


def test_the_same_declaration_is_a_schema_and_words_for_people() -> None:
    definitions = Definitions()
    assert BOATS.schema(definitions)["additionalProperties"] == {"$ref": "#/definitions/boat"}
    boat = definitions.found["boat"]
    assert (boat["required"], boat["additionalProperties"]) == (["crew"], False)
    assert boat["properties"]["crew"] == {
        "description": "how many it takes",
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
    }
    assert [str(key.takes) for key in BOAT.keys] == [
        "whole number, 1 to 9",
        "one of `punt`, `barge`",
        "line of up to 20 characters, or a list of them",
    ]


def test_what_another_file_may_bring_is_not_required() -> None:
    definitions = Definitions(whole=False)
    BOATS.schema(definitions)
    assert "required" not in definitions.found["boat"]


def test_a_name_is_one_that_the_scope_knows_and_may_stand_for_something() -> None:
    assert read(NameOf("boat"), "Osk", boat=("Osk", "Mara")) == ("Osk", [])
    assert read(NameOf("boat", where="boats.yaml"), "Osk", boat={"Osk": 7}) == (7, [])
    assert read(NameOf("boat"), "Maar", boat=("Osk", "Mara"))[1] == [
        'x.yaml:1:1: unknown boat "Maar" (did you mean "Mara"?)'
    ]
    assert read(NameOf("boat", where="boats.yaml"), "Zed", boat={"Osk": 7})[1] == [
        'x.yaml:1:1: unknown boat "Zed"; see boats.yaml'
    ]


def test_names_of_a_kind_that_could_not_be_read_whole_are_no_problem() -> None:
    scope = Scope(Problems(), unsure={"boat"})
    NameOf("boat").read(parse(b"Zed", "x.yaml"), scope, "boat")
    assert scope.problems.found == ()


def test_a_list_of_so_many_entries_says_what_they_are() -> None:
    pair = ListOf(WholeNumber(0, 9), exactly=2, meaning="two lengths: [wide, high]")
    assert read(pair, "[1, 2]") == ((1, 2), [])
    assert read(pair, "[1]")[1] == ["x.yaml:1:1: the file takes two lengths: [wide, high]"]


def test_something_short_may_stand_for_a_record() -> None:
    short = Then(FreeText(), lambda name, node, scope: Boat(name, 1))
    either = Either(short, BOAT)
    assert read(either, "Osk") == (Boat("Osk", 1), [])
    assert read(MapOf(either), "Osk: {crew: 3}")[0] == {"Osk": Boat("Osk", 3)}
