"""The studio in a real browser: how long one waits for a page, a wall, and a changed value on paper, beside the aims.

    python benchmarks/studio.py [--rounds 7] [--folder FOLDER]

Serves a folder of its own (or FOLDER) as `sheetgen studio` does, opens Chromium, and waits as a person would: for a
page until its picture is there, for a value from the key until the redrawn picture is shown. Figures are medians, in
seconds, everything warm; the last column is the share of the aim that they take.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TYPED = """([name, text]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error('nothing was drawn within a minute')), 60_000);
  const field = document.querySelector(`[name="${name}"]`);
  const began = performance.now();
  document.addEventListener('studio:drawn', () => done(performance.now() - began), {once: true});
  field.value = text;
  field.dispatchEvent(new Event('input', {bubbles: true}));
})"""
LOADED = """async () => {
  const picture = document.getElementById('page');
  if (picture) await picture.decode();
  return performance.now();
}"""
SWAPPED = """async (before) => {
  const began = performance.now();
  for (;;) {
    const found = document.querySelector('#pages .sheet img');
    const shown = found && found.complete && found.naturalWidth && found.getAttribute('src');
    if (shown && shown !== before) return performance.now() - began;
    if (performance.now() - began > 60_000) throw new Error('nothing was drawn within a minute');
    await new Promise(requestAnimationFrame);
  }
}"""
CHANGED = """([selector, text]) => {
  const field = document.querySelector(selector);
  field.value = text;
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {bubbles: true}));
}"""
AIMS = {
    "first page": 0.3,
    "wall of 100": 0.5,
    "level to sheet": 0.2,
    "level to card": 0.5,
    "level to NPC page": 0.2,
    "option to empty sheet": 0.5,
    "word to handout": 0.5,
    "file to card": 0.5,
    "file to book page": 1.5,
}


def measured(page: Any, base: str, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each round by what is waited for; the first round of each warms up, and is left out."""
    found: dict[str, list[float]] = {}

    def go(name: str, address: Callable[[int], str]) -> None:
        found[name] = []
        for number in range(rounds + 1):
            page.goto(base + address(number))
            found[name].append(page.evaluate(LOADED) / 1000)

    go("first page", lambda number: "/people?seed=7")
    go("wall of 100", lambda number: f"/people?number=100&seed={number}")
    page.goto(f"{base}/people?seed=7&who=1")
    page.keyboard.press("k")
    page.wait_for_selector("#card-1.kept")
    kept = page.url.partition("?")[0]
    for name, shape in (("level to sheet", "sheet"), ("level to card", "card"), ("level to NPC page", "npc")):
        page.goto(f"{kept}?seed=7&as={shape}")
        page.evaluate(LOADED)
        levels = "3456789AB"
        texts = [levels[number % len(levels)] for number in range(rounds + 1)]
        found[name] = [page.evaluate(TYPED, ["f.attributes.Endurance", text]) / 1000 for text in texts]
    return {name: times[1:] for name, times in found.items()}


def measured_print(page: Any, base: str, folder: Path, rounds: int) -> dict[str, list[float]]:
    """Return the seconds from a change to the redrawn picture in Print and in handouts; the first round is left out.

    What rests before it is sent is in the figures. A chapter is changed in its file, in a copy of a game, which is
    read, checked and drawn as a stranger's: in confinement, with nothing kept.
    """
    found: dict[str, list[float]] = {}

    def redrawn(name: str, change: Callable[[int], None], selector: str = "#pages .sheet img") -> None:
        found[name] = []
        for number in range(rounds + 1):
            page.evaluate(SWAPPED, "")
            before = page.get_attribute(selector, "src")
            change(number)
            found[name].append(page.evaluate(SWAPPED, before) / 1000)

    page.goto(f"{base}/print/gamers/blank")
    shapes = [f"{7 + number / 10:g}" for number in range(rounds + 1)]
    redrawn("option to empty sheet", lambda number: page.evaluate(CHANGED, ["#o-margin", shapes[number]]))
    page.goto(f"{base}/print/handouts/new?style=telegram")
    redrawn("word to handout", lambda number: page.evaluate(CHANGED, ["#f-text", f"Come at {number}. {os.getpid()}"]))
    copy = folder / "content" / "edited"
    shutil.copytree(ROOT / "content" / "gamers", copy)
    chapter = copy / "rules" / "03-the-roll.yaml"
    words = chapter.read_text()

    def edit(number: int) -> None:
        page.wait_for_selector(".htmx-request", state="detached")  # none that looks at the files is on its way
        page.wait_for_timeout(200)  # the studio takes files to be as they were for half as long
        chapter.write_text(f"{words}# {os.getpid()} {number}\n")  # never drawn before
        page.evaluate("address => { htmx.ajax('GET', address, '#pages') }", f"{shown[0]}&page={shown[1]}")

    for name, shown in (
        ("file to card", ("/print/edited/cards/pages?show=quickie", 1)),
        ("file to book page", ("/print/edited/book/pages?paper=a5&show=the-roll", 2)),
    ):
        page.goto(base + shown[0].replace("/pages", ""))
        redrawn(name, edit)
    return {name: times[1:] for name, times in found.items()}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.folder or Path(scratch)
        command = [sys.executable, "-m", "sheetgen", "studio", str(folder), "--json"]
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, text=True)
        assert server.stdout is not None
        try:
            address = json.loads(server.stdout.readline())["address"]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.set_default_timeout(120_000)
                page.goto(address)
                base = address.partition("/?")[0]
                found = measured(page, base, args.rounds) | measured_print(page, base, folder, args.rounds)
                browser.close()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
    print(f"{'':<24}{'median':>8}{'best':>8}{'worst':>8}{'aim':>6}{'of it':>8}")
    for name, times in found.items():
        median = statistics.median(times)
        share = f"{median / AIMS[name]:.0%}"
        print(f"{name:<24}{median:>8.3f}{min(times):>8.3f}{max(times):>8.3f}{AIMS[name]:>6}{share:>8}")


if __name__ == "__main__":
    main()
