"""Templates escape text, refuse missing values, and are the only place with HTML."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import UndefinedError

import ezdl_cli
from ezdl_cli.pages.rendering import as_json, data_uri, formula, render, script_hash

PACKAGE = Path(ezdl_cli.__file__).parent
HTML = re.compile(r"</?(a|body|br|div|figure|html|li|p|pre|section|svg|table|t[dhr]|ul)\b[^>]*>")


def strings(path):
    """All string constants of a module but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                statement.value.value = None
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def test_text_is_escaped():
    html = render("name_value_table", values={"<b>": "\"&'"})
    assert "<th>&lt;b&gt;</th><td>&#34;&amp;&#39;</td>" in html
    setup = {"differences": [], "configuration": {"<b>": {"<b>": ["<b>"]}}, "versions": {}}
    assert "<b>" not in render("report/setup", **setup)


def test_rendered_html_is_not_escaped_again():
    inner = render("name_value_table", values={"a": "1"})
    values = {"name": "x", "count": "2 claims", "facts": [], "top": None, "thumbnails": {}}
    page = render("report", **values, strip="", open_claims="", sections={"Versions": inner})
    assert inner in page


def test_missing_value_is_an_error():
    with pytest.raises(UndefinedError):
        render("report", name="x")


def test_filters():
    assert data_uri(b"\x00\xff", "image/png") == "data:image/png;base64,AP8="
    assert as_json({"ü": [1, None]}) == '{"ü": [1, null]}'
    assert formula("σ_H < 2^10 log2 n") == ("σ<sub>H</sub> &lt; 2<sup>10</sup> log<sub>2</sub> n")
    assert formula("a_long_name 2^x") == "a_long_name 2^x"


def test_pages_allow_no_script_but_their_own():
    page = render("claims", count="", strip="", section="")
    (text,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert f"script-src '{script_hash(text)}'" in page


def test_there_is_no_html_outside_of_templates():
    found = {
        path.name: text
        for path in PACKAGE.rglob("*.py")
        for text in strings(path)
        if HTML.search(text)
    }
    assert found == {}


@pytest.mark.parametrize("arguments", [["-h"], ["report", "-h"], ["bench", "report", "-h"]])
def test_help_does_not_load_jinja2(arguments):
    code = (
        f"import sys; sys.argv = ['ezdl', *{arguments}]; from ezdl_cli.cli import main\n"
        "try: main()\n"
        "except SystemExit: sys.exit('jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
