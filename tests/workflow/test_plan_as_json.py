"""`ezdl plan --json`."""

import json
import shutil
from pathlib import Path

import pytest

from ezdl_cli.io.json_formats import validate

ROOT = Path(__file__).resolve().parents[2]
TIMES = "s\tcpu_time\tmax_rss\n2.0\t2.0\t100.0\n"


@pytest.fixture
def plan(tmp_path, run):
    """Return the plan of a project without results, and the lines of its text."""
    shutil.copy(ROOT / "Snakefile", tmp_path)
    shutil.copytree(ROOT / "config", tmp_path / "config")

    def load_plan():
        options = ("--profile", "ci", "--cores", "2")
        text, done = (run("ezdl", "plan", *options, *more) for more in ((), ("--json",)))
        assert (done.returncode, done.stderr) == (0, "")
        return validate(json.loads(done.stdout), "plan"), text.stdout.splitlines()

    return load_plan


def test_plan_has_the_numbers_of_the_text(plan, tmp_path):
    found, lines = plan()
    assert lines[0].endswith(f"{found['n_steps']} steps, 0 up to date, {found['n_steps']} to run.")
    assert [line.split()[0] for line in lines[1:-1]] == [one["rule"] for one in found["rules"]]
    assert sum(one["n_steps"] for one in found["rules"]) == found["n_unknown"] == found["n_steps"]
    assert {one["seconds"] for one in found["rules"]} == {found["seconds"]} == {None}
    assert all(one["reasons"] == ["new"] for one in found["rules"])
    assert found["cores"] == 2 and found["missing_images"] is None

    folder = tmp_path / "results" / "ci" / "benchmarks"
    folder.mkdir(parents=True)
    (folder / "claims.tsv").write_text(TIMES)
    timed, _ = plan()
    seconds = {one["rule"]: one["seconds"] for one in timed["rules"]}
    assert seconds["claims"] == pytest.approx(2.0) and seconds["images"] is None
    assert timed["seconds"] == pytest.approx(2.0)
    assert timed["n_unknown"] == found["n_steps"] - 1
