"""Print: every product of every game, its options as controls, its pages as pictures, and the way to paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.errors import InputError, SheetgenError, UsageError, quoted, suggestion
from sheetgen.products.cards.decks import TABLES, may_be_table
from sheetgen.products.option_form import (
    Offers,
    SentForm,
    controls,
    form_of,
    in_plain_words,
    label_of,
    offers_of,
    read_form,
)
from sheetgen.products.options import Options, default_of, options_of
from sheetgen.products.product import Product, product_named, products_of
from sheetgen.products.shapes import shape_named
from sheetgen.studio.assets import KEPT_FOR_EVER
from sheetgen.studio.drawing import FIRST, PLAN, DrawingOrder, DrawnProduct, drawings_of, key_of
from sheetgen.studio.pages import Area, awaited, is_partial, page, part
from sheetgen.studio.people.trays import in_print_tray, tray_data
from sheetgen.studio.people.wall import games, usual_game
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.packs import Pack

PRINT = "/print"
AREA = Area(PRINT, "Print", "4")
WHOLE = "*all"  # asked for as what is shown: all pages, as they are printed
SMALL_DPI = 50  # of the first page in the list of all products
FINE_DPI = 128
NOT_OPTIONS = ("show", "page", "small", "key", "download")
FONTS = (".ttf",)
MOST_FILES = 200
_FLAGGED = re.compile(r": --[a-z-]+ .*$")  # what only the command line offers
INLINE = {"Content-Security-Policy": "frame-ancestors 'none'"}  # a PDF is no page of ours: the browser's viewer has it


def routes() -> list[Route]:
    """Return the addresses of this place."""
    product = f"{PRINT}/{{game}}/{{product}}"
    return [
        Route(PRINT, _overview),
        Route(f"{product}/first.png", awaited(_first_picture)),
        Route(f"{product}/page.png", awaited(_draw_picture)),
        Route(f"{product}/pages", awaited(_pages)),
        Route(f"{product}/count", awaited(_count)),
        Route(f"{product}/{{name}}.{{form}}", awaited(_file)),
        Route(product, _product),
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for: a product of a game, its options as far as they are legal, and what of it is shown."""

    studio: Studio
    game: str
    pack: Pack
    product: Product[Any, Any]
    usual: Options
    offers: Offers
    form: SentForm[Any]
    show: str = FIRST
    number: int = 1

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The fields of the options that are not as usual."""
        return form_of(self.form.options, self.usual)

    def address(self, end: str = "", **more: object) -> str:
        """Return the address of this product, or of something below it."""
        shown = [("show", self.show)] if self.show != FIRST else []
        pairs = [*self.fields, *shown, *((name, str(value)) for name, value in more.items())]
        query = urlencode(pairs)
        return f"{PRINT}/{self.game}/{self.product.name}{end}" + (f"?{query}" if query else "")

    def order(self, part: str, form: str = ".pdf") -> DrawingOrder:
        """Return the order to draw it."""
        fields = tuple(form_of(self.form.options, self.product.options()))
        if form == ".pdf" and part != PLAN and _usual_form(self) != ".pdf":  # pictures for a shop are shown as pages
            fields = (*(each for each in fields if each[0] != "shop"), ("single", "yes"))
        return DrawingOrder(self.product.name, (self.game,), fields, part, form)

    @property
    def conflict(self) -> str:
        """What does not go together in the options, in the words of the page; empty if all does."""
        try:
            self.product.conflict(self.form.options, (_usual_form(self),))
        except UsageError as error:
            return in_plain_words(str(error), self.product.options)
        return ""


def _usual_form(asked: Asked) -> str:
    """Return the format that is made of these options: what the print shop takes, else a PDF."""
    if not getattr(asked.form.options, "shop", ""):
        return ".pdf"
    try:
        return (*asked.product.usual_of(asked.studio.project, asked.form.options), ".pdf")[0]
    except SheetgenError:
        return ".pdf"


def _asked_product(request: Request) -> Asked:
    """Return what an address asks for; UsageError for a game or a product that is not there."""
    pairs = request.query_params.multi_items()
    return asked_of(studio_of(request), request.path_params["game"], request.path_params["product"], pairs)


def asked_of(studio: Studio, game: str, name: str, pairs: Sequence[tuple[str, str]]) -> Asked:
    """Return what the parts of an address ask for; UsageError for a game or a product that is not there."""
    if game not in studio.project.library.packs:
        raise UsageError(f"unknown game {quoted(game)}{suggestion(game, studio.project.library.packs)}")
    pack, product = studio.pack(game), product_named(name)
    variant = _first(studio, pack, name)
    if variant is None:
        raise UsageError(f"{pack.system.title} has no {quoted(name)} to print")
    with studio.making:
        offers = dict(offers_of(product.options, studio.project, pack, _files(studio)))
    offers |= {
        name: [each for each in offers[name] if each.lower().endswith(TABLES)] for name in offers if name == "table"
    }
    form = read_form(product.options, [pair for pair in pairs if pair[0] not in NOT_OPTIONS], offers, variant)
    others = dict(pairs)
    number = others.get("page", "1")
    page_number = int(number) if number.isdecimal() and 0 < int(number) < 10_000 else 1
    return Asked(studio, game, pack, product, variant, offers, form, others.get("show") or FIRST, page_number)


def _variants(studio: Studio, pack: Pack) -> list[tuple[Product[Any, Any], str, Options]]:
    def found() -> list[tuple[Product[Any, Any], str, Options]]:
        with studio.making:  # what is made of files of people is printed where these are
            made = products_of(studio.project, pack)
            return [each for each in made if each[0].arguments[0].name in ("system", "what")]

    return studio.lately.get(("products", str(pack.folder), studio.mark(pack)), found)


def _first(studio: Studio, pack: Pack, name: str) -> Options | None:
    """Return the first variant of a product, which its address stands for; None if the game has no such product."""
    return next((options for each, _, options in _variants(studio, pack) if each.name == name), None)


def _files(studio: Studio) -> Iterator[str]:
    """Yield the files of the folder that an option may name: tables of cards, fonts."""
    found = (
        path.relative_to(studio.folder)
        for pattern in ("*", "*/*")
        for path in sorted(studio.folder.glob(pattern))
        if path.suffix.lower() in (*TABLES, *FONTS) and path.is_file() and not path.is_symlink()
        if path.suffix.lower() in FONTS or may_be_table(path)
    )
    yield from (str(path) for path, _ in zip(found, range(MOST_FILES), strict=False) if path.parts[0][0] != ".")


# The list of all that can be printed.


def _overview(request: Request) -> Response:
    studio = studio_of(request)
    chosen = request.query_params.get("game") or usual_game(studio)
    if chosen not in studio.project.library.packs:
        raise UsageError(f"unknown game {quoted(chosen)}{suggestion(chosen, studio.project.library.packs)}")
    pack = studio.pack(chosen)
    shown = printables(studio, chosen)
    data = {"games": _games(studio, chosen), "products": shown, "game": pack.system.title, "word": chosen}
    return page(request, "print", {**data, "tray": tray_data(studio)}, title="Print")


def printables(studio: Studio, game: str) -> list[dict[str, str]]:
    """Return all that can be printed of a game: what it is called and says, its address, and that of its picture."""
    pack, shown = studio.pack(game), list[dict[str, str]]()
    for product, words, options in _variants(studio, pack):
        asked = Asked(studio, game, pack, product, options, {}, SentForm(options))
        first = _varied(asked, "/first.png")
        shown.append({**_product_entry(product, words, options), "address": _varied(asked), "picture": first})
    return shown


def _varied(asked: Asked, end: str = "") -> str:
    """Return the address of a variant of a product, or of something below it: what is not as in the first one."""
    query = urlencode(form_of(asked.usual, _first(asked.studio, asked.pack, asked.product.name) or asked.usual))
    return f"{PRINT}/{asked.game}/{asked.product.name}{end}" + (f"?{query}" if query else "")


def _games(studio: Studio, chosen: str) -> list[dict[str, object]]:
    """Return every game and pack in sight, by title."""
    titles = {name: name for name in studio.project.library.packs} | {each.name: each.title for each in games(studio)}
    found = sorted(titles.items(), key=lambda each: each[1].casefold())
    return [{"name": name, "title": title, "here": name == chosen} for name, title in found]


def _product_entry(product: Product[Any, Any], words: str, options: Options) -> dict[str, str]:
    """Return what a product is called in the list, with what is chosen in this variant of it, and what it is."""
    title, _, say = product.say.partition(": ")
    chosen = []
    for each, about in options_of(type(options)):
        value = getattr(options, each.name)
        if each.name == "shape":
            title, say = f"People: {shape_named(value).say}", product.say
        elif value != default_of(each) and f"--{each.name}" in words:
            chosen.append(label_of(each.name, about) if value is True else f"{label_of(each.name, about)}: {value}")
    said = ", ".join(chosen)
    title = title if not said else f"{title} ({said[:1].lower()}{said[1:]})"
    return {"title": title[:1].upper() + title[1:], "say": say, "words": words}


def _first_picture(request: Request, unwanted: Event) -> Response:
    asked = _asked_product(request)
    order = asked.order(FIRST)
    made, _ = _draw(request, asked, order, unwanted)
    return _png(asked.studio, made, 1, SMALL_DPI, kept="key" in request.query_params)


# One product.


def _product(request: Request) -> Response:
    """Return the page of a product, or for a form that changes the pages and the notes beside the controls."""
    asked = _asked_product(request)
    if is_partial(request):
        return part(request, "print/changed", _paper_data(request, asked, None))
    order = asked.order(_part_of(asked))
    drawings = drawings_of(request)
    key = _key(request, asked, order)
    made = None
    if not asked.conflict and drawings.is_ready(asked.studio.project, key):
        made = drawings.drawn(asked.studio.project, asked.studio.environ, order, key, Event())
    data = _paper_data(request, asked, made)
    products = [
        {
            **_product_entry(product, words, options),
            "address": _varied(Asked(asked.studio, asked.game, asked.pack, product, options, {}, SentForm(options))),
            "here": product.name == asked.product.name and _is_variant(asked, options),
        }
        for product, words, options in _variants(asked.studio, asked.pack)
    ]
    whole = {
        **data,
        "games": _games(asked.studio, asked.game),
        "products": products,
        "tray": tray_data(asked.studio),
        "word": asked.game,
    }
    return page(request, "print/product", whole, title=data["named"]["title"])


def _is_variant(asked: Asked, options: Options) -> bool:
    names = ("shape", "deck")
    return all(getattr(asked.form.options, name, "") == getattr(options, name, "") for name in names)


def _part_of(asked: Asked) -> str:
    return "" if asked.show == WHOLE else asked.show


def _pages(request: Request, unwanted: Event) -> Response:
    """Return the pages as pictures with what is told of them, once they are made."""
    asked = _asked_product(request)
    if asked.conflict:
        return part(request, "print/pages", _paper_data(request, asked, None))
    try:
        made, _ = _draw(request, asked, asked.order(_part_of(asked)), unwanted)
    except SheetgenError as error:
        return part(request, "print/pages", {**_paper_data(request, asked, None), "failed": _lines(asked, error)})
    return part(request, "print/pages", _paper_data(request, asked, made))


def _lines(asked: Asked, error: SheetgenError) -> list[str]:
    told = sorted(error.problems) if isinstance(error, InputError) else str(error).splitlines()
    return [in_plain_words(str(each), asked.product.options) for each in told]


def _paper_data(request: Request, asked: Asked, made: DrawnProduct | None) -> dict[str, Any]:
    """Return all that the templates show of a product: its controls, its pages if they are made, and the ways on."""
    found = list(controls(asked.product.options, asked.form, asked.offers))
    variant = next(words for _, words, options in _variants(asked.studio, asked.pack) if options == asked.usual)
    plain = replace(asked, show=FIRST)
    own = {each.name for each in found if each.own}
    return {
        "named": _product_entry(asked.product, variant, asked.form.options),
        "game": asked.pack.system.title,
        "action": f"{PRINT}/{asked.game}/{asked.product.name}",
        "controls": [each for each in found if each.own],
        "more": [each for each in found if not each.own],
        "changed": [name for name, _ in asked.fields if name not in own],
        "conflict": asked.conflict,
        "show": asked.show,
        "waiting": made is None and not asked.conflict,
        "pages_address": asked.address("/pages", page=asked.number),
        "here": asked.address(),
        "ticked": in_print_tray(asked.studio, plain.address()),
        "tray_item": plain.address(),
        "failed": [],
        "made": _made_data(request, asked, made) if made is not None else None,
        "files": _file_addresses(asked, made),
        "count": count_data(request, asked, made),
    }


def count_data(request: Request, asked: Asked, made: DrawnProduct | None) -> dict[str, Any]:
    """Return how many pages and sheets there are of all of it, where that is known, else where it is told."""
    drawings, studio, order = drawings_of(request), asked.studio, asked.order("")
    if asked.conflict or asked.form.problems or _usual_form(asked) != ".pdf":
        return {"pages": 0, "address": ""}
    if made is None or made.part:
        key = _key(request, asked, order)
        if not drawings.is_ready(studio.project, key):
            return {"pages": 0, "address": replace(asked, show=FIRST).address("/count")}
        made = drawings.drawn(studio.project, studio.environ, order, key, Event())
    pages = len(made.sizes)
    two_sided = made.job is not None and bool(made.job.flip) and pages > 1
    return {"pages": pages, "sheets": (pages + 1) // 2 if two_sided else 0, "address": ""}


def _count(request: Request, unwanted: Event) -> Response:
    """Return how many pages there are of all of it, which is made for that: whoever downloads it does not wait."""
    asked = _asked_product(request)
    with suppress(SheetgenError):  # is told over the pages, or where it is downloaded
        drawn(request, asked, unwanted)
        return part(request, "print/count", {"count": count_data(request, asked, None)})
    return part(request, "print/count", {"count": {"pages": 0, "address": ""}})


def _file_addresses(asked: Asked, made: DrawnProduct | None) -> dict[str, str]:
    whole, form = replace(asked, show=FIRST), _usual_form(asked)
    stem = f"/{asked.game}-{asked.product.name}"
    return {
        "form": form.removeprefix("."),
        "download": whole.address(f"{stem}{form}", download="yes"),
        "view": whole.address(f"{stem}.pdf") if form == ".pdf" else "",
        "plan": whole.address(f"{stem}-plan.pdf") if made is not None and made.job is not None else "",
    }


def _made_data(request: Request, asked: Asked, made: DrawnProduct) -> dict[str, Any]:
    """Return the pages of a drawing, the one that is looked at with its other side, and what is told to print them."""
    count = len(made.sizes)
    number = min(asked.number, count)
    key = _key(request, asked, asked.order(_part_of(asked)))
    two_sided = made.job is not None and bool(made.job.flip) and count > 1
    step = 2 if two_sided else 1
    other = number + (1 if number % 2 else -1) if two_sided else 0
    width, height = made.sizes[number - 1]
    return {
        "count": count,
        "number": number,
        "what": made.what,
        "side": "" if not two_sided else ("front" if number % 2 else "back"),
        "sheet": (number + 1) // 2 if two_sided else 0,
        "sheets": (count + 1) // 2 if two_sided else 0,
        "picture": asked.address("/page.png", page=number, key=key),
        "width": round(width * FINE_DPI / 72),
        "height": round(height * FINE_DPI / 72),
        "lies": width > height,
        "before": asked.address(page=number - step) if number > step else "",
        "after": asked.address(page=number + step) if number + step <= count else "",
        "turn": asked.address(page=other) if 1 <= other <= count else "",
        "advice": [_FLAGGED.sub("", each[:1].upper() + each[1:]) for each in made.advice],
        "notes": [*made.notes, *(f"left out: {each}" for each in made.left_out)],
        "parts": [
            {
                "name": name,
                "say": say[:1].upper() + say[1:],
                "here": name == made.part,
                "address": replace(asked, show=name).address(),
            }
            for name, say in made.parts
        ],
        "part": made.part,
        "whole": replace(asked, show=WHOLE).address(),
        "all_shown": not made.part,
    }


def _key(request: Request, asked: Asked, order: DrawingOrder) -> str:
    return key_of(asked.studio.project, order, asked.pack, asked.studio.lately, asked.studio.mark(asked.pack))


def drawn(request: Request, asked: Asked, unwanted: Event) -> DrawnProduct:
    """Return all pages of what an address asks for; errors as those of its product."""
    if asked.conflict:
        raise UsageError(asked.conflict)
    return _draw(request, asked, asked.order(""), unwanted)[0]


def title_of(asked: Asked) -> str:
    """Return what is asked for, with its game."""
    words = next(words for _, words, options in _variants(asked.studio, asked.pack) if options == asked.usual)
    return f"{asked.pack.system.title}: {_product_entry(asked.product, words, asked.form.options)['title']}"


def _draw(request: Request, asked: Asked, order: DrawingOrder, unwanted: Event) -> tuple[DrawnProduct, str]:
    studio, key = asked.studio, _key(request, asked, order)
    return drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted), key


def _draw_picture(request: Request, unwanted: Event) -> Response:
    asked = _asked_product(request)
    made, key = _draw(request, asked, asked.order(_part_of(asked)), unwanted)
    return _png(asked.studio, made, asked.number, FINE_DPI, kept=request.query_params.get("key") == key)


def _png(studio: Studio, made: DrawnProduct, number: int, dpi: int, *, kept: bool) -> Response:
    data = studio.pictures.picture(made.data, number, dpi)
    return Response(data, media_type="image/png", headers=KEPT_FOR_EVER if kept else {})


def _file(request: Request, unwanted: Event) -> Response:
    """Return the product as a file to keep, or to look at and print."""
    asked, form = _asked_product(request), f".{request.path_params['form']}"
    if asked.form.problems:
        name, problem = next(iter(asked.form.problems.items()))
        raise UsageError(f"{name} {problem}")
    if form not in asked.product.formats:
        raise UsageError(f"{asked.product.name} is made as {' or '.join(asked.product.formats)}, not as {quoted(form)}")
    plan = request.path_params["name"].endswith("-plan")
    order = asked.order(PLAN if plan else "", form)
    if asked.conflict:
        raise UsageError(asked.conflict)
    made, _ = _draw(request, asked, order, unwanted)
    return sent_file(made.data, f"{request.path_params['name']}{form}", download="download" in request.query_params)


TYPES: Mapping[str, str] = {".pdf": "application/pdf", ".zip": "application/zip"}


def sent_file(data: bytes, name: str, *, download: bool) -> Response:
    """Return a file, to be kept if it is for `download`, else to be looked at."""
    form = name[name.rindex(".") :]
    shown = form == ".pdf" and not download
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    headers = {"Content-Disposition": f'{"inline" if shown else "attachment"}; filename="{plain}"', **INLINE}
    return Response(data, media_type=TYPES.get(form, "application/octet-stream"), headers=headers)
