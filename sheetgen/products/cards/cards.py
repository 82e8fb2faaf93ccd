"""Decks of cards: reference cards from the rules of a pack, and the decks that a pack declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.card_table import CardTable
from sheetgen.dice.deck import Card, full_deck
from sheetgen.documents.cards import (
    TYPES,
    title_size,
)
from sheetgen.documents.people.card import card_values
from sheetgen.documents.render import environment, render
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import CARDS, PAPERS
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData, Values
from sheetgen.model.printing import MOST_IN_DECK, RULES, CustomDeck
from sheetgen.model.wording import capital
from sheetgen.people.rolling import RollOptions, check_run, roll
from sheetgen.press.plan import PRINTER_MARGIN, Flip
from sheetgen.products.cards.decks import box_page, carded_rules, rule_cards, table_cards, table_of
from sheetgen.products.cards.sheets import (
    BACKS,
    CardPages,
    CardSheetOptions,
    card_data,
    card_sheets,
    single_cards,
    write_pictures,
)
from sheetgen.products.cards.shop_files import check_size, shop_cards
from sheetgen.products.chapter_files import has_rule_with
from sheetgen.products.options import (
    MOST_MM,
    RolledOptions,
    choice,
    flip_option,
    millimetres,
    paper_option,
    plan_option,
    printer_option,
    shop_option,
    whole_number,
)
from sheetgen.products.page_cache import pdf_of
from sheetgen.products.product import ProductResult, default_stem, known_printer, pack_product
from sheetgen.products.shapes import texts_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.printers import print_shop
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import slugs

POKER, TRADING = "poker", "trading"
SHOP_FILES = {".pdf": "PDF", ".zip": "ZIP of pictures"}
DEFAULT_PEOPLE, DEFAULT_SEED = 8, 7
SUITED = 52  # cards of a deck without its jokers
INCHES = ("letter", "half-letter", "legal")  # papers on which a printer's margin leaves no room for three poker cards


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of cards that a pack has: what is on it, and how its pages are made on cards of a size.

    A deck of people has up to `people` of them, rolled by `RollOptions`; others ignore it. The first of its `sizes` is
    the default. `make` returns the whole deck, or of one of its `parts` the cards alone.
    """

    say: str
    make: Callable[..., CardPages]
    parts: Callable[[RollOptions], Mapping[str, str]]
    sizes: tuple[str, ...] = tuple(TYPES)
    people: int = 0

    def default_size(self, paper: str, cut: tuple[str, ...] = ()) -> str:
        """Return the size of its cards where none is asked for; of trading cards Letter holds nine with a margin.

        It is the first of those that a shop `cut`s on which the deck is made.
        """
        if cut:
            return next((each for each in cut if each in self.sizes), cut[0])
        usual = self.sizes[0]
        return TRADING if paper in INCHES and usual == POKER and TRADING in self.sizes else usual


def decks_of(project: Project, pack: Pack) -> dict[str, Deck]:
    """Return the decks of a pack by name: its reference cards, if its rules have some, and those that it declares."""
    found = {}
    if has_rule_with(project, pack, "card"):
        first = (pack.system.card_size,) if pack.system.card_size else ()
        sizes = tuple(dict.fromkeys((*first, *TYPES)))
        found[RULES] = Deck(
            "what is looked up in play",
            lambda size, run, part="": rule_cards(project, pack, size, part),
            lambda run: carded_rules(project, pack),
            sizes,
        )
    for name, deck in pack.system.decks.items():
        parts = partial(_custom_parts, pack, deck)
        found[name] = Deck(deck.say, partial(_custom_cards, project, pack, deck), parts, deck.sizes, deck.people)
    return found


def deck_of(project: Project, pack: Pack, name: str) -> Deck:
    """Return the deck of that name; UsageError if this pack does not have it."""
    decks = decks_of(project, pack)
    if not decks:
        how = "add `card:` to a rule in rules/, or `decks:` to system.yaml"
        raise UsageError(f"{pack.system.title} has no cards: its pack has neither rules with a card nor decks ({how})")
    if name not in decks:
        has = suggestion(name, decks) or f"; it has {', '.join(decks)}"
        raise UsageError(f"{pack.system.title} has no deck {quoted(name)}{has}")
    return decks[name]


def _custom_parts(pack: Pack, deck: CustomDeck, run: RollOptions) -> dict[str, str]:
    """Return the cards of a deck by their numbers, each with what it is called."""
    if deck.people:
        return {str(number): f"number {number}" for number in range(1, run.count + 1)}
    return {str(at): card_name(card, pack.system.values, deck) for at, card in enumerate(full_deck(deck.jokers), 1)}


def _custom_cards(  # noqa: PLR0917
    project: Project, pack: Pack, deck: CustomDeck, size: str, run: RollOptions, part: str = ""
) -> CardPages:
    """Return the cards of a deck that a pack declares, or one of them, and the back that they share.

    UsageError for a size they are not made for, and for too many people.
    """
    if size not in deck.sizes:
        sizes = ", ".join(deck.sizes)
        raise UsageError(f"the deck {quoted(deck.name)} is made on cards of {sizes}, not {size}")
    if deck.people and run.count > deck.people:
        raise UsageError(f"the deck {quoted(deck.name)} has {deck.people} people at the most, not {run.count:,}")
    if part and part not in (parts := _custom_parts(pack, deck, run)):
        raise UsageError(f"the deck {quoted(deck.name)} has cards 1 to {len(parts)}, no {quoted(part)}")
    if not deck.people:
        return pack.run_isolated(lambda: _playing_cards(project, pack, deck, size, int(part or 0)), limits=PUBLICATION)
    numbers = range(int(part) - 1, int(part)) if part else range(run.count)
    people = list(roll(pack, run).part(numbers))
    return pack.run_isolated(lambda: _people_cards(project, pack, deck, size, people), limits=PUBLICATION)


def _playing_cards(project: Project, pack: Pack, deck: CustomDeck, size: str, only: int) -> CardPages:
    cards = full_deck(deck.jokers)[only - 1 : only] if only else full_deck(deck.jokers)
    names = [card_name(card, pack.system.values, deck) for card in cards]
    html = playing_page(project, pack, deck, size, only)
    data = pdf_of(project, pack, html, name=f"{pack.system.id} {deck.template}")
    return CardPages(data, size, tuple(capital(name) for name in names))


def playing_page(project: Project, pack: Pack, deck: CustomDeck, size: str, only: int = 0) -> str:
    """Return the HTML of a deck of playing cards, or of the one with that number.

    The template is given `cards`, each with `rank`, `suit`, `name` and `joker`: its number, or 0 for a suited card.
    """
    cards = [
        {
            "rank": card.rank,
            "suit": card.suit,
            "name": card_name(card, pack.system.values, deck),
            "joker": max(at - SUITED, 0),
        }
        for at, card in enumerate(full_deck(deck.jokers), 1)
        if only in (0, at)
    ]
    return _rendered(project, pack, deck, {**card_data(pack, size), "cards": cards})


def card_name(card: Card, values: Values, deck: CustomDeck) -> str:
    """Return what a pack calls a playing card, such as "king of spades"."""

    def named(letter: str, path: str) -> str:
        return values.text(f"{path}.{letter}") if path and values.has(f"{path}.{letter}") else letter

    return "Joker" if card.is_joker else f"{named(card.rank, deck.ranks)} of {named(card.suit, deck.suits)}"


def _people_cards(project: Project, pack: Pack, deck: CustomDeck, size: str, people: Iterable[Character]) -> CardPages:
    from sheetgen.pdf.fonts.bundled import text_width  # imports fontTools

    told = texts_of(pack.system, card_values)
    shown = [
        {
            "name": each.text("name"),
            "title_size": title_size(each.text("name"), size, text_width),
            "known": f"the card of {each.text('name')}",
            "fields": told(each),
        }
        for each in people
    ]
    html = _rendered(project, pack, deck, {**card_data(pack, size), "people": shown})
    places = {str(each["known"]): pack.system.place for each in shown}
    data = pdf_of(project, pack, html, name=f"{pack.system.id} {deck.template}", places=places)
    return CardPages(data, size, tuple(str(each["name"]) for each in shown))


def _rendered(project: Project, pack: Pack, deck: CustomDeck, data: TemplateData) -> str:
    return render(environment(template_folders(project, pack), project.shown), deck.template, data)


@dataclass(frozen=True, kw_only=True)
class CardsOptions(RolledOptions):
    """Which deck, on cards of which size, on which paper, with which backs; the people in a deck of people."""

    deck: str = choice(
        RULES,
        f"{RULES} (what is looked up in play), or another deck of the game",
        read=str,
        metavar="NAME",
        offers=decks_of,
    )
    table: str = choice(
        "",
        "a deck out of your own table, .csv or .yaml: title, text, icon, cost, tags, back, count",
        read=str,
        metavar="FILE",
        flag="--from",
        label="a table of your own",
    )
    size: str = choice("", "default: the deck's usual size; poker on A4, trading on Letter", choices=tuple(CARDS))
    single: bool = choice(
        False,
        "a page for each front and back, with 3 mm of colour beyond the cut; a .zip holds them as pictures",
        label="card by card",
    )
    shop: str = shop_option("them: drivethru, mpc, gamecrafter, shop (any other)")
    box: bool = choice(
        False, "instead of the cards, a tuck box for them as a page to cut and fold", label="a box for them"
    )
    count: int = choice(
        0,
        "how many people, in a deck of them",
        read=whole_number(1, MOST_IN_DECK),
        short="-n",
        metavar="N",
        label="how many people",
    )
    paper: str = paper_option(tuple(PAPERS), "there are")
    backs: str = choice("duplex", "; ".join(f"{name}: {what}" for name, what in BACKS.items()), choices=tuple(BACKS))
    bleed: bool = choice(False, "cards stand apart, each with 3 mm to be cut away around it")
    marks: bool = choice(True, "where to cut and fold, and a ruler", negatable=True, label="marks and ruler")
    flip: Flip = flip_option()
    margin: float | None = choice(
        None,
        f"what your printer cannot print on (default {PRINTER_MARGIN:g}, or as --printer knows it)",
        read=millimetres(0, MOST_MM),
        metavar="MM",
    )
    printer: str = printer_option()
    plan: bool = plan_option()

    @property
    def run(self) -> RollOptions:
        """The run that a deck of people is rolled by."""
        seed = DEFAULT_SEED if self.seed is None else self.seed
        return RollOptions(
            seed=seed, count=self.count or DEFAULT_PEOPLE, archetype=self.archetype, options=dict(self.option)
        )


def make_cards(project: Project, pack: Pack, options: CardsOptions, form: str) -> ProductResult:
    """Return the deck on sheets to cut out, as single pages, or as a ZIP of pictures; UsageError if there is none."""
    table = table_of(project, options.table) if options.table else None
    deck = Deck("", _of_table(project, pack, table), lambda run: {}) if table else _chosen_deck(project, pack, options)
    shop = print_shop(project, options.shop) if options.shop else None
    size = options.size or deck.default_size(options.paper, shop.cards if shop else ())
    if shop is not None:
        check_size(shop, size)
        if form != shop.form:
            raise UsageError(f"{shop.title} takes a {SHOP_FILES[shop.form]}: give -o a name that ends in {shop.form}")
    key = ("faces", options.deck, size, repr(options.run), repr(options.tone))
    faces = deck.make(size, options.run) if table else pack.cached(key, lambda: deck.make(size, options.run))
    if options.box:
        count = len(faces.names)
        say = deck.say or f"{count} cards"
        page = box_page(project, pack, card_data(pack, size), size=size, count=count, say=say, paper=options.paper)
        return ProductResult(page, f"a box for {count} {size} cards")
    if shop is not None:
        made = shop_cards(faces, shop, _called(pack, faces), backs=options.backs != "none")
    else:
        made = _delivered(project, pack, options, form, faces)
    notes = (*made.notes, *map(str, (*faces.notes, *(table.notes if table else ()))))
    title = f"{pack.system.title}: {deck.say or Path(options.table).name}"
    return replace(made, notes=notes, title=title, left_out=faces.left_out)


def _chosen_deck(project: Project, pack: Pack, options: CardsOptions) -> Deck:
    """Return the deck that the options name; UsageError if there is none, or if they ask it for what it has not."""
    deck = deck_of(project, pack, options.deck)
    if not deck.people and (options.count or options.seed is not None or options.archetype or options.option):
        words = "--count, --seed, --archetype and --option"
        raise UsageError(f"{words} are for decks of people; {options.deck} is none")
    if deck.people:
        check_run(pack, options.run)
    return deck


def _drawable_parts(project: Project, pack: Pack, options: CardsOptions) -> Mapping[str, str]:
    """Return what can be drawn alone: rules that have cards, or the cards of a deck; nothing of an own table."""
    return {} if options.table else _chosen_deck(project, pack, options).parts(options.run)


def _make_part(project: Project, pack: Pack, options: CardsOptions, part: str) -> ProductResult:
    """Return the cards of one part and their back, a page each, cut to size."""
    deck = _chosen_deck(project, pack, options)
    faces = deck.make(options.size or deck.default_size(options.paper), options.run, part)
    return ProductResult(single_cards(faces, bleed=0), ", ".join(faces.names), left_out=faces.left_out)


def _of_table(project: Project, pack: Pack, table: CardTable) -> Callable[[str, RollOptions], CardPages]:
    return lambda size, run: table_cards(project, pack, table, size, card_data(pack, size))


def _called(pack: Pack, faces: CardPages) -> str:
    return f"{len(faces.names)} {faces.size} cards of {pack.system.title}"


def _delivered(project: Project, pack: Pack, options: CardsOptions, form: str, faces: CardPages) -> ProductResult:
    """Return the faces of a deck as the options ask for them: as pictures, singly, or on sheets."""
    what, backs = _called(pack, faces), options.backs != "none"
    if form == ".zip":
        pieces = list[bytes]()
        write_pictures(faces, pieces.append, backs=backs)
        return ProductResult(b"".join(pieces), what)
    if options.single:
        return ProductResult(single_cards(faces, backs=backs), what)
    made = card_sheets(faces, _sheet_options(project, options))
    return ProductResult(made.data, what, made.advice, made.job)


def _sheet_options(project: Project, options: CardsOptions) -> CardSheetOptions:
    """Return how cards are put on paper, as the options and the printer's profile say."""
    known = known_printer(project, options.printer)
    margin = known.margin if options.margin is None else options.margin
    return CardSheetOptions(
        paper=options.paper,
        backs=options.backs,
        flip=options.flip,
        bleed=options.bleed,
        margin=PRINTER_MARGIN if margin is None else margin,
        marks=options.marks,
        shift=known.moves(options.flip),
    )


def _conflict(options: CardsOptions, formats: Collection[str]) -> None:
    if options.box and (options.shop or options.single or options.plan or ".zip" in formats):
        raise UsageError("--box is one page to cut and fold, as PDF: leave out --for, --single, --plan and pictures")
    if options.table and options.deck != RULES:
        raise UsageError("--from is a deck of its own: leave out --deck")
    if options.plan and (options.single or options.shop):
        raise UsageError(
            f"--plan shows how sheets are printed and cut: leave out {'--for' if options.shop else '--single'}"
        )


def _stem(pack: Pack, options: CardsOptions) -> str:
    what = "cards" if options.deck == RULES else f"{options.deck}-cards"
    if options.table:
        what = f"{next(slugs([Path(options.table).stem]))}-cards"
    if options.shop:
        return f"{default_stem(pack, what)}-{options.shop}"
    return default_stem(pack, what, options.paper) + ("-box" if options.box else "-single" if options.single else "")


def _usual(project: Project, options: CardsOptions) -> tuple[str, ...]:
    """Return the format of a deck that is given no name: what the shop takes, else a PDF."""
    return (print_shop(project, options.shop).form,) if options.shop else (".pdf",)


def _variants(project: Project, pack: Pack) -> Iterator[tuple[str, CardsOptions]]:
    for name in decks_of(project, pack):
        yield "cards" if name == RULES else f"cards --deck {name}", CardsOptions(deck=name)


CARDS_PRODUCT = pack_product(
    "cards",
    "reference cards and other decks: on sheets to cut out, or one by one",
    formats=(".pdf", ".zip"),
    options=CardsOptions,
    make=make_cards,
    stem=_stem,
    variants=_variants,
    conflict=_conflict,
    usual_of=_usual,
    shaped_by="rules",
    parts=_drawable_parts,
    make_part=_make_part,
)
