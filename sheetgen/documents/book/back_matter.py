"""What leads to the pages of a book: its contents in columns, and an index and a glossary whose words it finds there.

An entry leads to the very words: the place is marked in the HTML of the rule, wherever on its pages they come to stand.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape, unescape
from itertools import islice
from typing import TypeVar

from sheetgen.documents.markdown import anchor
from sheetgen.model.book import Book, Rule
from sheetgen.model.data import TemplateData
from sheetgen.model.system import System

PLACES, MET = 4, 2  # that an entry leads to, at most; that lead to somebody beside the figures
_RULE = re.compile(r' id="(rule-[a-z0-9-]+)"')
_UNSEEN = re.compile(r"<(svg|style|aside)\b.*?</\1>|<[^>]*>|\ue000[^\ue001]*\ue001", re.DOTALL)
_WORD, _LEAD = re.compile(r"\w+"), 3  # letters by which a place is looked up
_STRONG = re.compile(r"<(strong|td|th|h2|h3|dt)\b[^>]*>.*?</\1>", re.DOTALL)
_TOLD = re.compile(r'<div class="(?:words|scene)\b.*?</div>', re.DOTALL)  # of an example: bold words there only lead on
_OPENS = re.compile(r"\s*([A-Z])\S*\s+[a-z]")  # a heading that goes on like a sentence: its capital says nothing
_SOMEBODY = re.compile(r'<b class="name">([^<]*)</b>')
_BOLD = re.compile(r"<strong>((?:[^<]|</?em>)*)</strong>")
_CITED = re.compile(r'<a class="cited" href="#(handout-[^"]+)"')
_FROM = re.compile(r'(<figure id="(handout-[^"]+)">(?:(?!</figure>).)*?<a class="from" href="#)[^"]*', re.DOTALL)
_SHEET = re.compile(r'id="(sheet-\d+)"[^>]*>\s*<h1>Sheet of ([^<\s][^<]*)</h1>')  # of somebody with a name
_TAGS = re.compile("<[^>]*>")
_ARTICLE = re.compile(r"^(?:an?|the) ")
_AROUND = re.compile(r"^(?:\d+\.? )?(?:(?:an?|the) )?|[.:,]$")  # a word: the number of a place, an article, a stop
_LAST = re.compile(r"(.*[^<>])\s([^\s<>]+|<(\w+)>[^\s<>]+</\3>[^\s<>]*)", re.DOTALL)
_WITHIN = re.compile(r"(?<=\w)\s(?=\w)")  # between two words of one thing that a cell names

T = TypeVar("T")


@dataclass(slots=True)
class IndexEntry:
    """A word of the index: where it stands, first of all its `home`, if a rule defines it; and where else to look."""

    word: str
    anchors: list[str] = field(default_factory=list)
    home: bool = False
    see: list[str] = field(default_factory=list)


class Concordance:
    """Finds words in the rules of a rendered book, and marks where they stand.

    The rules are those whose anchors stand in the HTML; each one ends where the next or a chapter begins.
    """

    def __init__(self, html: str) -> None:
        ends = [found.start() for found in re.finditer(r'<section class="(?:chapter|back)|<div class="glance', html)]
        starts = [(found[1], found.end()) for found in _RULE.finditer(html)]
        limits = [*(at for _, at in starts), *ends, len(html)]
        self.html = html
        self.chapters = frozenset(re.findall(r'id="(chapter-[^"]*)"', html))
        self.rules = {name: (at, min(limit for limit in limits if limit > at)) for name, at in starts}
        self._plain = _UNSEEN.sub(lambda found: " " * len(found[0]), html)
        ruled = _TOLD.sub(lambda found: " " * len(found[0]), html)
        parts, end = list[str](), 0
        for found in _STRONG.finditer(ruled):
            parts += [" " * (found.start() - end), _index_words(found[1], self._plain[found.start() : found.end()])]
            end = found.end()
        self._strong = "".join((*parts, " " * (len(html) - end)))
        self._bold = dict[str, list[int]]()
        for found in (*_SOMEBODY.finditer(html), *_BOLD.finditer(ruled)):
            self._bold.setdefault(_alone(found[1]), []).append(found.start(1))
        self._somebody = {unescape(found[1]) for found in _SOMEBODY.finditer(html)}
        self._marks: dict[tuple[int, int], str] = {}
        self._begun = dict[str, list[int]]()
        self._said = Counter(found[0] for found in _WORD.finditer(self._plain))
        for found in _WORD.finditer(self._plain):
            self._begun.setdefault(found[0][:_LEAD].casefold(), []).append(found.start())

    def place(
        self, word: str, rule: str, *, strong: bool = False, but: Sequence[str] = (), as_written: bool = False
    ) -> str:
        """Return the anchor of a word within a rule, or empty; `strong` words are headings, bold, or stand in tables.

        A word is found in the singular and in the plural, whatever its capitals; best where it stands alone in bold,
        which is how a rule says what a word means. In a table a strong word is all that a cell names, or one of several
        things: no sling is a pouch of sling stones. With a capital it is found with one, as Salt is not in salt water,
        but a plain word also without, if need be, unless it counts only `as_written`. Within one of the longer names of
        `but` it is not found: Mind Psi says nothing of Mind.
        """
        if rule not in self.rules:
            return ""
        start, end = self.rules[rule]
        begin = self._bold_in(word, rule)
        start, exact = start if begin is None else begin, word[:1].isupper()
        text = self._strong if strong else self._plain
        found = self._first(_pattern(word, exact), word, text, start, end)
        if exact and not found and not strong and not as_written:
            exact, found = False, self._first(_pattern(word, False), word, text, start, end)
        while found and any(_holds(name, text, found) for name in but):
            found = self._first(_pattern(word, exact), word, text, found.end(), end)
        return self._marks.setdefault(found.span(1), f"word-{len(self._marks) + 1}") if found else ""

    def _first(self, pattern: re.Pattern[str], word: str, text: str, start: int, end: int) -> re.Match[str] | None:
        """Return the first place of a word in a part of the text, looked for only where words begin as it does."""
        lead = _WORD.match(escape(_singular(word.casefold())))
        if lead is None or len(lead[0]) < _LEAD:
            return pattern.search(text, start, end)
        places = self._begun.get(lead[0][:_LEAD], [])
        at = places[bisect_left(places, start) : bisect_left(places, end)]
        return next((found for each in at if (found := pattern.match(text, each, end))), None)

    def defined(self, word: str) -> str:
        """Return the anchor of a word where a rule first has it alone in bold, or empty."""
        return next((self.place(word, rule) for rule in self.rules if self._bold_in(word, rule) is not None), "")

    def _bold_in(self, word: str, rule: str) -> int | None:
        """Return where a rule has a word alone in bold."""
        start, end = self.rules[rule]
        return next((at for at in self._bold.get(_alone(escape(word, quote=False)), ()) if start <= at < end), None)

    def people(self, rule: Rule) -> list[str]:
        """Return the names of those people of a rule whom the pack keeps."""
        start, end = self.rules.get(anchor("rule", rule.id), (0, 0))
        kept = _SOMEBODY.finditer(self.html, start, end) if any(each.file for each in rule.people) else ()
        return [name for found in kept if not _ARTICLE.match((name := unescape(found[1])).casefold())]

    def drawing(self, title: str, rule: str) -> str:
        """Return the anchor of the title of a drawing within a rule, or empty: a heading may have the same words."""
        start, end = self.rules.get(rule, (0, 0))
        found = re.compile(f"<figcaption>{_pattern(title, True).pattern}</figcaption>").search(self.html, start, end)
        return self._marks.setdefault(found.span(1), f"word-{len(self._marks) + 1}") if found else ""

    def named(self, word: str, rule: str) -> str:
        """Return where a rule has a word that it names for its index, or empty if the rule is not in the book.

        That is the word itself; else what stands before its colon, or the last name of somebody; else the rule.
        """
        word = _said(word)
        head, colon, _ = word.partition(":")
        family = word.rsplit(maxsplit=1)[-1] if word in self._somebody and self.filed(word) != word else ""
        places = (
            self.place(word, rule),
            colon and self.place(head, rule),
            family and self.place(family, rule, as_written=True),
        )
        return next(filter(None, places), rule if rule in self.rules else "")

    def filed(self, name: str) -> str:
        """Return a name as an index has it: "Crouch, Eben", but Al of the Lamps and Old Haul as they are."""
        *first, last = name.split() or [""]
        named = first and first[0] not in ("Old", "The") and all(part[:1].isupper() for part in (*first, last))
        return f"{last}, {' '.join(first)}" if named else name

    def called(self, name: str) -> str:
        """Return the first name of somebody whom the book calls by it alone more often than by the last, or empty."""
        first, last = (name.split() or [""])[0], (name.split() or [""])[-1]
        alone = re.findall(rf"\b{re.escape(first)}\b(?!\s+[A-Z])", self._plain)
        return first if self.filed(name) != name and len(alone) > self._said[last] else ""

    def handouts(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """Yield the handouts of a rule, each with the anchor where it is printed, or else where the rule names it."""
        for name, title in rule.handouts.items():
            printed = anchor("handout", name)
            is_printed = f' id="{printed}"' in self.html
            yield f"handout: {title}", printed if is_printed else self.place(str(title), anchor("rule", rule.id))

    def sheets(self) -> Iterator[tuple[str, str]]:
        """Yield whoever has a sheet of their own behind the chapters, with the anchor of its first page."""
        yield from ((unescape(found[2]), found[1]) for found in _SHEET.finditer(self.html))

    def order(self, mark: str) -> int:
        """Return where a mark stands in the book."""
        marked = (at for (at, _), name in self._marks.items() if name == mark)
        return next(marked, max(self.html.find(f' id="{mark}"'), 0))

    def marked(self) -> str:
        """Return the HTML with an anchor at each place that was asked for."""
        parts, end = list[str](), 0
        for (start, stop), name in sorted(self._marks.items()):
            opening = f'{self.html[end:start]}<span id="{name}">'  # empty in a slice, where two words begin with one
            end, begun = max(stop, end), max(start, end)
            parts += [opening, self.html[begun:end], "</span>"]
        return "".join((*parts, self.html[end:]))


def with_citations(html: str) -> str:
    """Return the HTML of a book in which each handout leads to the first words that cite it, not to the rule around."""
    cited = set[str]()

    def marked(found: re.Match[str]) -> str:
        first = found[1] not in cited
        cited.add(found[1])
        return found[0].replace("<a ", f'<a id="cited-{found[1]}" ', 1) if first else found[0]

    html = _CITED.sub(marked, html)
    return _FROM.sub(lambda each: f"{each[1]}cited-{each[2]}" if each[2] in cited else each[0], html)


def _index_words(tag: str, words: str) -> str:
    """Return the words of an element with the things that a cell names in one piece, and a heading as in a sentence."""
    if tag == "td":
        return _WITHIN.sub("_", words)
    opens = _OPENS.match(words) if tag in ("h2", "h3") else None
    return f"{words[: opens.start(1)]}{opens[1].lower()}{words[opens.end(1) :]}" if opens else words


@lru_cache(maxsize=1 << 12)
def _pattern(word: str, exact: bool) -> re.Pattern[str]:
    first, *others = escape(_singular(word if exact else word.casefold())).split()
    rest = "".join(rf"[\s_]+{re.escape(each)}" for each in others)
    pattern = rf"(?<!\w)(?<!\w[’'])({re.escape(first)}){rest}(?:e?s)?(?!\w)"  # ten o’clock tells of no clock
    # Text and templates write straight quotes in ways of their own.
    for written, code in (("&#x27;", "'|&#39;"), ("&quot;", '"|&#34;')):
        pattern = pattern.replace(re.escape(written), f"(?:{code})")
    return re.compile(pattern, 0 if exact else re.IGNORECASE)


def _holds(name: str, text: str, found: re.Match[str]) -> bool:
    """Return whether what was found stands within a longer name."""
    start, end = max(found.start() - len(name) - 1, 0), found.end() + len(name) + 1
    spans = (longer.span() for longer in _pattern(name, name[:1].isupper()).finditer(text, start, end))
    return any(first <= found.start() and found.end() <= last for first, last in spans)


def _alone(words: str) -> str:
    """Return bold words as the one that they are about: "6. The Dry Kettle." as the kettle."""
    return _singular(_AROUND.sub("", " ".join(_TAGS.sub("", words).casefold().split())))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def index_of(system: System, book: Book, found: Concordance, *, whole: bool = True) -> list[IndexEntry]:
    """Return the index: words that rules name, of the glossary, of the sheet and of lists, in alphabetical order.

    A word leads to where a rule says what it is, see `home_of`, and then to where it first stands in each rule that
    names it, or that prints it bold, in a heading or a table; where these are many, those that name it come first. Maps
    lead to the rule that has them, handouts to where they are printed, people with names to their figures and then to
    the rules that have the whole name, whoever has a sheet of their own also to that. What stands nowhere is left out,
    unless a rule names it for itself: that one leads to the rule. A part of a book that is not the `whole` cannot know
    which plain word is the first: there only the others are marked.
    """
    entries, people = dict[str, IndexEntry](), dict(_people_of(book, found))

    def entry(word: str) -> IndexEntry:
        word, _ = people.get(word, (word, ""))
        return entries.setdefault(_singular(word.casefold()), IndexEntry(word))

    for word, place in (*_declared(book, found), *_met(system, book, found, people, whole=whole), *found.sheets()):
        _add(entry(word), place)
    for word, see in book.see.items():
        entry(word).see.append(see)
    for name, (word, _) in people.items():
        if called := found.called(name):
            entry(called).see.append(word)
    homes = {_singular(word.casefold()): home for word, home in people.values()}
    explained = {_singular(word.casefold()) for word in book.glossary}
    for key, each in entries.items():
        home = homes.get(key) or (home_of(each.word, book, found, explained=key in explained) if each.anchors else "")
        others = [place for place in each.anchors if place != home][: PLACES - bool(home)]
        each.home, each.anchors = bool(home), [*filter(None, [home]), *sorted(others, key=found.order)]
    used = [each for each in entries.values() if each.anchors or each.see]
    return sorted(used, key=lambda each: _ARTICLE.sub("", each.word.casefold()))


def _declared(book: Book, found: Concordance) -> Iterator[tuple[str, str]]:
    """Yield the words that rules name for the index, their people, maps and handouts, each with its place."""
    for rule in book.rules.values():
        name = anchor("rule", rule.id)
        at_least = name if name in found.rules else ""
        maps = [each.title for each in rule.figures if each.kind == "map" and each.title]
        yield from ((f"map: {title}", found.drawing(title, name) or at_least) for title in maps)
        for word in (*rule.index, *found.people(rule)):
            yield word, found.named(word, name)
        yield from ((word, place or at_least) for word, place in found.handouts(rule))


def _met(
    system: System, book: Book, found: Concordance, people: Iterable[str], *, whole: bool
) -> Iterator[tuple[str, str]]:
    """Yield words of the glossary, of the sheet and of lists, and whole names, with each place that has them."""
    named = tuple(dict.fromkeys((*book.glossary, *_indexed_names(system))))
    for word in named:
        longer = [name for name in named if len(name) > len(word) and f" {word} " in f" {name} "]
        strong = [place for rule in found.rules if (place := found.place(word, rule, strong=True, but=longer))]
        plainly = found.rules if whole and word in book.glossary else ()
        plain = (place for rule in plainly if (place := found.place(word, rule)))
        yield from ((word, place) for place in strong or [next(plain, "")])
    for name in people:
        met = (place for rule in found.rules if " " in name and (place := found.place(name, rule)))
        yield from ((name, place) for place in islice(met, MET + 1))


def _people_of(book: Book, found: Concordance) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each name of those whom the pack keeps, with what the index calls them and where their figures stand.

    Whoever has a sheet behind the chapters comes first, with that.
    """
    yield from ((name, (found.filed(name), place)) for name, place in found.sheets())
    for rule in book.rules.values():
        for name in found.people(rule):
            yield name, (found.filed(name), found.place(name, anchor("rule", rule.id)))


def home_of(word: str, book: Book, found: Concordance, *, explained: bool = False) -> str:
    """Return the anchor of the place that says what a word is, or empty.

    That is the rule or the chapter that has the word for its title; else the rule that names it for its index, rather
    one whose title has it as well. A word that is `explained` to readers is at home where a title only has it in it.
    """
    said, single = _words_of(word), _singular(word.casefold())
    rules = [(rule, name) for rule in book.rules.values() if (name := anchor("rule", rule.id)) in found.rules]
    chapters = [(each.title, name) for each in book.chapters if (name := anchor("chapter", each.id)) in found.chapters]
    written = (*((rule.title, name) for rule, name in rules), *chapters)
    titles = [(_words_of(title), name) for title, name in written]
    declared = [name for rule, name in rules if single in (_singular(each.casefold()) for each in rule.index)]
    having = [(title, name) for title, name in written if said and set(said) <= set(_words_of(title))]
    holding = [name for title, name in having if _is_named(word, title)]
    ways = (
        (name for title, name in titles if title == said),
        (name for name in holding if name in declared),
        (found.named(word, name) for name in declared),
        holding if explained else (),
    )
    return next((name for way in ways for name in way), "")


def _said(word: str) -> str:
    """Return a word of an index as a text has it: "Penny, Arthur" as Arthur Penny."""
    last, comma, first = word.partition(", ")
    return f"{first} {last}" if comma else word


def _is_named(word: str, title: str) -> bool:
    """Return whether a title that has a word, or one like it, means it: Hurt is not in what hurts, but in Hurts."""
    alike = word[:1].islower() or _pattern(word, True).search(title) or " " in word
    return bool(alike) or word.casefold() in _WORD.findall(title.casefold())


@lru_cache(4096)
def _words_of(words: str) -> tuple[str, ...]:
    """Return the words of a title in the singular, without an article before them."""
    plain = _ARTICLE.sub("", words.casefold())
    return tuple(map(_singular, _WORD.findall(plain)))


def _add(entry: IndexEntry, place: str) -> None:
    if place and place not in entry.anchors:
        entry.anchors.append(place)


def _indexed_names(system: System) -> Iterator[str]:
    """Yield the names of what stands on sheets and in lists: traits, weapons and other things that have rules."""
    for trait in system.all_traits():
        yield trait.name
    for items in system.cast.items.values():
        yield from (item.name for item in items.values())


def glossary_of(
    words: Iterable[tuple[str, str]], index: Sequence[IndexEntry], found: Concordance
) -> list[TemplateData]:
    """Return the words of a game with what they mean, in HTML, the last word of that, and the place to read about each.

    That is its home in the index; else where a rule has the word alone in bold, or the first place that the index
    knows.
    """
    entries = {_singular(entry.word.casefold()): entry for entry in index}
    places = {word: entry.anchors[:1] for word, entry in entries.items()}
    homes = {word: entry.anchors[0] for word, entry in entries.items() if entry.home}
    return [
        {
            "word": word,
            **_parted(html),
            "anchors": [place]
            if (place := homes.get(_singular(word.casefold())) or found.defined(word))
            else places.get(_singular(word.casefold()), []),
        }
        for word, html in words
    ]


def _parted(html: str) -> dict[str, str]:
    """Return a text and its last word, which takes the number of a page with it to the next line."""
    found = _LAST.fullmatch(html)
    return {"html": found[1], "last": found[2]} if found else {"html": html, "last": ""}


def in_columns(entries: Sequence[T], heights: Sequence[float], count: int, room: float) -> list[list[list[T]]]:
    """Return entries by pages and columns; `heights` of each by its place, negative where the next must stand by it.

    All columns of a page are as high as the room, but those of the last page as even as can be.
    """

    def filled(start: int, limit: float) -> tuple[list[list[T]], int]:
        columns, at = list[list[T]](), start
        while at < len(entries) and len(columns) < count:
            used, begun = 0.0, at
            while at < len(entries) and (used + abs(heights[at]) <= limit or at == begun):
                used += abs(heights[at])
                at += 1
            while begun + 1 < at < len(entries) and heights[at - 1] < 0:
                at -= 1
            columns.append(list(entries[begun:at]))
        return columns, at

    pages, at = list[list[list[T]]](), 0
    while at < len(entries):
        columns, end = filled(at, room)
        if end == len(entries):
            limit = sum(abs(heights[each]) for each in range(at, end)) / count
            while filled(at, limit)[1] < end:
                limit += 1
            columns = filled(at, limit)[0]
        pages.append(columns)
        at = end
    return pages
