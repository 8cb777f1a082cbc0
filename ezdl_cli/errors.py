"""The one exception for input that cannot be used, and what a message looks like."""


class InputError(ValueError):
    """Wrong use or unusable input; the message says what, where and what to do, in one line."""


def one_line(text):
    """A message in one line that a terminal can be given: names of files may hold anything."""
    shown = "".join(c if c.isprintable() or c.isspace() else "?" for c in str(text))
    return " ".join(shown.split())
