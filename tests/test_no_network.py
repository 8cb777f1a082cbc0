"""No command uses the network: whoever tries it is refused, noted, and fails the test.

`run` starts every command of every test in this way, the whole pipeline, the commands of the pages
and the benchmarks among them. Here it is made sure that an attempt would be noticed.
"""

import re
from pathlib import Path

import pytest

from ezdl_cli.cli import COMMANDS
from ezdl_cli.workflow import RULES

ROOT = Path(__file__).resolve().parent.parent

# Addresses that are nobody's (RFC 5737, RFC 2606), should they not be refused.
ATTEMPTS = {
    "connect": "import socket; socket.socket().connect(('192.0.2.1', 80))",
    "name": "import socket; socket.getaddrinfo('ezdl.invalid', 80)",
    "old name": "import socket; socket.gethostbyname('ezdl.invalid')",
    "datagram": "import socket as s; s.socket(type=s.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 53))",
    "server": "import socket; socket.socket().bind(('0.0.0.0', 0))",
    "page": "import urllib.request as u; u.urlopen('http://ezdl.invalid', timeout=1)",
}


@pytest.mark.parametrize("code", ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_is_refused_and_noted(run, attempts, code):
    done = run("python", "-c", f"try: {code}\nexcept Exception as error: print(error)")
    assert re.match(r"socket\.\w+ .*'-c'", attempts.read_text()), done.stderr
    attempts.unlink()


def test_an_attempt_of_a_step_of_a_pipeline_is_noted(run, attempts, tmp_path):
    (tmp_path / "step.py").write_text(ATTEMPTS["connect"])
    (tmp_path / "Snakefile").write_text("rule all:\n    shell: 'python step.py'\n")
    assert run("snakemake", "--cores", "1").returncode == 1
    assert "192.0.2.1" in attempts.read_text()
    attempts.unlink()


def test_every_command_is_among_those_that_are_run_in_this_way():
    # By test_documentation.py, and by test_pipeline.py, which runs the pipeline.
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "docs/user_guide.md"))
    lines = "".join(re.findall(r"```sh\n(.*?)```", pages, re.DOTALL))
    shown = re.findall(r"^ezdl ([a-z-]+)", lines, re.MULTILINE)
    rules = "".join(path.read_text() for path in RULES.glob("*.smk"))
    steps = re.findall(r'"ezdl ([a-z-]+)', rules)
    assert COMMANDS.keys() == {*shown, *steps, "plan", "run"}
