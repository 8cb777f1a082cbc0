"""Commands whose help lists options in titled groups, the most important first."""

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


option = partial(click.option, cls=GroupedOption)
path_argument = partial(click.argument, type=click.Path())


def option_group(title):
    """Return a decorator like `click.option` for options listed under `title`."""
    return partial(option, group=title)
