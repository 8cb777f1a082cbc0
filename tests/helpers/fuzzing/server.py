"""Runs `ezdl` again and again, each time in a fork of a process that has everything loaded.

Reads a line of JSON for each command from standard input, and answers with one on standard output.
A command is bounded in time and memory. With "here", it runs in this very process: so its modules
are imported and its kernels loaded, which all later forks share.
"""

import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

from ezdl_cli import cli

cli.prepare()

PATIENCE = 10
"""Times as long may a command take by the clock, on a machine that others use."""


def serve():
    """Run commands till the end of the input."""
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        wanted = json.loads(line)
        answer = run_here(wanted) if wanted.get("here") else run_in_fork(wanted)
        print(json.dumps(answer), file=answers, flush=True)


def run_in_fork(wanted):
    """Exit code (negative: the signal), seconds of the processor, peak of the memory in MiB."""
    process = os.fork()
    if process == 0:
        os._exit(child(wanted))
    # One that waits for something uses no time of the processor, and ends as well.
    deadline = time.monotonic() + PATIENCE * wanted["seconds"]
    while True:
        ended, status, usage = os.wait4(process, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(0.002)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "seconds": usage.ru_utime + usage.ru_stime,
        "mib": usage.ru_maxrss / 1024,
    }


def child(wanted):
    """Run a command in this process, which is only there for it."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CPU, (wanted["seconds"],) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (used + wanted["bytes"],) * 2)
    try:
        return run_here(wanted)["code"]
    except BaseException:  # what `ezdl` lets through is what is looked for
        import traceback

        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def run_here(wanted):
    """Run a command with its output in files."""
    before = os.getcwd()
    os.chdir(wanted["folder"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(wanted[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["ezdl", *wanted["arguments"]]
    try:
        cli.main()
    except SystemExit as end:
        return {"code": end.code or 0}
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.chdir(before)


if __name__ == "__main__":
    serve()
