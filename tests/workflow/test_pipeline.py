"""The pipeline: a complete run of the ci profile, changes of inputs, and configuration errors."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator
from PIL import Image

from ezdl_cli import io
from ezdl_cli.claims import CLAIMS

ROOT = Path(__file__).resolve().parents[2]
FIGURES = (
    *("01_sparseness", "02_auxiliary", "03_flowchart", "04_evaluations", "05_speedups"),
    *("06_gabor", "07_phases"),
    *("08a_whitened-topographic", "08b_whitened-rank"),
    *("09a_rank1-ordinary", "09b_rank1-topographic"),
    *("10a_iterations", "10b_ezdl", "11a_odl", "11b_rls-dla", "12_envelopes", "13_history"),
    *("14_denoising", "15_super-resolution", "16_deblurring", "17_inpainting"),
)
TABLES = {
    "activity": 3,
    "denoising": 3,
    "full_gradient": 1,
    "gabor": 9,
    "history": 5,
    "iterations": 1,
    "reproduction": 4,
    "resemblance": 1,
    "restoration": 3,
    "topography": 4,
}
PROFILES = sorted(path for path in (ROOT / "config").glob("*.yaml") if path.name != "schema.yaml")
STEPS = (
    "images",
    "extract",
    "whiten",
    "train",
    "evaluate",
    "gabor",
    "denoise",
    "restore",
    "compare",
    "bench",
)


@pytest.fixture
def project(tmp_path):
    """Copy the files that a run of the pipeline needs into an empty folder."""
    shutil.copy(ROOT / "Snakefile", tmp_path)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


def snakemake(run, *arguments, python=sys.executable):
    options = ("--cores", "2", "--configfile", "config/ci.yaml")
    return run(python, "-m", "snakemake", *options, *arguments)


def test_installed_pipeline_makes_all_results_and_reruns_only_what_changed(
    tmp_path, run, installed
):
    ezdl, python = installed / "ezdl", installed / "python"
    done = run(ezdl, "run", "--profile", "ci", "--cores", "2", timeout=900)
    assert done.returncode == 0, done.stderr
    check_what_is_printed(done)
    assert {path.name for path in tmp_path.iterdir()} == {".snakemake", "data", "results"}
    results = tmp_path / "results" / "ci"
    made = {path.name for path in (results / "figures").iterdir()}
    kinds = ("pdf", "png", "svg", "csv")
    assert made == {f"fig{name}.{kind}" for name in FIGURES for kind in kinds}
    counts = {
        folder.name: len(list(folder.iterdir()))
        for folder in (results / "tables").iterdir()
        if folder.is_dir()
    }
    assert counts == TABLES
    check_claims_and_report(results)

    check_that_nothing_is_left_to_do(run, ezdl, "ci")
    check_that_nothing_is_left_to_do(run, ezdl, results / "configuration.json")
    assert run(ezdl, "init", ".").returncode == 0
    check_that_nothing_is_left_to_do(run, ezdl, "ci")
    config = tmp_path / "config" / "ci.yaml"
    config.write_text(config.read_text().replace("vectors: 10", "vectors: 11"))
    changed = snakemake(run, "--dry-run", "--printshellcmds", python=python)
    rules = changed.stdout + changed.stderr
    assert "ezdl projections evaluations" in rules and "fig04_evaluations.pdf" in rules
    for word in ("projections", "figure", "claims", "report"):
        assert rules.count(f"ezdl {word} ") == 1
    assert not any(f"ezdl {word}" in rules for word in STEPS)
    report = snakemake(run, "--report", "report.html", python=python)
    assert report.returncode == 0, report.stderr
    assert "fig04" in (tmp_path / "report.html").read_text()


def check_that_nothing_is_left_to_do(run, ezdl, profile):
    plan = run(ezdl, "plan", "--profile", profile)
    assert "Nothing to do." in plan.stdout, (plan.stdout, plan.stderr)


def check_what_is_printed(done):
    """Check that there is a line for each step, and the verdict at the end."""
    lines = done.stderr.splitlines()
    assert [line.split()[0] for line in lines] == [str(i + 1) for i in range(len(lines))]
    assert all(re.match(rf" *\d+ of {len(lines)}  \w.*: \d[\d.mins ]* s$", line) for line in lines)
    verdict, *_, report = done.stdout.splitlines()
    assert f" of {len(CLAIMS)} claims reproduced, " in verdict
    assert report == "Report: results/ci/report.html"


def check_claims_and_report(results):
    """Check the claims in three formats, and that the report contains all results."""
    claims = json.loads((results / "claims.json").read_text())
    assert [one["id"] for one in claims] == [claim.id for claim in CLAIMS]
    verdicts = {one["id"]: one["verdict"] for one in claims}
    # One epoch with few samples is not enough for these.
    assert {verdicts[name] for name in ("D1", "D2", "D3", "R1", "S3", "S4")} == {"not measured"}
    assert verdicts["P11"] == verdicts["N1"] == "reproduced"
    for kind in ("md", "html"):
        text = (results / f"claims.{kind}").read_text()
        assert all(re.search(rf"\b{claim.id}\b", text) for claim in CLAIMS)
    report = (results / "report.html").read_text()
    dictionaries = {
        path.stem for path in (results / "dictionaries").glob("*_0.npz") if "epoch" not in path.stem
    }
    levels = yaml.safe_load((ROOT / "config" / "ci.yaml").read_text())["denoising"]["levels"]
    compared = 2 * (len(levels) + 3)  # degraded and restored, in denoising and three other tasks
    # The picture at the top, and the one that enlarged dictionaries are shown in.
    assert report.count("<img ") == len(FIGURES) + len(dictionaries) + compared + 2
    assert "samples_per_epoch: 500" in report
    steps = io.load_step_times(results)
    assert len(steps) == len({*steps}) and sum(name.startswith("figures/") for name in steps) == 3
    # Each step has a log and a benchmark file of the same name.
    logs = (results / "logs").rglob("*.log")
    logs = {path.relative_to(results / "logs").with_suffix("").as_posix() for path in logs}
    assert logs == set(steps)


def test_changed_photographs_are_noticed_whatever_their_names(project, run):
    photos = project / '2024 my {0} "photos", $(touch executed)'
    for i, name in enumerate(("train", "reproduce", "denoise")):
        (photos / name).mkdir(parents=True)
        pixels = np.random.default_rng(i).integers(0, 256, (30, 30), dtype=np.uint8)
        Image.fromarray(pixels).save(photos / name / os.fsdecode(b"it's {x} \n\xff.png"))
    target = "data/ci/patches/16x16_whitened.npz"
    arguments = ("ezdl", "run", "--profile", "ci", "--images", photos.name, "--", target)
    first = run(*arguments)
    assert first.returncode == 0, first.stderr
    again = run(*arguments)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "Nothing to do: all results are up to date.\n"
    Image.fromarray(pixels).save(photos / "train" / "b.png")
    changed = run(*arguments)
    assert changed.returncode == 0, changed.stderr
    assert np.load(project / "data/ci/patches/16x16.npy").shape == (600, 256)
    assert not (project / "executed").exists()


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("vectors:", "vektors:", "vektors"),
        ("sparseness: 0.9", "sparseness: 1.9", "projections.sparseness: 1.9"),
        ("epochs: 1", "epochs: [1", "ci.yaml: not a valid YAML file"),
        ("sparseness: 0.9", "sparseness: .nan", "not finite"),
        ("seeds: [0]", f"seeds: {list(range(101))}", "seeds"),
    ],
)
def test_wrong_configuration_is_refused_in_one_line(project, refused, old, new, named):
    config = project / "config" / "ci.yaml"
    config.write_text(config.read_text().replace(old, new, 1))
    for command in ("plan", "run"):
        assert named in refused("ezdl", command, "--profile", "ci", alone=True)


def test_snakemake_refuses_a_wrong_configuration(project, run):
    config = project / "config" / "ci.yaml"
    config.write_text(config.read_text().replace("vectors:", "vektors:"))
    plain = snakemake(run, "--dry-run")
    assert plain.returncode != 0 and "vektors" in plain.stdout + plain.stderr


def test_code_in_a_profile_is_not_run(project, run, refused):
    # Snakemake executes the values of these keys.
    code = "__use_yte__: true\n__definitions__:\n  - open('ran', 'w')\n"
    (project / "strange.yaml").write_text(code)
    for command in ("plan", "run"):
        assert "__use_yte__" in refused("ezdl", command, "--profile", "strange.yaml")
        assert not (project / "ran").exists()
    run("snakemake", "--dry-run", "--configfile", "strange.yaml")
    assert (project / "ran").exists()


@pytest.mark.parametrize("profile", ["quick", "paper"])
def test_every_profile_has_a_plan(project, run, profile):
    (project / "photos").mkdir()
    done = run("ezdl", "plan", "--profile", profile, "--images", "photos", "--cores", "2")
    assert (done.returncode, done.stderr) == (0, "")
    first, *steps, _ = done.stdout.splitlines()
    assert " 0 up to date" in first
    expected = {"images", "train", "figures_of_images", "claims", "report"}
    assert expected <= {line.split()[0] for line in steps}


def schema():
    return yaml.safe_load((ROOT / "config" / "schema.yaml").read_text())


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_profile_satisfies_the_schema_and_sets_every_key(profile):
    configuration = yaml.safe_load(profile.read_text())
    Draft202012Validator(schema()).validate(configuration)
    assert configuration["profile"] == profile.stem
    # No value is left to a default, so that the file shows all of them.
    for name, section in schema()["properties"].items():
        assert set(section.get("properties", ())) <= set(configuration[name] or ())


@pytest.mark.parametrize("name", ["ci\n", "a b", "$(id)", "a;id", "../a", ""])
def test_profile_name_cannot_inject_shell_commands(name):
    values = yaml.safe_load((ROOT / "config" / "quick.yaml").read_text())
    wrong = Draft202012Validator(schema()).iter_errors(values | {"profile": name})
    assert [list(error.path) for error in wrong] == [["profile"]]


def test_schema_describes_every_key_and_rejects_others():
    sections = [schema(), *(one for one in schema()["properties"].values() if "properties" in one)]
    assert len(sections) == 9
    for section in sections:
        assert section["additionalProperties"] is False
        assert all(one["description"] for one in section["properties"].values())


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_every_key_of_a_profile_is_commented(profile):
    lines = profile.read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\s*\w+:", line):
            indent = len(line) - len(line.lstrip())
            is_section = line.endswith(":")
            # The comment of a section is inside it; consecutive keys may share one.
            above = number + 1 if is_section else number - 1
            while re.match(rf"\s{{{indent}}}\w+: \S", lines[above]) and not is_section:
                above -= 1
            assert re.match(r"\s*# \S", lines[above]), f"{profile.name}:{number + 1}: {line}"
