"""What GMs write for their players, read: fields on top of Markdown, or YAML; and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.content.handout_files import HandoutSource, handout_files, read_catalogue, read_handout, title_of
from sheetgen.errors import InputError
from sheetgen.model.handout import Catalogue, Handout

STYLES = Path(__file__).resolve().parents[2] / "templates" / "handout" / "styles.yaml"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return read_catalogue([(STYLES.read_bytes(), "styles.yaml")])


def read(catalogue: Catalogue, text: str, suffix: str = ".md", *, style: str = "") -> Handout:
    return read_handout(HandoutSource(text.encode(), "hook", suffix, f"hook{suffix}"), catalogue, style=style)


def complaints(catalogue: Catalogue, text: str, suffix: str = ".md") -> list[str]:
    with pytest.raises(InputError) as caught:
        read(catalogue, text, suffix)
    return str(caught.value).splitlines()


def test_markdown_has_its_fields_between_two_fences(catalogue: Catalogue) -> None:
    read_one = read(catalogue, "---\nstyle: letter\nlook: noir\nfrom: Ada\ndate:\n---\n\nDear *all*,\n\ncome.\n")
    assert (read_one.style.name, read_one.look, read_one.text) == ("letter", "noir", "Dear *all*,\n\ncome.")
    assert read_one.entries == {"from": "Ada"}, "a field that is left empty is not there"
    assert title_of(read_one) == "Ada"


def test_yaml_has_its_text_in_a_field(catalogue: Catalogue) -> None:
    made = read(catalogue, "style: sign\ntitle: Ale\nitems: {Small: 1, Large: 2}\ntext: |\n  Come in.\n", ".yaml")
    assert made.entries["items"] == (("Small", "1"), ("Large", "2"))
    assert made.text == "Come in."


def test_a_style_fills_in_what_goes_without_saying(catalogue: Catalogue) -> None:
    assert read(catalogue, "style: wanted\nname: Jo\n", ".yaml").entries["headline"] == "Wanted"


def test_a_text_alone_is_of_the_style_that_is_meant(catalogue: Catalogue) -> None:
    made = read(catalogue, "Gone for water.\n", style="note")
    assert (made.style.name, made.text) == ("note", "Gone for water.")


@pytest.mark.parametrize(
    ("text", "suffix", "said"),
    [
        ("---\nstyle: leter\n---\nx", ".md", ['hook.md:2:8: unknown style "leter" (did you mean "letter"?)']),
        (
            "---\nstyle: letter\nfrm: X\nlook: westen\ndate: [1]\n---\nHi\n\n![a](b.png)\n",
            ".md",
            [
                'hook.md:3:1: unknown key "frm" in a letter (did you mean "from"?)',
                'hook.md:4:7: unknown look "westen" (did you mean "western"?)',
                "hook.md:5:7: date is a list, not a text (write a text)",
                "hook.md:9: a picture stands in a field, not in the text (write `picture: FILE`)",
            ],
        ),
        (
            "---\nstyle: note\nfrom: X\n",
            ".md",
            ['hook.md:1:1: the fields that begin with "---" have no end (add a line "---" below them)'],
        ),
        (
            "---\nstyle: note\n---\nab\u202ecd",
            ".md",
            ["hook.md:4:1: text holds the text-direction character U+202E (delete it)"],
        ),
        ("---\nstyle: note\n---\n\n", ".md", ["hook.md:4:1: a note needs a text, and there is none (write it)"]),
        ("style: note\n", ".yaml", ['hook.yaml:1:1: a note lacks "text" (add a line "text: ...")']),
        (
            "style: key\nsymbols: {wel: good}\n",
            ".yaml",
            ['hook.yaml:2:11: unknown symbol "wel" (did you mean "well"?)'],
        ),
        (
            "style: wanted\nname: Jo\npicture: face.gif\n",
            ".yaml",
            ["hook.yaml:3:10: a picture is a file .png, .jpg, .jpeg, .svg, not face.gif"],
        ),
        (
            f"style: ticket\ntitle: Jo\ntext: {'x' * 261}\n",
            ".yaml",
            ["hook.yaml:3:7: text is 261 characters long (shorten it to 260)"],
        ),
        ("style: [letter]\n", ".yaml", ["hook.yaml:1:8: style is a list, not a name (write one)"]),
    ],
)
def test_mistakes_are_told_all_at_once_with_their_places(
    catalogue: Catalogue, text: str, suffix: str, said: list[str]
) -> None:
    assert complaints(catalogue, text, suffix) == said


def test_who_names_no_style_is_told_which_there_are(catalogue: Catalogue) -> None:
    (said,) = complaints(catalogue, "Hello.\n")
    assert said.startswith('hook.md:1:1: which style? (write "style: letter" between two lines --- at the top')
    assert all(name in said for name in catalogue.styles)


def test_every_style_can_be_read_from_its_example(catalogue: Catalogue) -> None:
    assert len(catalogue.styles) >= 10
    for style in catalogue.styles.values():
        assert read(catalogue, style.example).style == style


def test_a_catalogue_says_what_is_wrong_in_it() -> None:
    text = b"styles:\n  card: {say: a card, example: x, needs: {text: line, to: lin}}\n"
    with pytest.raises(InputError) as caught:
        read_catalogue([(text, "styles.yaml")])
    assert str(caught.value).splitlines() == [
        "styles.yaml:2:43: no field of a style can be called text",
        'styles.yaml:2:59: unknown kind of field "lin" (did you mean "line"?)',
    ]


def test_the_files_are_those_of_the_first_folder_that_has_any(tmp_path: Path) -> None:
    for name in ("skin/handouts", "game/handouts"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("b.md", "a.yaml", "face.svg"):
        (tmp_path / "game" / "handouts" / name).write_text("x")
    found = handout_files([tmp_path / "skin", tmp_path / "game"])
    assert [path.name for path in found] == ["a.yaml", "b.md"]
