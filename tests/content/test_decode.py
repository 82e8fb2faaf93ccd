"""Nodes to values: what each reader takes, and the line that tells what it does not take."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.content.yaml.containers import Later, ListOf, Then, fields, mapping_entries
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, parse
from sheetgen.content.yaml.scalars import DecimalNumber, FreeText, WholeNumber, YesNo, choice
from sheetgen.errors import InputError, Place, among

SKILLS = ("Sword", "Shield", "Speech")


def text(node: Node, problems: Problems, *, what: str = "text", **limits: Any) -> str:
    return FreeText(**limits).read(node, Scope(problems), what)


def number(node: Node, problems: Problems, *, what: str, **limits: Any) -> int:
    return WholeNumber(**limits).read(node, Scope(problems), what)


def decimal(node: Node, problems: Problems, *, what: str, **limits: Any) -> Decimal:
    return DecimalNumber(**limits).read(node, Scope(problems), what)


def switch(node: Node, problems: Problems, *, what: str) -> bool:
    return YesNo().read(node, Scope(problems), what)


def items(node: Node, problems: Problems, read: Callable[[Node], Any], *, what: str) -> tuple[Any, ...]:
    return ListOf(Then(Later(FreeText()), lambda _, item, scope: read(item))).read(node, Scope(problems), what)


def read(source: str, reader: Callable[..., Any], *rest: Any, **options: Any) -> tuple[Any, list[str]]:
    """What a reader makes of the value of a file's only key, or of the whole file where there is none; its problems."""
    node = parse(source.encode(), "x.yaml")
    if source.startswith("v: ") and isinstance(node, Mapping):
        node = node.entries[0][1]
    problems = Problems()
    collector = Scope(problems) if reader in (fields, mapping_entries) else problems
    value = reader(node, collector, *rest, **options)
    return value, [str(problem) for problem in problems.found]


@pytest.mark.parametrize(
    "written",
    ["NO", "no", "yes", "off", "1.10", "12:30", "1:30:45", "010", "2024-13-40", "A", "1e3", "3d6", "1/2", "−5"],
)
def test_text_is_kept_as_written(written: str) -> None:
    assert read(f"v: {written}", text) == (written, [])


def test_text_may_have_lines_and_tabs_and_any_script() -> None:
    assert read('v: "one\\ttwo\\nשמש 😀 👩‍👧 กำ"', text) == ("one\ttwo\nשמש 😀 👩‍👧 กำ", [])
    assert read('v: "one\\r\\ntwo\\rthree"', text) == ("one\ntwo\nthree", [])


def test_the_same_name_composed_and_decomposed_is_one_name() -> None:
    assert read("v: Rene\u0301e", text) == read("v: Ren\u00e9e", text) == ("Ren\u00e9e", [])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("v: ~", "name has no value (write a text)"),
        ("v: null", "name has no value (write a text)"),
        ("v: ''", "name is empty (write a text)"),
        ("v: '  '", "name holds nothing but spaces (write a text)"),
        ('v: "\u00a0"', "name holds nothing but spaces (write a text)"),
        ("v: [a, b]", "name is a list, not a text (write a text)"),
        ("v: {a: b}", "name is a mapping, not a text (write a text)"),
        (f"v: {'W' * 2001}", "name is 2,001 characters long (shorten it to 2,000)"),
        ("v: evil\u202elive", "name holds the text-direction character U+202E (delete it)"),
        ('v: "\\u2066x"', "name holds the text-direction character U+2066 (delete it)"),
        ('v: "a\\0b"', "name holds the control character U+0000 (delete it)"),
        ('v: "a\\u2028b"', "name holds the control character U+2028 (delete it)"),
        (f"v: Z{chr(0x335) * 9}", "name piles more than 8 accents on one letter (delete some)"),
    ],
)
def test_text_that_cannot_be_printed_as_it_reads_is_refused(source: str, message: str) -> None:
    assert read(source, text, what="name") == ("", [f"x.yaml:1:4: {message}"])


@pytest.mark.parametrize("source", ["v: ~", "v: ", "v: ''"])
def test_text_may_be_absent_where_that_is_allowed(source: str) -> None:
    assert read(source, text, empty=True) == ("", [])


def test_eight_accents_on_each_letter_are_enough_for_any_language() -> None:
    assert read(f"v: {'Z' + chr(0x335) * 8}{'Z' + chr(0x335) * 8}", text)[1] == []


@pytest.mark.parametrize(
    ("written", "value"), [("0", 0), ("7", 7), ("-7", -7), ("+2", 2), ("99", 99), ("-0", 0), ("-99", -99)]
)
def test_number_takes_plain_whole_numbers(written: str, value: int) -> None:
    assert read(f"v: {written}", number, what="level", low=-99, high=99) == (value, [])


WHOLE = "a whole number from 1 to 999"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("010", 'hp is "010", not a plain whole number (write 10, or 8 if octal was meant)'),
        ("08", 'hp is "08", not a plain whole number (write 8)'),
        ("00", f'hp is "00", not a plain whole number (write {WHOLE})'),
        ("0x400", f'hp is "0x400", not a plain whole number (write {WHOLE})'),
        ("01747", 'hp is "01747", not a plain whole number (write 999 if octal was meant)'),
        ("999.5", 'hp is "999.5", not a plain whole number (write 999)'),
        ("'1000'", f'hp is "1000" in quotes, not a plain whole number (write {WHOLE})'),
        ("0x1F", 'hp is "0x1F", not a plain whole number (write 31)'),
        ("0b11", 'hp is "0b11", not a plain whole number (write 3)'),
        ("0o10", 'hp is "0o10", not a plain whole number (write 8)'),
        ("1_000", f'hp is "1_000", not a plain whole number (write {WHOLE})'),
        ("1e2", 'hp is "1e2", not a plain whole number (write 100)'),
        ("1e3", f'hp is "1e3", not a plain whole number (write {WHOLE})'),
        ("5.5", 'hp is "5.5", not a plain whole number (write 5 or 6)'),
        ("5.0", 'hp is "5.0", not a plain whole number (write 5)'),
        ("'5'", 'hp is "5" in quotes, not a plain whole number (write 5 without quotes)'),
        ("' 5 '", 'hp is " 5 " in quotes, not a plain whole number (write 5 without quotes)'),
        ("５１", 'hp is "５１", not a plain whole number (write 51)'),  # noqa: RUF001
        ("−5", f'hp is "−5", not a plain whole number (write {WHOLE})'),
        ("true", f'hp is "true", not a plain whole number (write {WHOLE})'),
        ("12:30", f'hp is "12:30", not a plain whole number (write {WHOLE})'),
        ("3d6", f'hp is "3d6", not a plain whole number (write {WHOLE})'),
        ("A", f'hp is "A", not a plain whole number (write {WHOLE})'),
        ("NaN", f'hp is "NaN", not a plain whole number (write {WHOLE})'),
        ("Infinity", f'hp is "Infinity", not a plain whole number (write {WHOLE})'),
        ("1e999", f'hp is "1e999", not a plain whole number (write {WHOLE})'),
        ("1e99", f'hp is "1e99", not a plain whole number (write {WHOLE})'),
        ("~", f"hp has no value (write {WHOLE})"),
        ("[5]", f"hp is a list, not a plain whole number (write {WHOLE})"),
        ("0", f"hp is 0 (write {WHOLE})"),
        ("-3", f"hp is -3 (write {WHOLE})"),
        ("1000", f"hp is 1000 (write {WHOLE})"),
        ("1" + "0" * 30, f"hp is 1{'0' * 30} (write {WHOLE})"),
        ("9" * 5000, f"hp is a number of 5,000 digits (write {WHOLE})"),
    ],
)
def test_number_guesses_nothing_and_says_what_to_write(written: str, message: str) -> None:
    value, told = read(f"v: {written}", number, what="hp", low=1, high=999)
    assert told == [f"x.yaml:1:4: {message}"]
    assert 1 <= value <= 999


@pytest.mark.parametrize(
    ("written", "plain"), [("1_000", "1000"), ("1,000", "1000"), ("1 000 000", "1000000"), ("−5", "-5"), ("00", "0")]
)
def test_a_number_is_proposed_where_it_is_allowed(written: str, plain: str) -> None:
    _, told = read(f"v: {written}", number, what="hp", low=-99, high=2_000_000)
    assert told == [f'x.yaml:1:4: hp is "{written}", not a plain whole number (write {plain})']


@pytest.mark.parametrize(("written", "value"), [("0.3", "0.3"), ("5", "5"), ("1.10", "1.10"), ("-2.5", "-2.5")])
def test_decimal_is_exact(written: str, value: str) -> None:
    found, told = read(f"v: {written}", decimal, what="kg", low=-5, high=5)
    assert (str(found), told) == (value, [])


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("1,5", 'kg is "1,5", not a plain number (write 1.5)'),
        (".5", 'kg is ".5", not a plain number (write 0.5)'),
        ("5.", 'kg is "5.", not a plain number (write 5)'),
        ("1e-3", 'kg is "1e-3", not a plain number (write 0.001)'),
        ("'0.5'", 'kg is "0.5" in quotes, not a plain number (write 0.5 without quotes)'),
        ("nan", 'kg is "nan", not a plain number (write a number from 0 to 9.5)'),
        (".inf", 'kg is ".inf", not a plain number (write a number from 0 to 9.5)'),
        (".", 'kg is ".", not a plain number (write a number from 0 to 9.5)'),
        ("1e999999999", 'kg is "1e999999999", not a plain number (write a number from 0 to 9.5)'),
        ("9.51", "kg is 9.51 (write a number from 0 to 9.5)"),
        ("0." + "1" * 5000, "kg is a number of 5,002 digits (write a number from 0 to 9.5)"),
    ],
)
def test_decimal_guesses_nothing_and_says_what_to_write(written: str, message: str) -> None:
    value, told = read(f"v: {written}", decimal, what="kg", low=0, high=Decimal("9.5"))
    assert told == [f"x.yaml:1:4: {message}"]
    assert 0 <= value <= Decimal("9.5")


@pytest.mark.parametrize("written", ["yes", "Yes", "true", "TRUE", "on"])
def test_switch_on(written: str) -> None:
    assert read(f"v: {written}", switch, what="thrown") == (True, [])


@pytest.mark.parametrize("written", ["no", "NO", "false", "off"])
def test_switch_off(written: str) -> None:
    assert read(f"v: {written}", switch, what="thrown") == (False, [])


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("y", 'thrown is "y", not yes or no (write yes or no)'),
        ("1", 'thrown is "1", not yes or no (write yes or no)'),
        ("'yes'", 'thrown is "yes" in quotes, not yes or no (write yes without quotes)'),
        ("", "thrown has no value (write yes or no)"),
        ("[yes]", "thrown is a list, not yes or no (write yes or no)"),
    ],
)
def test_switch_refuses_the_rest(written: str, message: str) -> None:
    assert read(f"v: {written}", switch, what="thrown")[1] == [f"x.yaml:1:{4 if written else 3}: {message}"]


def test_choice_is_letter_by_letter_but_for_the_way_accents_are_made() -> None:
    assert read("v: Sword", choice, SKILLS, what="skill") == ("Sword", [])
    assert read("v: Rene\u0301e", choice, ["Ren\u00e9e"], what="name") == ("Ren\u00e9e", [])
    assert read("v: Speech", choice, iter(SKILLS), what="skill") == ("Speech", [])


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Sord", 'unknown skill "Sord" (did you mean "Sword"?)'),
        ("sword", 'unknown skill "sword" (did you mean "Sword"?)'),
        ("Cooking", 'unknown skill "Cooking" (one of: Sword, Shield, Speech)'),
        ("~", "skill has no value (write one of: Sword, Shield, Speech)"),
        ("[Sword]", "skill is a list, not a name (write one of: Sword, Shield, Speech)"),
    ],
)
def test_choice_names_the_nearest_or_all(written: str, message: str) -> None:
    assert read(f"v: {written}", choice, SKILLS, what="skill") == ("Sword", [f"x.yaml:1:4: {message}"])


def test_choice_does_not_list_what_is_long() -> None:
    told = read("v: [x]", choice, [str(n) for n in range(99)], what="level")[1]
    assert told == ["x.yaml:1:4: level is a list, not a name (write one)"]


def test_choice_takes_no_time_over_a_megabyte_of_text() -> None:
    told = read(f"v: {'Sword' * 200_000}", choice, SKILLS, what="skill")[1]
    assert len(told) == 1
    assert len(told[0]) < 200


def test_items_reads_each_entry_and_goes_on_after_a_bad_one() -> None:
    def level(node: Node) -> int:
        return number(node, problems, what="level", low=1, high=9)

    problems = Problems()
    found = items(parse(b"[1, x, 3, 40]", "x.yaml"), problems, level, what="levels")
    assert found == (1, 1, 3, 9)
    assert [problem.place.column for problem in problems.found] == [5, 11]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Sword", 'skills is "Sword", not a list (write one "- " line for each, or [a, b])'),
        ("{Sword: 1}", 'skills is a mapping, not a list (write one "- " line for each, or [a, b])'),
        ("~", 'skills has no value (write one "- " line for each, or [a, b])'),
        (f"[{'a,' * 10_001}]", "skills has 10,001 entries (leave 10,000 at most)"),
    ],
)
def test_items_wants_a_list_of_limited_length(written: str, message: str) -> None:
    assert read(f"v: {written}", items, lambda node: node, what="skills") == ((), [f"x.yaml:1:4: {message}"])


def test_an_empty_list_and_an_empty_mapping_are_fine() -> None:
    assert read("v: []", items, lambda node: node, what="skills") == ((), [])
    assert read("v: {}", mapping_entries, what="core", most=9) == ({}, [])


def test_mapping_entries_keeps_the_order_of_the_file() -> None:
    found, told = read("Sword: a\nShield: b\nno: c\nnull: d\n", mapping_entries, what="core", most=9)
    texts = {name: (key.text, node.text) for name, (key, node) in found.items()}
    assert texts == {"Sword": ("Sword", "a"), "Shield": ("Shield", "b"), "no": ("no", "c"), "null": ("null", "d")}
    assert list(found) == ["Sword", "Shield", "no", "null"]
    assert told == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("cost: 1\ncost: 2\n", '2:1: key "cost" stands twice in core, first at x.yaml:1:1 (keep one)'),
        ("é: 1\ne\u0301: 2\n", '2:1: key "é" stands twice in core, first at x.yaml:1:1 (keep one)'),
        ("'': 1\na: 2\n", "1:1: key in core is empty (write a text)"),
        ('"a\\nb": 1\n', "1:1: key in core has a line break (write it on one line)"),
        ("a\u202eb: 1\n", "1:1: key in core holds the text-direction character U+202E (delete it)"),
        ("[a]", '1:1: core is a list, not a mapping (write "name: value" lines)'),
        ("x", '1:1: core is "x", not a mapping (write "name: value" lines)'),
        ("~", '1:1: core has no value (write "name: value" lines)'),
    ],
)
def test_mapping_entries_wants_each_name_once(source: str, message: str) -> None:
    assert read(source, mapping_entries, what="core", most=9)[1] == [f"x.yaml:{message}"]


def test_mapping_entries_has_a_limit() -> None:
    source = "".join(f"k{n}: 1\n" for n in range(5))
    assert read(source, mapping_entries, what="core", most=4) == (
        {},
        ["x.yaml:1:1: core has 5 entries (leave 4 at most)"],
    )


def weapon(source: str) -> tuple[dict[str, Node], list[str]]:
    return read(source, fields, what="weapon", needs=("skill", "damage"), may=("kg",))  # type: ignore[return-value]


def test_fields_gives_the_nodes_that_are_there() -> None:
    found, told = weapon("kg: 1\nskill: Melee\ndamage: 1d6\n")
    assert list(found) == ["kg", "skill", "damage"]
    assert isinstance(found["kg"], Scalar)
    assert found["kg"].place == Place("x.yaml", 1, 5)
    assert told == []


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("skill: Melee\ndammage: 1d6\n", ['2:1: unknown key "dammage" in weapon (did you mean "damage"?)']),
        (
            "skill: Melee\ndamage: 1d6\nzzz: 1\n",
            ['3:1: unknown key "zzz" in weapon (known: skill, damage, kg)'],
        ),
        (
            "{skill: hit, and hard, damage: 1d6}\n",
            ['1:14: the comma before "and hard" ends skill (put a text with a comma in quotes)'],
        ),
        ("# a weapon\nskill: Melee\n", ['2:1: weapon lacks "damage" (add a line "damage: ...")']),
        (
            "skill: Melee\ndamage: 1d6\nskill: Fire\n",
            ['3:1: key "skill" stands twice in weapon, first at x.yaml:1:1 (keep one)'],
        ),
        (
            "- skill: Melee\n",
            ['1:1: weapon is a list, not a mapping (write "skill: ..." and "damage: ..." on lines of their own)'],
        ),
        (
            "Melee",
            ['1:1: weapon is "Melee", not a mapping (write "skill: ..." and "damage: ..." on lines of their own)'],
        ),
        ("~", ['1:1: weapon has no value (write "skill: ..." and "damage: ..." on lines of their own)']),
    ],
)
def test_fields_wants_known_keys_once_and_all_that_are_needed(source: str, messages: list[str]) -> None:
    assert weapon(source)[1] == [f"x.yaml:{message}" for message in messages]


def test_ten_errors_in_one_file_are_ten_lines_in_the_order_of_the_file() -> None:
    problems = Problems()
    node = parse("\n".join(f"bad{n}: 1" for n in range(25)).encode(), "x.yaml")
    fields(node, Scope(problems), what="weapon", may=("skill",))
    with pytest.raises(InputError) as caught:
        problems.raise_if_any()
    lines = str(caught.value).split("\n")
    assert lines[0] == 'x.yaml:1:1: unknown key "bad0" in weapon (known: skill)'
    assert lines[19].startswith("x.yaml:20:1: ")
    assert lines[20:] == ["and 5 more"]


def test_problems_raise_only_if_there_are_any() -> None:
    problems = Problems()
    problems.raise_if_any()
    problems.add(Place("x.yaml", 2), "no such rule", "GAM-101")
    assert [str(problem) for problem in problems.found] == ["x.yaml:2: no such rule [GAM-101]"]


def test_json_numbers_words_and_null_are_read_like_yaml() -> None:
    node = parse(b'{"level": 3, "thrown": true, "name": "Ines", "kg": 0.25, "note": null}', "x.json")
    problems = Problems()
    found = fields(node, Scope(problems), what="item", needs=("level", "thrown", "name", "kg", "note"))
    assert number(found["level"], problems, what="level", low=1, high=9) == 3
    assert switch(found["thrown"], problems, what="thrown") is True
    assert text(found["name"], problems) == "Ines"
    assert decimal(found["kg"], problems, what="kg", low=0, high=1) == Decimal("0.25")
    assert text(found["note"], problems, empty=True) == ""
    assert problems.found == ()


readers: list[Callable[[Node, Problems], object]] = [
    text,
    lambda node, problems: number(node, problems, what="n", low=-9, high=9),
    lambda node, problems: decimal(node, problems, what="n", low=-9, high=9),
    lambda node, problems: switch(node, problems, what="n"),
    lambda node, problems: choice(node, problems, SKILLS, what="n"),
    lambda node, problems: items(node, problems, lambda item: item, what="n"),
    lambda node, problems: mapping_entries(node, Scope(problems), what="n", most=9),
    lambda node, problems: fields(node, Scope(problems), what="n", needs=("a",)),
]
kinds = [str, int, Decimal, bool, str, tuple, dict, dict]
numberlike = st.text(st.sampled_from("0123456789+-−_.,eExXoObB' ５½²"), max_size=50)


@given(st.text(max_size=30) | numberlike, st.booleans(), st.sampled_from(list(zip(readers, kinds, strict=True))))
def test_any_scalar_gives_a_value_of_the_right_type_and_at_most_one_problem(
    written: str, is_quoted: bool, reader: tuple[Callable[[Node, Problems], object], type]
) -> None:
    problems = Problems()
    value = reader[0](Scalar(written, Place("x.yaml", 1, 1), is_quoted), problems)
    assert type(value) is reader[1]
    assert len(problems.found) <= 1
    assert all("\n" not in str(problem) for problem in problems.found)


@given(st.integers(-(10**30), 10**30))
def test_every_number_in_range_is_read_and_every_other_refused(value: int) -> None:
    problems = Problems()
    node = Scalar(str(value), Place("x.yaml", 1, 1), False)
    found = number(node, problems, what="n", low=-1000, high=10**20)
    assert (found == value) == (not problems.found) == (-1000 <= value <= 10**20)


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("Sord", ["Bow", "Sword"], ' (did you mean "Sword"?)'),
        ("xyz", ["Bow", "Sword"], " (there are Bow, Sword)"),
        ("xyz", [], " (there are none)"),
        ("xyz", [f"n{at}" for at in range(14)], f" (there are {', '.join(f'n{at}' for at in range(12))} and 2 more)"),
    ],
)
def test_whoever_names_what_is_not_there_is_told_what_is(word: str, known: list[str], said: str) -> None:
    assert among(word, known) == said
