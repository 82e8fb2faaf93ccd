"""A session file to begin with: it works as it is, and says what to change."""

from __future__ import annotations

from string import Template

from sheetgen.content.people.groups import in_short
from sheetgen.content.yaml.quoting import scalar
from sheetgen.errors import UsageError
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

TEMPLATE = "session/new.yaml"
DICE = "2d6"
ENTRIES = 6  # that a table to roll on has at least


def starter(project: Project, pack: Pack, *, named: str, file: str, title: str, seed: int) -> str:
    """Return the text of a new session for a game, called `named` in it; UsageError for a game without archetypes."""
    system = pack.system
    archetypes = [*system.cast.archetypes]
    if not archetypes:
        raise UsageError(f"{system.title} has no archetypes to begin a session with: write people of your own")
    chief = "boss" if "boss" in archetypes else archetypes[0]
    other = next((name for name in archetypes if name != chief), chief)
    group = next(iter(system.ready_groups), "")
    words = {
        "system": scalar(named),
        "file": file,
        "title": scalar(title),
        "seed": str(seed),
        "chief": chief,
        "band": f"{{group: {scalar(group)}}}" if group else f"{{archetype: {other}, count: 3}}",
        "archetype": other,
        "two": in_short(2, "", other),
        "usual": system.tries.usual if system.tries else DICE,
        "dice": DICE,
    }
    text = Template((project.templates / TEMPLATE).read_text("utf-8")).substitute(words)
    left_out = [] if system.tries else ["odds:", "- {try:"]  # no attempt could be asked for
    if len(system.cast.occupations) < ENTRIES:
        left_out.append("of: occupations")
    return "".join(line for line in text.splitlines(True) if not any(part in line for part in left_out))
