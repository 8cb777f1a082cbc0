"""The documentation site is complete, and works without a network."""

import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

import ezdl_cli
from ezdl_cli.cli import COMMANDS, cli

ROOT = Path(__file__).resolve().parents[2]


class LoadedFiles(HTMLParser):
    """Collect what a browser loads when it shows a page."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("script", "img", "iframe", "source"):
            self.addresses.append(values.get("src") or "")
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.addresses.append(values.get("href") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture
def pages(run, site):
    """Build the site once, without network access; return its pages by path."""
    if not any(site.iterdir()):
        command = ("mkdocs", "build", "--strict", "--quiet", "--site-dir", site)
        done = run(*command, cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1"})
        assert done.returncode == 0, done.stderr
    return {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}


def test_pages_load_nothing_from_the_network(pages):
    assert len(pages) > 25
    for path, text in pages.items():
        parser = LoadedFiles()
        parser.feed(text)
        assert parser.addresses
        for address in parser.addresses:
            assert not re.match(r"(\w+:)?//", address), (path, address)


def test_formulas_are_rendered(pages):
    formulas = [text.count("<math ") for path, text in pages.items() if path.startswith("method/")]
    assert sum(formulas) > 50
    for path, text in pages.items():
        assert "arithmatex" not in text and "$$" not in text, path
        assert not re.search(r"<m[io]>[^<]*\\", text), path  # an unknown LaTeX command


def test_reference_has_all_functions_and_classes(pages):
    page = pages["reference/python.html"]
    for name in ezdl_cli.__all__:
        assert f'id="ez{name.lower()}"' in page, name
        assert f'id="ezdl_cli.{ezdl_cli._MODULES[name]}.{name}"' in page, name
    assert "### " not in page and ":::" not in page


def all_commands(group=cli, path=()):
    """Yield each command with its path."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from all_commands(command, (*path, name))


def section_of_command(page, path):
    """Return the part of the reference from the heading of a command to the next heading."""
    _, found, rest = page.partition(f'id="ezdl-{"-".join(path)}"')
    assert found, path
    return re.split(r"<h\d", rest, maxsplit=1)[0]


def test_reference_has_all_commands_and_options(pages):
    page = pages["reference/commands.html"]
    for path, command in all_commands():
        options = "".join(re.findall(r"<dt>.*?</dt>", section_of_command(page, path)))
        for option in command.params:
            if isinstance(option, click.Option) and "--help" not in option.opts:
                assert re.search(rf"{option.opts[-1]}(?![\w-])", options), (path, option)
    for name in COMMANDS:
        assert f"<code>{name}</code>" in page, name


def test_examples_of_the_help_can_be_parsed():
    for path, command in all_commands():
        for example in command.epilog.removeprefix("Example: ").split("; "):
            words = shlex.split(example)
            assert words[:2] == ["ezdl", path[0]], example
            with click.Context(cli, info_name="ezdl", **cli.context_settings) as context:
                while isinstance(context.command, click.Group):
                    words.pop(0)
                    subcommand = context.command.get_command(context, words[0])
                    context = subcommand.make_context(words[0], words[1:], parent=context)


def test_reference_has_all_keys_of_the_configuration(pages):
    page = pages["reference/configuration.html"]
    keys = re.findall(r"^ {6}(\w+):$", (ROOT / "config/schema.yaml").read_text(), re.MULTILINE)
    assert len(keys) > 30
    for key in keys:
        assert f"<code>{key}</code>" in page, key
