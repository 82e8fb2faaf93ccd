"""What is missing becomes one line; every other error stays what it is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError

import pytest

from sheetgen.batch.sandbox import confined
from sheetgen.errors import UsageError, absence


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ModuleNotFoundError("No module named 'yaml'", name="yaml"), "pyyaml is not installed: pip install pyyaml"),
        (PackageNotFoundError("weasyprint"), "weasyprint is not installed: pip install weasyprint"),
        (ModuleNotFoundError("…", name="fontTools.ttLib"), "fonttools is not installed: pip install fonttools"),
        (
            ModuleNotFoundError("…", name="xlsxwriter"),
            "xlsxwriter is not installed: pip install python-calamine xlsxwriter",
        ),
        (ImportError("libqpdf.so", name="pikepdf._core"), "pikepdf cannot be used (libqpdf.so): pip install --force-"),
        (OSError("cannot load library 'libpango-1.0-0': …"), "Pango is not installed: apt install libpango-1.0-0"),
    ],
)
def test_a_missing_library_names_the_command(error: Exception, line: str) -> None:
    told = absence(error)
    assert isinstance(told, UsageError)
    assert str(told).startswith(line)
    assert str(told).endswith("; sheetgen doctor tells more")


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("…", name="sheetgen.nonsense"),
        ModuleNotFoundError("…", name="zlib"),
        ImportError("without a name"),
        OSError(28, "No space left on device"),
        ValueError("x"),
    ],
)
def test_other_errors_are_none_of_it(error: Exception) -> None:
    assert absence(error) is None


def test_a_library_missed_in_a_confined_process_is_told_as_such() -> None:
    def work() -> None:
        raise ModuleNotFoundError("No module named 'weasyprint'", name="weasyprint")

    with pytest.raises(UsageError, match="weasyprint is not installed"):
        confined(work, what="x")
