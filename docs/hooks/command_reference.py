"""Insert the help of every command into reference/commands.md, after its table."""

import re

import click

from ezdl_cli.cli import cli

END_OF_TABLE = "<!-- help of every command -->"


def on_page_markdown(markdown, page, **_):
    """Replace the mark by the help of all commands."""
    if page.file.src_uri != "reference/commands.md":
        return markdown
    root = click.Context(cli, info_name="ezdl", **cli.context_settings)
    help_texts = [text for name in cli.list_commands(root) for text in _sections(root, name)]
    return markdown.replace(END_OF_TABLE, "\n\n".join(help_texts))


def _sections(parent, name, level=2):
    """Yield the help of a command and of its subcommands as Markdown."""
    command = parent.command.get_command(parent, name)
    context = click.Context(command, info_name=name, parent=parent)
    yield _help(command, context, level)
    if isinstance(command, click.Group):
        for subcommand in command.list_commands(context):
            yield from _sections(context, subcommand, level + 1)


def _help(command, context, level):
    """Return the help of a command as Markdown."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"{'#' * level} `{context.command_path}`", f"```text\n{usage}\n```"]
    parts += [_escape(paragraph) for paragraph in _paragraphs(command.help)]
    for title, rows in _option_groups(command, context).items():
        parts.append(f"**{title}**")
        parts += [f"`{names}`\n:   {_option_text(text)}" for names, text in rows]
    example = (command.epilog or "").removeprefix("Example: ")
    return "\n\n".join([*parts, f"Example: `{example}`"])


def _paragraphs(text):
    """Return the paragraphs of a docstring, each in one line."""
    return [" ".join(lines.split()) for lines in text.split("\n\n")]


def _option_groups(command, context):
    """Return the names and texts of options by the title of their group."""
    groups = {}
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts:
            title = getattr(parameter, "group", None) or "Options"
            groups.setdefault(title, []).append(parameter.get_help_record(context))
    if "Options" in groups and len(groups) > 1:
        groups["General options"] = groups.pop("Options")
    return groups


def _option_text(text):
    """Return the help of an option, with its default in italics."""
    text, _, default = text.partition("  [default: ")
    if not default:
        return _escape(text)
    default = default.removesuffix("]")
    if default.startswith("(") and default.endswith(")"):
        default = default[1:-1]
    return f"{_escape(text)} *Default: {_escape(default)}.*"


def _escape(text):
    """Escape what Markdown would interpret, outside of `code`."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_\[\]|$]|<(?=\S))", r"\\\1", part)
        for part in parts
    )
