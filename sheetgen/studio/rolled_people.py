"""People as their dice gave them, worked out once: to mark who was changed by hand, and to offer what was rolled."""

from __future__ import annotations

from dataclasses import replace

from sheetgen.model.character import Character
from sheetgen.people.rerolling import as_rolled, marked_by, rolled_fields
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack


def first_rolled(studio: Studio, pack: Pack, character: Character) -> Character | None:
    """Return somebody as the dice fell; None for who was not rolled."""

    def make() -> Character | None:
        with studio.making:
            return as_rolled(pack, character)

    return studio.lately.get(_key(studio, pack, character), make) if character.origin is not None else None


def just_rolled(studio: Studio, pack: Pack, character: Character) -> None:
    """Remember somebody who was rolled this moment, so that it need not be done again."""
    studio.lately.get(_key(studio, pack, character), lambda: character)


def rerollable(studio: Studio, pack: Pack, character: Character) -> frozenset[str]:
    """Return the fields of somebody that can be rolled again: those of their method, archetype and options."""
    origin = character.origin
    if origin is None or first_rolled(studio, pack, character) is None:
        return frozenset()

    def make() -> frozenset[str]:
        with studio.making:
            return rolled_fields(pack, character)

    kind = origin.method, origin.archetype, tuple(sorted(origin.options.items()))
    return studio.lately.get(("rerollable", studio.mark(pack), *kind), make)


def marked(studio: Studio, pack: Pack, character: Character) -> Character:
    """Return somebody, marked as edited if something was changed by hand."""
    first = first_rolled(studio, pack, character)
    return character if first is None else marked_by(character, first)


def _key(studio: Studio, pack: Pack, character: Character) -> tuple[object, ...]:
    assert character.origin is not None
    return "first", studio.mark(pack), repr(replace(character.origin, edited=False))
