"""PDFs of anybody's opened, or refused with a line that says why."""

from __future__ import annotations

from pathlib import Path

import pikepdf

from sheetgen.errors import InputError, Place, Problem

LARGEST = 400_000_000
MOST_PAGES = 2_000


def opened(path: Path, shown: str) -> pikepdf.Pdf:
    """The PDF, to be closed again; InputError for what is none, is locked, or has no pages or too many."""
    place = Place(shown)
    try:
        if path.stat().st_size > LARGEST:
            raise InputError([Problem(place, f"is larger than {LARGEST:,} bytes")])
        source = pikepdf.open(path)
    except pikepdf.PasswordError:
        raise InputError([Problem(place, "is locked with a password: save it without one first")]) from None
    except pikepdf.PdfError as error:
        # What is wrong comes behind the whole path, which is told already, and as the user wrote it.
        reason = str(error).removeprefix(f"{path}: ").partition("\n")[0][:160] or "damaged"
        raise InputError([Problem(place, f"is not a PDF that can be read ({reason})")]) from None
    except OSError as error:
        raise InputError([Problem(place, (error.strerror or str(error)).lower())]) from None
    if not 1 <= len(source.pages) <= MOST_PAGES:
        source.close()
        raise InputError([Problem(place, f"has {len(source.pages):,} pages; from 1 to {MOST_PAGES:,} are taken")])
    return source
