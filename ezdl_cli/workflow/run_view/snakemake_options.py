"""What options of Snakemake ask for."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

# Options with which Snakemake prints something, or runs no steps.
PRINTING = (
    *("dryrun", "touch", "printshellcmds", "debug_dag", "quiet", "print_compilation", "verbose"),
    *("logger", "lint", "generate_unit_tests", "containerize", "export_cwl", "list_rules"),
    *("list_target_rules", "dag", "rulegraph", "filegraph", "d3dag", "summary", "archive"),
    *("detailed_summary", "cleanup_metadata", "cleanup_shadow", "unlock", "list_changes"),
    *("list_input_changes", "list_params_changes", "list_untracked", "delete_all_output"),
    *("delete_temp_output", "report", "reporter", "draft_notebook", "edit_notebook", "debug"),
    *("list_conda_envs", "conda_cleanup_envs", "conda_create_envs_only", "runtime_profile"),
    *("container_cleanup_images", "directory"),
)
# Options with which only a part of the results is made.
SELECTING = ("targets", "until", "omit_from", "batch", "target_jobs", "allowed_rules")


def parse_options(arguments):
    """Return the parsed options, or None if Snakemake refuses them, or prints its help."""
    from snakemake.cli import get_argument_parser

    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            parser = get_argument_parser()
            return parser.parse_args(arguments), parser.parse_args([])
    except (SystemExit, Exception):  # Snakemake reports the error itself
        return None


def asks_for_output(arguments):
    """Return whether options ask Snakemake to print something, or are wrong."""
    parsed = parse_options(arguments)
    return parsed is None or _differ(*parsed, PRINTING)


def makes_all_results(arguments):
    """Return whether all results are made, and not only some targets."""
    parsed = parse_options(arguments)
    return parsed is not None and not _differ(*parsed, SELECTING)


def _differ(options, defaults, names):
    return any(getattr(options, name, None) != getattr(defaults, name, None) for name in names)
