"""PDFs that somebody gives, in each verb that reads one: used whole or refused in one line, in another process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name, OutlineItem

from sheetgen.errors import EXIT_INPUT, EXIT_LIMIT, InputError, Place, Problem
from sheetgen.press import pages
from sheetgen.products.handouts import handouts

Sheetgen = Callable[..., Any]
Spoil = Callable[[pikepdf.Pdf], object]
VERBS = {
    "booklet": ["booklet", "given.pdf", "-o", "made.pdf"],
    "preflight": ["preflight", "given.pdf"],
    "fill": ["fill", "given.pdf", "--names", "-o", "made.pdf"],
    "read": ["read", "given.pdf", "--system", "gamers", "-o", "made.yaml"],
    "merge": ["merge", "given.pdf", "second.pdf", "-o", "made.pdf"],
}
ADA = """
system: gamers
format: 1
characters:
- name: Ada Finch
  attributes: {Grit: 5, Awareness: 5, Mind: 5, Endurance: 5, Reflexes: 5, Strength: 5}
"""


@pytest.fixture(scope="session", name="shards")
def two_shards(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> list[bytes]:
    """The two shards of a run of four people."""
    folder = tmp_path_factory.mktemp("shards")
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    for number in (1, 2):
        words = ["npc", "gamers", "-n", "4", "--seed", "7", "--shard", f"{number}/2", "-o", f"{number}.pdf"]
        subprocess.run([sys.executable, "-m", "sheetgen", *words], cwd=folder, env=environ, check=True)
    return [(folder / f"{number}.pdf").read_bytes() for number in (1, 2)]


@pytest.fixture(params=VERBS, name="verb")
def verb_and_its_pdf(
    request: pytest.FixtureRequest, tmp_path: Path, shards: list[bytes], strange_form: Callable[..., bytes]
) -> str:
    """A verb, and in the folder the PDF that it is given, which is sound."""
    name: str = request.param
    form = strange_form({"T": "Name", "FT": Name.Tx}, {"T": "Grit", "FT": Name.Tx})
    (tmp_path / "given.pdf").write_bytes(shards[0] if name == "merge" else form)
    (tmp_path / "second.pdf").write_bytes(shards[1])
    return name


def plain(path: Path) -> bytearray:
    """The bytes of a PDF in which each object stands by itself."""
    with pikepdf.open(path) as pdf:
        pdf.save(path.with_suffix(".plain"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return bytearray(path.with_suffix(".plain").read_bytes())


def spoilt(path: Path, spoil: Spoil, **saving: object) -> None:
    """The file changed by a stranger."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        spoil(pdf)
        pdf.save(path, **saving)  # type: ignore[arg-type]


def cut_off(path: Path) -> None:
    path.write_bytes(plain(path)[:-60])


def scratched(path: Path) -> None:
    """One byte of a page turned, so that it cannot be unpacked."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        held = pdf.pages[0].obj.Contents
        contents = held[0] if isinstance(held, pikepdf.Array) else held
        packed = zlib.compress(contents.read_bytes())
        contents.write(packed, filter=Name.FlateDecode)
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = bytearray(path.read_bytes())
    data[data.index(packed) + 2] |= 0x07
    path.write_bytes(data)


def locked(path: Path) -> None:
    spoilt(path, lambda pdf: None, encryption=pikepdf.Encryption(owner="o", user="u"))


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def without_pages(path: Path) -> None:
    def spoil(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Pages = pdf.make_indirect(Dictionary(Type=Name.Pages, Kids=Array(), Count=0))

    spoilt(path, spoil)


def brackets_without_end(path: Path) -> None:
    data = plain(path)
    at = data.index(b"/Contents")
    path.write_bytes(data[:at] + b"/Deep " + b"[" * 100_000 + b" " + data[at:])


def of_another_kind(path: Path) -> None:
    path.write_bytes(b"<!DOCTYPE html><title>No PDF</title>")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut_off, "is damaged or cut off"),
        (scratched, "damaged"),
        (locked, "is locked with a password: save it without one first"),
        (lambda path: path.write_bytes(b""), "is empty"),
        (a_pipe, "is not a regular file"),
        (a_device, "is not a regular file"),
        (without_pages, "has 0 pages"),
        (brackets_without_end, "damaged"),
        (of_another_kind, "is not a PDF that can be read"),
        (lambda path: path.unlink(), "no such file or directory"),
    ],
    ids=["cut off", "scratched", "locked", "empty", "pipe", "device", "pageless", "brackets", "html", "missing"],
)
def test_what_cannot_be_used_is_refused_in_one_line(
    sheetgen: Sheetgen, tmp_path: Path, verb: str, spoil: Callable[[Path], object], why: str
) -> None:
    spoil(tmp_path / "given.pdf")
    ran = sheetgen(*VERBS[verb])
    assert (ran.code, ran.out) == (EXIT_INPUT, "")
    assert ran.err.startswith("given.pdf: ")
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1
    assert str(tmp_path) not in ran.err
    assert not (tmp_path / "made.pdf").exists()


def test_what_the_reader_mends_without_loss_is_taken(sheetgen: Sheetgen, tmp_path: Path, verb: str) -> None:
    path = tmp_path / "given.pdf"
    data = plain(path)
    many = re.search(rb"/Size (\d+)", data)
    assert many is not None
    path.write_bytes(data.replace(many[0], b"/Size %d" % (int(many[1]) - 1)))  # as some old programs count
    assert sheetgen(*VERBS[verb]).code in (0, 1)


def test_more_pages_than_anybody_prints_are_refused(sheetgen: Sheetgen, tmp_path: Path, verb: str) -> None:
    spoilt(tmp_path / "given.pdf", lambda pdf: [pdf.add_blank_page() for _ in range(pages.MOST_PAGES)])
    ran = sheetgen(*VERBS[verb])
    if verb == "merge":  # of sheets for a crowd there may be any number
        assert (ran.code, ran.err) == (0, "")
    else:
        assert (ran.code, ran.err) == (2, "given.pdf: has 2,001 pages; from 1 to 2,000 are taken\n")


def test_it_is_read_in_another_process(sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    def where(*_: object, **__: object) -> None:
        raise InputError([Problem(Place("given.pdf"), f"opened by {os.getpid()}")])

    monkeypatch.setattr(pikepdf, "open", where)
    told = re.fullmatch(r"given.pdf: opened by (\d+)\n", sheetgen(*VERBS[verb]).err)
    assert told is not None
    assert int(told[1]) != os.getpid()


def test_a_bomb_takes_less_than_500_mb(tmp_path: Path, verb: str) -> None:
    def bomb(pdf: pikepdf.Pdf) -> None:
        packing = zlib.compressobj()
        first, more = (packing.compress(bytes(1_000_000)) + packing.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
        packed = first + 700 * more + packing.flush()
        stream = pdf.make_stream(b"")
        stream.write(packed, filter=Name.FlateDecode)
        if verb == "merge":
            pdf.Root.PieceInfo.Sheetgen.Private = stream
        else:
            pdf.pages[0].obj.Contents = stream

    spoilt(tmp_path / "given.pdf", bomb)
    script = (
        "import re, sys; from resource import RUSAGE_CHILDREN, getrusage; from sheetgen.cli import main\n"
        "code = main(sys.argv[1:])\n"
        # What getrusage tells of a process itself begins with the peak of whoever started it.
        "own = int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "print(code, max(own, getrusage(RUSAGE_CHILDREN).ru_maxrss))"
    )
    command = [sys.executable, "-c", script, *VERBS[verb]]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    code, kilobytes = map(int, ran.stdout.split())
    assert code == EXIT_LIMIT
    assert re.fullmatch(r"given.pdf: stopped, since it takes more than \d+ MB of memory\n", ran.stderr)
    assert kilobytes * 1024 < 500_000_000


Record = dict[str, Any]


def facts(**changes: object) -> Callable[[Record], object]:
    return lambda record: record["facts"].update(changes)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (facts(of=10**9), "is no shard that this sheetgen can read"),
        (facts(of="2"), "is no shard that this sheetgen can read"),
        (facts(shard=True), "is no shard that this sheetgen can read"),
        (facts(fonts=5), "is no shard that this sheetgen can read"),
        (facts(more=1), "is no shard that this sheetgen can read"),
        (lambda record: record.update(facts=[]), "is no shard that this sheetgen can read"),
        (lambda record: record.update(rows=5), "is no shard: make one with --shard"),
        (lambda record: record.update(letters=5), "is no shard: make one with --shard"),
        (lambda record: record["rows"].append(["Bo", [0, 0], []]), "has fewer pages than it should"),
        (lambda record: record["rows"].append(["Bo", "00", []]), "is no shard: make one with --shard"),
        (lambda record: record["rows"][0].__setitem__(1, [99] * len(record["rows"][0][1])), "what no shard holds"),
        (lambda record: record["letters"].update({"/F0": ["more than a letter"]}), "what no shard holds"),
    ],
)
def test_a_shard_that_sheetgen_never_wrote_is_refused(
    sheetgen: Sheetgen, tmp_path: Path, shards: list[bytes], change: Callable[[Record], object], why: str
) -> None:
    for name, data in zip(("given.pdf", "second.pdf"), shards, strict=True):
        (tmp_path / name).write_bytes(data)

    def spoil(pdf: pikepdf.Pdf) -> None:
        private = pdf.Root.PieceInfo.Sheetgen.Private
        record = json.loads(private.read_bytes())
        change(record)
        private.write(json.dumps(record).encode())

    spoilt(tmp_path / "given.pdf", spoil)
    ran = sheetgen(*VERBS["merge"])
    assert ran.code == EXIT_INPUT
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["system", "shape", "paper"])
def test_shards_name_no_folder_and_nothing_unheard_of(
    sheetgen: Sheetgen, tmp_path: Path, shards: list[bytes], name: str
) -> None:
    (tmp_path / "pack").mkdir()
    for file, data in zip(("given.pdf", "second.pdf"), shards, strict=True):
        (tmp_path / file).write_bytes(data)

        def spoil(pdf: pikepdf.Pdf) -> None:
            private = pdf.Root.PieceInfo.Sheetgen.Private
            record = json.loads(private.read_bytes())
            record["facts"][name] = str(tmp_path / "pack")
            private.write(json.dumps(record).encode())

        spoilt(tmp_path / file, spoil)
    ran = sheetgen(*VERBS["merge"])
    assert ran.code == EXIT_INPUT
    assert "was printed in a way that this sheetgen does not know, or for a system that is not here" in ran.err


@pytest.mark.parametrize("contents", [None, "text", Dictionary(), Array([Dictionary()])])
def test_shards_whose_pages_are_no_streams_are_refused(
    sheetgen: Sheetgen, tmp_path: Path, shards: list[bytes], contents: object
) -> None:
    for name, data in zip(("given.pdf", "second.pdf"), shards, strict=True):
        (tmp_path / name).write_bytes(data)

    def spoil(pdf: pikepdf.Pdf) -> None:
        if contents is None:
            del pdf.pages[0].obj.Contents
        else:
            pdf.pages[0].obj.Contents = contents

    spoilt(tmp_path / "given.pdf", spoil)
    ran = sheetgen(*VERBS["merge"])
    assert ran.code == EXIT_INPUT
    assert re.fullmatch(r"given.pdf: (has|is) [^\n]*: make it again\n", ran.err)


def test_handouts_of_strangers_are_set_in_another_process(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def where(*_: object, **__: object) -> None:
        raise InputError([Problem(Place("hook.md"), f"set by {os.getpid()}")])

    (tmp_path / "hook.md").write_text("---\nstyle: letter\n---\nCome at once.\n")
    monkeypatch.setattr(handouts, "read_handout", where)
    told = re.search(r"set by (\d+)", sheetgen("handouts", "hook.md").err)
    assert told is not None
    assert int(told[1]) != os.getpid()


SCRIPT = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
LINKS = (
    {"A": Dictionary(S=Name.URI, URI="https://example.org/")},
    {"A": Dictionary(S=Name.URI, URI="javascript:alert(1)")},
    {"A": Dictionary(S=Name.URI, URI="FILE:///etc/passwd")},
    {"A": Dictionary(S=Name.Launch, F="calc.exe")},
    {"A": SCRIPT},
)


def acting(pdf: pikepdf.Pdf) -> None:
    """A page of links that do what they should not, and a file that acts when it is opened."""
    links = [
        pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[9, 9, 99, 99], **link)) for link in LINKS
    ]
    pdf.pages[0].obj.Annots = Array(links)
    pdf.Root.OpenAction = SCRIPT
    pdf.attachments["notes.txt"] = b"notes"


def test_a_booklet_takes_no_actions_along_and_says_so(sheetgen: Sheetgen, tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(300, 400))
        acting(pdf)
        pdf.save(tmp_path / "given.pdf")
    ran = sheetgen("booklet", "given.pdf", "-o", "made.pdf")
    assert [line for line in ran.out.splitlines() if "note" in line] == [
        "  note: 4 links left out that lead neither to a page nor to the web: JavaScript, Launch, file:, javascript:",
        "  note: scripts and other actions left out",
        "  note: attached files left out",
    ]
    with pikepdf.open(tmp_path / "made.pdf") as made:
        assert [str(each.A.URI) for each in made.pages[0].Annots] == ["https://example.org/"]
        assert not {"/OpenAction", "/Names"} & set(made.Root.keys())
    data = plain(tmp_path / "made.pdf").lower()
    assert not any(word in data for word in (b"javascript", b"passwd", b"launch", b"calc.exe"))


def test_a_booklet_of_a_filled_form_shows_what_was_filled_in(
    sheetgen: Sheetgen, tmp_path: Path, strange_form: Callable[..., bytes]
) -> None:
    (tmp_path / "form.pdf").write_bytes(strange_form({"T": "Name", "FT": Name.Tx}, {"T": "Ready", "FT": Name.Btn}))
    (tmp_path / "ada.yaml").write_text(ADA)
    assert sheetgen("fill", "form.pdf", "ada.yaml", "-o", "filled.pdf").code == 0
    ran = sheetgen("booklet", "filled.pdf", "--fold", "2up", "-o", "made.pdf")
    assert "  note: form fields are printed as they are, and can no longer be filled in\n" in ran.out
    with pymupdf.open(tmp_path / "made.pdf") as made:
        assert "Ada Finch" in made[0].get_text()
        assert not list(made[0].widgets())


def test_a_form_is_filled_to_the_same_bytes_in_every_process(
    tmp_path: Path, strange_form: Callable[..., bytes]
) -> None:
    styles = ("/Times 10 Tf", "/Helv 10 Tf", "/TimesBold 10 Tf")
    named = zip(("Name", "Grit", "Mind"), styles, strict=True)
    fields = [{"T": name, "FT": Name.Tx, "DA": style} for name, style in named]
    (tmp_path / "form.pdf").write_bytes(strange_form(*fields))
    (tmp_path / "ada.yaml").write_text(ADA)
    found = set()
    for seed in ("1", "2", "3"):
        command = [sys.executable, "-m", "sheetgen", "fill", "form.pdf", "ada.yaml", "-o", "-"]
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        found.add(subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, check=False).stdout)
    assert len(found) == 1
    assert found.pop().startswith(b"%PDF")


def test_flat_pages_open_nowhere_and_have_no_bookmarks_of_the_form(
    sheetgen: Sheetgen, tmp_path: Path, strange_form: Callable[..., bytes]
) -> None:
    (tmp_path / "form.pdf").write_bytes(strange_form({"T": "Name", "FT": Name.Tx}))
    (tmp_path / "ada.yaml").write_text(ADA)

    def opening(pdf: pikepdf.Pdf) -> None:
        pdf.Root.OpenAction = Array([pdf.pages[0].obj, Name.Fit])
        with pdf.open_outline() as outline:
            outline.root.append(OutlineItem("Page 1", 0, "Fit"))

    spoilt(tmp_path / "form.pdf", opening)
    assert sheetgen("fill", "form.pdf", "ada.yaml", "--flat", "-o", "flat.pdf").code == 0
    with pikepdf.open(tmp_path / "flat.pdf") as made:
        assert not {"/OpenAction", "/Outlines", "/AcroForm"} & set(made.Root.keys())
