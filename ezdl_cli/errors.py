"""The one exception for input that cannot be used."""


class InputError(ValueError):
    """Wrong use or unusable input; the message says what, where and what to do, in one line."""
