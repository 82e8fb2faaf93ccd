"""What a change of a pack shows and moves: card and page of the rule at hand, what reads otherwise elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import Event
from typing import Any

from sheetgen.content.book.chapters import chapter_name
from sheetgen.content.schema import explain_place
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import parse
from sheetgen.errors import InputError, Problem, SheetgenError, UsageError
from sheetgen.studio.author_files import AuthoredFile
from sheetgen.studio.draft_packs import DraftPack, with_draft
from sheetgen.studio.draft_work import DrawnPage
from sheetgen.studio.drawing import Drawings
from sheetgen.studio.studio import Studio
from sheetgen.workspace.safekeeping import read_kept


def rule_at(text: str, line: int) -> str:
    """Return the rule of a chapter that a line belongs to; empty before the first."""
    lines = text.split("\n")
    at = min(max(line, 1), len(lines))
    column = len(lines[at - 1]) + 1
    found = explain_place({}, text, at, column)
    steps = [*found.path, found.key]
    return steps[1] if len(steps) > 1 and steps[0] == "rules" else ""


def value_at(text: str, line: int) -> str:
    """Return the path of the value that a line of `system.yaml` gives, such as `difficulty.fair`; empty for others."""
    lines = text.split("\n")
    at = min(max(line, 1), len(lines))
    found = explain_place({}, text, at, len(lines[at - 1]) + 1)
    first, *steps = [*found.path, found.key]
    return ".".join(steps) if first == "values" else ""


def rule_with(packs: Sequence[Path], value: str) -> tuple[str, str]:
    """Return the chapter and the rule of packs that name a value first, those that draw odds before others."""
    path, found = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w-])"), list[tuple[bool, str, str]]()
    for file in (each for pack in packs for each in sorted((pack / "rules").glob("*.yaml")) if value):
        text = read_kept(file).text
        for number, line in enumerate(text.split("\n"), 1):
            if path.search(line) and (rule := rule_at(text, number)):
                found.append(("odds" not in line, chapter_name(file), rule))
    return min(found, key=lambda each: each[0], default=(False, "", ""))[1:]


def line_of(text: str, rule: str) -> int:
    """Return the line of a rule in the text of a chapter, from 1; 0 where it is not, or the text cannot be read."""
    try:
        node = parse(text.encode(), "chapter")
    except InputError:
        return 0
    entries = node.entries if isinstance(node, MappingNode) else ()
    rules = next((value for key, value in entries if key.text == "rules"), None)
    found = rules.entries if isinstance(rules, MappingNode) else ()
    return next((key.place.line for key, _ in found if key.text == rule), 0)


def paper_of(
    studio: Studio, drawings: Drawings, file: AuthoredFile, text: str, line: int, *, unwanted: Event
) -> dict[str, Any]:
    """Return the pictures that show a line of a file; InputError while the pack cannot be read.

    Outdated when they became unwanted.
    """
    if file.pack is None:
        raise UsageError("This file belongs to no pack: nothing is drawn of it.")
    if file.path.suffix in (".yaml", ".yml"):
        parse(text.encode(), file.file)
    draft = with_draft(studio, file, text)
    chapter, rule = chapter_name(file.path), rule_at(text, line) if file.kind == "chapter" else ""
    if file.kind == "system":
        chapter, rule = rule_with((file.pack, *_extended(studio, file.pack)), value_at(text, line))
    asked = {"do": "paper", "chapter": chapter, "rule": rule}
    pages: tuple[DrawnPage, ...] = _worked(studio, drawings, draft, asked, unwanted)
    pictures = [_page_picture(studio, page, number) for page in pages for number in page.shown]
    return {"problem": "" if pictures else "Nothing is printed of this yet.", "pictures": pictures}


def _extended(studio: Studio, pack: Path) -> tuple[Path, ...]:
    """Return the packs that a saved one extends, the nearest first; none while it cannot be read."""
    try:
        lineage = studio.pack(str(pack)).system.lineage
    except SheetgenError:
        return ()
    return tuple(studio.project.library.packs[name] for name in lineage)


def _page_picture(studio: Studio, page: DrawnPage, number: int) -> dict[str, Any]:
    address = studio.pictures.register(blake2b(page.data, digest_size=16).hexdigest(), lambda: page.data)
    say = f"Card {number} of {page.say}" if page.what == "card" else page.say
    return {"src": f"{address}-{number}.png", "say": say, "is": page.what, "number": number, "of": page.count}


def _worked(
    studio: Studio, drawings: Drawings, draft: DraftPack, asked: Mapping[str, object], unwanted: Event
) -> Any:  # what each work returns
    """Return what is worked out of a draft where pages are drawn; problems are told at the user's files."""
    packs = {name: str(folder) for name, folder in draft.packs.items()}
    try:
        return drawings.worked(
            studio.project, studio.environ, {**asked, "packs": packs, "folder": str(draft.folder)}, unwanted
        )
    except InputError as error:
        raise InputError([draft.told(each) for each in error.problems]) from None


def judged_whole(
    studio: Studio, drawings: Drawings, file: AuthoredFile, text: str, before: str, *, unwanted: Event
) -> tuple[tuple[Problem, ...], list[dict[str, str]]]:
    """Return every problem of the pack with a text in it: of files, examples, book; and what it changes elsewhere."""
    draft = with_draft(studio, file, text)
    old = str(with_draft(studio, file, before, aside="before").folder) if before != text else ""
    try:
        problems, moves = _worked(studio, drawings, draft, {"do": "whole", "before": old}, unwanted)
    except InputError as error:
        return error.problems, []
    told = tuple(draft.told(each) for each in problems)
    return told, [{"what": what, "name": name} for what, name in moves]
