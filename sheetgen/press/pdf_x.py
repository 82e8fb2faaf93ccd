"""PDF/X-1a:2003 (ISO 15930-4): what it asks of a file, made so, and looked for."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from sheetgen.model.print_shop import CONDITIONS
from sheetgen.press.inks import Paint, in_four_inks

VERSION = "PDF/X-1a:2003"
REGISTRY = "http://www.color.org"
# The standard asks for dates. One that never changes leaves the same pages the same bytes.
DATE = "D:20000101000000Z"
_KEPT = ("/Type", "/Pages")


def as_pdf_x(data: bytes, *, condition: str, paint: Paint) -> tuple[bytes, tuple[int, ...]]:
    """Return pages of ours as PDF/X-1a:2003 for a printing condition, and the pages, from 1, that became pictures.

    Pages have a TrimBox and a BleedBox already, and fonts are embedded. `paint` draws a page that cannot be said in
    four inks line by line.
    """
    with pikepdf.open(BytesIO(data)) as source, BytesIO() as out:
        pictured = in_four_inks(source, paint)
        for entry in sorted(source.Root.keys() - {*_KEPT}):
            del source.Root[entry]
        for page in source.pages:
            for key in ("/Annots", "/ArtBox", "/CropBox", "/StructParents", "/Tabs", "/Metadata"):
                if key in page.obj:
                    del page.obj[key]
        source.Root.OutputIntents = Array([_intent(condition)])
        title = str(source.docinfo.get("/Title", "")) or "Pages"
        for key, value in {
            "/Title": title,
            "/Creator": "sheetgen",
            "/Producer": "sheetgen",
            "/CreationDate": DATE,
            "/ModDate": DATE,
            "/GTS_PDFXVersion": VERSION,
        }.items():
            source.docinfo[key] = String(value)
        source.docinfo["/Trapped"] = Name("/False")
        source.remove_unreferenced_resources()
        source.save(
            out,
            force_version="1.4",
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            deterministic_id=True,
        )
        return out.getvalue(), pictured


def _intent(condition: str) -> Dictionary:
    return Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(condition),
        OutputCondition=String(CONDITIONS[condition]),
        RegistryName=String(REGISTRY),
        Info=String(CONDITIONS[condition]),
    )


def not_pdf_x(source: pikepdf.Pdf) -> Iterator[str]:
    """Yield what the file as a whole lacks of PDF/X-1a; its colours are judged page by page."""
    if str(source.docinfo.get("/GTS_PDFXVersion", "")) not in (VERSION, "PDF/X-1a:2001"):
        yield f"is no {VERSION}: it does not say so"
        return
    if source.pdf_version > "1.4":
        yield f"is PDF {source.pdf_version}, and {VERSION} is 1.4 at the most"
    for key in ("/Title", "/CreationDate", "/ModDate", "/Trapped"):
        if key not in source.docinfo:
            yield f"lacks {key[1:]}, which {VERSION} asks for"
    intents = source.Root.get("/OutputIntents", Array())
    if not any(each.get("/S") == Name.GTS_PDFX for each in intents):
        yield "has no output intent: it does not say for which printing its inks are meant"
    if "/ID" not in source.trailer:
        yield f"has no file identifier, which {VERSION} asks for"
