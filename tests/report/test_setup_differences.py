"""The parameters of the paper are known, and what differs from them is described."""

from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from ezdl_cli.report.setup_differences import PAPER, setup_differences

CONFIG = Path(__file__).resolve().parents[2] / "config"
# Keys that the paper says nothing about, or that do not influence results.
OURS = {
    *("profile", "patches.seed", "training.checkpoint_every", "training.seed"),
    *("reproduction.history", "code_noise.sparseness", "code_noise.initial", "code_noise.decay"),
    *("denoising.seed", "projections.repeats", "projections.seed"),
    *(f"restoration.{name}" for name in ("factors", "blurs", "noise", "missing", "crop")),
    *("restoration.seeds", "restoration.seed"),
}


def profile(name):
    return yaml.safe_load((CONFIG / f"{name}.yaml").read_text(encoding="utf-8"))


def flat(configuration, prefix=""):
    """Return a nested dictionary with paths as keys."""
    found = {}
    for name, value in configuration.items():
        nested = flat(value, f"{prefix}{name}.") if isinstance(value, dict) else None
        found |= nested or {prefix + name: value}
    return found


def changed(key, value):
    """Return the parameters of the paper, with another value for a path."""
    *groups, name = key.split(".")
    configuration = deepcopy(profile("paper"))
    inner = configuration
    for group in groups:
        inner = inner[group]
    inner[name] = value
    return configuration


def test_table_has_the_values_of_the_papers_profile():
    values = flat(profile("paper"))
    assert {one.key: one.value for one in PAPER} == {
        key: value for key, value in values.items() if key not in OURS
    }
    assert values.keys() >= OURS


def test_nothing_differs_in_the_papers_profile():
    assert setup_differences(profile("paper")) == []


def test_parts_are_initial_letters_of_claims():
    assert {letter for one in PAPER for letter in one.parts} == set("PDRSNX")


def test_quick_profile_differs_in_what_its_page_lists():
    found = {one.label: (one.here, one.paper) for one in setup_differences(profile("quick"))}
    assert found["photographs"] == ("built-in", "McGill database")
    assert found["training epochs"] == ("20", "1000")
    assert found["largest dimension n"] == ("2^22", "2^30")
    assert found["EZDL dictionaries per σ_H"] == ("2", "5")
    assert found["part of the images denoised"] == ("central 256 × 256 pixels", "whole images")
    assert found["noise levels in denoising"] == (
        "2.5, 5, 7.5, 10, 20, 50",
        "20 values from 2.5 to 50",
    )
    assert "atoms" not in found and "λ of ODL" not in found


@pytest.mark.parametrize(
    ("key", "value", "here"),
    [
        ("images", "/data/photos/bsds500", "other (bsds500)"),
        ("training.grid_side", 6, "36"),
        ("training.forgetting_epochs", 0, "length of the run"),
        ("reproduction.seeds", [7, 7], "1"),
        ("denoising.rules", "ezdl", "of this package"),
        ("projections.max_entries", 20000, "at most 20\N{NO-BREAK SPACE}000"),
    ],
)
def test_each_kind_of_value_is_described(key, value, here):
    (difference,) = setup_differences(changed(key, value))
    assert difference.here == here and difference.parts


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("images", "/elsewhere/McGill/"),
        ("training.epochs", 1000.0),
        ("reproduction.seeds", [9, 8, 7, 6, 5]),
        ("reproduction.lambdas", [2, 1.5, 1, 0.5]),
        ("denoising.rules", "both"),
    ],
)
def test_other_ways_to_write_the_papers_values_do_not_differ(key, value):
    assert setup_differences(changed(key, value)) == []


@pytest.mark.parametrize("value", ["many", [], {"a": 1}, [[1]], 1e999, True, "ünknown"])
@pytest.mark.parametrize("key", [one.key for one in PAPER])
def test_any_value_of_json_is_described(key, value):
    for one in setup_differences(changed(key, value)):
        assert one.here and isinstance(one.here, str)


def test_missing_values_are_ignored():
    assert setup_differences({}) == []
    assert setup_differences({"training": 3, "denoising": {"repeats": 5}}) == []
