"""`sheetgen doctor`: what printing leans on, whether it is well, and the command that mends each part."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.terminal import GREEN, RED, YELLOW, painted
from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.services.doctor import Diagnosis, examine

SIGNS = {"ok": GREEN, "MISSING": RED, "could be": YELLOW}


def run_doctor(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print each finding; the exit code is 1 if something needed is not well."""
    parse = parser("doctor", "Looks at fonts, libraries, versions and cache.", "  sheetgen doctor")
    add_verbosity(parse)
    args = parse.read(words)
    findings = [*examine(where, environ), *_in_the_browser()]
    if args.json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    for finding in findings:
        sign = "ok" if not finding.mend else "MISSING" if finding.needed else "could be"
        if not args.json and not (args.quiet and sign == "ok"):
            mend = f"  ->  {finding.mend}" if finding.mend else ""
            shown = painted(f"{sign:<8}", SIGNS[sign], sys.stdout)
            print(shown, printable(f"{finding.what:<18} {finding.state}{mend}"))
    return EXIT_SOME if any(finding.mend and finding.needed for finding in findings) else EXIT_OK


def _in_the_browser() -> Iterator[Diagnosis]:
    """Yield whether the studio has what its pages load, for who has the studio."""
    try:
        from sheetgen.studio.assets import install_hint, missing_packages  # imports Starlette
    except ImportError:
        return
    missing = missing_packages()
    state = f"not there: {len(missing)} libraries from npm, for a livelier studio" if missing else "there"
    yield Diagnosis("studio in browser", state, install_hint() if missing else "", needed=False)
