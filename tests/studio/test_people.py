"""People in the studio, without a browser: the wall by its address, keeping, changing, and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from sheetgen.people.character_files import read_party
from sheetgen.studio.assets import WEB
from sheetgen.studio.people import people
from sheetgen.workspace.scaffold import starter, write_folder
from tests.studio.conftest import Opened, open_studio

GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown")


def names(page: str) -> list[str]:
    """The names on the wall of a page."""
    return [unescape(each) for each in re.findall(r'<b class="called">(.*?)</b>', page)]


def form(page: str) -> dict[str, str]:
    """The form of somebody on a page, as a browser would send it untouched."""
    inside = page[page.index('<form id="person"') :].partition("</form>")[0]
    fields = {
        unescape(name): unescape(value)
        for name, value in re.findall(r'<input(?: [a-z-]+="[^"]*")*? name="([^"]+)"[^>]*? value="([^"]*)"', inside)
    }
    fields |= {
        unescape(name): unescape(text)
        for name, text in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)', inside)
    }
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', inside, re.DOTALL):
        chosen = re.search(r"<option selected>([^<]*)", options)
        fields[unescape(name)] = unescape(chosen[1]) if chosen else ""
    return fields


def kept(opened: Opened) -> list[str]:
    """The names in the files of the cast."""
    files = sorted((opened.folder / "cast").glob("*.yaml"))
    return [each.text("name") for file in files for each in read_party(opened.studio.project, file).characters]


def test_a_studio_that_is_stopped_makes_nothing_more_ready(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(people, "people_pdf", lambda *_: made.append("a page"))
    monkeypatch.setattr(people, "cast_of", lambda _: made.append("the cast"))
    people.warm(opened.studio, lambda: bool(made))
    assert made == ["a page"]


@pytest.mark.parametrize("game", GAMES)
def test_everybody_of_every_game_is_kept_changed_and_printed(opened: Opened, game: str) -> None:
    page = opened.browser.get(f"/people?game={game}&number=3&seed=5").text
    assert len(names(page)) == 3
    sent = form(page) | {"f.manner": "counts every coin twice"}
    answer = opened.browser.post(f"/people/edit?game={game}&number=3&seed=5", data=sent, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    (file,) = (opened.folder / "cast").glob("*.yaml")
    (who,) = read_party(opened.studio.project, file).characters
    assert (who.text("name"), who.text("manner")) == (names(page)[0], "counts every coin twice")
    picture = re.search(r'id="page" src="([^"]+)"', answer.text)
    assert picture is not None
    assert opened.browser.get(picture[1]).content.startswith(b"\x89PNG")


def test_a_wall_is_its_address(opened: Opened) -> None:
    address = "/people?game=gamers&kind=guard&number=5&seed=11"
    everybody = names(opened.browser.get(address).text)
    assert len(everybody) == 5
    assert names(opened.browser.get(address).text) == everybody
    assert names(opened.browser.get(f"{address}&for=2").text)[:4] == [everybody[0], *everybody[2:5]]
    assert everybody[1] not in names(opened.browser.get(f"{address}&not=2").text)
    assert not (opened.folder / "cast").exists(), "nothing is stored until somebody is kept"


def test_rolling_again_is_another_wall_with_an_address(opened: Opened) -> None:
    answer = opened.browser.get("/people?had=gamers&game=gamers&number=4&roll=again", follow_redirects=False)
    assert "seed=100" in answer.headers["location"]


def test_a_group_says_itself_how_many_they_are(opened: Opened) -> None:
    assert len(names(opened.browser.get("/people?game=gamers&kind=the+night+watch&number=2").text)) > 4


def test_keeping_makes_a_file_that_the_command_line_reads_and_undo_takes_it_back(opened: Opened) -> None:
    (name, *_) = names(opened.browser.get("/people?seed=7").text)
    opened.browser.post("/people/keep?seed=7", data={"who": "1"})
    assert kept(opened) == [name]
    assert 'class="person kept' in opened.browser.get("/people?seed=7").text
    opened.browser.post("/people/undo?seed=7")
    assert kept(opened) == []
    assert 'class="person kept' not in opened.browser.get("/people?seed=7").text


def test_who_is_thrown_back_stands_there_struck_out_and_the_file_is_gone(opened: Opened) -> None:
    opened.browser.post("/people/keep?seed=7", data={"who": "2"})
    opened.browser.post("/people/throw?seed=7", data={"who": "2"})
    assert kept(opened) == []
    answer = opened.browser.post("/people/throw?seed=7", data={"who": "2"}, follow_redirects=True)
    assert 'class="person gone" id="card-2"' in answer.text
    opened.browser.post("/people/undo?seed=7")
    assert len(kept(opened)) == 1


def test_what_is_not_legal_is_told_with_its_rule_and_the_rest_is_saved(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    before = json.loads(form(page)["was"])["attributes.Endurance"]
    sent = form(page) | {"f.attributes.Endurance": "G", "f.manner": "limps"}
    answer = opened.browser.post("/people/edit?seed=7", data=sent)
    assert answer.status_code == 422
    assert 'href="/rules/gamers?find=GAM-016"' in answer.text
    assert opened.browser.get("/rules/gamers?find=GAM-016").status_code == 200
    assert "Make it F" in answer.text
    assert f"Back to {before}" in answer.text
    (file,) = (opened.folder / "cast").glob("*.yaml")
    (who,) = read_party(opened.studio.project, file).characters
    assert who.text("manner") == "limps"
    assert opened.studio.pack("gamers").system.write("Endurance", who.numbers("attributes")["Endurance"]) == before


def test_a_remedy_is_one_button(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    sent = form(page) | {"set": "attributes.Endurance=F"}
    opened.browser.post("/people/edit?seed=7", data=sent)
    (file,) = (opened.folder / "cast").glob("*.yaml")
    (who,) = read_party(opened.studio.project, file).characters
    assert who.numbers("attributes")["Endurance"] == 15


def test_two_windows_and_an_editor_lose_nothing(opened: Opened) -> None:
    """Each field is compared with what its window showed; the same field changed twice is asked about."""
    opened.browser.post("/people/keep?seed=7", data={"who": "1"})
    (file,) = (opened.folder / "cast").glob("*.yaml")
    address = f"/people/{file.stem}?seed=7"
    one, other = form(opened.browser.get(address).text), form(opened.browser.get(address).text)
    opened.browser.post("/people/edit?seed=7", data=one | {"f.manner": "limps"})
    opened.browser.post("/people/edit?seed=7", data=other | {"f.hook": "Owes the ferryman."})
    file.write_text(file.read_text() + "# a note of mine\n")
    answer = opened.browser.post("/people/edit?seed=7", data=other | {"f.manner": "whistles"})
    assert "changed outside" in answer.text
    (who,) = read_party(opened.studio.project, file).characters
    assert (who.text("manner"), who.text("hook")) == ("limps", "Owes the ferryman.")
    assert "# a note of mine" in file.read_text()


def test_comments_and_order_of_a_file_of_several_stay(opened: Opened) -> None:
    opened.browser.post("/people/keep?seed=7", data={"who": "1"})
    opened.browser.post("/people/keep?seed=7", data={"who": "2"})
    first, second = sorted((opened.folder / "cast").glob("*.yaml"))
    both = first.read_text() + second.read_text().partition("characters:\n")[2]
    second.unlink()
    first.write_text(both.replace("- name:", "# who is next\n- name:", 1))
    page = opened.browser.get(f"/people/{first.stem}.2").text
    opened.browser.post("/people/edit", data=form(page) | {"f.manner": "limps"})
    assert "# who is next" in first.read_text()
    assert read_party(opened.studio.project, first).characters[1].text("manner") == "limps"


def test_a_part_is_rolled_again_and_the_rest_stays(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    opened.browser.post("/people/reroll?seed=7", data=form(page) | {"part": "manner"})
    (file,) = (opened.folder / "cast").glob("*.yaml")
    (who,) = read_party(opened.studio.project, file).characters
    was = json.loads(form(page)["was"])
    assert who.text("manner") != was["manner"]
    assert who.text("hook") == was["hook"]
    assert who.origin is not None
    assert who.origin.rerolled


def test_all_of_somebody_in_pencil_rolled_again_is_somebody_else(opened: Opened) -> None:
    before = names(opened.browser.get("/people?seed=7").text)
    answer = opened.browser.post("/people/reroll?seed=7", data={"who": "1", "part": "all"}, follow_redirects=True)
    assert names(answer.text)[:11] == before[1:]
    assert not (opened.folder / "cast").exists()


def test_all_of_somebody_kept_rolled_again_stands_in_the_same_place_and_tells_which_file_it_is(opened: Opened) -> None:
    before = names(opened.browser.get("/people?seed=7").text)
    kept_there = opened.browser.post("/people/keep?seed=7", data={"who": "2"}, follow_redirects=True)
    (file,) = (opened.folder / "cast").glob("*.yaml")
    who, query = kept_there.url.path.rpartition("/")[2], kept_there.url.query.decode()
    answer = opened.browser.post(f"/people/reroll?{query}", data={"who": who, "part": "all"}, follow_redirects=True)
    (name,) = kept(opened)
    assert name != before[1]
    assert names(answer.text) == [before[0], name, *before[2:]]
    told = opened.browser.post(
        f"/people/reroll?{query}", data={"who": who, "part": "all"}, headers={"HX-Request": "true"}
    )
    assert f"came in place of {name}, and has the file {file.name}" in told.text
    thrown = opened.browser.post(f"/people/throw?{answer.url.query.decode()}", data={"who": who}, follow_redirects=True)
    assert names(thrown.text) == before


def test_who_is_ticked_is_printed_together_whatever_game_they_are_of(opened: Opened) -> None:
    for game in ("gamers", "chalkdown"):
        page = opened.browser.get(f"/people?game={game}").text
        (tick, *_) = re.findall(r'name="tick" value="([^"]+)"', page)
        opened.browser.post(f"/people/tick?game={game}", data={"tick": unescape(tick)})
    assert "To print: 2 people" in opened.browser.get("/people").text
    answer = opened.browser.get("/people/print.pdf?as=npc")
    assert answer.content.startswith(b"%PDF")
    opened.browser.post("/people/tick", data={"clear": "yes"})
    assert opened.browser.get("/people/print.pdf").status_code == 422


def test_the_cast_is_searched_through_all_that_it_says(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    opened.browser.post("/people/edit?seed=7", data=form(page) | {"f.notes": "drowned a lantern"})
    assert names(opened.browser.get("/people?find=LANTERN+drowned").text) == names(page)[:1]
    assert names(opened.browser.get("/people?find=trombone").text) == []


@pytest.mark.parametrize(
    "address",
    [
        "/people?game=nosuch",
        "/people?kind=astronaut",
        "/people?number=many",
        "/people?o.level=godlike",
        "/people/nobody-there",
        "/people/..%2f..%2fetc%2fpasswd",
        "/people/print.pdf?as=../x",
    ],
)
def test_what_no_wall_can_be_is_told(opened: Opened, address: str) -> None:
    answer = opened.browser.get(address)
    assert answer.status_code in (404, 422)
    assert "Traceback" not in answer.text


def test_a_file_that_cannot_be_read_hides_nobody_else(opened: Opened) -> None:
    opened.browser.post("/people/keep?seed=7", data={"who": "1"})
    (opened.folder / "cast" / "broken.yaml").write_text("system: gamers\ncharacters: [")
    page = opened.browser.get("/people?find=").text
    assert len(names(page)) == 1
    assert "1 of the cast cannot be read" in page
    assert "broken.yaml" in page


def test_a_campaign_is_named_and_its_game_is_the_first(tmp_path: Path) -> None:
    (tmp_path / "sheetgen.toml").write_text('[campaign]\ntitle = "Ashford"\nsystem = "tsgs"\n')
    page = open_studio(tmp_path).browser.get("/people").text
    assert 'title="' + str(tmp_path) in page
    assert ">Ashford</a>" in page
    assert '<option value="tsgs" selected>' in page


def test_a_strangers_game_is_rolled_kept_and_shown_as_a_picture(opened: Opened) -> None:
    files = starter(opened.studio.project, "mist")
    write_folder(opened.folder / "content" / "mist", files)
    page = opened.browser.get("/people?game=mist&number=3").text
    assert len(names(page)) == 3
    answer = opened.browser.post("/people/keep?game=mist&number=3", data={"who": "1"}, follow_redirects=True)
    picture = re.search(r'id="page" src="([^"]+)"', answer.text)
    assert picture is not None
    assert opened.browser.get(picture[1]).content.startswith(b"\x89PNG")


def test_what_people_write_is_never_markup(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    sent = form(page) | {"f.name": "<script>alert(1)</script>", "f.hook": '"><img src=x onerror=alert(1)>'}
    answer = opened.browser.post("/people/edit?seed=7", data=sent, follow_redirects=True)
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text


def test_without_the_library_from_npm_the_page_says_how_to_get_it(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetgen.studio.assets.web_folder", lambda: opened.folder / "nothing")
    page = opened.browser.get("/people?seed=7").text
    assert f"npm install --ignore-scripts --no-save --install-links --prefix {opened.folder}/nothing {WEB}" in page
    assert '<script src="/static/npm' not in page


def test_who_cannot_be_printed_is_told_with_the_reason(opened: Opened) -> None:
    page = opened.browser.get("/people?seed=7").text
    answer = opened.browser.post("/people/edit?seed=7", data=form(page) | {"f.name": "山田"}, follow_redirects=True)
    picture = re.search(r'id="page" src="([^"]+)"', answer.text)
    assert picture is not None
    refused = opened.browser.get(picture[1])
    assert refused.status_code == 422
    assert "山" in refused.text
