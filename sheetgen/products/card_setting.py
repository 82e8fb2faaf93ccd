"""Cards set as pages: their template's data, fronts in the largest type that fits, and the icons of a pack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sheetgen.documents.cards import FRONTS, TYPES, CardFront, measures
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import TemplateData, game
from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.products.page_cache import overfull_parts, pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

FOLDER = "icons"


def icons_of(project: Project, pack: Pack) -> tuple[str, ...]:
    """Return the names of the icons that cards of a pack may have: its own, its system's, and the shared ones."""
    folders = (folder / FOLDER for folder in template_folders(project, pack))
    return tuple(sorted({file.stem for folder in folders if folder.is_dir() for file in folder.glob("*.svg")}))


def check_icons(project: Project, pack: Pack, wanted: Iterable[Word]) -> None:
    """Raise InputError at the place of each icon that there is no drawing of."""
    known = icons_of(project, pack)
    there = f"; there are {', '.join(known)}"
    problems = [
        Problem(word.place, f"no icon {quoted(word)}{suggestion(word, known) or there}")
        for word in wanted
        if word not in known
    ]
    if problems:
        raise InputError(tuple(problems))


def card_data(pack: Pack, size: str) -> TemplateData:
    """Return the data of a card template and, for drawing backs, numbers to count by and outlines of letters."""
    from sheetgen.pdf.fonts.bundled import SERIF, outlines  # imports fontTools

    initials = "".join(trait.name[:1] for trait in pack.system.all_traits()) + pack.system.title
    letters = outlines(FaceName(SERIF, 700), initials)
    return {"game": game(pack.system), "card": measures(size), "steps": list(range(40)), "outlines": letters}


class CardSetter:
    """Sets cards of one size; `name` is what its pages are, `about` the data of every card, `remedy` what helps."""

    def __init__(self, project: Project, pack: Pack, size: str, *, name: str, about: TemplateData, remedy: str) -> None:
        self._project, self._pack, self.size = project, pack, size
        self._name, self._about, self._remedy = name, about, remedy
        self._jinja = environment(template_folders(project, pack), project.shown)

    @property
    def least(self) -> float:
        """The smallest size of type, in pt."""
        return TYPES[self.size].text[-1]

    def types(self, faces: Sequence[CardFront]) -> tuple[list[float], list[int]]:
        """Return the type that each front fits in, in pt, and the numbers of those only tried in the least."""
        *larger, least = TYPES[self.size].text
        types, waiting = [least] * len(faces), list(range(len(faces)))
        for points in larger:
            full = [waiting[at] for at in self.too_full([faces[at] for at in waiting], points)]
            for at in {*waiting} - {*full}:
                types[at] = points
            waiting = sorted(full)
        return types, waiting

    def pdf(self, faces: Sequence[CardFront], types: Sequence[float], *, back: bool = True) -> bytes:
        """Return the fronts in their types and, last, their back; InputError at the place of each without room."""
        html, places = self._page(faces, types, back=back), {face.name: face.place for face in faces}
        try:
            return pdf_of(self._project, self._pack, html, name=self._name, places=places)
        except InputError as error:
            full = {*places.values()}
            told = (
                replace(each, message=each.message + self._remedy * (each.place in full)) for each in error.problems
            )
            raise InputError(tuple(told)) from None

    def too_full(self, faces: Sequence[CardFront], points: float) -> frozenset[int]:
        """Return the numbers of the fronts, from 0, that hold too much in type of a size."""
        if not faces:
            return frozenset()
        html = self._page(faces, [points] * len(faces), back=False)
        found = overfull_parts(self._project, self._pack, html, name=self._name)
        return frozenset(at for at, face in enumerate(faces) if face.name in found)

    def _page(self, faces: Iterable[CardFront], types: Iterable[float], *, back: bool) -> str:
        cards = [{**face.data, "name": face.name, "type": each} for face, each in zip(faces, types, strict=True)]
        return render(self._jinja, FRONTS, {**self._about, "cards": cards, "back": back})
