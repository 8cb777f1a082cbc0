"""`ezdl summarise` through its real entry point."""

import numpy as np
import pytest
from helpers.observations import evaluated

from ezdl_cli import io


@pytest.fixture
def folder(tmp_path):
    for seed in (0, 1):
        io.save_table(tmp_path / f"{seed}.csv", evaluated(seeds=(seed,)))
    return tmp_path


def test_tables_of_several_seeds_are_averaged(run, folder):
    done = run("ezdl", "summarise", "ezdl", "0.csv", "1.csv", "s.csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = io.load_table(folder / "s.csv", ("sigma_h", "sigma_i", "mean", "stderr_seeds"))
    assert len(table["mean"]) == 4 and set(table["n_seeds"]) == {2}
    assert (table["stderr_seeds"] > 0).all()


def test_summary_is_the_table_that_the_figure_draws(run_here, folder):
    assert run_here("ezdl", "summarise", "ezdl", "0.csv", "s.csv").returncode == 0
    assert run_here("ezdl", "figure", "ezdl", "0.csv", "f.pdf").returncode == 0
    assert (folder / "s.csv").read_bytes() == (folder / "f.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["odl", "0.csv", "s.csv"], "0.csv: summary 'odl' cannot be computed"),
        (["gabor", "0.csv", "s.csv"], "no column f"),
        (["ezdl", "nothing.csv", "s.csv"], "nothing.csv"),
        (["ezdl", "0.csv", "0.csv"], "0.csv"),
        (["ezdl", "0.csv", "nowhere/s.csv"], "nowhere"),
        (["unknown", "0.csv", "s.csv"], "unknown"),
        (["ezdl", "s.csv"], "TABLE.csv"),
    ],
)
def test_wrong_use_gives_one_line_and_writes_nothing(refused, folder, arguments, word):
    before = (folder / "0.csv").read_bytes()
    assert word in refused("ezdl", "summarise", *arguments)
    assert (folder / "0.csv").read_bytes() == before and not (folder / "s.csv").exists()


def test_missing_numbers_give_an_empty_mean(run_here, folder):
    table = evaluated(seeds=(0,))
    table["ssim"][0] = np.nan
    io.save_table(folder / "gap.csv", table)
    assert run_here("ezdl", "summarise", "iterations", "gap.csv", "s.csv").returncode == 0
    assert np.isnan(io.load_table(folder / "s.csv")["mean"]).sum() == 1
