"""Made-up results of the pipeline, for which every claim of the paper is reproduced."""

import csv

import numpy as np
import pytest

from ezdl_cli.claims import CLAIMS, findings
from ezdl_cli.claims.claim import judge
from ezdl_cli.claims.evidence import Evidence
from ezdl_cli.figures import stem

IDS = (
    *("P1", "P2", "P3", "P4", "P5", "P6"),
    *("D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12"),
    *("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"),
    *("S1", "S2", "S3", "S4", "S5", "S6"),
    *("N1", "N2", "N3"),
)
YES, NO, OPEN = "reproduced", "not reproduced", "not measured"
ORDINATES = {"gabor": "mean", "denoising": "psnr_final"}
LEARNERS = ("EZDL, sparseness 0.99", "ODL, lambda 2", "RLS-DLA, 4 nonzeros")
N_ATOMS = 20


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
            "ezdl": _over_sparseness("sigma_H", (0.75, 0.85, 0.95, 0.99)),
            "odl": _over_sparseness("lambda", (0.5, 1, 1.5, 2), 0.5),
            "rls-dla": _over_sparseness("zeta", (32, 16, 8, 4)),
            "envelopes": {
                name: {0.5: 0.95 + shift, 0.99: 0.75 + shift}
                for name, shift in (("ezdl", 0.01), ("odl", 0.0), ("rls-dla", 0.005))
            },
            "history": _history(),
            "gabor": {
                "f": {0.7: 0.2, 0.8: 0.15, 0.9: 0.1, 0.99: 0.05},
                "sigma_x": {0.7: 1.0, 0.8: 1.5, 0.9: 2.0, 0.99: 9.0},
                "sigma_y": {0.7: 1.0, 0.8: 4.0, 0.9: 5.0, 0.99: 6.0},
            },
            "denoising": {
                name: {2.5: 43.0 + shift, 5: 40.0 + shift, 50: 28.0 + shift}
                for name, shift in (("ezdl", 0.1), ("odl", 0.0), ("rls-dla", 0.05))
            },
        }
        self.deviation = 0.001
        self.repeats = 5
        self.phases = {
            0.75: [0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4],
            0.99: [0.3, 0.05, 0.05, 0.1, 0.05, 0.05, 0.1, 0.3],
        }
        self.fits = {
            **{f"gabor-{at:g}": _fits(at) for at in (0.7, 0.8, 0.85, 0.9, 0.99)},
            "whitened": _fits(0.85, f=0.05),
            "topographic": _fits(0.85),
            "whitened-topographic": _fits(0.85, f=0.05),
            "rank1-ordinary": _fits(0.85),
            "rank1-topographic": _fits(0.85, spectral_centroid=0.1),
        }
        self.layouts = {
            name: {"neighbours": (0.6, 12.0), "rows and columns": (0.5, 6.0), "all pairs": (0.3, 0)}
            for name in ("whitened-topographic", "whitened-rank")
        }
        self.resemblance = {
            0: {"cosine": [0.3] * 3, "shuffled_cosine": [0.2] * 3},
            1: {"cosine": [0.7] * 3, "shuffled_cosine": [0.2] * 3},
        }
        self.epochs = {
            (side, name): seconds
            for side in (8, 16)
            for name, seconds in zip(LEARNERS, (0.1, 0.2, 0.5), strict=True)
        }
        self.n_atoms, self.samples_per_epoch = 256, 30_000

    def write(self, folder):
        """Write the tables as the pipeline lays them out."""
        for path, table in self._tables():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with open(folder / path, "w", newline="", encoding="utf-8") as stream:
                rows = zip(*table.values(), strict=True)
                csv.writer(stream).writerows([table, *map(_cells, rows)])
        return folder

    def _tables(self):
        yield _drawn("evaluations"), _long(self.evaluations, "solver", "mean")
        speedups = _long(self.seconds, "algorithm", "seconds")
        extra = [self.extra_mib.get(name, {}) for name in speedups["algorithm"]]
        exponents = [int(np.log2(n)) for n in speedups["n"]]
        values = [mib.get(e, np.nan) for mib, e in zip(extra, exponents, strict=True)]
        yield _drawn("speedups"), speedups | {"extra_mib": values}
        for name, curves in self.curves.items():
            yield _drawn(name), self._points(curves, ORDINATES.get(name, "ssim"))
        shares = [(at, share) for at, all_of in self.phases.items() for share in all_of]
        yield _drawn("phases"), _columns(("sparseness", "share"), shares)
        for name, table in self.fits.items():
            yield f"tables/gabor/{name}_0.csv", table
        for name, layout in self.layouts.items():
            rows = [(pairs, *numbers) for pairs, numbers in layout.items()]
            table = _columns(("pairs", "similarity", "score"), rows)
            yield f"tables/topography/{name}_0.csv", table
        rows = [
            (epoch, *pair)
            for epoch, columns in self.resemblance.items()
            for pair in zip(columns["cosine"], columns["shuffled_cosine"], strict=True)
        ]
        table = _columns(("epochs", "cosine", "shuffled_cosine"), rows)
        yield "tables/resemblance/gabor-0.85_0.csv", table
        about = (self.n_atoms, self.samples_per_epoch)
        rows = [(side**2, *about, name, time) for (side, name), time in self.epochs.items()]
        names = ("n_features", "n_atoms", "samples_per_epoch", "learner", "seconds")
        yield "tables/epochs.csv", _columns(names, rows)

    def _points(self, curves, ordinate):
        rows = [
            (name, x, y, self.deviation, self.repeats)
            for name, curve in curves.items()
            for x, y in curve.items()
        ]
        return _columns(("curve", "abscissa", ordinate, "deviation", "dictionaries"), rows)


def verdicts(*folders):
    """The verdict on each claim."""
    return {finding.claim.id: finding.verdict for finding in findings(folders)}


def by_cases(cases):
    """A test for each case: the id of a claim, what is different, the change, and the verdict."""
    return pytest.mark.parametrize(
        ("identifier", "change", "expected"),
        [(case[0], *case[2:]) for case in cases],
        ids=[f"{case[0]}: {case[1]}" for case in cases],
    )


def verdict_after(folder, identifier, change):
    """The verdict on a claim after a change of the results; those on the others do not matter."""
    results = Results()
    change(results)
    return judge(claim(identifier), Evidence([results.write(folder)])).verdict


def claim(identifier):
    """The claim of this id."""
    return next(one for one in CLAIMS if one.id == identifier)


def _cells(row):
    return ["" if cell != cell else cell for cell in row]


def _drawn(figure):
    return f"figures/{stem(figure)}.csv"


def _columns(names, rows):
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _long(numbers, name, value):
    rows = [(1 << e, one, y) for one, curve in numbers.items() for e, y in curve.items()]
    return _columns(("n", name, value), rows)


def _iterations():
    quality = {0.75: {0.75: 0.995, 0.85: 0.97}, 0.85: {0.75: 0.996, 0.85: 0.98}}
    return {
        f"sigma_H={own:g} sigma_I={wanted:g}": {
            1: end - 0.2,
            10: end - 0.02,
            100: end,
            200: end + 0.001,
        }
        for own, ends in quality.items()
        for wanted, end in ends.items()
    }


def _over_sparseness(symbol, values, low=0.5):
    """Curves of which the last is best at the largest sparseness, and worst at the least."""
    return {
        f"{symbol}={value:g}": {
            low: 0.95 - 0.002 * i,
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
        "odl": odl,
        "rls-dla": dict(odl),
        "ezdl 1": odl | {1: 0.65, 5: 0.6},
        "ezdl 0.25": odl | {1: 0.68},
        "ezdl 0.0625": {epoch: ssim + 0.001 for epoch, ssim in odl.items()},
    }


def _fits(sparseness, **changed):
    columns = {
        "dictionary_sparseness": sparseness,
        "side": 16,
        "sigma_x": 9.0,
        "sigma_y": 6.0,
        "f": 0.1,
        "r2": 0.9,
        "reason": "",
        "spectral_centroid": 0.2,
        "axis_angle": 0.01,
        "rank_ratio": 1e-8,
    }
    return {name: [value] * N_ATOMS for name, value in (columns | changed).items()}
