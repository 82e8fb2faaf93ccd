"""YAML text to nodes: every scalar as its text, every node with its line and column, nothing expanded, nothing run.

The parser's events are walked one by one, so that a hostile file is refused before it can grow: no anchors, aliases,
merge keys or tags, depth of 64 at most, no more nodes than the caller allows. JSON is YAML to this reader. What a value
means is left to `decode`, which knows what it should be.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from sheetgen.content.yaml.encoding import ORDINARY, FileLimit, decoded, place_at
from sheetgen.content.yaml.yaml_errors import ODD_SPACES, SECOND_DOCUMENT, Complaint, explain, odd_space
from sheetgen.errors import InputError, Place, Problem, quoted

DEEPEST = 64
_MOST_PROBLEMS = 100
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_STANDARD_TAG = "tag:yaml.org,2002:"
_WORD = re.compile(r"[^\s,:\[\]{}\"]+")  # of JSON
_DIRECTIVE = re.compile(r"^%(?:YAML|TAG)\b", re.MULTILINE)
# The end of something that is not a key, and a sign at the beginning of a word.
_CUT_OFF = re.compile(r"(?<=[^\s:])()[ \t]+(#\w+)")
# JSON writes a character beyond U+FFFF as two escapes, which YAML does not read.
_PAIR = re.compile(r"(?<!\\)((?:\\\\)*+)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as it was written, without its quotes; block text (| and >) counts as quoted."""

    text: str
    place: Place
    quoted: bool

    @property
    def is_null(self) -> bool:
        """Whether nothing was written: `null`, `~` or an empty value without quotes."""
        return not self.quoted and self.text in _NULLS


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, block or [flow]."""

    items: tuple[Node, ...]
    place: Place

    @property
    def is_null(self) -> bool:
        """False: a list is something, even when it is empty."""
        return False


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file; a key that is given twice is here twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    place: Place

    @property
    def is_null(self) -> bool:
        """False: a mapping is something, even when it is empty."""
        return False


Node = Scalar | Sequence | Mapping

_OPENING = (yaml.SequenceStartEvent, yaml.MappingStartEvent, yaml.AliasEvent)
_VALUES = frozenset((yaml.ScalarEvent, *_OPENING))
_SUSPECT = ODD_SPACES | {"<", "="}


def parse(data: bytes, file: str, *, most: FileLimit = ORDINARY) -> Node:
    """Return the root node of a YAML or JSON file; `file` is the name that places and messages show.

    A file whose name ends in .json must be JSON, not only YAML.
    Raises InputError with every problem that was found up to where reading had to stop.
    """
    text = written = decoded(data, file, most=most)
    directive = _DIRECTIVE.search(text)
    if directive:
        message = f"{directive.group()} line is not needed and not allowed (delete it)"
        raise InputError([Problem(place_at(text, directive.start(), file), message)])
    if text.lstrip()[:1] in ("{", "[", '"'):
        text = _PAIR.sub(_joined, text)
    walk = _Walk(file, most)
    with _no_collection():
        try:
            walk.refuse_too_many(text)
            walk.run(yaml.CSafeLoader(text).get_event)
        except yaml.MarkedYAMLError as error:
            walk.problems.append(explain(text, file, walk.complaint(error)))
        except yaml.YAMLError:
            walk.problems.append(Problem(Place(file), "not readable as YAML (save it as plain UTF-8 text)"))
    if walk.problems:
        raise InputError(walk.problems)
    if not walk.roots or (isinstance(walk.roots[0], Scalar) and not walk.roots[0].text and not walk.roots[0].quoted):
        raise InputError([Problem(Place(file), "file is empty (it needs at least one value)")])
    if file.lower().endswith(".json"):
        check_json(written, file)
    return walk.roots[0]


def cut_off_texts(data: bytes, file: str, *, most: FileLimit = ORDINARY) -> tuple[Problem, ...]:
    """Return a note for each text without quotes that is cut off by ` #` and a word: YAML takes the rest for a comment.

    Nothing for a file that cannot be read; `parse` says why.
    """
    notes: list[Problem] = []
    with suppress(InputError, yaml.YAMLError):
        text = decoded(data, file, most=most)
        ends = {found.start(1): found for found in _CUT_OFF.finditer(text)}
        events = yaml.CSafeLoader(text)
        while ends and (event := events.get_event()) is not None:
            if type(event) is not yaml.ScalarEvent or event.style or not event.value or event.end_mark is None:
                continue
            if found := ends.pop(event.end_mark.index, None):
                lost = f"{quoted(found[2])} and what follows is a comment, and the text ends before it"
                notes.append(Problem(place_at(text, found.start(2), file), f"{lost} (put all of it in quotes)"))
    return tuple(notes)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: nodes form no cycles, and searching them for cycles doubles the time.

    Afterwards they are filed among the old objects, or the collector would go through all of them at once.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[2], 16), int(pair[3], 16)
    return f"{pair[1]}{chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))}"


class _Walk:
    """The nodes built so far: `stack` holds the children of each open list or mapping, those of the file lowest.

    `places` and `opened` tell where each open one began, as a place and as an index into the text.
    """

    def __init__(self, file: str, most: FileLimit) -> None:
        self.file = file
        self.most = most
        self.problems: list[Problem] = []
        self.roots: list[Node] = []
        self.stack: list[list[Node]] = [self.roots]
        self.places: list[Place] = []
        self.opened: list[int] = []
        self.last: yaml.ScalarEvent | None = None

    def run(self, next_event: Callable[[], Any]) -> None:
        """Follow the events to the end of the document, noting what must not be there.

        Scalars are most of any file: the common kind is taken in here, one that needs a second look goes to `doubtful`.
        """
        readers: dict[type[yaml.Event], Callable[[Any], None]] = {
            yaml.SequenceStartEvent: self.open,
            yaml.SequenceEndEvent: self.close_sequence,
            yaml.MappingStartEvent: self.open,
            yaml.MappingEndEvent: self.close_mapping,
            yaml.AliasEvent: self.alias,
            yaml.DocumentStartEvent: self.document,
        }
        file, stack, left = self.file, self.stack, self.most.values
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.last = event
                mark, text = event.start_mark, event.value
                node = Scalar(text, Place(file, mark.line + 1, mark.column + 1), event.style != "")
                if event.anchor is not None or event.tag is not None or text[:1] in _SUSPECT:
                    self.doubtful(event, node)
                stack[-1].append(node)
                left -= 1
            elif kind in readers:
                readers[kind](event)
                left -= kind in _OPENING
            if left < 0:
                self.refuse_rest(event)

    def refuse_too_many(self, text: str) -> None:
        """Count the values of a text that looks as if it had too many: that takes half the time of building them."""
        if text.count("\n") + text.count(": ") + text.count(",") <= self.most.values:
            return
        next_event, left = yaml.CSafeLoader(text).get_event, self.most.values
        while (event := next_event()) is not None:
            left -= type(event) in _VALUES
            if left < 0:
                self.refuse_rest(event)

    def refuse_rest(self, event: yaml.Event) -> NoReturn:
        """Refuse a file at the first value that is too many."""
        self.stop(self.place(event), f"more than {self.most.values:,} values in one file ({self.most.advice})")

    def doubtful(self, event: yaml.ScalarEvent, node: Scalar) -> None:
        """Note what is wrong with a scalar that has an anchor, a tag or a first character that may mislead."""
        self.refuse_marks(event, node.place)
        if node.quoted or not node.text:
            return
        if node.text[0] in ODD_SPACES:
            self.add(node.place, odd_space(node.text[0]))
        elif node.text in ("<<", "="):
            self.add(node.place, f"bare {node.text} has a meaning of its own in YAML (put it in quotes)")

    def open(self, event: yaml.CollectionStartEvent) -> None:
        """Begin a list or mapping."""
        place = self.place(event)
        self.refuse_marks(event, place)
        if len(self.stack) > DEEPEST:
            self.stop(place, f"nested deeper than {DEEPEST} (write it flatter)")
        self.places.append(place)
        self.opened.append(event.start_mark.index if event.start_mark else 0)
        self.stack.append([])

    def close_sequence(self, event: yaml.SequenceEndEvent) -> None:
        """End a list."""
        node = Sequence(tuple(self.stack.pop()), self.places.pop())
        self.opened.pop()
        self.stack[-1].append(node)

    def close_mapping(self, event: yaml.MappingEndEvent) -> None:
        """End a mapping, of which keys and values came by turns."""
        children = self.stack.pop()
        self.opened.pop()
        entries: Any = tuple(zip(children[::2], children[1::2], strict=True))
        for key, _ in entries:
            if not isinstance(key, Scalar):
                self.add(key.place, "a key must be a single text, not a list or mapping (put it in quotes)")
            elif not key.text and not key.quoted:
                self.add(key.place, "no key stands before this colon (add one)")
        self.stack[-1].append(Mapping(entries, self.places.pop()))

    def alias(self, event: yaml.AliasEvent) -> None:
        """Note an alias and put an empty text in its place."""
        place = self.place(event)
        fix = f"write the value out in place of {quoted(f'*{event.anchor}')}, or put the text in quotes"
        self.add(place, f"aliases are not allowed ({fix})")
        self.stack[-1].append(Scalar("", place, True))

    def document(self, event: yaml.DocumentStartEvent) -> None:
        """Stop at a second document."""
        if self.roots:
            self.stop(self.place(event), SECOND_DOCUMENT)

    def refuse_marks(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, place: Place) -> None:
        """Note an anchor or a tag."""
        if event.tag is not None:
            tag = quoted(event.tag.replace(_STANDARD_TAG, "!!"))
            self.add(place, f"tags are not allowed (delete {tag}, or put the text in quotes)")
        if event.anchor is not None:
            anchor = quoted(f"&{event.anchor}")
            self.add(place, f"anchors are not allowed (delete {anchor}, or put the text in quotes)")

    def place(self, event: yaml.Event) -> Place:
        """Return where an event begins."""
        mark = event.start_mark
        return Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file)

    def complaint(self, error: yaml.MarkedYAMLError) -> Complaint:
        """Return what the parser says, with what had been read when it stopped."""
        at = error.problem_mark.index if error.problem_mark else 0
        since = error.context_mark.index if error.context_mark else at
        last_from = self.last.start_mark.index if self.last and self.last.start_mark else 0
        last_to = self.last.end_mark.index if self.last and self.last.end_mark else 0
        opened = self.opened[-1] if self.opened else 0
        return Complaint(error.problem or "", error.context or "", at, since, opened, last_from, last_to)

    def add(self, place: Place, message: str) -> None:
        """Note a problem; a file with a hundred of them is not read further."""
        self.problems.append(Problem(place, message))
        if len(self.problems) >= _MOST_PROBLEMS:
            raise InputError(self.problems, stopped=True)

    def stop(self, place: Place, message: str) -> NoReturn:
        """Refuse the rest of the file."""
        raise InputError([*self.problems, Problem(place, message)])


def check_json(text: str, file: str) -> None:
    """InputError for a text that is YAML but no JSON, which nobody else could read, and how to mend it."""
    try:
        json.loads(text, parse_int=str, object_pairs_hook=lambda pairs: None)
    except json.JSONDecodeError as error:
        index, message = _complaint(text, error.pos)
        raise InputError([Problem(place_at(text, index, file), message)]) from None


def _complaint(text: str, index: int) -> tuple[int, str]:
    """Where the mistake is and what to do; `index` is where the reader stopped, before or behind a comma too many."""
    behind = index + len(text[index:]) - len(text[index:].lstrip(", \t\n"))
    before = len(text[:index].rstrip())
    comma = index if text[index : index + 1] == "," else before - 1
    if text[behind : behind + 1] in ("]", "}") and text[comma : comma + 1] == ",":
        return comma, f"JSON has no comma before {text[behind]} (delete it)"
    if text[index : index + 1] == "'":
        return index, "JSON has no single quotes (write double ones)"
    if text[index : index + 1] == "#" or text.startswith(("//", "/*"), index):
        return index, "JSON has no comments (delete it, or rename the file to .yaml)"
    word = _WORD.match(text, index)
    if word:
        return index, "this is no JSON (put the text in double quotes, or rename the file to .yaml)"
    return index, "this is no JSON from here on (mend it, or rename the file to .yaml)"
