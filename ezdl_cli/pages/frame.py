"""What all pages have in common: one file, one look, nothing from outside."""

from html import escape
from importlib.resources import files


def page(title, body):
    """A whole page, from a title as text and a body as HTML."""
    style = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Without an icon of its own the browser would look for one.
        '<link rel="icon" href="data:,">\n'
        f"<title>ezdl: {escape(title)}</title>\n<style>\n{style}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{body}</body></html>\n"
    )


def facts(facts):
    """A table of names and what there is to say of each."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts.items()
    )
    return f'<table class="facts">{rows}</table>'
