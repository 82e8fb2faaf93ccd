"""`sheetgen studio`: a page in your browser that does what the verbs do, served by your own machine to nobody else."""

from __future__ import annotations

import json
import secrets
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from sheetgen.cli.options import parser, whole
from sheetgen.errors import EXIT_OK, UsageError, printable, quoted

EXAMPLE = """  sheetgen studio                    the folder you are in
  sheetgen studio harbour            a campaign
  sheetgen studio --port 8123 --no-open"""
HIGHEST_SEED = 1_000_000


def run_studio(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Serve the page until Ctrl+C; return 0 then."""
    say = "Opens a page in your browser, from your own machine, that does what the verbs do. Ctrl+C stops it."
    parse = parser("studio", say, EXAMPLE)
    parse.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="what to open (default: where you are)")
    parse.add_argument("--port", type=whole(1, 65535), default=0, metavar="N", help="default: any that is free")
    parse.add_argument("--no-open", action="store_true", help="print the address, and leave the browser alone")
    parse.add_argument("--json", action="store_true", help="print the address as JSON")
    args = parse.read(words)
    folder = (where / args.folder).resolve()
    if not folder.is_dir():
        raise UsageError(f"{quoted(args.folder)} is no folder: name one, or leave it out")

    from sheetgen.studio.server import new_secret, serve  # imports Starlette
    from sheetgen.studio.studio import Studio

    opened = args.no_open or args.json

    def tell(address: str) -> None:
        nonlocal opened
        if args.json:
            print(json.dumps({"address": address}), flush=True)
        else:
            print(printable(f"{'another browser' if opened and not args.no_open else 'studio'}: {address}"), flush=True)
        if not opened:
            opened = True
            webbrowser.open(address)

    studio = Studio(folder, environ, new_secret(), clock=datetime.now, new_seed=lambda: secrets.randbelow(HIGHEST_SEED))
    with suppress(KeyboardInterrupt):
        serve(studio, port=args.port, tell=tell)
    return EXIT_OK
