"""Rules: the book as pages with search, any rule played with dice that are rolled or typed, and its odds drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.documents.book.book import without_ids
from sheetgen.documents.book.worked_example import ExampleTeller
from sheetgen.documents.figures.charts import odds_chart
from sheetgen.errors import LimitError, SheetgenError, UsageError, quoted
from sheetgen.model.book import Book
from sheetgen.model.procedures import as_data, readable
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import open_book
from sheetgen.rules.odds import Odds
from sheetgen.rules.procedures.play import Refused
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.studio.pages import Area, is_partial, page, part
from sheetgen.studio.people.wall import asked_game, games
from sheetgen.studio.rules.play_form import PREFIX, PlayForm, play_form
from sheetgen.studio.rules.texts import Contents, Playable, RuleEntry, contents_of, rule_html, with_addresses
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.table.play import THROWN, PlayResult, RandomSource, cards_of, odds, play, procedure_named
from sheetgen.workspace.packs import Pack

RULES = "/rules"
AREA = Area(RULES, "Rules", "3", also=("/edit",))
LONGEST_DICE = 60  # dice that may be typed
SAMPLES = 1_000  # plays that are counted where exact odds would take too long
MOST_FOUND = 60
AROUND = 120  # letters that are shown of a text around what was looked for
STARTS = 4  # rules of a chapter that are offered to begin with
T = TypeVar("T")
EVERY = "-"  # in addresses: no rule of the book, but anything that can be played


def routes() -> list[Route]:
    """Return the addresses of this place."""
    return [
        Route(RULES, _rules),
        Route(f"{RULES}/rule.css", _style),
        Route(f"{RULES}/{{game}}", _rules),
        Route(f"{RULES}/{{game}}/{{rule}}", _rules),
        Route(f"{RULES}/{{game}}/{{rule}}/play", _play),
        Route(f"{RULES}/{{game}}/{{rule}}/odds", _odds),
    ]


@dataclass(slots=True)
class Turns:
    """Whose turn it is to work something out: who has been overtaken need not."""

    _turn: Lock = field(default_factory=Lock)
    _last: int = 0

    def take(self) -> int:
        """Return a number higher than any before."""
        with self._turn:
            self._last += 1
            return self._last

    def is_last(self, number: int) -> bool:
        """Return whether nobody came after."""
        return number == self._last


@dataclass(frozen=True, slots=True)
class RuleAsked:
    """What is looked at: a game with its contents, a rule of it or none, and what of it is played, if anything."""

    studio: Studio
    pack: Pack
    contents: Contents
    rule: RuleEntry | None
    playing: Playable | None

    @property
    def address(self) -> str:
        """The address of the rule."""
        return f"{RULES}/{self.pack.system.id}/{self.rule.id if self.rule else EVERY}"

    @property
    def plays(self) -> tuple[Playable, ...]:
        """What can be played here."""
        return self.rule.plays if self.rule else self.contents.plays

    @property
    def procedure(self) -> Procedure:
        """The procedure that is played; UsageError if there is none."""
        if self.playing is None:
            raise UsageError("nothing is played by this rule")
        return procedure_named(self.pack, self.playing.name)


def contents_in(studio: Studio, game: str) -> Contents:
    """Return the rules of a game as they are now."""
    pack = studio.pack(game)
    return _remembered(studio, ("rules", studio.mark(pack), game), lambda: contents_of(studio.project, pack))


def _remembered(studio: Studio, key: object, make: Callable[[], T]) -> T:
    """Return what is known under a key, at once even while something else is made; else it is made in turn."""

    def made() -> T:
        with studio.making:
            return studio.lately.get(key, make)

    return studio.lately.get(key, made)


def _asked_rule(request: Request) -> RuleAsked:
    studio = studio_of(request)
    game = asked_game(studio, request.path_params.get("game") or request.query_params.get("game"))
    pack = studio.pack(game)
    contents = contents_in(studio, game)
    name = request.path_params.get("rule", "")
    rule = contents.rule(contents.rule_of(name.upper()) or name) if name not in ("", EVERY) else None
    plays = rule.plays if rule else contents.plays
    wanted = request.query_params.get("do", "")
    playing = next((each for each in (*plays, *contents.plays) if each.name == wanted), None)
    if wanted and playing is None:
        procedure_named(pack, wanted)  # refuses it with the nearest
    if playing is None and (rule is not None or not name):
        playing = next(iter(plays), None) if rule is not None else contents.usual
    return RuleAsked(studio, pack, contents, rule, playing)


# What is looked at.


def _rules(request: Request) -> Response:
    if "game" in request.query_params and "game" not in request.path_params:
        rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "game"])
        return RedirectResponse(f"{RULES}/{request.query_params['game']}{'?' if rest else ''}{rest}", 303)
    asked = _asked_rule(request)
    named = asked.contents.rule_of(request.query_params.get("find", "").strip().upper())
    if named and asked.rule is None:
        return RedirectResponse(f"{RULES}/{asked.pack.system.id}/{named}", 303)
    return _answer(request, asked, _form(request, asked))


def _answer(request: Request, asked: RuleAsked, form: PlayForm | None, **more: Any) -> Response:
    """Return the whole page: contents, the rule, and what of it can be played."""
    studio, pack = asked.studio, asked.pack
    words = request.query_params.get("find", "")
    found = asked.contents.found(words)[:MOST_FOUND] if words else ()
    data = {
        "game": {"id": pack.system.id, "title": pack.system.title, "accent": pack.system.accent},
        "games": [{"id": each.name, "title": each.title} for each in games(studio)],
        "chapters": asked.contents.chapters,
        "find": words,
        "found": [{"id": each.id, "title": each.title, "text": around(each.text, words)} for each in found],
        "rule": asked.rule,
        "html": _rule_text(asked) if asked.rule else "",
        "every": [_where(asked, each) for each in asked.contents.plays],
        "starts": [] if asked.rule else _starts(asked.contents),
        "example": next((each.covers[0] for each in asked.contents.rules if each.plays and each.covers), ""),
        "shown": "paper" if request.url.path.endswith("/play") else "list" if words else "work",
        **_playing(asked, form, **more),
    }
    title = asked.rule.title if asked.rule else pack.system.title
    return page(request, "rules", data, title=title)


def _starts(contents: Contents) -> list[dict[str, Any]]:
    """Return the chapters as places to start from: the first rule of each, and those of it that are played."""
    return [
        {"title": title, "id": rules[0].id, "count": len(rules), "played": _played(rules)}
        for title, rules in contents.chapters
        if rules
    ]


def _played(rules: Sequence[RuleEntry]) -> list[RuleEntry]:
    return [each for each in rules if each.plays][:STARTS]


def _where(asked: RuleAsked, each: Playable) -> dict[str, str]:
    """Return what can be played with its address: beside the first rule that plays it, or alone."""
    rule = next((one.id for one in asked.contents.rules if any(own.name == each.name for own in one.plays)), EVERY)
    return {"name": each.name, "say": each.say, "address": f"{RULES}/{asked.pack.system.id}/{rule}/play?do={each.name}"}


def _rule_text(asked: RuleAsked) -> str:
    assert asked.rule is not None
    studio, pack, rule = asked.studio, asked.pack, asked.rule
    key = ("rule", studio.mark(pack), pack.system.id, rule.id)
    html = _remembered(studio, key, lambda: rule_html(studio.project, pack, rule.id))
    return with_addresses(html, pack.system.id, asked.contents)


def around(text: str, words: str) -> str:
    """Return some words around the first that was looked for."""
    at = max(text.casefold().find(words.casefold().split()[0]) if words.split() else 0, 0)
    start = text.rfind(" ", 0, max(at - 30, 0)) + 1
    rest = text[start:]
    shown = rest if len(rest) <= AROUND else rest[: AROUND + 1].rpartition(" ")[0].rstrip(",;:") or rest[:AROUND]
    return f"{'… ' if start else ''}{shown}{' …' if len(shown) < len(rest) else ''}"


def _style(request: Request) -> Response:
    """Return how a rule looks in the book's web page, kept to what stands in a rule."""
    path = studio_of(request).project.templates / "book" / "rule.css"
    return Response(
        f".book {{\n{path.read_text('utf-8')}}}\n", media_type="text/css", headers={"Cache-Control": "no-cache"}
    )


# What is played.


def _form(request: Request, asked: RuleAsked) -> PlayForm | None:
    """Return the form as it was sent, or with what its first worked example or chart gives."""
    if asked.playing is None:
        return None
    typed = {name.removeprefix(PREFIX): text for name, text in request.query_params.items() if name.startswith(PREFIX)}
    return play_form(asked.pack.system, asked.procedure, typed or asked.playing.begin or {})


def _playing(asked: RuleAsked, form: PlayForm | None, **more: Any) -> dict[str, Any]:
    """Return what the panel beside a rule shows."""
    data: dict[str, Any] = {
        "address": asked.address,
        "plays": [{"name": each.name, "say": each.say} for each in asked.plays] if asked.rule else [],
        "nothing": asked.rule is not None and not asked.plays,
        "do": None,
        "result": None,
        "odds": None,
        "dice": {"typed": "", "cards": "", "note": ""},
        **more,
    }
    if form is None or asked.playing is None:
        return data
    procedure, playing = asked.procedure, asked.playing
    covers = asked.rule.covers if asked.rule else ()
    ids = [each for each in procedure.rules if each in covers] or list(procedure.rules[:1])
    names = _results(asked, procedure)
    data["do"] = {
        "name": procedure.name,
        "say": procedure.say,
        "about": procedure.about.replace("`", "").split("\n\n"),
        "controls": form.controls(playing.ranges or {}, asked.pack.system.values),
        "others": form.others,
        "ready": form.arguments is not None,
        "rule": ", ".join(ids),
        "results": names,
        "of": more.get("of") or playing.of or next(iter(names), ""),
        "policies": procedure.policies,
        "policy": more.get("policy") or playing.policy,
        "cards": playing.cards,
    }
    if more.get("drawn") and form.arguments is not None:
        data["odds"] = _odds_of(asked, form, str(data["do"]["of"]), str(data["do"]["policy"]))
    return data


def _results(asked: RuleAsked, procedure: Procedure) -> list[str]:
    """Return the names of the results that odds may be asked of, those that come to yes or no first."""
    from dataclasses import fields, is_dataclass

    outcome = procedure.outcome
    if not is_dataclass(outcome):
        return []
    named = [(each.name.rstrip("_"), each.type) for each in fields(outcome)]
    return [name for name, _ in sorted(named, key=lambda each: "bool" not in str(each[1]))]


def _play(request: Request) -> Response:
    """Play a rule: with dice from a seed, which stands in the address, or as they were typed."""
    asked, query = _asked_rule(request), request.query_params
    if "roll" in query:
        kept = [pair for pair in query.multi_items() if pair[0] not in ("roll", "seed", "dice", "tell", "cards")]
        address = f"{asked.address}/play?{urlencode([*kept, ('seed', str(asked.studio.new_seed()))])}"
        if not is_partial(request):
            return RedirectResponse(address, 303)
        request.scope["query_string"] = address.partition("?")[2].encode()
        request = Request(request.scope, request.receive)
        query = request.query_params
    form = _form(request, asked)
    more: dict[str, Any] = {"of": query.get("of", ""), "policy": query.get("policy", "")}
    dice = {"typed": query.get("dice", ""), "cards": query.get("cards", ""), "note": ""}
    if form is not None and form.arguments is not None and (query.get("seed") or "tell" in query):
        try:
            more["result"] = _told(asked, form, _source(query, dice))
        except Refused as refused:
            name = asked.contents.rule_of(refused.rule)
            where = f"{RULES}/{asked.pack.system.id}/{name}" if name else ""
            more["result"] = {"refused": refused.message, "rule": refused.rule, "where": where}
        except SheetgenError as error:
            dice["note"] = str(error)
    data = {"dice": dice, **more}
    if not is_partial(request):
        return _answer(request, asked, form, drawn=True, **data)
    answer = part(request, "rules/play", _playing(asked, form, **data))
    answer.headers["HX-Push-Url"] = f"{asked.address}/play?{request.url.query}"
    return answer


def _source(query: Mapping[str, str], dice: Mapping[str, str]) -> RandomSource:
    """Return where dice and cards come from; UsageError for what are no faces or cards."""
    cards = cards_of(dice["cards"])
    if "tell" not in query:
        text = query.get("seed", "")
        if not (text.isascii() and text.isdigit() and len(text) < 12):
            raise UsageError(f"the seed is a number, not {quoted(text)}")
        return RandomSource(int(text), cards=cards)
    faces = dice["typed"].replace(",", " ").split()
    wrong = next((each for each in faces if not (each.isascii() and each.isdigit() and len(each) < 5)), "")
    if wrong or len(faces) > LONGEST_DICE:
        raise UsageError(f"type the faces as they fell, such as 4, 3; not {quoted(wrong or dice['typed'])}")
    return RandomSource(0, dice=tuple(map(int, faces)), cards=cards)


def _told(asked: RuleAsked, form: PlayForm, source: RandomSource) -> dict[str, Any]:
    """Return how a rule went, told line by line with its dice drawn, and what it came to."""
    with asked.studio.making:
        played = play(asked.pack, asked.procedure, form.arguments or {}, source)
    outcome = as_data(played.outcome)
    rows = (
        [(name.replace("_", " "), readable(value)) for name, value in outcome.items()]
        if isinstance(outcome, dict)
        else []
    )
    return {
        "lines": _lines(asked, played),
        "rows": rows or [("result", readable(outcome))],
        "log": played.log,
        "seed": "" if source.dice is not None else str(source.seed),
    }


def _lines(asked: RuleAsked, played: PlayResult) -> list[dict[str, Any]]:
    """Return the lines of a log as an example tells them: each with the dice that fell before it."""
    pack, project = asked.pack, asked.studio.project
    book = open_book(project, pack).book if pack.ours and has_book(project, pack) else Book((), {})
    teller, throws, lines, fell = (
        ExampleTeller(pack.system, book),
        iter(played.throws),
        list[dict[str, Any]](),
        list[str](),
    )
    for line in played.log:
        if line.startswith(THROWN):
            fell.append(teller.drawn(next(throws)))
        else:
            lines.append({"said": without_ids(line), "fell": fell})
            fell = []
    return [*lines, {"said": "", "fell": fell}] if fell else lines


# How likely it is.


def _odds(request: Request) -> Response:
    """Return the odds of what the form says, as a drawing; nothing to those who were overtaken meanwhile."""
    asked, query = _asked_rule(request), request.query_params
    turns = asked.studio.lately.get("turns of odds", Turns)
    mine = turns.take()
    form = _form(request, asked)
    with asked.studio.making:
        if not turns.is_last(mine):
            return Response(status_code=204)
        playing = asked.playing
        names = _results(asked, asked.procedure)
        of = query.get("of") or (playing.of if playing else "") or next(iter(names), "")
        shown = _odds_of(asked, form, of, query.get("policy", "")) if form and form.arguments is not None else None
    return part(request, "rules/odds", {"odds": shown})


def _odds_of(asked: RuleAsked, form: PlayForm, of: str, policy: str) -> dict[str, Any]:
    """Return the odds of a result for the template: a chart, and the words for those who do not see it."""
    from sheetgen.pdf.fonts.bundled import text_width  # imports fontTools

    procedure, pack = asked.procedure, asked.pack
    policy = policy if policy in procedure.policies else ""
    key = ("odds", asked.studio.mark(pack), procedure.name, repr(form.arguments), of, policy)
    try:
        found = asked.studio.lately.get(key, lambda: _worked_out(asked, procedure, form.arguments or {}, of, policy))
    except (SheetgenError, Refused) as error:
        return {"svg": "", "said": "", "note": str(error)}
    rows = [(readable(value), float(chance)) for value, chance in found.odds]
    counted = f"counted in {found.samples:,} plays" if found.samples else ""
    said = ", ".join(f"{name} {chance:.1%}" for name, chance in sorted(rows, key=lambda row: -row[1])[:6])
    svg = odds_chart(procedure.say, of.replace("_", " "), rows, "currentColor", text_width)
    return {"svg": svg, "said": said, "note": "; ".join(filter(None, (counted, *found.notes)))}


def _worked_out(asked: RuleAsked, procedure: Procedure, arguments: Mapping[str, Any], of: str, policy: str) -> Odds:
    with asked.studio.making:
        try:
            return odds(asked.pack, procedure, arguments, of=of, policy=policy)
        except LimitError:
            return odds(asked.pack, procedure, arguments, of=of, policy=policy, samples=SAMPLES)
