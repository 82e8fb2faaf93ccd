"""Templates: plain data, always escaped, never silent about a typo, and nothing out of the pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.documents.render import LARGEST_TEMPLATE, environment, render
from sheetgen.errors import InputError

HERO = {"hero": {"hp": 7, "name": "<b>Bob</b> & Co"}}


def rendered(folder: Path, text: str) -> str:
    """What a template of this text makes of the hero."""
    (folder / "t.html").write_text(text)
    return render(environment([folder], lambda path: path.name), "t.html", HERO)


def refusal(folder: Path, text: str) -> str:
    """The line that a template of this text gets."""
    with pytest.raises(InputError) as caught:
        rendered(folder, text)
    return str(caught.value)


def test_values_are_printed_literally(tmp_path: Path) -> None:
    assert rendered(tmp_path, "{{ hero.name }}") == "&lt;b&gt;Bob&lt;/b&gt; &amp; Co"


@pytest.mark.parametrize(
    ("cell", "html"),
    [
        ("**Mark** the *Turn*.", "<b>Mark</b> the <em>Turn</em>."),
        ("2*3*4 and ** so", "2*3*4 and ** so"),
        ("**<i>x</i>** & y", "<b>&lt;i&gt;x&lt;/i&gt;</b> &amp; y"),
    ],
)
def test_cells_of_tables_have_bold_and_slanted_words_and_no_other_markup(tmp_path: Path, cell: str, html: str) -> None:
    (tmp_path / "t.html").write_text("{{ cell | emphasised | safe }}")
    assert render(environment([tmp_path], lambda path: path.name), "t.html", {"cell": cell}) == html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("line one\n{{ hero.hpp }}", "t.html:2: hpp: no such value (did you mean hp?)"),
        ("{{ heroo }}", "t.html:1: heroo: no such value (did you mean hero?)"),
        ("a\nb\n{% for x in hero %}", "t.html:3: Unexpected end of template"),
        ("{{ hero.hp | shout }}", "t.html:1: No filter named 'shout'."),
        ("{% include '/etc/passwd' %}", "t.html:1: template /etc/passwd not found in the pack"),
        ("a\n{% include '../x' %}", "t.html:2: template ../x not found in the pack"),
        ("{{ ''.__class__.__mro__ }}", "t.html:1: access to attribute '__class__'"),
        ("{{ hero | attr('__class__') }}", "t.html:1: access to attribute '__class__'"),
        ("{{ '{0.__class__}'.format(hero) }}", "t.html:1: access to attribute '__class__'"),
        ("{{ lipsum() }}", "t.html:1: lipsum: no such value"),
        ("{{ range(99999) }}", "t.html:1: range: no such value"),
        ("{{ 'A' * 1000000000 }}", "t.html:1: text repeated too often"),
        ("{{ 10 ** 3000000 }}", "t.html:1: ** is not allowed in templates"),
        ("{{ '%2000000000d' % 1 }}", "t.html:1: % is not allowed in templates"),
        ("{{ hero.update({'hp': 1}) }}", "t.html:1: access to attribute 'update'"),
        ("{{ hero.hp / 0 }}", "t.html:1: divides by zero"),
        ("{{ 'hp ' + 1 }}", "t.html:1: a text and a number are added or compared (`~` joins texts"),
    ],
)
def test_a_bad_template_is_told_off_by_name_and_line(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in refusal(tmp_path, text)


@pytest.mark.parametrize("text", ["{{ hero.items }}", "{{ ['a']|map('upper') }}", "{{ [hero.items] }}"])
def test_nothing_is_printed_that_differs_with_each_run(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text).startswith("t.html:1: cannot be printed: a method needs brackets behind it")


def test_a_template_has_a_most(tmp_path: Path) -> None:
    assert rendered(tmp_path, "a" * LARGEST_TEMPLATE) == "a" * LARGEST_TEMPLATE
    assert refusal(tmp_path, "a" * (LARGEST_TEMPLATE + 1)) == (
        "t.html: has 1,048,577 bytes; the most for a template is 1,048,576"
    )


def test_a_page_has_a_most(tmp_path: Path) -> None:
    text = "{% for n in numbers %}{{ 'a' * 10000 }}{% endfor %}"
    (tmp_path / "t.html").write_text(text)
    jinja = environment([tmp_path], lambda path: path.name)
    assert len(render(jinja, "t.html", {"numbers": range(524)})) == 5_240_000
    with pytest.raises(InputError, match=r"t\.html: makes a page of 5,250,000 characters; the most is 5,242,880"):
        render(jinja, "t.html", {"numbers": range(525)})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n{% for x in hero %}" * 25 + "{% endfor %}" * 25, 26),
        ("{{ ((hero)) }}\n\n{{" + "(" * 3000 + "1" + ")" * 3000 + "}}\n{{ (hero) }}", 3),
    ],
)
def test_too_deep_a_nest_is_told_at_its_line(tmp_path: Path, text: str, line: int) -> None:
    assert refusal(tmp_path, text) == f"t.html:{line}: nested too deeply"


def test_a_link_out_of_the_templates_is_not_there(tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    inside = tmp_path / "templates"
    inside.mkdir()
    (inside / "x.html").symlink_to(secret)
    assert "x.html not found in the pack" in refusal(inside, "{% include 'x.html' %}")


def test_a_pack_may_put_its_own_template_first(tmp_path: Path) -> None:
    for name, text in (("shared", "shared"), ("own", "own")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.html").write_text(text)
    folders = [tmp_path / "own", tmp_path / "shared"]
    assert render(environment(folders, str), "t.html", {}) == "own"
