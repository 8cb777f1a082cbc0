"""JSON content, validated against the schemas in `io/schemas` (see docs/formats.md)."""

import json
from dataclasses import fields
from functools import cache
from pathlib import Path

from ..errors import InputError, one_line
from .atomic_files import read_whole

SCHEMAS = Path(__file__).resolve().parent / "schemas"


@cache
def _validator(schema):
    # fastjsonschema compiles a schema to Python code: over 60 times faster than jsonschema on a
    # benchmark history, and a tenth of its import time. Only some commands need it at all.
    import fastjsonschema

    content = (SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")
    return fastjsonschema.compile(json.loads(content), use_default=False)


def validate(content, schema):
    """Return JSON content if it follows a schema, given by its name; raise ValueError otherwise."""
    try:
        return _validator(schema)(content)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("data").removeprefix(".")) from None


def parse(record, content, schema):
    """Return a record, a dataclass, of the known entries of a JSON object that are not null."""
    validate(content, schema)
    names = {field.name for field in fields(record)}
    return record(**{k: v for k, v in content.items() if k in names and v is not None})


def read_json(path):
    """Return the content of a JSON file; raise OSError, ValueError or RecursionError."""
    return json.loads(read_whole(path))


def load_json(path, schema):
    """Read a JSON file; raise InputError if it cannot be read or does not follow the schema."""
    try:
        return validate(read_json(path), schema)
    except InputError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        name = f"{schema.replace('_', ' ')} file"
        raise InputError(f"{path}: not a valid {name} ({one_line(error)})") from None


def to_json(content):
    """Return JSON text as it is written to files, indented and with a final newline."""
    return json.dumps(content, indent=1) + "\n"
