"""Numbers of things as text."""


def count_of(number, what):
    """Return a number with its noun, such as `1 step` or `2 steps`."""
    return f"{number} {what}{'s' if number != 1 else ''}"
