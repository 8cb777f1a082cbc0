"""Vectors of 2^30 entries: files are memory-mapped, and the memory does not grow with them."""

import json
import sys

import numpy as np
import pytest
from helpers.memory import MIB

N = 1 << 30
CHUNK = 1 << 22
SPARSENESS = 0.9
# The interpreter with numba and machine code; files are mapped, and scratch space is below 1 MiB.
OWN = 300 * MIB


def blocks(array):
    return (array[first : first + CHUNK] for first in range(0, len(array), CHUNK))


def write_vector(path, dtype, n=N):
    """Write random numbers, of both signs if the type is signed."""
    stream = np.random.default_rng(0)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(n,))
    for block in blocks(out):
        values = stream.standard_normal(len(block), np.float32)
        block[:] = values if block.dtype.kind == "f" else np.minimum(20 * values**2, 255)
    out.flush()


def check(source, target):
    """Check that the result is β sign(x) max(|x| - α, 0) for some α and β, and sparse enough.

    Such a point of the given sparseness is the closest one if <x, s> = ‖s‖² (without a given norm).
    """
    x, s = np.load(source, mmap_mode="r"), np.load(target, mmap_mode="r")
    assert s.shape == x.shape
    ones = squares = product = 0.0
    dropped, kept = 0.0, np.inf  # maximum |x| of zero entries, minimum of nonzero ones
    for before, after in zip(blocks(x), blocks(s), strict=True):
        before, after = before.astype(np.float64), after.astype(np.float64)
        ones += np.abs(after).sum()
        squares += after @ after
        product += before @ after
        gone = after == 0
        assert (np.sign(before) == np.sign(after))[~gone].all()
        dropped = max(dropped, np.abs(before[gone]).max(initial=0.0))
        kept = min(kept, np.abs(before[~gone]).min(initial=np.inf))
    root = np.sqrt(len(x))
    assert (root - ones / np.sqrt(squares)) / (root - 1) == pytest.approx(SPARSENESS, abs=1e-6)
    assert product == pytest.approx(squares, rel=1e-5)
    assert dropped <= kept
    check_line(x, s)


def check_line(x, s):
    """Check that nonzero magnitudes are a linear function of |x|, and zeros below its root."""
    before, after = np.abs(x[: 1 << 20].astype(np.float64)), np.abs(s[: 1 << 20].astype(np.float64))
    kept = after > 0
    slope, offset = np.polyfit(before[kept], after[kept], 1)
    scale = after.max()
    assert np.abs(slope * before[kept] + offset - after[kept]).max() < 1e-5 * scale
    assert (slope * before[~kept] + offset).max() <= 1e-5 * scale


@pytest.mark.parametrize("dtype", ["float32", "uint8", "float64"])
def test_projection_of_a_long_vector_needs_little_memory(stands, folder, dtype):
    source, target = folder / "in.npy", folder / "out.npy"
    write_vector(source, dtype)
    words = ("ezdl", "project", source, target, "--sparseness", SPARSENESS)
    taken = stands(f"project, 2^30 of {dtype}", *words)
    check(source, target)
    target.unlink()
    assert taken.memory < OWN


def test_projection_of_a_long_vector_needs_little_address_space(stands, folder):
    source, target = folder / "limited.npy", folder / "out.npy"
    write_vector(source, "float32")
    space = 2 * 4 * N + 2048 * MIB  # input and output; libraries
    limits = (f"--as={space}", f"--data={OWN + 300 * MIB}")
    words = ("ezdl", "project", source, target, "--sparseness", SPARSENESS)
    stands("project, 2^30 of float32, memory limited", *words, limits=limits)
    check(source, target)
    target.unlink()
    source.unlink()


def test_projection_of_a_million_rows_needs_little_memory(stands, folder):
    source, target = folder / "rows.npy", folder / "out.npy"
    write_vector(folder / "flat.npy", "float32")
    flat = np.load(folder / "flat.npy", mmap_mode="r")
    np.save(source, flat.reshape(1 << 20, 1024))
    (folder / "flat.npy").unlink()
    words = ("ezdl", "project", source, target, "--sparseness", SPARSENESS)
    taken = stands("project, 2^20 rows of 1024", *words)
    s = np.load(target, mmap_mode="r")
    for rows in (s[:1000], s[-1000:], s[:: 1 << 10]):
        ones, squares = np.abs(rows).sum(1, np.float64), (rows.astype(np.float64) ** 2).sum(1)
        found = (32 - ones / np.sqrt(squares)) / 31
        np.testing.assert_allclose(found, SPARSENESS, atol=1e-5)
    target.unlink()
    source.unlink()
    assert taken.memory < OWN


IN_PLACE = """
import json, numpy as np, ezdl_cli as ez
def own():
    lines = open("/proc/self/status").read().splitlines()
    parts = dict(line.split(":") for line in lines if line.startswith("Vm") or "Rss" in line)
    return {name: 1024 * int(parts[name].split()[0]) for name in ("VmRSS", "VmHWM", "VmData")}
ez.project(np.ones(1 << 16, np.float32) + np.arange(1 << 16), 0.9)
ez.project(np.arange(1 << 20, dtype=np.float32), 0.9)
x = np.empty(1 << 30, np.float32)
stream = np.random.default_rng(0)
for part in np.split(x, 256):
    stream.standard_normal(out=part, dtype=np.float32)
before = own()
open("/proc/self/clear_refs", "w").write("5")  # reset the peak
ez.project(x, 0.9, out=x)
after = own()
print(json.dumps([before, after, ez.sparseness(x)]))
"""


def test_projection_in_place_needs_less_than_one_mebibyte(stands):
    taken = stands("ez.project(x, out=x), 2^30 of float32", sys.executable, "-c", IN_PLACE)
    before, after, sparseness = json.loads(taken.stdout)
    assert after["VmHWM"] - before["VmRSS"] < MIB
    assert sparseness == pytest.approx(0.9, abs=1e-6)
