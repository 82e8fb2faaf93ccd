"""Every example of `sheetgen VERB --help`, run in an empty folder, in its order, as somebody new would."""

from __future__ import annotations

import glob
import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Name

from sheetgen.cli.verbs import VERBS, help_of

Sheetgen = Callable[..., Any]
# What takes long or needs a window is run elsewhere: in the README's quick start, and in tests of its own.
ELSEWHERE = {"book", "cards", "screen", "build", "open", "studio"}
UNENDING = "--watch"  # goes on until Ctrl-C
PLAIN = re.compile(r"  +| [>|] ")  # what stands behind it explains an example, or is the shell's
HEROES = "npc gamers -n 2 --seed 1 -o heroes.yaml"
CAMPAIGN = "campaign new harbour --system gamers"
BEFORE = {  # what somebody has who types the first example of a verb
    "sheet": [HEROES, "npc gamers -n 2 --seed 2 -o guards.yaml", "npc gamers --seed 3 -o villains.yaml"],
    "preflight": ["cards gamers --single -o deck.pdf", "cards gamers --for drivethru -o order.pdf"],
    "find": [
        CAMPAIGN,
        "npc gamers -n 6 --seed 1 -o harbour/cast/people.yaml",
        'campaign log "Marisol Andrade" "limps past the blue door" --campaign harbour',
    ],
    "fill": [HEROES, "blank gamers --fillable -o sheet.pdf"],
    "read": [
        HEROES,
        "sheet heroes.yaml --only 1 --as form -o ada.pdf",
        "sheet heroes.yaml --as form -o forms",
    ],
    "import": ["npc tsgs --seed 1 -o actors.json"],
    "booklet": [
        "npc gamers -n 8 --seed 1 -o zine.pdf",
        "npc gamers -n 9 --seed 1 --paper a5 -o gamers-rulebook-a5.pdf",
    ],
    "export": [HEROES, "npc gamers --seed 2 -o villains.yaml", "npc gamers --seed 3 -o sign-up.csv"],
    "pack": ["new mist", "new fog -o drafts/fog"],
    "add": ["new mist", "pack mist -o mist-1.2.sheetpack", "pack mist -o mist-1.3.sheetpack"],
    "merge": [f"npc gamers -n 6 --seed 7 --shard {part}/3 -o part{part}.pdf" for part in (1, 2, 3)],
    "join": [
        f"npc gamers --seed {seed} -o {name}.pdf"
        for seed, name in enumerate(("tonight", "map", "letters", "a", "b", "output/people"))
    ],
    "diff": [
        "npc gamers --seed 1 -o before.pdf -o before.html -o old-rules.pdf",
        "npc gamers --seed 2 -o output/gamers-cards.pdf -o after.html -o new-rules.pdf",
    ],
    "printed": ["cards gamers"],
    "duel": ["npc gamers --seed 1 -o npcs.yaml"],
    "encounter": ["npc tsgs -n 2 --seed 1 -o heroes.yaml", "npc gamers -n 2 --seed 1 -o party.yaml"],
    "check": [HEROES, "new mist -o mist"],
}
PREPARED = {  # files that people write themselves
    "letter.md": "---\nstyle: letter\nfrom: Ada\nto: Bo\n---\nCome at once.\n",
    "sign-up.csv": "Name,Job\nAda,smith\n",
    "actors.yaml": "name: name\n",
    "club-form.yaml": "Held by: name\n",
    "cases.yaml": "- {id: one, rule: [GAM-015], given: {do: hex, level: 10}, expect: {symbol: A}}\n",
}


def examples(verb: str, where: Path) -> list[list[str]]:
    lines = help_of(verb, where, {}).partition("\nexample:\n")[2].splitlines()
    found = [shlex.split(PLAIN.split(line.strip())[0]) for line in lines if line.startswith("  sheetgen ")]
    return [words[1:] for words in found if UNENDING not in words]


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - ELSEWHERE))
def test_every_example_of_a_verb_works(
    verb: str,
    tmp_path: Path,
    sheetgen: Sheetgen,
    strange_form: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "club-form.pdf").write_bytes(strange_form({"T": "Held by", "FT": Name.Tx, "V": "Ada"}))
    for name, text in PREPARED.items():
        (tmp_path / name).write_text(text)
    for command in BEFORE.get(verb, ()):
        assert sheetgen(*shlex.split(command)).code == 0, command
    for file in tmp_path.glob("[hn]*s.yaml") if verb in ("duel", "export") else ():
        file.write_text(re.sub("- name: .*", "- name: Ada", file.read_text("utf-8"), count=1), "utf-8")
    for words in examples(verb, tmp_path):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 60))  # `make` asks
        typed = [path for word in words for path in (sorted(glob.glob(word)) if "*" in word else [word])]
        ran = sheetgen(*typed)
        assert ran.code == 0, (words, ran.out, ran.err)
