"""Files of others that are torn or made in bad faith: PDFs, pictures, fonts, packs are used, or refused in a line.

A few are tried each time; `./run fuzz` goes on for an hour.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from PIL import Image

from sheetgen.workspace.archive import Sheetpack, digest_of, read_sheetpack, write_sheetpack

Sheetgen = Callable[..., Any]

LONG = "SHEETGEN_FUZZ" in os.environ
FEW = settings(
    settings.get_profile("unhurried"),
    max_examples=100 if LONG else 3,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEARS = some.lists(
    some.tuples(some.floats(0, 1), some.integers(0, 40), some.binary(max_size=40)), min_size=1, max_size=6
)
Tears = list[tuple[float, int, bytes]]
PEOPLE = "system: gamers\nname: Ada\n"


def torn(data: bytes, tears: Tears) -> bytes:
    """The bytes, with some of them replaced by others at several places."""
    for where, length, other in tears:
        at = int(where * len(data))
        data = data[:at] + other + data[at + length :]
    return data


def in_a_line(ran: Any, made: Sequence[Path]) -> None:
    """It was done, or refused without a traceback and without half a result."""
    assert ran.code in (0, 1, 2, 3), ran.err
    assert "Traceback" not in ran.err
    assert ran.code < 2 or not any(path.exists() for path in made)
    for path in made:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("verb", ["fill", "read", "booklet", "preflight"])
def test_a_torn_form_is_used_or_refused(sheetgen: Sheetgen, tmp_path: Path, verb: str) -> None:
    form, ada, made = tmp_path / "form.pdf", tmp_path / "ada.yaml", tmp_path / "made.pdf"
    ada.write_text(PEOPLE)
    assert sheetgen("blank", "gamers", "--fillable", "-o", str(form)).code == 0
    whole = form.read_bytes()
    words = {
        "fill": ("fill", "form.pdf", "ada.yaml", "-o", "made.pdf"),
        "read": ("read", "form.pdf", "-o", "made.yaml"),
        "booklet": ("booklet", "form.pdf", "-o", "made.pdf"),
        "preflight": ("preflight", "form.pdf"),
    }[verb]
    assert sheetgen(*words).code in (0, 1)

    @FEW
    @given(TEARS)
    def tried(tears: Tears) -> None:
        form.write_bytes(torn(whole, tears))
        in_a_line(sheetgen(*words), [made, tmp_path / "made.yaml"])

    tried()


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_torn_picture_is_used_or_refused(sheetgen: Sheetgen, tmp_path: Path, kind: str) -> None:
    face, made = tmp_path / f"face.{kind}", tmp_path / "made.pdf"
    (tmp_path / "ada.yaml").write_text(f"{PEOPLE}picture: face.{kind}\n")
    Image.linear_gradient("L").convert("RGB").save(face, kind)
    whole = face.read_bytes()
    assert sheetgen("sheet", "ada.yaml", "-o", "made.pdf").code == (0 if kind in ("png", "jpeg") else 2)

    @FEW
    @given(TEARS)
    def tried(tears: Tears) -> None:
        face.write_bytes(torn(whole, tears))
        in_a_line(sheetgen("sheet", "ada.yaml", "-o", "made.pdf"), [made])

    tried()


def test_a_torn_font_is_used_or_refused(sheetgen: Sheetgen, tmp_path: Path, small_font: Callable[..., bytes]) -> None:
    (tmp_path / "ada.yaml").write_text(PEOPLE.replace("Ada", "山田太郎"), "utf-8")
    whole, font = small_font(), tmp_path / "own.ttf"
    font.write_bytes(whole)
    assert sheetgen("sheet", "ada.yaml", "--font", "own.ttf", "-o", "made.pdf").code == 0

    @FEW
    @given(TEARS)
    def tried(tears: Tears) -> None:
        font.write_bytes(torn(whole, tears))
        in_a_line(sheetgen("sheet", "ada.yaml", "--font", "own.ttf", "-o", "made.pdf"), [tmp_path / "made.pdf"])

    tried()


@pytest.mark.parametrize("what", ["archive", "entry"])
def test_a_torn_sheetpack_is_unpacked_or_refused(sheetgen: Sheetgen, tmp_path: Path, what: str) -> None:
    """The bytes of the archive are torn, or those of a file in it, whose digest then still holds."""
    assert sheetgen("new", "mist", "-o", "mist").code == 0
    assert sheetgen("pack", "./mist", "-o", "mist.sheetpack").code == 0
    whole = (tmp_path / "mist.sheetpack").read_bytes()
    inside = read_sheetpack(whole, "mist.sheetpack")
    names = sorted(inside.files)

    @FEW
    @given(TEARS, some.sampled_from(names))
    def tried(tears: Tears, name: str) -> None:
        made = io.BytesIO()
        if what == "archive":
            made.write(torn(whole, tears))
        else:
            files = {**inside.files, name: torn(inside.files[name], tears)}
            write_sheetpack(made.write, Sheetpack(replace(inside.about, digest=digest_of(files)), files))
        (tmp_path / "torn.sheetpack").write_bytes(made.getvalue())
        in_a_line(sheetgen("add", "torn.sheetpack", "--look"), [])

    tried()
