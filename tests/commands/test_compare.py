"""`ezdl compare`."""

import os

import numpy as np
import pytest

from ezdl_cli import io


@pytest.fixture
def dictionaries(tmp_path):
    """A dictionary, the same in another order and sign, and another one."""
    rng = np.random.default_rng(0)
    W = rng.standard_normal((6, 64)).astype(np.float32)
    others = rng.standard_normal((4, 64)).astype(np.float32)
    arrays = {"final": W, "same": -2 * W[::-1], "other": others, "small": W[:, :16]}
    for epochs, (name, atoms) in enumerate(arrays.items()):
        history = [{"epoch": epoch + 1} for epoch in range(epochs)]
        metadata = io.DictionaryMetadata(history=history)
        io.save_dictionary(tmp_path / f"{name}.npz", io.Dictionary(atoms, metadata))
    return tmp_path


def test_atoms_are_matched_regardless_of_order_sign_and_scale(run, dictionaries):
    command = ("ezdl", "compare", "final.npz", "same.npz", "other.npz", "t.csv", "--seed", "1")
    done = run(*command)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(dictionaries / "t.csv", ("epoch", "atom", "cosine", "shuffled_cosine"))
    same = table["dictionary"] == "same.npz"
    assert list(table["atom"]) == [*range(6), *range(4)]
    assert set(table["epoch"][same]) == {1} and set(table["epoch"][~same]) == {2}
    np.testing.assert_allclose(table["cosine"][same], 1.0, atol=1e-6)
    assert (table["cosine"][~same] < 0.8).all() and (table["shuffled_cosine"] < 0.8).all()
    first = (dictionaries / "t.csv").read_bytes()
    assert run(*command).returncode == 0 and (dictionaries / "t.csv").read_bytes() == first
    assert run(*command[:-1], "2").returncode == 0
    assert (dictionaries / "t.csv").read_bytes() != first


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["final.npz", "small.npz", "t.csv"], "small.npz"),
        (["final.npz", "nothing.npz", "t.csv"], "nothing.npz"),
        (["nothing.npz", "final.npz", "t.csv"], "nothing.npz"),
        (["final.npz", "same.npz", "same.npz"], "same.npz"),
        (["final.npz", "same.npz", "nowhere/t.csv"], "nowhere"),
        (["final.npz", "t.csv"], "OTHER.npz"),
    ],
)
def test_usage_errors_are_one_line_and_write_nothing(refused, dictionaries, arguments, word):
    before = {name: (dictionaries / name).read_bytes() for name in os.listdir(dictionaries)}
    assert word in refused("ezdl", "compare", *arguments)
    after = {name: (dictionaries / name).read_bytes() for name in os.listdir(dictionaries)}
    assert after == before
