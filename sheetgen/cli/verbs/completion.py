"""`sheetgen completion`: a script for the shell, so that Tab completes verbs, options and systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from sheetgen.cli.options import parser
from sheetgen.cli.verbs import VERBS, help_of, names_of
from sheetgen.errors import EXIT_OK
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen completion bash > ~/.local/share/bash-completion/completions/sheetgen
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


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the script for a shell."""
    parse = parser("completion", "Prints a script with which Tab completes verbs, options and systems.", EXAMPLE)
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
