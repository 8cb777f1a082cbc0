"""Synthetic runs of the benchmarks, as in a history file."""

import copy

import numpy as np

TIME = {"least": 1.0, "spread": 0.01, "turns": 9}
RUN = {
    "format": 1,
    "time": "2026-01-01T03:00:00+00:00",
    "suite": "smoke",
    "machine": {"id": "here", "processor": "synthetic", "cores": 2},
    "versions": {"ezdl": "0.1.0", "numpy": "2.0"},
    "commit": "a" * 40,
    "seconds": 12.0,
    "load": 0.5,
    "groups": {
        "sorting": {
            "about": "Rows are <sorted>.",
            "things": "row",
            "times": {
                "ours": {"kind": "ours", "median": 2.0, **TIME},
                "np.sort": {"kind": "limit", "median": 1.0, **TIME},
                "BLAS": {"kind": "limit", "median": 4.0, **TIME},
                "SPAMS <b>": {"kind": "peer", "median": 8.0, **TIME},
            },
            "qualities": {
                "SSIM": {"value": 0.9, "unit": "SSIM", "peer": None},
                "theirs": {"value": 0.8, "unit": "SSIM", "peer": "SPAMS"},
            },
        }
    },
}


def synthetic_run(number=0, slower=1.0, noise=0.0, quality=0.9, machine="here", **limits):
    """Return a run; `slower` multiplies our time, and `limits` those of the limits."""
    run = copy.deepcopy(RUN)
    run["time"] = f"2026-01-{1 + number % 28:02}T03:00:00+00:00"
    run["machine"]["id"] = machine
    group = run["groups"]["sorting"]
    rng = np.random.default_rng(number)
    for name, one in group["times"].items():
        one["median"] *= float(np.exp(noise * rng.standard_normal()))
        one["median"] *= limits.get(name.replace("np.", ""), 1.0)
    ours = group["times"]["ours"]
    ours["median"] *= slower
    others = {name: one["median"] for name, one in group["times"].items() if one is not ours}
    ours["ratios"] = {name: ours["median"] / median for name, median in others.items()}
    group["qualities"]["SSIM"]["value"] = quality
    return run


def synthetic_runs(count, noise=0.03, **options):
    """Return runs of an unchanged program on a noisy machine."""
    return [synthetic_run(number, noise=noise, **options) for number in range(count)]
