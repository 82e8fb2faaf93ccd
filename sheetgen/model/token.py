"""What a pack tells of somebody on a token, a standee or a tent card: two numbers, and boxes for what they suffer."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.model.npc_page import TitledLine


@dataclass(frozen=True, slots=True)
class Token:
    """The numbers of somebody, and rows of boxes to mark: each line, once filled in, says how many of them."""

    numbers: tuple[TitledLine, ...] = ()
    marks: tuple[TitledLine, ...] = ()
