"""The pipeline with real Snakemake on the tiny profile, in a folder of its own."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
FIGURES = (
    *("01_sparseness", "02_auxiliary", "03_flowchart", "04_evaluations", "05_speedups"),
    *("06_gabor", "07_phases"),
    *("08a_whitened-topographic", "08b_whitened-rank"),
    *("09a_rank1-ordinary", "09b_rank1-topographic"),
    *("10a_iterations", "10b_ezdl", "11a_odl", "11b_rls-dla", "12_envelopes", "13_history"),
    "14_denoising",
)


@pytest.fixture
def project(tmp_path):
    """The files that a run of the pipeline needs."""
    shutil.copy(ROOT / "Snakefile", tmp_path)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


def snakemake(run, *arguments):
    return run("snakemake", "--cores", "2", "--configfile", "config/ci.yaml", *arguments)


def test_pipeline_makes_every_figure_once_and_only_what_changed_again(project, run):
    done = snakemake(run)
    assert done.returncode == 0, done.stderr
    figures = project / "results" / "ci" / "figures"
    expected = {f"fig{name}.{kind}" for name in FIGURES for kind in ("pdf", "png", "csv")}
    assert {path.name for path in figures.iterdir()} == expected
    tables = project / "results" / "ci" / "tables"
    assert len(list((tables / "gabor").iterdir())) == 8
    assert len(list((tables / "topography").iterdir())) == 4
    assert len(list((tables / "denoising").iterdir())) == 3
    again = snakemake(run)
    assert "Nothing to be done" in again.stdout + again.stderr
    config = project / "config" / "ci.yaml"
    config.write_text(config.read_text().replace("vectors: 10", "vectors: 11"))
    changed = snakemake(run, "--dry-run", "--printshellcmds")
    rules = changed.stdout + changed.stderr
    assert "ezdl projections evaluations" in rules and "ezdl figure evaluations" in rules
    assert rules.count("ezdl projections ") == rules.count("ezdl figure ") == 1
    words = ("images", "extract", "whiten", "train", "evaluate", "gabor", "denoise")
    assert not any(f"ezdl {word}" in rules for word in words)
    report = snakemake(run, "--report", "report.html")
    assert report.returncode == 0, report.stderr
    assert "fig04" in (project / "report.html").read_text()


def test_photographs_of_a_folder_are_followed(project, run):
    for i, name in enumerate(("train", "reproduce", "denoise")):
        (project / "my photos" / name).mkdir(parents=True)
        pixels = np.random.default_rng(i).integers(0, 256, (30, 30), dtype=np.uint8)
        Image.fromarray(pixels).save(project / "my photos" / name / "a.png")
    target = "data/ci/patches/16x16_whitened.npz"
    arguments = ("--config", "images=my photos", "--printshellcmds", target)
    first = snakemake(run, *arguments)
    assert first.returncode == 0, first.stderr
    again = snakemake(run, *arguments)
    assert "Nothing to be done" in again.stdout + again.stderr
    Image.fromarray(pixels).save(project / "my photos" / "train" / "b.png")
    changed = snakemake(run, *arguments)
    assert changed.returncode == 0, changed.stderr
    assert np.load(project / "data/ci/patches/16x16.npy").shape == (600, 256)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [("vectors:", "vektors:", "vektors"), ("sparseness: 0.9", "sparseness: 1.9", "1.9")],
)
def test_a_mistake_in_the_configuration_fails_at_once(project, run, old, new, named):
    config = project / "config" / "ci.yaml"
    config.write_text(config.read_text().replace(old, new, 1))
    done = snakemake(run, "--dry-run")
    assert done.returncode != 0
    assert named in done.stdout + done.stderr


@pytest.mark.parametrize("profile", ["quick", "ci", "paper"])
def test_every_profile_fits_the_schema(project, run, profile):
    configuration = ("--configfile", f"config/{profile}.yaml", "--config", "images=builtin")
    done = run("snakemake", "--dry-run", *configuration)
    assert done.returncode == 0, done.stderr
    assert f"results/{profile}/figures" in done.stdout + done.stderr
