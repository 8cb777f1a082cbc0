"""What options of Snakemake ask for."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import NamedTuple

from ...errors import InputError

# Options with which Snakemake prints something, runs no steps, or runs them elsewhere.
PRINTING = (
    *("dryrun", "touch", "printshellcmds", "debug_dag", "quiet", "print_compilation", "verbose"),
    *("logger", "lint", "generate_unit_tests", "containerize", "export_cwl", "list_rules"),
    *("list_target_rules", "dag", "rulegraph", "filegraph", "d3dag", "summary", "archive"),
    *("detailed_summary", "cleanup_metadata", "cleanup_shadow", "unlock", "list_changes"),
    *("list_input_changes", "list_params_changes", "list_untracked", "delete_all_output"),
    *("delete_temp_output", "report", "reporter", "draft_notebook", "edit_notebook", "debug"),
    *("list_conda_envs", "conda_cleanup_envs", "conda_create_envs_only", "runtime_profile"),
    *("container_cleanup_images", "directory", "executor"),
)
# Options with which only a part of the results is made.
SELECTING = ("targets", "until", "omit_from", "batch", "target_jobs", "allowed_rules")


class SnakemakeOptions(NamedTuple):
    """What options of Snakemake ask for."""

    prints: bool
    """Snakemake's own output"""
    all_results: bool
    """all results, not only some targets"""
    keep_going: bool
    cores: int | None
    """maximum number of cores, None if the options do not state it"""


def parse_options(options):
    """Return what options of Snakemake ask for; raise InputError if they are wrong."""
    if not options:  # parsing takes a quarter of a second
        return SnakemakeOptions(prints=False, all_results=True, keep_going=False, cores=None)
    from snakemake.cli import get_argument_parser

    messages = StringIO()
    try:
        with redirect_stdout(StringIO()), redirect_stderr(messages):
            parser = get_argument_parser()
            parsed, defaults = (vars(parser.parse_args(words)) for words in (list(options), []))
    except (SystemExit, Exception) as ended:
        if getattr(ended, "code", None):  # the usage, and the error in the last line
            *_, error = messages.getvalue().strip().rpartition("error: ")
            raise InputError(f"options of Snakemake after --: {error}") from None
        # Snakemake prints its help or its version, or reports the error itself.
        return SnakemakeOptions(prints=True, all_results=False, keep_going=False, cores=None)
    given = {name for name, value in parsed.items() if value != defaults[name]}
    return SnakemakeOptions(
        not given.isdisjoint(PRINTING),
        given.isdisjoint(SELECTING),
        parsed["keep_going"],
        parsed["cores"] if isinstance(parsed["cores"], int) else None,
    )
