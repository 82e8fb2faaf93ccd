"""Rule text to HTML: Markdown without raw HTML, its references put in as data, links and drawings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sheetgen.content.book.references import REFERENCE, Reference
from sheetgen.documents.figures.icons import card, die, hand, suit

_MARK = re.compile("\ue000(\\d+)\ue001")
# WeasyPrint 70 may break a line after its first word where the blank before bold text just misses the end of the line;
# it does not if the blank is bold as well.
_BEFORE_BOLD = re.compile(r"[ \n]<(strong|em)>")

_OTHERS = (
    (re.compile(r"\[\^[^\]\s]+\]"), "there are no footnotes (say it in the text, or in brackets)"),
    (re.compile(r"^\s*[-*+] \[[ xX]\] "), "there are no boxes to tick (make it a plain list)"),
)


@cache
def _markdown(*, pictures: bool = True) -> MarkdownIt:
    """CommonMark with tables and ~~text struck out~~, without HTML, and with straight quotes made curly."""
    made = MarkdownIt("commonmark", {"html": False, "typographer": True})
    made.enable(["table", "replacements", "smartquotes", "strikethrough"])
    return made if pictures else made.disable("image")


def plain_html(text: str, *, inline: bool = False) -> str:
    """Return the HTML of text without references: letters, notices, prices."""
    markdown = _markdown(pictures=False)
    made: str = markdown.renderInline(text) if inline else markdown.render(text)
    return made


def html_of(text: str, resolve: Callable[[str], Reference], *, inline: bool = False, linked: bool = True) -> str:
    """Return the HTML of rule text; `resolve` gives what a reference in braces stands for.

    References to rules, chapters and tables are links, or plain words if not `linked`.
    """
    return "".join(html for _, html in _rendered(text, resolve, inline=inline, linked=linked))


def blocks_of(text: str, resolve: Callable[[str], Reference], *, linked: bool = True) -> list[dict[str, str]]:
    """Return the blocks of rule text in their order, each with `kind` (`paragraph`, `table`, `list`…) and `html`."""
    return [{"kind": kind, "html": html.rstrip("\n")} for kind, html in _rendered(text, resolve, linked=linked)]


def _rendered(
    text: str, resolve: Callable[[str], Reference], *, inline: bool = False, linked: bool
) -> Iterator[tuple[str, str]]:
    """Yield each block of rule text: what it is, and its HTML."""
    references: list[str] = []

    def mark(found: re.Match[str]) -> str:
        references.append(_reference_html(resolve(found[1]), linked))
        return f"\ue000{len(references) - 1}\ue001"

    marked = REFERENCE.sub(mark, text)
    markdown, block = _markdown(), list[Token]()
    for token in markdown.parseInline(marked) if inline else markdown.parse(marked):
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            made = markdown.renderer.render(block, markdown.options, {})
            kind = block[0].type.removesuffix("_open").removeprefix("bullet_").removeprefix("ordered_")
            yield kind, _MARK.sub(lambda found: references[int(found[1])], _BEFORE_BOLD.sub(r"<\1> ", made))
            block = []


def addresses(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each link and picture of rule text: its line, counted from 0, its address, whether it is a picture."""
    if "[" not in text and "<" not in text:
        return
    for block in _markdown().parse(text):
        line = block.map[0] if block.map else 0
        for part in block.children or ():
            if part.type in ("softbreak", "hardbreak"):
                line += 1
            elif part.type in ("image", "link_open"):
                yield line, str(part.attrs.get("src" if part.type == "image" else "href", "")), part.type == "image"


def printed_as_typed(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line, counted from 0, with a mark of other kinds of Markdown, and what to write instead."""
    for number, line in enumerate(text.split("\n")):
        for pattern, instead in _OTHERS:
            if found := pattern.search(line):
                yield number, f'"{found[0].strip()}" prints as typed: {instead}'


def _reference_html(reference: Reference, linked: bool) -> str:
    if reference.kind == "die":
        return die(int(reference.target))
    if reference.kind == "card":
        return card(reference.target)
    if reference.kind == "suit":
        return suit(reference.target)
    if reference.kind == "hand":
        return hand(reference.target.split(", "))
    if reference.kind == "handout":
        words = f"<em>{escape(reference.text)}</em>"
        return f'<a class="cited" href="#{anchor("handout", reference.target)}">{words}</a>' if linked else words
    if reference.kind == "text" or not linked:
        return escape(reference.text)
    return f'<a class="see" href="#{anchor(reference.kind, reference.target)}">{escape(reference.text)}</a>'


def anchor(kind: str, name: str) -> str:
    """Return the anchor of a rule, chapter, table or handout: the same in every build."""
    return f"{kind}-{re.sub('[^a-z0-9]+', '-', name.casefold()).strip('-')}"
