"""The Slurm profile matches the pipeline; `make test-slurm` runs it."""

import re
from pathlib import Path

import yaml

from ezdl_cli.workflow import RULES
from ezdl_cli.workflow.trained_dictionaries import FIGURE_SECTIONS

ROOT = Path(__file__).resolve().parents[2]
PROFILE = yaml.safe_load((ROOT / "config/profiles/slurm/config.yaml").read_text())
TEXT = "\n".join(path.read_text() for path in RULES.glob("*.smk"))


def test_slurm_profile_names_existing_rules():
    rules = set(re.findall(r"^(?:rule|use rule \w+ as) (\w+)", TEXT, re.MULTILINE))
    rules |= {f"figures_of_{section}" for section in FIGURE_SECTIONS}
    for key in ("groups", "set-threads", "set-resources"):
        assert set(PROFILE[key]) <= rules, key


def test_timing_rules_have_a_node_to_themselves():
    timed = re.findall(
        r"^rule (\w+):(?:(?!^rule ).)*?threads: ALONE$", TEXT, re.DOTALL | re.MULTILINE
    )
    assert timed
    for rule in timed:
        assert PROFILE["set-threads"][rule] == 1
        assert "--exclusive" in PROFILE["set-resources"][rule]["slurm_extra"]
