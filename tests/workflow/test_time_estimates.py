"""Times of steps, estimated from those of earlier runs and the amounts of work."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from PIL import Image

from ezdl_cli import io
from ezdl_cli.workflow.step_work import Photographs, find_photographs, step_work
from ezdl_cli.workflow.time_estimates import (
    estimate_time,
    estimate_times,
    load_runs,
    save_configuration,
)

ROOT = Path(__file__).resolve().parents[2]
SETS = ("train", "reproduce", "denoise")
PHOTOGRAPHS = Photographs(dict.fromkeys(SETS, 4), dict.fromkeys(SETS, 2.0))
TWICE = Photographs(dict.fromkeys(SETS, 8), dict.fromkeys(SETS, 4.0))


def profile(name="quick"):
    return yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text())


def step(rule, name, threads=1):
    return SimpleNamespace(rule=rule, name=name, threads=threads, max_threads=8)


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Return a function that stores times of the profile ci, on two cores."""
    monkeypatch.chdir(tmp_path)

    def store(times):
        save_configuration(profile("ci"), 2)
        for name, seconds in times.items():
            path = tmp_path / f"results/ci/benchmarks/{name}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"s\tcpu_time\tmax_rss\n{seconds}\t1\t1\n")

    return store


def estimate(wanted, config, steps=()):
    work = step_work(config, PHOTOGRAPHS)
    name = config["profile"]
    return estimate_time(wanted, (wanted, *steps), name, work, load_runs(name))


def test_time_of_the_same_step_is_its_duration(measured):
    measured({"dictionaries/odl-2_0": 20.0})
    assert estimate(step("train", "dictionaries/odl-2_0"), profile("ci")) == 20.0


def test_time_grows_with_the_work_except_for_the_start(measured):
    measured({"dictionaries/odl-2_0": 20.0})
    longer = profile("ci")
    longer["training"]["epochs"] *= 7
    assert estimate(step("train", "dictionaries/odl-2_0"), longer) == 1 + 7 * 19
    longer["profile"] = "other"
    assert estimate(step("train", "dictionaries/odl-2_3"), longer) == 1 + 7 * 19


def test_fastest_seed_counts_because_the_first_step_compiles(measured):
    measured({"dictionaries/odl-2_0": 40.0, "dictionaries/odl-2_1": 5.0})
    assert estimate(step("train", "dictionaries/odl-2_2"), profile("ci")) == 5.0


def test_steps_without_a_measured_seed_take_the_mean_of_their_rule(measured):
    measured({"dictionaries/gabor-0.7_0": 4.0, "dictionaries/gabor-0.9_0": 6.0})
    others = [step("train", f"dictionaries/gabor-{value}_0") for value in (0.7, 0.9)]
    assert estimate(step("train", "dictionaries/gabor-0.8_0"), profile("ci"), others) == 5.0
    assert estimate(step("images", "images"), profile("ci"), others) is None


def test_run_with_the_nearest_amount_of_work_counts(measured, tmp_path):
    measured({"dictionaries/odl-2_0": 20.0})
    longer = profile("ci") | {"profile": "longer"}
    longer["training"]["epochs"] *= 100
    save_configuration(longer, 2)
    times = tmp_path / "results/longer/benchmarks/dictionaries/odl-2_1.tsv"
    times.parent.mkdir(parents=True)
    times.write_text("s\tcpu_time\tmax_rss\n201\t1\t1\n")
    longer["training"]["epochs"] *= 3
    longer["profile"] = "other"
    assert estimate(step("train", "dictionaries/odl-2_0"), longer) == 1 + 3 * 200


def test_steps_with_several_threads_are_faster_on_more_cores(measured):
    measured({"tables/denoising/authors-odl-2_0": 10.0})
    wanted = step("denoising_table", "tables/denoising/authors-odl-2_1", threads=8)
    assert estimate(wanted, profile("ci")) == 1 + 9 * 2 / 8


def test_runs_without_configuration_give_times_of_their_own_profile_only(measured, tmp_path):
    measured({"dictionaries/odl-2_0": 20.0})
    wanted = step("train", "dictionaries/odl-2_0")
    for content in (None, "{", json.dumps({"profile": "ci"})):
        path = tmp_path / "results/ci/configuration.json"
        path.unlink(missing_ok=True)
        if content:
            path.write_text(content)
        assert estimate(wanted, profile("ci")) == 20.0
        assert estimate(wanted, profile("ci") | {"profile": "other"}) is None


def test_work_grows_with_what_a_rule_is_given():
    config = profile()
    before, after = (step_work(config, photographs) for photographs in (PHOTOGRAPHS, TWICE))
    depends = {name for name in before if after[name] != before[name]}
    assert depends == {
        *("images", "patches", "whitened", "denoising_table", "restoration_table"),
        *("reproduction_table", "iterations_table", "history_table", "full_gradient_table"),
    }
    assert set(step_work(config, None)) == set(before) - depends
    config["projections"]["last_exponent"] += 4
    assert step_work(config, None)["speedups_table"] > 4 * before["speedups_table"]


def test_work_of_crops_is_at_most_that_of_whole_images():
    config = profile()
    for crop, megapixels in ((0, 2.0), (100, 0.04), (10**4, 2.0)):
        config["denoising"]["crop"] = crop
        assert PHOTOGRAPHS.cropped("denoise", config["denoising"]) == megapixels


def test_photographs_are_those_of_the_manifest_the_folder_or_the_paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = profile("paper")
    paper = find_photographs(config)
    assert paper.counts == {"train": 314, "reproduce": 98, "denoise": 81}
    assert paper.megapixels["denoise"] == pytest.approx(81 * 768 * 576 / 1e6)
    folder = tmp_path / config["images"]
    for name in SETS:
        (folder / name).mkdir(parents=True)
        Image.new("L", (100, 50)).save(folder / name / "a.png")
        (folder / name / "b.txt").write_text("no image")
    (folder / "train" / "broken.png").write_text("no image")
    found = find_photographs(config)
    assert found.counts == {"train": 2, "reproduce": 1, "denoise": 1}
    assert found.megapixels["train"] == pytest.approx(0.005)
    imported = tmp_path / "data" / "paper" / "images"
    imported.mkdir(parents=True)
    entry = io.ManifestEntry(file="denoise/a.png", width=1000, height=3000, sha256="0" * 64)
    io.save_manifest(imported, io.Manifest((entry,)))
    assert find_photographs(config).megapixels == {"train": 0, "reproduce": 0, "denoise": 3.0}
    assert find_photographs(profile("ci")) is None


def test_runs_with_far_less_work_can_be_ignored(measured):
    measured({"dictionaries/ezdl-0.99_0": 3.0})
    config = profile("quick")
    work, runs = step_work(config, PHOTOGRAPHS), load_runs("quick")
    wanted = step("train", "dictionaries/ezdl-0.99_0")
    ratio = work["train"] / step_work(profile("ci"), PHOTOGRAPHS)["train"]
    arguments = (wanted, (wanted,), "quick", work, runs)
    assert estimate_time(*arguments, max_ratio=ratio) == pytest.approx(1 + 2 * ratio)
    assert estimate_time(*arguments, max_ratio=ratio * 0.99) is None


def test_tiny_runs_tell_nothing_about_large_ones(measured):
    measured({"tables/epochs": 20.0})
    wanted = [step("epochs_table", "tables/epochs")]
    same = estimate_times(wanted, wanted, profile("ci"))
    larger = profile("ci") | {"profile": "larger"}
    assert estimate_times(wanted, wanted, larger) == same == [20.0]
    assert estimate_times(wanted, wanted, profile("quick")) == [None]
