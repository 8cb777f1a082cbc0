"""config/paper.yaml has the numbers of the paper; docs/paper_settings.md lists the exceptions."""

from pathlib import Path

import yaml

from ezdl_cli.images.mcgill import COLLECTIONS
from ezdl_cli.learn.ezdl import EZDLParameters
from ezdl_cli.learn.rls_dla import RLSDLAParameters
from ezdl_cli.workflow.trained_dictionaries import Plan

CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "paper.yaml").read_text())


def test_photographs_and_samples():
    assert [count for _, count, _ in COLLECTIONS.values()] == [314, 98, 81]
    assert (CONFIG["patches"]["per_image"], CONFIG["patches"]["components"]) == (10_000, 128)


def test_learning():
    training = CONFIG["training"]
    assert (training["epochs"], training["samples_per_epoch"]) == (1000, 30_000)
    assert training["grid_side"] ** 2 == 256 and training["forgetting_epochs"] == 1000
    assert all(len(one.seeds) == 5 for one in Plan(CONFIG).dictionaries)
    assert (EZDLParameters().step_size, EZDLParameters().pooling) == (1.0, 3)
    assert RLSDLAParameters().forgetting == 0.99
    assert min(CONFIG["gabor"]["sparseness"]) == 0.7 and max(CONFIG["gabor"]["sparseness"]) == 0.999


def test_reproduction():
    reproduction = CONFIG["reproduction"]
    assert reproduction["sparseness"] == [0.75, 0.85, 0.95, 0.99]
    assert reproduction["lambdas"] == [0.5, 1.0, 1.5, 2.0]
    assert reproduction["nonzeros"] == [4, 8, 16, 32]
    assert Plan(CONFIG).n_iterations == 100
    assert reproduction["inference"][0] == 0.5 and reproduction["history"][-1] == 1000


def test_denoising():
    denoising = CONFIG["denoising"]
    assert denoising["levels"] == [2.5 * i for i in range(1, 21)]
    assert (denoising["rules"], denoising["repeats"], denoising["window"]) == ("authors", 5, 32)


def test_projections():
    projections = CONFIG["projections"]
    assert (projections["first_exponent"], projections["last_exponent"]) == (2, 30)
    assert (projections["sparseness"], projections["initial_sparseness"]) == (0.9, 0.5)
    assert projections["vectors"] == 1000 and projections["max_entries"] >= 1000 << 30
