"""Commands whose help lists options in titled groups, the most important first.

Options are declared like rows of a table: name, type, default, help text.
"""

from functools import partial

import click

MAX_COLUMN = 30  # of option names, as in click's own help


class GroupedOption(click.Option):
    """An option that the help lists under the title `group`.

    Ranges are not appended to the help text as click does ("1<=x<=10000000"): many only guard
    against typing errors. Those that matter are part of the text.
    """

    def __init__(self, *names, group=None, **settings):
        super().__init__(*names, **settings)
        self.group = group

    def get_help_extra(self, ctx):
        return {key: text for key, text in super().get_help_extra(ctx).items() if key != "range"}


class GroupedCommand(click.Command):
    """A command with one section of help per group of options; other options come last."""

    def format_options(self, ctx, formatter):
        groups = {}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option):
                row = parameter.get_help_record(ctx)
                groups.setdefault(getattr(parameter, "group", None), []).append(row)
        others = groups.pop(None)  # never empty: --help is one of them
        groups["General options" if groups else "Options"] = others
        widths = [len(name) for rows in groups.values() for name, _ in rows]
        width = max(width for width in widths if width <= MAX_COLUMN)
        for title, rows in groups.items():
            with formatter.section(title):
                # Padding aligns the columns of all sections.
                formatter.write_dl([(name.ljust(width), text) for name, text in rows], width)


class CommandGroup(click.Group):
    """A command with subcommands that have grouped options."""

    command_class = GroupedCommand


def new_command(example):
    """Return a decorator that makes a command whose help ends with an example."""
    return click.command(cls=GroupedCommand, epilog=f"Example: {example}")


def new_group(example):
    """Return a decorator that makes a command with subcommands."""
    return click.group(cls=CommandGroup, epilog=f"Example: {example}")


def option(names, kind, default, text, **settings):
    """Return a decorator that adds an option; `names` may end with the name of its parameter."""
    settings |= {"type": kind, "help": text}
    if not settings.get("required"):  # else click would take the default for a value
        settings["default"] = default
    return click.option(*names.split(), cls=GroupedOption, **settings)


def flag(names, text, **settings):
    """Return a decorator that adds an option without a value."""
    return click.option(*names.split(), cls=GroupedOption, is_flag=True, help=text, **settings)


def path_option(names, metavar, text, **settings):
    """Return a decorator that adds the path of a file or folder as an option."""
    return option(names, click.Path(), None, text, metavar=metavar, **settings)


path_argument = partial(click.argument, type=click.Path())


def add_parameters(*parameters):
    """Return a decorator that adds several options or arguments, in this order."""

    def decorate(function):
        for parameter in reversed(parameters):
            function = parameter(function)
        return function

    return decorate
