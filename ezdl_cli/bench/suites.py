"""The suites: groups of benchmarks by name. A larger suite contains the smaller ones.

The functions are called in the process that measures the group. A group keeps its name in the
history: if it is changed to measure something else, it needs a new name.
"""

from functools import partial

from .groups.bench_coding import (
    codes_by_two_threads,
    landweber,
    lasso_codes,
    ormp_codes,
    reproduction_by_two_threads,
)
from .groups.bench_commands import compilation, warm_start
from .groups.bench_denoising import denoising_on_all_cores, denoising_on_one_core
from .groups.bench_gabor import gabor_fits, gabor_fits_by_two_threads
from .groups.bench_learning import learned_dictionaries, learning
from .groups.bench_projection import (
    gradient_and_sparseness,
    long_vector,
    long_vector_by_two_threads,
    short_vectors,
    short_vectors_by_two_threads,
)
from .groups.bench_restoration import restoration_on_all_cores, restoration_on_one_core
from .groups.bench_samples import sample_preparation
from .groups.bench_startup import startup

SOLVERS = ("auto", "newton_sqr", "newton", "halley", "bisection")
OURS_AND_PAPER = ("auto", "newton_sqr")
CLASSICS = ("hoyer", "potluru", "thom_palm")
LEARNERS = (
    "EZDL, sparseness 0.99",
    "EZDL, topographic 0.85",
    "ODL, lambda 2",
    "RLS-DLA, 4 nonzeros",
)

_SMOKE = {
    "projection, 2^20 entries": partial(long_vector, 20, solvers=OURS_AND_PAPER),
    "projection, rows of 256": partial(short_vectors, 256, 4096),
    "learning, 8 × 8": partial(learning, 8, LEARNERS),
    "codes, 4 nonzeros": partial(ormp_codes, 4),
    "Landweber, sparseness 0.99": partial(landweber, 0.99),
    "denoising, noise 25": partial(denoising_on_one_core, 96, 25.0),
    "restoration": partial(restoration_on_one_core, 64),
    "Gabor fits": gabor_fits,
    "start-up": startup,
    "learned": learned_dictionaries,
}
_STANDARD = {
    "projection, 2^24 entries": partial(long_vector, 24, solvers=OURS_AND_PAPER, classics=CLASSICS),
    "projection, 2^24 entries of float32": partial(long_vector, 24, "float32"),
    "projection, rows of 16": partial(short_vectors, 16, 32768, classics=CLASSICS),
    "projection, rows of 64 of float64": partial(
        short_vectors, 64, 8192, "float64", OURS_AND_PAPER, CLASSICS
    ),
    "projection, rows of 256 of float64": partial(
        short_vectors, 256, 2048, "float64", SOLVERS, CLASSICS
    ),
    "projection, rows of 4096": partial(short_vectors, 4096, 256, classics=CLASSICS),
    "projection by two threads, 2^20 entries": partial(long_vector_by_two_threads, 20),
    "projection by two threads, 30 000 rows of 256": partial(
        short_vectors_by_two_threads, 256, 30_000
    ),
    "around the projection": gradient_and_sparseness,
    "start of commands": warm_start,
    "samples": sample_preparation,
    "learning, 16 × 16": partial(learning, 16, LEARNERS),
    "codes, 16 nonzeros": partial(ormp_codes, 16),
    "codes, lambda 2": partial(lasso_codes, 2.0),
    "codes, lambda 0.5": partial(lasso_codes, 0.5),
    "Landweber, sparseness 0.75": partial(landweber, 0.75),
    "lasso by two threads": partial(codes_by_two_threads, "lasso"),
    "ORMP by two threads": partial(codes_by_two_threads, "ORMP"),
    "Landweber by two threads": partial(codes_by_two_threads, "Landweber"),
    "EZDL codes by two threads": partial(codes_by_two_threads, "EZDL"),
    "reproduction by two threads": reproduction_by_two_threads,
    "Gabor fits by two threads": gabor_fits_by_two_threads,
    "denoising, noise 5": partial(denoising_on_one_core, 96, 5.0, ("default",)),
    "denoising, noise 50": partial(denoising_on_one_core, 96, 50.0, ("default",)),
    "denoising of 256 × 256 on all cores": partial(denoising_on_all_cores, 256, 25.0),
    "denoising of 256 × 256 on all cores, noise 5": partial(denoising_on_all_cores, 256, 5.0),
    "denoising of 256 × 256 on all cores, noise 2.5": partial(denoising_on_all_cores, 256, 2.5),
    "denoising of 256 × 256 in colour on all cores": partial(
        denoising_on_all_cores, 256, 25.0, True
    ),
    "inpainting of 256 × 256 on all cores": partial(restoration_on_all_cores, "inpainting", 256),
    "upscaling to 256 × 256 on all cores": partial(restoration_on_all_cores, "upscaling", 256),
    "deblurring of 256 × 256 on all cores": partial(restoration_on_all_cores, "deblurring", 256),
}
_FULL = {
    "projection, 2^22 entries": partial(long_vector, 22, "float64", SOLVERS, CLASSICS),
    "projection, 2^26 entries": partial(long_vector, 26, solvers=OURS_AND_PAPER, classics=CLASSICS),
    "projection by two threads, 2^26 entries": partial(long_vector_by_two_threads, 26),
    "projection, 30 000 rows of 256": partial(short_vectors, 256, 30_000),
    "commands without compiled kernels": compilation,
    "all learners, 8 × 8": partial(learning, 8),
    "all learners, 16 × 16": partial(learning, 16),
    "denoising of 512 × 512 on all cores": partial(denoising_on_all_cores, 512, 25.0),
    "inpainting of 512 × 512 on all cores": partial(restoration_on_all_cores, "inpainting", 512),
    "upscaling to 512 × 512 on all cores": partial(restoration_on_all_cores, "upscaling", 512),
    "deblurring of 512 × 512 on all cores": partial(restoration_on_all_cores, "deblurring", 512),
}
SUITES = {"smoke": _SMOKE, "standard": _SMOKE | _STANDARD, "full": _SMOKE | _STANDARD | _FULL}
GROUPS = SUITES["full"]
