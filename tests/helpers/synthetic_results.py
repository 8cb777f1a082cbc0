"""Synthetic results of the pipeline by which every claim of the paper is reproduced."""

import csv

import numpy as np
import pytest

from ezdl_cli.claims import CLAIMS, findings
from ezdl_cli.claims.claim import judge
from ezdl_cli.claims.evidence import Evidence
from ezdl_cli.figures import FIGURES, stem

IDS = (
    *("P1", "P2", "P3", "P4", "P5", "P6"),
    *("D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12"),
    *("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"),
    *("S1", "S2", "S3", "S4", "S5", "S6"),
    *("N1", "N2", "N3"),
)
YES, NO, OPEN = "reproduced", "not reproduced", "not measured"
# Columns of the parameters that tell the curves of a summary apart, and of the abscissa.
COLUMNS = {
    "iterations": ("sigma_h", "sigma_i", "iterations"),
    "ezdl": ("sigma_h", "sigma_i"),
    "odl": ("lambda", "sigma_i"),
    "rls-dla": ("zeta", "sigma_i"),
    "envelopes": ("algorithm", "sigma_i"),
    "history": ("algorithm", "eta0", "epoch"),
    "gabor": ("parameter", "sigma_h"),
    "denoising": ("algorithm", "sigma"),
}
MODEL = ("sigma_h", "inference", "atom_rank", "whitened")
EMPTY = np.nan
EZDL, ODL, RLS_DLA, SPAMS = (
    ("ezdl", "ezdl", 0.99, EMPTY, EMPTY),
    ("ezdl", "odl", EMPTY, 2, EMPTY),
    ("ezdl", "rls-dla", EMPTY, EMPTY, 4),
    ("spams", "odl", EMPTY, 2, EMPTY),
)
"""Implementation, algorithm, sigma_h, lambda and zeta of learners whose epochs are timed."""


class Results:
    """Numbers that the pipeline would write; a test changes some of them."""

    def __init__(self):
        exponents = (4, 16, 20, 30)
        self.evaluations = {
            "bisection": {e: 2.0 * e for e in exponents},
            "newton": dict.fromkeys(exponents, 7.0) | {30: 11.0},
            "halley": dict.fromkeys(exponents, 6.0) | {30: 9.0},
            "newton_sqr": dict.fromkeys(exponents, 4.5),
        }
        ours = {e: 2.0 ** (e - 30) for e in exponents}
        self.seconds = {"auto": dict(ours), "newton_sqr": dict(ours)}
        for classic in ("hoyer", "potluru", "thom_palm"):
            self.seconds[classic] = {e: 20.0 * seconds for e, seconds in ours.items()}
        self.extra_mib = {name: dict.fromkeys(exponents, 0.25) for name in ("auto", "newton_sqr")}
        self.curves = {
            "iterations": _iterations(),
            "ezdl": _over_sparseness((0.75, 0.85, 0.95, 0.99)),
            "odl": _over_sparseness((0.5, 1, 1.5, 2)),
            "rls-dla": _over_sparseness((32, 16, 8, 4)),
            "envelopes": {
                (name,): {0.5: 0.95 + shift, 0.99: 0.75 + shift}
                for name, shift in (("ezdl", 0.01), ("odl", 0.0), ("rls-dla", 0.005))
            },
            "history": _history(),
            "gabor": {
                ("f",): {0.7: 0.2, 0.8: 0.15, 0.9: 0.1, 0.99: 0.05},
                ("sigma_x",): {0.7: 1.0, 0.8: 1.5, 0.9: 2.0, 0.99: 9.0},
                ("sigma_y",): {0.7: 1.0, 0.8: 4.0, 0.9: 5.0, 0.99: 6.0},
            },
            "denoising": {
                (name,): {2.5: 43.0 + shift, 5: 40.0 + shift, 50: 28.0 + shift}
                for name, shift in (("ezdl", 0.1), ("odl", 0.0), ("rls-dla", 0.05))
            },
        }
        self.stderr_seeds = 0.0005
        self.n_seeds = 4
        self.phases = {
            0.75: [0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4],
            0.99: [0.3, 0.05, 0.05, 0.1, 0.05, 0.05, 0.1, 0.3],
        }
        self.atoms = {
            **{(at, "ordinary", EMPTY, 0): _atoms() for at in (0.7, 0.8, 0.85, 0.9, 0.99)},
            (0.85, "ordinary", EMPTY, 1): _atoms(mean_f=0.05),
            (0.85, "topographic", EMPTY, 0): _atoms(),
            (0.85, "topographic", EMPTY, 1): _atoms(mean_f=0.05),
            (0.85, "ordinary", 1, 0): _atoms(),
            (0.85, "topographic", 1, 0): _atoms(mean_spectral_centroid=0.1),
        }
        self.layouts = {
            name: {"neighbours": (0.6, 12.0), "rows and columns": (0.5, 6.0), "all pairs": (0.3, 0)}
            for name in ("topographic", "rank")
        }
        self.resemblance = {
            0: {"median_cosine": 0.3, "min_cosine": 0.1, "median_shuffled": 0.2},
            1: {"median_cosine": 0.7, "min_cosine": 0.1, "median_shuffled": 0.2},
        }
        self.epochs = {
            (side, learner): seconds
            for side in (8, 16)
            for learner, seconds in zip((EZDL, ODL, RLS_DLA), (0.1, 0.2, 0.5), strict=True)
        }
        self.n_atoms, self.samples_per_epoch = 256, 30_000

    def write(self, folder):
        """Write the tables in the layout of the pipeline."""
        for path, table in self._tables():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with open(folder / path, "w", newline="", encoding="utf-8") as stream:
                rows = zip(*table.values(), strict=True)
                csv.writer(stream).writerows([table, *map(_cells, rows)])
        return folder

    def _tables(self):
        yield _path("evaluations"), _long(self.evaluations, "solver", "mean")
        speedups = _long(self.seconds, "algorithm", "seconds")
        extra = [self.extra_mib.get(name, {}) for name in speedups["algorithm"]]
        exponents = [int(np.log2(n)) for n in speedups["n"]]
        values = [mib.get(e, np.nan) for mib, e in zip(extra, exponents, strict=True)]
        yield _path("speedups"), speedups | {"extra_mib": values}
        for name, curves in self.curves.items():
            rows = [
                (*curve, x, y, self.stderr_seeds, self.n_seeds)
                for curve, points in curves.items()
                for x, y in points.items()
            ]
            yield _path(name), _columns((*COLUMNS[name], "mean", "stderr_seeds", "n_seeds"), rows)
        shares = [(at, share) for at, bins in self.phases.items() for share in bins]
        yield _path("phases"), _columns(("sigma_h", "share"), shares)
        if self.atoms:
            rows = [(*model, 0, *statistics.values()) for model, statistics in self.atoms.items()]
            yield _path("atoms"), _columns((*MODEL, "seed", *_atoms()), rows)
        rows = [
            (0.85, inference, EMPTY, 1, 0, pairs, *numbers)
            for inference, layout in self.layouts.items()
            for pairs, numbers in layout.items()
        ]
        yield _path("layout"), _columns((*MODEL, "seed", "pairs", "similarity", "score"), rows)
        rows = [(0, epoch, *numbers.values()) for epoch, numbers in self.resemblance.items()]
        names = ("seed", "epoch", "median_cosine", "min_cosine", "median_shuffled")
        yield _path("resemblance"), _columns(names, rows)
        size = (self.n_atoms, self.samples_per_epoch, "ordinary", EMPTY)
        rows = [(side**2, *size, *learner, time) for (side, learner), time in self.epochs.items()]
        names = ("n_features", "n_atoms", "samples_per_epoch", "inference", "atom_rank")
        names += ("implementation", "algorithm", "sigma_h", "lambda", "zeta", "seconds")
        yield "tables/epochs.csv", _columns(names, rows)


def verdicts(*sources):
    """The verdict on each claim."""
    return {finding.claim.id: finding.verdict for finding in findings(sources)}


def by_cases(cases):
    """Parametrize a test by cases: id of a claim, what differs, the change, and the verdict."""
    return pytest.mark.parametrize(
        ("identifier", "change", "expected"),
        [(case[0], *case[2:]) for case in cases],
        ids=[f"{case[0]}: {case[1]}" for case in cases],
    )


def verdict_after(folder, identifier, change):
    """The verdict on a claim after a change of the results."""
    results = Results()
    change(results)
    return judge(claim(identifier), Evidence([results.write(folder)])).verdict


def claim(identifier):
    """The claim with this id."""
    return next(one for one in CLAIMS if one.id == identifier)


def _cells(row):
    return ["" if cell != cell else cell for cell in row]


def _path(name):
    return f"figures/{stem(name)}.csv" if name in FIGURES else f"summaries/{name}.csv"


def _columns(names, rows):
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _long(numbers, name, value):
    rows = [(1 << e, one, y) for one, curve in numbers.items() for e, y in curve.items()]
    return _columns(("n", name, value), rows)


def _iterations():
    quality = {(0.75, 0.75): 0.995, (0.75, 0.85): 0.97, (0.85, 0.75): 0.996, (0.85, 0.85): 0.98}
    return {
        pair: {1: end - 0.2, 10: end - 0.02, 100: end, 200: end + 0.001}
        for pair, end in quality.items()
    }


def _over_sparseness(values):
    """Curves of which the last is best at large and worst at small sparseness."""
    return {
        (value,): {
            0.5: 0.95 - 0.002 * i,
            0.8: 0.93,
            0.925: 0.85,
            0.975: 0.8 + 0.002 * i,
            0.99: 0.75 + 0.003 * i,
        }
        for i, value in enumerate(values)
    }


def _history():
    odl = {1: 0.7, 5: 0.75, 10: 0.76, 20: 0.77, 100: 0.78, 1000: 0.785}
    return {
        ("odl", EMPTY): odl,
        ("rls-dla", EMPTY): dict(odl),
        ("ezdl", 1): odl | {1: 0.65, 5: 0.6},
        ("ezdl", 0.25): odl | {1: 0.68},
        ("ezdl", 0.0625): {epoch: ssim + 0.001 for epoch, ssim in odl.items()},
    }


def _atoms(**changed):
    return {
        "median_r2": 0.9,
        "mean_f": 0.1,
        "mean_capped_sigma_x": 9.0,
        "mean_capped_sigma_y": 6.0,
        "mean_spectral_centroid": 0.2,
        "share_paraxial": 0.95,
        "max_rank_ratio": 1e-8,
    } | changed
