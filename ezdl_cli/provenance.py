"""Provenance of results: versions, commit and machine."""

import hashlib
import json
import platform
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .parallel import available_cores

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
        "processor": _processor(),
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
        "processor": _processor(),
        "architecture": platform.machine(),
        "cores": available_cores(),
    }
    digest = hashlib.sha256(json.dumps(kind).encode()).hexdigest()[:12]
    return {"id": digest, **kind, "system": platform.platform()}


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line for line in lines if line.startswith("model name")).split(":")[1].strip()
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def commit():
    """Return the commit of the sources, or None if they are not in a repository of their own."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
