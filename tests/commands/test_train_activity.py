"""`ezdl train ezdl --activity`."""

import os

import numpy as np
import pytest

from ezdl_cli import io

COMMAND = ("ezdl", "train", "ezdl", "p.npy", "d.npz", "--atoms", "16", "--epochs", "6")
COMMAND += ("--samples-per-epoch", "300", "--sparseness", "0.9", "--noise", "0.01")


@pytest.fixture(autouse=True)
def patches(tmp_path):
    np.save(tmp_path / "p.npy", np.random.default_rng(0).integers(0, 256, (500, 16), np.uint8))


def test_table_has_the_first_and_the_last_epoch(run_here, tmp_path):
    assert run_here(*COMMAND).returncode == 0
    before = (tmp_path / "d.npz").read_bytes()
    done = run_here(*COMMAND, "--activity", "a.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "d.npz").read_bytes() == before
    table = io.load_table(tmp_path / "a.csv")
    columns = ("dictionary", "algorithm", "sigma_h", "eta0", "inference", "seed")
    columns += ("gradient", "noise")
    assert {name: table[name][0] for name in columns} == {
        "dictionary": "d.npz",
        "algorithm": "ezdl",
        "sigma_h": 0.9,
        "eta0": 1.0,
        "inference": "ordinary",
        "seed": 0.0,
        "gradient": "short",
        "noise": 0.01,
    }
    assert table["epoch"].tolist() == [1, 6] and table["n_atoms"].tolist() == [16, 16]
    assert (table["never_active"] >= 0).all()
    for name in ("population_sparseness", "lifetime_sparseness"):
        assert ((table[name] > 0) & (table[name] < 1)).all()


def test_killed_and_resumed_run_ends_with_the_same_table(run_here, tmp_path, monkeypatch):
    command = (*COMMAND, "--activity", "a.csv", "--activity-epochs", "5,1,2")
    assert run_here(*command).returncode == 0
    expected = {name: (tmp_path / name).read_bytes() for name in ("a.csv", "d.npz")}
    assert io.load_table(tmp_path / "a.csv")["epoch"].tolist() == [1, 2, 5]
    for name in expected:
        (tmp_path / name).unlink()
    save = io.save_checkpoint

    def save_and_stop(*arguments):
        save(*arguments)
        raise KeyboardInterrupt

    resumable = (*command, "--checkpoint-every", "4", "--resume")
    with monkeypatch.context() as patched:
        patched.setattr(io, "save_checkpoint", save_and_stop)
        assert run_here(*resumable).returncode != 0
    assert sorted(os.listdir(tmp_path)) == ["d.checkpoint.npz", "p.npy"]
    assert run_here(*resumable).returncode == 0
    assert {name: (tmp_path / name).read_bytes() for name in expected} == expected


def test_checkpoint_without_the_activity_of_a_past_epoch_is_rejected(
    run_here, refused, tmp_path, monkeypatch
):
    save = io.save_checkpoint

    def save_and_stop(*arguments):
        save(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(io, "save_checkpoint", save_and_stop)
        run_here(*COMMAND, "--checkpoint-every", "4")
    assert "epoch 1" in refused(*COMMAND, "--resume", "--activity", "a.csv")
    later = ("--activity", "a.csv", "--activity-epochs", "6")
    assert run_here(*COMMAND, "--resume", *later).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--activity-epochs", "1"], "--activity TABLE.csv"),
        (["--activity", "a.csv", "--activity-epochs", "7"], "--activity-epochs must be at most 6"),
        (["--activity", "a.csv", "--activity-epochs", "0"], "--activity-epochs"),
        (["--activity", "a.csv", "--samples-per-epoch", "255"], "at least 256"),
        (["--activity", "d.npz"], "two outputs"),
        (["--activity", "p.npy"], "overwrite"),
        (["--activity", "nowhere/a.csv"], "nowhere"),
    ],
)
def test_unusable_options_are_refused(refused, arguments, word):
    assert word in refused(*COMMAND, *arguments)
