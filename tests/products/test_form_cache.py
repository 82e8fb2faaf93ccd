"""Forms from the cache: only as long as nothing that they are made from has changed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from sheetgen.errors import InputError
from sheetgen.pdf.form.form import Form
from sheetgen.products.form_cache import compiled_form
from sheetgen.workspace.project import Project

PAGE = "<!DOCTYPE html><html lang=en><head><title>x</title>{}</head><body>{}<p><input name=a title=A></p></body></html>"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A folder with a picture."""
    folder = tmp_path / "pack"
    folder.mkdir()
    write_picture(folder / "logo.png", "red")
    return folder


def write_picture(path: Path, colour: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(data, "PNG")
    path.write_bytes(data.getvalue())


def picture(form: Form) -> set[bytes]:
    return {shared.stream for shared in form.shared if b"/Image" in shared.text and shared.stream}


@pytest.fixture
def form(project: Project) -> Callable[..., Form]:
    """The form of a page in a folder, as a run would get it."""

    def made(root: Path, head: str = "", body: str = "<img src='logo.png'>") -> Form:
        return compiled_form(project, PAGE.format(head, body), root=root, name="mist/sheet.html")

    return made


def test_a_picture_that_changes_changes_the_form(form: Callable[..., Form], pack: Path) -> None:
    red = form(pack)
    assert picture(form(pack)) == picture(red) != set()
    write_picture(pack / "logo.png", "blue")
    assert picture(form(pack)) != picture(red)


def test_a_picture_that_is_gone_is_missed(form: Callable[..., Form], pack: Path) -> None:
    form(pack)
    (pack / "logo.png").unlink()
    with pytest.raises(InputError, match=r'logo\.png": no such file'):
        form(pack)


def test_a_picture_that_leads_out_of_the_pack_by_now_is_refused(form: Callable[..., Form], pack: Path) -> None:
    form(pack)
    (pack / "logo.png").rename(pack.parent / "logo.png")
    (pack / "logo.png").symlink_to(pack.parent / "logo.png")
    with pytest.raises(InputError, match="only files inside the pack"):
        form(pack)


def test_a_style_sheet_and_what_it_fetches_count(form: Callable[..., Form], pack: Path) -> None:
    head = "<link rel=stylesheet href=a.css>"
    (pack / "a.css").write_text("@import 'b.css';")
    (pack / "b.css").write_text("@page { size: A5 }")
    assert form(pack, head, "").pages == ((pytest.approx(419.5, abs=0.1), pytest.approx(595.3, abs=0.1)),)
    (pack / "b.css").write_text("@page { size: A6 }")
    assert form(pack, head, "").pages[0][0] == pytest.approx(297.6, abs=0.1)


def test_two_packs_with_the_same_page_have_pictures_of_their_own(form: Callable[..., Form], pack: Path) -> None:
    other = pack.parent / "other"
    other.mkdir()
    write_picture(other / "logo.png", "green")
    assert picture(form(pack)) != picture(form(other))


def test_a_page_that_is_refused_is_refused_again(form: Callable[..., Form], pack: Path) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="no such file"):
            form(pack, "", "<img src='none.png'>")


def test_nothing_changed_and_nothing_is_compiled(
    form: Callable[..., Form], pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = form(pack)
    monkeypatch.setattr("sheetgen.pdf.form.compile.compile_form", None)
    assert form(pack).to_bytes() == first.to_bytes()


def test_a_cache_that_cannot_be_written_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    code = """if True:
        import os
        from pathlib import Path
        from sheetgen.products.form_cache import FONTCONFIG, use_bundled_fonts
        from sheetgen.workspace.project import project_at
        use_bundled_fonts(project_at(Path.cwd(), os.environ))
        assert Path(os.environ[FONTCONFIG]).is_file()
        print(os.environ[FONTCONFIG])
    """
    (tmp_path / "file").touch()
    world = {**os.environ, "SHEETGEN_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir()
    world.pop("FONTCONFIG_FILE", None)
    done = subprocess.run([sys.executable, "-c", code], env=world, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(tmp_path / "tmp"))
    assert list((tmp_path / "tmp").iterdir()) == []
