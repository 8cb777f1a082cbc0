"""The configuration of a run of the pipeline, `configuration.json` in its folder of results."""

from pathlib import Path

from ..errors import InputError, one_line
from .atomic_files import save_text
from .json_formats import read_json, to_json

CONFIGURATION = "configuration.json"


def save_run_configuration(folder, values):
    """Write the configuration of a run, and its number of cores, into its folder of results."""
    save_text(Path(folder) / CONFIGURATION, to_json(values))


def load_run_configuration(folder):
    """Return the stored configuration; empty if there is none, as before version 0.2."""
    path = Path(folder) / CONFIGURATION
    if not path.exists():
        return {}
    try:
        values = read_json(path)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a valid JSON file ({one_line(error)})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: must contain a JSON object")
    return values
