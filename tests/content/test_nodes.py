"""YAML text to nodes: what is kept, where it stands, and what every unreadable file is told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.content.yaml import encoding, nodes
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence, cut_off_texts, parse
from sheetgen.errors import InputError, Place, Problem

MESSAGES = Path(__file__).with_name("messages.md")


def cases() -> Iterator[object]:
    """The cases of messages.md, each with the line it stands in for its name."""
    lines = MESSAGES.read_text(encoding="utf-8").split("\n")
    dots = [number for number, line in enumerate(lines) if line == "."]
    for first, second, third in zip(dots[::3], dots[1::3], dots[2::3], strict=True):
        source = "\n".join(lines[first + 1 : second]).replace("→", "\t").replace("⍽", "\u00a0")
        title = f"messages.md:{first}: {lines[first - 1]}"
        yield pytest.param(source + "\n", "\n".join(lines[second + 1 : third]), id=title)


def refusal(data: bytes, file: str = "x.yaml") -> str:
    with pytest.raises(InputError) as caught:
        parse(data, file)
    return str(caught.value)


def plain(node: Node) -> object:
    """The node as text, lists and dictionaries."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for key, value in node.entries:
            yield key
            yield from scalars(value)


@pytest.mark.parametrize(("source", "messages"), list(cases()))
def test_unreadable_file_is_told_where_what_and_how_to_mend_it(source: str, messages: str) -> None:
    assert refusal(source.encode()) == messages


DEEP = "nested deeper than 64 (write it flatter)"
MANY = "more than 500,000 values in one file (split it)"
SAVE = "save the file as UTF-8"
NOT_TEXT = "not like a text file (give the file that you edit as text)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"a: 1\nname: Ren\xe9e\n",
            'x.yaml:2:10: byte E9 is not UTF-8, it looks like Latin-1 ("é") '
            "(open the file with its own encoding and save it as UTF-8)",
        ),
        (
            "# é\r\nname: ".encode() + b"\x93Ines\x94",
            'x.yaml:2:7: byte 93 is not UTF-8, it looks like Windows-1252 ("“") '
            "(open the file with its own encoding and save it as UTF-8)",
        ),
        (
            b"a: \x81",
            "x.yaml:1:4: byte 81 is not UTF-8 (open the file with its own encoding and save it as UTF-8)",
        ),
        (
            "name: é".encode()[:-1],
            "x.yaml:1:7: the file breaks off in the middle of a character (fetch it again, or delete the last bytes)",
        ),
        ("name: Ines".encode("utf-16"), f"x.yaml:1:1: this is UTF-16 text ({SAVE})"),
        ("name: Ines".encode("utf-16-le"), f"x.yaml:1:1: this looks like UTF-16 text ({SAVE})"),
        ("name: Ines".encode("utf-16-be"), f"x.yaml:1:1: this looks like UTF-16 text ({SAVE})"),
        ("name: Ines".encode("utf-32"), f"x.yaml:1:1: this is UTF-32 text ({SAVE})"),
        ("name: Ines".encode("utf-32-le"), f"x.yaml:1:1: this looks like UTF-32 text ({SAVE})"),
        ("name: Ines".encode("utf-32-be"), f"x.yaml:1:1: this looks like UTF-32 text ({SAVE})"),
        (b"a: 1\nb: x\0y\n", "x.yaml:2:5: control character U+0000, NUL (delete it)"),
        (b"a: \x1b[0m\n", "x.yaml:1:4: control character U+001B, ESC (delete it)"),
        (b"# \x7f\na: 1\n", "x.yaml:1:3: control character U+007F, DEL (delete it)"),
        (b"a: \x07\n", "x.yaml:1:4: control character U+0007 (delete it)"),
        (
            "a: 1\n\ufeffb: 2\n".encode(),
            "x.yaml:2:1: byte-order mark U+FEFF inside the file, as joining two files leaves behind "
            "(delete it; it is invisible)",
        ),
        (
            "a: x\u2028y\n".encode(),
            "x.yaml:1:5: line separator U+2028 (write an ordinary line break or a space)",
        ),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", f"x.yaml:1:1: this looks like a PNG picture, {NOT_TEXT}"),
        (b"PK\x03\x04\x14\0", f"x.yaml:1:1: this looks like a ZIP archive or an office document, {NOT_TEXT}"),
        (b"%PDF-1.7\n%\xe2\xe3", f"x.yaml:1:1: this looks like a PDF document, {NOT_TEXT}"),
        (b"", "x.yaml: file is empty (it needs at least one value)"),
        (b" \n\r\n", "x.yaml: file is empty (it needs at least one value)"),
        (
            b"a: \x01\x02\nb: \x03",
            "\n".join(
                f"x.yaml:{at}: control character U+000{n} (delete it)" for n, at in ((1, "1:4"), (2, "1:5"), (3, "2:4"))
            ),
        ),
    ],
)
def test_bytes_that_are_no_plain_utf8_text_are_named_with_their_place(data: bytes, message: str) -> None:
    assert refusal(data) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"[" * 100_000, f"x.yaml:1:65: {DEEP}", id="brackets"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, f"x.yaml:1:65: {DEEP}", id="closed"),
        pytest.param(b"- " * 100_000, f"x.yaml:1:129: {DEEP}", id="dashes"),
        pytest.param(b"? " * 100_000, f"x.yaml:1:129: {DEEP}", id="question marks"),
        pytest.param(b"{a: " * 100_000, f"x.yaml:1:257: {DEEP}", id="braces"),
        pytest.param(b"a: 1\n" * 5_000_000, "x.yaml: file of 25.0 MB, 20 MB at most (split it)", id="too large"),
        pytest.param(b"[" + b"a," * 600_000, f"x.yaml:1:1000000: {MANY}", id="many values"),
        pytest.param(b"- &a x\n" * 200_000, "x.yaml:1:3: anchors are not allowed", id="anchors"),
        pytest.param(b"%TAG !a! x\n" * 500_000, "x.yaml:1:1: %TAG line is not needed", id="directives"),
        pytest.param(
            b'a: "' + b"x\n" * 5_000_000,
            "x.yaml:1:4: this quote is never closed",
            id="quote left open for ten megabytes",
        ),
        pytest.param(b"\x01" * 10_000_000, "x.yaml:1:1: control character U+0001", id="control characters"),
    ],
)
def test_hostile_files_are_refused_quickly(data: bytes, message: str) -> None:
    begun = time.process_time()
    told = refusal(data)
    assert time.process_time() - begun < 5
    assert told.startswith(message)
    assert len(told.split("\n")) <= InputError.shown + 1


def test_a_file_of_too_many_values_is_refused_before_any_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "Scalar", None)
    assert refusal(b"- name: A\n" * 260_000) == f"x.yaml:166667:3: {MANY}"


def test_merge_bomb_is_refused_at_its_anchors_and_never_expanded() -> None:
    levels = "\n".join(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}" for n in range(1, 10))
    told = refusal(f"m0: &m0 {{a: 1}}\n{levels}\n".encode()).split("\n")
    assert told[0] == 'x.yaml:1:5: anchors are not allowed (delete "&m0", or put the text in quotes)'
    assert told[-1].startswith("and ")


def test_depth_64_is_still_read() -> None:
    node = parse(b"[" * 64 + b"]" * 64, "x.yaml")
    assert isinstance(node, Sequence)


def test_half_a_million_values_are_still_read() -> None:
    node = parse(b"[" + b"[]," * 499_999 + b"]", "x.yaml")
    assert isinstance(node, Sequence)
    assert len(node.items) == 499_999


def test_a_caller_may_allow_more_and_say_what_to_do_with_even_more() -> None:
    most = encoding.FileLimit(size=3_000_000, values=600_000, advice="print half of it")
    assert isinstance(parse(b"[" + b"a," * 599_999 + b"]", "x.yaml", most=most), Sequence)
    for data, message in (
        (b"[" + b"a," * 600_000 + b"]", "more than 600,000 values in one file (print half of it)"),
        (b"#" * 3_000_001, "file of 3.0 MB, 3 MB at most (print half of it)"),
    ):
        with pytest.raises(InputError) as caught:
            parse(data, "x.yaml", most=most)
        assert str(caught.value).endswith(message)


def test_what_yaml_would_change_is_kept_as_written() -> None:
    misleading = "NO no yes on 1.10 12:30 1:30:45 010 0x1F 1_000 +2 2024-13-40 3d6 1e3"
    written = [*misleading.split(), "9" * 5_000]
    assert plain(parse("\n".join(f"- {text}" for text in written).encode(), "x.yaml")) == written


def test_places_count_lines_and_columns_from_one() -> None:
    node = parse("# a comment\nname: 😀 Ines\ngear: [rope, 'oil lamp']\n".encode(), "x.yaml")
    assert [(scalar.text, scalar.place, scalar.quoted) for scalar in scalars(node)] == [
        ("name", Place("x.yaml", 2, 1), False),
        ("😀 Ines", Place("x.yaml", 2, 7), False),
        ("gear", Place("x.yaml", 3, 1), False),
        ("rope", Place("x.yaml", 3, 8), False),
        ("oil lamp", Place("x.yaml", 3, 14), True),
    ]
    assert node.place == Place("x.yaml", 2, 1)


def test_null_is_absence_only_without_quotes() -> None:
    node = parse(b"[~, null, Null, NULL, '', '~', \"null\", none, nil]\n", "x.yaml")
    assert [scalar.is_null for scalar in scalars(node)] == [True] * 4 + [False] * 5
    empty = parse(b"a:\n", "x.yaml")
    assert isinstance(empty, Mapping)
    assert empty.entries[0][1].is_null
    assert not empty.is_null


def test_block_text_counts_as_quoted() -> None:
    node = parse(b"- |\n  null\n- >-\n  12\n", "x.yaml")
    assert [(scalar.text, scalar.quoted) for scalar in scalars(node)] == [("null\n", True), ("12", True)]


def test_both_of_two_equal_keys_are_kept_for_the_schema_to_report() -> None:
    node = parse(b"cost: 1\ncost: 2\n", "x.yaml")
    assert isinstance(node, Mapping)
    assert [(key.text, key.place.line, plain(value)) for key, value in node.entries] == [
        ("cost", 1, "1"),
        ("cost", 2, "2"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_byte_order_mark_and_kind_of_line_end_change_nothing(start: str, end: str) -> None:
    lines = ["name: Ines", "text: |", "  one", "  two", "cost: 3", ""]
    assert parse((start + end.join(lines)).encode(), "x.yaml") == parse("\n".join(lines).encode(), "x.yaml")


@pytest.mark.parametrize("options", [{"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_json_is_read(options: dict[str, object], ascii_only: bool) -> None:
    value = {"name": "Renée 😀 \\ud83d\\ude00", "skills": ["Speech", 'a/b\n"c"\t\\'], "gear": {}, "notes": []}
    text = json.dumps(value, ensure_ascii=ascii_only, **options)  # type: ignore[arg-type]
    assert plain(parse(text.encode(), "x.json")) == value


def test_a_comma_too_many_or_single_quotes_are_read_as_meant_in_yaml_and_refused_in_json() -> None:
    assert plain(parse(b"{'name': 'Ines', 'skills': ['Speech',],}", "x.yaml")) == {"name": "Ines", "skills": ["Speech"]}
    assert refusal(b'{"name": "\\ud83d\\ude00 Ines", "skills": ["Speech",]}', "x.json") == (
        "x.json:1:50: JSON has no comma before ] (delete it)"
    )


def test_a_file_at_the_size_limit_is_read() -> None:
    data = b"a: 1\n#" + b"-" * (encoding.ORDINARY.size - 6)
    assert plain(parse(data, "x.yaml")) == {"a": "1"}


# Every character that may stand in a file as it is.
letters = st.characters(
    exclude_categories=["Cs"],
    exclude_characters="\x7f\u2028\u2029\ufeff\ufffe\uffff" + "".join(map(chr, range(0x80, 0xA0))),
)
words = st.text(letters, max_size=20)
trees = st.recursive(words, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4))


@given(trees, st.sampled_from([None, 1, 4]), st.booleans())
def test_any_tree_of_text_survives_json(tree: object, indent: int | None, ascii_only: bool) -> None:
    assert plain(parse(json.dumps(tree, indent=indent, ensure_ascii=ascii_only).encode(), "x.json")) == tree


def block_lines(tree: object, indent: str = "") -> Iterator[str]:
    """A tree as block YAML with double quotes, one entry a line."""
    if isinstance(tree, str) or not tree:
        yield indent + json.dumps(tree, ensure_ascii=False)
    elif isinstance(tree, list):
        for item in tree:
            yield indent + "-"
            yield from block_lines(item, indent + "  ")
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield f"{indent}{json.dumps(key, ensure_ascii=False)}:"
            yield from block_lines(item, indent + "  ")


@given(trees)
def test_any_tree_of_text_survives_block_yaml(tree: object) -> None:
    assert plain(parse("\n".join(block_lines(tree)).encode(), "x.yaml")) == tree


@given(trees, st.sampled_from([None, 2]))
def test_every_place_points_at_its_text(tree: object, indent: int | None) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    lines = text.split("\n")
    for scalar in scalars(parse(text.encode(), "x.json")):
        rest = lines[scalar.place.line - 1][scalar.place.column - 1 :]
        assert rest.startswith(json.dumps(scalar.text, ensure_ascii=False))


signs = st.text(st.sampled_from("ab01:-?[]{},#&*!|>'\"%@`\\/<=~. \n\t\r\u00a0\u3000é😀\x00\ufeff\u2028"), max_size=60)
# Words of the grammar; `_` stands for a space, `/` for a line break.
grammar = r"""a:_ -_ / /__ [ ] { } ,_ " ' &a_ *a !t_ <<:_ ?_ ---/ .../ %YAML_1.2/ |/ >-/ \ud83d #_c x null :_"""
pieces = st.lists(st.sampled_from([word.replace("_", " ").replace("/", "\n") for word in grammar.split()]), max_size=25)


def problems_of(data: bytes) -> tuple[Problem, ...]:
    try:
        parse(data, "x.yaml")
    except InputError as error:
        return error.problems
    return ()


@given(st.binary(max_size=80) | signs.map(str.encode) | pieces.map("".join).map(str.encode))
def test_any_bytes_give_nodes_or_problems_that_point_into_the_file(data: bytes) -> None:
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in problems_of(data):
        assert problem.place.line <= len(lines)
        assert problem.place.column <= len(lines[problem.place.line - 1]) + 1
        assert str(problem).isprintable()


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("name: Agent #7", ['x.yaml:1:13: "#7" and what follows is a comment']),
        ("- lucky coin #3\n- b\n", ['x.yaml:1:14: "#3"']),
        ("a: [one #two, b]", ['x.yaml:1:9: "#two"']),
        ("a: zwölf #elf\nb: x  #y", ['x.yaml:1:10: "#elf"', 'x.yaml:2:7: "#y"']),
        ("name: Agent # seven", []),  # as comments are written
        ("name: 'Agent #7'", []),
        ('name: "Agent" #7', []),
        ("name: |\n  Agent #7\n", []),
        ("name: #7\n  Agent", []),
        ("# Agent #7\nname: Agent#7 # or so #8", []),
        ("name: [", []),
    ],
)
def test_text_that_a_comment_cuts_off_is_noted(text: str, notes: list[str]) -> None:
    found = [str(note) for note in cut_off_texts(text.encode(), "x.yaml")]
    assert len(found) == len(notes)
    assert all(line.startswith(start) for line, start in zip(found, notes, strict=True))


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: 1\n---\nb: 2", 2), ("a: 1\n...\nb: 2", 3), ("a: 1\n...\n---\nb: 2", 3), ("a: 1\n... b", 2)],
)
def test_a_second_document_is_told_at_its_line(text: str, line: int) -> None:
    with pytest.raises(InputError, match="a second document begins here") as caught:
        parse(text.encode(), "x.yaml")
    assert [problem.place.line for problem in caught.value.problems] == [line]
