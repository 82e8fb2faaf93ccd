"""What `doctor` looks at: every part a print run leans on, whether it is well, and the command that mends it."""

from __future__ import annotations

import ctypes.util
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from sheetgen.errors import SheetgenError
from sheetgen.recipes.project import Project
from sheetgen.recipes.write import write_file

PANGO = (("pango-1.0", "libpango-1.0-0"), ("pangoft2-1.0", "libpangoft2-1.0-0"))
SUBSETTER = ("harfbuzz-subset", "libharfbuzz-subset0")
LIBRARIES = ("jinja2", "weasyprint", "pikepdf", "pyyaml", "fonttools", "reportlab")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: its state in words, and how to mend it if it is not well."""

    what: str
    state: str
    mend: str = ""
    needed: bool = True


def examine(project: Project) -> Iterator[Finding]:
    """Each finding in turn: Python, libraries, fonts, packs, and the cache."""
    yield Finding("Python", platform.python_version())
    for library in LIBRARIES:
        yield _library(library)
    for name, package in PANGO:
        yield _system_library(name, package, needed=True)
    yield _system_library(*SUBSETTER, needed=False)
    yield _fonts()
    yield Finding("packs", f"{len(project.library.packs)} in sight: {', '.join(sorted(project.library.packs))}")
    yield _cache(project)


def _library(name: str) -> Finding:
    try:
        return Finding(name, version(name))
    except PackageNotFoundError:
        return Finding(name, "missing", f"pip install {name}")


def _system_library(name: str, package: str, *, needed: bool) -> Finding:
    found = ctypes.util.find_library(name)
    if found:
        return Finding(name, found)
    state = "missing" if needed else "missing: small documents take three times as long"
    return Finding(name, state, f"apt install {package}", needed)


def _fonts() -> Finding:
    from sheetgen.pdf.fonts import FAMILIES, load_face  # imports fontTools
    from sheetgen.pdf.glyphs import FaceName

    try:
        for family in FAMILIES:
            load_face(FaceName(family, 400, False))
    except SheetgenError as error:
        return Finding("fonts", str(error), "pip install --force-reinstall font-source-serif-pro font-source-sans-pro")
    return Finding("fonts", ", ".join(FAMILIES))


def _cache(project: Project) -> Finding:
    probe = project.cache / "probe"
    try:
        write_file(probe, b"")
        probe.unlink()
    except (SheetgenError, OSError) as error:
        mend = "set SHEETGEN_CACHE to a folder that can be written"
        return Finding("cache", f"{project.cache}: {error}", mend, needed=False)
    kept = list((project.cache / "forms").glob("*.form"))
    size = sum(file.stat().st_size for file in kept) / 1e6
    return Finding("cache", f"{project.cache}: {len(kept)} forms, {size:.1f} MB")
