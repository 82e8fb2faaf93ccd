"""`sheetgen studio`: an address that works once, a folder that must be there, and Ctrl+C that ends it all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from tests.conftest import ROOT


def test_it_serves_who_has_the_address_and_stops_when_told_to(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sheetgen", "studio", str(tmp_path), "--json"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ, text=True)
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        address = json.loads(server.stdout.readline())["address"]
        assert address.startswith("http://127.0.0.1:")
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        page = urllib.request.build_opener(jar).open(address, timeout=60).read().decode()
        assert "<title>" in page
        try:
            urllib.request.urlopen(address, timeout=60)
            refused = 0
        except urllib.error.HTTPError as error:
            refused = error.code
        assert refused == 401
    finally:
        server.send_signal(signal.SIGINT)
        said = server.communicate(timeout=60)[1]
    assert (server.returncode, said) == (0, "")
    assert list(tmp_path.rglob("*.yaml")) == [], "looking at people keeps nobody"


def test_it_ends_well_when_it_is_stopped_at_once(tmp_path: Path) -> None:
    """What it makes ready meanwhile was once cut short inside a library, which ended the process with an abort."""
    command = [sys.executable, "-m", "sheetgen", "studio", str(tmp_path), "--json"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "SHEETGEN_CACHE": str(tmp_path / "cache")}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ, text=True)
    assert server.stdout is not None
    server.stdout.readline()
    until = time.monotonic() + 60
    while not list((tmp_path / "cache").rglob("*")) and time.monotonic() < until:
        time.sleep(0.05)
    assert server.poll() is None
    server.send_signal(signal.SIGINT)
    said = server.communicate(timeout=60)[1]
    assert (server.returncode, said) == (0, "")


def test_a_folder_that_is_not_there_is_told(sheetgen, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ran = sheetgen("studio", "nowhere")
    assert ran.code == 2
    assert ran.err == '"nowhere" is no folder: name one, or leave it out\n'
