"""Edits of a YAML text in place: only the lines concerned change, and comments, order and spacing stay to the byte.

Every edit is proved before it is returned: the new text is read, and must say what the old one said but for the edit.
What cannot be done so (keys after `?`, two dashes in a line) is refused, and left to a person with an editor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.nodes import Sequence as SequenceNode
from sheetgen.content.yaml.quoting import (
    STEP,
    Rendered,
    as_texts,
    block_value,
    flow_scalar,
    flow_value,
    list_entry,
    scalar,
)
from sheetgen.content.yaml.spans import NodeSpan, Path, spans_of
from sheetgen.errors import InputError, UsageError

GONE = "this place is not in the file any more: it was changed elsewhere"
_HEADER = re.compile(r"[|>][-0-9]*")
_MARK = "\ufeff"


def plain(node: Node) -> Any:
    """Return a node as dicts, lists, texts and None."""
    if isinstance(node, Scalar):
        return None if node.is_null else node.text
    if isinstance(node, SequenceNode):
        return [plain(each) for each in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def set_value(text: str, path: Path, value: Any, *, order: Sequence[str] = ()) -> str:
    """Return the text with a value put in place of another, or under a key that is new.

    A new key stands behind those that come before it in `order`, or last. A text with line breaks becomes a block.
    """

    def expected(data: Any) -> Any:
        parent = _inside(data, path[:-1])
        parent[path[-1]] = as_texts(value)
        return data

    def change(lines: _Text, flow: bool = False) -> None:
        found = lines.root.at(path)
        if found is not None:
            lines.replace(found, lines.indent_of(path), value, flow=flow or lines.is_flow(path[:-1]))
        else:
            lines.add_key(path, value, order)

    try:
        return _edited(text, change, expected)
    except UsageError:  # a comment below may be taken for a line of a block: a text in one line stands anywhere
        if not isinstance(value, str):
            raise
        return _edited(text, lambda lines: change(lines, flow=True), expected)


def insert(text: str, path: Path, index: int, value: Any, *, order: Sequence[str] = ()) -> str:
    """Return the text with an entry put into a list before the one with this number; the list is made if need be."""

    def expected(data: Any) -> Any:
        parent = _inside(data, path[:-1])
        listed = parent.get(path[-1]) if isinstance(parent, dict) else parent[cast(int, path[-1])]
        parent[path[-1]] = listed = [] if listed is None else listed
        listed.insert(index, as_texts(value))
        return data

    def change(lines: _Text) -> None:
        found = lines.root.at(path)
        if found is None:
            lines.add_key(path, [value], order)
        elif found.kind != "list" or not found.parts:
            lines.replace(found, lines.indent_of(path), [value], flow=lines.is_flow(path[:-1]))
        else:
            lines.insert(found, index, lines.rendered_entry(found, value))

    return _edited(text, change, expected)


def remove(text: str, path: Path) -> str:
    """Return the text without a key, or without an entry of a list; the comments right above it go with it."""

    def expected(data: Any) -> Any:
        del _inside(data, path[:-1])[path[-1]]
        return data

    def change(lines: _Text) -> None:
        lines.cut(path)

    return _edited(text, change, expected)


def move(text: str, path: Path, index: int, to: int) -> str:
    """Return the text with an entry of a list moved to another place in it; blank lines between entries stay."""

    def expected(data: Any) -> Any:
        listed = _inside(data, path)
        listed.insert(to, listed.pop(index))
        return data

    return _edited(text, lambda lines: lines.reorder(lines.needed(path), index, to), expected)


def transfer(text: str, source: Path, path: Path, index: int, *, order: Sequence[str] = ()) -> str:
    """Return the text with an entry of one list moved into another, before the entry with this number."""
    lines = _Text(text)
    listed, target = lines.needed(source[:-1]), lines.root.at(path)
    if lines.root.at(source) is None:
        raise UsageError(GONE)
    entry = _inside(plain(parse(text.encode(), "text")), source)
    both = [each is not None and bool(each.dashes) for each in (listed, target)]
    made = remove(text, source)
    if not all(both):
        return insert(made, path, index, entry, order=order)
    chunk = lines.chunk(listed, cast(int, source[-1]))

    def expected(data: Any) -> Any:
        _inside(data, path).insert(index, entry)
        return data

    def change(after: _Text) -> None:
        found = after.needed(path)
        after.insert(found, index, after.moved(chunk, lines.column(listed.start), after.column(found.start)))

    return _edited(made, change, expected)


def _inside(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _edited(text: str, change: Callable[[_Text], None], expected: Callable[[Any], Any]) -> str:
    """Return the text after a change, proved; InputError if it cannot be read, UsageError if it cannot be done so."""
    try:
        wanted = expected(plain(parse(text.encode(), "text")))
    except (KeyError, IndexError, TypeError, AttributeError):
        raise UsageError(GONE) from None
    lines = _Text(text)
    change(lines)
    made = lines.result()
    try:
        right = plain(parse(made.encode(), "text")) == wanted
    except InputError:
        right = False
    if not right:
        raise UsageError("this place of the file cannot be changed line by line: change it as text")
    return made


@dataclass(frozen=True, slots=True)
class _Region:
    """The lines of an entry with the comments that are its own: the first, and the one behind the last."""

    start: int
    end: int


class _Text:
    """A text with its spans, in which pieces are replaced; indices are those of the text as it was read."""

    def __init__(self, text: str) -> None:
        self.mark = _MARK if text.startswith(_MARK) else ""
        self.text = text.removeprefix(_MARK)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        if "\r" in self.text.replace("\r\n", ""):
            raise UsageError("the file has the line ends of old Macs: save it with those of today")
        self.unended = bool(self.text) and not self.text.endswith("\n")
        self.text += self.newline if self.unended else ""
        self.root = spans_of(self.text)
        self._pieces = list[tuple[int, int, str]]()

    def result(self) -> str:
        """Return the text with all pieces replaced."""
        made, at = list[str](), 0
        for start, end, new in sorted(self._pieces):
            made += [self.text[at:start], new.replace("\n", self.newline)]
            at = end
        whole = "".join((*made, self.text[at:]))
        return self.mark + (whole.removesuffix(self.newline) if self.unended else whole)

    def needed(self, path: Path) -> NodeSpan:
        """Return the list at a path; UsageError where there is none."""
        found = self.root.at(path)
        if found is None or found.kind != "list":
            raise UsageError(GONE)
        return found

    def is_flow(self, path: Path) -> bool:
        """Return whether a path leads into brackets."""
        spans = [self.root.at(path[:depth]) for depth in range(len(path) + 1)]
        return any(each is not None and each.style == "flow" for each in spans)

    def column(self, index: int) -> int:
        """Return the column, from 0, of an index."""
        return index - self._line_start(index)

    def indent_of(self, path: Path) -> int:
        """Return the column that what belongs to a key or a dash is indented from."""
        parent = self.root.at(path[:-1])
        if parent is None or not path:
            return 0
        if parent.kind == "mapping":
            return self.column(next(key.start for key, _ in parent.entries if key.text == path[-1]))
        return self.column(parent.dashes[cast(int, path[-1])] if parent.dashes else parent.start)

    def replace(self, old: NodeSpan, indent: int, value: Any, *, flow: bool) -> None:
        """Put a value in place of a node; a comment behind it in its line stays there."""
        if flow or (old.style == "flow" and isinstance(value, list) and all(isinstance(each, str) for each in value)):
            self._replace_span(old, flow_value(value))
            return
        rendered = block_value(value, indent + STEP)
        end = self._line_end(old.start)
        if rendered.head == "" and not rendered.lines:
            rendered = Rendered(flow_value(value), [])
        header = _HEADER.match(self.text, old.start) if old.style in ("|", ">") else None
        if header and rendered.head in ("|", "|-"):
            rendered = block_value(value, self._content_indent(old, indent + STEP))
            head = self.text[old.start] + rendered.head[1:]
            if old.style == ">":
                head = rendered.head
            self._pieces.append((old.start, header.end(), head))
            self._pieces.append((end, self._line_end(old.end), rendered.tail))
        elif header:
            self._pieces.append((old.start, header.end(), rendered.head))
            self._pieces.append((end, self._line_end(old.end), rendered.tail))
        elif self._is_block(old):
            self._replace_block(old, rendered)
        else:
            self._replace_span(old, rendered.head)
            if rendered.lines:
                last = self._line_end(old.end)
                self._pieces.append((last, last, rendered.tail))

    def _is_block(self, span: NodeSpan) -> bool:
        return span.kind != "scalar" and span.style != "flow"

    def _replace_block(self, old: NodeSpan, rendered: Rendered) -> None:
        """Put a value in place of lines below a key."""
        before = self.text[: old.start].rstrip(" ")
        if before.endswith("\n"):  # the lines stand on their own, below a key and perhaps comments
            start = self._line_start(old.start) - len(self.newline)
            colon = len(self.text[: old.start].rstrip())
            if rendered.head and self.text[colon - 1] == ":":
                self._pieces.append((colon, colon, f" {rendered.head}"))
            elif rendered.head:
                raise UsageError("a comment stands in the way: change it as text")
            self._pieces.append((start, self._line_end(old.end), rendered.tail))
        else:
            raise UsageError("the value begins in the line of its dash: change it as text")

    def _content_indent(self, old: NodeSpan, otherwise: int) -> int:
        lines = self.text[self._line_end(old.start) : old.end].split("\n")
        return next((len(each) - len(each.lstrip(" ")) for each in lines if each.strip()), otherwise)

    def _replace_span(self, old: NodeSpan, written: str) -> None:
        gap = "" if old.start == 0 or self.text[old.start - 1] in " \n[{" or not written else " "
        self._pieces.append((old.start, old.end, gap + written))

    def add_key(self, path: Path, value: Any, order: Sequence[str]) -> None:
        """Add a key to a mapping, behind those that come before it."""
        parent, name = self.root.at(path[:-1]), str(path[-1])
        if parent is None or parent.kind != "mapping":
            raise UsageError(GONE)
        if parent.style == "flow":
            behind = parent.end - 1
            comma = ", " if parent.parts and not self.text[:behind].rstrip().endswith(",") else ""
            at = len(self.text[:behind].rstrip()) if parent.parts else behind
            self._pieces.append((at, at, f"{comma}{flow_scalar(name)}: {flow_value(value)}"))
            return
        known = list(order)[: list(order).index(name)] if name in order else [key.text for key, _ in parent.entries]
        spots = [number for number, (key, _) in enumerate(parent.entries) if key.text in known]
        indent = self.column(parent.start)
        rendered = block_value(value, indent + STEP)
        line = f"{' ' * indent}{scalar(name)}:{f' {rendered.head}' if rendered.head else ''}{rendered.tail}\n"
        if spots or not parent.parts:
            at = self._key_region(parent, spots[-1]).end
        else:
            at = self._line_start(parent.start)
            if self.text[at : parent.start].strip():  # the dash of an entry stands before the first key
                at = self._key_region(parent, 0).end
        self._pieces.append((at, at, line))

    def rendered_entry(self, listed: NodeSpan, value: Any) -> str:
        """Return an entry as it is written into a list."""
        if listed.style == "flow":
            return flow_value(value)
        indent = self.column(listed.start)
        return list_entry(value, indent)

    def insert(self, listed: NodeSpan, index: int, written: str) -> None:
        """Put a written entry into a list that has some."""
        last = index >= len(listed.parts)
        if listed.style == "flow":
            if last:
                self._pieces.append((listed.parts[-1].end, listed.parts[-1].end, f", {written}"))
            else:
                at = listed.parts[index].start
                self._pieces.append((at, at, f"{written}, "))
            return
        regions = self._regions(listed)
        at = regions[-1].end if last else regions[index].start
        self._pieces.append((at, at, written))

    def chunk(self, listed: NodeSpan, index: int) -> str:
        """Return the lines of an entry."""
        region = self._regions(listed)[index]
        return self.text[region.start : region.end].replace("\r\n", "\n")

    @staticmethod
    def moved(chunk: str, column: int, to: int) -> str:
        """Return lines that stood at one column as they stand at another."""
        lines = chunk.split("\n")
        return "\n".join(f"{' ' * to}{each[column:]}" if each.strip() else each for each in lines)

    def cut(self, path: Path) -> None:
        """Remove a key or an entry."""
        parent = self.root.at(path[:-1])
        if parent is None or self.root.at(path) is None:
            raise UsageError(GONE)
        step = 2 if parent.kind == "mapping" else 1
        number = (
            next(at for at, (key, _) in enumerate(parent.entries) if key.text == path[-1])
            if parent.kind == "mapping"
            else cast(int, path[-1])
        )
        parts = [parent.parts[at : at + step] for at in range(0, len(parent.parts), step)]
        if parent.style == "flow":
            self._cut_from_flow(parts, number)
        elif len(parts) == 1:
            self._cut_last(parent)
        else:
            self._cut_lines(parent, number, parts)

    def _cut_from_flow(self, parts: list[tuple[NodeSpan, ...]], number: int) -> None:
        start, end = parts[number][0].start, parts[number][-1].end
        if number + 1 < len(parts):
            end = parts[number + 1][0].start
        elif number:
            start = parts[number - 1][-1].end
        self._pieces.append((start, end, ""))

    def _cut_last(self, parent: NodeSpan) -> None:
        empty = "[]" if parent.kind == "list" else "{}"
        region = self._regions(parent)[0] if parent.kind == "list" else self._key_region(parent, 0)
        colon = len(self.text[: region.start].rstrip())
        if self.text[region.start : parent.start].strip().startswith("-") or colon == 0:
            self._pieces.append((parent.start, parent.end, empty))
        elif self.text[colon - 1] == ":":
            self._pieces.append((colon, colon, f" {empty}"))
            self._pieces.append((region.start, region.end, ""))
        else:
            raise UsageError("a comment stands in the way: change it as text")

    def _cut_lines(self, parent: NodeSpan, number: int, parts: list[tuple[NodeSpan, ...]]) -> None:
        if parent.kind == "list":
            region = self._regions(parent)[number]
        else:
            region = self._key_region(parent, number)
            if number == 0 and self.text[self._line_start(parent.start) : parent.start].strip():
                self._pieces.append((parent.start, parts[1][0].start, ""))
                return
        end = region.end
        while end < parent.end and not self.text[end : self._line_end(end)].strip():
            end = self._line_end(end) + len(self.newline)  # one gap is left where there were two
        before = self.text[: region.start].splitlines()
        gap = not before or not before[-1].strip()
        self._pieces.append((region.start, end if gap and number + 1 < len(parts) else region.end, ""))

    def reorder(self, listed: NodeSpan, index: int, to: int) -> None:
        """Move an entry of a list; what stands between entries stays."""
        order = list(range(len(listed.parts)))
        if not (0 <= index < len(order) and 0 <= to < len(order)):
            raise UsageError(GONE)
        order.insert(to, order.pop(index))
        if listed.style == "flow":
            places = [(part.start, part.end) for part in listed.parts]
        else:
            places = [(each.start, each.end) for each in self._regions(listed)]
        for (start, end), taken in zip(places, order, strict=True):
            new = self.text[slice(*places[taken])]
            if new != self.text[start:end]:
                self._pieces.append((start, end, new.replace("\r\n", "\n")))

    def _regions(self, listed: NodeSpan) -> list[_Region]:
        """Return the lines of each entry of a list; UsageError if two dashes share a line."""
        found, least = list[_Region](), 0
        for dash, part in zip(listed.dashes, listed.parts, strict=True):
            region = self._region(dash, max(part.end, dash + 1), least)
            found.append(region)
            least = region.end
        return found

    def _key_region(self, parent: NodeSpan, number: int) -> _Region:
        key, value = list(parent.entries)[number]
        least = self._line_end(list(parent.entries)[number - 1][1].end) if number else 0
        start = self._line_start(key.start)
        if self.text[start : key.start].strip():
            return _Region(start, self._behind(self.column(key.start), value.end))
        return self._region(key.start, value.end, least)

    def _region(self, start: int, end: int, least: int) -> _Region:
        line, column = self._line_start(start), self.column(start)
        if self.text[line:start].strip():
            raise UsageError("two dashes share a line: change it as text")
        while line > least:  # comments right above, at the same depth
            above = self._line_start(line - len(self.newline))
            if above < least or not self.text[above:line].startswith(f"{' ' * column}#"):
                break
            line = above
        return _Region(line, self._behind(column, end))

    def _behind(self, column: int, end: int) -> int:
        """Return where the line after an entry begins: comments that are indented deeper than it belong to it."""
        behind = at = self._line_end(end) + len(self.newline)
        while at < len(self.text):
            line = self.text[at : self._line_end(at)]
            if line.strip() and not (line.lstrip(" ").startswith("#") and len(line) - len(line.lstrip(" ")) > column):
                break
            at += len(line) + len(self.newline)
            behind = at if line.strip() else behind
        return behind

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        found = self.text.find(self.newline, index)
        return found if found >= 0 else len(self.text)
