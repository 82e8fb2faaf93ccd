"""Errors about libraries that are missing or broken, with the command that installs them."""

from __future__ import annotations

import sys
from types import MappingProxyType

from sheetgen.errors import UsageError, printable

PACKAGES = MappingProxyType(
    {
        "yaml": "pyyaml",
        "fontTools": "fonttools",
        "PIL": "pillow",
        "markdown_it": "markdown-it-py",
    }
)
# What not everybody needs, by what it is for: the packages, as the extra of that name brings them.
EXTRAS = MappingProxyType(
    {
        "tables": ("python-calamine", "xlsxwriter"),
        "cluster": ("distributed", "dask", "cloudpickle", "fsspec"),
        "studio": ("starlette", "uvicorn", "python-multipart", "anyio"),
    }
)
MORE = "sheetgen doctor tells more"


def absence(error: BaseException) -> UsageError | None:
    """Return the error to show for a missing or broken library; None for every other error."""
    if isinstance(error, OSError) and str(error).startswith("cannot load library"):
        return UsageError(f"Pango is not installed: apt install libpango-1.0-0 libpangoft2-1.0-0; {MORE}")
    if not isinstance(error, ImportError):
        return None
    name = (error.name or "").partition(".")[0]
    if not name or name == "sheetgen" or name in sys.stdlib_module_names:
        return None
    package = PACKAGES.get(name, name.replace("_", "-"))
    extra = next((each for each, brings in EXTRAS.items() if package in brings), "")
    if isinstance(error, ModuleNotFoundError) and extra:
        return UsageError(f"{package} is not installed: {with_extra(extra)}; {MORE}")
    if isinstance(error, ModuleNotFoundError):  # PackageNotFoundError, too, is one
        return UsageError(f"{package} is not installed: pip install {package}; {MORE}")
    reason = (str(error).splitlines() or [""])[0]
    return UsageError(
        printable(f"{package} cannot be used ({reason}): pip install --force-reinstall {package}; {MORE}")
    )


def with_extra(extra: str) -> str:
    """Return the command that installs what an extra brings, into the environment that runs."""
    return f"pip install {' '.join(EXTRAS[extra])}"
