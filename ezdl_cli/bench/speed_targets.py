"""The ratios of times that the package aims for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SpeedTarget:
    """An upper bound of the time of one candidate, relative to that of another one."""

    title: str
    group: str
    name: str
    other: str
    maximum: float

    def ratio(self, run):
        """Return the ratio in a run; None if it was not measured."""
        times = run["groups"].get(self.group, {}).get("times", {})
        return times.get(self.name, {}).get("ratios", {}).get(self.other)


_EZDL, _RLS_DLA = "EZDL, sparseness 0.99", "RLS-DLA, 4 nonzeros"
_LANDWEBER, _PRODUCTS = "Landweber, sparseness 0.99", "BLAS, the same products"
_BY_TWO = "projection by two threads, "
_LONG, _ROWS = "projection, 2^26 entries", "projection, rows of 64 of float64"
_THREADS = ("2 threads", "1 thread")
_DENOISING = "denoising of 256 × 256 on all cores"
_COLOURS = "denoising of 256 × 256 in colour on all cores"
_SIZE = "256 × 256 on all cores"
_THREADED = ("lasso", "ORMP", "Landweber", "EZDL codes", "reproduction", "Gabor fits")
# Goals of this project; 1/15 is the speed-up that the paper claims (P5).
SPEED_TARGETS = (
    SpeedTarget("projection ÷ np.copyto", "projection, 2^24 entries", "auto", "np.copyto", 3.0),
    SpeedTarget("projection ÷ np.copyto, 2^26", _LONG, "auto", "np.copyto", 2.4),
    SpeedTarget("projection ÷ Potluru's, n = 64", _ROWS, "auto", "potluru", 1.0),
    SpeedTarget("2 ÷ 1 threads, rows", f"{_BY_TWO}30 000 rows of 256", *_THREADS, 1 / 1.7),
    SpeedTarget("2 ÷ 1 threads, 2^20", f"{_BY_TWO}2^20 entries", *_THREADS, 1 / 1.7),
    SpeedTarget("projection ÷ np.sort", "projection, rows of 256", "auto", "np.sort", 1.0),
    SpeedTarget("projection ÷ Hoyer's", "projection, 2^22 entries", "auto", "hoyer", 1 / 15),
    SpeedTarget("EZDL ÷ SPAMS, 8 × 8", "learning, 8 × 8", _EZDL, "SPAMS", 1 / 8),
    SpeedTarget("EZDL ÷ SPAMS, 16 × 16", "learning, 16 × 16", _EZDL, "SPAMS", 1 / 7),
    SpeedTarget("RLS-DLA ÷ EZDL", "learning, 8 × 8", _RLS_DLA, _EZDL, 12.0),
    SpeedTarget("Landweber ÷ BLAS", _LANDWEBER, "Landweber", _PRODUCTS, 3.0),
    SpeedTarget("denoising ÷ bm3d", _DENOISING, "denoising", "bm3d", 0.6),
    SpeedTarget("denoising ÷ bm3d, colour", _COLOURS, "denoising", "bm3d", 0.6),
    SpeedTarget("denoising ÷ bm3d, σ = 5", f"{_DENOISING}, noise 5", "denoising", "bm3d", 0.5),
    SpeedTarget("denoising ÷ bm3d, σ = 2.5", f"{_DENOISING}, noise 2.5", "denoising", "bm3d", 0.5),
    SpeedTarget("inpainting ÷ denoising", f"inpainting of {_SIZE}", "inpainting", "denoising", 4.0),
    SpeedTarget("upscaling ÷ denoising", f"upscaling to {_SIZE}", "upscaling", "denoising", 2.5),
    SpeedTarget("deblurring ÷ denoising", f"deblurring of {_SIZE}", "deblurring", "denoising", 2.5),
    *(
        SpeedTarget(
            f"{name}, 2 threads ÷ 1", f"{name} by two threads", "2 threads", "1 thread", 1 / 1.7
        )
        for name in _THREADED
    ),
)


def measured_targets(run):
    """Return the targets that a run has measured, as pairs of target and ratio."""
    found = ((target, target.ratio(run)) for target in SPEED_TARGETS)
    return [(target, ratio) for target, ratio in found if ratio is not None]
