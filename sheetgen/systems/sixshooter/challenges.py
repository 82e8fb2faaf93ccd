"""Section E: Critical Numbers, what they become for one Operator and one roll, and how a die reads against them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.errors import suggestion
from sheetgen.model.data import Values
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import (
    CN,
    IMPOSSIBLE,
    Count,
    Effective,
    Method,
    Result,
    bad,
    read_card,
    reduction,
    spoken,
    strikes_text,
)


@dataclass(frozen=True, slots=True)
class Off:
    """What a number is lowered by for one roll, through what, and by which rule."""

    by: int = 0
    because: str = ""
    rule: str = ""


def with_strikes(play: Play, cn: int, strikes: int) -> int:
    """A Critical Number, or an opponent's die, as Strikes raise it, never over the highest (`SIX-036`, `SIX-037`)."""
    values = play.values
    return min(values.number("critical.most"), cn + strikes * values.number("strikes.each"))


def is_automatic(values: Values, effective: int) -> bool:
    """Whether a number is so low that no die is rolled (`SIX-025`)."""
    return effective <= values.number("critical.automatic")


def check_cn(values: Values, cn: int, path: str) -> None:
    """Refuses a number above the scale; one at 0 or below can only be a number that was lowered (`SIX-026`)."""
    if cn > values.number("critical.most"):
        low, high = values.text("critical.least"), values.text("critical.most")
        raise bad(path, f"takes a whole number from {low} to {high}, or {IMPOSSIBLE}, not {cn}", "SIX-026")


def wagered(values: Values, wager: int) -> Off:
    """What a wager of Strikes takes off (`SIX-050`)."""
    return Off(wager * values.number("wager.each"), f"the wager of {strikes_text(wager)}", "SIX-050")


def lowered(play: Play, cn: int, strikes: int, off: Off) -> int:
    """The effective Critical Number: Strikes first, then the one card or wager (`SIX-Q10`), told in one line."""
    check_cn(play.values, cn, "cn")
    raised = with_strikes(play, cn, strikes)
    rules, line = ["SIX-022"], f"Critical Number {cn}"
    if strikes:
        line, rules = f"{line}, {strikes_text(strikes)} held makes it {raised}", ["SIX-036"]
        rules += ["SIX-037"] if raised < cn + strikes * play.values.number("strikes.each") else []
    if off.by:
        line, rules = f"{line}, {off.because} takes {off.by} off: {raised - off.by}", [*rules, off.rule]
    play.tell(line, *rules)
    return raised - off.by


def tell_impossible(play: Play) -> None:
    """The line for what cannot be done in this story."""
    play.tell("Impossible: no roll, no card and no wager will do it; find another way", "SIX-027", "SIX-Q11")


@procedure(
    "SIX-022 SIX-024 SIX-025 SIX-027 SIX-036 SIX-037 SIX-041 SIX-050",
    say="the Critical Number that a die is finally compared with",
    results="effective roll",
)
def critical(
    play: Play, *, cn: CN, strikes: Count = 0, method: Method | None = None, card: str | None = None, wager: Count = 0
) -> tuple[Effective, bool]:
    """The number for an Operator with these Strikes who spends a card or wagers, legally; order SIX-Q10, SIX-Q12."""
    values = play.values
    spent = None if card is None else read_card(card, "card")
    if spent is not None and wager:
        raise Refused("card_with_wager", "card: none may be spent on a roll with a wager", "SIX-052")
    if spent is not None and spent.is_joker:
        raise Refused("joker", "card: a joker cannot be used", "SIX-073")
    if cn == IMPOSSIBLE:
        tell_impossible(play)
        return IMPOSSIBLE, False
    off = wagered(values, wager) if spent is None else Off(reduction(values, spent), spoken(values, spent), "SIX-041")
    effective = lowered(play, cn, strikes, off)
    if is_automatic(values, effective):
        play.tell(f"{effective} is {values.text('critical.automatic')} or less: overcome without a roll", "SIX-025")
    return effective, not is_automatic(values, effective)


@procedure(
    "SIX-024 SIX-026 SIX-027 SIX-028",
    say="whether a GM may set these Critical Numbers",
    results="legal problems",
)
def check_challenge(play: Play, *, cns: Mapping[str, CN]) -> tuple[bool, frozenset[str]]:
    """Whether a challenge may carry these numbers, one for each method that it is open to."""
    values, problems = play.values, set[str]()
    low, high = values.number("critical.least"), values.number("critical.most")
    check_methods(values, cns)
    for method, cn in cns.items():
        if cn == IMPOSSIBLE:
            play.tell(f"{method}: {IMPOSSIBLE}", "SIX-027")
        elif low <= cn <= high:
            play.tell(f"{method} {cn}: {play.system.tables['critical numbers'].row(cn)['word']}", "SIX-024")
        else:
            problems.add("cn_out_of_range")
            play.tell(f"{method} {cn}: a GM sets {low} to {high}, or {IMPOSSIBLE}", "SIX-026")
    return not problems, frozenset(problems)


def check_methods(values: Values, cns: Mapping[str, CN]) -> None:
    """Refuses Critical Numbers for what is no method (`SIX-028`)."""
    methods = tuple(values.names("methods"))
    for name in cns:
        if name not in methods:
            takes = f"is not a method{suggestion(name, methods)}; there are {', '.join(methods)}"
            raise bad(f"cns.{name}", takes, "SIX-028")


def read_die(play: Play, die: int, effective: int) -> Result:
    """What a die comes to against the effective Critical Number, told (`SIX-022`, `SIX-023`)."""
    result: Result = "success" if die > effective else "success_at_cost" if die == effective else "failure"
    ends = {"success": "overcome", "success_at_cost": "overcome, but luck is strained", "failure": "not overcome"}
    play.tell(f"The die shows {die} against {effective}: {ends[result]}", "SIX-023")
    return result
