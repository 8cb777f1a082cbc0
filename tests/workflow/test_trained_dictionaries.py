"""The dictionaries that the pipeline trains, and the tables that figures and claims need."""

import re
from pathlib import Path

import pytest
import yaml

from ezdl_cli.claims.evidence import KINDS
from ezdl_cli.figures import FIGURES
from ezdl_cli.workflow.trained_dictionaries import (
    FIGURE_SECTIONS,
    Plan,
    any_of,
    crop_option,
    figure_files,
    snapshots,
)

CONFIG = Path(__file__).resolve().parents[2] / "config"
PROFILES = ("ci", "quick", "paper")


def load(profile):
    return yaml.safe_load((CONFIG / f"{profile}.yaml").read_text())


def dictionaries_of(profile):
    return Plan(load(profile)).dictionaries


@pytest.fixture
def config():
    return load("quick")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_name_stands_for_one_training(profile):
    trainings = {
        (one.name, one.samples, one.learner, one.options) for one in dictionaries_of(profile)
    }
    assert len(trainings) == len({name for name, *_ in trainings})


@pytest.mark.parametrize("profile", PROFILES)
def test_no_dictionary_is_listed_twice_for_a_purpose(profile):
    listed = [(one.name, one.purpose) for one in dictionaries_of(profile)]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("profile", PROFILES)
def test_figures_of_results_have_inputs_and_others_none(profile):
    plan = Plan(load(profile))
    for name, figure in FIGURES.items():
        assert bool(plan.figure_inputs(name)) == (figure.needs_table or figure.needs_dictionary)


@pytest.mark.parametrize("profile", PROFILES)
def test_figures_and_claims_need_only_planned_dictionaries(profile):
    plan = Plan(load(profile))
    files = [file for name in FIGURES for file in plan.figure_inputs(name)]
    files += plan.claim_tables()
    rules = "(?:authors-|ezdl-(?=ezdl|odl|rls))?"
    pattern = rf"/{rules}([^/]+)_(\d+)(\.epoch-\d+)?\.(?:csv|npz)$"
    of_dictionaries = [re.search(pattern, file) for file in files]
    named = {(match[1], int(match[2])) for match in of_dictionaries if match}
    assert named and named <= {(one.name, seed) for one in plan.dictionaries for seed in one.seeds}


def test_repeated_values_train_one_dictionary(config):
    config["reproduction"] |= {"sparseness": [0.85, 0.850], "seeds": [1, 1.0], "nonzeros": [4, 4.0]}
    plan = Plan(config)
    assert plan.figure_inputs("ezdl") == ["results/{profile}/tables/reproduction/ezdl-0.85_1.csv"]
    assert plan.figure_inputs("rls-dla") == [
        "results/{profile}/tables/reproduction/rls-dla-4_0.csv"
    ]


def test_iterations_figure_uses_the_two_sparseness_degrees_of_the_paper(config):
    inputs = Plan(config).figure_inputs("iterations")
    assert inputs == [
        f"results/{{profile}}/tables/iterations/ezdl-{sparseness}_{seed}.csv"
        for sparseness in (0.75, 0.85)
        for seed in (0, 1)
    ]


def test_history_ends_with_the_training_and_starts_with_the_initial_atoms(config):
    config["training"]["epochs"] = 7
    plan = Plan(config)
    assert plan.epochs == [1, 2, 5, 7]
    assert plan.snapshot_epochs == [0, 1, 2, 5, 7]
    inputs = plan.figure_inputs("history")
    assert len(inputs) == 5
    assert inputs[0] == "results/{profile}/tables/history/ezdl-0.99_0.csv"


def test_every_figure_is_drawn_once(config):
    assert sorted(name for names in FIGURE_SECTIONS.values() for name in names) == sorted(FIGURES)
    drawings = Plan(config).drawings(("flowchart", "odl"))
    folder = "results/{profile}/figures"
    assert drawings[:3] == ["flowchart", f"{folder}/fig03_flowchart.pdf", "odl"]
    assert drawings[3].endswith("odl-0.5_0.csv") and drawings[-1] == f"{folder}/fig11a_odl.pdf"


def test_whole_images_are_used_unless_a_crop_is_configured():
    assert [crop_option({"crop": side}) for side in (0, 256.0)] == ["", " --crop 256"]


@pytest.mark.parametrize(("iterations", "expected"), [([1, 20], 20), ([200, 1], 100)])
def test_images_are_reproduced_with_at_most_100_iterations(config, iterations, expected):
    config["reproduction"]["iterations"] = iterations
    plan = Plan(config)
    assert plan.iterations == tuple(iterations) and plan.n_iterations == expected


def test_denoising_uses_the_sparsest_codes_of_each_learner(config):
    config["denoising"]["seeds"] = [3]
    assert Plan(config).figure_inputs("denoising") == [
        f"results/{{profile}}/tables/denoising/authors-{name}_3.csv"
        for name in ("ezdl-0.99", "odl-2", "rls-dla-4")
    ]
    config["denoising"] |= {"seeds": [0], "rules": "both"}
    tables = Plan(config).figure_inputs("denoising")
    assert len(tables) == 6 and tables[3].endswith("/denoising/ezdl-ezdl-0.99_0.csv")


def test_other_tasks_have_dictionaries_like_denoising_with_seeds_of_their_own(config):
    config["restoration"]["seeds"] = [4]
    plan = Plan(config)
    for task in ("super-resolution", "deblurring", "inpainting"):
        assert plan.figure_inputs(task) == [
            f"results/{{profile}}/tables/restoration/{name}_4.csv"
            for name in ("ezdl-0.99", "odl-2", "rls-dla-4")
        ]
    config["restoration"] |= {"factors": [2, 2.0, 3]}
    assert Plan(config).factors == (2, 3)


def test_forgetting_schedule_is_as_long_as_configured(config):
    config["training"] |= {"forgetting_epochs": 10, "samples_per_epoch": 500}
    assert Plan(config).by_name["rls-dla-4"].options == "--nonzeros 4 --forgetting-samples 5000"
    config["training"]["forgetting_epochs"] = 0
    assert Plan(config).by_name["rls-dla-4"].options == "--nonzeros 4"


@pytest.mark.parametrize("profile", PROFILES)
def test_claims_have_tables_of_all_kinds(profile):
    tables = Plan(load(profile)).claim_tables()
    assert len(tables) == len(set(tables))
    kinds = {re.match(r"results/{profile}/tables/([a-z_]+)", table)[1] for table in tables}
    assert kinds == set(KINDS)


def test_kinds_of_dictionaries_have_several_seeds(config):
    config["gabor"]["seeds"] = [5, 6]
    plan = Plan(config)
    assert plan.by_name["whitened-rank"].seeds == (0, 5, 6)
    assert plan.by_name["noisy-0.99"].seeds == (5, 6)


def test_grid_follows_the_configuration(config):
    config["training"]["grid_side"] = 5
    assert Plan(config).by_name["whitened-rank"].options.endswith("--grid 5x5")


def test_patterns_match_names_and_nothing_else():
    pattern = re.compile(any_of(["odl-0.5", "odl-2"]))
    assert pattern.fullmatch("odl-0.5") and not pattern.fullmatch("odl-035")


def test_files_of_figures_and_snapshots_have_their_number():
    assert "results/{profile}/figures/fig10b_ezdl.csv" in figure_files("pdf", "csv")
    assert snapshots([0, 12])[1].endswith("/{dictionary}_{seed}.epoch-0012.npz")
