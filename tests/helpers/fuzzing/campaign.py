"""Run commands on damaged files and check how they respond."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from helpers.written_files import contents, is_temporary, what_is_damaged

SERVER = Path(__file__).with_name("server.py")
SECONDS = 10  # of CPU time
BYTES = 3 << 30
OUTPUT = (".stdout", ".stderr")


class Server:
    """Client of the process in `server.py`, which runs commands."""

    def __init__(self):
        command = [sys.executable, str(SERVER)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def run(self, folder, arguments, here=False):
        """Run `ezdl` in a folder; return the exit code, resources used and output."""
        out, err = (folder / name for name in OUTPUT)
        wanted = {
            "folder": str(folder),
            "arguments": [str(word) for word in arguments],  # JSON escapes what is not valid text
            "stdout": str(out),
            "stderr": str(err),
            "seconds": SECONDS,
            "bytes": BYTES,
            "here": here,
        }
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        texts = [path.read_bytes().decode("utf-8", "replace") for path in (out, err)]
        for path in (out, err):
            path.unlink()
        command = " ".join(wanted["arguments"])
        return answer | {"out": texts[0], "err": texts[1], "command": command}

    def close(self):
        """Terminate the process."""
        with self.process:
            self.process.stdin.close()


@dataclass
class Tally:
    """Statistics of the damaged files of one kind."""

    files: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: str = ""
    mib: float = 0.0
    wrong: list = field(default_factory=list)

    def add(self, answer, wrong):
        """Count a file; `wrong` describes what is wrong with the response, if anything."""
        self.files += 1
        self.refused += answer["code"] == 2
        if answer["seconds"] > self.seconds:
            self.seconds, self.slowest = answer["seconds"], answer["command"]
        self.mib = max(self.mib, answer["mib"])
        if wrong:
            self.wrong.append(wrong)

    def numbers(self, kind):
        """Return a row of the summary."""
        return kind, self.files, self.refused, len(self.wrong), self.seconds, self.mib, self.slowest


def what_is_wrong(answer, folder, before, codes):
    """Return what is wrong with the response of a command, or None.

    Parameters
    ----------
    answer : dict
        Returned by `Server.run`.
    folder : Path
        Where the command ran.
    before : dict
        Contents of the folder before.
    codes : tuple of int
        Exit codes of a successful command.
    """
    code, after = answer["code"], contents(folder, OUTPUT)
    if "Traceback" in answer["err"] + answer["out"]:
        return "a traceback"
    if code == 2:
        if (
            answer["out"]
            or answer["err"].count("\n") != 1
            or not answer["err"].startswith("ezdl: ")
        ):
            return "not one line"
        return "files have changed" if after != before else None
    if code not in codes:
        return f"exit code {code}"
    lost = [name for name in before if name not in after and not name.endswith(".checkpoint.npz")]
    if lost:
        return f"lost {lost}"
    if "executed" in after or any(map(is_temporary, after)):
        return "something was executed, or a temporary file left behind"
    for name in after.keys() - before.keys():
        reason = what_is_damaged(folder / name)
        if reason:
            return f"{name} was written: {reason}"
    return None
