"""`ezdl images`, on synthetic files."""

import hashlib
import io
import json
import os
import stat
import tarfile
import zipfile

import numpy as np
import pytest
from PIL import Image

from ezdl_cli.images.greyscale import read_grey
from ezdl_cli.images.guards.archive_members import ALWAYS_ALLOWED
from ezdl_cli.images.mcgill import COLLECTIONS


def picture(seed=0, kind="PNG", shape=(20, 24, 3)):
    """Content of a small file of noise."""
    pixels = np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def listing(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def read_manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def test_builtin_photographs_are_three_disjoint_sets(run, tmp_path):
    done = run("ezdl", "images", "builtin", "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    manifest = read_manifest(tmp_path / "out")
    entries = {entry["file"]: entry for entry in manifest["pictures"]}
    assert {name.split("/")[0] for name in entries} == {"train", "reproduce", "denoise"}
    on_disk = {p.relative_to(tmp_path / "out").as_posix() for p in tmp_path.rglob("*.png")}
    assert on_disk == set(entries)
    assert len({entry["source_sha256"] for entry in entries.values()}) == len(entries)
    for name, entry in entries.items():
        content = (tmp_path / "out" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert entry["licence"] and entry["author"] and entry["source"]
        with Image.open(io.BytesIO(content)) as image:
            assert (image.mode, image.size) == ("L", (entry["width"], entry["height"]))
    again = run("ezdl", "images", "builtin", "out")
    assert again.returncode == 0, again.stderr
    assert read_manifest(tmp_path / "out") == manifest


def test_import_reads_folders_files_and_archives(run, tmp_path):
    folder = tmp_path / "src" / "deep er"
    folder.mkdir(parents=True)
    (folder / "A.TIF").write_bytes(picture(1, "TIFF"))
    (folder / "notes.txt").write_text("no picture")
    (folder / ".hidden.png").write_bytes(b"not looked at")
    (tmp_path / "-b.jpeg").write_bytes(picture(2, "JPEG"))
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("inner/c.webp", picture(3, "WEBP"))
        archive.writestr("__MACOSX/._c.webp", b"junk")
    with tarfile.open(tmp_path / "t.tar.gz", "w:gz") as archive:
        content = picture(4, "BMP")
        member = tarfile.TarInfo("./d.BMP")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    done = run("ezdl", "images", "import", "--", "src", "-b.jpeg", "z.zip", "t.tar.gz", "out")
    assert done.returncode == 0, done.stderr
    files = ["-b.png", "d.png", "deep er/A.png", "inner/c.png"]
    assert [entry["file"] for entry in read_manifest(tmp_path / "out")["pictures"]] == files
    assert set(files) < set(listing(tmp_path / "out"))


def test_archives_in_folders_are_searched(run_here, tmp_path):
    (tmp_path / "src").mkdir()
    with zipfile.ZipFile(tmp_path / "src" / "roll.zip", "w") as archive:
        archive.writestr("a.png", picture())
    assert run_here("ezdl", "images", "import", "src", "out").returncode == 0
    assert listing(tmp_path / "out") == ["manifest.json", "roll", "roll/a.png"]


def test_usable_and_unusable_images_are_named_and_nothing_is_written(run_here, refused, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "good.png").write_bytes(picture())
    (tmp_path / "src" / "text.png").write_text("a line of text")
    (tmp_path / "src" / "cut.tif").write_bytes(picture(kind="TIFF")[:700])
    (tmp_path / "src" / "good.jpg").write_bytes(picture(1, "JPEG"))
    message = refused("ezdl", "images", "import", "src", "out")
    bad, good = message.split("usable:")
    assert "3 of 4" in bad and "text.png" in bad and "cut.tif" in bad and "src/good.jpg" in good
    assert listing(tmp_path) == ["src"] + [f"src/{p}" for p in listing(tmp_path / "src")]
    done = run_here("ezdl", "images", "import", "--skip-bad", "src", "out")
    assert done.returncode == 0 and "text.png" in done.stderr
    assert listing(tmp_path / "out") == ["good.png", "manifest.json"]


def dangerous_archives(folder):
    """Archives that must be rejected, by name."""
    with zipfile.ZipFile(folder / "up.zip", "w") as archive:
        archive.writestr("../out.png", picture())
    with zipfile.ZipFile(folder / "absolute.zip", "w") as archive:
        archive.writestr("/tmp/out.png", picture())
    with zipfile.ZipFile(folder / "link.zip", "w") as archive:
        info = zipfile.ZipInfo("link.png")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    zeros = bytes(ALWAYS_ALLOWED + 1)
    with zipfile.ZipFile(
        folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1
    ) as archive:
        archive.writestr("zeros.png", zeros)
    for name, kind in (("symlink", tarfile.SYMTYPE), ("hardlink", tarfile.LNKTYPE)):
        with tarfile.open(folder / f"{name}.tar", "w") as archive:
            member = tarfile.TarInfo("link.png")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    with tarfile.open(folder / "device.tar", "w") as archive:
        member = tarfile.TarInfo("pipe.png")
        member.type = tarfile.FIFOTYPE
        archive.addfile(member)
    with tarfile.open(folder / "up.tgz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a/../../out.png"))
    with tarfile.open(folder / "bomb.tar.gz", "w:gz", compresslevel=1) as archive:
        member = tarfile.TarInfo("zeros.png")
        member.size = len(zeros)
        archive.addfile(member, io.BytesIO(zeros))
    with tarfile.open(folder / "damaged.tar", "w") as archive:
        for name in ("a.png", "b.png", "c.png"):
            member = tarfile.TarInfo(name)
            member.size = 1000
            archive.addfile(member, io.BytesIO(bytes(1000)))
    content = bytearray((folder / "damaged.tar").read_bytes())
    (folder / "short.tar").write_bytes(content[: 3 * 512])
    content[3 * 512 + 5] ^= 1
    (folder / "damaged.tar").write_bytes(content)
    with tarfile.open(folder / "header.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.addfile(tarfile.TarInfo("n" * (1 << 22)))
    with zipfile.ZipFile(folder / "bzip2.zip", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.png", picture())
    (folder / "text.zip").write_text("a line of text")
    (folder / "cut.zip").write_bytes((folder / "up.zip").read_bytes()[:200])
    (folder / "cut.tar").write_bytes((folder / "symlink.tar").read_bytes()[:300])
    return sorted(path.name for path in folder.iterdir())


def test_malicious_archives_are_rejected(refused, tmp_path):
    (tmp_path / "archives").mkdir()
    names = dangerous_archives(tmp_path / "archives")
    assert len(names) == 16
    for name in names:
        message = refused("ezdl", "images", "import", f"archives/{name}", "out")
        assert f"archives/{name}" in message
    assert listing(tmp_path) == ["archives", *(f"archives/{name}" for name in names)]


def test_images_that_would_get_the_same_name_are_refused(refused, tmp_path):
    (tmp_path / "a.png").write_bytes(picture(0))
    (tmp_path / "A.jpg").write_bytes(picture(1, "JPEG"))
    message = refused("ezdl", "images", "import", "a.png", "A.jpg", "out")
    assert "A.jpg: would become" in message


def test_unrelated_files_are_never_deleted(run_here, refused, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.png").write_bytes(picture())
    assert "lies in the target" in refused("ezdl", "images", "import", "src", "src/")
    assert run_here("ezdl", "images", "import", "src", "src/out").returncode == 0
    assert run_here("ezdl", "images", "import", "src", "src/out").returncode == 0
    assert listing(tmp_path / "src" / "out") == ["a.png", "manifest.json"]
    (tmp_path / "src" / "out" / "mine.txt").write_text("mine")
    assert "mine.txt" in refused("ezdl", "images", "import", "src/a.png", "src/out")
    assert (tmp_path / "src" / "out" / "mine.txt").read_text() == "mine"
    refused("ezdl", "images", "import", "src", "src/a.png")
    refused("ezdl", "images", "import", "src", "not/there")


def test_empty_folder_is_filled_even_if_it_is_the_current_one(run, tmp_path):
    (tmp_path / "here").mkdir()
    assert run("ezdl", "images", "builtin", ".", cwd=tmp_path / "here").returncode == 0
    assert "manifest.json" in listing(tmp_path / "here")


@pytest.mark.parametrize("source", ["empty", "nowhere", "text.txt", "pipe"])
def test_sources_without_images_are_rejected(refused, tmp_path, source):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("a line of text")
    os.mkfifo(tmp_path / "pipe")
    assert source in refused("ezdl", "images", "import", source, "out")
    assert not (tmp_path / "out").exists()


def test_zip_with_a_false_size_is_not_unpacked(refused, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.png", bytes(1 << 26))
    content = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(content.replace((1 << 26).to_bytes(4, "little"), b"\1\0\0\0"))
    assert "zeros.png" in refused("ezdl", "images", "import", "a.zip", "out")


def test_damaged_compressed_images_are_rejected_in_one_line(refused, tmp_path):
    stream = io.BytesIO()
    pixels = np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(stream, "TIFF", compression="tiff_lzw")
    content = bytearray(stream.getvalue())
    content[200:600] = b"\xa7" * 400
    (tmp_path / "a.tif").write_bytes(content)
    assert "a.tif" in refused("ezdl", "images", "import", "a.tif", "out")


def test_pipes_and_devices_among_images_are_rejected(refused, tmp_path):
    (tmp_path / "src").mkdir()
    os.mkfifo(tmp_path / "src" / "pipe.png")
    (tmp_path / "src" / "zero.png").symlink_to("/dev/zero")
    assert "regular" in refused("ezdl", "images", "import", "src", "out")
    assert "regular" in refused("ezdl", "extract", "src", "p.npy")


def test_names_that_are_not_utf8_work(run_here, tmp_path):
    (tmp_path / "src").mkdir()
    with open(os.fsencode(tmp_path / "src") + b"/b\xff.png", "wb") as stream:
        stream.write(picture())
    done = run_here("ezdl", "images", "import", "src", "out")
    assert done.returncode == 0, done.stderr
    assert len(read_manifest(tmp_path / "out")["pictures"]) == 1


def test_modified_collection_is_not_replaced(run_here, refused, tmp_path):
    (tmp_path / "a.png").write_bytes(picture())
    (tmp_path / "new.png").write_bytes(picture(1))
    assert run_here("ezdl", "images", "import", "a.png", "out").returncode == 0
    (tmp_path / "out" / "new.png").mkdir()
    assert "new.png" in refused("ezdl", "images", "import", "new.png", "out")
    (tmp_path / "out" / "new.png").rmdir()
    assert listing(tmp_path / "out") == ["a.png", "manifest.json"]
    (tmp_path / "out" / "a.png").write_text("precious")
    assert "a.png" in refused("ezdl", "images", "import", "new.png", "out")
    assert (tmp_path / "out" / "a.png").read_text() == "precious"
    refused("ezdl", "images", "import", "out/a.png", "out")


@pytest.mark.parametrize(
    ("function", "call"),
    [("os.fsync", 1)]
    + [("os.replace", call) for call in (1, 2, 3, 4, 5)]
    + [("pathlib.Path.unlink", call) for call in (1, 2, 3)],
)
def test_import_works_after_a_killed_one(run, tmp_path, function, call):
    for i, name in enumerate("abc"):
        (tmp_path / f"{name}.png").write_bytes(picture(i))
    assert run("ezdl", "images", "import", "a.png", "b.png", "out").returncode == 0
    code = f"""
import itertools, os, pathlib, signal, sys
from ezdl_cli import cli
original, calls = {function}, itertools.count(1)
def killed(*arguments, **options):
    if next(calls) == {call}:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **options)
{function} = killed
sys.argv = ["ezdl", "images", "import", "b.png", "c.png", "out"]
cli.main()
"""
    assert run("python", "-c", code).returncode == -9
    for name in ("a", "b", "c"):
        path = tmp_path / "out" / f"{name}.png"
        assert not path.exists() or read_grey(path).shape == (20, 24)
    done = run("ezdl", "images", "import", "b.png", "c.png", "out")
    assert done.returncode == 0, done.stderr
    assert listing(tmp_path / "out") == ["b.png", "c.png", "manifest.json"]
    assert "incomplete" not in read_manifest(tmp_path / "out")


def test_full_disk_leaves_no_file(refused, tmp_path):
    (tmp_path / "a.png").write_bytes(picture(shape=(300, 300, 3)))
    limited = "trap '' XFSZ; ulimit -f 4; exec ezdl images import a.png out"
    refused("bash", "-c", limited, code=1)
    assert listing(tmp_path) == ["a.png"]


def fake_mcgill(folder, counts):
    """Collections of one-pixel images, in folders and in an archive."""
    pixel = picture(kind="TIFF", shape=(1, 1, 3))
    for i in range(counts["train"]):
        path = folder / "TIF Foliage" / f"merry_mexico{i:04d}.{'TIF' if i % 2 else 'tif'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pixel)
    with zipfile.ZipFile(folder / "flowers.zip", "w") as archive:
        for i in range(counts["reproduce"]):
            archive.writestr(f"pippin{i:04d}.tif", pixel)
    for i in range(counts["denoise"]):
        path = folder / "more" / "Animals" / f"merry{i:04d}.tif"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pixel)
    (folder / "Fruits").mkdir()
    (folder / "Fruits" / "apple.tif").write_bytes(pixel)


def test_mcgill_collections_are_found_and_counted(run_here, refused, tmp_path):
    counts = {name: number for name, (_, number, _) in COLLECTIONS.items()}
    fake_mcgill(tmp_path / "src", counts)
    done = run_here("ezdl", "images", "mcgill", "src", "out")
    assert done.returncode == 0, done.stderr
    for name, number in counts.items():
        assert len(list((tmp_path / "out" / name).iterdir())) == number
    next((tmp_path / "src" / "more" / "Animals").iterdir()).unlink()
    message = refused("ezdl", "images", "mcgill", "src", "other")
    assert "Animals has 80 of 81" in message and "Foliage" not in message
    assert run_here("ezdl", "images", "mcgill", "--partial", "src", "other").returncode == 0


def test_missing_mcgill_database_is_explained(refused, tmp_path):
    (tmp_path / "Foliage").mkdir()
    (tmp_path / "Foliage" / "a.tif").write_bytes(picture(kind="TIFF"))
    assert "tabby.vision.mcgill.ca" in refused("ezdl", "images", "mcgill", "nowhere", "out")
    message = refused("ezdl", "images", "mcgill", "Foliage", "out")
    assert "Foliage has 1 of 314" in message and "Flowers has 0 of 98" in message
    assert "tabby.vision.mcgill.ca" in message


def test_archives_may_outnumber_the_limit_of_open_files(run, tmp_path):
    (tmp_path / "many").mkdir()
    (tmp_path / "a.png").write_bytes(picture())
    for number in range(20):
        with zipfile.ZipFile(tmp_path / "many" / f"{number}.zip", "w") as archive:
            archive.write(tmp_path / "a.png", "a.png")
        with tarfile.open(tmp_path / "many" / f"{number}-too.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / "a.png", "a.png")
    limit = ("prlimit", "--nofile=30")
    done = run(*limit, "ezdl", "images", "import", "many", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "out").rglob("*.png"))) == 40
