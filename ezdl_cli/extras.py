"""Optional dependencies, the extras of pyproject.toml."""

from importlib.util import find_spec

from .errors import InputError


def require_extra(extra, package, purpose):
    """Raise InputError if the package that an extra adds is not installed.

    Parameters
    ----------
    extra : str
        Name of the extra in pyproject.toml.
    package : str
        Package that is needed.
    purpose : str
        What it is needed for, as the start of the message.
    """
    if find_spec(package) is None:
        raise InputError(
            f"{purpose} needs the package {package}; install it by: pip install 'ezdl[{extra}]'"
        )
