"""With what a result was made."""

import subprocess
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("ezdl", "numpy", "numba")


def versions():
    """Versions of the packages that decide on the numbers."""
    return {name: version(name) for name in PACKAGES}


def commit():
    """The commit of the sources, or None if they are in no repository of their own."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
