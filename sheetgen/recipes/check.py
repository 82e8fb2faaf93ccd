"""What `check` says of a pack, a folder or a file: every problem, or ok with a count."""

from __future__ import annotations

from sheetgen.content.folders import MANIFEST
from sheetgen.recipes.characters import READABLE, read_party
from sheetgen.recipes.examples import check_examples
from sheetgen.recipes.packs import open_pack
from sheetgen.recipes.project import Project, is_path


def check(project: Project, word: str) -> str:
    """One line that says what was found to be in order; InputError with every problem otherwise."""
    path = project.where / word
    if is_path(word) and path.suffix.lower() in READABLE and path.name != MANIFEST:
        party = read_party(project, path)
        return f"{word}: ok, {_count(len(party.characters), 'character')} of {party.pack.system.title}"
    pack = open_pack(project, word)
    system, examples = pack.system, check_examples(project, pack)
    cast = system.cast
    parts = [
        _count(len(system.traits), "trait"),
        _count(len(system.tables), "table"),
        _count(len(system.creation.methods), "creation method"),
        _count(len(cast.archetypes), "archetype"),
        _count(len(cast.occupations), "occupation"),
        _count(len(cast.hooks), "hook"),
        _count(len(system.covered), "rule ID"),
        _count(examples, "worked example"),
    ]
    return f"{word}: ok, {', '.join(parts)}"


def check_file(project: Project, word: str, name: str) -> str:
    """One line that says how many cases of an examples file came out; InputError with every failure."""
    count = check_examples(project, open_pack(project, word), project.where / name)
    return f"{name}: ok, {_count(count, 'worked example')} of {word}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def everything(project: Project) -> tuple[str, ...]:
    """The names of all packs in sight: what a bare `check` checks."""
    return tuple(sorted(project.library.packs))
