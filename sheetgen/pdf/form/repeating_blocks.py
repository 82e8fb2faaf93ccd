"""Stacks: as many blocks one below the other as there are values for, and ruled lines in the room that they leave.

A form with stacks has a page for each kind of block (`Form.blocks`). The values of the stack `ties` say, from 1, which
block comes next (`ties.1` is `told`) and what stands in its fields (`ties.1.title` in the field `part.title`). An area
in a block takes no more height than its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from sheetgen.geometry import Box
from sheetgen.pdf.form.form import Field, Form
from sheetgen.pdf.writer import number

PART = "part."  # what the names of the fields of blocks begin with
TITLE, TEXT = "part.title", "part.text"
SPILL = "spill."  # what the name of the block begins with that a stack or a fill has for what found no room elsewhere
FIRST = ".first"  # what the name of the block that begins a fill ends in
BETWEEN = "·"  # between the things of a list, which breaks there and nowhere else

Left = list[tuple[Field, str]]
Compose = Callable[[Field, str], bytes]
Flow = Callable[[Field, str], tuple[bytes, int, float, str]]  # operators, lines, their distance, and what did not fit

# Page, field and values, and where a line begins at the earliest: its operators, and where its text ends.
Line = Callable[[int, str, Mapping[str, str], float], tuple[bytes, float]]


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

        What was `left` of its lines, and of the page's other fields, stands in a stack, too, where there is room.
        """
        parts: list[bytes] = []
        told: Left = []
        titles: dict[str, str] = {}
        ends = {field.name: self._stacked(field, values, parts, told, titles) for field in self._stacks[page]}
        over = [each for each in left if each[0].block or each[0].page == page]
        left[:] = [each for each in left if each not in over]
        over = [(replace(field, title=titles.get(field.block, field.title)), text) for field, text in over] + told
        left += [each for each in over if not self._spilled(page, each, ends, parts)]
        for field in self._fills[page]:
            self._filled(field, min([field.box.top, *(ends[name] for name in field.below)]), parts)
        return b"".join(parts)

    def _stacked(
        self, stack: Field, values: Mapping[str, str], parts: list[bytes], left: Left, titles: dict[str, str]
    ) -> float:
        """Place the blocks of one stack, and note by block the titles that they have; return where the last ends."""
        y, full = stack.box.top, False
        for at in count(1):
            head = f"{stack.name}.{at}"
            name = values.get(head)
            if not name:
                break
            block = self._blocks[name]
            texts = {field.name: values.get(f"{head}.{field.name.removeprefix(PART)}", "") for field in block.fields}
            titles |= {name: texts[TITLE]} if texts.get(TITLE) else {}
            title = replace(stack, title=values.get(f"{head}.title") or stack.title)
            drawn, height, rest = (b"", 0.0, "") if full else self._placed(block, texts, y - stack.box.y)
            if not drawn:
                full = True
                said = (texts[field.name] for field in block.fields if field.name != TITLE)
                left.append((title, " ".join(filter(None, said))))
                continue
            if rest:
                full = True
                left.append((title, rest))
            parts.append(moved(drawn, stack.box.x, y - block.height))
            y -= height
        return y

    def _spilled(self, page: int, over: tuple[Field, str], ends: dict[str, float], parts: list[bytes]) -> bool:
        """Return whether what found no room in its stack was placed at the end of another one, or above ruled lines."""
        for field in (*self._stacks[page], *self._fills[page]):
            block = self._blocks.get(SPILL + field.name)
            if block is None:
                continue
            above = field.below or (field.name,)
            top = min(field.box.top, *(ends[name] for name in above))
            texts = {each.name: "" for each in block.fields} | {TITLE: over[0].title, TEXT: over[1]}
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
            flowed, used, rest = self._text(inside, texts[area.name])
            if rest and BETWEEN not in texts[area.name]:
                return b"", 0.0, ""  # what is no list stands whole in one place
            height -= area.box.height - used
        elif height > room + 0.01:
            return b"", 0.0, ""
        others = (each for each in block.fields if each is not area and texts[each.name])
        shown = [self._compose(each, texts[each.name]) for each in others]
        return b"".join((block.background, *shown, flowed)), height, rest

    def _text(self, area: Field, text: str) -> tuple[bytes, float, str]:
        """Return the operators for a text, its height, and the rest of it; a list is broken between two things."""
        if not text:
            return b"", 0.0, ""
        drawn, lines, leading, rest = self._flow(area, text)
        at = text.rfind(BETWEEN, 0, len(text) - len(rest)) if rest else -1
        if at > 0:
            drawn, lines, leading, _ = self._flow(area, f"{text[:at].rstrip()} …")
            rest = text[at + 1 :].strip()
        return drawn, min(lines * leading, area.box.height), rest

    def _filled(self, fill: Field, top: float, parts: list[bytes]) -> None:
        """Rule as many lines as there is room for, from the bottom upwards."""
        line = self._blocks[fill.block]
        lines = int((top - fill.box.y) / line.height + 0.01)
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
