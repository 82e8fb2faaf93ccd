"""Who is let into the studio, and what is refused: other hosts, other pages, bodies without end, paths out of it."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from sheetgen.workspace.safekeeping import digest
from tests.studio.conftest import HERE, Opened, open_studio

CONTENT = Path(__file__).parents[2] / "content"


def test_the_address_lets_a_browser_in_once_and_leaves_no_token_behind(opened: Opened) -> None:
    stranger = opened.stranger()
    answer = stranger.get(f"/?token={opened.token.value}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    assert stranger.get("/people").status_code == 200


def test_a_used_address_lets_nobody_in_and_a_new_one_is_told(opened: Opened) -> None:
    first = opened.token.value
    opened.stranger().get(f"/?token={first}", follow_redirects=False)
    assert opened.stranger().get(f"/?token={first}", follow_redirects=False).status_code == 401
    assert opened.told == [opened.token.value]
    assert opened.stranger().get(f"/?token={opened.told[0]}", follow_redirects=False).status_code == 303


def test_the_way_in_leads_to_no_other_host(opened: Opened) -> None:
    answer = opened.browser.get("http://127.0.0.1:8000//evil.example/?token=x", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/evil.example/")


def test_who_has_no_cookie_sees_nothing(opened: Opened) -> None:
    for address in ("/", "/people", "/static/studio.css", "/page/00-1.png"):
        assert opened.stranger().get(address).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:8000"])
def test_another_host_is_refused_though_it_leads_here(opened: Opened, host: str) -> None:
    """A name that a stranger's page rebinds to 127.0.0.1 is still that name."""
    assert opened.browser.get("/people", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_page_is_refused_though_it_has_the_cookie(opened: Opened, headers: dict[str, str]) -> None:
    """Pages of other ports of this machine are of the same site, and browsers send them its cookies."""
    assert opened.browser.get("/people", headers=headers).status_code == 403
    assert opened.browser.post("/people", headers=headers).status_code == 403


def test_a_form_of_nobody_knows_where_is_refused(opened: Opened) -> None:
    assert opened.browser.post("/people", headers={"origin": ""}).status_code == 403
    bare = {name: value for name, value in opened.browser.headers.items() if name != "origin"}
    client = TestClient(opened.app, base_url=HERE, headers=bare, cookies=opened.browser.cookies)
    assert client.post("/people").status_code == 403


def test_a_body_that_says_it_is_too_large_is_refused(opened: Opened) -> None:
    assert opened.browser.post("/people", content=b"x" * 2_100_000).status_code == 413


def test_pages_may_load_nothing_from_elsewhere_and_run_no_script_of_their_text(opened: Opened) -> None:
    policy = opened.browser.get("/people").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    page = opened.browser.get("/people").text
    assert " style=" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/static/now/../page.html",
        "/static/now/%2e%2e/page.html",
        "/static/now/..%2fpage.html",
        "/static/now//etc/passwd",
        "/static/../page.html",
        "/static/now/npm/axe-core/axe.js",
        "/static/now/npm/htmx.org/../axe-core/axe.js",
        "/static/now/npm/htmx.org/%2e%2e/%2e%2e/package.json",
        "/static/now/font/../../pyproject.ttf",
    ],
)
def test_no_path_leads_out_of_what_is_served(opened: Opened, path: str) -> None:
    assert opened.browser.get(path).status_code == 404


def test_styles_scripts_and_fonts_are_kept_by_the_browser_until_they_change(opened: Opened) -> None:
    (style,) = set(re.findall(r'href="([^"]+/studio\.css)"', opened.browser.get("/people").text))
    assert "immutable" in opened.browser.get(style).headers["cache-control"]
    before = re.sub("/static/[^/]+/", "/static/before/", style)
    assert opened.browser.get(before).headers["cache-control"] == "no-store"
    assert opened.browser.get(style.replace("studio.css", "font/serif.ttf")).status_code == 200


def test_no_game_is_opened_from_a_folder_elsewhere_because_a_page_asks_for_it(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "chalkdown", tmp_path / "elsewhere")
    shutil.copytree(CONTENT / "chalkdown", tmp_path / "opened" / "chalk.d")
    opened = open_studio(tmp_path / "opened")
    (opened.folder / "link").symlink_to(tmp_path)
    for path in (str(tmp_path / "elsewhere"), "../elsewhere", "link/elsewhere"):
        refused = [
            opened.browser.get("/people", params={"game": path}),
            opened.browser.post("/tonight/new", data={"title": "Rain", "game": path}),
        ]
        assert [each.status_code for each in refused] == [422, 422]
        assert "is no game of this folder" in html.unescape(refused[0].text)
    assert opened.browser.get("/edit-rule/%2e%2e/quickie").status_code == 422
    assert opened.browser.get("/people", params={"game": "chalk.d"}).status_code == 200
    assert not list(opened.folder.glob("*.yaml"))


OUTSIDE = pytest.mark.parametrize("path", ["../people.yaml", "link/people.yaml"])


@OUTSIDE
@pytest.mark.parametrize(
    "scene",
    [
        "people: [{from: PATH}]",
        "people: [{group: PATH}]",
        "people: [somebody]",
        "handouts: [PATH]",
        "map: {picture: ../map.png}",
        "people: [2 soldier], fights: [{first: '2 soldier + @PATH:Ann'}]",
    ],
)
def test_an_evening_that_somebody_wrote_reads_no_files_elsewhere(tmp_path: Path, path: str, scene: str) -> None:
    (tmp_path / "people.yaml").write_text("a secret: of somebody\n", "utf-8")
    (tmp_path / "map.png").write_bytes(b"")
    (tmp_path / "opened" / "sessions").mkdir(parents=True)
    opened = open_studio(tmp_path / "opened")
    for folder in ("", "sessions"):
        (opened.folder / folder / "link").symlink_to(tmp_path)
        said = scene.replace("PATH", path)
        evening = f"system: gamers\ntitle: Rain\ncast: {{somebody: {{from: {path}}}}}\n"
        (opened.folder / folder / "rain.yaml").write_text(f"{evening}scenes: [{{title: One, {said}}}]\n", "utf-8")
    for ref in ("rain", "rain.yaml"):
        page, whole = (opened.browser.get(f"/tonight/{ref}/{part}") for part in ("1", "evening.pdf"))
        told = html.unescape(page.text + whole.text)
        assert whole.status_code == 422
        assert "rain.yaml:4:" in told or "rain.yaml:3:" in told
        assert "outside the folder" in told
        assert "secret" not in told


@pytest.mark.parametrize("broken", [False, True])
def test_no_evening_and_nobody_is_of_a_game_elsewhere(tmp_path: Path, *, broken: bool) -> None:
    shutil.copytree(CONTENT / "chalkdown", tmp_path / "elsewhere")
    (tmp_path / "opened" / "cast").mkdir(parents=True)
    opened = open_studio(tmp_path / "opened")
    (opened.folder / "rain.yaml").write_text("system: ../elsewhere\ntitle: Rain\nscenes: [{title: One}]\n", "utf-8")
    (opened.folder / "cast" / "ann.yaml").write_text("system: ../elsewhere\nname: Ann\n", "utf-8")
    by_name = "system: gamers\ntitle: Snow\nscenes: [{title: One, people: [{from: cast/ann.yaml}]}]\n"
    (opened.folder / "snow.yaml").write_text(by_name, "utf-8")
    if broken:  # its mistakes would tell what stands in it
        (tmp_path / "elsewhere" / "system.yaml").write_text("secret: of somebody\n", "utf-8")
    for evening in ("rain", "snow"):
        told = opened.browser.get(f"/tonight/{evening}/1").text
        assert "this game lies outside the folder that is open" in told
        assert "secret" not in told
    page = opened.browser.get("/people").text
    assert "this game lies outside the folder that is open" in page
    assert "Ann" not in page.replace("ann.yaml", "")


@pytest.mark.parametrize("path", ["{outside}/people.yaml", "../people.yaml", "link/people.yaml"])
def test_no_people_and_handouts_are_taken_from_files_elsewhere_because_a_page_asks_for_them(
    tmp_path: Path, path: str
) -> None:
    path = path.format(outside=tmp_path)
    (tmp_path / "people.yaml").write_text("a secret: of somebody\n", "utf-8")
    (tmp_path / "opened").mkdir()
    opened = open_studio(tmp_path / "opened")
    (opened.folder / "link").symlink_to(tmp_path)
    opened.browser.post("/tonight/new", data={"title": "Rain", "game": "gamers"})
    before = (opened.folder / "rain.yaml").read_text("utf-8")
    seen = {"do": "add", "seen": digest(before.encode())}
    for fields in (
        {"kind": "kept", "file": path, "name": "Ann"},
        {"kind": "group", "name": path},
        {"kind": "handout", "name": path},
        {"kind": "fight", "first": f"2 guards + @{path}", "second": "1 guard"},
        {"kind": "fight", "first": "1 guard", "second": f"@{path}:Ann"},
    ):
        answer = opened.browser.post("/tonight/rain/1", data={**seen, **fields})
        assert answer.status_code == 422
        assert "is no file of this folder" in answer.text
    for place in ("odds", "proposals"):
        asked = {"first": f"@{path}", "second": "1 guard", "of": "guard", "wanted": "even"}
        assert "is no file of this folder" in opened.browser.get(f"/tonight/rain/1/{place}", params=asked).text
    assert (opened.folder / "rain.yaml").read_text("utf-8") == before


def test_a_project_file_that_is_wrong_is_told_on_a_page_with_its_line_and_the_way_back(opened: Opened) -> None:
    (opened.folder / "sheetgen.toml").write_text('# ours\npacks = ["<nowhere>"]\n')
    answered = opened.browser.get("/people")
    assert answered.status_code == 422
    for told in (
        "<h1>sheetgen.toml has to be mended first</h1>",
        "<p>sheetgen.toml:2:1: packs: &#34;&lt;nowhere&gt;&#34; is no folder</p>",
        "<span>2</span> packs = [&#34;&lt;nowhere&gt;&#34;]",
        "Mend it in a text editor, save it, and load this page again.",
    ):
        assert told in answered.text
    assert "Undo" not in answered.text, "nobody saved it here"
    style = re.search(r'href="(/static/[^"]+/studio\.css)"', answered.text)
    assert style
    assert opened.browser.get(style[1]).status_code == 200
    (opened.folder / "sheetgen.toml").write_text("# ours\n")
    assert opened.browser.get("/people").status_code == 200


def test_a_project_file_that_was_saved_wrong_here_is_put_back_from_the_page_that_tells_of_it(opened: Opened) -> None:
    at = "/edit/here/sheetgen.toml"
    told = opened.browser.post(at, data={"do": "judge", "text": 'packs = ["nowhere", "../.."]\n'}).json()["problems"]
    assert [each["message"][:30] for each in told] == [
        'packs: "nowhere" is no folder',
        'packs: "../.." is neither belo',
    ]
    opened.browser.post(at, data={"do": "save", "seen": "", "text": 'packs = ["nowhere"]\n', "as": "data"})
    assert "Undo: saved sheetgen.toml" in opened.browser.get("/tonight").text
    opened.browser.post("/undo", data={"back": "/"})
    assert opened.browser.get("/people").status_code == 200
