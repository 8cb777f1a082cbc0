"""Efficient dictionary learning with sparseness-enforcing projections (Thom, Rapp, Palm 2015).

Sparseness
    `sparseness`, `project` and `projection_gradient`.
Dictionary learning, as scikit-learn estimators
    `EZDL`, `ODL` and `RLSDLA`.
Sparse codes for a given dictionary
    `lasso` and `ormp`.
Images
    `read_grey`, `denoise`, `DenoisingPrior`, `estimate_noise`, `inpaint`, `upscale`, `deblur`,
    `reproduce`, `filter_responses`, and `default_dictionary`, which ships with the package.
Samples
    `extract_patches`, `fit_whitening`, and `Samples`, an array or a file of them.
Analysis
    `fit_gabor`.

All of them accept arrays, nested lists, and data frames of pandas, and return arrays. They compute
in float32 or float64: float32 stays what it is, float16 becomes float32, and all other types become
float64. Sparse matrices (TypeError) and masked entries (ValueError) are rejected.

Submodules are imported on first use, so that importing the package itself is fast.

>>> import ezdl_cli as ez
>>> float(ez.sparseness([3.0, 0.0, 0.0, 0.0]))
1.0
>>> ez.project([4.0, -3.0, 2.0, 1.0], sparseness=0.9, norm=1.0).round(3)
array([ 0.994, -0.106,  0.   ,  0.   ])
"""

from importlib import import_module

# Type checkers know this name; importing it from `typing` would take longer than all of the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .coding.image_filtering import filter_responses
    from .coding.lasso import lasso
    from .coding.ormp import ormp
    from .core.gradient import projection_gradient
    from .core.projection import project
    from .core.sparseness import sparseness
    from .gabor.fit import fit_gabor
    from .images.greyscale import read_grey
    from .io.dictionaries import default_dictionary
    from .learn.estimators import EZDL, ODL, RLSDLA
    from .restoration.deblurring import deblur
    from .restoration.denoising import denoise
    from .restoration.denoising_prior import DenoisingPrior
    from .restoration.inpainting import inpaint
    from .restoration.noise_estimate import estimate_noise
    from .restoration.reproduction import reproduce
    from .restoration.upscaling import upscale
    from .samples.patches import extract_patches
    from .samples.store import Samples
    from .samples.whitening import fit_whitening

    __version__: str

# The same for the interpreter, which imports them on first use.
_MODULES = {
    "DenoisingPrior": "restoration.denoising_prior",
    "EZDL": "learn.estimators",
    "ODL": "learn.estimators",
    "RLSDLA": "learn.estimators",
    "Samples": "samples.store",
    "deblur": "restoration.deblurring",
    "default_dictionary": "io.dictionaries",
    "denoise": "restoration.denoising",
    "estimate_noise": "restoration.noise_estimate",
    "extract_patches": "samples.patches",
    "filter_responses": "coding.image_filtering",
    "fit_gabor": "gabor.fit",
    "fit_whitening": "samples.whitening",
    "inpaint": "restoration.inpainting",
    "lasso": "coding.lasso",
    "ormp": "coding.ormp",
    "project": "core.projection",
    "projection_gradient": "core.gradient",
    "read_grey": "images.greyscale",
    "reproduce": "restoration.reproduction",
    "sparseness": "core.sparseness",
    "upscale": "restoration.upscaling",
}

# Written out: type checkers do not execute expressions.
__all__ = [
    "EZDL",
    "ODL",
    "RLSDLA",
    "DenoisingPrior",
    "Samples",
    "deblur",
    "default_dictionary",
    "denoise",
    "estimate_noise",
    "extract_patches",
    "filter_responses",
    "fit_gabor",
    "fit_whitening",
    "inpaint",
    "lasso",
    "ormp",
    "project",
    "projection_gradient",
    "read_grey",
    "reproduce",
    "sparseness",
    "upscale",
]

if not TYPE_CHECKING:  # checkers would take every name for one of the package

    def __getattr__(name):
        if name == "__version__":
            from importlib.metadata import version

            return version("ezdl")
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return list(_MODULES)
