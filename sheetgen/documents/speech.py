"""What somebody says, as it stands on a page: between quotes, which belong to the page and not to the words."""

from __future__ import annotations

import re

_QUOTED = re.compile('“((?:[^“”]|“[^“”]*”)*)”|"([^"]*)"')
_INNER = str.maketrans("“”", "‘’")


def unquoted(text: str) -> str:
    """Return what somebody says without the pair of quotes around the whole of it, if there is one."""
    found = _QUOTED.fullmatch(text)
    return text if found is None else found[1] or found[2] or ""


def within_quotes(text: str) -> str:
    """Return what somebody says as it stands between quotes: a quotation within it has single ones."""
    return unquoted(text).translate(_INNER)


def quoted_speech(text: str) -> str:
    """Return what somebody says between quotes, whether or not it was written so."""
    return f"“{unquoted(text)}”"
