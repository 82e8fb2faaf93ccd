"""The texts of a token, a standee or a tent card: who it is, two numbers, and boxes to mark what they suffer.

A pack that declares neither shows what it has said already: the keys of its roster and the boxes to tick there, or
else the first traits that its cards have in boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetgen.documents.card import NOTHING, boxed, card_values
from sheetgen.documents.roster import WANT, WANTS
from sheetgen.documents.sheet import sentence
from sheetgen.model.character import PICTURE, Character
from sheetgen.model.people_pages import TitledLine, Token, filled
from sheetgen.model.system import System

TOKEN, TOKEN_BACK = "token.html", "token/back.html"
HEAD = "token."
NUMBERS, ROWS, MOST_MARKS, LONGEST_ROW = 2, 2, 30, 6
BOX = "\u2610"
PLAIN_MARKS = TitledLine("Harm", "6")


def token_of(system: System) -> Token:
    """Return the numbers and the boxes that people of a game have on a token."""
    declared = system.token or Token()
    columns = system.roster.columns if system.roster is not None else ()
    numbers = declared.numbers or tuple(TitledLine(each.title, each.key) for each in columns if each.key)
    if not numbers:
        traits = ((group, trait) for group in boxed(system) for trait in group.members)
        numbers = tuple(TitledLine(trait.name, f"{{{group.name}.{trait.name}}}") for group, trait in traits)
    marks = declared.marks or tuple(TitledLine(each.title, each.ticks) for each in columns if each.ticks)
    return Token(numbers[:NUMBERS], (marks or (PLAIN_MARKS,))[:ROWS])


def token_values(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """Return the text of every field of a token that says something: what a card has, numbers, and rows of boxes."""
    values, token = card_values(system, character, figures), token_of(system)
    for number, line in enumerate(token.marks, 1):
        said = filled(line.shows, values)
        if said.isdigit() and int(said):
            count = min(int(said), MOST_MARKS)
            values |= {f"token.marks.{number}.title": line.title, f"token.rows.{number}": _in_rows(count)}
            alone = len(token.marks) == 1
            values |= {"token.alone": _in_rows(count)} if alone else {f"token.marks.{number}": _row(count)}
    for number, line in enumerate(token.numbers, 1):
        said = filled(line.shows, values)
        values |= {f"token.{number}.title": line.title, f"token.{number}": "—" if said in NOTHING else said or "—"}
    if PICTURE not in values:
        values["token.initials"] = _initials(character.text("name"))
    values["token.about"] = "\n".join(_told(character))
    return {name: text for name, text in values.items() if text}


def _row(count: int) -> str:
    return " ".join([BOX] * count)


def _in_rows(count: int) -> str:
    """Return boxes in rows that are equally long, or nearly so."""
    rows = -(-count // LONGEST_ROW)
    return "\n".join(_row((count + at) // rows) for at in reversed(range(rows)))


def _initials(name: str) -> str:
    """Return the first letters of the first and the last of somebody's names."""
    words = [word for word in name.split() if word[:1].isalpha()]
    return "".join(word[0] for word in dict.fromkeys((*words[:1], *words[-1:]))).upper()


def _told(character: Character) -> Iterator[str]:
    """Yield a line on what somebody does, and one on what they want."""
    for name, before in (("manner", ""), (WANT, f"{WANTS}: ")):
        if said := character.text(name):
            yield before + (said[:1].lower() + said[1:] if before and said[1:2].islower() else sentence(said))
