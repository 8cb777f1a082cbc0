"""`ezdl init`: a project folder for customising the experiments."""

import shlex

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
    values in config/quick.yaml, add profiles, or add rules to the Snakefile. FOLDER may already
    exist and contain other files; files that differ are never overwritten.
    """
    folder = io.check_folder(folder)
    source = packaged_files()
    contents = {name: (source.folder / name).read_bytes() for name in source.all_files()}
    missing = _missing(folder, contents)
    for name in missing:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        io.save_bytes(target, contents[name])
    where = "" if folder.samefile(".") else f"cd {_shell_path(folder)} && "
    wrote = f"Wrote {len(missing)} files." if missing else "Nothing to write: all files are there."
    click.echo(f"{wrote} To run the pipeline: {where}ezdl run")


def _shell_path(folder):
    """Return the path of a folder as a shell reads it, also if it looks like an option."""
    path = shlex.quote(str(folder))
    return f"./{path}" if str(folder).startswith("-") else path


def _missing(folder, contents):
    """Return the names of the files to write; refuse to overwrite those that differ."""
    missing = []
    for name, content in contents.items():
        target = folder / name
        for path in (*target.parents[: len(name.parts) - 1], target):
            in_the_way = path.is_dir() is (path == target) if path.exists() else path.is_symlink()
            if in_the_way:
                raise InputError(f"{path}: is in the way; move it, or choose another folder")
        if not target.exists():
            missing.append(name)
        elif io.read_whole(target) != content:
            raise InputError(f"{target}: exists and differs; move it, or choose another folder")
    return missing
