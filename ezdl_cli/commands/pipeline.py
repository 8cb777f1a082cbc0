"""What the commands have in common that start the pipeline: `ezdl plan` and `ezdl run`."""

from pathlib import Path

import click

from ..errors import InputError
from ..parallel import cores as available_cores

SNAKEFILE = Path("Snakefile")


class Cores(click.ParamType):
    """A number of cores, or all."""

    name = "N|all"

    def convert(self, value, parameter, context):
        if value == "all":
            return available_cores()
        if not str(value).isdecimal() or int(value) < 1:
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
        If this is not the project's folder, or there is no such profile or folder.
    """
    if not SNAKEFILE.is_file():
        raise InputError(f"there is no {SNAKEFILE} here; go to the project's folder first")
    named = Path("config") / f"{profile}.yaml"
    file = named if named.is_file() else Path(profile)
    if not file.is_file():
        known = sorted(path.stem for path in Path("config").glob("*.yaml"))
        known = ", ".join(name for name in known if name != "schema")
        raise InputError(f"{profile}: there is no such profile; there are: {known}")
    if images is not None and not Path(images).is_dir():
        raise InputError(f"{images}: no such folder")
    return file, {} if images is None else {"images": images}
