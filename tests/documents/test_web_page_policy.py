"""Web pages that carry nothing but text: what a template may not put in them, and the seal every page gets."""

from __future__ import annotations

import pytest

from sheetgen.documents.web_page_policy import POLICY, sealed, unsafe_parts


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("<script>alert(1)</script>", "<script> is not allowed"),
        ("<iframe src=file:///etc/passwd></iframe>", "<iframe> is not allowed"),
        ("<p onfocus='x()'>a</p>", "onfocus= is not allowed"),
        ("<img src='http://evil.example/x.png'>", 'src="http://evil.example/x.png" would be fetched'),
        ("<a href='javascript:x()'>a</a>", 'href="javascript:x()" is not a link'),
        ("<a href='file:///etc/passwd'>a</a>", 'href="file:///etc/passwd" is not a link'),
        ("<meta http-equiv=refresh content='0; url=http://evil.example'>", "a page must not send its reader elsewhere"),
        ("<base href='http://evil.example/'>", "<base> is not allowed"),
    ],
)
def test_what_runs_or_fetches_is_named(part: str, expected: str) -> None:
    problems = unsafe_parts(f"<body>{part}</body>", "mist/sheet.html")
    assert str(problems[0]).startswith(f"mist/sheet.html: {expected}")


def test_plain_pages_pass() -> None:
    page = (
        "<p title='a'>text</p><img src='data:image/png;base64,AA=='><a href='#top'>up</a><a href='https://x.org'>x</a>"
    )
    assert unsafe_parts(page, "x") == ()


def test_every_page_is_sealed() -> None:
    assert POLICY in sealed("<html><head><title>x</title></head></html>")
