"""The sdist and the wheel: what they contain, and what they say about themselves."""

import email
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
# What the core does without: the pipeline and all that only comparisons and tests need.
NOT_IN_THE_CORE = {"snakemake", "jsonschema", "pyyaml", "rich", "typst", "pandas", "pytest"}


@pytest.fixture
def metadata(distributions):
    with zipfile.ZipFile(distributions[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(wheel.read(name))


def files_of_git():
    """Return the files of the repository, or skip the test outside of one."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git repository")
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def test_wheel_contains_all_files_of_the_package_and_the_pipeline(distributions):
    tracked = files_of_git()
    expected = {name for name in tracked if name.startswith("ezdl_cli/")}
    schedule = {name for name in tracked if name.startswith("config/schedule/")}
    pipeline = {name for name in tracked if name.startswith("config/") and name.endswith(".yaml")}
    for name in {"Snakefile"} | pipeline - schedule:
        expected.add(f"ezdl_cli/workflow/project/{name}")
    with zipfile.ZipFile(distributions[1]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == expected


def test_sdist_contains_the_repository(distributions):
    with tarfile.open(distributions[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names - {"PKG-INFO"} == files_of_git()


def test_core_needs_no_snakemake(metadata):
    requirements = [Requirement(text) for text in metadata.get_all("Requires-Dist")]
    core = {one.name for one in requirements if not one.marker}
    assert {"click", "numpy", "numba", "scikit-image", "pillow", "matplotlib"} <= core
    assert not core & NOT_IN_THE_CORE
    extras = [one for one in requirements if one.marker]
    assert "snakemake" in {one.name for one in extras if one.marker.evaluate({"extra": "pipeline"})}


def test_metadata_describe_the_package(metadata):
    assert metadata["Author"] == "The ezdl developers"
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata["Keywords"] and metadata["Requires-Python"] == ">=3.11"
    assert "Typing :: Typed" in metadata.get_all("Classifier")


def test_installed_package_is_the_one_of_the_wheel(run, installed):
    code = "import ezdl_cli, importlib.metadata as m; print(ezdl_cli.__file__, m.version('ezdl'))"
    done = run(installed / "python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed.parent))


def test_core_works_without_the_packages_of_the_extras(run, installed, tmp_path):
    for name in ("snakemake", "jsonschema", "yaml", "rich", "typst", "pandas", "psutil"):
        (tmp_path / "blocked" / name).mkdir(parents=True)
        (tmp_path / "blocked" / name / "__init__.py").write_text("raise ImportError(__name__)")
    steps = (
        "images builtin photos",
        "extract photos/train patches.npy --patch-size 4 --per-image 50",
        "train ezdl patches.npy dictionary.npz --atoms 16 --epochs 1 --samples-per-epoch 100",
        "evaluate dictionary.npz photos/reproduce t.csv --sparseness 0.9 --iterations 1 --crop 32",
        "denoise-image photos/denoise/chelsea.png clean.png --sigma 5 --no-adapt",
        "show dictionary.npz dictionary.png",
        "info dictionary.npz",
    )
    code = "import sys; sys.path.insert(0, 'blocked'); from ezdl_cli.cli import main; main()"
    for step in steps:
        done = run(installed / "python", "-c", code, *step.split())
        assert done.returncode == 0, (step, done.stderr)
