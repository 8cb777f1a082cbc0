"""Efficient dictionary learning with sparseness-enforcing projections (Thom, Rapp, Palm 2015).

The parts load when they are first used, so that importing the package takes no time:

>>> import ezdl_cli as ez
>>> ez.sparseness([3.0, 0.0, 0.0, 0.0])
1.0
>>> ez.project([4.0, -3.0, 2.0, 1.0], sparseness=0.9, norm=1.0).round(3)
array([ 0.994, -0.106,  0.   ,  0.   ])
"""

from importlib import import_module

_HOMES = {
    "EZDL": "learn.estimators",
    "ODL": "learn.estimators",
    "RLSDLA": "learn.estimators",
    "Samples": "samples.store",
    "default_dictionary": "io",
    "denoise": "restoration.denoising",
    "extract_patches": "samples.patches",
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

__all__ = [
    "EZDL",
    "ODL",
    "RLSDLA",
    "Samples",
    "default_dictionary",
    "denoise",
    "extract_patches",
    "fit_gabor",
    "fit_whitening",
    "lasso",
    "ormp",
    "project",
    "projection_gradient",
    "read_grey",
    "reproduce",
    "sparseness",
]


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("ezdl")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__():
    return sorted(__all__)
