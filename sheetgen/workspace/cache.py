"""The cache folder, for forms and pages that are laid out once: `doctor` finds it where no library is installed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from sheetgen.errors import UsageError

VARIABLE = "SHEETGEN_CACHE"


def cache_folder(where: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder that SHEETGEN_CACHE names, seen from `where`, or the platform's own, as an absolute path."""
    named = environ.get(VARIABLE)
    if named:
        return _absolute(where, named)
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "sheetgen"
    return _absolute(where, environ.get("XDG_CACHE_HOME") or _home() / ".cache") / "sheetgen"


def _absolute(where: Path, folder: Path | str) -> Path:
    return where.absolute() / folder


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError(f"this user has no home folder for a cache: set {VARIABLE} to a folder") from None
