"""`ezdl init`: a project folder, to change the experiments in."""

from pathlib import Path

import click

from .. import io
from ..errors import InputError
from ..workflow.project_files import packaged_files
from ._shared.grouped_help import new_command, path_argument


@new_command("ezdl init my-experiment")
@path_argument("folder", metavar="FOLDER")
def command(folder):
    """Write the Snakefile and the commented profiles of the pipeline into FOLDER.

    `ezdl run` in this folder then uses them instead of those that ship with the package: change
    values in config/quick.yaml, add profiles, or add rules to the Snakefile. FOLDER may exist and
    have other files; files that differ are never overwritten.
    """
    folder = io.check_folder(folder)
    source = packaged_files()
    contents = {name: (source.folder / name).read_bytes() for name in source.all_files()}
    _check(folder, contents)
    for name, content in contents.items():
        target = folder / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            io.save_bytes(target, content)
    where = "" if folder.samefile(".") else f"cd {folder} && "
    click.echo(f"Wrote {len(contents)} files. Run the pipeline: {where}ezdl run")


def _check(folder, contents):
    """Refuse to overwrite a file that differs from that of the package."""
    for name, content in contents.items():
        target = folder / name
        for parent in (target, *target.parents[: len(Path(name).parts) - 1]):
            if parent.exists() and parent.is_file() is not (parent == target):
                raise InputError(f"{parent}: is in the way; choose another folder")
        if target.exists() and io.read_whole(target) != content:
            raise InputError(f"{target}: exists and differs; choose another folder, or move it")
