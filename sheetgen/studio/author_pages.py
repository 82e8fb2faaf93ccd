"""What a change of a pack shows and moves: card and page of the rule at hand, what reads otherwise elsewhere."""

from __future__ import annotations

from hashlib import blake2b
from io import BytesIO
from typing import Any

from sheetgen.content.book.chapters import chapter_name
from sheetgen.content.explain import explain_place
from sheetgen.content.yaml.nodes import Mapping, parse
from sheetgen.documents.markdown import anchor
from sheetgen.errors import InputError, SheetgenError, UsageError
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.press.pages import anchored_pages, page_count
from sheetgen.products.book_parts import chapter_names, chapter_pdf, known_pages
from sheetgen.products.card_sheets import single_cards
from sheetgen.products.chapter_files import has_book
from sheetgen.products.people_print import write_people
from sheetgen.products.rule_cards import carded_rules, rule_cards
from sheetgen.products.shapes import PrintOptions
from sheetgen.studio.author_files import AuthoredFile
from sheetgen.studio.draft_packs import DraftPack, rules_of, with_draft
from sheetgen.studio.studio import Studio
from sheetgen.studio.unplaced import unplaced

PAPER, SEED, MOST_MOVED = "a5", 7, 30
CARD = "poker"


def rule_at(text: str, line: int) -> str:
    """Return the rule of a chapter that a line belongs to; empty before the first."""
    lines = text.split("\n")
    at = min(max(line, 1), len(lines))
    column = len(lines[at - 1]) + 1
    found = explain_place({}, text, at, column)
    steps = [*found.path, found.key]
    return steps[1] if len(steps) > 1 and steps[0] == "rules" else ""


def line_of(text: str, rule: str) -> int:
    """Return the line of a rule in the text of a chapter, from 1; 0 where it is not, or the text cannot be read."""
    try:
        node = parse(text.encode(), "chapter")
    except InputError:
        return 0
    entries = node.entries if isinstance(node, Mapping) else ()
    rules = next((value for key, value in entries if key.text == "rules"), None)
    found = rules.entries if isinstance(rules, Mapping) else ()
    return next((key.place.line for key, _ in found if key.text == rule), 0)


def paper_of(studio: Studio, file: AuthoredFile, text: str, line: int) -> dict[str, Any]:
    """Return the pictures that show a line of a file; InputError while the pack cannot be read."""
    if file.pack is None:
        raise UsageError("This file belongs to no pack: nothing is drawn of it.")
    if file.path.suffix in (".yaml", ".yml"):
        parse(text.encode(), file.file)
    draft = with_draft(studio, file, text)
    key = (str(file.pack), blake2b(_state(draft).encode(), digest_size=16).hexdigest())
    rule = rule_at(text, line) if file.kind == "chapter" else ""
    try:
        pictures = _of_rule(studio, draft, key, chapter_name(file.path), rule) if rule else []
        pictures = pictures or _somebody(studio, draft, key)
    except InputError as error:
        raise InputError([draft.told(each) for each in error.problems]) from None
    return {"problem": "" if pictures else "Nothing is printed of this yet.", "pictures": pictures}


def _state(draft: DraftPack) -> str:
    """Return what tells one state of a pack's files from another."""
    files = sorted(each for each in draft.folder.rglob("*") if each.is_file())
    return "\n".join(f"{each}\0{blake2b(each.read_bytes(), digest_size=12).hexdigest()}" for each in files)


def _of_rule(studio: Studio, draft: DraftPack, key: object, chapter: str, rule: str) -> list[dict[str, Any]]:
    project, pack = draft.project, draft.pack
    if not has_book(project, pack):
        return []
    with studio.making:
        has_card = rule in carded_rules(project, pack)
        has_page = chapter in chapter_names(project, pack)
    found = list[dict[str, Any]]()

    def card() -> bytes:
        with studio.making:
            return single_cards(rule_cards(project, pack, pack.system.card_size or CARD, rule), backs=False, bleed=0)

    def pages() -> bytes:
        with studio.making:
            return chapter_pdf(project, pack, PAPER, chapter, known_pages(project, pack, PAPER))

    if has_card:
        address = studio.pictures.register((key, "card", rule), card)
        count = _made(studio, address)[1]
        found += [
            {"src": f"{address}-{at}.png", "say": f"Card {at} of {rule}", "is": "card"} for at in range(1, count + 1)
        ]
    if has_page:
        address = studio.pictures.register((key, "chapter", chapter), pages)
        data, count = _made(studio, address)
        at = min(anchored_pages(data).get(anchor("rule", rule), 1), count)
        found.append(
            {"src": f"{address}-{at}.png", "say": f"{rule} in the book", "is": "page", "number": at, "of": count}
        )
    return found


def _made(studio: Studio, address: str) -> tuple[bytes, int]:
    data = studio.pictures.pdf(address.rpartition("/")[2])
    return data, page_count(data)


def _somebody(studio: Studio, draft: DraftPack, key: object) -> list[dict[str, Any]]:
    """Somebody rolled by the pack, as their page is printed: what creation, names and sheets shape."""
    pack = draft.pack
    if not pack.system.creation.methods:
        return []

    def make() -> bytes:
        with studio.making, BytesIO() as made:
            people = list(roll(pack, RollOptions(SEED, 1)))
            write_people(draft.project, pack, people, made.write, PrintOptions("a4", "sheet", workers=1), form=".pdf")
            return made.getvalue()

    address = studio.pictures.register((key, "somebody"), make)
    _made(studio, address)
    return [{"src": f"{address}-1.png", "say": f"Somebody of seed {SEED}, on the sheet", "is": "page"}]


def what_moves(studio: Studio, file: AuthoredFile, before: str, text: str, draft: DraftPack) -> list[dict[str, str]]:
    """Return what a draft changes elsewhere, as far as it can be told truly: rules that read otherwise, people."""
    if text == before:
        return []
    try:
        old = with_draft(studio, file, before, aside="before")
        with studio.making:
            new_rules, new_people = rules_of(draft), _people(draft)
            old_rules, old_people = rules_of(old), _people(old)
    except SheetgenError:  # one of the two cannot be read whole: there is nothing to compare
        return []
    moved = [{"what": "new rule", "name": name} for name in new_rules if name not in old_rules]
    moved += [{"what": "rule gone", "name": name} for name in old_rules if name not in new_rules]
    same = [name for name in new_rules if name in old_rules]
    moved += [{"what": "rule", "name": name} for name in same if unplaced(new_rules[name]) != unplaced(old_rules[name])]
    others = sum(one != other for one, other in zip(old_people, new_people, strict=False))
    if others or len(old_people) != len(new_people):
        moved.append(
            {"what": "people", "name": f"{others} of {len(old_people)} people of seed {SEED} come out otherwise"}
        )
    if draft.pack.system.values != old.pack.system.values:
        moved.append({"what": "values", "name": "values that rules, cards and odds refer to"})
    return moved[:MOST_MOVED]


def _people(draft: DraftPack) -> list[object]:
    pack = draft.pack
    if not pack.system.creation.methods:
        return []
    return [each.values for each in pack.run_isolated(lambda: list(roll(pack, RollOptions(SEED, 6))))]
