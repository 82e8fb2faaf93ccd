"""Rules in the studio: read, found, played with dice that are rolled or typed, and how likely it all is."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path
from threading import Thread

import pytest

from sheetgen.documents.book.book import without_ids
from sheetgen.rules.registry import engine_of
from sheetgen.studio.rules.play_form import play_form
from sheetgen.studio.rules.rules import Turns, around
from sheetgen.studio.rules.texts import plain_text
from sheetgen.table.play import RandomSource, odds, play
from tests.studio.conftest import Opened, open_studio

GAMES = {
    "gamers": "check",
    "tsgs": "static",
    "chalkdown": "test",
    "genesix": "check",
    "sixshooter": "attempt",
    "diecodes": "test",
}
TOLD = re.compile(r'<div class="told"><div class="line.*?</details>', re.S)
CONTENT = Path(__file__).parents[2] / "content"


def words(html: str) -> str:
    """The text of a page, its white space in one."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", re.sub("<(style|script).*?</\\1>", "", html, flags=re.S))).split())


def filled_in(page: str) -> dict[str, str]:
    """What the form of a page holds, as a browser would send it."""
    form = re.search(r'<form class="play".*?</form>', page, re.S)
    assert form is not None
    found = dict(re.findall(r'name="((?:p\.|do)[^"]*)" value="([^"]*)"', form[0]))
    found |= re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', form[0], re.S)
    for name, inside in re.findall(r'<select id="(p\.[^"]+)"[^>]*>(.*?)</select>', form[0], re.S):
        found[name] = next(iter(re.findall(r"<option[^>]* selected>([^<]*)", inside)), "")
    return {name: unescape(text) for name, text in found.items()}


@pytest.mark.parametrize("game", GAMES)
def test_rules_begin_with_the_chapters_and_a_roll_that_stands_ready(opened: Opened, game: str) -> None:
    page = opened.browser.get(f"/rules/{game}").text
    start = page.partition('<div class="start">')[2].partition("</section>")[0]
    assert start.count("<h2>") > 3
    assert "can be played" in start
    assert 'data-shown="work"' in page
    assert filled_in(page)["do"] == GAMES[game].replace("static", "opposed")


def test_the_id_of_a_rule_is_an_address_of_it(opened: Opened) -> None:
    page = opened.browser.get("/rules/gamers/gam-133").text
    assert "<h1>A quick roll</h1>" in page
    assert opened.browser.get("/rules/gamers/GAM-133").text.count("<h1>A quick roll</h1>") == 1


def test_what_is_found_ends_with_a_word_and_has_no_blank_before_commas() -> None:
    text = "Roll two dice, add them, and say how it went " * 8
    for length in range(100, 220):
        shown = around(text[:length], "dice").removesuffix(" …")
        assert text.startswith(shown)
        assert (text[:length] + " ")[len(shown)] in " ,"
    assert around("x" * 300, "x") == "x" * 120 + " …"
    assert (
        plain_text("<p>Roll <b>two</b>, then <i>a die</i>.</p><p>GAM<b>ERS</b></p>") == "Roll two, then a die. GAMERS"
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_read_and_played(opened: Opened, game: str) -> None:
    contents = opened.browser.get(f"/rules/{game}")
    assert contents.status_code == 200
    rules = dict.fromkeys(re.findall(rf'href="(/rules/{game}/[a-z0-9-]+)"', contents.text))
    playable = re.findall(rf'href="(/rules/{game}/[a-z0-9-]+)"[^>]*>[^<]+<span class="plays"', contents.text)
    assert len(rules) > 20
    assert playable
    read = opened.browser.get(playable[0])
    assert read.status_code == 200
    assert '<article class="rule">' in read.text
    assert ' style="' not in read.text  # the policy allows none
    begun = opened.browser.get(f"/rules/{game}/-/play?do={GAMES[game]}")
    asked = {**filled_in(begun.text), "seed": "7"}
    assert len(asked) > 2  # a worked example is there to begin with
    once, again = (opened.browser.get(f"/rules/{game}/-/play", params=asked) for _ in range(2))
    told = [TOLD.findall(each.text) for each in (once, again)]
    assert len(told[0]) == 1, words(once.text)[-600:]
    assert told[0] == told[1]


def test_a_roll_without_script_leads_to_an_address_that_can_be_kept(opened: Opened) -> None:
    asked = {"do": "check", "p.skill": "2", "p.difficulty": "8", "roll": "1"}
    answer = opened.browser.get("/rules/gamers/quickie/play", params=asked, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/rules/gamers/quickie/play?do=check&p.skill=2&p.difficulty=8&seed=100"


def test_dice_that_fell_on_the_table_are_told_as_the_engine_tells_them(opened: Opened) -> None:
    asked = {"do": "check", "p.skill": "2", "p.difficulty": "8", "p.attribute": "7", "dice": "6 6 3,4", "tell": "1"}
    page = opened.browser.get("/rules/gamers/special-results/play", params=asked).text
    pack = opened.studio.pack("gamers")
    check = engine_of(pack.system).procedures["check"]
    form = play_form(pack.system, check, {"skill": "2", "difficulty": "8", "attribute": "7"})
    assert form.arguments is not None
    expected = play(pack, check, form.arguments, RandomSource(0, dice=(6, 6, 3, 4)))
    lines = [unescape(each) for each in re.findall(r'<p class="words">(.*?)</p>', page)]
    assert lines == [without_ids(line) for line in expected.log if not line.startswith("· ")]
    assert page.count('aria-label="6"') >= 2  # drawn as they fell


def test_somebody_who_may_be_left_out_is_unless_filled_in(opened: Opened) -> None:
    begun = opened.browser.get("/rules/sixshooter/-/play?do=attempt").text
    asked = filled_in(begun)
    assert asked["p.actor.descriptor"] == "Sly"
    assert asked["p.helper.descriptor"] == ""  # nobody helps, though whoever helps needs one
    assert re.search(r'<select id="p.helper.descriptor"[^>]*><option value="">', begun)
    half = opened.browser.get("/rules/sixshooter/-/play", params={**asked, "p.helper.descriptor": "Sharp", "seed": "7"})
    assert "is missing" in words(re.search(r'id="p\.helper\.hand-note"[^>]*>(.*?)</p>', half.text)[1])  # type: ignore[index]


def test_what_is_wrong_is_told_under_its_field_with_the_rule(opened: Opened) -> None:
    asked = {"do": "check", "p.skill": "99", "p.difficulty": "traned", "seed": "1"}
    page = opened.browser.get("/rules/gamers/quickie/play", params=asked).text
    notes = {name: words(said) for name, said in re.findall(r'id="p\.([a-z]+)-note"[^>]*>(.*?)</p>', page)}
    assert set(notes) == {"skill", "difficulty"}
    assert notes["skill"].startswith("takes a whole number from 0 to 15, not 99 [GAM-")
    assert 'did you mean "trained"?' in notes["difficulty"]
    assert not TOLD.search(page)


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("4", "not enough dice"),
        ("4 3 2", "dice left over"),
        ("4 9", "cannot show 9"),
        ("4 x", "type the faces"),
        ("", "not enough"),
    ],
)
def test_dice_that_cannot_be_so_are_told(opened: Opened, dice: str, told: str) -> None:
    asked = {"do": "check", "p.skill": "2", "p.difficulty": "8", "dice": dice, "tell": "1"}
    page = opened.browser.get("/rules/gamers/quickie/play", params=asked)
    assert page.status_code == 200
    assert told in words(re.search(r'id="dice-note"[^>]*>(.*?)</p>', page.text)[1])  # type: ignore[index]


def test_odds_are_those_of_the_engine(opened: Opened) -> None:
    asked = {"do": "check", "p.skill": "2", "p.difficulty": "8", "of": "success"}
    drawn = opened.browser.get("/rules/gamers/quickie/odds", params=asked).text
    pack = opened.studio.pack("gamers")
    check = engine_of(pack.system).procedures["check"]
    arguments = play_form(pack.system, check, {"skill": "2", "difficulty": "8"}).arguments
    assert arguments is not None
    exact = odds(pack, check, arguments, of="success").chance(True)
    assert f"yes {float(exact):.1%}" in words(drawn)
    assert "<svg" in drawn
    wrong = opened.browser.get("/rules/gamers/quickie/odds", params={**asked, "p.skill": "99"}).text
    assert "<svg" not in wrong


def test_only_the_last_of_many_turns_counts() -> None:
    turns = Turns()
    taken = list[int]()
    threads = [Thread(target=lambda: taken.append(turns.take())) for _ in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(taken) == list(range(1, 21))
    assert [each for each in taken if turns.is_last(each)] == [20]


def test_rules_are_found_by_their_words_and_by_their_ids(opened: Opened) -> None:
    found = opened.browser.get("/rules/gamers", params={"find": "triumph"}).text
    titles = re.findall(r'<li><a href="/rules/gamers/[^"]+"[^>]*><b>([^<]+)</b>', found)
    assert titles[0] == "Triumphs and balls-ups"
    assert len(titles) > 3
    by_id = opened.browser.get("/rules/gamers", params={"find": "GAM-135"}).text
    assert "<h1>Triumphs and balls-ups</h1>" in by_id  # an ID is one rule: it opens
    assert "No rule has “zeppelin”" in words(opened.browser.get("/rules/gamers", params={"find": "zeppelin"}).text)
    assert opened.browser.get("/rules/gamers", params={"find": "<b>"}).status_code == 200


def test_links_between_rules_lead_within_the_studio(opened: Opened) -> None:
    page = opened.browser.get("/rules/gamers/quickie").text
    inside = re.findall(r"<article.*</article>", page, re.S)[0]
    links = dict.fromkeys(re.findall(r'href="(/rules/[^"]+)"', inside))
    assert links
    assert all(opened.browser.get(each).status_code == 200 for each in links)
    assert not re.search(r'href="#(?:rule|chapter|table)-', inside)


@pytest.mark.parametrize("address", ["/rules/gamers/quickly", "/rules/gamerz", "/rules/gamers/-/play?do=chek"])
def test_what_is_not_there_is_told_with_the_nearest(opened: Opened, address: str) -> None:
    answer = opened.browser.get(address)
    assert answer.status_code == 422
    assert "did you mean" in words(answer.text)


def test_a_strangers_rules_bring_no_html_and_are_played_confined(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "chalkdown", tmp_path / "content" / "chalkdown")
    chapter = next((tmp_path / "content" / "chalkdown" / "rules").glob("01-*.yaml"))
    text = chapter.read_text("utf-8")
    title = re.search(r"\n    title: (.*)\n", text)
    assert title is not None
    hostile = "'<script>alert(1)</script><img src=x onerror=alert(1)>'"
    chapter.write_text(text.replace(f"title: {title[1]}", f"title: {hostile}", 1), encoding="utf-8")
    with (tmp_path / "content" / "chalkdown" / "system.yaml").open("a") as manifest:
        manifest.write("override: yes\n")
    opened = open_studio(tmp_path)
    contents = opened.browser.get("/rules/chalkdown").text
    assert "&lt;script&gt;alert(1)" in contents
    assert "<script>alert" not in contents
    assert "<img" not in contents
    assert not opened.studio.pack("chalkdown").ours
    name = re.search(r'href="(/rules/chalkdown/[^"]+)"[^>]*>&lt;script', contents)
    assert name is not None
    read = opened.browser.get(name[1])
    assert read.status_code == 200
    assert "<script>alert" not in read.text
    played = opened.browser.get(
        "/rules/chalkdown/-/play", params={"do": "test", "p.target": "12", "dice": "20", "tell": "1"}
    )
    assert "20" in re.findall(r'<p class="words">(.*?)</p>', played.text)[0]


@pytest.mark.parametrize(("game", "own"), [("gamers", "GAM-"), ("tsgs", "TSG-")])
def test_a_rule_of_the_game_itself_is_the_example_of_what_to_look_up(opened: Opened, game: str, own: str) -> None:
    asked = opened.browser.get(f"/rules/{game}").text
    example = asked.partition('placeholder="climbing, a wound, ')[2].partition('"')[0]
    assert example.startswith(own)
    assert opened.browser.get(f"/rules/{game}?find={example}", follow_redirects=False).status_code == 303
