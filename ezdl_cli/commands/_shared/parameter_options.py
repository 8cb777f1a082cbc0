"""Options for fields of a dataclass of parameters, which has their types and defaults."""

from dataclasses import fields
from functools import wraps
from typing import get_args

import click

from .grouped_help import GroupedOption


def parameter_options(parameters, groups, **settings):
    """Return a decorator that adds an option for each field in `groups` to a command.

    The command gets an instance of the dataclass as `parameters`.

    Parameters
    ----------
    parameters : dataclass
    groups : dict
        Title of a group of options → {name of a field: help text}.
    **settings : dict
        Arguments of `click.option` for single fields; `name` is the name of the option.
    """
    known = {field.name: field for field in fields(parameters)}

    def decorate(command):
        @wraps(command)
        def with_parameters(**given):
            values = {name: given.pop(name) for texts in groups.values() for name in texts}
            return command(parameters=parameters(**values), **given)

        for group, texts in reversed(groups.items()):
            for name, text in reversed(texts.items()):
                details = {"group": group, "help": text, **settings.get(name, {})}
                with_parameters = _option(known[name], **details)(with_parameters)
        return with_parameters

    return decorate


def _option(field, name=None, **settings):
    """Return the option of a field; `X | None` is an option of type X."""
    kind = (*get_args(field.type), field.type)[0]
    name = name or f"--{field.name.replace('_', '-')}"
    if kind is bool:
        name = f"{name}/--no-{field.name}"
    defaults = {"type": kind, "default": field.default, "cls": GroupedOption}
    return click.option(name, field.name, **defaults | settings)
