"""One card, one chapter, one panel drawn alone is what the whole deck, book or screen has of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sheetgen.errors import UsageError
from sheetgen.pdf.pdfium import page_texts
from sheetgen.products.books.setting import UNKNOWN
from sheetgen.products.product import ProductResult, product_named
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.scaffold import starter, write_folder


@dataclass(frozen=True)
class Bench:
    """A pack in a project: what is made of it whole, and of which parts."""

    project: Project
    pack: Pack

    def whole(self, name: str, **options: Any) -> ProductResult:
        product = product_named(name)
        assert product.make is not None
        return product.make(self.project, self.pack, product.options(**options), ".pdf")

    def part(self, name: str, part: str, **options: Any) -> ProductResult:
        product = product_named(name)
        assert product.make_part is not None
        return product.make_part(self.project, self.pack, product.options(**options), part)

    def names(self, name: str, **options: Any) -> list[str]:
        product = product_named(name)
        return list(product.parts(self.project, self.pack, product.options(**options)))


@pytest.fixture(scope="module")
def chalkdown(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    where = tmp_path_factory.mktemp("parts")
    project = project_at(where, {"SHEETGEN_CACHE": str(where / "cache")})  # which knows no book yet
    return Bench(project, open_pack(project, "chalkdown"))


@pytest.fixture
def stranger(project: Project) -> Bench:
    """A pack of somebody else's, as `sheetgen new` begins one."""
    write_folder(project.where / "mist", starter(project, "mist"))
    return Bench(project, open_pack(project, "./mist"))


def lines(data: bytes) -> list[list[str]]:
    """The lines of each page; a space at the end of a line is not seen."""
    return [[line.rstrip() for line in page.splitlines()] for page in page_texts(data)]


def test_the_cards_of_a_rule_alone_are_those_of_the_deck(chalkdown: Bench) -> None:
    deck = lines(chalkdown.whole("cards", single=True, backs="none").data)
    for rule in chalkdown.names("cards")[3:6]:
        pages = lines(chalkdown.part("cards", rule).data)
        assert all(front in deck for front in pages[::2])
        assert all(back == ["Chalkdown"] for back in pages[1::2])


def test_a_chapter_alone_has_the_words_the_lines_and_the_page_numbers_of_the_book(chalkdown: Bench) -> None:
    last = chalkdown.names("book")[-1]
    early = "\n".join(page_texts(chalkdown.part("book", last, paper="a5").data))
    book = lines(chalkdown.whole("book", paper="a5").data)
    assert f", page {UNKNOWN}" in early  # no whole book was made before: where its references lead is not known
    for name in chalkdown.names("book"):
        alone = lines(chalkdown.part("book", name, paper="a5").data)
        first = next(at for at, page in enumerate(book) if page == alone[0])
        assert book[first : first + len(alone)] == alone


def test_a_panel_alone_is_that_of_the_screen(chalkdown: Bench) -> None:
    whole = lines(chalkdown.whole("screen").data)
    names = chalkdown.names("screen")
    assert len(names) == len(whole)
    for name in (names[1], names[-1]):
        assert lines(chalkdown.part("screen", name).data) == [whole[names.index(name)]]


def test_a_playing_card_and_somebody_of_a_deck_of_people_alone(project: Project) -> None:
    bench = Bench(project, open_pack(project, "sixshooter"))
    names = product_named("cards").parts(project, bench.pack, product_named("cards").options(deck="playing"))
    king = next(name for name, say in names.items() if say.startswith("king of spades"))
    assert bench.part("cards", king, deck="playing").what == "King of spades"
    whole = bench.whole("cards", deck="operators", count=3, seed=7, single=True, backs="none")
    third, *_ = lines(bench.part("cards", "3", deck="operators", count=3, seed=7).data)
    assert third == lines(whole.data)[2]


def test_a_strangers_pack_is_drawn_in_confinement(stranger: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    confined = list[str]()
    usual = Pack.run_isolated

    def watched(self: Pack, work: Callable[[], Any], **more: Any) -> Any:
        confined.append(str(self.folder))
        assert not self.ours
        return usual(self, work, **more)

    monkeypatch.setattr(Pack, "run_isolated", watched)
    for name in ("book", "cards"):
        part = stranger.names(name)[-1]
        assert stranger.part(name, part).data.startswith(b"%PDF-")
    assert len(confined) >= 4


@pytest.mark.parametrize(("product", "part"), [("book", "wonds"), ("cards", "luckk"), ("screen", "gm-9")])
def test_a_part_that_is_not_there_is_told_with_the_nearest(chalkdown: Bench, product: str, part: str) -> None:
    with pytest.raises(UsageError) as told:
        chalkdown.part(product, part)
    assert part in str(told.value)
