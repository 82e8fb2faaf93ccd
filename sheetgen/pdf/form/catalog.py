"""What every file made from a form has: the objects the form shares, under the file's numbers, and the catalogue."""

from __future__ import annotations

from sheetgen.pdf.form.form import Form
from sheetgen.pdf.writer import Writer, words


def write_shared(writer: Writer, form: Form) -> tuple[int, ...]:
    """Write every shared object; return, for each page of the form, the number of its drawing."""
    base = writer.reserve(len(form.shared)) - 1
    for number, shared in enumerate(form.shared, base + 1):
        moved = shared.moved(base)
        if moved.stream is None:
            writer.pack(moved.text, number)
        else:
            writer.object(moved.text, number, moved.stream)
    return tuple(base + drawn for drawn in form.backgrounds)


def finish(
    writer: Writer, tree: int, *, title: str, author: str, language: str, entries: bytes, two_sided: bool = False
) -> None:
    """End the file whose page tree is `tree`: a catalogue with these entries too, and what the file says of itself.

    Printed at its own size; with `two_sided` on both sides, turned over the long edge. It carries no date, so that the
    same pages are the same bytes; readers show the title instead of the file name.
    """
    duplex = b"/Duplex/DuplexFlipLongEdge" if two_sided else b"/Duplex/Simplex"
    printing = b"/DisplayDocTitle true/PrintScaling/None/PickTrayByPDFSize true" + duplex
    root = writer.pack(
        b"<</Type/Catalog/Pages %d 0 R/Lang%b/ViewerPreferences<<%b>>%b>>" % (tree, words(language), printing, entries)
    )
    info = writer.pack(b"<</Title%b/Author%b/Producer(sheetgen)>>" % (words(title), words(author)))
    writer.finish(root=root, info=info)
