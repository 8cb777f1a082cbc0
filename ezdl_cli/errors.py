"""The one exception for input that cannot be used, and how messages are written."""


class InputError(ValueError):
    """Wrong use or unusable input; the message says what, where and what to do, in one line."""


def one_line(message):
    """A message in one line that a terminal can be given: names of files may hold anything."""
    text = " ".join(str(message).split())
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
