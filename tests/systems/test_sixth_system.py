"""A game of somebody's own, with an engine in Python: everything about it stands in its pack and its engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace

import pytest

from sheetgen.documents.people.card import card_values
from sheetgen.documents.people.sheet import sheet_values, unknown_fields
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.parameter_binding import parameters_from
from sheetgen.rules.registry import Engine, engine_of, load_engine
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SYSTEM = """
id: harbour
title: Harbour
credit: Harbour, by somebody
licence: as you like it
engine: harbour
traits:
  skills: {title: Skills, range: 0-5, default: 0, members: {Oars: {}, Ropes: {}}}
items:
  vessels:
    facts: {skill: {is: trait}, speed: {is: whole, range: 1-9}}
uses:
  race: {racer: {level: 'skills.{with}', speed: vessel.speed, name: name}}
"""
SHEET = """
character:
  name: {is: text, title: Name}
  skills: {is: levels, title: Skills}
  gear: {is: list, title: Belongings}
rows: {craft: {noted: [speed]}}
"""
ADA = Character("harbour", {"name": "Ada", "skills": {"Oars": 3}, "gear": ("punt", "lamp")})


def figures(system: System, character: Character) -> Mapping[str, str]:
    owned = system.owned("vessels", character.lines("gear"))
    rows = {f"craft.{at}.name": item.name for at, item in enumerate(owned, 1)}
    return rows | {f"craft.{at}.speed": item.text("speed") for at, item in enumerate(owned, 1)}


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    vessel = system.cast.items["vessels"].get(what)
    return {"with": vessel.text("skill"), "vessel.speed": vessel.whole("speed")} if vessel is not None else {}


def register(engine: Engine) -> None:
    engine.figures, engine.parameters = figures, parameters


@pytest.fixture
def harbour(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """The pack in a folder, its engine found as an installed one would be."""
    point = SimpleNamespace(name="harbour", load=lambda: SimpleNamespace(register=register))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **names: [point])
    folder = project.where / "harbour"
    folder.mkdir()
    (folder / "system.yaml").write_text(SYSTEM)
    (folder / "sheet.yaml").write_text(SHEET)
    (folder / "npcs.yaml").write_text("vessels: {punt: {skill: Oars, speed: 2}, ketch: {skill: Ropes, speed: 7}}")
    yield open_pack(project, "./harbour").system
    load_engine.cache_clear()


def test_its_rows_of_figures_stand_on_sheets_and_cards(harbour: System) -> None:
    found = engine_of(harbour).figures(harbour, ADA)
    assert sheet_values(harbour, ADA, found)["craft.1.name"] == "punt"
    assert "punt: speed 2" in card_values(harbour, ADA, found)["card.rest"]
    assert unknown_fields(("craft.1.name", "arms.1.name"), harbour) == ("arms.1.name",)


@pytest.mark.parametrize(("what", "level", "speed"), [("punt", 3, 2), ("ketch", 0, 7)])
def test_its_engine_says_what_a_vessel_fills_in(harbour: System, what: str, level: int, speed: int) -> None:
    found = parameters_from(harbour, "race", "racer", ADA, what)
    assert found == {"level": level, "speed": speed, "name": "Ada"}
