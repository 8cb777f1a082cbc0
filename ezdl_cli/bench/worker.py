"""Measure one group in a process of its own; the result is a line of JSON on standard output.

    python -m ezdl_cli.bench.worker GROUP

A process of its own has one thread where the group does not say otherwise, nothing in memory from
the groups before, and can be ended at any moment. It ends by itself when its standard input does,
that is, when the process that has started it is gone.
"""

import json
import os
import sys
import threading

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "BLIS")}
ONE_THREAD["EZDL_THREADS"] = "1"


def main():
    """Measure the group that is named."""
    os.environ.update(ONE_THREAD)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Other programs may write to standard output; it is ours alone.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from .suites import GROUPS

    group = GROUPS[sys.argv[1]]()
    json.dump(group.measure(), answer)
    answer.flush()


def _end_with_parent():
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
