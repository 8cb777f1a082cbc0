"""`ezdl bench epochs` through its real entry point."""

import numpy as np
import pytest

from ezdl_cli import io
from ezdl_cli.experiments.timing import TIMED_LEARNERS

SMALL = ("--atoms", "16", "--samples-per-epoch", "40", "--repeats", "1")


@pytest.fixture
def samples(tmp_path):
    rng = np.random.default_rng(0)
    for name, width in (("a", 16), ("b", 25)):
        np.save(tmp_path / f"{name}.npy", rng.integers(0, 256, (90, width), dtype=np.uint8))
    return tmp_path


def test_every_learner_is_timed_with_every_set_of_samples(run, samples):
    done = run("ezdl", "bench", "epochs", "a.npy", "b.npy", "t.csv", *SMALL)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    numbers = ("n_features", "n_atoms", "samples_per_epoch", "seconds")
    table = io.load_table(samples / "t.csv", numbers, ("samples", "algorithm"))
    for name, width in (("a.npy", 16), ("b.npy", 25)):
        rows = table["samples"] == name
        ours = rows & (table["implementation"] == "ezdl")
        expected = [columns["algorithm"] for columns, _ in TIMED_LEARNERS]
        assert table["algorithm"][ours].tolist() == expected
        assert set(table["n_features"][rows]) == {width}
    assert set(table["n_atoms"]) == {16} and set(table["samples_per_epoch"]) == {40}
    assert (table["seconds"] > 0).all() and (table["seconds"] < 60).all()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["a.npy", "t.csv", "--atoms", "91"], "at most 90, the number of samples in a.npy, not 91"),
        (["a.npy", "nothing.npy", "t.csv", *SMALL], "nothing.npy"),
        (["a.npy", "a.npy", *SMALL], "a.npy"),
        (["a.npy", "t.csv", "--repeats", "0"], "0"),
        (["t.csv"], "SAMPLES"),
    ],
)
def test_wrong_use_gives_one_line_and_writes_nothing(refused, samples, arguments, word):
    before = (samples / "a.npy").read_bytes()
    assert word in refused("ezdl", "bench", "epochs", *arguments)
    assert (samples / "a.npy").read_bytes() == before
    assert not (samples / "t.csv").exists()
