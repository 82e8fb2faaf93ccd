"""`doctor` looks at everything that sheetgen leans on, and at nothing else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import sheetgen
from sheetgen.services.doctor import LIBRARIES, OPTIONAL

ROOT = Path(sheetgen.__file__).parent


def imported(path: Path) -> set[str]:
    """The top-level names of all that a module imports from elsewhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module or "")
    return {name.partition(".")[0] for name in found}


def test_every_library_that_is_imported_is_looked_at() -> None:
    used = set().union(*map(imported, ROOT.rglob("*.py"))) - {"sheetgen", *sys.stdlib_module_names}
    used.add("python_multipart")  # by Starlette, which names it nowhere among what it needs
    assert {module.partition(".")[0] for module in (*LIBRARIES.values(), *OPTIONAL.values())} == used
