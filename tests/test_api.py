"""The library as a program meets it."""

from __future__ import annotations

import gc
import os
import signal
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pymupdf
import pytest

import sheetgen
from sheetgen.cli import main
from sheetgen.products.options import options_of
from sheetgen.products.product import product_named


def test_every_public_name_is_there_and_says_what_it_gives() -> None:
    for name in sheetgen.__all__:
        assert getattr(sheetgen, name).__doc__


def test_shells_offer_the_public_names() -> None:
    assert dir(sheetgen) == sorted(sheetgen.__all__)


def test_roll_write_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gamers = sheetgen.load("gamers")
    guards = sheetgen.roll(gamers, 3, seed=7, archetype="guard")
    assert sheetgen.write(gamers, guards, "guards.yaml").printed == 3
    assert sheetgen.write(gamers, guards, "guards.pdf").printed == 3
    assert sheetgen.write(gamers, guards, "cards.pdf", shape="card").printed == 3
    with pytest.raises(sheetgen.SheetgenError, match='unknown shape "crad"'):
        sheetgen.write(gamers, guards, "cards.pdf", shape="crad")
    assert list(sheetgen.read("guards.yaml").characters) == guards
    assert sheetgen.roll(gamers, 1, seed=7, first=2, archetype="guard") == guards[1:2]


def test_a_mistake_is_a_sheetgen_error() -> None:
    with pytest.raises(sheetgen.SheetgenError, match='unknown system "gamer"'):
        sheetgen.load("gamer")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_name_does_where_a_pack_does(here: Path) -> None:
    gamers = sheetgen.load("gamers")
    assert sheetgen.roll("gamers", 2, seed=7) == sheetgen.roll(gamers, 2, seed=7)
    assert sheetgen.odds("gamers", "check", of="success", skill=2, difficulty=8).chance(True) > 0


def test_a_stream_does_where_a_path_does(here: Path) -> None:
    out, guards = BytesIO(), sheetgen.roll("gamers", 2, seed=7, archetype="guard")
    sheetgen.write(guards.pack, guards, out, form="yaml")
    sheetgen.write(guards.pack, guards, "guards.yaml")
    assert out.getvalue() == (here / "guards.yaml").read_bytes()
    with pytest.raises(sheetgen.SheetgenError, match=r"the format must be \.pdf"):
        sheetgen.write(guards.pack, guards, out, form="docx")


def test_nobody_who_breaks_the_rules_is_written(here: Path) -> None:
    """Whoever was rolled or read is legal; whoever a program changed is looked at."""
    guards = sheetgen.roll("gamers", 2, seed=7, archetype="guard")
    grown = replace(guards[0], values={**guards[0].values, "attributes": {"Grit": 99}})
    with pytest.raises(sheetgen.SheetgenError, match="99"):
        sheetgen.write(guards.pack, [grown, guards[1]], "guards.pdf")
    guards[0] = grown
    with pytest.raises(sheetgen.SheetgenError, match="99"):
        sheetgen.write(guards.pack, guards, "guards.pdf")
    assert not (here / "guards.pdf").exists()


def test_a_product_comes_as_bytes_and_as_a_file(here: Path) -> None:
    made = sheetgen.make("blank", "gamers", paper="letter")
    assert made.data.startswith(b"%PDF")
    filed = sheetgen.make("blank", "gamers", "blank.pdf", paper="letter")
    assert (here / "blank.pdf").read_bytes() == filed.data == made.data
    assert filed.written == ("blank.pdf",)
    assert sheetgen.make("blank", "gamers", form=".html").data.startswith(b"<!DOCTYPE")


def test_a_file_is_imposed(here: Path) -> None:
    sheetgen.make("blank", "gamers", "blank.pdf")
    made = sheetgen.make("booklet", "blank.pdf", "folded.pdf", fold="2up")
    assert made.advice


@pytest.mark.parametrize(
    ("product", "options", "message"),
    [
        ("bok", {}, 'unknown product "bok"'),
        ("screen", {"panles": 3}, 'unknown option "panles" .did you mean "panels"'),
        ("screen", {"panels": 7}, 'panels takes 3, 4, not "7"'),
        ("screen", {"portrait": "yes"}, 'portrait takes True or False, not "yes"'),
        ("blank", {"paper": "a3"}, 'paper unknown paper "a3"'),
        ("cards", {"plan": True, "single": True}, "leave out --single"),
        ("screen", {"margin": 99}, 'margin takes millimetres from 6 to 15, not "99"'),
    ],
)
def test_options_are_checked_as_words_are(product: str, options: dict[str, object], message: str, here: Path) -> None:
    with pytest.raises(sheetgen.SheetgenError, match=message):
        sheetgen.make(product, "gamers", "x.pdf", **options)
    assert list(here.iterdir()) == []


def test_groups_rerolls_and_duels(here: Path) -> None:
    watch = sheetgen.group("gamers", "the night watch", seed=7)
    again = sheetgen.reroll(watch, "gear", seed=8)
    assert [each.text("name") for each in again] == [each.text("name") for each in watch]
    assert any(before != after for before, after in zip(watch, again, strict=True))
    fought = sheetgen.duel("gamers", "guard", "thief", count=20)
    assert sum(fought.wins) + fought.undecided == 20


def test_a_group_keeps_its_title_and_its_page(here: Path) -> None:
    """The same files as on the command line, also after reading them again."""
    watch = sheetgen.group("gamers", "the night watch", seed=7)
    for name in ("watch.pdf", "watch.yaml", "watch.html"):
        sheetgen.write("gamers", watch, name)
        assert (
            main(["npc", "gamers", "--group", "the night watch", "--seed", "7", "--as", "sheet", "-o", f"cli-{name}"])
            == 0
        )
        assert (here / name).read_bytes() == (here / f"cli-{name}").read_bytes()
    assert "title: The night watch" in (here / "watch.yaml").read_text("utf-8")
    read = sheetgen.read("watch.yaml")
    sheetgen.write("gamers", read, "again.pdf")
    assert main(["sheet", "watch.yaml", "-o", "cli-again.pdf"]) == 0
    assert (here / "again.pdf").read_bytes() == (here / "cli-again.pdf").read_bytes()
    changed = sheetgen.reroll(read, "gear", seed=8)
    assert changed.heading.title == "The night watch"


def test_whoever_was_changed_is_marked_as_edited(here: Path) -> None:
    """The foot of a sheet does not claim that the seed gives this person."""
    guards = sheetgen.roll("gamers", 2, seed=7, archetype="guard")
    guards[0] = replace(guards[0], values={**guards[0].values, "notes": "owes Ada a favour"})
    sheetgen.write("gamers", guards, "guards.yaml")
    first, second = sheetgen.read("guards.yaml").characters
    assert first.origin is not None
    assert second.origin is not None
    assert (first.origin.edited, second.origin.edited) == (True, False)
    sheetgen.write("gamers", guards, "guards.pdf")
    assert main(["sheet", "guards.yaml", "-o", "cli.pdf"]) == 0
    assert text_of(here / "guards.pdf") == text_of(here / "cli.pdf")


def text_of(path: Path) -> str:
    with pymupdf.open(path) as document:
        return "".join(page.get_text() for page in document)


def test_people_are_products_too(here: Path) -> None:
    made = sheetgen.make("npc", "gamers", "guards.yaml", count=2, seed=7, archetype="guard")
    assert (made.written, made.facts["seed"]) == (("guards.yaml",), 7)
    assert made.data == (here / "guards.yaml").read_bytes()
    people = list(sheetgen.read("guards.yaml").characters)
    assert people == sheetgen.roll("gamers", 2, seed=7, archetype="guard")
    cards = sheetgen.make("sheet", "guards.yaml", shape="card")
    sheetgen.write("gamers", people, "cards.pdf", shape="card")
    assert cards.data == (here / "cards.pdf").read_bytes()
    forms = sheetgen.make("sheet", "guards.yaml", "forms", shape="form")
    assert [Path(name).parent.name for name in forms.written] == ["forms", "forms"]
    assert sheetgen.make("npc", "gamers", seed=7, shape="form").data.startswith(b"%PDF")
    for many in ({"each": True}, {"split": 1}):
        with pytest.raises(sheetgen.SheetgenError, match="makes several files: the stream takes one"):
            sheetgen.make("npc", "gamers", count=2, seed=7, **many)
    for part in (1, 2):
        sheetgen.make("npc", "gamers", f"{part}.pdf", count=5, seed=7, shard=f"{part}/2")
    whole = sheetgen.make("npc", "gamers", count=5, seed=7)
    assert sheetgen.make("merge", ["1.pdf", "2.pdf"]).data == whole.data
    filled = sheetgen.make("fill", (forms.written[0], "guards.yaml"), "flat.pdf", flat=True)
    assert filled.data == (here / "flat.pdf").read_bytes()
    assert "actual size" in sheetgen.make("proof").advice[0]
    with pytest.raises(sheetgen.SheetgenError, match="forms are one file each: name a folder"):
        sheetgen.make("sheet", "guards.yaml", "forms.pdf", shape="form")
    (here / "wu.yaml").write_text("system: gamers\nname: 龍\n", encoding="utf-8")
    (here / "wu.pdf").write_bytes(b"of yesterday")
    with pytest.raises(sheetgen.SheetgenError, match="nobody could be printed"):
        sheetgen.make("sheet", "wu.yaml", "wu.pdf")


def test_the_process_is_left_as_it_was(here: Path) -> None:
    """Only FONTCONFIG_FILE stays, since every page that is laid out needs it."""
    before = {**os.environ}, gc.isenabled(), gc.get_freeze_count(), signal.getsignal(signal.SIGINT)
    sheetgen.make("npc", "gamers", "people.pdf", count=30, seed=7, workers=2)
    sheetgen.make("blank", "gamers", "blank.html")
    sheetgen.write("gamers", sheetgen.read(sheetgen.make("npc", "gamers", "a.yaml", seed=7).written[0]), "a.pdf")
    after = {**os.environ}, gc.isenabled(), gc.get_freeze_count(), signal.getsignal(signal.SIGINT)
    for environ, *_ in (before, after):
        environ.pop("FONTCONFIG_FILE", None)
    assert after == before


def test_a_form_is_filled_in(here: Path) -> None:
    sheetgen.make("blank", "gamers", "form.pdf", fillable=True)
    guards = sheetgen.roll("gamers", 2, seed=7, archetype="guard")
    record = sheetgen.fill("form.pdf", guards, "filled")
    assert len(record.facts["written"]) == 2
    assert all((here / name).read_bytes().startswith(b"%PDF") for name in record.facts["written"])
    assert sheetgen.fill("form.pdf", guards, "flat.pdf", flat=True).facts["written"] == ["flat.pdf"]


def test_results_show_themselves_in_notebooks(here: Path) -> None:
    guards = sheetgen.roll("gamers", 25, seed=7, archetype="guard")
    shown = guards._repr_html_()
    assert guards[0].text("name") in shown
    assert "and 5 more" in shown
    assert "GAMERS" in guards.pack._repr_html_()
    assert 'src="data:image/png;base64,' in sheetgen.make("blank", "gamers")._repr_html_()
    assert "<td>" in sheetgen.play("gamers", "check", dice=[4, 3], skill=2, difficulty=8)._repr_html_()
    assert "13/18" in sheetgen.odds("gamers", "check", of="success", skill=2, difficulty=8)._repr_html_()
    assert "nobody" in sheetgen.duel("gamers", "guard", "thief", count=5)._repr_html_()


def test_every_product_can_be_made_with_its_defaults() -> None:
    """Each has a word for people, formats, and options with help; `docs/library.md` names them all."""
    told = (Path(__file__).parents[1] / "docs" / "library.md").read_text(encoding="utf-8")
    for name in sheetgen.product_names():
        product = product_named(name)
        assert product.say
        assert product.formats
        product.options()
        assert all(about.help for _, about in options_of(product.options))
        assert f"`{name}`" in told
