"""The diagnosis of `doctor`: every part that printing needs, its state, and the command that repairs it."""

from __future__ import annotations

import ctypes.util
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType

from sheetgen.errors import EXTRAS, SheetgenError, with_extra
from sheetgen.workspace.cache import VARIABLE, cache_folder
from sheetgen.workspace.write import write_file

PANGO = (("pango-1.0", "libpango-1.0-0"), ("pangoft2-1.0", "libpangoft2-1.0-0"))
SUBSETTER = ("harfbuzz-subset", "libharfbuzz-subset0")
LIBRARIES = MappingProxyType(
    {
        "pyyaml": "yaml",
        "jinja2": "jinja2.sandbox",
        "markdown-it-py": "markdown_it",
        "weasyprint": "weasyprint",
        "tinyhtml5": "tinyhtml5",
        "tinycss2": "tinycss2",
        "pikepdf": "pikepdf",
        "fonttools": "fontTools.subset",
        "reportlab": "reportlab",
        "uharfbuzz": "uharfbuzz",
        "pypdfium2": "pypdfium2",
        "pillow": "PIL.Image",
        "watchfiles": "watchfiles",
    }
)
# What the extras bring.
OPTIONAL = MappingProxyType(
    {
        "python-calamine": "python_calamine",
        "xlsxwriter": "xlsxwriter",
        "distributed": "distributed",
        "dask": "dask",
        "cloudpickle": "cloudpickle",
        "fsspec": "fsspec",
        "starlette": "starlette",
        "uvicorn": "uvicorn",
        "python-multipart": "python_multipart",
        "anyio": "anyio",
    }
)
FOR = MappingProxyType({"tables": ".xlsx and .ods", "cluster": "--cluster and -o s3://…", "studio": "the page"})
PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing looked at: its state in words, and how to mend it if it is not well."""

    what: str
    state: str
    mend: str = ""
    needed: bool = True


def examine(where: Path, environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Yield each finding: Python, libraries, fonts, packs, the cache; a missing part does not stop the others."""
    yield Diagnosis("Python", platform.python_version())
    for library, module in LIBRARIES.items():
        yield _library(library, module)
    for extra, packages in EXTRAS.items():
        yield _extra(extra, packages)
    for name, package in PANGO:
        yield _system_library(name, package, needed=True)
    yield _system_library(*SUBSETTER, needed=False)
    yield _fonts()
    yield _packs(where, environ)
    yield _cache(where, environ)


def _library(name: str, module: str) -> Diagnosis:
    """Return whether a library can be imported; tried in a process of its own, as a broken one may print or crash."""
    try:
        found = version(name)
    except PackageNotFoundError:
        return Diagnosis(name, "missing", f"pip install {name}")
    words = [sys.executable, "-P", "-c", f"import {module}"]
    paths = os.pathsep.join(path for path in sys.path if path)
    try:
        tried = subprocess.run(
            words,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Diagnosis(name, f"{found}, which cannot be tried ({error})", f"pip install --force-reinstall {name}")
    if tried.returncode == 0:
        return Diagnosis(name, found)
    said = tried.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {tried.returncode}"]
    return Diagnosis(name, f"{found}, which cannot be imported ({said[-1]})", f"pip install --force-reinstall {name}")


def _extra(extra: str, packages: Iterable[str]) -> Diagnosis:
    """Return whether what an extra brings is there, if any of it is; nobody needs to have it."""
    found = [_library(name, OPTIONAL[name]) for name in packages]
    broken = [each for each in found if each.mend and each.state != "missing"]
    if broken:
        return replace(broken[0], needed=False)
    if any(each.mend for each in found):
        return Diagnosis(f"[{extra}]", f"not there: for {FOR[extra]}", with_extra(extra), needed=False)
    return Diagnosis(f"[{extra}]", ", ".join(f"{each.what} {each.state}" for each in found))


def _packs(where: Path, environ: Mapping[str, str]) -> Diagnosis:
    try:
        from sheetgen.workspace.project import project_at  # imports PyYAML

        project = project_at(where, environ)
    except ImportError as error:
        return Diagnosis("packs", f"cannot be read ({error})", "mend what is missing above")
    except SheetgenError as error:
        return Diagnosis("packs", "cannot be looked for", str(error))
    named = ((name, project.origin(folder)) for name, folder in sorted(project.library.packs.items()))
    packs = [f"{name} from {origin}" if origin else name for name, origin in named]
    absent = [each for each in project.search_path if each.named_by.startswith("$") and not each.folder.is_dir()]
    state = f"{len(packs)} in sight: {', '.join(packs)}"
    if absent:
        mend = f"there is no {absent[0].folder}: take it out of {absent[0].named_by}"
        return Diagnosis("packs", state, mend, needed=False)
    return Diagnosis("packs", state)


def _system_library(name: str, package: str, *, needed: bool) -> Diagnosis:
    found = ctypes.util.find_library(name)
    if found:
        return Diagnosis(name, found)
    state = "missing" if needed else "missing: small documents take three times as long"
    return Diagnosis(name, state, f"apt install {package}", needed)


def _fonts() -> Diagnosis:
    from sheetgen.pdf.fonts.bundled import FAMILIES, load_face
    from sheetgen.pdf.fonts.face import FaceName

    try:
        for family in FAMILIES:
            load_face(FaceName(family, 400, False))
    except SheetgenError as error:
        return Diagnosis(
            "fonts", str(error), "pip install --force-reinstall font-source-serif-pro font-source-sans-pro"
        )
    except ImportError as error:  # fontTools
        return Diagnosis("fonts", f"cannot be read ({error})", "mend what is missing above")
    return Diagnosis("fonts", ", ".join(FAMILIES))


def _cache(where: Path, environ: Mapping[str, str]) -> Diagnosis:
    try:
        cache = cache_folder(where, environ)
        probe = cache / f"probe-{os.getpid()}"
        write_file(probe, b"")
        probe.unlink()
        sizes = [file.stat().st_size for file in (cache / "forms").glob("*.form")]
    except (SheetgenError, OSError) as error:
        return Diagnosis("cache", str(error), f"set {VARIABLE} to a folder that can be written", needed=False)
    return Diagnosis("cache", f"{cache}: {len(sizes)} forms, {sum(sizes) / 1e6:.1f} MB")
