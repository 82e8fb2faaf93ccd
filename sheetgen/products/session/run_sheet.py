"""Run sheets set: blocks measured once, placed on pages, and drawn there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sheetgen.documents.handout.secrets import map_data
from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.markdown import plain_html
from sheetgen.documents.people.npc_page import npc_page_values
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.documents.session.run_sheet import BELOW, LEFT, PEOPLE, RIGHT, Attending, HandedOver, scene_blocks
from sheetgen.documents.session.run_sheet_pages import (
    SIDE,
    TOP,
    Block,
    PlacedBlock,
    RunPage,
    placed_on_pages,
    width_of,
)
from sheetgen.errors import InputError, Problem, SheetgenError, problems_at
from sheetgen.geometry import PAPERS, Size, paper_name
from sheetgen.model.character import Character
from sheetgen.model.data import Word
from sheetgen.model.session import Fight, Session, SessionScene
from sheetgen.model.wording import in_per_cent
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.people.campaign_cast import Evening, Present, file_beside
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.shapes import texts_of
from sheetgen.table.encounter import AND, FROM_FILE, Troop, encounter, give_or_take, troop_of, troop_present
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

TEMPLATE = "session/run-sheet.html"
LINE, PLAYERS, MOST_NAMED = 8.0, 6, 8  # mm between ruled lines; lines for players; names told of a scene
HERE, FIGHTS = "here", 300  # those in the scene; how often a fight is fought
UNKNOWN = 88  # stands for a page until they are counted, and is as wide as any other
COLUMNS, MOST_LISTED = 3, 90  # of everybody on the first page
TALL = 30_000.0  # mm, of the page that blocks are measured on
MOST_HEIGHTS = 2_000  # of blocks, that are kept
MAP_ROOM = Size(122.0, 300.0)


@dataclass(frozen=True, slots=True)
class PartInFile:
    """A part behind the run sheet: what it is, how many pages it has, on which paper and sides, and what to do then.

    One that stands `apart` is printed by itself, even if the part before it is printed alike.
    """

    title: str
    pages: int
    paper: str
    flip: str = ""
    then: str = ""
    people: bool = False
    apart: bool = False


@dataclass(frozen=True, slots=True)
class SetRunSheet:
    """The pages of a run sheet as a PDF, on which page of all of them each scene begins, and how many they are."""

    data: bytes
    starts: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class RunSheet:
    """What a run sheet is made of: who is where, what is handed over in each scene, and the parts that follow it.

    The session was read at `path`, and its pages may show what is in the `folder`.

    `pages_of` has the page of each person within the part of people, from 1; `fights` says how often each is fought.
    """

    project: Project
    pack: Pack
    session: Session
    evening: Evening
    path: Path
    folder: Path
    paper: str
    handed: Sequence[Sequence[HandedOver]]
    pictures: Sequence[str] = ()
    parts: Sequence[PartInFile] = ()
    pages_of: Mapping[int, int] = field(default_factory=dict)
    fights: int = FIGHTS

    def pdf(self, flip: str, only: int | None = None) -> SetRunSheet:
        """Return the pages, or `only` those of one scene (0: the first page), as they are among all of them.

        InputError for what does not fit on them.
        """
        from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

        use_bundled_fonts(self.project)
        everything = range(len(self.session.scenes) + 1)
        blocks = self._blocks(self._first_guess, everything)
        heights = self._heights([*blocks.values()])
        laid = self._laid(blocks, heights)
        before = sum(map(len, laid.values()))
        starts, at = list[int](), 1
        for pages in laid.values():
            starts.append(at)
            at += len(pages)
        again = self._blocks(_Numbers(self, tuple(starts), before), everything if only is None else [only])
        shown = self._shown([*(laid | self._laid(again, heights)).values()], before)
        if only is not None:
            shown = shown[starts[only] - 1 :][: len(laid[only])]
        html = self.rendered(TEMPLATE, "print", pages=shown)
        return SetRunSheet(flow(html, root=self.folder, name="run sheet", flip=flip), tuple(starts), before)

    def scene_blocks(self) -> list[list[Block]]:
        """Return the blocks of each scene; InputError with all that is wrong in them."""
        return [*self._blocks(self._first_guess, range(1, len(self.session.scenes) + 1)).values()]

    @cached_property
    def _first_guess(self) -> _Numbers:
        return _Numbers(self, (0,) * (len(self.session.scenes) + 1), 0)

    def rendered(self, template: str, mode: str, **more: Any) -> str:
        """Return the HTML of a template that is told of the evening, the paper (`mode` page: a screen), and `more`."""
        paper = PAPERS[self.paper]
        data = {"game": game(self.pack.system), "mode": mode, "web": mode == "page", "title": self.session.title}
        data |= {"paper": {"width": paper.width, "height": paper.height}, "side": SIDE, "top": TOP, "tall": TALL}
        data |= {"range_list": list(range(1, 41)), **more}
        jinja = environment(template_folders(self.project, self.pack), self.project.shown)
        return with_ink(render(jinja, template, data), self.pack.system.tone)

    def _blocks(self, numbers: _Numbers, wanted: Sequence[int]) -> dict[int, list[Block]]:
        """Return the blocks of the first page (0) and of scenes; InputError with all that is wrong in them."""
        found, problems = {0: self._opening(numbers)} if 0 in wanted else {}, list[Problem]()
        for number in (each for each in wanted if each):
            scene = self.session.scenes[number - 1]
            people = [self._attending(each, numbers) for each in self.evening.scenes[number - 1]]
            fights, refused = self._fights[number - 1]
            problems += refused
            try:
                drawn, handed = self._map(number, scene), self.handed[number - 1]
                made = scene_blocks(
                    *(self.pack.system, self.session, number),
                    people=people,
                    handouts=handed,
                    drawn_map=drawn,
                    fights=fights,
                )
                found[number] = made
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)
        return found

    @cached_property
    def _fights(self) -> list[tuple[list[dict[str, Any]], list[Problem]]]:
        """How the fights of each scene went, with a problem at each that cannot be fought."""
        found = list[tuple[list[dict[str, Any]], list[Problem]]]()
        for scene, people in zip(self.session.scenes, self.evening.scenes, strict=True):
            fought, problems = list[dict[str, Any]](), list[Problem]()
            for fight in scene.fights:
                try:
                    fought.append(self._fought(fight, [each.character for each in people]))
                except SheetgenError as error:
                    problems += problems_at(fight.place, error)
            found.append((fought, problems))
        return found

    def _fought(self, fight: Fight, here: Sequence[Character]) -> dict[str, Any]:
        """Return a fight as the template shows it."""
        seed = self.session.seed

        def troop(word: Word) -> Troop:
            if word == HERE:
                return troop_present("those who are here", here)
            parts = [self._file_of(part, word) for part in word.split(AND)]
            return replace(troop_of(self.project, self.pack, AND.join(parts), seed), name=_called(word))

        tally = encounter(
            *(self.project, self.pack, (troop(fight.first), troop(fight.second))),
            policy=fight.policy,
            given={},
            count=self.fights,
            seed=seed,
        )
        rows, wins = [], in_per_cent(tally.shares)
        for side, name in enumerate(tally.names):
            lines = [line for line in tally.lines if line.side == side]
            fallen, size = sum(line.fallen for line in lines), sum(line.count for line in lines)
            error = give_or_take(tally.shares[side], tally.count)
            said = {"name": name, "wins": wins[side], "error": round(error * 100)}
            rows.append({**said, "fallen": f"{fallen:.1f}", "size": size})
        lengths = tally.lengths
        about = {"title": fight.title or "If it comes to blows", "say": tally.say, "count": tally.count}
        return {**about, "rows": rows, "half": lengths[len(lengths) // 2], "most": lengths[-1]}

    def _file_of(self, part: str, word: Word) -> str:
        """Return part of a side with the file that it names found beside the session."""
        if not part.strip().startswith(FROM_FILE):
            return part
        name, colon, person = part.strip()[1:].rpartition(":")
        file = Word(name if colon else person, word.place)
        return f"{FROM_FILE}{file_beside(self.path, file, self.project)}{colon}{person if colon else ''}"

    def _opening(self, numbers: _Numbers) -> list[Block]:
        """Return the blocks of the page in front: what to remember, the scenes, who is at the table, and the paper."""
        found: list[Block] = []
        if self.session.notes:
            found.append({"kind": "notes", "where": LEFT, "html": plain_html(self.session.notes)})
        rows = []
        for number, scene in enumerate(self.session.scenes, 1):
            names = [each.character.text("name") for each in self.evening.scenes[number - 1]]
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            people = ", ".join(names[:MOST_NAMED]) + more
            said = {"number": number, "title": scene.title, "where": scene.where, "people": people}
            rows.append({**said, "page": numbers.scenes[number] or UNKNOWN})
        found.append({"kind": "scenes", "where": LEFT, "rows": rows})
        found.append({"kind": "players", "where": RIGHT, "lines": PLAYERS})
        handed = [each for scene in self.handed for each in scene]
        if handed:
            told = [{"title": each.title, "style": each.style, "when": each.when, "page": 0} for each in handed]
            found.append({"kind": "handouts", "where": RIGHT, "rows": told})
        found.append({"kind": "paper", "where": PEOPLE, "rows": numbers.plan()})
        found += self._everybody(numbers)
        return [{"id": f"o-{at}", **each} for at, each in enumerate(found)]

    def _everybody(self, numbers: _Numbers) -> list[Block]:
        """Return everybody by name in three columns, with the page of each."""
        rows = [
            {"name": each.text("name"), "page": numbers.page_of(at) or ""}
            for at, each in enumerate(self.evening.everybody)
        ]
        rows.sort(key=lambda row: str(row["name"]).casefold())
        share = -(-len(rows) // COLUMNS) if rows else 1
        parts = [rows[at : at + share] for at in range(0, len(rows), share)][:COLUMNS]
        titles = ("Everybody tonight", *("",) * COLUMNS)
        paged = bool(self.pages_of)
        return [
            {"kind": "names", "where": BELOW, "title": title or "\u00a0", "rows": part, "paged": paged}
            for title, part in zip(titles, parts, strict=False)
            if len(rows) <= MOST_LISTED
        ]

    def _attending(self, present: Present, numbers: _Numbers) -> Attending:
        character = present.character
        values = texts_of(self.pack.system, npc_page_values)(character)
        return Attending(character, values, present.wants, present.note, numbers.page_of(present.number))

    def _map(self, number: int, scene: SessionScene) -> str:
        """Return the map of a scene: drawn, or the picture that was found for it."""
        if scene.map is None:
            return ""
        if scene.map.drawn is not None:
            found = map_data(scene.map.drawn, MAP_ROOM, self.pack.system.accent, text_width, scene.map.place)
            return str(found["whole"] or found["shown"])
        return f'<img src="{quote(self.pictures[number - 1])}" alt="{escape(scene.map.title or "map")}">'

    def _heights(self, blocks: Sequence[Sequence[Block]]) -> dict[str, float]:
        """Return the height of each block by its id; those that were measured before are not measured again."""
        from sheetgen.pdf.flow.document import part_heights

        whole, tone = PAPERS[self.paper].width - 2 * SIDE, self.pack.system.tone
        measured = {str(each["id"]): each for some in blocks for each in some}
        known = self.pack.cached(("heights of blocks", self.paper, tone), dict[bytes, float])
        keys = {name: _key_of(each) for name, each in measured.items()}
        unknown = [measured[name] for name, key in keys.items() if key not in known]
        found = dict[str, float]()
        if unknown:
            shown = [{"block": each, "width": width_of(each, whole)} for each in unknown]
            html = self.rendered(TEMPLATE, "measure", blocks=shown)
            found = part_heights(html, root=self.folder, name="run sheet")
        heights = {name: found[name] if name in found else known[key] for name, key in keys.items()}
        if len(known) > MOST_HEIGHTS:
            known.clear()
        known.update((key, heights[name]) for name, key in keys.items() if key)
        return heights

    def _laid(
        self, blocks: Mapping[int, Sequence[Block]], heights: Mapping[str, float]
    ) -> dict[int, tuple[RunPage, ...]]:
        places = [self.session.place, *(scene.place for scene in self.session.scenes)]
        paper = PAPERS[self.paper]
        return {number: placed_on_pages(each, heights, paper, places[number]) for number, each in blocks.items()}

    def _shown(self, laid: Sequence[Sequence[RunPage]], count: int) -> list[dict[str, Any]]:
        """Return the pages as the template takes them."""
        pages, system = list[dict[str, Any]](), self.pack.system
        titles = [self.session.title, *(scene.title for scene in self.session.scenes)]
        for number, scene in enumerate(laid):
            for at, page in enumerate(scene, 1):
                said = f"page {at} of {len(scene)}" if len(scene) > 1 else ""
                pages.append(
                    {
                        "first": page.first,
                        "kicker": self.kicker(number),
                        "title": titles[number],
                        "said": said or ("run sheet" if number else ""),
                        "placed": [_shown(each, number) for each in page.placed],
                        "foot": f"{system.title}: {system.subtitle}" if system.subtitle else system.title,
                        "number": f"{self.session.title}, page {len(pages) + 1}",
                    }
                )
        assert len(pages) == count
        return pages

    def kicker(self, number: int) -> str:
        """Return the line above the title of a scene, or of the evening (0)."""
        if not number:
            count = len(self.session.scenes)
            evening = f"An evening of {count} scene{'s' if count != 1 else ''}"
            return f"{evening} · {self.session.date}" if self.session.date else evening
        where = self.session.scenes[number - 1].where
        return f"Scene {number} of {len(self.session.scenes)}" + (f" · {where}" if where else "")


def _key_of(block: Block) -> bytes:
    """Return what tells a block from others, wherever it stands; nothing where a picture is in it, which may change."""
    said = repr({name: value for name, value in block.items() if name != "id"})
    return b"" if "<img" in said else blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _called(word: Word) -> str:
    """Return what a side is called: by the file it comes from, without its path."""
    return AND.join(Path(part.strip().removeprefix(FROM_FILE)).stem for part in word.split(AND))


def _shown(placed: PlacedBlock, scene: int) -> dict[str, Any]:
    block = placed.block
    if block["kind"] == "happened":
        lines = [round(LINE * at + 1.5, 1) for at in range(int((placed.height - 7) / LINE) + 1)]
        block = {**block, "title": "What happened" if scene else "Notes", "lines": lines[: int(placed.height / LINE)]}
    return {"block": block, "x": placed.x, "y": placed.y, "width": placed.width, "height": placed.height}


@dataclass(frozen=True)
class _Numbers:
    """The numbers of pages: where each scene begins, the opening first, and how many pages the run sheet has."""

    sheet: RunSheet
    scenes: tuple[int, ...]
    count: int

    @property
    def _starts(self) -> list[int]:
        """The page before each part, the run sheet padded to whole leaves."""
        found, at = [], self.count + self.count % 2
        for part in self.sheet.parts:
            found.append(at)
            at += part.pages
        return found

    def page_of(self, person: int) -> int:
        """Return the page that somebody is on, one of two digits while pages are not counted; 0 for nobody's."""
        within = self.sheet.pages_of.get(person, 0)
        if within and not self.count:
            return UNKNOWN
        starts = (start for start, part in zip(self._starts, self.sheet.parts, strict=True) if part.people)
        start = next(starts, None) if within else None
        return 0 if start is None else start + within

    def plan(self) -> list[dict[str, str]]:
        """Return a row for each part: its pages, what it is, paper, sides, and what to do with it."""
        own = PartInFile("run sheet", self.count or 1, self.sheet.paper, "long", "keep in order")
        rows = []
        for part, start in zip((own, *self.sheet.parts), (0, *self._starts), strict=True):
            pages = f"{start + 1}–{start + part.pages}" if part.pages > 1 else str(start + 1)
            sides = f"both, over the {part.flip} edge" if part.flip else "one"
            paper = paper_name(part.paper)
            rows.append({"pages": pages, "what": part.title, "paper": paper, "sides": sides, "then": part.then})
        return rows
