"""Measure one group in a process of its own and print the results as a line of JSON.

    python -m ezdl_cli.bench.worker GROUP

A separate process uses one thread unless the group says otherwise, has nothing in memory from other
groups, and can be killed at any time. It exits when its standard input ends, that is, when the
process that has started it is gone.
"""

import json
import os
import sys
import threading

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "BLIS")}
ONE_THREAD["EZDL_THREADS"] = "1"


def main():
    """Measure the group that the command line names."""
    os.environ.update(ONE_THREAD)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    # Other programs may print: redirect that to standard error, and keep standard output for JSON.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from .suites import GROUPS

    group = GROUPS[sys.argv[1]]()
    json.dump(group.measure(), answer)
    answer.flush()


def _exit_with_parent():
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
