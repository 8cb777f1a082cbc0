"""What the commands have in common that start the pipeline: `ezdl plan` and `ezdl run`."""

import json
import textwrap
from pathlib import Path

import click

from ...errors import InputError, one_line
from ...parallel import cores as available_cores

SNAKEFILE = Path("Snakefile")
SCHEMA = Path("config/schema.yaml")
BASE = Path("config/quick.yaml")  # which all others change
BUILTIN = "builtin"  # photographs
MAX_BYTES = 1 << 16  # ours have a twentieth
LONGEST = 300  # letters of a message on a wrong value


class Cores(click.ParamType):
    """A number of cores, or all."""

    name = "N|all"

    def convert(self, value, parameter, context):
        if value == "all":
            return available_cores()
        if not str(value).isdecimal() or len(str(value)) > 6 or int(value) < 1:
            self.fail(f"{value!r} is neither a number of cores nor 'all'", parameter, context)
        return int(value)


def pipeline_options(function):
    """Which experiment, on which photographs, with how many cores."""
    for option in (
        click.option(
            "--cores", type=Cores(), default="all", show_default=True, help="To be used at once."
        ),
        click.option(
            "--images",
            metavar="FOLDER",
            type=click.Path(),
            help="Photographs in train, reproduce and denoise, instead of the profile's.",
        ),
        click.option(
            "--profile",
            default="quick",
            show_default=True,
            metavar="NAME|FILE",
            help="config/NAME.yaml, or a file that changes values of quick.yaml.",
        ),
    ):
        function = option(function)
    return function


def configuration(profile, images):
    """File of a profile, and the values that are changed in it.

    Raises
    ------
    InputError
        If this is not the project's folder, there is no such profile or folder, or the profile
        does not fit the schema.
    """
    if not SNAKEFILE.is_file():
        raise InputError(f"there is no {SNAKEFILE} here; go to the project's folder first")
    named = Path("config") / f"{profile}.yaml"
    file = named if named.is_file() else Path(profile)
    if not file.is_file():
        known = sorted(path.stem for path in Path("config").glob("*.yaml"))
        known = ", ".join(name for name in known if name != "schema")
        raise InputError(f"{profile}: there is no such profile; there are: {known}")
    values = _checked(file)
    _check_photographs(values.get("images", BUILTIN) if images is None else images)
    return file, {} if images is None else {"images": images}


def _check_photographs(folder):
    """Refuse a folder that is not there, or of which Snakemake could not tell its steps."""
    if folder == BUILTIN:
        return
    try:
        folder.encode()
    except UnicodeEncodeError:
        raise InputError(f"{folder}: its name is no text in UTF-8; give it another one") from None
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: no such folder")


def _checked(file):
    """Values of a profile; one that does not fit the schema is refused in one line."""
    from jsonschema import Draft202012Validator
    from snakemake.utils import update_config

    values = {}
    for path in (BASE, file):
        update_config(values, _read(path))
    for wrong in Draft202012Validator(_read(SCHEMA)).iter_errors(values):
        where = ".".join(map(str, wrong.absolute_path))
        what = textwrap.shorten(wrong.message, LONGEST, placeholder=" ...")
        raise InputError(f"{file}: {where or 'the file'}: {what}")
    return values


def _read(path):
    """Keys and values of a YAML file.

    Aliases are refused: a few lines of them are a tree of any size, and Snakemake would read it.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent, index):
            if self.check_event(yaml.AliasEvent):
                raise ValueError("write the value again instead of *alias")
            return super().compose_node(parent, index)

    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES} bytes")
        found = yaml.load(path.read_text(encoding="utf-8"), Loader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read as YAML ({one_line(error)})") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: has no keys and values")
    try:
        json.dumps(found, allow_nan=False, skipkeys=True, default=str)
    except ValueError:
        raise InputError(f"{path}: has a number that is not finite") from None
    return found
