"""Handouts in the studio: a kind and a look are chosen, words are typed and seen, and the folder keeps them."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from sheetgen.content.handout_files import HandoutSource
from sheetgen.pdf.pdfium import page_texts
from sheetgen.products.handouts.forms import example_of, form_fields, read_form_of_handout, values_in, written_handout
from sheetgen.products.handouts.handouts import catalogue_of
from sheetgen.studio.drawing import Drawings
from sheetgen.workspace.project import Project
from tests.conftest import Ran
from tests.studio.conftest import Opened, open_studio

TELEGRAM = {
    "style": "telegram",
    "file": "handouts/telegram.yaml",
    "seen": "",
    "f-look": "noir",
    "f-to": "The Night Editor",
    "f-from": "Marlow: alone",
    "f-text": "Bridge is out.\nCome by boat.",
}


@pytest.fixture
def opened(tmp_path: Path, drawings: Drawings) -> Opened:
    """The studio of an empty folder."""
    made = open_studio(tmp_path)
    made.app.app.state.drawings = drawings  # type: ignore[attr-defined]
    return made


def typed(opened: Opened, **fields: str) -> str:
    """What the page answers while one types."""
    answered = opened.browser.post("/print/handouts/typed", data={**TELEGRAM, **fields}, headers={"hx-request": "true"})
    assert answered.status_code == 200, answered.text
    return answered.text


def saved(opened: Opened, **fields: str) -> str:
    """Where a form that is saved leads to."""
    answered = opened.browser.post("/print/handouts/save", data={**TELEGRAM, **fields}, follow_redirects=False)
    assert answered.status_code == 303, answered.text
    return answered.headers["location"]


def test_every_kind_has_a_form_that_says_its_example(project: Project) -> None:
    catalogue = catalogue_of(project, None)
    for style in catalogue.styles.values():
        values = example_of(style)
        for suffix in (".yaml", ".md"):
            written = written_handout(style, values, suffix)
            handout, problems = read_form_of_handout(written, catalogue, style.name, suffix)
            assert problems == {}
            assert handout is not None
            again = values_in(HandoutSource(written.data.encode(), style.name, suffix, style.name))
            assert written_handout(style, again, suffix).data == written.data


def test_what_a_kind_needs_comes_first_its_text_too(project: Project) -> None:
    letter = next(each for each in catalogue_of(project, None).styles.values() if each.name == "letter")
    fields = form_fields(letter, {}, {})
    assert [each.name for each in fields if each.needed] == ["from", "text"]
    assert [each.needed for each in fields] == sorted((each.needed for each in fields), reverse=True)


def test_all_kinds_are_shown_with_an_example_and_a_new_one_has_its_words(opened: Opened) -> None:
    text = opened.browser.get("/print/handouts").text
    assert text.count('class="thumb"') >= 18
    sample = Image.open(BytesIO(opened.browser.get("/print/handouts/kind/ticket.png").content))
    assert sample.size[0] > sample.size[1]
    new = opened.browser.get("/print/handouts/new?style=wanted&look=western").text
    assert 'value="Pearl Maddox"' in new
    assert '<option value="western"' in new
    assert re.search(r'<img src="/page/[0-9a-f]+-1\.png"', new)


def test_what_is_typed_is_seen_and_kept_as_a_draft_until_it_is_saved(opened: Opened) -> None:
    text = typed(opened)
    address = re.search(r'src="(/page/[0-9a-f]+)-1\.png"', text)
    assert address is not None
    words = " ".join(page_texts(opened.browser.get(f"{address[1]}.pdf").content))
    assert "BRIDGE IS OUT" in words
    assert not (opened.folder / "handouts").exists()
    assert "Not saved yet" in opened.browser.get("/print/handouts").text
    edit = opened.browser.get("/print/handouts/edit?file=handouts/telegram.yaml").text
    assert "it is not saved yet" in edit
    assert 'value="Marlow: alone"' in edit
    away = opened.browser.post(
        "/print/handouts/throw-away", data={"file": "handouts/telegram.yaml"}, follow_redirects=False
    )
    assert away.headers["location"] == "/print/handouts"
    assert "Not saved yet" not in opened.browser.get("/print/handouts").text


def test_a_draft_that_lacks_what_it_needs_comes_back_as_it_was_typed(opened: Opened) -> None:
    typed(opened, **{"f-to": "", "f-text": "Half a"})
    edit = opened.browser.get("/print/handouts/edit?file=handouts/telegram.yaml").text
    assert "Half a" in edit
    assert re.search(r'id="w-to" role="alert">is needed', edit)


def test_what_is_saved_is_the_file_that_the_command_line_prints(
    opened: Opened, sheetgen: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert saved(opened, name="The bridge") == "/print/handouts/edit?file=handouts%2Fthe-bridge.yaml"
    file = opened.folder / "handouts" / "the-bridge.yaml"
    assert file.read_text() == (
        'style: telegram\nlook: noir\nto: The Night Editor\nfrom: "Marlow: alone"\n'
        "text: |\n  Bridge is out.\n  Come by boat.\n"
    )
    monkeypatch.chdir(opened.folder)
    made = sheetgen("handouts", "handouts/the-bridge.yaml", "-o", "bridge.pdf")
    assert made.code == 0
    printed = opened.browser.get("/print/handouts/print.pdf?file=handouts/the-bridge.yaml").content
    assert page_texts(printed) == page_texts((opened.folder / "bridge.pdf").read_bytes())
    assert "telegram: The Night Editor" in opened.browser.get("/print/handouts").text


def test_problems_stand_under_their_fields_and_nothing_is_saved(opened: Opened) -> None:
    text = typed(opened, **{"f-to": "x" * 400, "f-text": "![a](b.png)"})
    assert re.search(r'id="w-to" role="alert" hx-swap-oob="true">[^<]*300', text)
    assert re.search(r'id="w-text" role="alert" hx-swap-oob="true">a picture stands in a field', text)
    refused = opened.browser.post("/print/handouts/save", data={**TELEGRAM, "f-text": ""})
    assert refused.status_code == 422
    assert not (opened.folder / "handouts").exists()


def test_what_has_no_room_is_told_under_its_field(opened: Opened) -> None:
    fields = {"style": "ticket", "file": "handouts/t.yaml", "seen": "", "f-title": "The Grand Ball"}
    answered = opened.browser.post(
        "/print/handouts/typed", data={**fields, "f-text": "Word.\n\n" * 36}, headers={"hx-request": "true"}
    ).text
    assert re.search(r'(hx-swap-oob="true">|<p>)[^<]*mm more than', answered)


def test_a_file_that_was_changed_outside_is_compared_and_not_written_over(opened: Opened) -> None:
    address = saved(opened)
    file = opened.folder / "handouts" / "telegram.yaml"
    seen = re.search(r'name="seen" value="(\w+)"', opened.browser.get(address).text)
    assert seen is not None
    file.write_text(file.read_text().replace("Marlow: alone", "Somebody else"))
    answered = opened.browser.post("/print/handouts/save", data={**TELEGRAM, "seen": seen[1], "f-to": "Nobody"})
    assert answered.status_code == 409
    assert "Somebody else" in answered.text
    assert "Somebody else" in file.read_text()


def test_markdown_stays_markdown(opened: Opened) -> None:
    (opened.folder / "handouts").mkdir()
    file = opened.folder / "handouts" / "hook.md"
    file.write_text("---\nstyle: note\n---\nMeet me.\n")
    text = opened.browser.get("/print/handouts/edit?file=handouts/hook.md").text
    seen = re.search(r'name="seen" value="(\w+)"', text)
    assert seen is not None
    fields = {"style": "note", "file": "handouts/hook.md", "seen": seen[1], "f-text": "Meet me at *nine*."}
    assert opened.browser.post("/print/handouts/save", data=fields, follow_redirects=False).status_code == 303
    assert file.read_text() == "---\nstyle: note\n---\nMeet me at *nine*.\n"


@pytest.mark.parametrize("file", ["../out.yaml", "/etc/passwd", ".sheetgen/print.json", "handouts/../../x.md", "a.py"])
def test_no_path_from_the_page_leads_elsewhere(opened: Opened, file: str) -> None:
    assert opened.browser.get(f"/print/handouts/edit?file={file}").status_code == 422
    assert opened.browser.post("/print/handouts/save", data={**TELEGRAM, "file": file}).status_code == 422
    assert opened.browser.get(f"/print/handouts/print.pdf?file={file}").status_code == 422


@pytest.mark.parametrize("style", ["", "leter"])
def test_a_kind_that_is_not_there_is_told_with_the_nearest(opened: Opened, style: str) -> None:
    assert opened.browser.post("/print/handouts/typed", data={**TELEGRAM, "style": style}).status_code == 422
