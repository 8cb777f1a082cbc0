"""The one decorator of all compiled functions, and where their machine code is kept.

Numba's on-disk cache notices an edit of the file that holds a function, but not of a function
that it calls in another file: it would go on running the old code. So the cache lives in a folder
that is named after a hash of every kernel file of the package (those in which a decorator
stands) and of the compiler. Constants that kernels use stand in kernel files, too.

A kernel that calls another has a copy of it in its machine code, compiled once more and, since sums
may be reordered, rounding in another way than the called kernel's own. Which of the two runs
depends on whether the code was just compiled or comes from the cache. Kernels whose bits matter are
therefore inlined into their callers.
"""

import hashlib
import os
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import FunctionCache

_PACKAGE = Path(__file__).resolve().parent.parent
_DECORATORS = (b"@kernel", b"@intrinsic")

# Sums may be reordered, so that they vectorise; NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "contract", "arcp", "nsz"}


def kernel(function=None, *, inline=False, in_order=False, finite=False):
    """Compile a function without the interpreter, once a machine.

    `inline` puts it into its callers; `in_order` computes as it is written, for where the order
    of two subtractions matters; `finite` promises that there is no NaN, so that the largest entry
    is found by vectors.
    """
    if function is None:
        return lambda decorated: kernel(decorated, inline=inline, in_order=in_order, finite=finite)
    fastmath = False if in_order else FASTMATH | {"nnan"} if finite else FASTMATH
    options = {"fastmath": fastmath, "nogil": True, "error_model": "numpy"}
    if inline:
        options["forceinline"] = True
    folder = cache_folder()
    if folder is None:
        return numba.njit(function, **options)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(function, **options)
        compiled._cache = _KeptCode(function)
        return compiled
    finally:
        numba.config.CACHE_DIR = before


class _KeptCode(FunctionCache):
    """Machine code in files: what cannot be read is compiled anew, what cannot be written is not.

    Numba itself, with cache=True, would fail where a disk is full, or a file was cut off when the
    power was.
    """

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged pickle can raise nearly anything
            with suppress(OSError):
                self.flush()

    def save_overload(self, sig, data):
        with suppress(OSError):
            super().save_overload(sig, data)


def kernel_sources():
    """All files of the package that hold kernels, in a fixed order."""
    files = sorted(_PACKAGE.rglob("*.py"))
    return [path for path in files if any(word in path.read_bytes() for word in _DECORATORS)]


def fingerprint():
    """Hash of all kernel sources, of the compiler and of how it is called."""
    digest = hashlib.sha256(f"{numba.__version__} {sorted(FASTMATH)}".encode())
    for path in kernel_sources():
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder():
    """Folder of this version's machine code, or None where none can be written.

    `EZDL_CACHE_DIR`, else `NUMBA_CACHE_DIR`, else the user's cache folder. Numba unpickles and runs
    what lies in it, so that it is not used if it is another user's or others may write to it.
    """
    base = (
        os.environ.get("EZDL_CACHE_DIR")
        or os.environ.get("NUMBA_CACHE_DIR")
        or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "ezdl"
    )
    folder = Path(base) / f"kernels-{fingerprint()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except (OSError, RuntimeError):
        return None
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    alone = not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return folder if ours and alone and os.access(folder, os.W_OK) else None
