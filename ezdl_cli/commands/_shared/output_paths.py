"""Checks of the paths that a command is going to write."""

from ... import io
from ...errors import InputError


def check_outputs(outputs, inputs):
    """Raise InputError if an output cannot be written, or is an input or another output.

    `outputs` may contain None, for results that are not requested.
    """
    checked = set()
    for path in filter(None, outputs):
        target = io.check_target(path).resolve()
        io.check_not_among(path, inputs)
        if target in checked:
            raise InputError(f"{path}: is the path of two outputs; choose different names")
        checked.add(target)
