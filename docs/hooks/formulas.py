"""Render LaTeX formulas as MathML, which needs neither scripts nor fonts."""

import html
import re

from latex2mathml.converter import convert

# Of pymdownx.arithmatex, and of the role :math: in docstrings.
INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)
ROLE = re.compile(r":math:<code>(.*?)</code>", re.DOTALL)


def on_page_content(content, **_):
    """Replace the formulas of a page."""
    content = BLOCK.sub(lambda found: _render(found[1], "block"), content)
    content = INLINE.sub(lambda found: _render(found[1]), content)
    return ROLE.sub(lambda found: _render(found[1]), content)


def _render(latex, display="inline"):
    """Return a formula as MathML."""
    return convert(html.unescape(latex).strip(), display=display)
