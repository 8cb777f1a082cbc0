"""Provenance of results: versions, commit and machine."""

import hashlib
import json
import platform
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .platforms import available_cores, processor_name

PACKAGES = ("ezdl", "numpy", "numba")
OTHER_PACKAGES = ("scipy", "scikit-image", "pillow", "matplotlib", "click", "snakemake")
PEERS = ("bm3d", "scikit-learn", "spams-bin")


def versions():
    """Return the versions of the packages that determine the results."""
    return {name: version(name) for name in PACKAGES}


def surroundings():
    """Return the versions of all packages in use, of Python and the system, and the processor."""
    return {
        **versions(),
        **_installed(OTHER_PACKAGES),
        "Python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor_name(),
    }


def peers():
    """Return the versions of the installed programs that benchmarks compare ours with."""
    return _installed(PEERS)


def _installed(names):
    """Return the versions of those packages that are installed."""
    found = {}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def machine():
    """Describe this machine; runs on machines with the same `id` are comparable.

    The version of the system is not part of the `id`: an update does not change it.
    """
    kind = {
        "processor": processor_name(),
        "architecture": platform.machine(),
        "cores": available_cores(),
    }
    digest = hashlib.sha256(json.dumps(kind).encode()).hexdigest()[:12]
    return {"id": digest, **kind, "system": platform.platform()}


def commit():
    """Return the commit of the sources, or None if they are not in a repository of their own."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="ascii", timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None
    return done.stdout.strip()
