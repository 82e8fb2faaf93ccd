"""Rule text to HTML: Markdown without raw HTML, with data, links and drawings, and blanks at which no line may end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from sheetgen.content.book.references import REFERENCE, Reference
from sheetgen.documents.figures.icons import card, die, hand, suit
from sheetgen.model.data import TemplateData
from sheetgen.model.wording import NO_BREAK

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BESIDE = ":: "  # before a paragraph that stands in the margin beside the one after it
_TAG = re.compile("<[^>]*>")
_FIRST, _LAST = 0xF0000, 0xFFFFD  # characters that stand for tags, from a plane that texts hardly use
_TAG_SIGN = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_SIGN = re.compile(rf"(?<= )([−+÷×]{_TAG_SIGN}*) (?=\S)")
_AFTER_NUMBER = re.compile(rf"(?<=\d)([%+²]?{_TAG_SIGN}*) (?={_TAG_SIGN}*[^\W\d_])")
_BEFORE_NUMBER = re.compile(rf"(?<!\w)((?:an?|at|[Bb]y|in|is|of|or|[Tt]o|CN|DM){_TAG_SIGN}*) (?={_TAG_SIGN}*[−+±]?\d)")
_BEFORE_SIGNED = re.compile(rf"(?<=\w) (?={_TAG_SIGN}*[−+±]\d)")
_ANY_SIGN = re.compile(rf"(?<!\d)([−+±×÷=≥≤]{_TAG_SIGN}*) (?=\S)")
_BEFORE_SMALL = re.compile(rf"(?<=[\w,:;]) (?={_TAG_SIGN}*(?:[−+±]\d|\d{{1,3}}(?:[.,;:)](?!\d)|\s|$|\+)))")
_MARK = re.compile("\ue000(\\d+)\ue001")
# WeasyPrint 70 may break a line after its first word where the blank before bold text just misses the end of the line;
# it does not if the blank is bold as well.
_BEFORE_BOLD = re.compile(r"[ \n]<(strong|em)>")
# A short word does not make the last line of a paragraph by itself.
_RUNT = re.compile("(?<=[^<>]{30})[ \n]([^\\s<>\ue000]{1,3})(?=</(?:p|li)>)")
_OTHERS = (
    (re.compile(r"\[\^[^\]\s]+\]"), "there are no footnotes (say it in the text, or in brackets)"),
    (re.compile(r"^\s*[-*+] \[[ xX]\] "), "there are no boxes to tick (make it a plain list)"),
)


def unbroken(html: str) -> str:
    """Return the HTML of running text with hard blanks; its tags stay as they are."""
    return _between_tags(html, _unbroken_text)


def tied(html: str) -> str:
    """Return the HTML of a card or an extract with hard blanks at signs and small numbers alone: "B +2", "− range"."""
    return _between_tags(html, tied_text)


def _between_tags(html: str, changed: Callable[[str], str]) -> str:
    """Return the HTML with its text changed, as one text in which a character of its own stands for each tag."""
    tags = list(dict.fromkeys(_TAG.findall(html)))
    used = set(html)
    free = (chr(each) for each in range(_FIRST, _LAST) if chr(each) not in used)
    marks = dict(zip(tags, free, strict=False))
    if len(marks) < len(tags):
        return html
    marked = {mark: tag for tag, mark in marks.items()}
    text = changed(_TAG.sub(lambda found: marks[found[0]], html))
    return re.sub(_TAG_SIGN, lambda found: marked.get(found[0], found[0]), text)


def _unbroken_text(text: str) -> str:
    for pattern in (_SIGN, _AFTER_NUMBER, _BEFORE_NUMBER):
        text = pattern.sub(rf"\1{NO_BREAK}", text)
    return _BEFORE_SIGNED.sub(NO_BREAK, text)


def tied_text(text: str) -> str:
    """Return plain text with hard blanks as `tied` sets them."""
    return _BEFORE_SMALL.sub(NO_BREAK, _ANY_SIGN.sub(rf"\1{NO_BREAK}", text))


def tied_tables(tables: list[TemplateData]) -> list[TemplateData]:
    """Return tables with the same hard blanks in their cells."""
    return [{**each, "rows": [[tied_text(cell) for cell in row] for row in _rows(each)]} for each in tables]


def _rows(table: TemplateData) -> list[list[str]]:
    rows = table["rows"]
    assert isinstance(rows, list)
    return rows


def runs(text: str) -> list[dict[str, Any]]:
    """Return the pieces of a line, bold between two asterisks each."""
    return [{"text": piece, "bold": at % 2 == 1} for at, piece in enumerate(text.split("**")) if piece]


def reminder_lines(text: str) -> Iterator[str]:
    """Yield the lines of a reminder; rows of Markdown tables have their first cell bold, items of lists a dot."""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if any(cells) and not all(set(cell) <= set("-: ") for cell in cells):
                yield " ".join(filter(None, (f"**{cells[0]}**" if cells[0] else "", *cells[1:])))
        elif line.startswith(("- ", "* ")):
            yield f"· {' '.join(line[2:].split())}"
        else:
            yield " ".join(line.split())


@cache
def _markdown(*, pictures: bool = True) -> MarkdownIt:
    """CommonMark with tables and ~~text struck out~~, without HTML, and with straight quotes made curly."""
    from markdown_it import MarkdownIt  # only where Markdown is read: sheets have none

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
    """Return the blocks of rule text in their order, each with `kind` (`paragraph`, `table`, `list`…) and `html`.

    A paragraph for the margin is of the kind `beside`, and has a `span` for each of its lines.
    """
    return [{"kind": kind, "html": html.rstrip("\n")} for kind, html in _rendered(text, resolve, linked=linked)]


def _rendered(
    text: str, resolve: Callable[[str], Reference], *, inline: bool = False, linked: bool
) -> Iterator[tuple[str, str]]:
    """Yield each block of rule text: what it is, and its HTML."""
    references: list[str] = []

    def mark(found: re.Match[str]) -> str:
        before = text[: found.start()].rpartition("\n\n")[2]
        bracketed = before.count("(") > before.count(")")
        references.append(_reference_html(resolve(found[1]), linked, bracketed=bracketed))
        return f"\ue000{len(references) - 1}\ue001"

    marked = REFERENCE.sub(mark, text)
    markdown = _markdown()
    block: list[Token] = []
    for token in markdown.parseInline(marked) if inline else markdown.parse(marked):
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            made = markdown.renderer.render(block, markdown.options, {})
            kind = block[0].type.removesuffix("_open").removeprefix("bullet_").removeprefix("ordered_")
            if made.startswith(f"<p>{BESIDE}"):
                kind, made = "beside", _lines_beside(made)
            made = _RUNT.sub(rf"{NO_BREAK}\1", made)
            yield kind, _MARK.sub(lambda found: references[int(found[1])], _BEFORE_BOLD.sub(r"<\1> ", made))
            block = []


def _lines_beside(paragraph: str) -> str:
    lines = paragraph.strip().removeprefix(f"<p>{BESIDE}").removesuffix("</p>").split("\n")
    return f'<aside class="beside"><div>{"".join(f"<span>{line}</span> " for line in lines)}</div></aside>'


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


def _reference_html(reference: Reference, linked: bool, *, bracketed: bool) -> str:
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
    looks = "see bracketed" if bracketed else "see"  # its page stands in no brackets of its own
    return f'<a class="{looks}" href="#{anchor(reference.kind, reference.target)}">{escape(reference.text)}</a>'


def anchor(kind: str, name: str) -> str:
    """Return the anchor of a rule, chapter, table or handout: the same in every build."""
    return f"{kind}-{re.sub('[^a-z0-9]+', '-', name.casefold()).strip('-')}"
