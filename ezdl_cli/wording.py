"""Numbers and names of things as text."""

MAX_NAMED = 20  # in a message


def count_of(number, what):
    """Return a number with its noun, such as `1 step` or `2 steps`."""
    return f"{number} {what}{'s' if number != 1 else ''}"


def join_names(names, separator=", "):
    """Join the first names, with the number of further ones."""
    n_more = len(names) - MAX_NAMED
    return separator.join(names[:MAX_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")
