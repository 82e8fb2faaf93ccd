"""Chances that NPC pages tell, kept on disk between runs: some games take a second to work one out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sheetgen.documents.npc_page import odds_of
from sheetgen.products.shapes import Shape
from sheetgen.workspace.packs import Pack, cached_facts, keep_facts
from sheetgen.workspace.project import Project


@contextmanager
def kept_odds(project: Project, pack: Pack, shape: Shape) -> Iterator[None]:
    """Know what earlier runs worked out, and keep what this one adds; nothing for strangers' packs."""
    if not (shape.odds and project.is_lasting(pack.folder)):
        yield
        return
    odds, name = odds_of(pack.system), f"{pack.folder.name}.odds"
    if not odds.known:
        odds.learn(cached_facts(project, name, dict))
    before = len(odds.known)
    yield
    if len(odds.known) > before:
        keep_facts(project, name, odds.known)
