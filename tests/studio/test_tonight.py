"""Tonight: an evening made from its page alone, saved as its file, which keeps what people wrote into it."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest
from PIL import Image

from sheetgen.batch.warm import Outdated
from sheetgen.content.yaml.edits import plain
from sheetgen.content.yaml.nodes import parse
from sheetgen.pdf.pdfium import page_sizes
from sheetgen.studio.drawing import Drawings
from sheetgen.studio.pages import GIVEN_UP
from sheetgen.studio.tonight import fights as evening_fights
from sheetgen.studio.tonight.fights import how_often
from tests.studio.conftest import Opened, open_studio

EVENING = """\
# Prepared in the train.
system: gamers
title: A toll in kind
seed: 3
cast:
  captain: {archetype: guard, name: Sabine Ferrow}   # owes the guild
scenes:
  - title: The gate   # first
    read: |
      Fog on the water.
    people:
      - captain
      # brothers, both
      - 2 guards
  - title: Supper
    people: [captain]
"""
ADA = "system: gamers\ncharacters:\n  - name: Ada Marsh\n    occupation: carter\n"


@pytest.fixture(name="evening")
def of_an_evening(tmp_path: Path, drawings: Drawings) -> Opened:
    (tmp_path / "toll.yaml").write_text(EVENING)
    (tmp_path / "handouts").mkdir()
    (tmp_path / "handouts" / "names.md").write_text("---\nstyle: letter\n---\nDear friend,\n\nten names.\n")
    made = open_studio(tmp_path)
    made.app.app.state.drawings = drawings  # type: ignore[attr-defined]
    return made


def text(opened: Opened) -> str:
    return (opened.folder / "toll.yaml").read_text()


def seen(opened: Opened) -> str:
    page = opened.browser.get("/tonight/toll/1").text
    return page.partition('name="seen" value="')[2].partition('"')[0]


def do(opened: Opened, here: int = 1, **fields: str) -> str:
    """Send a form as a browser without script does, and return the page that follows."""
    answer = opened.browser.post(f"/tonight/toll/{here}", data={"seen": seen(opened), **fields}, follow_redirects=True)
    return f"{answer.status_code}\n{answer.text}"


def scenes(opened: Opened) -> list[dict[str, object]]:
    found: list[dict[str, object]] = plain(parse(text(opened).encode(), "toll.yaml"))["scenes"]
    return found


def picture_of(opened: Opened, scene: int, page: int) -> str:
    """The address of the picture beside a scene, of the page of a number or of the one where it begins."""
    paper = opened.browser.get(f"/tonight/toll/{scene}/paper{f'?page={page}' if page else ''}").text
    return paper.partition('<img src="')[2].partition('"')[0]


def test_the_evening_of_the_folder_opens_with_who_is_in_it(evening: Opened) -> None:
    page = evening.browser.get("/tonight", follow_redirects=True)
    assert page.status_code == 200
    for words in ("A toll in kind", "The gate", "Supper", "Sabine Ferrow", "Fog on the water.", "the night watch"):
        assert words in page.text


def test_a_text_is_saved_and_the_rest_of_the_file_stays(evening: Opened) -> None:
    do(evening, do="set", field="read", value="Snow on the wall.\r\nIt is late.")
    assert text(evening) == EVENING.replace("Fog on the water.", "Snow on the wall.\n      It is late.")


def test_somebody_is_pulled_in_moved_and_taken_out(evening: Opened) -> None:
    do(evening, do="add", kind="group", name="the night watch")
    do(evening, do="move", list="people", at="2", to="0")
    do(evening, do="transfer", list="people", at="2", scene="2")
    assert [scene["people"] for scene in scenes(evening)] == [
        [{"group": "the night watch"}, "captain"],
        ["captain", "2 guards"],
    ]
    do(evening, do="remove", list="people", at="1")
    assert scenes(evening)[0]["people"] == [{"group": "the night watch"}]


def test_handouts_odds_clocks_tables_and_boxes(evening: Opened) -> None:
    do(evening, do="add", kind="handout", name="handouts/names.md", when="they ask")
    do(evening, do="add", kind="odds", name="Climb the wall", level="8")
    do(evening, do="add", kind="clock", name="The tide turns", segments="8")
    do(evening, do="add", kind="table", name="On the wall", rows="a lamplighter\r\nnobody")
    do(evening, do="add", kind="box", name="Pask has a child")
    do(evening, do="add", kind="fight", first="2 guards", second="here")
    assert {name: scenes(evening)[0][name] for name in ("handouts", "odds", "clocks", "tables", "boxes", "fights")} == {
        "handouts": [{"file": "handouts/names.md", "when": "they ask"}],
        "odds": [{"try": "Climb the wall", "at": "8"}],
        "clocks": [{"title": "The tide turns", "segments": "8"}],
        "tables": [{"title": "On the wall", "rows": ["a lamplighter", "nobody"]}],
        "boxes": ["Pask has a child"],
        "fights": [{"first": "2 guards", "second": "here"}],
    }
    page = evening.browser.get("/tonight/toll/1").text
    assert "The tide turns" in page
    assert "as it is" not in page


def test_scenes_are_added_moved_and_taken_out(evening: Opened) -> None:
    do(evening, do="add-scene", title="The ford")
    assert [scene["title"] for scene in scenes(evening)] == ["The gate", "The ford", "Supper"]
    do(evening, do="move-scene", at="2", to="0")
    assert [scene["title"] for scene in scenes(evening)] == ["Supper", "The gate", "The ford"]
    do(evening, 3, do="remove-scene")
    assert [scene["title"] for scene in scenes(evening)] == ["Supper", "The gate"]
    assert "# first" in text(evening)
    assert "# brothers, both" in text(evening)


def test_what_the_game_does_not_know_is_told_and_not_written(evening: Opened) -> None:
    told = do(evening, do="add", kind="words", name="3 dragoons")
    assert told.startswith("422")
    assert "nobody here is called &#34;dragoons&#34;" in told
    assert "toll.yaml:" not in told, "what was not written stands in no line"
    assert text(evening) == EVENING


def test_what_was_changed_outside_is_never_overwritten(evening: Opened) -> None:
    before = seen(evening)
    (evening.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Breakfast"))
    asked = {"seen": before, "do": "set", "field": "where", "value": "the quay"}
    answer = evening.browser.post("/tonight/toll/1", data=asked)
    assert answer.status_code == 409
    assert "changed outside" in answer.text
    assert "the quay" not in text(evening)
    now = answer.text.partition('name="seen" value="')[2].partition('"')[0]
    evening.browser.post("/tonight/toll/1", data={**asked, "seen": now})
    assert text(evening) == EVENING.replace("Supper", "Breakfast").replace(
        "# first\n", "# first\n    where: the quay\n"
    )


def test_a_group_is_there_once_however_often_it_is_written(evening: Opened) -> None:
    do(evening, do="add", kind="group", name="the night watch")
    told = do(evening, do="add", kind="group", name="the night watch")
    assert told.startswith("422")
    assert "the night watch is in The gate already" in told
    assert do(evening, do="add", kind="words", name="2 guards").startswith("200"), "these are two others"
    group = "      - {group: the night watch}\n"
    (evening.folder / "toll.yaml").write_text(EVENING.replace("      - 2 guards\n", 3 * group))
    assert evening.browser.get("/tonight/toll/1").text.count("the same people as on another line") == 2


def test_two_windows_that_change_different_fields_both_may(evening: Opened) -> None:
    before = seen(evening)
    (evening.folder / "toll.yaml").write_text(EVENING.replace("Fog on", "Rain on"))
    shown = {"seen": before, "do": "set", "scenes": "2", "scene_title": "The gate"}
    asked = {**shown, "field": "where", "was": "", "value": "the quay"}
    answer = evening.browser.post("/tonight/toll/1", data=asked, headers={"HX-Request": "true"})
    merged = EVENING.replace("Fog on", "Rain on").replace("# first\n", "# first\n    where: the quay\n")
    assert text(evening) == merged
    told = json.loads(answer.headers["HX-Trigger"])["saved"]["seen"]
    assert told == before, "the page still has to learn what else was changed"
    for refused in (
        {"field": "read", "was": "Fog on the water.\n", "value": "Snow on the water."},  # it rains there by now
        {"field": "where", "was": "", "value": "the ferry"},  # set to something else meanwhile
        {"field": "notes", "was": "", "value": "x", "scene_title": "Supper"},  # another scene stands there
        {"field": "notes", "was": "", "value": "x", "scenes": "3"},
    ):
        assert evening.browser.post("/tonight/toll/1", data={**shown, **refused}).status_code == 409
    same = {"field": "where", "was": "", "value": "the  quay"}
    assert evening.browser.post("/tonight/toll/1", data={**shown, **same}).status_code == 200
    assert text(evening) == merged


@pytest.mark.parametrize("title", ["", "title: Night, "])
@pytest.mark.parametrize("field", ["notes", "title"])
def test_scenes_alike_by_title_that_were_swapped_are_never_taken_for_each_other(
    evening: Opened, title: str, field: str
) -> None:
    head, first, second = "system: gamers\nseed: 3\nscenes:\n", "where: the quay", "where: the ford"

    def written(*scenes: str) -> str:
        return head + "".join(f"  - {{{title}{each}}}\n" for each in scenes)

    (evening.folder / "toll.yaml").write_text(written(first, second))
    page = evening.browser.get("/tonight/toll/1").text
    hidden = {name: re.search(f'name="{name}" value="([^"]*)"', page) for name in ("seen", "scenes", "others")}
    shown = {name: found[1] for name, found in hidden.items() if found}
    shown_title = title.removeprefix("title: ").removesuffix(", ")
    was = shown_title if field == "title" else ""
    asked = {**shown, "do": "set", "field": field, "was": was, "value": "Fog", "scene_title": shown_title}
    (evening.folder / "toll.yaml").write_text(written(second, first))
    assert evening.browser.post("/tonight/toll/1", data=asked).status_code == 409
    assert text(evening) == written(second, first)
    (evening.folder / "toll.yaml").write_text(written(f"{first}, read: Rain", second))
    assert evening.browser.post("/tonight/toll/1", data=asked, headers={"HX-Request": "true"}).status_code == 200
    assert f"{field}: Fog" in text(evening).splitlines()[3], "what else was changed in this scene stands, too"


def test_the_last_step_is_undone_by_its_name(evening: Opened) -> None:
    do(evening, do="remove", list="people", at="0")
    assert "Undo: took captain out of The gate" in evening.browser.get("/tonight/toll/1").text
    evening.browser.post("/undo", data={"back": "/tonight/toll/1"})
    assert text(evening) == EVENING


def test_a_file_with_a_mistake_is_shown_with_its_line_and_can_still_be_changed(evening: Opened) -> None:
    (evening.folder / "toll.yaml").write_text(EVENING.replace("2 guards", "2 gards"))
    page = evening.browser.get("/tonight/toll/1").text
    assert "toll.yaml:14" in page
    assert "/edit/here/toll.yaml" in page
    do(evening, do="set", field="where", value="the quay")
    assert scenes(evening)[0]["where"] == "the quay"


def test_an_evening_is_begun(opened: Opened) -> None:
    answer = opened.browser.post("/tonight/new", data={"title": "The ford", "game": "chalkdown"}, follow_redirects=True)
    assert answer.url.path == "/tonight/the-ford/1"
    assert "The first scene" in answer.text
    found = plain(parse((opened.folder / "the-ford.yaml").read_bytes(), "the-ford.yaml"))
    assert (found["system"], found["title"], len(found["scenes"])) == ("chalkdown", "The ford", 1)


def test_without_an_evening_the_page_says_what_one_is_and_what_to_do_first(opened: Opened) -> None:
    page = opened.browser.get("/tonight").text
    assert "An evening is what you run in one session" in page
    assert "Give it a name and begin" in page


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "never"),
        (1, "always"),
        (0.001, "in less than 1 %"),
        (0.999, "in more than 99 %"),
        (0.34, "in 34 %"),
        (0.005, "in 1 %"),
    ],
)
def test_how_often_a_side_wins_without_a_loss_is_said_in_words(share: float, told: str) -> None:
    assert how_often(share) == told


def test_whom_one_kept_is_pulled_in_though_the_folder_is_no_campaign(opened: Opened) -> None:
    for game in ("gamers", "chalkdown"):
        opened.browser.post(f"/people/keep?game={game}&seed=7", data={"who": "1"})
    opened.browser.post("/tonight/new", data={"title": "Toll", "game": "gamers"})
    page = opened.browser.get("/tonight/toll/1").text
    cast = page.partition(">Cast <small>1</small>")[2].partition("</ul>")[0]
    file = cast.partition('name="file" value="')[2].partition('"')[0]
    name = cast.partition('name="name" value="')[2].partition('"')[0]
    do(opened, do="add", kind="kept", name=name, file=file)
    assert scenes(opened)[0]["people"] == [{"from": file, "only": name}]
    assert f'value="@{file}"' in page, "a side of a fight, too"


def test_a_group_and_somebody_of_the_cast_are_put_in_by_typing_their_names(opened: Opened) -> None:
    (opened.folder / "cast").mkdir()
    (opened.folder / "cast" / "party.yaml").write_text(ADA)
    (opened.folder / "toll.yaml").write_text(EVENING)
    do(opened, 2, do="add", kind="words", name="The night  watch")
    do(opened, 2, do="add", kind="words", name="ada marsh")
    people = scenes(opened)[1]["people"]
    assert people == ["captain", {"group": "the night watch"}, {"from": "cast/party.yaml", "only": "Ada Marsh"}]
    do(opened, 2, do="add", kind="words", name="captain")
    assert scenes(opened)[1]["people"][-1] == "captain", "whom the evening knows by that name"  # type: ignore[index]


def test_notes_are_markdown_without_html(evening: Opened) -> None:
    answer = evening.browser.post("/tonight/preview", data={"value": "**They pay** <script>alert(1)</script>"})
    assert "<strong>They pay</strong>" in answer.text
    assert "<script>" not in answer.text


def test_entries_are_called_as_people_call_them(evening: Opened) -> None:
    do(evening, do="add", kind="handout", name="handouts/names.md")
    do(evening, do="add", kind="fight", first="2 guards", second="")
    page = evening.browser.get("/tonight/toll/1").text
    assert "<b>names</b>" in page
    assert "<b>2 guards against those of this scene</b>" in page


def test_a_fight_is_weighed_coarsely_then_finer(evening: Opened) -> None:
    coarse = evening.browser.get("/tonight/toll/1/odds?first=2 guards").text
    assert "60 fights" in coarse
    assert "n=300" in coarse
    assert "Say who meets them" in evening.browser.get("/tonight/toll/1/odds").text
    assert "dragoons" in evening.browser.get("/tonight/toll/1/odds?first=3 dragoons").text


def test_many_fights_are_fought_in_a_process_of_their_own(evening: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(*given: object, **more: object) -> None:
        raise AssertionError("saving and drawing would wait for it")

    monkeypatch.setattr(evening_fights, "encounter", here)
    finer = evening.browser.get("/tonight/toll/1/odds?first=2 guards&n=300").text
    assert "300 fights" in finer
    assert "dragoons" in evening.browser.get("/tonight/toll/1/odds?first=3 dragoons&n=300").text
    monkeypatch.setattr(evening_fights, "LONG_S", 0.0)
    assert "counting on" not in evening.browser.get("/tonight/toll/1/odds?first=2 guards&n=300").text
    evening.app.app.state.fights.processes.end()  # type: ignore[attr-defined]


def test_the_evening_is_one_pdf_made_beside_the_page_and_given_up_when_the_studio_stops(evening: Opened) -> None:
    evening.app.app.state.stopping = lambda: True  # type: ignore[attr-defined]
    assert evening.browser.get("/tonight/toll/evening.pdf").status_code == GIVEN_UP
    evening.app.app.state.stopping = lambda: False  # type: ignore[attr-defined]
    made = evening.browser.get("/tonight/toll/evening.pdf")
    assert made.content[:5] == b"%PDF-"
    assert evening.browser.get("/tonight/toll/count").text == f"{len(page_sizes(made.content))} pages in all"
    (evening.folder / "toll.yaml").write_text(EVENING.replace("guards", "gards"))
    assert evening.browser.get("/tonight/toll/count").text == ""


def test_without_script_the_odds_of_a_fight_are_a_page_that_leads_back(evening: Opened) -> None:
    for asked in ("odds?first=2 guards", "proposals?wanted=even"):
        page = evening.browser.get(f"/tonight/toll/1/{asked}").text
        assert page.startswith("<!doctype html>")
        assert 'href="/tonight/toll/1"' in page
    bare = evening.browser.get("/tonight/toll/1/odds?first=2 guards", headers={"HX-Request": "true"}).text
    assert "<!doctype" not in bare


def test_who_would_make_an_even_fight_is_proposed_to_be_put_into_the_scene(evening: Opened) -> None:
    asked = "/tonight/toll/1/proposals?first=2 guards&wanted="
    found = evening.browser.get(f"{asked}even&of=outlaw").text
    assert "An even fight for 2 guards" in found
    words = found.partition('name="name" value="')[2].partition('"')[0]
    assert words.endswith(("outlaw", "outlaws"))
    do(evening, do="add", kind="words", name=words)
    assert scenes(evening)[0]["people"] == ["captain", "2 guards", words]
    assert "Say who meets them" in evening.browser.get("/tonight/toll/1/proposals?wanted=even&of=outlaw").text
    assert "dragoon" in evening.browser.get(f"{asked}hard&of=dragoon").text


def test_the_tray_tells_what_changed_since_the_evening_was_printed(evening: Opened) -> None:
    assert "not printed yet" in evening.browser.get("/tonight/toll/1").text
    evening.browser.post("/tonight/toll/printed")
    assert "Printed 2026-11-21 20:15; nothing has changed since" in evening.browser.get("/tonight/toll/1").text
    (evening.folder / "toll.yaml").write_text(f"# a remark alone\n{EVENING}")
    assert "nothing has changed since" in evening.browser.get("/tonight/toll/1").text
    do(evening, do="set", field="where", value="the quay")
    do(evening, do="add-scene", title="The ford")
    assert "since then <b>The gate changed, The ford new</b>" in evening.browser.get("/tonight/toll/1").text


@pytest.mark.parametrize("name", ["toll (1)", "pask's toll", 'pask\'s "toll" )('])
def test_a_remark_changes_nothing_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    opened = open_studio(tmp_path)
    file = tmp_path / f"{name}.yaml"
    file.write_text(EVENING)
    opened.browser.post(f"/tonight/{quote(name)}/printed")
    file.write_text(f"# a remark alone\n{EVENING}")
    assert "nothing has changed since" in opened.browser.get(f"/tonight/{quote(name)}/1").text


@pytest.mark.parametrize("kept", ["5", "{}", '{"parts": 5}', '{"parts": [7, [1]]}', '{"at": []}'])
def test_notes_of_printing_that_are_none_of_ours_do_no_harm(evening: Opened, kept: str) -> None:
    (evening.folder / ".sheetgen").mkdir()
    (evening.folder / ".sheetgen" / "printed-evenings.json").write_text(f'{{"toll.yaml": {kept}}}')
    assert evening.browser.get("/tonight/toll/1").status_code == 200


def test_notes_of_printing_too_long_to_be_read_are_never_written_over(evening: Opened) -> None:
    notes = evening.folder / ".sheetgen" / "printed-evenings.json"
    notes.parent.mkdir()
    notes.write_text(f'{{"other.yaml": "{"x" * 1_000_000}"}}')
    answer = evening.browser.post("/tonight/toll/printed")
    assert (answer.status_code, "is too long: delete it" in answer.text) == (422, True)
    assert notes.stat().st_size > 1_000_000


def test_evenings_whose_files_are_gone_leave_the_notes_of_printing(evening: Opened) -> None:
    notes = evening.folder / ".sheetgen" / "printed-evenings.json"
    notes.parent.mkdir()
    notes.write_text('{"gone.yaml": {"at": "", "parts": []}}')
    evening.browser.post("/tonight/toll/printed")
    assert list(json.loads(notes.read_text())) == ["toll.yaml"]


def test_the_run_sheet_of_the_scene_is_drawn(evening: Opened) -> None:
    paper = evening.browser.get("/tonight/toll/2/paper").text
    assert "page 3 of 3" in paper
    picture = paper.partition('<img src="')[2].partition('"')[0]
    assert evening.browser.get(picture).content.startswith(b"\x89PNG")


def test_a_page_of_another_scene_is_turned_to_and_the_pdf_has_all_pages(evening: Opened) -> None:
    paper = evening.browser.get("/tonight/toll/2/paper?page=1").text
    assert "page 1 of 3" in paper
    whole = paper.partition('<a class="sheet" href="')[2].partition("#")[0]
    assert len(page_sizes(evening.browser.get(whole).content)) == 3
    assert picture_of(evening, 2, 1) == picture_of(evening, 1, 1)
    assert picture_of(evening, 2, 0) == picture_of(evening, 1, 3), "where the second scene begins"
    assert picture_of(evening, 2, 0) != picture_of(evening, 2, 2)


def test_the_run_sheet_is_given_up_when_nobody_waits_for_it(
    evening: Opened, drawings: Drawings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unending(request: bytes, unwanted: Event) -> bytes:
        assert unwanted.wait(60)
        raise Outdated

    monkeypatch.setattr(drawings.processes, "ask", unending)
    evening.app.app.state.stopping = lambda: True  # type: ignore[attr-defined]
    do(evening, do="set", field="where", value="the quay, at night")
    assert evening.browser.get("/tonight/toll/1/paper").status_code == GIVEN_UP


def test_the_evening_goes_on_a_phone_as_a_file_that_is_never_shown_here(evening: Opened) -> None:
    answer = evening.browser.get("/tonight/toll/tonight.html")
    assert "Sabine Ferrow" in answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"] == "sandbox"


def test_the_file_for_a_phone_shows_what_is_handed_over_in_its_scene(evening: Opened) -> None:
    (evening.folder / "handouts" / "names.md").write_text("---\nstyle: letter\nfrom: Ada\n---\nTen names.\n")
    before = evening.browser.get("/tonight/toll/tonight.html").text
    assert 'class="handed"' not in before
    do(evening, do="add", kind="handout", name="handouts/names.md")
    page = evening.browser.get("/tonight/toll/tonight.html").text
    scene = page.partition('id="scene-1"')[2].partition('id="scene-2"')[0]
    shown = scene.partition('<details class="handed">')[2]
    picture = re.search(r'<img src="data:image/png;base64,([^"]+)" alt="([^"]*)"', shown)
    assert picture is not None
    assert "Ten names." in picture[2]
    assert Image.open(BytesIO(b64decode(picture[1]))).size[0] > 300
    assert page.count('class="handed"') == 1


def test_no_evening_outside_of_the_folder_is_opened(evening: Opened) -> None:
    outside = evening.folder.parent / "elsewhere.yaml"
    outside.write_text(EVENING)
    (evening.folder / "linked.yaml").symlink_to(outside)
    for ref in ("../elsewhere", "linked", "..~elsewhere", "%2e%2e%2felsewhere"):
        assert evening.browser.get(f"/tonight/{ref}/1").status_code in (404, 422)


class TestCampaign:
    """A campaign has a cast to pull in, a log, and words to find."""

    def test_cast_and_log(self, tmp_path: Path) -> None:
        (tmp_path / "sheetgen.toml").write_text('[campaign]\ntitle = "Ashford"\nsystem = "gamers"\n')
        (tmp_path / "sessions").mkdir()
        (tmp_path / "sessions" / "toll.yaml").write_text(EVENING)
        (tmp_path / "log.yaml").write_text("# what happened\nties:\nlog:\n")
        (tmp_path / "cast").mkdir()
        opened = open_studio(tmp_path)
        opened.folder.joinpath("cast", "people.yaml").write_text(ADA)
        assert "Note what happened" in opened.browser.get("/tonight/toll/1").text
        asked = {"who": "Ada", "what": "lends, never asks", "back": "/tonight/toll/1"}
        answer = opened.browser.post("/tonight/log", data=asked, follow_redirects=True)
        assert answer.url.path == "/tonight/toll/1"
        assert (tmp_path / "log.yaml").read_text() == (
            '# what happened\nties:\nlog:\n- {who: Ada Marsh, what: "lends, never asks"}\n'
        )
        page = opened.browser.get("/tonight/toll/1?q=lends").text
        assert "Ada Marsh" in page
        assert "line 4" in page
        answer = opened.browser.post("/tonight/log", data={**asked, "who": "Adalbert"})
        assert answer.status_code == 422
        do(opened, do="add", kind="kept", name="Ada Marsh", file="cast/people.yaml")
        found = plain(parse((tmp_path / "sessions" / "toll.yaml").read_bytes(), "toll.yaml"))
        assert found["scenes"][0]["people"][-1] == {"from": "cast/people.yaml", "only": "Ada Marsh"}
