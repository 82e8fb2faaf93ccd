"""`sheetgen man` and `completion`: the manual page, and what Tab completes, made from the help of every verb."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from sheetgen.cli.options import parser
from sheetgen.cli.verbs import VERBS, help_of, names_of
from sheetgen.errors import EXIT_OK
from sheetgen.version import __version__
from sheetgen.workspace.project import project_at

MAN_SAY = """Prints the manual page, in the language of man. Where manual pages of your own lie depends on the
system; ~/.local/share/man/man1 is one such place on Linux."""
MAN_EXAMPLE = """  sheetgen man > ~/.local/share/man/man1/sheetgen.1
  sheetgen man | man -l -"""
EXITS = {
    "0": "done",
    "1": "done, and something was found or left out, which was told",
    "2": "refused: the words or a file are wrong; nothing was made",
    "3": "given up: it would take more time, memory or room than is allowed",
    "4": "what was made could not be written",
    "130": "stopped by whoever started it",
}
FILES = {
    "output/": "where results go without -o",
    "content/": "packs of your own, found by their names",
    "sheetgen.toml": "folders of other packs (packs), house rules, a campaign",
    "$SHEETGEN_PACKS": "folders of packs, separated by colons",
    "$XDG_DATA_HOME/sheetgen/packs/": "your shelf: packs that you added",
    "$SHEETGEN_CACHE": "what need not be worked out twice; it may be deleted",
    "$XDG_CONFIG_HOME/sheetgen/printers.yaml": "profiles of printers",
}


def run_man(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the page."""
    parser("man", MAN_SAY, MAN_EXAMPLE).read(words)
    print("\n".join(_page(where, environ)))
    return EXIT_OK


def _page(where: Path, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the page in the man macros of troff, man(7)."""
    yield f'.TH SHEETGEN 1 "" "sheetgen {__version__}" "sheetgen"'
    yield ".SH NAME\nsheetgen \\- small tabletop roleplaying systems as things people hold at the table"
    yield ".SH SYNOPSIS\n.B sheetgen\n.I VERB\n\\&..."
    yield ".SH VERBS"
    for verb, say in VERBS.items():
        _, *others = names_of(verb)
        also = f" (other words for it: {', '.join(others)})" if others else ""
        yield f".TP\n.B {_escaped(verb)}\n{_escaped(say + also)}"
    for verb in VERBS:
        yield f".SH {verb.upper()}\n.nf"
        yield from map(_escaped, help_of(verb, where, environ).rstrip().splitlines())
        yield ".fi"
    for head, entries in {"EXIT STATUS": EXITS, "FILES": FILES}.items():
        yield f".SH {head}"
        for name, say in entries.items():
            yield f".TP\n.B {_escaped(name)}\n{_escaped(say)}"


def _escaped(line: str) -> str:
    """Return a line as text: backslashes and hyphens as they are typed, other letters by number, no macro in front."""
    text = line.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text


COMPLETION_EXAMPLE = """  sheetgen completion bash > ~/.local/share/bash-completion/completions/sheetgen
  sheetgen completion zsh > ~/.zfunc/_sheetgen          (with ~/.zfunc in fpath)
  sheetgen completion fish > ~/.config/fish/completions/sheetgen.fish"""
COLON = {ord(":"): r"\:"}  # which zsh wants before the words that tell what a verb does
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

BASH = """# Tab completion of sheetgen for bash.
_sheetgen() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words
    if [ "$COMP_CWORD" = 1 ]; then
        words="{verbs}"
    elif [ "${{word:0:1}}" = - ]; then
        case ${{COMP_WORDS[1]}} in
{cases}
        esac
    elif [ "$COMP_CWORD" = 2 ]; then
        words="{systems}"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _sheetgen sheetgen
"""
ZSH = """#compdef sheetgen
# Tab completion of sheetgen for zsh: the file _sheetgen in a folder of fpath, or read in after compinit.
_sheetgen() {{
    local -a verbs words_of
    verbs=(
{verbs}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
    elif [[ $words[CURRENT] == -* ]]; then
        case $words[2] in
{cases}
        esac
        compadd -- $words_of
    else
        (( CURRENT == 3 )) && compadd -- {systems}
        _files
    fi
}}
if [[ $funcstack[1] == _sheetgen ]]; then _sheetgen "$@"; else compdef _sheetgen sheetgen; fi
"""


def run_completion(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the script for a shell."""
    parse = parser(
        "completion", "Prints a script with which Tab completes verbs, options and systems.", COMPLETION_EXAMPLE
    )
    parse.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    shell = parse.read(words).shell
    options = {verb: _options(verb, where, environ) for verb in VERBS}
    systems = sorted(project_at(where, environ).library.packs)
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](options, systems)
    print("\n".join(lines))
    return EXIT_OK


def _options(verb: str, where: Path, environ: Mapping[str, str]) -> list[str]:
    """Return the options of a verb, as its help tells them."""
    return sorted(set(OPTION.findall(help_of(verb, where, environ))))


def _bash(options: Mapping[str, Sequence[str]], systems: Sequence[str]) -> Iterator[str]:
    cases = (f'            {"|".join(names_of(verb))}) words="{" ".join(each)}" ;;' for verb, each in options.items())
    yield BASH.format(verbs=" ".join(VERBS), cases="\n".join(cases), systems=" ".join(systems)).rstrip("\n")


def _zsh(options: Mapping[str, Sequence[str]], systems: Sequence[str]) -> Iterator[str]:
    verbs = (f"        {quote(verb + ':' + say.translate(COLON))}" for verb, say in VERBS.items())
    names = {verb: "|".join(names_of(verb)) for verb in VERBS}
    cases = (f"            {names[verb]}) words_of=({' '.join(each)}) ;;" for verb, each in options.items())
    yield ZSH.format(verbs="\n".join(verbs), cases="\n".join(cases), systems=" ".join(systems)).rstrip("\n")


def _fish(options: Mapping[str, Sequence[str]], systems: Sequence[str]) -> Iterator[str]:
    yield "# Tab completion of sheetgen for fish."
    first, second = (f"test (count (commandline -opc)) = {count}" for count in (1, 2))
    for verb, say in VERBS.items():
        yield f"complete -c sheetgen -f -n '{first}' -a {verb} -d {_quoted(say)}"
    yield f"complete -c sheetgen -n '{second}' -a '{' '.join(systems)}'"
    for verb, each in options.items():
        words = " ".join(names_of(verb))
        for option in each:
            yield f"complete -c sheetgen -n '__fish_seen_subcommand_from {words}' -l {option.removeprefix('--')}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
