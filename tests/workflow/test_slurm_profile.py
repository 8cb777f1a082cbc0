"""The profile for Slurm fits the pipeline; `make test-slurm` runs it."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_profile_of_slurm_names_rules_and_groups_that_exist():
    profile = yaml.safe_load((ROOT / "config/profiles/slurm/config.yaml").read_text())
    pattern = r"^(?:rule|use rule \w+ as) (\w+)"
    rules = set(re.findall(pattern, (ROOT / "Snakefile").read_text(), re.MULTILINE))
    for key in ("groups", "set-threads", "set-resources"):
        assert set(profile[key]) <= rules, key
    assert set(profile["group-components"]) <= set(profile["groups"].values())


def test_steps_that_time_have_a_node_alone():
    text = (ROOT / "Snakefile").read_text()
    timed = re.findall(
        r"^rule (\w+):(?:(?!^rule ).)*?threads: ALONE$", text, re.DOTALL | re.MULTILINE
    )
    profile = yaml.safe_load((ROOT / "config/profiles/slurm/config.yaml").read_text())
    assert timed
    for rule in timed:
        assert profile["set-threads"][rule] == 1
        assert "--exclusive" in profile["set-resources"][rule]["slurm_extra"]
