"""Forms made from templates, kept on disk under a key of everything that shaped them."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from html.parser import HTMLParser
from itertools import starmap
from pathlib import Path
from tempfile import gettempdir
from types import MappingProxyType
from typing import Required, TypedDict, Unpack

from sheetgen.batch.child import SCRATCH, lasting_scratch
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.people.card import HEAD as TOKEN_HEAD
from sheetgen.documents.people.card import HEADS, boxes
from sheetgen.documents.people.npc_page import HEADS as STACKED
from sheetgen.documents.people.sheet import (
    MORE,
    SMALL_TEMPLATE,
    TEMPLATE,
    FieldPlaces,
    game,
    marked_fields,
    unknown_fields,
)
from sheetgen.documents.people.sheet_layout import SMALL_WIDTH, WIDTH
from sheetgen.documents.web_page_policy import with_policy
from sheetgen.errors import InputError, OutputError, Place, Problem, SheetgenError, UsageError, quoted
from sheetgen.geometry import PAPERS, PEOPLE_PAPERS, SMALL_SHEET, Size
from sheetgen.model.character import PICTURE
from sheetgen.model.data import TemplateData
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import SANS, SERIF
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.form import Form
from sheetgen.products.sheet_pages import for_word, laid_out_pages, words_of
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.manifest import code_stamp, versions
from sheetgen.workspace.pack_cache import cached_facts
from sheetgen.workspace.packs import Pack, template_file, template_folders, template_root
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

CONTINUED, LAID_OUT = "sheet/continued.html", "sheet/layout.html"
FORMS = "forms"
STAMPED, PENCIL, FILLABLE = "form", "pencil", "fillable"  # the modes of a form, beside "page" for a web page
FONTCONFIG = "FONTCONFIG_FILE"
RESOURCE = FileLimit(20_000_000, 1, "make it smaller")
NO_VALUES: Mapping[str, str] = MappingProxyType({})
WEB_FACES = (
    *(FaceName(SERIF, weight) for weight in (400, 600, 700)),
    FaceName(SERIF, 400, italic=True),
    *(FaceName(SANS, weight) for weight in (400, 600)),
)
ALWAYS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"  # capitals that the style makes of small letters
)


def sheet_html(
    project: Project,
    pack: Pack,
    *,
    paper: str,
    back: bool = False,
    values: Mapping[str, str] | None = None,
    template: str = TEMPLATE,
    card: Size | None = None,
    code: bool = False,
    portrait: bool = False,
    asked: bool = False,
    mode: str = STAMPED,
) -> str:
    """Return the HTML of a sheet, or of a card of that size, as a form with an input for every field.

    With `code` there is room for a QR code, with `portrait` for a picture on the front, with `asked` for what people
    want and say; `mode` is what the form is for (STAMPED, PENCIL, FILLABLE).
    """
    from sheetgen.documents.render import environment, render  # imports Jinja

    data = _template_data(project, pack, paper=paper, back=back, mode=mode, values=values or {}, whole=True, card=card)
    data |= {"code": code, "portrait": portrait, "asked": asked}
    jinja = environment(template_folders(project, pack), project.shown)
    page = render(jinja, _designed(pack, template, paper, card), data)
    return with_ink(page, pack.system.tone)


def web_page(
    project: Project,
    pack: Pack,
    people: Sequence[Row],
    *,
    paper: str,
    back: bool,
    template: str = TEMPLATE,
    card: Size | None = None,
    opening: str = "",
    asked: bool = False,
) -> str:
    """Return one self-contained web page with the sheet or card of each person, the values as plain text in their
    places.

    What a sheet has no field for stands behind it; `opening` is HTML that stands before the first of them.
    """
    from sheetgen.documents.render import environment, render  # imports Jinja

    jinja, template = (
        environment(template_folders(project, pack), project.shown),
        _designed(pack, template, paper, card),
    )
    sheets: list[str] = []
    for row in people:
        of = for_word(pack, row.form)
        data = _template_data(
            project, of, paper=paper, back=back, mode="page", values=row.values, whole=not sheets, card=card
        )
        data |= {"portrait": PICTURE in row.values, "asked": asked}
        sheets.append(with_ink(render(jinja, template, data), pack.system.tone))
        if row.unplaced:
            sheets.append(render(jinja, CONTINUED, {"name": row.title, "sections": row.unplaced}))
    head, body, first = sheets[0].partition("<body>")
    more = "".join(sheets[1:])
    page = "".join((head, body, opening, first))
    if pack.ours:  # templates of ours make of every further person what they made of the first
        return published(project, pack, page, template, more=more)
    return published(project, pack, _append_to_body(page, more), template)


def published(project: Project, pack: Pack, page: str, template: str, *, script: str = "", more: str = "") -> str:
    """Return the page as one file that carries its fonts and pictures, fetches nothing and runs nothing but `script`.

    InputError with everything in it that no page may hold. `more` joins the end of its body without being looked at.
    """
    from sheetgen.pdf.flow.document import with_pictures

    name, root = template_file(project, pack, template), template_root(project, pack)
    fonts = _carried_fonts(page + more)
    page, more = (with_pictures(each, root=root, name=name) for each in (page, more))
    return _append_to_body(with_policy(page, name, style=fonts, script=script), more)


def published_plain(page: str, name: str) -> str:
    """Return a page of our own, whose pictures are inside it already, as one file that carries its fonts."""
    return with_policy(page, name, style=_carried_fonts(page))


def _append_to_body(page: str, more: str) -> str:
    before, end, after = page.rpartition("</body>")
    return f"{before}{more}{end}{after}" if end else page + more


def _carried_fonts(page: str) -> str:
    """Return CSS that carries the faces of a page inside it, cut down to the letters that the page shows."""
    return fonts_of_page(page, lambda number, data: f"data:font/woff2;base64,{b64encode(data).decode()}")


def fonts_of_page(page: str, address: Callable[[int, bytes], str]) -> str:
    """Return CSS for the faces of a page, cut down to its letters, each at the address that its number is given."""
    from sheetgen.pdf.fonts.bundled import small_font  # imports fontTools

    letters = {*page, *ALWAYS}
    rules = []
    for number, name in enumerate(WEB_FACES, 1):
        style = "italic" if name.italic else "normal"
        where = address(number, small_font(name, letters, "woff2"))
        rules.append(
            f"@font-face {{ font-family: '{name.family}'; font-weight: {name.weight}; font-style: {style}; "
            f"src: url({where}) format('woff2'); }}\n"
        )
    return "".join(rules)


def _designed(pack: Pack, template: str, paper: str, card: Size | None) -> str:
    """Return the template of a sheet: the shared one for a layout of the pack; small sheets have pages of their own."""
    if template == TEMPLATE and card is None and pack.system.sheet_layout is not None:
        return LAID_OUT
    return SMALL_TEMPLATE if template == TEMPLATE and paper == SMALL_SHEET and card is None else template


def _template_data(
    project: Project,
    pack: Pack,
    *,
    paper: str,
    back: bool,
    mode: str,
    values: Mapping[str, str],
    whole: bool,
    card: Size | None,
) -> TemplateData:
    if not pack.system.fields:
        raise UsageError(f"{pack.system.title} has no character sheet: its pack has no sheet.yaml")
    if paper not in PEOPLE_PAPERS:
        raise UsageError(f"sheets are made for {' and '.join(PEOPLE_PAPERS)}, not for {quoted(paper)}")
    about: TemplateData = {} if card is None else {"card": {"width": card.width, "height": card.height}}
    small = paper == SMALL_SHEET and card is None
    data = form_data(pack.system, paper=paper, mode=mode, values=values, small=small)
    laid_out = (
        {} if card is not None else laid_out_pages(project, pack, PAPERS[paper], small=small, empty=mode == PENCIL)
    )
    return {**data, **about, **laid_out, "whole": whole, "back": back or small, "boxes": boxes(pack.system)}


def form_data(
    system: System, *, paper: str, mode: str = STAMPED, values: Mapping[str, str] = NO_VALUES, small: bool = False
) -> TemplateData:
    """Return the data of any form's template: the game, the paper (in mm), the values, numbers to count rows with.

    `wide` is what the text of a sheet takes of the paper, a `small` one or another.
    """
    size, wide = PAPERS[paper], SMALL_WIDTH if small else WIDTH
    return {
        "game": game(system),
        "mode": mode,
        "values": dict(values),
        "numbers": list(range(1, 100)),
        "code": False,
        "portrait": False,
        "asked": False,
        "small": small,
        "wide": wide,
        "paper": {
            "name": paper,
            "width": size.width,
            "height": size.height,
            "side": round((size.width - wide) / 2, 3),
        },
    }


class AskedForm(TypedDict, total=False):
    """Which form of a sheet or card is asked for: `card` is its size, `mode` who fills it in."""

    paper: Required[str]
    back: bool
    template: str
    card: Size | None
    code: bool
    portrait: bool
    asked: bool
    mode: str


USUAL_FORM = AskedForm(
    paper="", back=False, template=TEMPLATE, card=None, code=False, portrait=False, asked=False, mode=STAMPED
)


def sheet_form(project: Project, pack: Pack, **asked: Unpack[AskedForm]) -> Form:
    """Return the form of a sheet or card, from the cache if nothing that shapes it has changed.

    That of one of our packs is looked for once, as long as the pack is open. InputError for a field of the template
    that no character of the game could fill.
    """
    whole: AskedForm = {**USUAL_FORM, **asked}
    make = partial(_sheet_form, project, pack, whole)
    if not project.is_lasting(pack.folder):
        return make()
    return pack.cached(("form", *whole.values(), pack.system.tone, project.cache), make)


def _sheet_form(project: Project, pack: Pack, asked: AskedForm) -> Form:
    @cache
    def html() -> str:
        return sheet_html(project, pack, **asked)

    def made() -> Form:
        root = template_root(project, pack)
        if project.is_lasting(pack.folder):  # the page need not be filled in again to learn which form it has
            key = repr((*asked.values(), pack.system.tone, pack.system.sheet_layout)).encode()
            name = f"{pack.folder.name}.form.{blake2b(key, digest_size=8).hexdigest()}"
            kept = cached_facts(project, name, lambda: {"form": _form_file(project, html(), root).name})
            if (form := _cached_form(project.cache / FORMS / str(kept.get("form")))) is not None:
                return form
        return compiled_form(project, html(), root=root, name=place.file)

    place, card = Place(template_file(project, pack, asked["template"])), asked["card"]
    form = pack.run_isolated(made, what=place.file)
    unknown = unknown_fields(form.names, pack.system, also=(*HEADS, *STACKED, TOKEN_HEAD) if card else ())
    if card and form.fronts > 1:
        raise InputError([Problem(place, f"is higher than a card of {card.width:g} × {card.height:g} mm")])
    if unknown:
        raise InputError(
            [Problem(place, f"field {quoted(name)}: no character of {pack.system.title} has it") for name in unknown]
        )
    return form


def places_of(pack: Pack, names: Iterable[str]) -> FieldPlaces:
    """Return which values of a character of the pack a sheet with fields of these names has places for."""
    return FieldPlaces(pack.system, names, marked_fields(pack.system) | dict(engine_of(pack.system).shown_by))


def field_names(html: str) -> tuple[str, ...]:
    """Return the names of the fields of a page that `sheet_html` made."""
    reader = _FieldReader()
    reader.feed(html)
    return tuple(reader.names)


class _FieldReader(HTMLParser):
    """Collects the names of inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("input", "textarea"):
            self.names[dict(attrs).get("name") or ""] = None


def sheet_forms(project: Project, pack: Pack, **asked: Unpack[AskedForm]) -> Form:
    """Return the form of a sheet or card as `sheet_form` does, with those of each word that has a sheet of its own."""
    form = sheet_form(project, pack, **asked)
    if asked.get("card") is not None or asked.get("template", TEMPLATE) != TEMPLATE:
        return form
    others = {word: sheet_form(project, for_word(pack, word), **asked) for word in words_of(pack)}
    return replace(form, others=others)


def continuation_form(project: Project, pack: Pack, *, paper: str) -> Form:
    """Return the page that takes what did not fit on a sheet."""
    return sheet_form(project, pack, paper=paper, template=MORE)


def fillable_sheet(project: Project, pack: Pack, *, paper: str, row: Row | None = None) -> bytes:
    """Return the fillable PDF of a sheet with its back, filled with the values of a row; pages behind it take the
    unplaced.
    """
    row = row or Row("", {})
    pack = for_word(pack, row.form)

    def made() -> bytes:
        from sheetgen.pdf.form.compile import compile_form  # imports WeasyPrint and pikepdf
        from sheetgen.pdf.form.fillable import continued, fillable_form

        use_bundled_fonts(project)
        html = sheet_html(
            project, pack, paper=paper, back=True, values=row.values, portrait=PICTURE in row.values, mode=FILLABLE
        )
        form = compile_form(html, root=template_root(project, pack), name=f"{pack.system.id} sheet")
        if row.unplaced:
            form = continued(form, continuation_form(project, pack, paper=paper), row)
        return fillable_form(form, title=f"{pack.system.title} character sheet", author=pack.system.credit)

    return pack.run_isolated(made)


def compiled_form(project: Project, html: str, *, root: Path, name: str, keep: bool = True) -> Form:
    """Return the form of a page, from the cache if the same page was compiled before, from files that have not changed
    since.

    `name` is what messages call it. A page that will hardly be asked for again need not be kept.
    """
    cached = _form_file(project, html, root)
    if (kept := _cached_form(cached)) is not None:
        return kept
    from sheetgen.pdf.form.compile import compile_form  # imports WeasyPrint and pikepdf

    use_bundled_fonts(project)
    form = compile_form(html, root=root, name=name)
    if keep:
        with suppress(OutputError):  # a cache that cannot be written only costs time
            write_file(cached, form.to_bytes())
    return form


def _form_file(project: Project, html: str, root: Path) -> Path:
    """Return where the form of a page is kept."""
    shaped = "\0".join((html, str(root.resolve()), code_stamp(), *versions()))
    return project.cache / FORMS / f"{blake2b(shaped.encode(), digest_size=20).hexdigest()}.form"


def _cached_form(path: Path) -> Form | None:
    """Return the form that is kept there, if there is one and all files of its page are what they were."""
    with suppress(OSError, RuntimeError, ValueError, SheetgenError):
        form = Form.from_bytes(path.read_bytes())
        if all(starmap(_is_unchanged, form.resources)):
            return form
    return None


def _is_unchanged(asked: str, path: str, digest: str) -> bool:
    """Return whether the path that a page asked for still leads to the same file, and that still holds the same."""
    found = Path(asked).resolve()
    return str(found) == path and blake2b(read_file(found, asked, most=RESOURCE), digest_size=16).hexdigest() == digest


def use_bundled_fonts(project: Project) -> None:
    """Let WeasyPrint see only the bundled fonts; must be called before its first import.

    This changes the environment of the process, since fontconfig reads it each time that a page is laid out.
    """
    if os.environ.get(FONTCONFIG, "").startswith((str(project.cache), str(Path(gettempdir()) / SCRATCH))):
        return
    from sheetgen.pdf.fonts.bundled import fontconfig_file  # imports fontTools

    folder: Path = project.cache / "fontconfig"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[FONTCONFIG] = str(fontconfig_file(folder))
    except OSError:  # a cache that cannot be written only costs time
        os.environ[FONTCONFIG] = str(fontconfig_file(Path(lasting_scratch())))
