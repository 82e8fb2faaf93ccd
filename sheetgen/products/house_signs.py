"""The sign of house rules in what is told of people: behind each number that the printed rules make another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sheetgen.model.book import HOUSE_RULE
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.registry import engine_of

LONGEST_SIGNED = 2_000  # letters of a text whose numbers are looked at
_NUMBER, _LAST = re.compile(r"\d+"), re.compile(r"\d+(?=\D*$)")
Values = Callable[[System, Character, Mapping[str, str]], Mapping[str, str]]


def texts_of(system: System, values: Values) -> Callable[[Character], dict[str, str]]:
    """Return what gives the texts for the fields of a page; what house rules make another has their sign."""
    figures = engine_of(system).figures

    def told(character: Character) -> dict[str, str]:
        return dict(values(system, character, figures(system, character)))

    if system.printed is None:
        return told
    as_printed = texts_of(system.as_printed, values)
    return lambda character: signed(told(character), as_printed(character))


def signed(texts: Mapping[str, str], printed: Mapping[str, str]) -> dict[str, str]:
    """Return texts whose numbers have the sign of house rules where the printed rules say another."""
    found = dict(texts)
    for name, text in texts.items():
        before = printed.get(name, text)
        if text == before or text.startswith("data:") or len(text) > LONGEST_SIGNED:
            continue
        numbers = _NUMBER.findall(before)
        if len(numbers) == len(_NUMBER.findall(text)):
            waiting = iter(numbers)
            found[name] = _NUMBER.sub(lambda each: _sign(each[0], next(waiting)), text)  # noqa: B023
        elif "\n" not in text and (last := _LAST.search(text)):  # `1d6` became `1d6+1`
            found[name] = f"{text[: last.end()]}{HOUSE_RULE}{text[last.end() :]}"
    return found


def _sign(number: str, printed: str) -> str:
    return number if number == printed else f"{number}{HOUSE_RULE}"
