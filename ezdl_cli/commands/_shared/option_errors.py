"""Errors of the numerical code as messages about the option or the file that caused them."""

from contextlib import contextmanager

import click

from ...errors import InputError


@contextmanager
def option_errors(source=None, **files):
    """Turn a ValueError into a message about an option, or else about the file `source`.

    Messages of the numerical code start with the name of the parameter that is wrong, for instance
    "step_size must be positive, not -1". If the command has an option for it, it is a usage error:
    "--step-size must be positive, not -1". `files` has the files that other parameters were read
    from, or None.
    """
    try:
        yield
    except InputError:
        raise
    except ValueError as error:
        context = click.get_current_context()
        options = {p.name: p.opts[0] for p in context.command.params if isinstance(p, click.Option)}
        name, _, problem = str(error).partition(" ")
        if name in options:
            raise click.UsageError(f"{options[name]} {problem}", context) from None
        if files.get(name) is not None:
            raise InputError(f"{files[name]}: {problem}") from None
        raise InputError(f"{source}: {error}" if source else str(error)) from None


def reject_option(name, problem):
    """Raise a usage error about the value of an option, such as "--crop must be at least 8"."""
    raise click.UsageError(f"{name} {problem}", click.get_current_context())


def check_n_atoms(n_atoms, samples, source):
    """Reject --atoms if there are fewer samples in the file `source`."""
    if n_atoms > len(samples):
        problem = f"must be at most {len(samples)}, the number of samples in {source}"
        reject_option("--atoms", f"{problem}, not {n_atoms}")
