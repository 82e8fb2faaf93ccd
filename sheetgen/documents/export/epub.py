"""A book as EPUB 3: its web page cut into files at its sections, with navigation, fonts, drawings and a cover.

What the file says of itself follows EPUB 3.3 and EPUB Accessibility 1.1; `epubcheck` finds no errors in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from io import BytesIO
from typing import Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sheetgen.documents.web_page_policy import local_name, tree_of

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of what a zip file can tell
MODIFIED = "2000-01-01T00:00:00Z"  # the same book gives the same bytes
LEFT_OUT = frozenset(("script", "style", "input", "button", "output", "link"))
MARK = "data-mark"  # whose rule it is, which the style sheet shows
EMPTY = frozenset(("area", "br", "col", "hr", "img", "wbr"))
CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<container version="1.0" '
    'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)
FEATURES = ("tableOfContents", "readingOrder", "structuralNavigation", "alternativeText", "displayTransformability")
SUMMARY = (
    "Text with headings, tables and lists; every drawing has a description. Nothing moves, sounds or needs colour."
)
_NAMES = {"http://www.w3.org/1999/xhtml": "", "http://www.w3.org/2000/svg": "svg"}


@dataclass(frozen=True, slots=True)
class EpubAbout:
    """What an EPUB says of itself: title, author, licence; and its style sheet, its fonts by file, its cover (PNG)."""

    title: str
    author: str
    rights: str
    style: str
    fonts: Mapping[str, bytes]
    cover: bytes


@dataclass(frozen=True, slots=True)
class _Part:
    """A file of the book: its name, its title, its body, and the headings below its title by their anchors."""

    file: str
    title: str
    body: str
    inside: tuple[tuple[str, str], ...]
    anchors: frozenset[str]


def epub(page: str, about: EpubAbout) -> bytes:
    """Return the web page of a book as EPUB 3: each section of its body, and each of its main part, is a file."""
    parts = _linked([_part(number, section) for number, section in enumerate(_sections(tree_of(page)), 1)])
    files: dict[str, bytes] = {"META-INF/container.xml": CONTAINER.encode()}
    texts = {part.file: _file(part.title, part.body) for part in parts}
    texts["nav.xhtml"] = _file("Contents", _navigation(parts))
    texts["cover.xhtml"] = _file(
        about.title, f'<p class="shown"><img src="cover.png" alt="{escape(about.title)}"/></p>'
    )
    for name, text in texts.items():
        files[f"EPUB/{name}"] = text.encode()
    files["EPUB/style.css"], files["EPUB/cover.png"] = about.style.encode(), about.cover
    files |= {f"EPUB/{name}": data for name, data in about.fonts.items()}
    files["EPUB/package.opf"] = _package(about, texts, [part.file for part in parts]).encode()
    return _zipped(files)


def _sections(root: Any) -> Iterator[Any]:
    """Yield the sections of a page in order, but its cover and its contents."""
    body = next(each for each in root if local_name(each) == "body")
    for element in body:
        if local_name(element) == "main":
            yield from (each for each in element if local_name(each) == "section")
        elif local_name(element) == "section" and "cover" not in (element.get("class") or "").split():
            yield element


def _part(number: int, section: Any) -> _Part:
    heads = [each for each in section.iter() if local_name(each) in ("h1", "h2")]
    title = " ".join("".join(heads[0].itertext()).split()) if heads else f"Part {number}"
    rules = [
        each for each in section.iter() if local_name(each) == "section" and each is not section and each.get("id")
    ]
    named = [
        (str(rule.get("id")), next((each for each in rule.iter() if local_name(each) == "h2"), None)) for rule in rules
    ]
    inside = tuple((name, " ".join("".join(head.itertext()).split())) for name, head in named if head is not None)
    anchors = frozenset(str(each.get("id")) for each in section.iter() if isinstance(each.tag, str) and each.get("id"))
    return _Part(f"part-{number:02}.xhtml", title, "".join(_written(section)), inside, anchors)


def _linked(parts: Sequence[_Part]) -> list[_Part]:
    """Return the parts with their links leading to the files in which their targets are; others become plain words."""
    homes = {anchor: part.file for part in parts for anchor in part.anchors}

    def address(found: re.Match[str]) -> str:
        home = homes.get(found[1])
        return f' href="{home}#{found[1]}"' if home else ""

    link = re.compile(r' href="#([^"]*)"')
    return [_Part(each.file, each.title, link.sub(address, each.body), each.inside, each.anchors) for each in parts]


def _written(element: Any, around: str = "") -> Iterator[str]:
    """Yield an element as XML; `around` is the namespace in which it stands."""
    if not isinstance(element.tag, str) or local_name(element) in LEFT_OUT:
        return
    space, tag = element.tag[1:].rpartition("}")[0], local_name(element)
    declared = f' xmlns="{space}"' if space != around and _NAMES.get(space) else ""
    attributes = "".join(
        f' {name}="{escape(value)}"'
        for name, value in element.attrib.items()
        if name == MARK or not name.startswith(("{", "data-", "xmlns"))
    )
    if tag in EMPTY and not _NAMES.get(space):
        yield f"<{tag}{attributes}/>"
        return
    yield f"<{tag}{declared}{attributes}>{escape(element.text or '', quote=False)}"
    for child in element:
        yield from _written(child, space)
        yield escape(child.tail or "", quote=False)
    yield f"</{tag}>"


def _file(title: str, body: str) -> str:
    """Return a file of the book."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">'
        f'<head><title>{escape(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f"<body>{body}</body></html>\n"
    )


def _navigation(parts: Sequence[_Part]) -> str:
    """Return the contents, and where a reader begins."""
    lines = []
    for part in parts:
        below = "".join(f'<li><a href="{part.file}#{name}">{escape(title)}</a></li>' for name, title in part.inside)
        lines.append(f'<li><a href="{part.file}">{escape(part.title)}</a>{f"<ol>{below}</ol>" if below else ""}</li>')
    begin = next((part.file for part in parts if part.inside), parts[0].file)
    places = (("cover", "cover.xhtml", "Cover"), ("bodymatter", begin, "Begin"))
    marks = "".join(f'<li><a epub:type="{kind}" href="{file}">{say}</a></li>' for kind, file, say in places)
    return (
        f'<nav epub:type="toc" role="doc-toc" id="toc"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>'
        f'<nav epub:type="landmarks" hidden="hidden"><h2>Places</h2><ol>{marks}</ol></nav>'
    )


def _package(about: EpubAbout, texts: Mapping[str, str], order: Sequence[str]) -> str:
    """Return what the book says of itself: metadata, every file, and the order to read in."""
    name = UUID(bytes=blake2b("".join(texts.values()).encode(), digest_size=16).digest(), version=4)
    said = [
        f'<dc:identifier id="id">urn:uuid:{name}</dc:identifier>',
        f"<dc:title>{escape(about.title)}</dc:title><dc:language>en</dc:language>",
        f"<dc:creator>{escape(about.author)}</dc:creator><dc:rights>{escape(about.rights)}</dc:rights>",
        f'<meta property="dcterms:modified">{MODIFIED}</meta>',
        *(f'<meta property="schema:accessMode">{mode}</meta>' for mode in ("textual", "visual")),
        '<meta property="schema:accessModeSufficient">textual</meta>',
        *(f'<meta property="schema:accessibilityFeature">{each}</meta>' for each in FEATURES),
        '<meta property="schema:accessibilityHazard">none</meta>',
        f'<meta property="schema:accessibilitySummary">{SUMMARY}</meta>',
    ]
    listed = [
        '<item id="style" href="style.css" media-type="text/css"/>',
        '<item id="picture" href="cover.png" media-type="image/png" properties="cover-image"/>',
        *(f'<item id="font-{at}" href="{file}" media-type="font/woff2"/>' for at, file in enumerate(about.fonts, 1)),
    ]
    for file, text in texts.items():
        kinds = [*(["nav"] if file == "nav.xhtml" else []), *(["svg"] if "<svg" in text else [])]
        kind = f' properties="{" ".join(kinds)}"' if kinds else ""
        listed.append(f'<item id="{file[:-6]}" href="{file}" media-type="application/xhtml+xml"{kind}/>')
    spine = "".join(f'<itemref idref="{file[:-6]}"/>' for file in ("cover.xhtml", "nav.xhtml", *order))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="id" xml:lang="en" prefix="schema: http://schema.org/">\n'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{"".join(said)}</metadata>\n'
        f"<manifest>{''.join(listed)}</manifest>\n<spine>{spine}</spine>\n</package>\n"
    )


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Return the files in a zip, its kind first and uncompressed, the same bytes for the same files."""
    with BytesIO() as out:
        with ZipFile(out, "w") as made:
            for name, data in {"mimetype": b"application/epub+zip", **files}.items():
                kind = ZIP_STORED if name == "mimetype" else ZIP_DEFLATED
                made.writestr(ZipInfo(name, FIRST_DAY), data, compress_type=kind)
        return out.getvalue()
