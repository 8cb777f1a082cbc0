"""Figure 10a of the paper: quality of reproduction over Landweber iterations."""

import numpy as np

from .curves import draw_curves, looks, mean_curves, numbers


def summarise(table, name):
    """Mean quality for each pair of dictionary and inference sparseness, for EZDL."""
    own = numbers(table, "dictionary_sparseness")
    pairs = zip(own, table["inference_sparseness"], strict=True)
    names = [f"sigma_H={h:g} sigma_I={i:g}" for h, i in pairs]
    return mean_curves(table, np.where(table["algorithm"] == "ezdl", names, ""), "iterations")


def draw(table):
    """Draw one line a pair."""
    names = sorted(set(table["curve"]))
    return draw_curves(table, "Landweber iterations", looks(names), logarithmic=True)
