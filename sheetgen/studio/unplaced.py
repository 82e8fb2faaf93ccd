"""What something says, without where it says it: lines above it may have come and gone."""

from __future__ import annotations

import re
from collections.abc import Callable

_STRING = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""  # as repr writes one, whatever stands in it
_PLACE = re.compile(rf"Place\(file={_STRING}, line=\d+, column=\d+\)")


def unplaced(value: object, instead: Callable[[str], str] = lambda place: "") -> str:
    """Return all that a value says, with another text instead of each `Place` in it."""
    return _PLACE.sub(lambda found: instead(found[0]), repr(value))
