"""Pages printed on both sides as they are, front and back by turns, with the backs where a printer needs them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.model.printer import Shift
from sheetgen.press.impose import first_size, impose, page_count
from sheetgen.press.imposition import Imposition
from sheetgen.press.plan import Flip, n_up


def shifted(pages: bytes, shift: Shift, *, flip: Flip = "long") -> bytes:
    """The same pages with every second one moved to the right and up, in mm, as one sees them; all of one size.

    Pages that lie on their side come upright, since the shift was measured so. Backs of paper that is turned over its
    short edge stand on their heads, so that they read upright. Where nothing is to be done, nothing is changed.
    """
    if not any(shift) and flip == "long":
        return pages
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        source, target = Path(folder) / "pages.pdf", Path(folder) / "moved.pdf"
        source.write_bytes(pages)
        plan = n_up(page_count(source, source.name), 1, 1, two_sided=True, flip=flip)
        impose(
            source, source.name, Imposition(plan, first_size(source, source.name), shift=shift, upright=True), target
        )
        return target.read_bytes()
