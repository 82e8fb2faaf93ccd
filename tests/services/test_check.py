"""What `check` says of the pages of a stranger's pack: what will be refused, and what is unwise."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.errors import InputError
from sheetgen.services.check import check
from sheetgen.workspace.project import Project

SHEET = (
    "<!DOCTYPE html><html lang=en><head><title>x</title></head><body><p>{}<input name=name title=Name></body></html>"
)
BOOK = """
    title: The roll
    opening: How anything is tried.
    rules:
      attempt:
        title: Trying
        text: |
          Roll the dice.
          {}
"""


@pytest.fixture
def pack(project: Project) -> Path:
    """A small game with a sheet, and a rule to be written."""
    folder = project.where / "mist"
    for name, text in {
        "system.yaml": "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: as you like it\n"
        "traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n",
        "creation.yaml": "steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\n"
        "methods: {random: {steps: [virtues]}}\n",
        "sheet.yaml": "character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}",
        "templates/sheet.html": SHEET.format(""),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def write_rule(pack: Path, text: str) -> None:
    """Writes a chapter whose rule says this in its eighth line."""
    (pack / "rules").mkdir(exist_ok=True)
    (pack / "rules" / "01-the-roll.yaml").write_text(dedent(BOOK).lstrip().format(text))


def warnings(project: Project) -> list[str]:
    return [str(problem) for problem in check(project, "./mist").warnings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![a dragon](http://127.0.0.1:9/x.png)", 'cannot use "http://127.0.0.1:9/x.png": only files inside the pack'),
        ("![a dragon](../system.yaml)", 'cannot use "../system.yaml": only files inside the pack'),
        ("![a dragon](none.png)", 'cannot use "none.png": no such file'),
        ("![a dragon][d]\n\n      [d]: none.png", "no such file"),
        ("[read](other.html)", 'a link may lead to a web page or a mail address, not to "other.html"'),
        ("[read](ftp://127.0.0.1/x)", "a link may lead to a web page or a mail address"),
        ("say 語 twice", "no bundled font has “語” (U+8A9E CJK UNIFIED IDEOGRAPH-8A9E)"),
    ],
)
def test_what_rule_text_may_not_do_is_told_at_its_line(project: Project, pack: Path, text: str, expected: str) -> None:
    write_rule(pack, text)
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    (said,) = str(caught.value).splitlines()
    assert said.startswith("mist/rules/01-the-roll.yaml:8:")
    assert expected in said


def test_rule_text_with_links_to_the_web_is_in_order(project: Project, pack: Path) -> None:
    write_rule(pack, "[read](https://example.org/), <mailto:a@example.org>, Łódź")
    assert warnings(project) == []


def test_a_picture_of_rule_text_is_told_to_have_no_place_on_a_web_page(project: Project, pack: Path) -> None:
    (pack / "templates" / "mark.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    write_rule(pack, "![a mark](mark.svg)")
    (said,) = warnings(project)
    assert 'the book as a web page is refused: the picture "mark.svg" is a file' in said
    assert said.startswith("mist/rules/01-the-roll.yaml:8:")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ game.title|safe }}", "mist/templates/sheet.html:1: |safe lets values become markup (leave it out)"),
        (
            "{% autoescape false %}{% endautoescape %}",
            "mist/templates/sheet.html:1: autoescape lets values become markup",
        ),
        ("{% include 'part.html' %}", "mist/templates/part.html:2: |safe lets values become markup"),
        ("<img src='dot.svg'>", 'as a web page: src="dot.svg" would be fetched: only data: is allowed'),
    ],
)
def test_unwise_templates_are_warned_of(project: Project, pack: Path, text: str, expected: str) -> None:
    (pack / "templates" / "sheet.html").write_text(SHEET.format(text))
    (pack / "templates" / "dot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    if "include" in text:
        (pack / "templates" / "part.html").write_text("\n{{ game.title|safe }}")
    assert any(expected in said for said in warnings(project))


def test_templates_in_order_are_not_warned_of(project: Project, pack: Path) -> None:
    assert warnings(project) == []
