"""`ezdl run` and `ezdl plan` on a pipeline of two steps, with real Snakemake."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.small_pipeline import close_gate, create_pipeline, wait_at_gate

from ezdl_cli import extras
from ezdl_cli.errors import InputError

SCRIPTS = Path(sys.executable).parent


@pytest.fixture
def project(tmp_path):
    return create_pipeline(tmp_path)


def start_and_wait_at_the_gate(project, *command):
    """Start a run, and wait until its first step has begun."""
    ready = close_gate(project)
    process = subprocess.Popen(
        [SCRIPTS / command[0], *command[1:], "--cores", "1"],
        cwd=project,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    wait_at_gate(ready, process)
    return process


@pytest.mark.parametrize("command", [("ezdl", "run"), ("snakemake",)], ids=" ".join)
def test_second_run_is_rejected_and_killed_run_is_resumed(run, refused, project, command):
    process = start_and_wait_at_the_gate(project, *command)
    try:
        assert "another run is in progress" in refused("ezdl", "run", code=1, alone=True)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert list((project / ".snakemake" / "locks").iterdir())
    (project / "open").touch()
    done = run("ezdl", "run", "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert (project / "b.txt").exists()
    assert not list((project / ".snakemake").glob("locks/*"))


def test_steps_get_the_threads_of_their_rule_and_options_are_passed_on(run, project):
    for name in ("train", "reproduce", "denoise"):
        (project / "2024" / name).mkdir(parents=True)
        (project / "2024" / name / "a.png").touch()
    arguments = ("--images", "2024", "--cores", "2", "--", "--config", "images=mine")
    for options, images in ((arguments[:4], "2024"), (arguments, "mine")):
        done = run("ezdl", "run", *options, env={"OMP_NUM_THREADS": "2"})
        assert done.returncode == 0, done.stderr
        assert (project / "a.txt").read_text() == f"1\n1 {images}\n"
        assert (project / "b.txt").read_text() == f"{min(2, len(os.sched_getaffinity(0)))}\n"


def test_invalid_configuration_after_a_kill_is_reported_without_traceback(run, project):
    (project / "config" / "quick.yaml").write_text("profile: quick\nvalue: 10\n")
    (project / ".snakemake" / "locks").mkdir(parents=True)
    (project / ".snakemake" / "locks" / "0.output.lock").write_text("a.txt\n")
    done = run("ezdl", "run")
    assert done.returncode == 1
    assert "the value is too large" in done.stderr and "CalledProcessError" not in done.stderr


def test_plan_lists_steps_with_reasons_and_times(run, project):
    plan = run("ezdl", "plan", "--cores", "1")
    assert (plan.returncode, plan.stderr) == (0, "")
    first, *steps, last = plan.stdout.splitlines()
    assert first == "config/quick.yaml: 2 steps, 0 up to date, 2 to run."
    assert [line.split()[:2] for line in steps] == [["first", "1"], ["second", "1"]]
    assert all("time unknown" in line and line.endswith("new") for line in steps)
    assert "unknown" in last and not (project / "a.txt").exists()

    assert run("ezdl", "run", "--cores", "1").returncode == 0
    assert "Nothing to do." in run("ezdl", "plan").stdout
    for name, seconds in (("a", 100), ("b", 50)):
        file = project / "results" / "quick" / "benchmarks" / f"{name}.tsv"
        file.write_text(f"s\tcpu_time\tmax_rss\n{seconds}\t1\t1\n")
    (project / "config" / "quick.yaml").write_text("profile: quick\nvalue: 2\n")
    first, *steps, last = run("ezdl", "plan", "--cores", "2").stdout.splitlines()
    assert "0 up to date, 2 to run" in first
    assert [" ".join(line.split()) for line in steps] == [
        "first 1 2 min parameters have changed",
        "second 1 50 s input will change",
    ]
    assert last == "About 2 min on 2 cores, estimated from earlier runs."


def test_plan_reports_an_invalid_configuration_in_one_line(refused, project):
    (project / "config" / "quick.yaml").write_text("profile: quick\nvalue: 10\n")
    assert "the value is too large" in refused("ezdl", "plan", alone=True)


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--profile", "none"], "choose one of quick"),
        (["--images", "none"], "none: no such folder"),
        (["--cores", "0"], "--cores"),
        (["--cores", "some"], "--cores"),
    ],
)
def test_usage_errors_are_one_line(refused, project, command, arguments, word):
    assert word in refused("ezdl", command, *arguments, alone=True)
    assert not (project / ".snakemake").exists()


def test_missing_sets_of_photographs_are_reported_before_anything_runs(refused, project):
    for name in ("train", "denoize", "reproduce"):
        (project / "photos" / name).mkdir(parents=True)
        (project / "photos" / name / "a.png").touch()
    (project / "photos" / "reproduce" / "a.png").rename(project / "photos" / "reproduce" / "a.txt")
    message = refused("ezdl", "run", "--images", "photos", alone=True)
    assert "photos: has no images in reproduce, denoise; photographs must be in" in message
    assert not (project / ".snakemake").exists()


@pytest.mark.parametrize("command", ["run", "plan"])
def test_pipelines_of_others_are_not_run(refused, tmp_path, command):
    (tmp_path / "Snakefile").write_text("open('ran', 'w')\n")
    message = refused("ezdl", command, alone=True)
    assert "Snakefile: belongs to another pipeline" in message
    assert [path.name for path in tmp_path.iterdir()] == ["Snakefile"]


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize("missing", [["snakemake"], ["rich"], ["rich", "yaml"]], ids=" ".join)
def test_missing_packages_are_reported_with_what_to_install(refused, monkeypatch, command, missing):
    for module in missing:
        monkeypatch.setitem(sys.modules, module, None)
    packages = " ".join(missing).replace("yaml", "pyyaml")
    assert f"(the extra pipeline): pip install {packages}\n" in refused("ezdl", command)


def test_folder_does_not_count_as_an_installed_package(tmp_path, monkeypatch):
    (tmp_path / "some_package").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(extras.PACKAGES, "pdf", {"some_package": "some-package"})
    with pytest.raises(InputError, match="needs some-package"):
        extras.require_extra("pdf", "this")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise ValueError('wrong')", "Snakefile, line 2: ValueError: wrong"),
        ("print(nothing)", "Snakefile, line 2: NameError: name 'nothing' is not defined"),
        ("rule x:\n    unknown: 1", "Snakefile, line "),
    ],
)
def test_plan_blames_the_snakefile_for_its_errors(refused, project, code, message):
    (project / "Snakefile").write_text(f"# mine\n{code}\n")
    found = refused("ezdl", "plan", alone=True)
    assert message in found and "quick.yaml" not in found


def test_plan_leaves_no_folders(run, tmp_path):
    assert run("ezdl", "plan", "--profile", "ci").returncode == 0
    assert not list(tmp_path.iterdir())


def test_unusable_schema_is_blamed(refused, project):
    (project / "config" / "schema.yaml").write_text("type: 5\n")
    assert "config/schema.yaml: not a valid schema" in refused("ezdl", "plan")


def test_unknown_keys_of_a_profile_are_refused(refused, tmp_path):
    (tmp_path / "mine.yaml").write_text("profile: mine\ncores: 1\n")
    assert "'cores' was unexpected" in refused("ezdl", "plan", "--profile", "mine.yaml")


def test_profile_without_a_name_for_its_results_is_refused(refused, tmp_path):
    (tmp_path / "mine.yaml").write_text("training: {epochs: 3}\n")
    assert "mine.yaml: has no key profile" in refused("ezdl", "plan", "--profile", "mine.yaml")
