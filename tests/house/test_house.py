"""The house rules that no linter keeps: sizes, names, what no file may hold, and locks and contracts that are whole."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE = {"output", "build", "dist", "__pycache__"}
LONGEST_MODULE = 450
LONGEST_FUNCTION = 60
VAGUE_NAMES = {"base", "common", "helper", "helpers", "manager", "misc", "shared", "util", "utils"}

MACHINE_PATH = re.compile(r"(?<![\w.>})])/(?:home|root|tmp|Users|work)/")
INDEX_ADDRESS = re.compile(r"--(?:index-url|extra-index-url|find-links|trusted-host)|(?:pypi|pythonhosted)\.org")


@cache
def kept_files(folder: Path = ROOT) -> tuple[Path, ...]:
    """Every file that belongs to the project, without what tools and runs leave behind."""
    return tuple(_walked(folder))


def _walked(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in MADE and (not path.name.startswith(".") or path.name == ".ci"):
            yield from _walked(path)
        elif path.is_file() and path.name != ".git":
            yield path


def modules(folder: str = "sheetgen") -> list[Path]:
    """The Python modules below a top-level folder."""
    return [path for path in kept_files(ROOT / folder) if path.suffix == ".py"]


def shown(path: Path) -> str:
    """A path from the top folder."""
    return path.relative_to(ROOT).as_posix()


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(source(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


def lines_holding(pattern: re.Pattern[str]) -> list[str]:
    """`file:line: text` for every line of the project's text files that the pattern is found in."""
    found = []
    for path in kept_files():
        try:
            text = source(path)
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                found.append(f"{shown(path)}:{number}: {line.strip()[:100]}")
    return found


GENERIC = [path for path in modules() if not path.is_relative_to(ROOT / "sheetgen" / "systems")]
PREFIXES = ("GAM", "TSG", "SIX", "DIE", "GEN")
RULE_ID = re.compile(rf"\b(?:{'|'.join(PREFIXES)})-[QCH]?\d")
GAMES = frozenset(path.name for path in (ROOT / "sheetgen" / "systems").iterdir() if (path / "__init__.py").is_file())


def test_only_the_rooms_of_a_game_cite_its_rules() -> None:
    """What is generic follows no rule of one game: such rules stand with the game's engine, or in its pack."""
    cited = {shown(path): RULE_ID.findall(source(path)) for path in GENERIC}
    assert len(cited) > 100
    assert {path: rules for path, rules in cited.items() if rules} == {}


def test_no_generic_module_does_anything_for_one_game() -> None:
    """A game is named in examples for users alone, and once as an engine that is built in."""
    found = {shown(path): words(path) & GAMES for path in GENERIC}
    assert {path: games for path, games in found.items() if games} == {"sheetgen/rules/registry.py": GAMES}


def words(path: Path) -> set[str]:
    """Each text that stands for itself in a module, in small letters."""
    constants = [node.value for node in nodes(path) if isinstance(node, ast.Constant)]
    return {value.casefold() for value in constants if isinstance(value, str)}


def test_a_module_is_short_and_says_what_it_is() -> None:
    lengths = {shown(path): len(source(path).splitlines()) for path in modules()}
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}
    assert [shown(path) for path in modules() if not ast.get_docstring(tree(path))] == [], "no docstring"


def test_a_function_fits_on_a_screen() -> None:
    lengths = {
        f"{shown(path)}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(lengths) > 1000
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_every_room_is_a_package() -> None:
    assert [path for path in {module.parent for module in modules()} if not (path / "__init__.py").is_file()] == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    paths = [path.relative_to(ROOT) for path in modules() + modules("tests")]
    assert [str(path) for path in paths if VAGUE_NAMES & {part.removesuffix(".py") for part in path.parts}] == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert lines_holding(MACHINE_PATH) == []


def test_no_file_says_where_packages_come_from() -> None:
    assert lines_holding(INDEX_ADDRESS) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MACHINE_PATH, "see /{}/ann/notes".format("home")),
        (MACHINE_PATH, 'open("/{}/x")'.format("tmp")),
        (INDEX_ADDRESS, "--{}=x".format("index-url")),
        (INDEX_ADDRESS, "https://{}.org/simple".format("pypi")),
    ],
)
def test_those_two_see_what_they_look_for(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)


def test_a_public_class_name_stands_for_one_thing() -> None:
    """Systems have names of their own; everywhere else a name is met once."""
    homes: dict[str, list[str]] = {}
    for path in modules():
        room = path.relative_to(ROOT / "sheetgen")
        if room.parts[0] == "systems":
            continue
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(room.as_posix())
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def requirements(lock: str) -> list[str]:
    """The requirements of a lock file, each with its hashes on one line."""
    text = re.sub(r"(?m)^\s*#.*\n", "", (ROOT / lock).read_text(encoding="utf-8"))
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_every_requirement_by_hash(lock: str) -> None:
    assert len(requirements(lock)) > 20
    loose = [line[:60] for line in requirements(lock) if not re.match(r"\S+==\S+\s+--hash=sha256:[0-9a-f]{64}\b", line)]
    assert loose == []


def test_the_locks_agree() -> None:
    assert set(requirements("requirements.lock")) <= set(requirements("requirements-dev.lock"))


def test_every_dependency_is_locked_and_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    locked = {line.split("==")[0] for line in requirements("requirements-dev.lock")}
    for wanted in project["dependencies"] + project["optional-dependencies"]["dev"]:
        assert re.split(r"[<>=]", wanted)[0] in locked
        assert re.search(rf'"{re.escape(wanted)}",\s+# \w', text), f"{wanted}: no reason given"


def test_the_import_contracts_are_those_of_the_plan() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers, *others = tools["importlinter"]["contracts"]
    assert [contract["type"] for contract in others] == ["acyclic_siblings", "protected", "forbidden", "forbidden"]
    assert layers["exhaustive"]
    rooms = re.findall(r"\w+", " ".join(layers["layers"]))
    assert " ".join(rooms) == (
        "cli studio api services products table people workspace documents pdf press batch systems content rules model"
        " dice geometry errors notebook version"
    ), "the order of the rooms has changed"


def test_every_test_that_is_called_slow_is_there() -> None:
    named = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert named == sorted(named)
    for line in named:
        path, *names = line.split("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not names or f"def {names[-1]}(" in text, line
