"""PDF/X-1a:2003 (ISO 15930-4): what it asks of a file, made so, and looked for.

Red, green and blue become cyan, magenta, yellow and black, and grey black alone. Black takes what the three have in
common, and one of them is always missing; on paper black dulls the others, so that these are as strong as if it were
not there. No spot has more than 200 % of ink.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from io import BytesIO
from types import MappingProxyType

import pikepdf
from pikepdf import Array, ContentStreamInlineImage, ContentStreamInstruction, Dictionary, Name, Operator, String

from sheetgen.model.printing import CONDITIONS, LEAST_PAPER, MOST_INK
from sheetgen.press.impose import box_of

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


Paint = Callable[[int], tuple[int, int, bytes]]  # width, height and dots in four inks of a page, from 0
_INK_SPACES = (Name.DeviceGray, Name.DeviceCMYK)
_SPACES, _SHADED = ("cs", "CS"), ("sc", "scn", "SC", "SCN", "sh")
_AREAS, _LINES, _BOTH = ("f", "F", "f*"), ("S", "s"), ("B", "B*", "b", "b*")
_TEXT = ("Tj", "TJ", "'", '"')
_OPAQUE = MappingProxyType({"/BM": (Name.Normal, Name.Compatible), "/SMask": (Name("/None"),)})
_DEEPEST = 12
_DECIMALS = 4


class NoPlainInks(Exception):
    """Something on a page that cannot be said in four inks line by line: see-through parts, pictures, gradients."""


def in_four_inks(source: pikepdf.Pdf, paint: Paint) -> tuple[int, ...]:
    """Turn the colours of all pages into inks; return the pages, from 1, that were turned into pictures by `paint`.

    Those are pages with what four inks cannot say line by line. Transparency groups that show nothing through go.
    """
    done: dict[tuple[int, int], None] = {}
    drawn: dict[bytes, pikepdf.Object] = {}
    pictured = []
    for number, page in enumerate(source.pages):
        resources = page.obj.get("/Resources", Dictionary())
        data = b"\n".join(each.read_bytes() for each in _streams(page.obj.get("/Contents")))
        key = blake2b(data + resources.unparse(resolved=False), digest_size=20).digest()
        if key not in drawn:
            try:
                drawn[key] = source.make_stream(_converted(page.obj, resources, done, 0))
            except NoPlainInks:
                drawn[key] = _image_object(source, *paint(number))
        made = drawn[key]
        if made.get("/Subtype") == Name.Image:
            pictured.append(number + 1)
            box = box_of(page.mediabox)
            placed = f"q {box.width:.4f} 0 0 {box.height:.4f} {box.x:.4f} {box.y:.4f} cm /Picture Do Q"
            page.obj.Contents = source.make_stream(placed.encode())
            page.obj.Resources = Dictionary(XObject=Dictionary(Picture=made))
        else:
            page.obj.Contents = made
            page.obj.Resources = _without_colours(resources)
        if "/Group" in page.obj:
            del page.obj.Group
    return tuple(pictured)


def inks_of(red: float, green: float, blue: float) -> tuple[float, ...]:
    """Return cyan, magenta, yellow and black of a colour, or black alone of a grey, each from 0 to 1."""
    black = min(1 - red, 1 - green, 1 - blue)
    colours = [(1 - each - black) / max(1 - black, LEAST_PAPER) for each in (red, green, blue)]
    part = min((MOST_INK - black) / (sum(colours) or 1), 1)
    rounded = tuple(int(each * part * 10**_DECIMALS + 0.01) / 10**_DECIMALS for each in colours)  # never up
    return (*rounded, round(black, _DECIMALS)) if any(rounded) else (round(black, _DECIMALS),)


def _streams(contents: object) -> Iterable[pikepdf.Stream]:
    if isinstance(contents, pikepdf.Stream):
        return (contents,)
    return [each for each in contents if isinstance(each, pikepdf.Stream)] if isinstance(contents, Array) else ()


def _converted(
    drawing: pikepdf.Object, resources: pikepdf.Object, done: dict[tuple[int, int], None], depth: int
) -> bytes:
    """Return the operators of a page or form in inks; the forms that it draws are turned in place, each once."""
    made: list[ContentStreamInstruction] = []
    unseen = _Unseen(resources)
    for each in pikepdf.parse_content_stream(drawing):
        operator = str(each.operator)
        if isinstance(each, ContentStreamInlineImage) or operator in _SHADED:
            raise NoPlainInks
        if operator in ("rg", "RG"):
            made.append(_in_ink(operator, [float(part) for part in each.operands]))
        elif operator == "gs":
            unseen.set_to(str(each.operands[0]))
        else:
            if operator in _SPACES and each.operands[0] not in _INK_SPACES:
                raise NoPlainInks
            if operator == "Do":
                if unseen.now:
                    raise NoPlainInks
                _convert_drawn(resources, str(each.operands[0]), done, depth)
            made += unseen.left_of(each, operator)
    return pikepdf.unparse_content_stream(made)


def _in_ink(operator: str, parts: Sequence[float]) -> ContentStreamInstruction:
    """Return the instruction that sets a colour, or black ink alone: 0 of grey is all of black ink."""
    inks = inks_of(*parts)
    if len(inks) == 4:
        return ContentStreamInstruction(list(inks), Operator("k" if operator == "rg" else "K"))
    return ContentStreamInstruction([round(1 - inks[0], _DECIMALS)], Operator("g" if operator == "rg" else "G"))


class _Unseen:
    """What is drawn without being seen, since areas (/ca) or lines (/CA) are wholly transparent."""

    def __init__(self, resources: pikepdf.Object) -> None:
        self._resources = resources
        self._kept: list[frozenset[str]] = []
        self.now: frozenset[str] = frozenset()

    def set_to(self, name: str) -> None:
        """Follow a graphics state; NoPlainInks for one that lets something show through, or does something else."""
        for key, value in self._resources.get("/ExtGState", Dictionary()).get(name, Dictionary()).items():
            if key in ("/ca", "/CA") and value in (0, 1):
                self.now = self.now | {key} if value == 0 else self.now - {key}
            elif key != "/Type" and not any(value == plain for plain in _OPAQUE.get(key, ())):
                raise NoPlainInks

    def left_of(self, each: ContentStreamInstruction, operator: str) -> list[ContentStreamInstruction]:
        """Return what an instruction leaves to be seen; NoPlainInks where that is a part of it."""
        if operator == "q":
            self._kept.append(self.now)
        elif operator == "Q" and self._kept:
            self.now = self._kept.pop()
        if operator in _BOTH and self.now:
            raise NoPlainInks
        if (operator in _AREAS and "/ca" in self.now) or (operator in _LINES and "/CA" in self.now):
            return [ContentStreamInstruction([], Operator("n"))]  # a path ends so, whether or not it is drawn
        return [] if operator in _TEXT and "/ca" in self.now else [each]


def _convert_drawn(resources: pikepdf.Object, name: str, done: dict[tuple[int, int], None], depth: int) -> None:
    """Turn what is drawn under a name: a form line by line; pictures only pass that are in inks already."""
    thing = resources.get("/XObject", Dictionary()).get(name)
    if not isinstance(thing, pikepdf.Stream):
        return
    if thing.get("/Subtype") == Name.Image:
        if "/SMask" in thing or not (thing.get("/ImageMask", False) or thing.get("/ColorSpace") in _INK_SPACES):
            raise NoPlainInks
    elif thing.objgen not in done:
        if depth >= _DEEPEST:
            raise NoPlainInks
        inner = thing.get("/Resources", resources)
        thing.write(_converted(thing, inner, done, depth + 1))
        if "/Resources" in thing:
            thing.Resources = _without_colours(inner)
        if "/Group" in thing:
            del thing.Group
        done[thing.objgen] = None


def _without_colours(resources: pikepdf.Object) -> pikepdf.Object:
    """Resources without colour spaces and states, which nothing uses any more."""
    kept = {key: value for key, value in resources.items() if key in ("/Font", "/XObject", "/ProcSet")}
    return Dictionary(kept)


def _image_object(source: pikepdf.Pdf, width: int, height: int, dots: bytes) -> pikepdf.Object:
    about = Dictionary(
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=width,
        Height=height,
        ColorSpace=Name.DeviceCMYK,
        BitsPerComponent=8,
        Filter=Name.FlateDecode,
    )
    return source.make_indirect(pikepdf.Stream(source, zlib.compress(dots, 6), about))
