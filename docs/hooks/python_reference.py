"""Insert the docstrings of the public functions and classes into reference/python.md.

Each heading "### `ez.NAME`" of the page is replaced by the documentation of the object.
"""

import re

from ezdl_cli import _MODULES

# Their methods are inherited, and shown for EZDL.
WITHOUT_METHODS = ("ODL", "RLSDLA")
HEADING = re.compile(r"^### `ez\.(\w+)`$", re.MULTILINE)


def on_page_markdown(markdown, page, **_):
    """Replace the headings."""
    if page.file.src_uri != "reference/python.md":
        return markdown
    return HEADING.sub(_documentation, markdown)


def _documentation(heading):
    """Return the directive of mkdocstrings, and the anchor that the heading would have."""
    name = heading[1]
    inherited = str(name not in WITHOUT_METHODS).lower()
    options = f'{{heading: "ez.{name}", toc_label: "{name}", inherited_members: {inherited}}}'
    return (
        f'<a id="ez{name.lower()}"></a>\n\n'
        f"::: ezdl_cli.{_MODULES[name]}.{name}\n    options: {options}"
    )
