"""HTML to PDF, and everything a page may not do (the RND cases)."""

from __future__ import annotations

import base64
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest
from PIL import Image

from sheetgen.errors import InputError
from sheetgen.pdf.flow import document
from sheetgen.pdf.flow.document import flow, with_pictures

MISSING = "no such file (pictures and fonts of a pack lie in its templates/)"


def png(width: int = 4, height: int = 4) -> bytes:
    data = io.BytesIO()
    Image.new("1", (width, height)).save(data, "PNG")
    return data.getvalue()


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with one picture, and a secret outside it."""
    (tmp_path / "secret.css").write_text("body { color: red }")
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "dot.png").write_bytes(png())
    (folder / "way-out.png").symlink_to(tmp_path / "secret.css")
    return folder


@pytest.fixture
def refused(pack: Path, small_page: Callable[..., str]) -> Callable[..., str]:
    """Flows a body that must be refused, and gives the message."""

    def message(body: str, *, style: str = "") -> str:
        with pytest.raises(InputError) as caught:
            flow(small_page(body, style=style), root=pack, name="page.html")
        assert str(caught.value).startswith("page.html: ")
        return str(caught.value)

    return message


def test_a_page_with_a_picture_and_links_flows(pack: Path, small_page: Callable[..., str]) -> None:
    body = "<h1 id=top>Łódź</h1><img src='dot.png?x#y'><a href='#top'>up</a> <a href='https://example.org/'>out</a>"
    reader = pypdf.PdfReader(io.BytesIO(flow(small_page(body), root=pack, name="page.html")))
    assert "Łódź" in reader.pages[0].extract_text()
    assert len(reader.pages[0].images) == 1
    assert [item.title for item in reader.outline] == ["Łódź"]


def test_the_same_page_is_the_same_bytes(pack: Path, small_page: Callable[..., str]) -> None:
    html = small_page("<h1>Twice</h1><p>the same</p>")
    assert flow(html, root=pack, name="x") == flow(html, root=pack, name="x")


def test_a_tagged_page_says_so(pack: Path, small_page: Callable[..., str]) -> None:
    data = flow(small_page("<h1>Tagged</h1>"), root=pack, name="x", tagged=True)
    root = pypdf.PdfReader(io.BytesIO(data)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"


def test_the_environment_is_left_as_it_was(pack: Path, small_page: Callable[..., str]) -> None:
    before = dict(os.environ)
    flow(small_page("<p>x</p>"), root=pack, name="x")
    assert dict(os.environ) == before


OUTSIDE = [
    "<img src='file:///etc/passwd'>",
    "<img src='../secret.css'>",
    "<img src='%2e%2e/secret.css'>",
    "<img src='..%2fsecret.css'>",
    "<img src='way-out.png'>",
    "<img src='file://host/etc/passwd'>",
    "<img src='FILE:///etc/passwd'>",
    "<img src='jar:file:///etc/passwd'>",
    "<img src='http://127.0.0.1:9/x.png'>",
    "<img src='//127.0.0.1/x.png'>",
    "<img src='ftp://127.0.0.1/x.png'>",
    "<base href='http://127.0.0.1:9/'><img src='x.png'>",
    "<svg><image href='file:///etc/passwd' width=9 height=9 /></svg>",
    "<style>p{background:url(file:///etc/passwd)}</style><p>x</p>",
    "<style>@import url(../secret.css);</style>",
    "<style>@font-face{font-family:x;src:url(../secret.css)}</style>",
    "<style>@color-profile --x{src:url(file:///etc/passwd)}</style>",
    "<link rel=stylesheet href='../secret.css'>",
    "<link rel=attachment href='file:///etc/passwd'>",
]


@pytest.mark.parametrize("body", OUTSIDE)
def test_nothing_outside_the_pack_is_read(body: str, refused: Callable[..., str]) -> None:
    assert "cannot use" in refused(body)


def test_nothing_outside_the_pack_is_even_opened(refused: Callable[..., str]) -> None:
    opened: list[str] = []
    listening = [True]

    def listen(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event in ("open", "socket.connect", "subprocess.Popen"):
            opened.append(f"{event} {arguments[0]}")

    sys.addaudithook(listen)
    for body in OUTSIDE:
        refused(body)
    listening.clear()
    assert [what for what in opened if "passwd" in what or "secret" in what or "socket" in what] == []


@pytest.mark.parametrize("body", ["<a rel=attachment href='dot.png'>x</a>", "<link rel=attachment href='dot.png'>"])
def test_files_are_never_attached(body: str, refused: Callable[..., str]) -> None:
    assert "may not be attached" in refused(body)


@pytest.mark.parametrize("target", ["javascript:alert(1)", "file:///etc/passwd", "other.html", "data:text/html,x"])
def test_links_lead_to_headings_the_web_and_mail_alone(target: str, refused: Callable[..., str]) -> None:
    assert "a link may lead to" in refused(f"<a href='{target}'>x</a>")


def test_a_missing_picture_stops_the_page(refused: Callable[..., str]) -> None:
    assert 'cannot use "none.png": no such file' in refused("<img src=none.png>")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<img src='part/none.png'>", f'cannot use "part/none.png": {MISSING}'),
        ("<img src='../x.png'>", f'cannot use "../x.png": {MISSING}'),
        ("<img src='file:///etc/passwd'>", 'cannot use "file:///etc/passwd": only files inside the pack'),
        ("<img src='broken.svg'>", 'cannot use "broken.svg": damaged, or not what it seems'),
        ("<a href='#nowhere'>a</a>", 'a link leads to "#nowhere", which is nowhere on the page'),
        (
            "<a href='map.pdf'>a</a>",
            'a link may lead to a heading, a web page or a mail address, not to "map.pdf"',
        ),
    ],
)
def test_messages_have_addresses_as_the_page_has_them(
    body: str, expected: str, pack: Path, refused: Callable[..., str]
) -> None:
    (pack / "broken.svg").write_text("<svg")
    assert refused(body) == f"page.html: {expected}"


def test_a_truncated_picture_stops_the_page(pack: Path, refused: Callable[..., str]) -> None:
    whole = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(whole, "PNG")
    (pack / "torn.png").write_bytes(whole.getvalue()[:900])
    assert "a damaged one" in refused("<img src=torn.png>")


def test_a_picture_file_that_is_too_large_is_refused_unread(pack: Path, refused: Callable[..., str]) -> None:
    with (pack / "large.png").open("wb") as file:
        file.truncate(20_000_001)
    assert 'large.png": larger than 20,000,000 bytes' in refused("<img src=large.png>")


def test_a_picture_of_too_many_pixels_is_refused_from_its_header(pack: Path, refused: Callable[..., str]) -> None:
    (pack / "vast.png").write_bytes(png(9000, 9000))
    assert "9000 x 9000 pixels are too many" in refused("<img src=vast.png>")


def test_the_pictures_of_a_page_are_counted_together(
    pack: Path, small_page: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetgen.pdf.flow.resource_fetcher.MOST_PIXELS_OF_A_PAGE", 1000)
    (pack / "a.png").write_bytes(png(20, 30))
    (pack / "b.png").write_bytes(png(30, 20))
    assert flow(small_page("<img src=a.png><img src=a.png?x>"), root=pack, name="x").startswith(b"%PDF")
    with pytest.raises(InputError, match=r'b\.png": the pictures of one page may have 1,000 pixels together'):
        flow(small_page("<img src=a.png><img src=b.png>"), root=pack, name="x")


@pytest.mark.parametrize("kind", ["image/tiff", "application/octet-stream", "image/png"])
def test_a_picture_of_another_kind_is_refused_whatever_it_is_called(kind: str, refused: Callable[..., str]) -> None:
    data = io.BytesIO()
    Image.new("1", (4, 4)).save(data, "TIFF")
    body = base64.b64encode(data.getvalue()).decode()
    assert "not a picture, or a damaged one" in refused(f"<img src='data:{kind};base64,{body}'>")


def test_a_pipe_is_refused_without_waiting(pack: Path, refused: Callable[..., str]) -> None:
    os.mkfifo(pack / "pipe.png")
    assert "not a regular file" in refused("<img src=pipe.png>")


def test_a_data_uri_serves_small_pictures_only(pack: Path, small_page: Callable[..., str]) -> None:
    small = base64.b64encode(png()).decode()
    assert flow(small_page(f"<img src='data:image/png;base64,{small}'>"), root=pack, name="x").startswith(b"%PDF")
    with pytest.raises(InputError, match="characters at most"):
        flow(small_page(f"<img src='data:image/png;base64,{'A' * 2_000_001}'>"), root=pack, name="x")


def test_a_stylesheet_that_imports_itself_is_refused(pack: Path, refused: Callable[..., str]) -> None:
    (pack / "self.css").write_text("@import 'self.css'; @import 'self.css'; p { color: red }")
    assert "imports itself" in refused("<link rel=stylesheet href=self.css>")


def test_a_nest_too_deep_is_refused(refused: Callable[..., str]) -> None:
    assert "nested too deeply" in refused("<div>" * 300)


def test_a_document_of_more_pages_than_anybody_prints_is_refused(refused: Callable[..., str]) -> None:
    assert "has 501 pages; the most is 500" in refused("<p style='break-before: page'>a" * 501)


@pytest.mark.parametrize("error", [ZeroDivisionError("float division by zero"), UnboundLocalError("no width")])
def test_a_style_that_asks_for_the_impossible_is_told_in_one_line(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    from sheetgen.pdf.flow import layout

    def render(*arguments: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(layout.weasyprint.HTML, "render", render)
    said = refused("<p>a</p>")
    assert said == "page.html: cannot be laid out: some size or place in its styles cannot be"


def test_a_character_without_a_glyph_is_named(refused: Callable[..., str]) -> None:
    assert "no bundled font has “語” (U+8A9E CJK UNIFIED IDEOGRAPH-8A9E)" in refused("<p>a 語 b</p>")


def test_half_a_character_is_named(refused: Callable[..., str]) -> None:
    assert "U+D83D, a lone surrogate" in refused("<p>a \ud83d b</p>")


def test_a_hand_is_printed_only_where_the_page_names_it(
    refused: Callable[..., str], pack: Path, small_page: Callable[..., str]
) -> None:
    """A letter that the text faces lack would otherwise turn up in handwriting in the middle of a book."""
    assert 'printed with "Caveat"' in refused("<p>Ҋ</p>")
    assert flow(small_page("<p style='font-family:Caveat'>Ҋ</p>"), root=pack, name="x").startswith(b"%PDF")


def test_an_unknown_family_is_refused_with_a_suggestion(refused: Callable[..., str]) -> None:
    said = refused("<p style=\"font-family:'Source Serf Pro'\">x</p>")
    assert 'unknown font-family "Source Serf Pro" (did you mean "Source Serif Pro"?)' in said


def test_one_file_a_face(pack: Path, refused: Callable[..., str]) -> None:
    from sheetgen.pdf.fonts.bundled import font_path
    from sheetgen.pdf.fonts.face import FaceName

    (pack / "own.ttf").write_bytes(font_path(FaceName("Source Sans Pro")).read_bytes())
    rule = "@font-face { font-family: Own; src: url(own.ttf%s) }"
    assert 'two font files for one face of "Own"' in refused(
        "<p style='font-family:Own'>x</p>", style=rule % "" + rule % "?2"
    )


@pytest.mark.parametrize("flavor", [None, "woff", "woff2"])
def test_a_damaged_font_stops_the_page_with_its_name(
    pack: Path, refused: Callable[..., str], small_page: Callable[..., str], flavor: str | None
) -> None:
    from fontTools.ttLib import TTFont

    from sheetgen.pdf.fonts.bundled import font_path
    from sheetgen.pdf.fonts.face import FaceName

    made = io.BytesIO()
    with TTFont(font_path(FaceName("Source Sans Pro"))) as font:
        font.flavor = flavor
        font.save(made)
    whole, file = made.getvalue(), f"own.{flavor or 'ttf'}"
    about = {"style": f"@font-face {{ font-family: Own; src: url({file}) }}"}
    (pack / file).write_bytes(whole)
    assert flow(small_page("<p style='font-family:Own'>x</p>", **about), root=pack, name="x").startswith(b"%PDF")
    turned = bytearray(whole)
    turned[len(turned) // 2] ^= 0x10
    for damaged in (whole[:-20_000], bytes(turned))[: 1 if flavor == "woff2" else 2]:  # WOFF2 has no checksums
        (pack / file).write_bytes(damaged)
        said = refused("<p style='font-family:Own'>x</p>", **about)
        assert f'{file}": the font is damaged' in said


def test_unknown_css_is_a_problem(refused: Callable[..., str]) -> None:
    assert refused("<p>x</p>", style="p { colr: red }") == (
        'page.html: "colr: red" in a style has no effect: unknown property'
    )


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("<p style='width:300mm;white-space:nowrap'>" + "long " * 60 + "</p>", "out of its box"),
        ("<div style='height:6mm;overflow:hidden'>" + "words " * 60 + "</div>", "out of its box"),
        ("<p style='position:absolute;left:-30mm'>off the paper</p>", '"off the paper" reaches'),
        (
            "<div style='height:3mm;overflow:hidden'><b style='display:inline-block;margin-top:9mm;transform:"
            "translateY(0.01em) rotate(1deg) skewX(-6deg)'>slanted</b></div>",
            '"slanted" reaches',
        ),
        (
            "<div style='height:9mm;overflow:hidden'><b style='display:inline-block;transform:rotate(-90deg);"
            "transform-origin:0 0'>stood up</b></div>",
            '"stood up" reaches',
        ),
        (
            "<div style='height:9mm;overflow:hidden'><div style='transform:translateY(20mm)'><b style='display:"
            "inline-block;transform:rotate(8deg)'>moved twice</b></div></div>",
            '"moved twice" reaches',
        ),
    ],
)
def test_text_that_would_be_cut_off_is_measured(body: str, says: str, refused: Callable[..., str]) -> None:
    assert says in refused(body)


def test_text_is_measured_where_it_is_drawn(pack: Path, small_page: Callable[..., str]) -> None:
    body = (
        "<p style='position:absolute;left:-60mm;transform:translateX(60mm)'>back on the paper</p>"
        "<div style='width:12mm;height:40mm;overflow:hidden'><b style='display:block;width:40mm;height:12mm;"
        "white-space:nowrap;transform:translateY(40mm) rotate(-90deg);transform-origin:0 0'>up the margin</b></div>"
    )
    assert flow(small_page(body), root=pack, name="x").startswith(b"%PDF")


def test_text_may_be_cut_where_that_is_meant(pack: Path, small_page: Callable[..., str]) -> None:
    body = "<div data-cut style='height:6mm;overflow:hidden'>" + "pattern " * 60 + "</div>"
    assert flow(small_page(body), root=pack, name="x").startswith(b"%PDF")


PNG = f"data:image/png;base64,{base64.b64encode(png()).decode()}"


@pytest.mark.parametrize(
    ("part", "carried"),
    [
        ("<img src='dot.png'>", f"<img src='{PNG}'>"),
        ('<img alt="a" src="dot.png" width=9>', f'<img alt="a" src="{PNG}" width=9>'),
        ("<img src=dot.png>", f"<img src={PNG}>"),
        ("<svg><image href='dot.png' /></svg>", f"<svg><image href='{PNG}' /></svg>"),
        ("<p style='background: url(dot.png)'>a</p>", f"<p style='background: url({PNG})'>a</p>"),
        ("<style>p { background: url( 'dot.png' ) }</style>", f"<style>p {{ background: url( '{PNG}' ) }}</style>"),
        ("<p>See url(dot.png), <a href='#dot.png'>there</a>.</p>", ""),
        ("<svg><path fill='url(#dots)' /><use href='#dot'/></svg>", ""),
        ("<img src='https://example.org/dot.png'>", ""),
        ("<img src='//example.org/dot.png'>", ""),
        ("<img src='/etc/passwd'>", ""),
    ],
)
def test_a_web_page_carries_the_pictures_of_its_pack(part: str, carried: str, pack: Path) -> None:
    assert with_pictures(part, root=pack, name="page.html") == (carried or part)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("<img src='none.png'>", f'cannot use "none.png": {MISSING}'),
        ("<img src='../secret.css'>", 'cannot use "../secret.css": only files inside the pack'),
        ("<img src='way-out.png'>", 'cannot use "way-out.png": only files inside the pack'),
    ],
)
def test_a_picture_that_no_page_may_use_is_not_carried_either(part: str, expected: str, pack: Path) -> None:
    with pytest.raises(InputError) as caught:
        with_pictures(part, root=pack, name="page.html")
    assert str(caught.value) == f"page.html: {expected}"


def test_pictures_that_would_swell_a_web_page_are_refused(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "LARGEST_CARRIED", 2 * len(PNG))
    assert with_pictures("<img src='dot.png'>" * 2, root=pack, name="page.html").count(PNG) == 2
    with pytest.raises(InputError, match=r"its pictures have more than \d+ bytes together"):
        with_pictures("<img src='dot.png'>" * 3, root=pack, name="page.html")
