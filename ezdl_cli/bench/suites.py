"""What is measured, by suite: a larger one has all of a smaller one, measured in the same way.

A group is made, by its function here, in the process that measures it. Names say what is measured:
what gets another meaning needs another name, since it is compared with its past.
"""

from functools import partial

from .groups.bench_coding import landweber, lasso_codes, ormp_codes
from .groups.bench_denoising import on_all_cores, on_one_core
from .groups.bench_gabor import gabor
from .groups.bench_learning import learned_quality, learning
from .groups.bench_projection import around_it, long_vector, rows
from .groups.bench_samples import preparing
from .groups.bench_startup import starting

SOLVERS = ("auto", "newton_sqr", "newton", "halley", "bisection")
CLASSICS = ("hoyer", "potluru", "thom_palm")
LEARNERS = (
    "EZDL, sparseness 0.99",
    "EZDL, topographic 0.85",
    "ODL, lambda 2",
    "RLS-DLA, 4 nonzeros",
)

_SMOKE = {
    "projection, 2^20 entries": partial(long_vector, 20, solvers=("auto", "newton_sqr")),
    "projection, rows of 256": partial(rows, 256, 4096),
    "learning, 8 × 8": partial(learning, 8, LEARNERS),
    "codes, 4 nonzeros": partial(ormp_codes, 4),
    "Landweber, sparseness 0.99": partial(landweber, 0.99),
    "denoising, noise 25": partial(on_one_core, 96, 25.0),
    "Gabor fits": gabor,
    "start-up": starting,
    "learned": learned_quality,
}
_STANDARD = {
    "projection, 2^24 entries": partial(long_vector, 24, classics=CLASSICS),
    "projection, 2^24 entries of float32": partial(long_vector, 24, "float32"),
    "projection, rows of 16": partial(rows, 16, 32768, classics=CLASSICS),
    "projection, rows of 256 of float64": partial(rows, 256, 2048, "float64", SOLVERS, CLASSICS),
    "projection, rows of 4096": partial(rows, 4096, 256, classics=CLASSICS),
    "around the projection": around_it,
    "samples": preparing,
    "learning, 16 × 16": partial(learning, 16, LEARNERS),
    "codes, 16 nonzeros": partial(ormp_codes, 16),
    "codes, lambda 2": partial(lasso_codes, 2.0),
    "codes, lambda 0.5": partial(lasso_codes, 0.5),
    "Landweber, sparseness 0.75": partial(landweber, 0.75),
    "denoising, noise 5": partial(on_one_core, 96, 5.0, ("default",)),
    "denoising, noise 50": partial(on_one_core, 96, 50.0, ("default",)),
    "denoising of 256 × 256 on all cores": partial(on_all_cores, 256, 25.0),
}
_FULL = {
    "projection, 2^22 entries": partial(long_vector, 22, "float64", SOLVERS, CLASSICS),
    "projection, 2^26 entries": partial(long_vector, 26, classics=CLASSICS),
    "projection, 30 000 rows of 256": partial(rows, 256, 30_000),
    "all learners, 8 × 8": partial(learning, 8),
    "all learners, 16 × 16": partial(learning, 16),
    "denoising of 512 × 512 on all cores": partial(on_all_cores, 512, 25.0),
}
SUITES = {"smoke": _SMOKE, "standard": _SMOKE | _STANDARD, "full": _SMOKE | _STANDARD | _FULL}
GROUPS = SUITES["full"]
