"""Authors: a pack's files as text, saved only when told, with drafts at rest, problems at their lines, pages beside."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import UsageError
from sheetgen.studio.authoring.files import (
    beside_inherited,
    judged_alone,
    opened_file,
    packs_in_sight,
    rule_at,
    value_at,
)
from tests.studio.conftest import Opened, open_studio

CONTENT = Path(__file__).parents[2] / "content"
BELLS = "rules/03-light-and-chalk.yaml"
AT = f"/edit/here/content/lamps/{BELLS}"


@pytest.fixture(name="authors")
def of_authors(tmp_path: Path) -> Opened:
    """A folder with a pack of one's own: Chalkdown under another name."""
    own = tmp_path / "content" / "lamps"
    shutil.copytree(CONTENT / "chalkdown", own)
    for path in own.rglob("*.yaml"):
        text = path.read_text("utf-8")
        path.write_text(text.replace("id: chalkdown", "id: lamps").replace("system: chalkdown", "system: lamps"))
    return open_studio(tmp_path)


def text(opened: Opened) -> str:
    return (opened.folder / "content" / "lamps" / BELLS).read_text("utf-8")


def seen(opened: Opened, at: str = AT) -> str:
    return str(opened.browser.get(at).text.partition('name="seen" value="')[2].partition('"')[0])


def ask(opened: Opened, do: str, written: str, at: str = AT, **fields: str) -> Any:
    """Ask what the editor asks."""
    asked = {"do": do, "text": written, "seen": seen(opened, at), "as": "data", **fields}
    return opened.browser.post(at, data=asked, follow_redirects=True)


def test_packs_are_listed_and_built_in_ones_are_only_looked_at(authors: Opened) -> None:
    page = authors.browser.get("/edit").text
    assert f'href="{AT}"' in page
    assert "/edit/game/gamers/system.yaml" in page
    assert "Die Codes, as a variant" in page, "games by their titles"
    assert re.search(r'href="/rules"[^>]* aria-current="page"', page), "the place that it lies in"
    shown = authors.browser.get("/edit/game/gamers/system.yaml").text
    assert "readonly" in shown
    answer = ask(authors, "save", "id: mine\n", "/edit/game/gamers/system.yaml")
    assert answer.status_code == 422
    assert (CONTENT / "gamers" / "system.yaml").read_text("utf-8").startswith("#")


def test_the_rules_lead_to_the_line_that_says_them(authors: Opened) -> None:
    assert "/edit-rule/lamps/bells" in authors.browser.get("/rules/lamps/bells").text
    answer = authors.browser.get("/edit-rule/lamps/bells", follow_redirects=False)
    assert answer.headers["location"] == f"{AT}?line=6"
    answer = authors.browser.get("/edit-rule/lamps/-", follow_redirects=False)
    assert answer.headers["location"] == "/edit/here/content/lamps/system.yaml"


def test_nothing_is_saved_that_was_not_asked_to_be(authors: Opened) -> None:
    before = text(authors)
    mine = before.replace("Bells and the lamp", "The bells")
    ask(authors, "draft", mine)
    assert text(authors) == before
    page = authors.browser.get(AT).text
    assert "Draft of 20:15" in page
    assert "title: The bells" in page
    answer = ask(authors, "save", mine)
    assert answer.json()["told"] == "saved 20:15"
    assert text(authors) == mine
    assert "Draft of" not in authors.browser.get(AT).text
    authors.browser.post("/undo", data={"back": AT})
    assert text(authors) == before


def test_a_draft_is_thrown_away(authors: Opened) -> None:
    ask(authors, "draft", "title: nothing\n")
    ask(authors, "throw", "")
    assert "Draft of" not in authors.browser.get(AT).text


def test_a_file_that_was_changed_outside_is_compared_and_the_draft_is_kept(authors: Opened) -> None:
    before = seen(authors)
    theirs = text(authors).replace("Bells and the lamp", "Theirs")
    mine = text(authors).replace("Bells and the lamp", "Mine")
    (authors.folder / "content" / "lamps" / BELLS).write_text(theirs)
    answer = authors.browser.post(AT, data={"do": "save", "text": mine, "seen": before})
    assert answer.status_code == 409
    assert "title: Theirs" in answer.text
    assert "title: Mine" in answer.text
    assert text(authors) == theirs
    assert "Draft of" in authors.browser.get(AT).text


def test_line_ends_of_a_file_stay(authors: Opened) -> None:
    path = authors.folder / "content" / "lamps" / BELLS
    path.write_bytes(text(authors).replace("\n", "\r\n").encode())
    ask(authors, "save", path.read_bytes().decode().replace("\r\n", "\n").replace("Bells and", "The bells and"))
    assert b"The bells and the lamp\r\n" in path.read_bytes()
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


def test_problems_come_with_their_lines_as_one_types(authors: Opened) -> None:
    found = ask(authors, "judge", text(authors).replace("    title: Bells", "    titel: Bells")).json()["problems"]
    assert [(each["line"], each["column"]) for each in found] == [(7, 5), (6, 10)] or found[0]["line"] == 7
    assert 'did you mean "title"' in found[0]["message"]
    broken = ask(authors, "judge", text(authors).replace("[bell, lamp,", "[bell, lamp, {")).json()["problems"]
    assert broken[0]["line"] == 8


def test_our_own_files_have_no_problems_by_themselves(tmp_path: Path) -> None:
    studio = open_studio(tmp_path).studio
    for pack in packs_in_sight(studio):
        if pack.name in ("chalkdown", "gamers", "tsgs"):
            for name in pack.files:
                where, _, file = pack.address(name).partition("/")
                opened = opened_file(studio, where, file)
                if opened.kind:
                    assert judged_alone(studio, opened, opened.path.read_text("utf-8"))[0] == (), name


def test_the_whole_pack_is_read_with_the_draft_and_what_moves_is_told(authors: Opened) -> None:
    assert ask(authors, "whole", text(authors)).json() == {"problems": [], "elsewhere": [], "moves": []}
    assert ask(authors, "whole", f"# a comment\n{text(authors)}").json()["moves"] == []
    moved = ask(authors, "whole", text(authors).replace("Far below", "Far above")).json()
    assert moved["moves"] == [{"what": "rule", "name": "bells"}]
    example = ask(authors, "whole", text(authors).replace("so: {left: d4", "so: {left: d6")).json()
    assert example["problems"] or example["elsewhere"]


def test_the_rule_of_a_line(authors: Opened) -> None:
    lines = text(authors).split("\n")
    assert rule_at(text(authors), 1) == ""
    assert rule_at(text(authors), lines.index("    text: |") + 2) == "bells"


def test_keys_are_proposed_with_their_help(authors: Opened) -> None:
    found = ask(authors, "explain", text(authors), line="7", column="5").json()
    assert {"title", "text", "card", "odds"} <= {each["word"] for each in found["keys"]}
    assert found["help"] == "the heading of the rule"


def test_games_are_proposed_where_one_is_named(authors: Opened) -> None:
    at = "/edit/here/content/lamps/system.yaml"
    found = ask(authors, "explain", "id: lamps\nextends: ", at, line="2", column="10").json()
    assert {"gamers", "tsgs"} <= set(found["values"])
    assert "lamps" not in found["values"]
    assert ask(authors, "explain", "id: lamps\ncredit: ", at, line="2", column="9").json()["values"] == []


def test_card_and_page_of_the_rule_are_drawn_with_the_draft(authors: Opened) -> None:
    paper = authors.browser.get(f"{AT.replace('/edit/', '/edit-paper/')}?line=10").text
    assert "Card 1 of bells" in paper
    assert "bells in the book" in paper
    picture = paper.partition('<img src="')[2].partition('"')[0]
    ask(authors, "draft", text(authors).replace("title: Each bell", "title: At each bell"))
    again = authors.browser.get(f"{AT.replace('/edit/', '/edit-paper/')}?line=10").text
    assert again.partition('<img src="')[2].partition('"')[0] != picture
    ask(authors, "draft", "title: [")
    assert authors.browser.get(f"{AT.replace('/edit/', '/edit-paper/')}?line=10&again=1").status_code == 204


def test_a_value_is_shown_on_card_and_page_of_the_rule_that_names_it(opened: Opened) -> None:
    opened.browser.post("/edit-new", data={"name": "tide", "from": ""})
    system = (opened.folder / "content" / "tide" / "system.yaml").read_text()
    line = next(at for at, each in enumerate(system.split("\n"), 1) if "  difficulty:" in each)
    at = "/edit/here/content/tide/system.yaml"
    before = opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line={line}").text
    assert "Card 1 of attempt" in before
    assert "attempt in the book" in before
    ask(opened, "draft", re.sub(r"(fair: *)\d+", r"\g<1>13", system), at)
    after = opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line={line}").text
    pictures = [re.findall(r'<img src="([^"]+)"', each) for each in (before, after)]
    assert len(pictures[1]) == len(pictures[0])
    assert {*pictures[0]}.isdisjoint(pictures[1])
    assert "Somebody of seed" in opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line=1").text


def test_a_variant_of_a_built_in_game_is_begun(opened: Opened) -> None:
    answer = opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"}, follow_redirects=True)
    assert answer.status_code == 200
    assert "extends: gamers" in (opened.folder / "content" / "harbour" / "system.yaml").read_text("utf-8")


def test_a_game_may_be_called_by_its_title_and_the_page_tells_its_folder(opened: Opened) -> None:
    answer = opened.browser.post("/edit-new", data={"name": " Harbour  Nights", "from": ""}, follow_redirects=True)
    assert answer.status_code == 200
    assert (opened.folder / "content" / "harbour-nights" / "system.yaml").is_file()
    assert "begun in content/harbour-nights" in answer.text
    assert "pattern=" not in opened.browser.get("/edit").text, "no browser refuses it"
    assert "cannot name a pack" in opened.browser.post("/edit-new", data={"name": "7 Nights", "from": ""}).text


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("  quickie: {difficulty: {trained: 8}}", "quickie.difficulty.trained"),
        ("  quickie: {difficulty: {untrained: 6, trained: 8} }", "quickie.difficulty.trained"),
        ("  quickie: {difficulty: {trained: 8}}  # as printed", "quickie.difficulty.trained"),
        ("  load: 3", "load"),
    ],
)
def test_a_line_gives_the_value_that_stands_last_on_it(line: str, path: str) -> None:
    """The word before the braces alone led to whatever rule named anything of its kind first."""
    assert value_at(f"values:\n{line}\n", 2) == path


def test_a_value_of_a_variant_is_shown_on_card_and_page_of_its_game(opened: Opened) -> None:
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    at = "/edit/here/content/harbour/system.yaml"
    written = (opened.folder / "content" / "harbour" / "system.yaml").read_text("utf-8")
    pictures = list[str]()
    for trained in (8, 9):
        ask(opened, "draft", f"{written}values:\n  quickie: {{difficulty: {{trained: {trained}}}}}\n", at)
        paper = opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line={written.count(chr(10)) + 2}").text
        assert "quickie in the book" in paper
        pictures.append(re.findall(r'<img src="([^"]+)"', paper)[0])
    assert pictures[0] != pictures[1]


CHAPTER = "rules/03-the-roll.yaml"


def test_a_chapter_of_a_built_in_game_is_taken_into_a_variant_and_changed_there(opened: Opened) -> None:
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    line = opened.browser.get("/edit-rule/harbour/quickie", follow_redirects=False).headers["location"]
    assert line.startswith(f"/edit/game/gamers/{CHAPTER}?line=")
    shown = opened.browser.get(line).text
    assert f'name="take" value="harbour" formaction="/edit-take/game/gamers/{CHAPTER}"' in shown
    asked = {"take": "harbour", "line": line.partition("=")[2]}
    answer = opened.browser.post(f"/edit-take/game/gamers/{CHAPTER}", data=asked, follow_redirects=False)
    at = f"/edit/here/content/harbour/{CHAPTER}"
    assert answer.headers["location"] == f"{at}?line={asked['line']}"
    own = opened.folder / "content" / "harbour"
    assert (own / CHAPTER).read_bytes() == (CONTENT / "gamers" / CHAPTER).read_bytes()
    assert re.search(r"^leaves_out: \[\]", (own / "system.yaml").read_text("utf-8"), re.MULTILINE)
    changed = (own / CHAPTER).read_text("utf-8").replace("The GM names a", "The keeper of the light names a")
    found = ask(opened, "whole", changed, at).json()
    assert found == {"problems": [], "elsewhere": [], "moves": [{"what": "rule", "name": "quickie"}]}
    pictures = list[list[str]]()
    for written in ((own / CHAPTER).read_text("utf-8"), changed.replace("you succeed.", "it is done.")):
        ask(opened, "draft", written, at)
        paper = opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line={asked['line']}").text
        assert "Card 1 of quickie" in paper
        assert "quickie in the book" in paper
        pictures.append(re.findall(r'<img src="([^"]+)"', paper))
    assert pictures[0][0] != pictures[1][0]
    assert pictures[0][-1] != pictures[1][-1]
    assert 'name="take"' not in opened.browser.get(line).text
    assert opened.browser.get("/edit-rule/harbour/quickie", follow_redirects=False).headers["location"].startswith(at)


def test_a_variant_of_a_skin_goes_on_without_the_chapters_that_the_skin_leaves_out(opened: Opened) -> None:
    """`leaves_out: []` of its own brought the harbour of GAMERS back into the ruins."""
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "waster"})
    own = opened.folder / "content" / "harbour"
    before = (own / "system.yaml").read_text("utf-8")
    opened.browser.post(f"/edit-take/game/gamers/{CHAPTER}", data={"take": "harbour"}, follow_redirects=False)
    assert (own / CHAPTER).exists()
    assert (own / "system.yaml").read_text("utf-8") == before


def test_only_what_a_book_inherits_is_taken_into_a_variant(opened: Opened, authors: Opened) -> None:
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    for file, into in ((CHAPTER, "gamers"), (CHAPTER, "lamps"), ("system.yaml", "harbour")):
        answer = opened.browser.post(f"/edit-take/game/gamers/{file}", data={"take": into})
        assert answer.status_code == 422, (file, into)
        assert f"&#34;{into}&#34; takes no copy of {file}" in answer.text
    assert not (opened.folder / "content" / "harbour" / "rules").exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_manifest_says_that_its_book_has_chapters_of_its_own_beside_inherited_ones(end: str) -> None:
    before = f"# mine{end}id: harbour{end}extends: gamers{end}"
    after = beside_inherited(before, "system.yaml")
    assert re.sub(r"leaves_out: \[\][^\r\n]*\r?\n", "", after) == before
    assert beside_inherited(after, "system.yaml") == after
    with pytest.raises(UsageError, match=r"content/harbour/system\.yaml: write `leaves_out"):
        beside_inherited("{id: harbour, extends: gamers}", "content/harbour/system.yaml")


def test_a_changed_difficulty_moves_the_odds_of_its_card(opened: Opened) -> None:
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    at = "/edit/here/content/harbour/system.yaml"
    written = (opened.folder / "content" / "harbour" / "system.yaml").read_text("utf-8")
    cards = list[list[str]]()
    for trained in (8, 9):
        ask(opened, "draft", f"{written}values:\n  quickie: {{difficulty: {{trained: {trained}}}}}\n", at)
        paper = opened.browser.get(f"{at.replace('/edit/', '/edit-paper/')}?line={written.count(chr(10)) + 2}").text
        assert "Card 2 of quickie" in paper
        cards.append(re.findall(r'<img src="([^"]+)" alt="Card', paper))
    assert {*cards[0]}.isdisjoint(cards[1])


def test_a_built_in_game_is_played_otherwise_by_a_house_rule(opened: Opened) -> None:
    shown = opened.browser.get("/edit/game/gamers/system.yaml").text
    assert "/edit/here/sheetgen.toml?game=gamers" in shown
    at = "/edit/here/sheetgen.toml"
    assert "[house.gamers]" in opened.browser.get(f"{at}?game=gamers").text
    found = ask(opened, "judge", "[house.gamers]\nx y\n", at).json()["problems"]
    assert (found[0]["line"], found[0]["file"]) == (2, "sheetgen.toml")
    assert ask(opened, "save", "[house.gamers]\n", at).json()["told"] == "saved 20:15"
    assert (opened.folder / "sheetgen.toml").read_text() == "[house.gamers]\n"


def test_files_elsewhere_and_of_other_kinds_are_refused(authors: Opened) -> None:
    (authors.folder / "program.py").write_text("")
    (authors.folder.parent / "secret.yaml").write_text("a: 1\n")
    (authors.folder / "link.yaml").symlink_to(authors.folder.parent / "secret.yaml")
    for file in ("../secret.yaml", "%2e%2e/secret.yaml", "link.yaml", "program.py", ".sheetgen/undo/1.yaml"):
        answer = authors.browser.get(f"/edit/here/{file}")
        assert answer.status_code in (404, 422), file
        assert "a: 1" not in answer.text
    assert authors.browser.get("/edit/nowhere/x.yaml").status_code == 422


def test_a_template_of_a_strangers_pack_is_text_here_and_never_html(authors: Opened) -> None:
    evil = authors.folder / "content" / "lamps" / "templates" / "sheet.html"
    evil.parent.mkdir(exist_ok=True)
    evil.write_text("<script>alert(1)</script></textarea><script>alert(2)</script>")
    page = authors.browser.get("/edit/here/content/lamps/templates/sheet.html").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(2)" in page
