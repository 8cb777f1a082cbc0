"""The option --json: results of a command as one JSON document on standard output."""

import json
import math

import click

from .grouped_help import flag

json_option = flag("--json as_json", "Print the result as JSON (see docs/formats.md).")


def echo_json(content):
    """Print JSON content, in ASCII; numbers that are not finite become null."""
    click.echo(json.dumps(_finite(content), indent=1, allow_nan=False))


def _finite(value):
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
