"""Verbs that make one product: a parser from the fields of its options, and the one way to make it."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from sheetgen.cli.options import Parser, add_output, argument, parser, unique_values
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.products.options import Choice, Chosen, default_of, options_of
from sheetgen.products.product import Product, Subject, produce, product_named
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import targets

Verb = Callable[[Sequence[str], Path, Mapping[str, str]], int]


def pack_verb(name: str, say: str, example: str) -> Verb:
    """Return the verb of a product that is made of a pack, called after the product; `say` stands in its help."""

    def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
        product = product_named(name)
        parse = parser(name, say, example)
        parse.add_argument("system", help="a system, or the folder of a pack")
        add_options(parse, product)
        args = parse.read(words)
        options = options_from(args, product.options)

        def opened(project: Project) -> Pack:
            return open_pack(project, args.system).with_tone(options.tone)

        return run_product(product, options, args, project_at(where, environ), opened)

    return run


def run_product(
    product: Product[Subject, Chosen],
    options: Chosen,
    args: Namespace,
    project: Project,
    subject: Callable[[Project], Subject],
) -> int:
    """Make the product of the subject, which is opened when the words have been checked; return the exit code."""
    wanted = targets(args.output, args.to, project.where, product.formats)
    product.check(options, wanted)
    reporter = ConsoleReporter(args.quiet, args.json, {}, any(target.path is None for target in wanted))
    produce(product, project, subject(project), options, wanted=wanted, reporter=reporter)
    return reporter.finish()


def add_options(parse: Parser, product: Product[Any, Any]) -> None:
    """Add an option for each field of a product's options, and those that say where results go."""
    for each, about in options_of(product.options):
        _add(parse, each.name, default_of(each), about)
    add_output(parse, formats=" or ".join(product.formats))


def options_from(args: Namespace, kind: type[Chosen]) -> Chosen:
    """Return the options that the words came to."""
    given = {each.name: _value(getattr(args, each.name), each.metadata["option"], each.name) for each in fields(kind)}
    return kind(**given)


def _value(value: Any, about: Choice, name: str) -> Any:
    if not about.repeated:
        return value
    return unique_values(value, f"--{name}") if value and isinstance(value[0], tuple) else tuple(value)


def _add(parse: ArgumentParser, name: str, default: Any, about: Choice) -> None:
    names = [*([about.short] if about.short else []), f"--{name.replace('_', '-')}"]
    if about.is_switch:
        action: Any = BooleanOptionalAction if about.negatable else "store_true"
        parse.add_argument(*names, dest=name, action=action, default=default, help=about.help)
    elif about.choices:
        kind = type(about.choices[0])
        metavar = about.metavar or None
        parse.add_argument(
            *names, dest=name, type=kind, choices=about.choices, default=default, metavar=metavar, help=about.help
        )
    else:
        assert about.read is not None
        action, start = ("append", []) if about.repeated else ("store", default)
        metavar, read = about.metavar or None, argument(about.read)
        parse.add_argument(*names, dest=name, action=action, type=read, default=start, metavar=metavar, help=about.help)
