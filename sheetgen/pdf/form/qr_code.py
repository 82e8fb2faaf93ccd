"""QR codes (ISO/IEC 18004) as runs of dark modules, with the quiet zone of four modules that the standard asks for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sheetgen.geometry import Box
from sheetgen.pdf.writer import number

QUIET = 4  # modules on each side


def dark_runs(text: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many modules a side has, quiet zone included, and the runs of dark ones: row, column, length.

    Rows count from the top. Error correction is level M: a code is read with 15 % of it hidden.
    """
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    side = code.getModuleCount()

    def runs() -> Iterator[tuple[int, int, int]]:
        for row in range(side):
            at = 0
            for dark, group in groupby(bool(code.isDark(row, column)) for column in range(side)):
                length = len(list(group))
                if dark:
                    yield row + QUIET, at + QUIET, length
                at += length

    return side + 2 * QUIET, tuple(runs())


def qr_operators(box: Box, text: str) -> bytes:
    """Return the operators that fill a code into a box, as large as it holds, in the middle."""
    side, runs = dark_runs(text)
    module = min(box.width, box.height) / side
    left, top = box.x + (box.width - side * module) / 2, box.top - (box.height - side * module) / 2
    drawn = [
        b"%b %b %b %b re"
        % tuple(map(number, (left + column * module, top - (row + 1) * module, length * module, module)))
        for row, column, length in runs
    ]
    return b"q 0 g %b f Q\n" % b" ".join(drawn)


def qr_path(text: str) -> tuple[int, str]:
    """Return the side of a code in modules, and an SVG path of its dark runs in that unit."""
    side, runs = dark_runs(text)
    return side, "".join(f"M{column} {row}h{length}v1h-{length}z" for row, column, length in runs)
