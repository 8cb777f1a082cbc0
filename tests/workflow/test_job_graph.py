"""The steps that a run announces, with their times by the results of earlier runs."""

from pathlib import Path
from types import SimpleNamespace

import yaml
from snakemake.logging import logger

from ezdl_cli.workflow.job_graph import announce_steps
from ezdl_cli.workflow.time_estimates import save_configuration

ROOT = Path(__file__).resolve().parents[2]


def graph_of_one_step(rule, benchmark):
    """A job graph as far as steps are read from it."""
    rule = SimpleNamespace(name=rule, resources={"_cores": SimpleNamespace(value=1)})
    job = SimpleNamespace(rule=rule, benchmark=benchmark, threads=1)
    return SimpleNamespace(
        workflow=SimpleNamespace(rules=[rule]),
        jobs=[job],
        reason=lambda job: "Params have changed",
        needrun=lambda job: True,
    )


def test_estimates_are_those_of_the_configuration_before_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = yaml.safe_load((ROOT / "config" / "ci.yaml").read_text())
    save_configuration(config, 2)
    time = tmp_path / "results/ci/benchmarks/dictionaries/odl-2_0.tsv"
    time.parent.mkdir(parents=True)
    time.write_text("s\tcpu_time\tmax_rss\n11\t11\t1\n")
    longer = config | {"training": config["training"] | {"epochs": 10}}
    graph = graph_of_one_step("train", "results/ci/benchmarks/dictionaries/odl-2_0.tsv")
    logged = []
    monkeypatch.setattr(logger, "info", lambda message, extra: logged.append(extra["ezdl_steps"]))
    announce_steps(graph, longer)
    save_configuration(longer, 2)
    (steps,) = logged
    ((step, seconds),) = steps.pending
    assert (steps.profile, steps.n_up_to_date, step.name) == ("ci", 0, "dictionaries/odl-2_0")
    assert seconds == 1 + 10 * 10  # a second to start, and ten times the work


def test_steps_are_announced_before_the_configuration_is_stored():
    text = (ROOT / "Snakefile").read_text()
    assert text.index("    announce_steps(") < text.index("    save_configuration(")
