"""Forms kept as bytes, and that reading them back is cheap and safe."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.form import Form


def test_a_form_comes_back_as_it_was(form: Form) -> None:
    again = Form.from_bytes(form.to_bytes())
    assert again.fields == form.fields
    assert (again.pages, again.backgrounds, again.shared) == (form.pages, form.backgrounds, form.shared)
    assert [face.glyphs for face in again.faces] == [face.glyphs for face in form.faces]
    assert again.to_bytes() == form.to_bytes()


def test_names_come_once_in_reading_order(form: Form) -> None:
    assert form.names == ("name", "grit", "mind", "out", "remark", "story")


def test_it_has_the_faces_of_its_text_fields(form: Form) -> None:
    assert form.face(FaceName("Source Serif Pro", 700)).missing("Łódź") == ""
    with pytest.raises(KeyError):
        form.face(FaceName("Source Sans Pro", 900))


@pytest.mark.parametrize("cut", [0, 10, 30, -1])
def test_a_torn_cache_is_noticed(form: Form, cut: int) -> None:
    with pytest.raises(ValueError, match="compiled form"):
        Form.from_bytes(form.to_bytes()[:cut])


def test_a_changed_cache_is_noticed(form: Form) -> None:
    data = bytearray(form.to_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        Form.from_bytes(bytes(data))


def test_stamping_loads_no_heavy_library() -> None:
    code = (
        "import sys, sheetgen.pdf.form.stamp, sheetgen.pdf.form.form, sheetgen.pdf.form.fillable;"
        "import sheetgen.pdf.flow.document;"
        "print([name for name in ('weasyprint', 'pikepdf', 'fontTools', 'PIL', 'lxml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
