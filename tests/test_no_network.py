"""No command uses the network: an attempt is blocked, logged, and fails the test.

The fixture `run` starts all commands in this way, including the pipeline, the benchmarks and the
commands of the documentation. The tests here make sure that an attempt would be noticed.
"""

import re
from pathlib import Path

import pytest

from ezdl_cli.cli import COMMANDS
from ezdl_cli.workflow import RULES

ROOT = Path(__file__).resolve().parent.parent

# Addresses reserved for documentation (RFC 5737, RFC 2606), in case blocking fails.
ATTEMPTS = {
    "connect": "import socket; socket.socket().connect(('192.0.2.1', 80))",
    "name": "import socket; socket.getaddrinfo('ezdl.invalid', 80)",
    "old name": "import socket; socket.gethostbyname('ezdl.invalid')",
    "datagram": "import socket as s; s.socket(type=s.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 53))",
    "server": "import socket; socket.socket().bind(('0.0.0.0', 0))",
    "page": "import urllib.request as u; u.urlopen('http://ezdl.invalid', timeout=1)",
}


@pytest.mark.parametrize("code", ATTEMPTS.values(), ids=ATTEMPTS)
def test_network_access_is_blocked_and_logged(run, attempts, code):
    done = run("python", "-c", f"try: {code}\nexcept Exception as error: print(error)")
    assert re.match(r"socket\.\w+ .*'-c'", attempts.read_text()), done.stderr
    attempts.unlink()


def test_network_access_of_a_pipeline_step_is_logged(run, attempts, tmp_path):
    (tmp_path / "step.py").write_text(ATTEMPTS["connect"])
    (tmp_path / "Snakefile").write_text("rule all:\n    shell: 'python step.py'\n")
    assert run("snakemake", "--cores", "1").returncode == 1
    assert "192.0.2.1" in attempts.read_text()
    attempts.unlink()


def test_every_command_is_run_without_network():
    # By test_examples.py and test_pipeline.py.
    pages = "".join(path.read_text() for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")))
    lines = "".join(re.findall(r"```sh\n(.*?)```", pages, re.DOTALL))
    shown = re.findall(r"^ezdl ([a-z-]+)", lines, re.MULTILINE)
    rules = "".join(path.read_text() for path in RULES.glob("*.smk"))
    steps = re.findall(r'"ezdl ([a-z-]+)', rules)
    assert COMMANDS.keys() == {*shown, *steps, "plan", "run"}
