"""Synthetic measurements of the pipeline by which every claim is reproduced."""

import csv
from itertools import product

import numpy as np
from helpers.synthetic_curves import (
    EMPTY,
    atom_rows,
    atoms_of_dictionaries,
    denoising_curves,
    history_curves,
    iterations_curves,
    restoration_curves,
    sparseness_curves,
)

MODEL = ("sigma_h", "inference", "atom_rank", "whitened")
SEEDS = (0, 1, 2)
IMAGES = ("a", "b", "c", "d", "e", "f")
SOLVERS = ("bisection", "newton", "halley", "newton_sqr")
CLASSICS = ("hoyer", "potluru", "thom_palm")
EXPONENTS = (4, 8, 12, 16, 20, 22, 24, 26, 28, 30)
PARAMETER = {"ezdl": "sigma_h", "odl": "lambda", "rls-dla": "zeta"}
EZDL, FULL, PLAIN, RANK1, ODL, RLS_DLA, SPAMS = (
    ("ezdl", "ezdl", 0.99, EMPTY, EMPTY, EMPTY, "short"),
    ("ezdl", "ezdl", 0.99, EMPTY, EMPTY, EMPTY, "full"),
    ("ezdl", "ezdl", 0.85, EMPTY, EMPTY, EMPTY, "short"),
    ("ezdl", "ezdl", 0.85, 1, EMPTY, EMPTY, "short"),
    ("ezdl", "odl", EMPTY, EMPTY, 2, EMPTY, ""),
    ("ezdl", "rls-dla", EMPTY, EMPTY, EMPTY, 4, ""),
    ("spams", "odl", EMPTY, EMPTY, 2, EMPTY, ""),
)
"""Implementation, algorithm, sigma_h, atom_rank, lambda, zeta and gradient of timed learners."""


class Results:
    """Numbers that the pipeline would measure; a test changes some of them.

    Every quantity is the same for all seeds and images unless `noise` or `image_effects` says
    otherwise, so that intervals have no width and limits can be tested exactly.
    """

    def __init__(self):
        self.seeds, self.images = SEEDS, IMAGES
        self.noise = {}  # standard deviation between seeds and images, by name of the curves
        self.image_effects = {}  # what an image adds to a curve, by (name of the curves, curve)
        self._projections()
        self.curves = {
            "iterations": iterations_curves(),
            "ezdl": sparseness_curves((0.75, 0.85, 0.95, 0.99), 0.006),
            "odl": sparseness_curves((0.5, 1, 1.5, 2), 0.002),
            "rls-dla": sparseness_curves((32, 16, 8, 4), 0.002),
            "full_gradient": {(0.99,): {0.99: 0.768}},
            "history": history_curves(),
            "denoising": denoising_curves("authors") | denoising_curves("ezdl"),
            "restoration": restoration_curves(),
        }
        self.ssim = {}  # SSIM of denoising; 0.02 × PSNR unless given
        self.atoms = atoms_of_dictionaries()
        self.layouts = {
            (inference, rank, whitened): {
                "neighbours": (0.6, 12.0),
                "rows and columns": (0.5, 6.0),
                "all pairs": (0.3, EMPTY),
                "checkerboards": (0.02, 4.0),
            }
            for inference, rank, whitened in (
                ("topographic", EMPTY, 1),
                ("rank", EMPTY, 1),
                ("topographic", 1, 0),
                ("topographic", EMPTY, 0),
            )
        }
        self.resemblance = {
            0: {"cosine": 0.3, "shuffled_cosine": 0.2},
            1: {"cosine": 0.7, "shuffled_cosine": 0.2},
        }
        self.activity = {
            (sigma_h, noise): {1: (never, 0.3), 20: (0, sigma_h - 0.02)}
            for sigma_h in (0.75, 0.99, 0.999)
            for noise, never in ((0, 8), (0.1, 0))
        }
        times = (0.1, 0.2, 0.1, 0.1, 0.2, 0.5)
        learners = (EZDL, FULL, PLAIN, RANK1, ODL, RLS_DLA)
        self.epochs = {
            (side, learner): seconds
            for side in (8, 16)
            for learner, seconds in zip(learners, times, strict=True)
        }
        self.n_atoms, self.samples_per_epoch = 256, 30_000
        self.filtering = {"separable": (0.1, 1e-7), "direct": (0.5, 0.0)}

    def _projections(self):
        self.evaluations = {
            "bisection": {e: 2.0 * e for e in EXPONENTS},
            "newton": dict.fromkeys(EXPONENTS, 7.0) | {30: 11.0},
            "halley": dict.fromkeys(EXPONENTS, 6.0) | {30: 9.0},
            "newton_sqr": dict.fromkeys(EXPONENTS, 4.5),
        }
        self.evaluations["newton"] |= {28: 10.0, 26: 9.0}
        self.evaluations["halley"] |= {28: 8.5, 26: 8.0}
        self.deviation = 0.0  # of evaluations and of their paired differences
        self.vectors = 1000
        self.bound_violations = 0
        ours = {e: 2.0 ** (e - 30) for e in EXPONENTS}
        self.seconds = {("optimised", "auto"): dict(ours)}
        for style in ("as published", "optimised"):
            self.seconds[style, "newton_sqr"] = dict(ours)
            self.seconds[style, "hoyer"] = {e: 40.0 * one for e, one in ours.items()}
            for classic in ("potluru", "thom_palm"):
                gain = {e: 2.0 - 0.5 * (e - 4) / 26 for e in EXPONENTS}
                self.seconds[style, classic] = {e: 40.0 / gain[e] * ours[e] for e in EXPONENTS}
        self.passes = dict.fromkeys(EXPONENTS, 5.5)
        self.extra_mib = {name: dict.fromkeys(EXPONENTS, 0.25) for name in ("auto", "newton_sqr")}
        self.properties = {name: 0 for name in ("sparseness", "order", "offset")}
        self.n_property_vectors = 100_000
        self.gradient = {
            e: (2.0 ** (e - 20), 1e-8 if e <= 8 else EMPTY) for e in (4, 8, 12, 16, 20)
        }

    def write(self, folder):
        """Write the tables in the layout of the pipeline."""
        for path, table in self._tables():
            if not table:
                continue
            target = folder / "tables" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "w", newline="", encoding="utf-8") as stream:
                rows = zip(*table.values(), strict=True)
                csv.writer(stream).writerows([table, *map(_cells, rows)])
        return folder

    def _tables(self):
        yield "evaluations.csv", self._evaluations_table()
        yield "speedups.csv", self._speedups_table()
        rows = [(16, self.n_property_vectors, *self.properties.values())]
        names = (f"{name}_violations" for name in self.properties)
        yield "properties.csv", _columns(("n", "vectors", *names), rows)
        rows = [(1 << e, *numbers) for e, numbers in self.gradient.items()]
        yield "gradient.csv", _columns(("n", "seconds", "relative_error"), rows)
        yield "reproduction/all.csv", self._quality_table(("ezdl", "odl", "rls-dla"))
        yield "full_gradient/all.csv", self._quality_table(("full_gradient",))
        yield "iterations/all.csv", self._iterations_table()
        yield "history/all.csv", self._history_table()
        yield "denoising/all.csv", self._denoising_table()
        yield "restoration/all.csv", self._restoration_table()
        if self.atoms:
            yield "gabor/all.csv", self._gabor_table()
        yield from self._structure_tables()

    def _structure_tables(self):
        rows = [
            (0.85, *model, seed, pairs, *numbers)
            for model, layout in self.layouts.items()
            for pairs, numbers in layout.items()
            for seed in self.seeds
        ]
        names = (*MODEL, "seed", "pairs", "similarity", "score")
        yield "topography/all.csv", _columns(names, rows)
        rows = [
            (seed, epoch, *numbers.values())
            for epoch, numbers in self.resemblance.items()
            for seed in self.seeds
        ]
        names = ("seed", "epoch", "cosine", "shuffled_cosine")
        yield "resemblance/all.csv", _columns(names, rows)
        rows = [
            (*model, seed, epoch, 256, *numbers)
            for model, epochs in self.activity.items()
            for epoch, numbers in epochs.items()
            for seed in self.seeds
        ]
        names = ("sigma_h", "noise", "seed", "epoch", "n_atoms", "never_active")
        yield "activity/all.csv", _columns((*names, "lifetime_sparseness"), rows)
        size = (self.n_atoms, self.samples_per_epoch, "ordinary")
        rows = [(side**2, *size, *learner, time) for (side, learner), time in self.epochs.items()]
        names = ("n_features", "n_atoms", "samples_per_epoch", "inference", "implementation")
        names += ("algorithm", "sigma_h", "atom_rank", "lambda", "zeta", "gradient", "seconds")
        yield "epochs.csv", _columns(names, rows)
        rows = [(16, method, *numbers) for method, numbers in self.filtering.items()]
        names = ("side", "method", "seconds", "relative_error")
        yield "filtering.csv", _columns(names, rows)

    def _evaluations_table(self):
        rows = []
        for solver, curve in self.evaluations.items():
            for e, mean in curve.items():
                others = [
                    mean - self.evaluations[one].get(e, EMPTY)
                    for one in ("bisection", "newton_sqr")
                ]
                checked = solver == "bisection" and e <= 16
                violations = (self.bound_violations, self.vectors) if checked else (EMPTY, EMPTY)
                differences = [number for one in others for number in (one, self.deviation)]
                numbers = (self.vectors, mean, self.deviation, mean + 1)
                rows.append((1 << e, solver, *numbers, *differences, *violations))
        names = ("n", "solver", "vectors", "mean", "standard_deviation", "mean_with_zero")
        names += ("minus_bisection", "minus_bisection_deviation")
        names += ("minus_newton_sqr", "minus_newton_sqr_deviation")
        return _columns((*names, "bound_violations", "bound_vectors"), rows)

    def _speedups_table(self):
        rows = []
        for (style, name), curve in self.seconds.items():
            extra = self.extra_mib.get(name, {}) if style == "optimised" else {}
            passes = self.passes if name == "newton_sqr" else {}
            rows += [
                (1 << e, style, name, seconds, extra.get(e, EMPTY), passes.get(e, EMPTY))
                for e, seconds in curve.items()
            ]
        names = ("n", "style", "algorithm", "seconds", "extra_mib", "passes")
        return _columns(names, rows)

    def _observations(self, name):
        """Yield curve, abscissa, seed, image and value of all curves with a name."""
        rng = np.random.default_rng(0)
        for curve, points in self.curves[name].items():
            effects = self.image_effects.get((name, curve), {})
            for x, mean in points.items():
                noise = rng.standard_normal((len(self.seeds), len(self.images)))
                noise = (noise - noise.mean()) * self.noise.get(name, 0.0)
                for (i, seed), (j, image) in product(enumerate(self.seeds), enumerate(self.images)):
                    yield curve, x, seed, image, mean + noise[i, j] + effects.get(image, 0.0)

    def _quality_table(self, names):
        rows = []
        for name in names:
            algorithm = name if name in PARAMETER else "ezdl"
            columns = list(PARAMETER.values())
            for (value,), sigma_i, seed, image, ssim in self._observations(name):
                parameters = [
                    value if column == PARAMETER[algorithm] else EMPTY for column in columns
                ]
                quality = (ssim, 10 + 30 * ssim)
                rows.append((algorithm, *parameters, seed, image, sigma_i, 100, *quality))
        names = ("algorithm", *PARAMETER.values(), "seed", "image", "sigma_i", "iterations")
        return _columns((*names, "ssim", "psnr"), rows)

    def _iterations_table(self):
        rows = [
            (*pair, count, seed, image, ssim)
            for pair, count, seed, image, ssim in self._observations("iterations")
        ]
        return _columns(("sigma_h", "sigma_i", "iterations", "seed", "image", "ssim"), rows)

    def _history_table(self):
        rows = [
            (*learner, epoch, seed, image, ssim)
            for learner, epoch, seed, image, ssim in self._observations("history")
        ]
        return _columns(("algorithm", "eta0", "epoch", "seed", "image", "ssim"), rows)

    def _denoising_table(self):
        rows = []
        for curve, sigma, seed, image, psnr in self._observations("denoising"):
            ssim = self.ssim.get((*curve, sigma), 0.02 * psnr)
            rows.append((*curve, sigma, seed, image, psnr, ssim))
        names = ("rules", "algorithm", "sigma", "seed", "image", "psnr_final", "ssim_final")
        return _columns(names, rows)

    def _restoration_table(self):
        rows = [
            (*curve, setting, seed, image, 28.0, psnr, 0.02 * psnr)
            for curve, setting, seed, image, psnr in self._observations("restoration")
        ]
        names = ("task", "algorithm", "setting", "seed", "image", "psnr_baseline", "psnr", "ssim")
        return _columns(names, rows)

    def _gabor_table(self):
        rows = []
        for model, statistics in self.atoms.items():
            for seed in self.seeds:
                rows += [(*model, seed, *atom) for atom in atom_rows(statistics, seed)]
        return _columns((*MODEL, "seed", *ATOM_COLUMNS), rows)


ATOM_COLUMNS = ("side", "f", "sigma_x", "sigma_y", "phi", "r2", "reason", "spectral_centroid")
ATOM_COLUMNS += ("spectral_peak", "filter_peak", "axis_angle", "rank_ratio")


def _cells(row):
    return ["" if cell != cell else cell for cell in row]


def _columns(names, rows):
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
