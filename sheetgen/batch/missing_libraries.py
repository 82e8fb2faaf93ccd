"""Errors about libraries that are missing or broken, with the command that installs them."""

from __future__ import annotations

import sys
from types import MappingProxyType

from sheetgen.errors import UsageError, printable

PACKAGES = MappingProxyType(
    {"yaml": "pyyaml", "fontTools": "fonttools", "PIL": "pillow", "markdown_it": "markdown-it-py"}
)
# What comes only with an extra: the package `sheetgen` with the extra's name brings it.
EXTRAS = MappingProxyType(
    {
        "python_calamine": "tables",
        "xlsxwriter": "tables",
        "distributed": "cluster",
        "dask": "cluster",
        "cloudpickle": "cluster",
        "fsspec": "cluster",
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
    if name in EXTRAS:
        what = printable(f"{PACKAGES.get(name, name.replace('_', '-'))} is not installed")
        return UsageError(f'{what}: pip install "sheetgen[{EXTRAS[name]}]"')
    package = PACKAGES.get(name, name.replace("_", "-"))
    if isinstance(error, ModuleNotFoundError):  # PackageNotFoundError, too, is one
        return UsageError(f"{package} is not installed: pip install {package}; {MORE}")
    reason = (str(error).splitlines() or [""])[0]
    return UsageError(
        printable(f"{package} cannot be used ({reason}): pip install --force-reinstall {package}; {MORE}")
    )
