"""`ezdl bench filtering` through its real entry point."""

import json

import numpy as np
import pytest

from ezdl_cli import io

SMALL = ("--image-size", "40", "--repeats", "1")
META = {"kind": "ezdl dictionary", "algorithm": "ezdl", "seed": 3}
META |= {"parameters": {"sparseness": 0.85, "atom_rank": 1, "inference": "ordinary"}}


@pytest.fixture
def dictionaries(tmp_path):
    """Atoms of rank 1, and others."""
    rng = np.random.default_rng(0)
    columns, rows = rng.standard_normal((2, 12, 6)).astype(np.float32)
    separable = (columns[:, :, np.newaxis] * rows[:, np.newaxis]).reshape(12, 36)
    np.savez(tmp_path / "rank1.npz", W=separable, meta=json.dumps(META))
    general = rng.standard_normal((12, 36)).astype(np.float32)
    np.savez(tmp_path / "general.npz", W=general, meta=json.dumps(META))
    return tmp_path


def test_both_methods_are_timed_and_agree(run, dictionaries):
    done = run("ezdl", "bench", "filtering", "rank1.npz", "t.csv", *SMALL)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    numbers = ("sigma_h", "atom_rank", "seed", "side", "n_atoms", "image_size", "seconds")
    table = io.load_table(dictionaries / "t.csv", (*numbers, "relative_error"), ("method",))
    assert table["method"].tolist() == ["separable", "direct"]
    for name, value in {"sigma_h": 0.85, "atom_rank": 1, "seed": 3, "side": 6}.items():
        assert set(table[name]) == {value}
    assert set(table["n_atoms"]) == {12} and set(table["image_size"]) == {40}
    assert (table["seconds"] > 0).all()
    assert 0 < table["relative_error"][0] < 1e-5 and table["relative_error"][1] == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("general.npz", "t.csv", *SMALL), "general.npz: row 0 (and 11 more) of W"),
        (("rank1.npz", "t.csv", "--image-size", "5"), "--image-size must be at least 6"),
        (("rank1.npz", "rank1.npz"), "would overwrite"),
        (("none.npz", "t.csv"), "no such file"),
        (("rank1.npz", "t.csv", "--repeats", "0"), "--repeats"),
    ],
)
def test_usage_errors_are_one_line(refused, dictionaries, arguments, word):
    assert word in refused("ezdl", "bench", "filtering", *arguments)
    assert not (dictionaries / "t.csv").exists()
