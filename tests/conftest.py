"""Fixtures and settings for all tests."""

import os
import signal
import subprocess
import sys
import warnings
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.wheel_environment import build_distributions, create_environment
from hypothesis import HealthCheck, settings

from ezdl_cli import cli

# A busy machine is not a failure.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", **PATIENT, derandomize=True, max_examples=60)
# A different search each time, about an hour: HYPOTHESIS_PROFILE=long pytest tests/properties
settings.register_profile("long", **PATIENT, derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SCRIPTS = Path(sys.executable).parent
NO_NETWORK = Path(__file__).resolve().parent / "helpers" / "no_network"


@pytest.fixture(scope="session")
def distributions(tmp_path_factory):
    """Build the sdist and the wheel, and return their paths."""
    return build_distributions(tmp_path_factory.mktemp("distributions"))


@pytest.fixture(scope="session")
def installed(tmp_path_factory, distributions):
    """Install the wheel into a fresh environment, and return its folder of scripts."""
    return create_environment(tmp_path_factory.mktemp("environment"), distributions[1])


@pytest.fixture
def attempts(tmp_path_factory):
    """Return the path of the log of network accesses by `run`; it must not exist at the end."""
    notes = tmp_path_factory.mktemp("network") / "attempts"
    yield notes
    assert not notes.exists(), notes.read_text()


@pytest.fixture
def run(tmp_path, attempts):
    """Run a command in a new process in an empty folder, without network access."""
    others = os.environ.get("PYTHONPATH")
    environment = os.environ | {
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{NO_NETWORK}{os.pathsep}{others}" if others else str(NO_NETWORK),
        "EZDL_NETWORK_ATTEMPTS": str(attempts),
    }

    def run_command(*arguments, **options):
        return subprocess.run(
            [str(argument) for argument in arguments],
            cwd=options.pop("cwd", tmp_path),
            env=environment | options.pop("env", {}),
            capture_output=True,
            text=True,
            timeout=options.pop("timeout", 300),
            check=False,
            **options,
        )

    return run_command


@pytest.fixture
def run_here(tmp_path, capfd):
    """Run `ezdl` in an empty folder in this process, which saves loading the packages."""

    def run_command(*arguments):
        arguments = [str(argument) for argument in arguments]
        before = signal.getsignal(signal.SIGTERM)
        capfd.readouterr()
        try:
            with (
                chdir(tmp_path),
                patch.object(sys, "argv", arguments),
                patch.dict(os.environ),
                warnings.catch_warnings(),
                pytest.raises(SystemExit) as ended,
            ):
                cli.main()
        finally:
            signal.signal(signal.SIGTERM, before)
        return subprocess.CompletedProcess(arguments, ended.value.code, *capfd.readouterr())

    return run_command


@pytest.fixture
def refused(run, run_here):
    """Run a command that must fail with one line on standard error, and return that line.

    `alone` runs it in a new process; commands other than `ezdl` always do.
    """

    def run_refused(*arguments, code=2, alone=False, **options):
        if alone or options or arguments[0] != "ezdl":
            return one_line(run(*arguments, **options), code)
        return one_line(run_here(*arguments), code)

    return run_refused


def one_line(done, code=2):
    """Check that a command failed with one line on standard error, and return that line."""
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.startswith("ezdl: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr
