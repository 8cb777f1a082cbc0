"""Profiles of the pipeline: options to choose one, loading and validation."""

import json
import textwrap
from pathlib import Path
from typing import NamedTuple

from ... import io
from ...errors import InputError, one_line
from ...extras import require_extra
from ...parallel import cores as available_cores
from ...workflow.project_files import ProjectFiles, project_files
from .grouped_help import add_parameters, option, path_option
from .parameter_types import Integer, NumberOrWord

BUILTIN = "builtin"  # photographs
MAX_BYTES = 1 << 16  # of a profile; ours have less than 4 KiB
MAX_MESSAGE = 300  # characters of a message about an invalid value
ALL = "all"
CORES = "cores"  # in a configuration that was stored with results, which is a profile as well

pipeline_options = add_parameters(
    option(
        "--profile",
        str,
        "quick",
        "Profile: quick, ci or paper, or a YAML file that overrides values of quick. In a project, "
        "each config/NAME.yaml is one.",
        metavar="NAME|FILE",
    ),
    path_option(
        "--images",
        "FOLDER",
        "Folder of photographs, with the subfolders train, reproduce and denoise.",
        show_default="those of the profile",
    ),
    option(
        "--cores",
        NumberOrWord(Integer(1, 10**6), ALL),
        ALL,
        "Maximum number of CPU cores to use.",
        metavar="N|all",
        callback=lambda context, parameter, n: available_cores() if n == ALL else n,
    ),
)


class Profile(NamedTuple):
    """A valid profile of the pipeline."""

    project: ProjectFiles
    path: Path
    title: str
    """path, or name of a profile that ships with the package"""
    overrides: dict
    """values given on the command line"""
    values: dict
    """all values, those of the command line included"""


def load_profile(name, images, needs_images=True):
    """Load a profile and check it against the schema.

    Parameters
    ----------
    name : str
        Name of a profile, or path of a YAML file.
    images : str or None
        Folder of photographs, instead of that of the profile.
    needs_images : bool
        Whether the folder of photographs must exist, unless it is that of the profile.

    Raises
    ------
    InputError
        If Snakemake is not installed, the profile or the folder cannot be used, or the Snakefile
        here is not of ezdl.
    """
    require_extra("pipeline", "the pipeline")
    project = project_files()
    path = project.profile(name) if name in project.profile_names() else Path(name)
    if not path.is_file():
        known = ", ".join(project.profile_names())
        what = "file" if path.suffix in (".yaml", ".yml", ".json") else "profile"
        raise InputError(f"{name}: no such {what}; choose one of {known}, or a file")
    values = _validated(path, project)
    folder = values.get("images", BUILTIN) if images is None else images
    if folder != BUILTIN and (images is not None or needs_images):
        _check_folder(folder)
    if folder != BUILTIN and needs_images:
        _check_sets(folder)
    overrides = {} if images is None else {"images": images}
    title = name if path.is_absolute() and path != Path(name) else str(path)
    return Profile(project, path, title, overrides, values | overrides)


def _check_folder(folder):
    """Raise InputError if a folder is missing, or Snakemake cannot print its name."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        raise InputError(f"{folder}: the name is not valid UTF-8; rename the folder") from None
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: no such folder")


def _check_sets(folder):
    """Raise InputError if a set of photographs is missing.

    Snakemake would only notice after all photographs have been imported.
    """
    from ...images.collection import SETS
    from ...images.finding import find_images

    with find_images([folder]) as images:
        found = {image.name.partition("/")[0] for image in images}
    if missing := [name for name in SETS if name not in found]:
        raise InputError(
            f"{folder}: has no images in {', '.join(missing)}; photographs must be in its "
            f"subfolders {', '.join(SETS)}"
        )


def _validated(path, project):
    """Return the values of a profile together with those that it does not override."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from snakemake.utils import update_config

    values, schema, given = {}, _read_yaml(project.schema), _read_yaml(path)
    for part in (_read_yaml(project.base), given):
        update_config(values, part)
    if path.name == io.CONFIGURATION:
        values.pop(CORES, None)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise InputError(f"{project.schema}: not a valid schema ({error.message})") from None
    for error in Draft202012Validator(schema).iter_errors(values):
        key = ".".join(map(str, error.absolute_path))
        problem = textwrap.shorten(error.message, MAX_MESSAGE, placeholder=" ...")
        raise InputError(f"{path}: {f'{key}: ' if key else ''}{problem}")
    if "profile" not in given:  # it would replace the results of the profile quick
        raise InputError(f"{path}: has no key profile, which names the folder of its results")
    return values


def _read_yaml(path):
    """Read a YAML file of keys and values.

    Aliases are not allowed: a few lines of them expand to a tree of any size in Snakemake.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent, index):
            if self.check_event(yaml.AliasEvent):
                raise ValueError("aliases (*name) are not allowed; repeat the value")
            return super().compose_node(parent, index)

    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES} bytes")
        values = yaml.load(path.read_text(encoding="utf-8"), Loader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{path}: not a valid YAML file ({one_line(error)})") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: must contain keys and values")
    try:
        json.dumps(values, allow_nan=False, skipkeys=True, default=str)
    except ValueError:
        raise InputError(f"{path}: contains a number that is not finite") from None
    return values
