"""The Snakefile and the profiles: those of a project folder, or those of the installed package.

A wheel contains copies of them, in the folder `project` beside this module; in the checkout they
are at the top level.
"""

from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError

INSTALLED = Path(__file__).with_name("project")
CHECKOUT = Path(__file__).parents[2]


@dataclass(frozen=True)
class ProjectFiles:
    """The files of the pipeline in a folder."""

    folder: Path

    @property
    def snakefile(self):
        return self.folder / "Snakefile"

    @property
    def schema(self):
        """What profiles may contain."""
        return self.folder / "config" / "schema.yaml"

    @property
    def base(self):
        """The profile whose values all others override."""
        return self.profile("quick")

    @property
    def workflow_profile(self):
        """Options of Snakemake for running on one machine."""
        return self.folder / "config" / "profiles" / "local"

    def profile(self, name):
        """Return the path of a profile, which need not exist."""
        return self.folder / "config" / f"{name}.yaml"

    def profile_names(self):
        """Return the names of all profiles."""
        paths = (self.folder / "config").glob("*.yaml")
        return sorted(path.stem for path in paths if path != self.schema)

    def all_files(self):
        """Return all files, relative to the folder; the Snakefile, which makes a project, last."""
        config = self.folder / "config"
        paths = [*config.glob("*.yaml"), *config.glob("profiles/**/*.yaml")]
        return [*sorted(path.relative_to(self.folder) for path in paths), Path("Snakefile")]


def packaged_files():
    """Return the files that ship with the package."""
    return ProjectFiles(INSTALLED if INSTALLED.is_dir() else CHECKOUT)


def project_files():
    """Return the files of the project in the working directory; without one, of the package."""
    here = ProjectFiles(Path())
    if not here.snakefile.exists():
        return packaged_files()
    if not here.schema.is_file():
        raise InputError(
            f"{here.snakefile}: belongs to another pipeline (there is no {here.schema}); change to "
            "another folder"
        )
    return here
