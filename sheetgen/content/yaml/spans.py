"""Where each node of a YAML text begins and ends, as indices: what an edit in place must know and nodes do not say."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

Path = tuple[str | int, ...]  # keys of mappings and numbers of entries, from 0, from the top of the file


@dataclass(frozen=True, slots=True)
class NodeSpan:
    """A node with its indices: `start` is its first character, `end` is behind its last one.

    `kind` is scalar, list or mapping; `style` is `|`, `>`, `'`, `"` or nothing for a scalar, `flow` for brackets. The
    `parts` are the entries of a list, or keys and values by turns. `dashes` has the place of each entry's dash.
    """

    kind: str
    style: str
    start: int
    end: int
    text: str = ""
    parts: tuple[NodeSpan, ...] = ()
    dashes: tuple[int, ...] = ()

    @property
    def entries(self) -> Iterator[tuple[NodeSpan, NodeSpan]]:
        """The keys and values of a mapping."""
        return zip(self.parts[::2], self.parts[1::2], strict=True)

    def at(self, path: Path) -> NodeSpan | None:
        """Return the node that a path leads to; None where there is none."""
        if not path:
            return self
        head, rest = path[0], path[1:]
        if self.kind == "list" and isinstance(head, int) and 0 <= head < len(self.parts):
            return self.parts[head].at(rest)
        found = (
            next((value for key, value in self.entries if key.text == head), None) if self.kind == "mapping" else None
        )
        return found.at(rest) if found is not None else None


def spans_of(text: str) -> NodeSpan:
    """Return the root of a text that `parse` has read, which is to say a tame and bounded one."""
    dashes = list[int]()
    tokens = yaml.CSafeLoader(text)
    while (token := tokens.get_token()) is not None:
        if type(token) is yaml.BlockEntryToken:
            dashes.append(token.start_mark.index)
    events, open_ones, done = yaml.CSafeLoader(text), [list[NodeSpan]()], list[Any]()
    while (event := events.get_event()) is not None:
        if isinstance(event, yaml.ScalarEvent):
            open_ones[-1].append(_scalar(event, text))
        elif isinstance(event, yaml.CollectionStartEvent):
            done.append(event)
            open_ones.append([])
        elif isinstance(event, yaml.CollectionEndEvent):
            kind = "list" if isinstance(event, yaml.SequenceEndEvent) else "mapping"
            parts = tuple(open_ones.pop())
            open_ones[-1].append(_collection(kind, done.pop(), event, parts, dashes))
    return open_ones[0][0]


def _scalar(event: Any, text: str) -> NodeSpan:
    start, end = event.start_mark.index, event.end_mark.index
    if event.style in ("|", ">") and "+" not in text[start:end].partition("\n")[0]:
        end = start + len(text[start:end].rstrip(" \t\r\n"))  # blank lines behind a block belong to nobody
    return NodeSpan("scalar", event.style or "", start, end, event.value)


def _collection(kind: str, opened: Any, closed: Any, parts: tuple[NodeSpan, ...], dashes: list[int]) -> NodeSpan:
    if opened.flow_style:
        return NodeSpan(kind, "flow", opened.start_mark.index, closed.end_mark.index, "", parts)
    # The last dash before an entry is its own; an entry that is a list begins with the dash of its first one.
    own = tuple(dashes[bisect_left(dashes, part.start) - 1] for part in parts) if kind == "list" else ()
    return NodeSpan(kind, "", own[0] if own else parts[0].start, parts[-1].end, "", parts, own)
