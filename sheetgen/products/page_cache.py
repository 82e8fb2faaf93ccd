"""Pages laid out: as PDF, as heights of their parts, or to see which parts are too full; what came of ours is cached.

Only a page that fetches no file is cached, under a digest of its HTML and of everything that lays it out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

from sheetgen.errors import OutputError, Place
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.manifest import code_stamp, versions
from sheetgen.workspace.packs import Pack, template_root
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

MOST_CACHED = 1_000  # more than a build of everything that comes with sheetgen
NO_PLACES: Mapping[str, Place] = MappingProxyType({})
_FETCHES = re.compile(r"url\((?![\"']?(?:#|data:))|@import|\ssrc=|<(?:img|link|image|object|embed)\b", re.IGNORECASE)


def pdf_of(
    project: Project,
    pack: Pack,
    html: str,
    *,
    name: str,
    tagged: bool = False,
    flip: str = "",
    places: Mapping[str, Place] = NO_PLACES,
    root: Path | None = None,
) -> bytes:
    """Return the page as PDF; arguments and errors as for `pdf.flow.document.flow`, the root that of its templates."""

    def made() -> bytes:
        from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

        inside = root or template_root(project, pack)
        return flow(html, root=inside, name=name, tagged=tagged, flip=flip, places=places)

    return _cached(
        project, pack, f"pdf\0{name}\0{tagged}\0{flip}\0{html}", made, whole=lambda data: data[:5] == b"%PDF-"
    )


def heights_of(
    project: Project, pack: Pack, html: str, *, name: str, places: Mapping[str, Place] = NO_PLACES
) -> dict[str, float]:
    """Return the height in mm of each element with a `data-part`; errors as for `pdf.flow.document.part_heights`."""

    def made() -> bytes:
        from sheetgen.pdf.flow.document import part_heights  # imports WeasyPrint

        return json.dumps(part_heights(html, root=template_root(project, pack), name=name, places=places)).encode()

    found: dict[str, float] = json.loads(_cached(project, pack, f"heights\0{name}\0{html}", made, whole=_is_json))
    return found


def overfull_parts(project: Project, pack: Pack, html: str, *, name: str, root: Path | None = None) -> frozenset[str]:
    """Return the names of the parts of a page, told by their `data-name`, that hold more than there is room for."""

    def made() -> bytes:
        from sheetgen.pdf.flow.document import overfull  # imports WeasyPrint

        return json.dumps(sorted(overfull(html, root=root or template_root(project, pack), name=name))).encode()

    return frozenset(json.loads(_cached(project, pack, f"overfull\0{name}\0{html}", made, whole=_is_json)))


def _cached(
    project: Project, pack: Pack, shaped: str, make: Callable[[], bytes], *, whole: Callable[[bytes], bool]
) -> bytes:
    """Return what `make` does, or what it did before for the same page; `whole` says whether a cached file is sound."""
    cacheable = pack.ours and not _FETCHES.search(shaped)
    digest = blake2b(
        "\0".join((shaped, code_stamp(), *versions())).encode("utf-8", "surrogatepass"), digest_size=20
    ).hexdigest()
    cached = project.cache / "pages" / digest
    if cacheable:
        with suppress(OSError):
            data = cached.read_bytes()
            if whole(data):
                return data
    use_bundled_fonts(project)
    data = make()
    if cacheable:
        with suppress(OutputError):  # a cache that cannot be written only costs time
            write_file(cached, data)
            _forget_oldest(cached.parent)
    return data


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _forget_oldest(folder: Path) -> None:
    """Remove the files that were written first, as far as there are too many."""
    with suppress(OSError):
        found = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in found[:-MOST_CACHED]:
            path.unlink(missing_ok=True)
