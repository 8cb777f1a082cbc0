"""Synthetic tables of observations, as the commands that measure write them."""

from itertools import product

import numpy as np

PARAMETER = {"ezdl": "sigma_h", "odl": "lambda", "rls-dla": "zeta"}


def evaluated(algorithm="ezdl", parameters=(0.75, 0.99), seeds=(0, 1), iterations=(10, 100)):
    """Rows of `ezdl evaluate`, with an SSIM that depends on all parameters."""
    rows = []
    for value, seed, image, sigma_i, count, epoch in product(
        parameters, seeds, ("a", "b"), (0.5, 0.9), iterations, (5, 20)
    ):
        ssim = 0.5 + 0.01 * value + 0.1 * (image == "b") + 0.02 * seed - 0.1 * sigma_i
        row = {"algorithm": algorithm, "sigma_h": np.nan, "lambda": np.nan, "zeta": np.nan}
        row |= {PARAMETER[algorithm]: value, "eta0": 1.0 if algorithm == "ezdl" else np.nan}
        row |= {"seed": float(seed), "epoch": epoch, "samples_per_epoch": 30_000.0, "image": image}
        row |= {"sigma_i": sigma_i, "iterations": count, "ssim": ssim + 0.001 * count / 100}
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def concatenated(*tables):
    """The rows of several tables."""
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def all_learners():
    """Rows of `ezdl evaluate` for dictionaries of all learners."""
    odl, rls_dla = evaluated("odl", (0.5, 2.0)), evaluated("rls-dla", (4.0, 8.0))
    return concatenated(evaluated(), odl, rls_dla)


def denoised(algorithm, better, rules="ezdl"):
    """Rows of `ezdl denoise`."""
    rows = list(product(("a", "b"), (2.5, 25.0), (1, 2)))
    return {
        "algorithm": np.full(len(rows), algorithm),
        "seed": np.zeros(len(rows)),
        "image": np.array([image for image, _, _ in rows]),
        "rules": np.full(len(rows), rules, object),
        "sigma": np.array([sigma for _, sigma, _ in rows]),
        "psnr_final": np.array([40 - sigma / 5 + better + repeat for _, sigma, repeat in rows]),
    }


def restored(algorithm, better):
    """Rows of `ezdl restore`."""
    settings = {"super-resolution": (2, 3), "deblurring": (1.6, 2.5), "inpainting": (50, 80)}
    rows = [
        (task, setting, image)
        for task, values in settings.items()
        for setting in values
        for image in ("a", "b")
    ]
    baseline = np.array([30 - setting / 10 + (image == "b") for _, setting, image in rows])
    return {
        "algorithm": np.full(len(rows), algorithm),
        "seed": np.zeros(len(rows)),
        "image": np.array([image for *_, image in rows]),
        "task": np.array([task for task, *_ in rows]),
        "setting": np.array([float(setting) for _, setting, _ in rows]),
        "sigma": np.array([2.0 * (task == "deblurring") for task, *_ in rows]),
        "psnr_baseline": baseline,
        "psnr": baseline + better + np.array([0.1 * (image == "b") for *_, image in rows]),
    }


def fitted(sparseness=(0.7, 0.75, 0.99), seeds=(0, 1, 2), n_atoms=40):
    """Rows of `ezdl gabor`; every tenth fit is rejected and has absurd parameters."""
    rng = np.random.default_rng(0)
    tables = []
    for sigma_h, seed in product(sparseness, seeds):
        rejected = np.arange(n_atoms) % 10 == 9
        tables.append(
            {
                "sigma_h": np.full(n_atoms, sigma_h),
                "inference": np.full(n_atoms, "ordinary"),
                "atom_rank": np.full(n_atoms, np.nan),
                "whitened": np.zeros(n_atoms),
                "seed": np.full(n_atoms, float(seed)),
                "side": np.full(n_atoms, 5.0),
                "reason": np.where(rejected, "several blobs", ""),
                "f": np.where(rejected, 100.0, 0.5 - 0.4 * sigma_h + 0.01 * seed),
                "sigma_x": np.where(rejected, np.nan, 2.0 + 4.0 * sigma_h),
                "sigma_y": np.where(rejected, 1e9, 3.0 + 4.0 * sigma_h - 0.1 * seed),
                "phi": np.where(rejected, np.nan, rng.uniform(0, np.pi / 2, n_atoms)),
                "r2": np.where(rejected, np.nan, 0.9 - 0.1 * seed),
                "spectral_centroid": np.full(n_atoms, 0.2),
                "axis_angle": np.where(rejected, np.nan, 0.0),
                "rank_ratio": np.linspace(0.0, 0.5, n_atoms),
            }
        )
    return concatenated(*tables)
