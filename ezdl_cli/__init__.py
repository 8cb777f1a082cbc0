"""Efficient dictionary learning with sparseness-enforcing projections (Thom, Rapp, Palm 2015).

Sparseness
    `sparseness`, `project` and `projection_gradient`.
Dictionary learning, as scikit-learn estimators
    `EZDL`, `ODL` and `RLSDLA`.
Sparse codes for a given dictionary
    `lasso` and `ormp`.
Images
    `read_grey`, `denoise`, `DenoisingPrior`, `estimate_noise`, `reproduce`, `filter_responses`,
    and `default_dictionary`, which ships with the package.
Samples
    `extract_patches`, `fit_whitening`, and `Samples`, an array or a file of them.
Analysis
    `fit_gabor`.

Submodules are imported on first use, so that importing the package itself is fast.

>>> import ezdl_cli as ez
>>> ez.sparseness([3.0, 0.0, 0.0, 0.0])
1.0
>>> ez.project([4.0, -3.0, 2.0, 1.0], sparseness=0.9, norm=1.0).round(3)
array([ 0.994, -0.106,  0.   ,  0.   ])
"""

from importlib import import_module

_MODULES = {
    "DenoisingPrior": "restoration.denoising_prior",
    "EZDL": "learn.estimators",
    "ODL": "learn.estimators",
    "RLSDLA": "learn.estimators",
    "Samples": "samples.store",
    "default_dictionary": "io",
    "denoise": "restoration.denoising",
    "estimate_noise": "restoration.noise_estimate",
    "extract_patches": "samples.patches",
    "filter_responses": "coding.image_filtering",
    "fit_gabor": "gabor.fit",
    "fit_whitening": "samples.whitening",
    "lasso": "coding.lasso",
    "ormp": "coding.ormp",
    "project": "core.projection",
    "projection_gradient": "core.gradient",
    "read_grey": "images.greyscale",
    "reproduce": "restoration.reproduction",
    "sparseness": "core.sparseness",
}

__all__ = list(_MODULES)


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("ezdl")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__():
    return __all__
