"""How a run ends when the world around it is not as it should be: streams, signals, folders, missing libraries."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

RUN = f'exec "{sys.executable}" -m sheetgen'
STOPPED = "stopped; what was finished is whole, nothing is half-written\n"


def shell(
    command: str, where: Path, cache: Path, before: str = "", unbuffered: str = ""
) -> subprocess.CompletedProcess[str]:
    """What a shell makes of `sheetgen …`, with redirections."""
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache), "PYTHONUNBUFFERED": unbuffered}
    words = ["sh", "-c", f"{before}{RUN} {command}"]
    return subprocess.run(words, cwd=where, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("stream", "unbuffered"),
    [(">&-", ""), ("> /dev/full", ""), ("> /dev/full", "1")],
    ids=["closed", "full", "full at once"],
)
@pytest.mark.parametrize(
    "command",
    ["systems gamers", "--help", "npc --help", "npc gamers -o x.yaml", "npc gamers -n 500 --seed 7 -o - --to csv"],
)
def test_no_standard_output_is_one_line_and_4(
    tmp_path: Path, cache: Path, command: str, stream: str, unbuffered: str
) -> None:
    ended = shell(f"{command} {stream}", tmp_path, cache, unbuffered=unbuffered)
    assert ended.returncode == 4
    assert ended.stderr.startswith("standard output: ")
    assert ended.stderr.count("\n") == 1


def test_a_result_never_takes_the_place_of_a_closed_stream(tmp_path: Path, cache: Path) -> None:
    shell("npc gamers --seed 7 -o x.yaml 0>&- >&- 2>&-", tmp_path, cache)
    assert shell("npc gamers --seed 7 -o y.yaml", tmp_path, cache).returncode == 0
    assert (tmp_path / "x.yaml").read_bytes() == (tmp_path / "y.yaml").read_bytes()


def test_a_refusal_keeps_its_line_and_code_without_standard_output(tmp_path: Path, cache: Path) -> None:
    ended = shell("ncp > /dev/full", tmp_path, cache)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith('unknown verb "ncp"')


def test_no_standard_error_keeps_the_code(tmp_path: Path, cache: Path) -> None:
    assert shell("ncp 2> /dev/full", tmp_path, cache).returncode == 2
    assert shell("ncp 2>&-", tmp_path, cache).returncode == 2


def test_a_folder_that_is_gone_is_one_line(tmp_path: Path, cache: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    ended = shell("npc gamers", gone, cache, before='rmdir "$PWD" && ')
    assert ended.returncode == 2
    assert ended.stderr == "the folder you are in cannot be used (No such file or directory): go to another one\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_being_asked_to_end_is_like_ctrl_c(tmp_path: Path, cache: Path, number: signal.Signals) -> None:
    words = [sys.executable, "-m", "sheetgen", "npc", "gamers", "-n", "200000", "-o", "people.pdf"]
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    with subprocess.Popen(words, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".people.pdf.*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, STOPPED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_only_the_first_signal_counts(tmp_path: Path, cache: Path, name: str) -> None:
    """Both are there at once when Python looks, as when a terminal is closed."""
    program = f"""
import os, signal, sys
from sheetgen.cli import app, main
def work(words):
    try:
        os.kill(os.getpid(), signal.{name})
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        print("swept")
app.start = work
sys.exit(main())
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "swept\n", STOPPED)


def test_a_signal_after_the_end_changes_nothing(tmp_path: Path) -> None:
    program = """
import atexit, os, signal, sys
from sheetgen.cli import main
atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))
sys.argv = ["sheetgen", "--version"]
sys.exit(main())
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_no_python_of_the_folder_one_is_in_is_run(tmp_path: Path, cache: Path) -> None:
    for module in ("yaml", "typing", "stranger"):
        (tmp_path / f"{module}.py").write_text(f"print('{module} of a stranger runs')\n")
    about = tmp_path / "stranger-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[sheetgen.systems]\ngamers = stranger\nstranger = stranger\n")
    ended = shell("play gamers check skill=2 difficulty=8 --dice 4,3", tmp_path, cache)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "stranger" not in ended.stdout


def test_a_cache_that_cannot_be_written_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    set_folder = f'export TMPDIR="{temporary}"; '
    ended = shell("npc gamers --seed 7 -o x.pdf", tmp_path, Path("/proc/nowhere"), before=set_folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert list(temporary.iterdir()) == []


def test_ctrl_c_while_modules_are_loaded_is_one_line(tmp_path: Path) -> None:
    """The interrupt comes at the very moment that the first larger module is looked for."""
    program = """
import os, runpy, signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "sheetgen.errors":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["sheetgen", "systems"]
runpy.run_module("sheetgen", run_name="__main__", alter_sys=True)
"""
    words = [sys.executable, "-c", program]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", STOPPED)


def without(modules: str, words: str, where: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """A run on a machine where these modules, and what was installed with them, are missing."""
    program = f"""
import importlib.metadata, sys
class Missing:
    def find_spec(self, name, *_):
        if name in {modules.split()!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
real = importlib.metadata.version
def version(name):
    if name in {modules.split()!r}:
        raise importlib.metadata.PackageNotFoundError(name)
    return real(name)
importlib.metadata.version = version
from sheetgen.cli import main
sys.exit(main({words.split()!r}))
"""
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    run = [sys.executable, "-c", program]
    return subprocess.run(run, cwd=where, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("modules", "package"),
    [
        ("yaml pyyaml", "pyyaml"),
        ("jinja2", "jinja2"),
        ("weasyprint", "weasyprint"),
        ("pikepdf", "pikepdf"),
        ("fontTools fonttools", "fonttools"),
    ],
)
def test_a_missing_library_is_one_line_with_the_command(tmp_path: Path, modules: str, package: str) -> None:
    ended = without(modules, "npc gamers -o y.pdf", tmp_path, tmp_path / "cache")
    assert ended.returncode == 2
    assert ended.stderr == f"{package} is not installed: pip install {package}; sheetgen doctor tells more\n"
    assert not (tmp_path / "y.pdf").exists()


def test_doctor_lives_without_yaml(tmp_path: Path, cache: Path) -> None:
    ended = without("yaml pyyaml", "doctor", tmp_path, cache)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "MISSING  pyyaml             missing  ->  pip install pyyaml\n" in ended.stdout
    assert "MISSING  packs              cannot be read" in ended.stdout
    assert "ok       cache " in ended.stdout


def test_doctor_really_imports_each_library(tmp_path: Path, cache: Path) -> None:
    broken = tmp_path / "broken" / "pikepdf"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('libqpdf.so: no such file')\n")
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache), "PYTHONPATH": str(broken.parent)}
    words = [sys.executable, "-m", "sheetgen", "doctor"]
    ended = subprocess.run(words, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "which cannot be imported (ImportError: libqpdf.so: no such file)" in ended.stdout
