"""Web pages that carry all they show: what a template may not put in them, and the policy every page gets."""

from __future__ import annotations

import pytest

from sheetgen.documents.web_page_policy import POLICY, with_policy
from sheetgen.errors import InputError

PAGE = "<!DOCTYPE html><html lang=en><head><title>x</title></head><body>{}</body></html>"
PICTURE = "data:image/png;base64,AA=="


def refused(page: str) -> list[str]:
    """What is said of a page, a line for each fault."""
    with pytest.raises(InputError) as caught:
        with_policy(page, "mist/sheet.html")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("<script>alert(1)</script>", "<script> is not allowed"),
        ("<iframe src=file:///etc/passwd></iframe>", "<iframe> is not allowed"),
        ("<p onfocus='x()'>a</p>", "onfocus= is not allowed"),
        ("<img src='http://evil.example/x.png'>", 'src="http://evil.example/x.png" would be fetched'),
        ("<img srcset='http://evil.example/x.png 2x'>", 'srcset="http://evil.example/x.png 2x" would be fetched'),
        ("<a href='javascript:x()'>a</a>", 'href="javascript:x()" is not a link'),
        ("<a href=' java\nscript:x()'>a</a>", 'href=" java'),
        ("<a href='file:///etc/passwd'>a</a>", 'href="file:///etc/passwd" is not a link'),
        ("<a ping='http://evil.example/' href='#a'>a</a>", 'ping="http://evil.example/" would be fetched'),
        ("<meta http-equiv=refresh content='0; url=http://evil.example'>", "a page must not send its reader elsewhere"),
        ("<meta http-equiv=x-dns-prefetch-control content=on>", 'http-equiv="x-dns-prefetch-control" is not allowed'),
        ("<base href='http://evil.example/'>", "<base> is not allowed"),
        ("<noscript><p title='</noscript><script>x()</script>'></noscript>", "<noscript> is not allowed"),
        ("<template><script>x()</script></template>", "<template> is not allowed"),
        ("<x-element></x-element>", "<x-element> is not allowed"),
    ],
)
def test_what_runs_or_fetches_is_named(part: str, expected: str) -> None:
    assert any(line.startswith(f"mist/sheet.html: {expected}") for line in refused(PAGE.format(part)))


@pytest.mark.parametrize(
    "part",
    [
        "<!--><script>alert(1)</script>-->",
        "<!---><script>alert(1)</script>-->",
        "<!--x--!><script>alert(1)</script>-->",
        "<!x><script>alert(1)</script>",
        "<p title='a'><SCRIPT/x>alert(1)</SCRIPT>",
        "<svg><style><script>alert(1)</script></style></svg>",
        "<svg><title><b><script>alert(1)</script></b></title></svg>",
        "<textarea></textarea ><script>alert(1)</script>",
    ],
)
def test_a_script_is_found_where_a_browser_sees_one(part: str) -> None:
    assert "mist/sheet.html: <script> is not allowed" in refused(PAGE.format(part))


@pytest.mark.parametrize(
    "part",
    [
        "<p style='background:url(http://evil.example/x)'>a</p>",
        "<p style=\"background:url('//evil.example/x')\">a</p>",
        "<p style='background:\\75rl(http://evil.example/x)'>a</p>",
        "<p style='background:image-set(\"http://evil.example/x\" 1x)'>a</p>",
        "<p style='--x: \"http://evil.example/x\"; background:image-set(var(--x) 1x)'>a</p>",
        "<style>p { background: url(http://evil.example/x) }</style>",
        "<style>@media print { p { content: url(x.png) } }</style>",
        "<style>@import 'http://evil.example/x.css';</style>",
        "<style>@font-face { font-family: X; src: url(http://evil.example/x.woff2) }</style>",
        "<svg><image xlink:href='http://evil.example/x.png' /></svg>",
        "<svg><image href='x.png' /></svg>",
        "<svg><use href='http://evil.example/x.svg#a' /></svg>",
        "<svg><rect fill='url(http://evil.example/x.svg#a)' /></svg>",
        "<svg><style>rect { fill: url(http://evil.example/x.svg#a) }</style></svg>",
        "<svg><a xlink:href='javascript:x()'><text>a</text></a></svg>",
        "<svg><a><animate attributeName=href values='javascript:x()' /></a></svg>",
        "<svg><foreignObject><p>a</p></foreignObject></svg>",
        "<math><mtext><mglyph><style><p title='</style><script>x()</script>'></style></mglyph></mtext></math>",
        "<table background='http://evil.example/x'></table>",
        "<video poster='http://evil.example/x'></video>",
        "<input type=image src='http://evil.example/x'>",
        "<button formaction='http://evil.example/x'>a</button>",
    ],
)
def test_no_attribute_style_or_drawing_fetches(part: str) -> None:
    assert refused(PAGE.format(part))


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><html lang=en><body><p>a</p></body></html>",
        "<p>a</p>",
        "<!-- <head> --><html><body><p>a</p></body></html>",
        "<html><body><p>a</p><head></head></body></html>",
        "a<head><title>x</title></head><body></body>",
        "<html><header><head></head></header></html>",
        "<html><body title='<head>'>a</body></html>",
    ],
)
def test_a_page_without_a_head_of_its_own_is_refused(page: str) -> None:
    assert "<head>" in refused(page)[0]


@pytest.mark.parametrize("head", ["<head>", "<HEAD>", "<head class=x>", "<head\n>"])
def test_the_policy_stands_in_front_of_everything_in_the_head(head: str) -> None:
    page = with_policy(PAGE.replace("<head>", head).format("a"), "x")
    assert page.index(POLICY) < page.index("<title>")


def test_plain_pages_pass() -> None:
    page = PAGE.format(
        f"<p title='url(http://x.org)'>text</p><img src='{PICTURE}'><a href='#top'>up</a><a href='https://x.org'>x</a>"
        f"<p style='background:url({PICTURE})'>a</p><svg><clipPath id=c /><g clip-path='url(#c)' transform='scale(2)'>"
        f"<image href='{PICTURE}' /><use xlink:href='#c' /></g></svg><!-- <script> --><p>&lt;script&gt;</p>"
    )
    assert page.partition("<title>")[2] in with_policy(page, "x")


def test_one_script_of_ours_may_run_and_no_other() -> None:
    page = with_policy(PAGE.format("<p>a</p>"), "x", script="find()", style="p { color: red }")
    assert "<script>find()</script>\n</body>" in page
    assert "script-src 'sha256-" in page
    assert "<style>\np { color: red }</style>" in page
    with pytest.raises(InputError, match="<script> is not allowed"):
        with_policy(PAGE.format("<script>find()</script>"), "x", script="find()")
