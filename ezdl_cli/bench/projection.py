"""Speed of the projection, one thread, as ratios within one run.

    python -m ezdl_cli.bench.projection

The limits: `np.copyto` of the same vector for long vectors in place, `np.sort` along the rows for
a batch of short ones, and the classic projections for every length. Contenders take turns, the
least time of each counts.
"""

import argparse
import resource

import numpy as np

from ..core.classics import CLASSICS
from ..core.projection import project
from ..core.target import Target
from ..timing import least_times

ENTRIES = 1 << 20  # short vectors are projected together, so many entries of them


def random_rows(m, n, random):
    """Uniform vectors projected to a sparseness of 0.5, as in the paper's Fig. 5."""
    rows = random.random((m, n))
    return project(rows, 0.5, norm=1.0, out=rows)


def against_copying(exponent, random, repeats):
    """Time of the projection to 0.9 in place over that of `np.copyto`."""
    x = random_rows(1, 1 << exponent, random)[0]
    work = np.empty_like(x)

    def refill():
        np.copyto(work, x)

    times = least_times(
        {
            "copyto": (refill, refill),
            "project": (refill, lambda: project(work, 0.9, norm=1.0, out=work)),
        },
        repeats,
    )
    return times["project"] / times["copyto"]


def against_classics(exponent, random, repeats):
    """Time of each classic over that of the projection, all in place."""
    n = 1 << exponent
    x = random_rows(max(1, ENTRIES // n), n, random)
    work = np.empty_like(x)
    target = Target.of(n, 0.9)

    def refill():
        np.copyto(work, x)

    contenders = {"project": (refill, lambda: project(work, 0.9, norm=1.0, out=work))}
    for name, classic in CLASSICS.items():
        contenders[name] = (refill, lambda classic=classic: classic(work, work, target, 1.0))
    times = least_times(contenders, repeats)
    return {name: times[name] / times["project"] for name in CLASSICS}


def against_sorting(random, repeats, law):
    """Time of the projection of 30 000 float32 rows of 256 over that of sorting them."""
    draw = random.standard_normal if law == "normal" else random.random
    x = draw((30000, 256), dtype=np.float32)
    out = np.empty_like(x)

    def nothing():
        pass

    times = least_times(
        {
            "sort": (nothing, lambda: np.sort(x, axis=1)),
            "project": (nothing, lambda: project(x, 0.9, out=out)),
        },
        repeats,
    )
    return times["project"] / times["sort"]


def extra_memory(exponent, random):
    """Growth of the peak resident memory by a projection in place, in MiB."""
    x = random_rows(1, 1 << exponent, random)[0]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    project(x, 0.9, norm=1.0, out=x)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024.0


def main():
    """Print all ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=24, help="largest n, as exponent of two")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    for exponent in sorted({min(24, options.largest), options.largest}):
        print(f"n = 2^{exponent}, float64, in place, sparseness 0.5 -> 0.9")
        print(f"  project / np.copyto   {against_copying(exponent, random, options.repeats):6.2f}")
        print(f"  extra memory in MiB   {extra_memory(exponent, random):6.2f}")
    print("30 000 rows of 256, float32, sparseness 0.9")
    for law in ("normal", "uniform"):
        ratio = against_sorting(random, options.repeats, law)
        print(f"  project / np.sort     {ratio:6.2f}  ({law})")
    print(f"{'classic / project':>24}" + "".join(f"{name:>12}" for name in CLASSICS))
    for exponent in range(2, options.largest + 1):
        ratios = against_classics(exponent, random, options.repeats)
        print(f"{f'n = 2^{exponent}':>24}" + "".join(f"{v:12.2f}" for v in ratios.values()))


if __name__ == "__main__":
    main()
