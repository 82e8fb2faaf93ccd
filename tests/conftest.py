"""What many tests need: the packs that come with sheetgen, a project in an empty folder, and the command line."""

from __future__ import annotations

import gc
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from sheetgen.cli import main
from sheetgen.content.packs.folders import Library
from sheetgen.model.system import System
from sheetgen.workspace.project import Project, project_at
from tests.reading import ROOT, SHIPPED, read_pack

# Hundreds of processes start here: none of them compiles what another one did, and garbage is looked for seldom.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.set_threshold(100_000, 20, 20)

# How long an example takes tells of the machine and what else runs on it, and says nothing of right or wrong.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Ctrl-C is heard, also in what the tests start, where `nohup` or `&` had it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Modules that make something large once for all their tests, or for those of a system: these stay with one of the
# processes of a run.
BY_SYSTEM = {"book_layout"}
GROUPED = {*BY_SYSTEM, "endurance", "given_pdfs", "handouts", "playing_deck", "reference_cards", "wheel"}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of such a module together (`--dist loadgroup`), and mark what `slow.txt` names as slow."""
    slow = {line for line in (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines() if not line.startswith("#")}
    for item in items:
        if slow & {item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}:
            item.add_marker(pytest.mark.slow)
        name = item.path.stem.removeprefix("test_")
        if name in GROUPED:
            given = item.callspec.params if name in BY_SYSTEM and hasattr(item, "callspec") else {}
            item.add_marker(pytest.mark.xdist_group(f"{name} {given.get('system', given.get('book', ''))}"))


@pytest.fixture(scope="session")
def library() -> Library:
    """The packs of the checkout, shown by paths relative to it."""
    return SHIPPED


@pytest.fixture(scope="session")
def gamers(library: Library) -> System:
    """GAMERS, read and checked."""
    return read_pack(ROOT / "content" / "gamers", library)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests, shared by the processes of a run, so that each form is compiled once."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def world(cache: Path) -> dict[str, str]:
    """The environment of projects that many tests share: nothing of the machine, and the cache of all tests."""
    return {"SHEETGEN_CACHE": str(cache)}


@pytest.fixture(autouse=True)
def own_world(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the cache, the settings or the fonts of the machine it runs on."""
    monkeypatch.setenv("SHEETGEN_CACHE", str(cache))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SHEETGEN_PACKS", raising=False)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The project as seen from an empty folder."""
    return project_at(tmp_path, os.environ)


@dataclass(frozen=True)
class Ran:
    """How a run of the command line ended, and what it said."""

    code: int
    out: str
    err: str


@pytest.fixture
def sheetgen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command line, run in an empty folder: `sheetgen("npc", "gamers").code`."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Ran:
        code = main(words)
        said = capfd.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def small_font() -> Callable[..., bytes]:
    """Makes a TrueType font of some Latin, Chinese, Hebrew, Arabic and Devanagari letters, each a box of its own.

    Arabic letters have forms for their places in a word, lam with alef is one glyph, and a fatha stands on its letter.
    """
    from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    shaped = {"lam.init": 400, "lam.fina": 500, "beh.init": 300, "beh.medi": 350, "beh.fina": 650, "lam_alef": 700}
    named = {"\u0627": "alef", "ل": "lam", "ب": "beh", "َ": "fatha"}
    features = """
        languagesystem DFLT dflt; languagesystem arab dflt; languagesystem dev2 dflt;
        feature init { sub lam by lam.init; sub beh by beh.init; } init;
        feature medi { sub beh by beh.medi; } medi;
        feature fina { sub lam by lam.fina; sub beh by beh.fina; } fina;
        feature rlig { sub lam.init alef by lam_alef; } rlig;
        markClass fatha <anchor 100 600> @ABOVE;
        feature mark { pos base [beh beh.init beh.medi beh.fina] <anchor 200 800> mark @ABOVE; } mark;
    """

    def made(characters: str = "Ab 山田太郎、。「」אב()" + "الب" + "َ" + "कि", *, allowed: int = 0) -> bytes:
        names = {char: named.get(char, f"u{ord(char):04X}") for char in characters}
        forms = shaped if set(named) <= set(names) else {}
        order = [".notdef", *names.values(), *forms]
        builder = FontBuilder(1000, isTTF=True)
        builder.setupGlyphOrder(order)
        builder.setupCharacterMap({ord(char): name for char, name in names.items()})
        widths = {name: 600 + 10 * at for at, name in enumerate(order)} | forms | {"fatha": 0}
        outlines = {}
        for name in order:
            pen = TTGlyphPen(None)
            if name != "u0020":
                left, low, right, high = (0, 650, 200, 700) if name == "fatha" else (50, -100, widths[name] - 50, 850)
                for at, corner in enumerate([(left, low), (left, high), (right, high), (right, low)]):
                    (pen.lineTo if at else pen.moveTo)(corner)
                pen.closePath()
            outlines[name] = pen.glyph()
        builder.setupGlyf(outlines)
        builder.setupHorizontalMetrics({name: (widths[name], 0) for name in order})
        builder.setupHorizontalHeader(ascent=900, descent=-200)
        builder.setupNameTable({"familyName": "Small (Font)", "styleName": "Regular", "psName": "SmallFont-Regular"})
        builder.setupOS2(sCapHeight=700, fsType=allowed)
        builder.setupPost()
        if forms:
            addOpenTypeFeaturesFromString(builder.font, features)
        builder.font["head"].created = builder.font["head"].modified = 0
        builder.font.recalcTimestamp = False
        out = io.BytesIO()
        builder.font.save(out)
        return out.getvalue()

    return made


@pytest.fixture(scope="session")
def strange_form() -> Callable[..., bytes]:
    """Makes a stranger's PDF of one page: `strange_form({"T": "Name", "FT": Name.Tx}, needed=True)`.

    Each field is its own widget, one below the other, unless it has a `Rect`; other words are entries of the form.
    """
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    def made(*fields: dict[str, object], **entries: object) -> bytes:
        with pikepdf.new() as pdf:
            pdf.add_blank_page(page_size=(400, 40 + 40 * len(fields)))
            page, listed = pdf.pages[0].obj, Array()
            page.Contents = pdf.make_stream(b"0.9 g 0 0 400 20 re f")
            for at, field in enumerate(fields):
                low = 40 * (len(fields) - at)
                about = {"Type": Name.Annot, "Subtype": Name.Widget, "F": 4, "Rect": [20, low, 220, low + 20], **field}
                listed.append(pdf.make_indirect(Dictionary(**{key: given for key, given in about.items()})))
            page.Annots = listed
            pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array(list(listed)), **entries))
            out = io.BytesIO()
            pdf.save(out, deterministic_id=True)
            return out.getvalue()

    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The Chromium of the system; of a module, since nothing asynchronous can run beside it."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("needs Chromium: apt install chromium")
    with api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


def reloaded(page: Any, true: str) -> None:
    """Reload a page until an expression is true; Chromium may show one that is loaded at once what was stored before.

    It happens once in a hundred times on a busy machine, to a page of three lines as well; each load waits longer.
    """
    for number in range(10):
        page.wait_for_timeout(100 * number)
        page.reload()
        if page.evaluate(true):
            return
    raise AssertionError(f"not after ten loads: {true}")
