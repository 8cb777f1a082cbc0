"""A pipeline of two steps for `ezdl run`, with real Snakemake, and a terminal to run it in."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(sys.executable).parent
SNAKEFILE = """
from ezdl_cli.workflow.job_graph import announce_steps
configfile: "config/quick.yaml"
if config["value"] > 9:
    raise ValueError("the value is too large")
onstart:
    announce_steps(workflow.dag, config)
rule all:
    input: "b.txt"
rule first:
    output: "a.txt"
    log: "results/quick/logs/a.log"
    benchmark: "results/quick/benchmarks/a.tsv"
    threads: 1
    params: value=config["value"], images=config.get("images", "")
    message: "Making a"
    shell: "echo noise; echo noise >&2; test -e open || (echo > ready; cat gate);"
        " test ! -e broken || (cat broken > {log}; exit 3);"
        " {PYTHON} threads.py > {output}; echo '{params.value} {params.images}' >> {output}"
rule second:
    input: "a.txt"
    output: "b.txt"
    benchmark: "results/quick/benchmarks/b.tsv"
    threads: 2
    message: "Making b"
    shell: "{PYTHON} threads.py > {output}"
"""
THREADS = """
from ezdl_cli import cli, parallel
cli.prepare()
print(parallel.cores())
"""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"


def create_pipeline(folder):
    """Create a pipeline whose first step waits at a gate unless the file `open` exists."""
    (folder / "Snakefile").write_text(SNAKEFILE.replace("{PYTHON}", sys.executable))
    (folder / "threads.py").write_text(THREADS)
    shutil.copytree(ROOT / "config" / "profiles", folder / "config" / "profiles")
    (folder / "config" / "quick.yaml").write_text("profile: quick\nvalue: 1\n")
    (folder / "config" / "schema.yaml").write_text("type: object\n")
    (folder / "open").touch()
    return folder


def close_gate(folder):
    """Make the first step wait, and return a file descriptor that is readable once it does."""
    (folder / "open").unlink()
    for name in ("ready", "gate"):
        os.mkfifo(folder / name)
    return os.open(folder / "ready", os.O_RDWR | os.O_NONBLOCK)


def wait_at_gate(ready, process):
    """Wait until the first step has begun."""
    begun, _, _ = select.select([ready], [], [], 120)
    os.close(ready)
    assert begun and process.poll() is None


class Terminal:
    """A pseudo-terminal in which `ezdl run` is started."""

    def __init__(self, folder, columns=80, lines=24, environment=(), arguments=()):
        self.master, slave = pty.openpty()
        self.resize(columns, lines, slave)
        self.process = subprocess.Popen(
            [SCRIPTS / "ezdl", "run", "--cores", "1", *arguments],
            cwd=folder,
            env=os.environ | {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | dict(environment),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.text = ""

    def resize(self, columns, lines, handle=None):
        """Change the size of the terminal."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.master if handle is None else handle, termios.TIOCSWINSZ, size)

    def type(self, text):
        """Type something, such as Ctrl-C."""
        os.write(self.master, text.encode())

    def read_until(self, condition, seconds=60):
        """Read until a function of the text returns something true, or the program ends."""
        end = time.monotonic() + seconds
        while not condition(self.text):
            assert time.monotonic() < end, self.text
            if select.select([self.master], [], [], 1)[0] and not self._read():
                break
        return self.text

    def read_to_end(self, seconds=120):
        """Return the exit code, and all that was printed."""
        self.read_until(lambda text: False, seconds)
        os.close(self.master)
        return self.process.wait(), self.text

    def _read(self):
        try:
            chunk = os.read(self.master, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.text += chunk.decode("utf-8", "replace")
        return bool(chunk)


def frames(text):
    """Return what was drawn between hiding and showing the cursor, as lists of lines."""
    drawn = [part.split(SHOW_CURSOR)[0] for part in text.split(HIDE_CURSOR)[1:]]
    # The lines of the frame before are erased from the last to the first.
    pieces = [piece for part in drawn for piece in re.split(r"(?:\r|\x1b\[\d*[AK])+", part)]
    return [ESCAPES.sub("", piece).replace("\r", "").split("\n") for piece in pieces if piece]
