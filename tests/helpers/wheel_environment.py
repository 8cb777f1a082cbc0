"""The distribution files of this package, and a fresh environment that has the wheel installed."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_distributions(folder):
    """Build the sdist, and the wheel from it; return their paths."""
    command = ("-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    subprocess.run([sys.executable, *command], check=True, capture_output=True, timeout=300)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def create_environment(folder, wheel):
    """Create a virtual environment with the wheel, and return its folder of scripts.

    Its dependencies are those of the running Python, since tests do not use the network; files
    with the suffix .pth are not read there, so that an editable installation is not found.
    """
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    options = ("--quiet", "--no-deps", "--no-index", "--no-cache-dir")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", *options, wheel]
    subprocess.run(pip, check=True, capture_output=True, timeout=300)
    packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    )
    link = Path(packages.stdout.strip()) / "dependencies.pth"
    link.write_text(f"{sysconfig.get_path('purelib')}\n")
    return scripts
