"""Run `ezdl` commands in forks of a process that has all modules and kernels loaded.

Each line of JSON on standard input is a request, answered by a line of JSON on standard output.
Time and memory of a command are limited. A request with "here" runs in this process itself, so that
later forks share the modules and kernels that it loads.
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
"""Limit of the elapsed time, as a multiple of the CPU time, for a busy machine."""


def serve():
    """Process requests until the end of the input."""
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        wanted = json.loads(line)
        answer = run_here(wanted) if wanted.get("here") else run_in_fork(wanted)
        print(json.dumps(answer), file=answers, flush=True)


def run_in_fork(wanted):
    """Return the exit code (negative: a signal), CPU seconds, and peak memory in MiB."""
    process = os.fork()
    if process == 0:
        os._exit(child(wanted))
    # RLIMIT_CPU does not end a process that waits.
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
    """Run a command with limited resources; called in a fork."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CPU, (wanted["seconds"],) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (used + wanted["bytes"],) * 2)
    try:
        return run_here(wanted)["code"]
    except BaseException:  # exceptions that `ezdl` does not catch are what the tests look for
        import traceback

        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def run_here(wanted):
    """Run a command in this process, with its output in files."""
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
