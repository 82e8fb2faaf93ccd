"""What a page may fetch while it is laid out: regular files below one folder, the bundled fonts, and small data URIs.

Everything else stops the render with the address and the reason (RND-01 to RND-09, RND-16): WeasyPrint's own fetcher
reads any file and any address. This module imports WeasyPrint; only `layout.py` imports this module.
"""

from __future__ import annotations

import io
import os
import stat
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote, urljoin, urlsplit

from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from sheetgen.errors import quoted
from sheetgen.pdf.fonts.bundled import FAMILIES, font_damage, font_folder

LARGEST_FILE = 20_000_000
LARGEST_DATA_URI = 2_000_000
MOST_PIXELS = 40_000_000
MOST_PIXELS_OF_A_PAGE = 80_000_000
MOST_READINGS_OF_A_STYLESHEET = 8
TYPES = MappingProxyType(
    {
        ".css": "text/css",
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".jpeg": "image/jpeg",
        ".gif": "image/gif",
        ".webp": "image/webp",
        ".svg": "image/svg+xml",
        ".ttf": "font/ttf",
        ".otf": "font/otf",
        ".woff": "font/woff",
        ".woff2": "font/woff2",
    }
)
_FONTS = (b"\0\1\0\0", b"true", b"OTTO", b"wOFF", b"wOF2")
_TEXTS = ("text/css", "image/svg+xml")
_PHOTOGRAPHS = ("PNG", "JPEG", "GIF", "WEBP")


class RefusedAddress(FatalURLFetchingError):  # type: ignore[misc]  # WeasyPrint has no types
    """An address that a page may not fetch, and why; WeasyPrint lets it through to whoever asked for the render."""

    def __init__(self, url: str, why: str) -> None:
        self.url, self.why = url, why
        super().__init__(url, why)

    def __str__(self) -> str:
        return f"cannot use {quoted(self.url, longest=120)}: {self.why}"


class ResourceFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Serves files below `folders`, which are resolved paths; every other address raises RefusedAddress.

    `served` has each file that the page uses: the path it asked for, the path that this resolves to, a digest of the
    file. `refused` has the messages of refused addresses.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        super().__init__(allowed_protocols=("file", "data"), allow_redirects=False, fail_on_errors=True)
        self._folders = folders
        self.refused: list[str] = []
        self.served: set[tuple[str, str, str]] = set()
        self._readings: Counter[Path] = Counter()
        self._pixels: dict[bytes, int] = {}

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """Return the checked file or data at the address; refusals are recorded, since WeasyPrint drops some."""
        try:
            return self._fetched(url)
        except RefusedAddress as refusal:
            refusal.url = self._as_written(url)
            self.refused.append(str(refusal))
            raise

    def _as_written(self, url: str) -> str:
        """Return an address as a template writes it: a file near the pack from there, anything else as it is."""
        parts = urlsplit(url)
        if parts.scheme.lower() != "file" or parts.netloc:
            return url
        path = os.path.relpath(unquote(parts.path), self._folders[0])
        return url if path.startswith("../../..") else path

    def _fetched(self, url: str) -> URLFetcherResponse:
        scheme = url.partition(":")[0].lower()
        if scheme == "data":
            return self._fetch_data_uri(url)
        if scheme == "file":
            return self._file(url)
        raise RefusedAddress(url, "only files inside the pack")

    def _fetch_data_uri(self, url: str) -> URLFetcherResponse:
        if len(url) > LARGEST_DATA_URI:
            raise RefusedAddress(url, f"a data URI may have {LARGEST_DATA_URI:,} characters at most")
        try:
            response = super().fetch(url)
            body = response.read()
        except (ValueError, OSError) as error:
            raise RefusedAddress(url, "not a proper data URI") from error
        self._check(url, response.content_type, body)
        return URLFetcherResponse(url, body, {"Content-Type": response.content_type})

    def _file(self, url: str) -> URLFetcherResponse:
        parts = urlsplit(url)
        asked = unquote(parts.path)
        path = self._allowed(url, parts.netloc, asked)
        kind = TYPES.get(path.suffix.lower())
        if kind is None:
            raise RefusedAddress(url, f"a page may use only {', '.join(TYPES)}")
        self._readings[path] += 1
        if kind == "text/css" and self._readings[path] > MOST_READINGS_OF_A_STYLESHEET:
            raise RefusedAddress(url, "the stylesheet imports itself")
        body = _read(url, path)
        self.served.add((asked, str(path), blake2b(body, digest_size=16).hexdigest()))
        self._check(url, kind, body)
        return URLFetcherResponse(path.as_uri(), body, {"Content-Type": kind})

    def _check(self, url: str, kind: str, body: bytes) -> None:
        """Refuse damaged fonts and pictures, and more pixels than one page can be laid out with in good time."""
        if body.startswith(_FONTS) or kind.startswith("font/"):
            fault = font_damage(body)
            if fault:
                raise RefusedAddress(url, f"the font {fault}")
        elif kind not in _TEXTS:
            self._pixels[blake2b(body).digest()] = _check_picture(url, body)
            if sum(self._pixels.values()) > MOST_PIXELS_OF_A_PAGE:
                raise RefusedAddress(
                    url, f"the pictures of one page may have {MOST_PIXELS_OF_A_PAGE:,} pixels together"
                )

    def _allowed(self, url: str, host: str, path: str) -> Path:
        if host or "\0" in path:
            raise RefusedAddress(url, "only files inside the pack")
        try:
            found = Path(path).resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise RefusedAddress(url, "no such file (pictures and fonts of a pack lie in its templates/)") from error
        if not any(found.is_relative_to(folder) for folder in self._folders):
            raise RefusedAddress(url, "only files inside the pack")
        return found


def fetcher(root: Path) -> ResourceFetcher:
    """Return what serves files below `root` and the bundled fonts."""
    return ResourceFetcher((root.resolve(), *(font_folder(family).resolve() for family in FAMILIES)))


def fetched(address: str, root: Path) -> URLFetcherResponse:
    """Return the file at an address relative to `root`; RefusedAddress if a page may not use it."""
    return fetcher(root).fetch(urljoin(f"{root.resolve().as_uri()}/", address))


def _read(url: str, path: Path) -> bytes:
    """Return the bytes of a regular file; a pipe or a device is refused without waiting for it."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        raise RefusedAddress(url, error.strerror or "cannot be read") from error
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise RefusedAddress(url, "not a regular file")
        if about.st_size > LARGEST_FILE:
            raise RefusedAddress(url, f"larger than {LARGEST_FILE:,} bytes")
        return file.read(LARGEST_FILE)


def _check_picture(url: str, body: bytes) -> int:
    """Return the number of pixels; RefusedAddress for a damaged picture, or, from the header alone, for too many."""
    from PIL import Image, ImageFile  # comes with WeasyPrint, which lets it take half a picture for a whole one

    lenient, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        with Image.open(io.BytesIO(body), formats=_PHOTOGRAPHS) as picture:
            width, height = picture.size
            if width * height <= MOST_PIXELS:
                picture.load()
                return width * height
    except Exception as error:  # whatever a codec makes of damaged data
        raise RefusedAddress(url, "not a picture, or a damaged one") from error
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient
    raise RefusedAddress(url, f"{width} x {height} pixels are too many (at most {MOST_PIXELS:,})")
