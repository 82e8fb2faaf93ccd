"""What stands one below the other: texts, each as high as its lines, and as many blocks as there are values.

A form with stacks has a page for each kind of block (`Form.blocks`). The values of the stack `ties` say, from 1, which
block comes next (`ties.1` is `told`) and what stands in its fields (`ties.1.title` in the field `part.title`). An area
in a block takes no more height than its lines. A place in a column holds a block, too; its fields have values of their
own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from sheetgen.errors import SheetgenError, among, quoted
from sheetgen.geometry import Box
from sheetgen.pdf.form.form import Field, Form
from sheetgen.pdf.form.text_fitting import AREA_STEP, THINGS, Fitted
from sheetgen.pdf.writer import number

_RULE, _HAIRLINE = 0.75, 0.35  # above a text with a title, and above one without
_ROOMY, _TIGHT = (1.2, 1.4), (0.6, 0.9)  # above and below a rule
_AIR = 1.8  # the most that is added between texts where there is room
_PITCH, _CLEAR = 18.0, 5.0  # of lines for notes, and below the last of them
_TINY = 1e-6
_NOTE = re.compile(r" \(([^()]*)\)")  # what stands in brackets behind a trait; a level in them stands closer

Setter = Callable[[Field, str], tuple[Fitted, bytes]]  # how a text fits a field, and what shows it there
OF_BLOCK = "part."  # what the names of the fields of blocks begin with
NOTES_TITLE = "Notes"
TITLE, TEXT = "part.title", "part.text"
SPILL = "spill."  # what the name of the block begins with that a stack or a fill has for what found no room elsewhere
FIRST = ".first"  # what the name of the block that begins a fill ends in
GOES_ON = "»\u00a0continued"  # behind as much of a list as its place has room for
BREAKS_AT = "·"  # between the things of a list, and nowhere else
Left = list[tuple[Field, str]]
Compose = Callable[[Field, str], bytes]
Flow = Callable[[Field, str], tuple[bytes, int, float, str]]  # operators, lines, their distance, and what did not fit
# Page, field and values, and where a line begins at the earliest: its operators, and where its text ends.
Line = Callable[[int, str, Mapping[str, str], float], tuple[bytes, float]]


@dataclass(frozen=True, slots=True)
class ColumnText:
    """A text of a column, under a title or none, and the field that says how it is set and how wide.

    A block has operators that draw it at the lower left of a page, and a height.
    """

    field: Field
    text: str
    title: str = ""
    drawn: bytes = b""
    height: float = 0.0


class TextColumn:
    """Sets texts from `top` down to `bottom` (points); titles are set as in the field `heading`."""

    def __init__(self, setter: Setter, top: float, bottom: float, heading: Field | None = None) -> None:
        self._setter, self._top, self._bottom, self._heading = setter, top, bottom, heading
        self._gaps = _ROOMY
        self.shrunk = 0.0  # by how many points all texts were set smaller that share the column

    def filled(self, texts: Iterable[ColumnText]) -> tuple[bytes, list[ColumnText]]:
        """Return the operators for as many texts as there is room for, and what is left of the others."""
        parts: list[bytes] = []
        left: list[ColumnText] = []
        y = self._top
        for each in texts:
            room = y - self._bottom - self._above(each)
            if left or room < each.field.leading * 2 - _TINY:
                left.append(each)
                continue
            drawn, used, rest = self._placed(each, y, room)
            parts.append(drawn)
            y -= used + each.field.leading / 2
            if rest:
                left.append(replace(each, text=rest))
        return b"".join(parts), left

    def pared(self, texts: Sequence[ColumnText]) -> tuple[list[ColumnText], list[tuple[Field, str]]]:
        """Return the texts as the column has room for them, and by field what is left out for that.

        Lists are cut short first (see `shared`), then the notes of traits go, the last first, or whole lists, or both;
        then what is spare goes, and of the others as little as that asks for. If nothing is enough, texts go on
        elsewhere anyway: all but what is spare begin here, and that stands there whole.
        """
        for kept, out in _pared(texts):
            if all(field.counted for field, _ in self.shared(kept)[1]):
                return kept, out
        spare = [(each.field, each.text) for each in texts if each.field.spare]
        return [each for each in texts if not each.field.spare], spare

    def shared(self, texts: Sequence[ColumnText]) -> tuple[bytes, list[tuple[Field, str]]]:
        """Return the operators for all texts, and by field what found no room.

        All are set as small as it takes, down to their floors, and then closer to the rules between them. If that is
        not enough, each keeps the height of its own field, as far as it needs that, and what is spare goes to the first
        that need more. Where something is low, room that is left stands above that, but for a little between texts;
        where texts have titles, it is ruled for notes.
        """
        self._gaps = _ROOMY
        room, set_small, needs = self._set_small(texts)
        if sum(needs) > room + _TINY:
            self._gaps = _TIGHT
            room, set_small, needs = self._set_small(texts)
        if sum(needs) > room + _TINY:
            needs = _allotted(set_small, needs, room)
        parts: list[bytes] = []
        left: list[tuple[Field, str]] = []
        y, spare = self._begin(texts), max(room - sum(needs), 0.0) * any(each.field.low for each in texts)
        air = min(spare / len(texts), _AIR)
        spare -= air * len(texts)
        for asked, each, height in zip(texts, set_small, needs, strict=True):
            y -= air
            if each.field.low:
                parts.append(self._jotted(each.field, y, spare))
                y -= spare
            spare *= not each.field.low
            drawn, used, rest = self._placed(each, y, height)
            parts.append(drawn)
            y -= used
            if rest:
                left.append((asked.field, rest))
        return b"".join(parts), left

    def _jotted(self, field: Field, top: float, room: float) -> bytes:
        """Return lines for notes in the room above what is low, in a column that has titles."""
        count = int((room - _CLEAR) / _PITCH) if self._heading is not None else 0
        if self._heading is None or count < 1:
            return b""
        box = Box(field.box.x, top - _PITCH, field.box.width, self._heading.border.height)
        lines = (_rule(field, top - at * _PITCH, _HAIRLINE) for at in range(1, count + 1))
        return self._setter(replace(self._heading, box=box), NOTES_TITLE)[1] + b"".join(lines)

    def _set_small(self, texts: Sequence[ColumnText]) -> tuple[float, list[ColumnText], list[float]]:
        """Return the room for the lines of all texts, these as small as it takes, and the heights that they need."""
        room = self._begin(texts) - self._bottom - sum(map(self._above, texts))
        shrink = 0.0
        while True:
            set_small = [replace(each, field=_smaller(each.field, shrink)) for each in texts]
            needs = [self._height(each, room) for each in set_small]
            if sum(needs) <= room + _TINY or all(
                each.drawn or each.field.size <= each.field.floor for each in set_small
            ):
                self.shrunk = shrink
                return room, set_small, needs
            shrink += AREA_STEP

    def _begin(self, texts: Sequence[ColumnText]) -> float:
        """Return where the first text begins: its rule takes the place of what ends above it."""
        return self._top + (self._gaps[0] if texts and not (texts[0].drawn or texts[0].field.plain) else 0.0)

    def _above(self, each: ColumnText) -> float:
        """Return the height of what stands above a text: a rule and its title."""
        if each.drawn:
            return 0.0
        heading = self._heading.border.height if self._heading is not None and each.title else 0.0
        return (self._gaps[1] if each.field.plain else sum(self._gaps)) + heading

    def _height(self, each: ColumnText, room: float) -> float:
        """Return the height of the lines of a text, more than the room if it does not fit."""
        if each.drawn:
            return each.height
        field = _boxed(each.field, self._bottom, room)
        fitted, _ = self._setter(field, each.text)
        return len(fitted.lines) * field.leading + (room if fitted.rest else 0.0)

    def _placed(self, each: ColumnText, top: float, room: float) -> tuple[bytes, float, str]:
        """Return the operators for a text and what stands above it, the height that they take, and what did not fit."""
        if each.drawn:
            return moved(each.drawn, each.field.box.x, top - each.height), each.height, ""
        above = self._above(each)
        field = _boxed(each.field, top - above - room, room)
        fitted, shown = self._setter(field, each.text)
        titled = self._heading is not None and each.title
        parts = [] if field.plain else [_rule(field, top - self._gaps[0], _RULE if titled else _HAIRLINE)]
        if self._heading is not None and each.title:
            height = self._heading.border.height
            box = Box(field.box.x, top - sum(self._gaps) - height, field.box.width, height)
            parts.append(self._setter(replace(self._heading, box=box), each.title)[1])
        parts.append(shown)
        leading = field.leading * fitted.size / field.size
        return b"".join(parts), above + min(len(fitted.lines) * leading, room), fitted.rest


def _smaller(field: Field, by: float) -> Field:
    """Return the field with type that is smaller by some points, but not below its floor."""
    size = max(field.size - by, field.floor)
    return replace(field, size=size, leading=field.leading * size / field.size)


def _boxed(field: Field, bottom: float, height: float) -> Field:
    """Return the field at another height; its type does not shrink there."""
    box = Box(field.box.x, bottom, field.box.width, height + _TINY)
    return replace(field, box=box, floor=field.size, valign="top")


def _allotted(texts: Sequence[ColumnText], needs: Sequence[float], room: float) -> list[float]:
    """Return the height in whole lines for each text when there is not enough for all; lists are counted last."""
    told = [(each, need) for each, need in zip(texts, needs, strict=True) if not each.drawn]
    room -= sum(each.height for each in texts)
    lines = iter(_allotted_lines([each for each, _ in told], [need for _, need in told], room) if told else ())
    return [each.height if each.drawn else next(lines) for each in texts]


def _allotted_lines(texts: Sequence[ColumnText], needs: Sequence[float], room: float) -> list[float]:
    lines = [each.field.leading for each in texts]
    own = [1 if each.field.counted else max(1, int(each.field.border.height / each.field.leading)) for each in texts]
    given = [min(need, count * line) for need, count, line in zip(needs, own, lines, strict=True)]
    given = [need if each.field.kept else least for each, need, least in zip(texts, needs, given, strict=True)]
    while sum(given) > room:
        at = max(range(len(texts)), key=lambda at: (given[at] > max(lines), not texts[at].field.kept, given[at]))
        if given[at] <= max(lines):
            break
        given[at] -= lines[at]
    for at in sorted(range(len(texts)), key=lambda at: texts[at].field.counted):
        spare = max(0.0, room - sum(given))
        given[at] += min(needs[at] - given[at], int(spare / lines[at] + _TINY) * lines[at])
    return given


def _pared(texts: Sequence[ColumnText]) -> Iterator[tuple[list[ColumnText], list[tuple[Field, str]]]]:
    """Yield these texts with less and less of them, and by field what is left out."""
    spare = [each for each in texts if each.field.spare]
    listed = [each for each in texts if each.field.counted]
    for without in [spare[at:] for at in range(len(spare), -1, -1)]:
        told = [(replace(each.field, counted=True), each.text) for each in without]
        for lists in ([], listed) if listed else ([],):
            kept = [each for each in texts if each not in without and each not in lists]
            out = [*((each.field, each.text) for each in lists), *told]
            yield kept, out
            while noted := [(at, _NOTE.findall(each.text)) for at, each in enumerate(kept) if _is_noted(each)]:
                at, notes = noted[0]
                text = _without_last_note(kept[at].text)
                field = replace(kept[at].field, title=kept[at].field.notes, part="", counted=True)
                kept = [*kept[:at], *([replace(kept[at], text=text)] if text else []), *kept[at + 1 :]]
                out = [*out, (field, notes[-1])]
                yield kept, out


def _is_noted(each: ColumnText) -> bool:
    """Return whether a text has notes that may go."""
    return bool(each.field.notes and _NOTE.search(each.text))


def _without_last_note(text: str) -> str:
    """Return a text without its last note; traits that were told for their notes alone go with these."""
    *_, note = _NOTE.finditer(text)
    kept, behind = text[: note.start()], text[note.end() :]
    head, between, told = kept.rpartition(THINGS)
    if behind or not (between or ": " in told.partition(" (")[0]):
        return kept + behind
    others, comma, _ = told.rpartition(", ")
    return f"{head}{between}{others}" if comma else head


def _rule(field: Field, y: float, width: float) -> bytes:
    """Return a rule across a column: black, or grey if it is a hairline."""
    points = b" ".join(number(round(each, 2)) for each in (field.box.x, y, field.box.width))
    x, at, across = points.split()
    grey = b"0" if width == _RULE else b".6"
    return b"%b g %b %b %b %b re f 0 g\n" % (grey, x, at, across, number(-width))


def columns_of(form: Form, page: int) -> list[list[Field]]:
    """Return the columns of a page, each with its fields."""
    inside = [field for field in form.fields if field.column and field.page == page]
    return [[field for field in inside if field.column == name] for name in dict.fromkeys(f.column for f in inside)]


@dataclass(frozen=True, slots=True)
class _Over:
    """What found no room in a field, and whether that has its beginning."""

    field: Field
    text: str
    begun: bool = False

    @property
    def heading(self) -> str:
        return f"{self.field.title}, continued" if self.begun else self.field.title


@dataclass(frozen=True, slots=True)
class _Block:
    height: float
    background: bytes
    fields: tuple[Field, ...]
    area: Field | None


class Stacks:
    """The stacks of a form's pages.

    `compose` returns the operators for the text of a field, `flow` those for a text that takes the height it needs;
    backgrounds are numbered from `first`.
    """

    def __init__(self, form: Form, compose: Compose, flow: Flow, *, first: int) -> None:
        self._compose, self._flow = compose, flow
        self._blocks = {name: _block(form, page, first + page) for name, page in form.blocks.items()}
        self._stacks = [[field for field in form.fields if _is(field, "stack", page)] for page in range(form.fronts)]
        self._fills = [[field for field in form.fields if _is(field, "fill", page)] for page in range(form.fronts)]

    def drawn(self, page: int, values: Mapping[str, str], left: Left) -> bytes:
        """Return the operators for all stacks of a page; what finds no room is added to `left`.

        What was `left` of its lines, and of the page's other fields, stands in a stack, too, where there is room. Lines
        go on in a second fill only if all do, so that they are of one width.
        """
        parts: list[bytes] = []
        told: list[_Over] = []
        titles: dict[str, str] = {}
        ends = {field.name: self._stacked(field, values, parts, told, titles) for field in self._stacks[page]}
        here = [each for each in left if each[0].block or each[0].page == page]
        left[:] = [each for each in left if each not in here]
        over = [_Over(replace(field, title=titles.get(field.block, field.title)), text) for field, text in here] + told
        left += [(each.field, each.text) for each in over if not self._spilled(page, each, ends, parts)]
        lines = [self._lines(field, ends) for field in self._fills[page]]
        for field, room in zip(self._fills[page], lines, strict=True):
            self._rule_lines(field, room if room >= lines[0] else 0, parts)
        return b"".join(parts)

    def _stacked(
        self, stack: Field, values: Mapping[str, str], parts: list[bytes], over: list[_Over], titles: dict[str, str]
    ) -> float:
        """Place the blocks of one stack, and note by block the titles that they have; return where the last ends."""
        y, full = stack.box.top, False
        for at in count(1):
            head = f"{stack.name}.{at}"
            name = values.get(head)
            if not name:
                break
            name = self._known(head, name)
            block = self._blocks[name]
            texts = {
                field.name: values.get(f"{head}.{field.name.removeprefix(OF_BLOCK)}", "") for field in block.fields
            }
            titles |= {name: texts[TITLE]} if texts.get(TITLE) else {}
            title = replace(stack, title=values.get(f"{head}.title") or stack.title)
            drawn, height, rest = (b"", 0.0, "") if full else self._placed(block, texts, y - stack.box.y)
            if not drawn:
                full = True
                said = (texts[field.name] for field in block.fields if field.name != TITLE)
                over.append(_Over(title, " ".join(filter(None, said))))
                continue
            if rest:
                full = True
                over.append(_Over(title, rest, begun=True))
            parts.append(moved(drawn, stack.box.x, y - block.height))
            y -= height
        return y

    def _known(self, head: str, name: str) -> str:
        """Return the name of a block that the form has: of `best.wide.worded`, if need be, the plainer `best.wide`."""
        plainer = name
        while plainer not in self._blocks:
            plainer, dot, _ = plainer.rpartition(".")
            if not dot:
                near = among(name, self._blocks)
                raise SheetgenError(f"{quoted(head)} is {quoted(name)}, but no data-block is called so{near}")
        return plainer

    def _spilled(self, page: int, over: _Over, ends: dict[str, float], parts: list[bytes]) -> bool:
        """Return whether what found no room in its stack was placed at the end of another one, or above ruled lines."""
        for field in (*self._stacks[page], *self._fills[page]):
            block = self._blocks.get(SPILL + field.name)
            if block is None:
                continue
            above = field.below or (field.name,)
            top = min(field.box.top, *(ends[name] for name in above))
            texts = {each.name: "" for each in block.fields} | {TITLE: over.heading, TEXT: over.text}
            drawn, height, rest = self._placed(block, texts, top - field.box.y)
            if drawn and not rest:
                parts.append(moved(drawn, field.box.x, top - block.height))
                ends.update(dict.fromkeys(above, top - height))
                return True
        return False

    def _placed(self, block: _Block, texts: Mapping[str, str], room: float) -> tuple[bytes, float, str]:
        """Return the operators of a block, its height, and what of its text found no room; nothing without room."""
        area, height, rest, flowed = block.area, block.height, "", b""
        if area is not None:
            spare = min(area.box.height, area.box.height - block.height + room)
            if spare < area.leading:
                return b"", 0.0, ""
            inside = replace(area, box=Box(area.box.x, area.box.top - spare, area.box.width, spare))
            flowed, used, rest = self._text_operators(inside, texts[area.name])
            if rest and BREAKS_AT not in texts[area.name]:
                return b"", 0.0, ""  # what is no list stands whole in one place
            height -= area.box.height - used
        elif height > room + 0.01:
            return b"", 0.0, ""
        others = (each for each in block.fields if each is not area and texts[each.name])
        shown = [self._compose(each, texts[each.name]) for each in others]
        return b"".join((block.background, *shown, flowed)), height, rest

    def _text_operators(self, area: Field, text: str) -> tuple[bytes, float, str]:
        """Return the operators for a text, its height, and the rest of it; a list is broken between two things."""
        if not text:
            return b"", 0.0, ""
        drawn, lines, leading, rest = self._flow(area, text)
        at, over = (text.rfind(BREAKS_AT, 0, len(text) - len(rest)) if rest else -1), rest
        while over and at > 0:
            drawn, lines, leading, over = self._flow(area, f"{text[:at].rstrip()} {GOES_ON}")
            rest, at = text[at + 1 :].strip(), text.rfind(BREAKS_AT, 0, at)
        return drawn, min(lines * leading, area.box.height), rest

    def _lines(self, fill: Field, ends: Mapping[str, float]) -> int:
        """Return how many lines there is room for."""
        top = min([fill.box.top, *(ends[name] for name in fill.below)])
        return int((top - fill.box.y) / self._blocks[fill.block].height + 0.01)

    def _rule_lines(self, fill: Field, lines: int, parts: list[bytes]) -> None:
        """Rule so many lines, from the bottom upwards."""
        line = self._blocks[fill.block]
        for at in range(lines):
            last = self._blocks.get(fill.block + FIRST, line) if at == lines - 1 else line
            parts.append(moved(last.background, fill.box.x, fill.box.y + at * line.height))


def followed(fields: Sequence[Field], values: Mapping[str, str], line: Line) -> Iterator[bytes]:
    """Yield the operators for lines of a page that begin behind the text of another one, each within its own box."""
    ends: dict[str, float] = {}
    for field in fields:
        if field.after not in ends:
            ends[field.after] = line(field.page, field.after, values, 0.0)[1]
        shown, ends[field.name] = line(field.page, field.name, values, ends[field.after])
        yield shown


def _is(field: Field, kind: str, page: int) -> bool:
    return field.kind == kind and field.page == page


def _block(form: Form, page: int, background: int) -> _Block:
    fields = tuple(field for field in form.fields if field.page == page)
    area = next((field for field in fields if field.kind == "area"), None)
    return _Block(form.pages[page][1], b"/B%d Do\n" % background, fields, area)


def moved(drawn: bytes, x: float, y: float) -> bytes:
    """Return operators that draw the same further right and up."""
    return b"q 1 0 0 1 %b %b cm\n%bQ\n" % (number(x), number(y), drawn)
