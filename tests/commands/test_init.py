"""`ezdl init`: a project folder."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "Snakefile",
    "config/ci.yaml",
    "config/paper.yaml",
    "config/profiles/local/config.yaml",
    "config/profiles/slurm/config.yaml",
    "config/quick.yaml",
    "config/schema.yaml",
)


def files_below(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_the_project_has_the_files_of_the_repository(run_here, tmp_path):
    done = run_here("ezdl", "init", "mine")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Wrote 7 files. To run the pipeline: cd mine && ezdl run\n"
    assert tuple(files_below(tmp_path / "mine")) == FILES
    for name in FILES:
        assert (tmp_path / "mine" / name).read_bytes() == (ROOT / name).read_bytes()


def test_folder_with_other_files_can_be_used(run_here, tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "mine.yaml").write_text("profile: mine\n")
    done = run_here("ezdl", "init", ".")
    assert done.stdout == "Wrote 7 files. To run the pipeline: ezdl run\n"
    assert files_below(tmp_path) == sorted((*FILES, "config/mine.yaml"))
    again = run_here("ezdl", "init", ".")
    assert again.stdout == "Nothing to write: all files are there. To run the pipeline: ezdl run\n"


@pytest.mark.parametrize("name", ["Snakefile", "config/quick.yaml"])
def test_files_that_differ_are_not_overwritten(refused, tmp_path, name):
    (tmp_path / "mine" / "config").mkdir(parents=True)
    (tmp_path / "mine" / name).write_text("# mine\n")
    assert f"mine/{name}: exists and differs" in refused("ezdl", "init", "mine")
    assert files_below(tmp_path / "mine") == [name]


@pytest.mark.parametrize(
    ("kind", "name"),
    [("file", "config"), ("folder", "config/quick.yaml"), ("link", "Snakefile")],
)
def test_what_is_in_the_way_is_named(refused, tmp_path, kind, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    if kind == "link":
        path.symlink_to(tmp_path / "elsewhere")
    else:
        path.mkdir() if kind == "folder" else path.touch()
    assert f"mine/{name}: is in the way" in refused("ezdl", "init", "mine")
    assert not (tmp_path / "mine" / "Snakefile").exists()


def test_printed_command_works_for_a_name_like_an_option(run_here):
    done = run_here("ezdl", "init", "--", "-mine")
    assert done.stdout.endswith(": cd ./-mine && ezdl run\n")


def test_changed_projects_are_used(run, tmp_path):
    assert run("ezdl", "init", ".").returncode == 0
    config = tmp_path / "config" / "quick.yaml"
    config.write_text(config.read_text().replace("seeds: [0, 1]", "seeds: [0]"))
    changed = run("ezdl", "plan").stdout.splitlines()[0]
    (tmp_path / "Snakefile").unlink()
    packaged = run("ezdl", "plan").stdout.splitlines()[0]
    assert changed.startswith("config/quick.yaml: ") and packaged.startswith("quick: ")
    assert int(changed.split()[1]) < int(packaged.split()[1])
