"""Work on a pack with a draft in it, done where pages are drawn: the pages of a rule, every problem, what moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheetgen.documents.markdown import anchor
from sheetgen.errors import InputError, Place, Problem, SheetgenError, problems_at, without_places
from sheetgen.model.book import Rule
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.press.pages import anchored_pages, page_count
from sheetgen.products.book_parts import chapter_names, chapter_pdf, known_pages
from sheetgen.products.card_decks import carded_rules, rule_cards
from sheetgen.products.card_sheets import single_cards
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import open_book
from sheetgen.products.people_print import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.table.examples import check_examples
from sheetgen.workspace.packs import OpenedPacks, Pack
from sheetgen.workspace.project import Project

PAPER, SEED, MOST_MOVED = "a5", 7, 30
CARD = "poker"


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """Pages that show a draft: card or page, what or whom they show, the PDF, and the numbers of those to look at."""

    what: str
    say: str
    data: bytes
    shown: tuple[int, ...]
    count: int


def worked(project: Project, opened: OpenedPacks, asked: Mapping[str, Any]) -> object:
    """Return what is asked of a draft: `paper` or `whole`; errors as those of opening its pack and of drawing.

    `packs` has the folders of all packs in sight by name, the copy with the draft among them, which is `folder`.
    """
    packs = {str(name): Path(folder) for name, folder in asked["packs"].items()}
    around = replace(project, library=replace(project.library, packs=packs))
    return _WORK[asked["do"]](around, opened, asked)


def _paper(project: Project, opened: OpenedPacks, asked: Mapping[str, Any]) -> tuple[DrawnPage, ...]:
    """Return the card and the page of the rule at hand, or somebody, whom all else shapes."""
    pack = opened.pack(project, asked["folder"])
    return _of_rule(project, pack, asked["chapter"], asked["rule"]) or _somebody(project, pack)


def _of_rule(project: Project, pack: Pack, chapter: str, rule: str) -> tuple[DrawnPage, ...]:
    if not rule or not has_book(project, pack):
        return ()
    found = list[DrawnPage]()
    if rule in carded_rules(project, pack):
        cards = rule_cards(project, pack, pack.system.card_size or CARD, rule)
        data = single_cards(cards, backs=False, bleed=0)
        count = page_count(data)
        found.append(DrawnPage("card", rule, data, tuple(range(1, count + 1)), count))
    if chapter in chapter_names(project, pack):
        data = chapter_pdf(project, pack, PAPER, chapter, known_pages(project, pack, PAPER))
        count = page_count(data)
        at = min(anchored_pages(data).get(anchor("rule", rule), 1), count)
        found.append(DrawnPage("page", f"{rule} in the book", data, (at,), count))
    return tuple(found)


def _somebody(project: Project, pack: Pack) -> tuple[DrawnPage, ...]:
    """Somebody rolled by the pack, as their page is printed: what creation, names and sheets shape."""
    if not pack.system.creation.methods:
        return ()
    with BytesIO() as made:
        people = list(roll(pack, RollOptions(SEED, 1)))
        write_people(project, pack, people, made.write, PrintOptions("a4", "sheet", workers=1), form=".pdf")
        return (DrawnPage("page", f"Somebody of seed {SEED}, on the sheet", made.getvalue(), (1,), 1),)


def _pack_problems(
    project: Project, opened: OpenedPacks, asked: Mapping[str, Any]
) -> tuple[tuple[Problem, ...], tuple[tuple[str, str], ...]]:
    """Return every problem of the pack with the draft in it, and what that changes beside the pack without it."""
    pack = opened.pack(project, asked["folder"])
    problems = list[Problem]()
    for work in (check_examples, _rules):
        try:
            work(project, pack)
        except InputError as error:
            problems += error.problems
        except SheetgenError as error:
            problems += problems_at(Place(asked["folder"]), error)
    if problems or not asked["before"]:
        return tuple(dict.fromkeys(problems)), ()
    name = pack.folder.name
    around = {**project.library.packs, name: Path(asked["before"])}
    try:
        before = replace(project, library=replace(project.library, packs=around))
        return (), _moved(before, opened.pack(before, asked["before"]), project, pack)
    except SheetgenError:  # it could not be read before: there is nothing to compare
        return (), ()


def _moved(before: Project, old: Pack, project: Project, new: Pack) -> tuple[tuple[str, str], ...]:
    """Return what a draft changes elsewhere, as far as it can be told truly: rules that read otherwise, people."""
    old_rules, new_rules, old_people, new_people = (
        _rules(before, old),
        _rules(project, new),
        _sample_people(old),
        _sample_people(new),
    )
    moved = [("new rule", name) for name in new_rules if name not in old_rules]
    moved += [("rule gone", name) for name in old_rules if name not in new_rules]
    same = [name for name in new_rules if name in old_rules]
    moved += [("rule", name) for name in same if without_places(new_rules[name]) != without_places(old_rules[name])]
    others = sum(one != other for one, other in zip(old_people, new_people, strict=False))
    if others or len(old_people) != len(new_people):
        moved.append(("people", f"{others} of {len(old_people)} people of seed {SEED} come out otherwise"))
    if new.system.values != old.system.values:
        moved.append(("values", "values that rules, cards and odds refer to"))
    return tuple(moved[:MOST_MOVED])


def _rules(project: Project, pack: Pack) -> Mapping[str, Rule]:
    """Return the rules of the book of a pack; none if it has no book."""
    if not has_book(project, pack):
        return {}
    return pack.run_isolated(lambda: dict(open_book(project, pack).book.rules))


def _sample_people(pack: Pack) -> list[object]:
    if not pack.system.creation.methods:
        return []
    people: Callable[[], list[object]] = lambda: [each.values for each in roll(pack, RollOptions(SEED, 6))]  # noqa: E731
    return pack.cached("people of a seed", lambda: pack.run_isolated(people))


_WORK: Mapping[str, Callable[[Project, OpenedPacks, Mapping[str, Any]], object]] = MappingProxyType(
    {"paper": _paper, "whole": _pack_problems}
)
