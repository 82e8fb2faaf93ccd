"""The parts of an evening: run sheet, people, handouts, what players look up, the screen; each a PDF of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.documents.session.run_sheet import HandedOver
from sheetgen.errors import quoted, suggestion
from sheetgen.geometry import paper_name
from sheetgen.model.session import Session
from sheetgen.model.wording import capital
from sheetgen.people.campaign_cast import Evening
from sheetgen.press.impose import shift_backs
from sheetgen.press.pages import BoundPart, bound, page_count
from sheetgen.press.plan import Flip
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.handouts.handouts import on_sheets, printed_handouts
from sheetgen.products.handouts.layout import HandoutsOptions, PrintedHandout
from sheetgen.products.options import TonedOptions, choice, flip_option, font_option, paper_option, printer_option
from sheetgen.products.product import fonts_of, known_printer
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.session.reference import ReferenceOptions, make_reference
from sheetgen.products.session.run_sheet import PartInFile, RunSheet
from sheetgen.products.session.screen import ScreenOptions, has_screen, make_screen
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

T = TypeVar("T")

PARTS = ("run-sheet", "people", "handouts", "references", "screen")
KINDS = {"npc": "half a page each", "card": "cards", "index": "index cards"}


def _part(word: str) -> str:
    if word not in PARTS:
        raise ValueError(f"takes {', '.join(PARTS)}, not {quoted(word)}{suggestion(word, PARTS)}")
    return word


@dataclass(frozen=True, kw_only=True)
class SessionOptions(TonedOptions):
    """Which parts of an evening are printed, and on what."""

    part: tuple[str, ...] = choice(
        (), f"only this part: {', '.join(PARTS)}; may be given several times", read=_part, repeated=True, metavar="PART"
    )
    paper: str = paper_option()
    flip: Flip = flip_option()
    printer: str = printer_option()
    font: tuple[str, ...] = font_option()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that are asked for, in the order of use."""
        return tuple(each for each in PARTS if each in self.part) if self.part else PARTS


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session whose people were rolled and read, and whose files were found: its handouts and pictures by scene."""

    path: Path
    pack: Pack
    session: Session
    evening: Evening
    handouts: tuple[tuple[Path, ...], ...]
    pictures: tuple[Path | None, ...]

    @property
    def folder(self) -> Path:
        """The folder whose files the pages may show."""
        inside = self.path.parent.resolve()
        found = [each.resolve() for each in self.pictures if each is not None]
        return inside if all(each.is_relative_to(inside) for each in found) else inside.parent


@dataclass(frozen=True, slots=True)
class MadePart:
    """A part that was made: its pages, what stands in the plan, and its bookmarks."""

    data: bytes
    about: PartInFile
    marks: tuple[tuple[str, int], ...] = ()

    @property
    def bound(self) -> BoundPart:
        """The part as it is bound with others, under its title."""
        title = capital(self.about.title)
        return BoundPart(self.data, title, self.marks, flip=self.about.flip)


@dataclass
class SessionParts:
    """The parts of an evening, each made when it is asked for; `report` says who could not be printed."""

    project: Project
    subject: OpenSession
    options: SessionOptions
    report: Report = field(default_factory=Report)
    _pages_of: dict[int, int] = field(default_factory=dict)

    @property
    def makers(self) -> dict[str, Callable[[], Iterator[MadePart]]]:
        """What makes each part behind the run sheet, none or one of it."""
        return {
            "people": self._people_parts,
            "handouts": self._handouts,
            "references": self._references,
            "screen": self._screen,
        }

    def check(self) -> None:
        """Set the handouts, then ask the game for odds and fights, once each; InputError with all that it refuses."""
        sheet = replace(self._sheet(()), fights=1)
        self._confined(lambda: len(sheet.scene_blocks()))

    def run_sheet(self, parts: Sequence[MadePart] = (), *, only: int | None = None) -> MadePart:
        """Return the run sheet that stands before these parts; InputError for a text that does not fit.

        With `only` it has the pages of one scene (0: the first page) alone; what is told is of all of them.
        """
        sheet, flip = self._sheet([each.about for each in parts]), self.options.flip
        made = self._confined(lambda: sheet.pdf(flip, only))
        data = made.data
        if parts and page_count(data) % 2:
            data = bound([BoundPart(data, "")], title="", author="", two_sided=True)
        data = shift_backs(data, known_printer(self.project, self.options.printer).moves(flip), flip=flip)
        titles = ("The evening", *(scene.title for scene in self.subject.session.scenes))
        count = page_count(data) if only is None else made.count
        about = PartInFile("run sheet", count, self.options.paper, flip)
        return MadePart(data, about, tuple(zip(titles, made.starts, strict=True)))

    def web_page(self) -> str:
        """Return the evening as a web page for a phone: the run sheet, people, and the rules with dice."""
        from sheetgen.products.session.tonight import known_rolls, tonight_page

        parts = self.options.parts
        rolls = known_rolls(self.project, self.subject.pack) if "references" in parts else {}
        printed = self.printed_handouts
        handed = [[printed[file] for file in files] for files in self.subject.handouts]
        return self._confined(lambda: tonight_page(self._sheet(()), parts, rolls, handed))

    def _confined(self, work: Callable[[], T]) -> T:
        """Return the result of work on words of a user's, done where it can be stopped."""
        from sheetgen.pdf.flow import layout  # noqa: F401  # imports WeasyPrint once, before a process is forked for it

        return confined(work, what=self.subject.session.place.file, limits=PUBLICATION)

    def _sheet(self, parts: Sequence[PartInFile]) -> RunSheet:
        """Return what the run sheet is made of."""
        subject, folder, printed = self.subject, self.subject.folder, self.printed_handouts
        handed = [
            [
                HandedOver(given.title or printed[file].title, printed[file].style, given.when)
                for file, given in zip(files, scene.handouts, strict=True)
            ]
            for files, scene in zip(subject.handouts, subject.session.scenes, strict=True)
        ]
        found = ("" if each is None else os.path.relpath(each.resolve(), folder) for each in subject.pictures)
        return RunSheet(
            self.project,
            subject.pack,
            subject.session,
            subject.evening,
            subject.path,
            folder,
            self.options.paper,
            handed,
            [Path(each).as_posix() if each else "" for each in found],
            parts,
            self._pages_of,
        )

    @cached_property
    def printed_handouts(self) -> dict[Path, PrintedHandout]:
        """Each handout of the evening once, by its file, in the order of the scenes."""
        files = [*dict.fromkeys(file for scene in self.subject.handouts for file in scene)]
        found = printed_handouts(self.project, self.subject.pack, files, self._on_paper)
        return dict(zip(files, found, strict=True))

    @property
    def _on_paper(self) -> HandoutsOptions:
        options = self.options
        return HandoutsOptions(
            paper=options.paper, font=options.font, ink_saver=options.ink_saver, greyscale=options.greyscale
        )

    def _people_parts(self) -> Iterator[MadePart]:
        """Yield the pages or cards of everybody, and note who stands on which."""
        subject, options = self.subject, self.options
        everybody, shape = subject.evening.everybody, subject.session.people_as
        if shape == "none" or not everybody:
            return
        fonts, _ = fonts_of(self.project, options.font)
        portraits = shape == "npc" and any(each.picture for each in everybody)
        printing = PrintOptions(options.paper, shape, fonts=tuple(fonts), portraits=portraits)
        pieces, placed = list[bytes](), list[tuple[int, int]]()
        lead = lambda stamp, where: placed.extend(where)  # noqa: E731
        try:
            made = write_people_pdf(self.project, subject.pack, everybody, pieces.append, printing, lead=lead)
        except NobodyPrinted as error:
            self.report.add(error.report)
            return
        self.report.add(made)
        self._pages_of.update(placed)
        data, then = b"".join(pieces), "cut apart, or keep whole" if shape == "npc" else "cut apart"
        about = PartInFile(f"people, {KINDS[shape]}", page_count(data), options.paper, "", then, people=True)
        yield MadePart(data, about, tuple((everybody[at].text("name"), page) for at, page in placed))

    def _handouts(self) -> Iterator[MadePart]:
        if not self.printed_handouts:
            return
        found = tuple(self.printed_handouts.values())
        data = on_sheets(found, self._on_paper, title="Handouts").data
        then = "" if all(each.whole for each in found) else "cut the small ones out"
        yield MadePart(data, PartInFile("handouts", page_count(data), self.options.paper, "", then))

    def _references(self) -> Iterator[MadePart]:
        kind, options, pack = self.subject.session.reference, self.options, self.subject.pack
        if kind == "none" or not has_screen(self.project, pack):
            return
        pocket = kind == "pocket"
        chosen = ReferenceOptions(
            pocket=pocket, paper=options.paper, flip=options.flip, printer="" if pocket else options.printer
        )
        data = make_reference(self.project, pack, chosen, ".pdf").data
        pages = page_count(data)
        then = "one for each player: fold in eight, slit the middle" if pocket else "one for each player"
        flip = options.flip if pages == 2 else ""
        yield MadePart(data, PartInFile("quick reference", pages, options.paper, flip, then))

    def _screen(self) -> Iterator[MadePart]:
        side, pack, paper = self.subject.session.screen, self.subject.pack, self.options.paper
        if side == "none" or not has_screen(self.project, pack):
            return
        data = make_screen(self.project, pack, ScreenOptions(side=side, paper=paper), ".pdf").data
        yield MadePart(data, PartInFile("screen", page_count(data), paper, "", "heavy paper, side by side"))


def printing_runs(parts: Sequence[PartInFile]) -> Iterator[str]:
    """Yield which pages go on which paper and sides: neighbours that are printed alike in one line."""
    runs: list[tuple[str, str, int, int, list[str]]] = []
    at = 0
    for part in parts:
        first, at = at + 1, at + part.pages
        if runs and runs[-1][:2] == (part.paper, part.flip) and not part.apart:
            runs[-1] = (part.paper, part.flip, runs[-1][2], at, [*runs[-1][4], part.title])
        else:
            runs.append((part.paper, part.flip, first, at, [part.title]))
    for paper, flip, first, last, titles in runs:
        pages = f"pages {first} to {last}" if last > first else f"page {first}"
        sides = f"on both sides, turned over the {flip} edge" if flip else "on one side"
        yield f"{pages}: {paper_name(paper)}, {sides} ({'; '.join(titles)})"
    yield "all at actual size (100 %)"
