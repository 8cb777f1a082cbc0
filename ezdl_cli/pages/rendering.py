"""Render the Jinja2 templates of `pages/templates`: each page is one file that loads nothing else.

Text is escaped automatically, and a variable that is missing is an error.
"""

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


def render(template, **values):
    """Return the HTML of a template, as a string that other templates do not escape again.

    Parameters
    ----------
    template : str
        Name of the file without ``.html.j2``.
    **values
        Variables of the template.
    """
    # Imported here: jinja2 takes 30 ms, which commands without pages should not spend.
    from markupsafe import Markup

    return Markup(_environment().get_template(f"{template}.html.j2").render(values))


@cache
def _environment():
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters = (anchor, as_json, data_uri, formula, script_hash)
    environment.filters.update({one.__name__: one for one in filters})
    return environment


def anchor(title):
    """Return the id of the section with this title."""
    return title.lower().replace(" ", "-")


def script_hash(text):
    """Return the hash by which a page allows its own script and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def data_uri(content, media_type):
    """Return a URI that holds the bytes of a file."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def formula(text):
    """Return text as HTML in which σ_H and log2 have a subscript, and 2^10 a superscript."""
    from markupsafe import Markup, escape

    text = re.sub(r"(?<=[^\W_])_([A-Za-z0-9])\b", r"<sub>\1</sub>", str(escape(text)))
    text = re.sub(r"\blog2\b", "log<sub>2</sub>", text)
    return Markup(re.sub(r"\^([0-9]+)", r"<sup>\1</sup>", text))


def as_json(value):
    """Return a value as JSON text. Unlike the result of Jinja2's ``tojson`` it is escaped."""
    return json.dumps(value, ensure_ascii=False)
