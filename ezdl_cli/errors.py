"""The exception for unusable input, and how messages are printed."""


class InputError(ValueError):
    """Wrong usage or unusable input.

    The message is one line: what is wrong, where, and what to do.
    """


def one_line(message):
    """Return a message as one line that is safe to print: file names can contain any character."""
    text = " ".join(str(message).split())
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
