# The complete pipeline, from photographs to figures, claims and the report.
#
# The rules are in ezdl_cli/workflow/*.smk, by stage. Each is one `ezdl` call and takes values of
# the configuration through `params`, so that a changed value reruns only what depends on it.
# Which dictionaries are trained, and for what: ezdl_cli/workflow/trained_dictionaries.py.
import json
import shlex
import shutil
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version, validate

from ezdl_cli.figures import FIGURES, stem
from ezdl_cli.workflow import RULES
from ezdl_cli.workflow.job_graph import announce_steps
from ezdl_cli.workflow.photographs_checksum import photographs_checksum
from ezdl_cli.workflow.time_estimates import save_configuration
from ezdl_cli.workflow.trained_dictionaries import (
    FIGURE_SECTIONS,
    Plan,
    any_of,
    crop_option,
    figure_files,
    snapshots,
)

min_version("9.0")

# Find `ezdl` next to the running Python, even if its environment is not activated.
shell.prefix(f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; ")


configfile: str(Path(workflow.basedir, "config/quick.yaml"))


# In a configuration that was stored with results, which can be used as a profile.
config.pop("cores", None)
validate(config, "config/schema.yaml")
plan = Plan(config)
training, projections = config["training"], config["projections"]

# Threads of rules with few jobs, limited by the number of cores. Rules with many jobs have one
# thread, so that no core is idle while another job starts or ends.
MANY = 8
# Timings are only valid while nothing else runs: such a rule takes all cores.
ALONE = 1000


wildcard_constraints:
    profile=r"[A-Za-z0-9_-]+",
    rules="authors|ezdl",
    dictionary=any_of(plan.by_name),
    seed=r"\d+",
    size=r"\d+",


container: "docker://python:3.11"


onstart:
    # `ezdl run` shows how many steps there are, and the time left.
    announce_steps(workflow.dag, config)
    # `ezdl plan` estimates the time of other runs from that of this one.
    save_configuration(config, workflow.cores)
    # Without Slurm its executor would wait forever.
    if workflow.executor_plugin.name == "slurm" and not shutil.which("sbatch"):
        raise WorkflowError(
            "Slurm is not available here (no sbatch). Start on a login node of the cluster, or "
            "omit the Slurm profile."
        )


rule all:
    input:
        expand(
            [
                "results/{profile}/report.html",
                "results/{profile}/claims.md",
                "results/{profile}/claims.json",
                "results/{profile}/claims.html",
                *figure_files("pdf", "png", "svg", "csv"),
                # Not only needed for these: results, too, which are made again if they are missing.
                *plan.claim_tables(),
                *plan.dictionary_files(),
            ],
            profile=config["profile"],
        ),
    localrule: True
    message:
        "Done. Open the report: results/{config[profile]}/report.html"


include: RULES / "data.smk"
include: RULES / "learning.smk"
include: RULES / "measuring.smk"
include: RULES / "figures.smk"
include: RULES / "report.smk"
