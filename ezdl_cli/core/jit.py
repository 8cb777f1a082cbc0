"""The decorator of all compiled functions, and the folder of their machine code.

Numba's on-disk cache notices an edit of the file that holds a function, but not of a function that
it calls in another file: it would keep running the old code. So the cache is in a folder that is
named after a hash of the compiler and of all kernel sources of the package (the files that contain
one of the decorators). Constants that kernels use must therefore be defined in such files, too.
"""

import hashlib
import os
from functools import cache, partial
from pathlib import Path

import numba

from ..platforms import is_private, is_writable
from .kernel_dispatcher import Kernel

_PACKAGE = Path(__file__).resolve().parent.parent
_DECORATORS = (b"@kernel", b"@intrinsic")

# Sums may be reordered, so that they vectorise; NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "contract", "arcp", "nsz"}


def kernel(function=None, *, inline=False, alone=False, in_order=False, finite=False):
    """Compile a function to machine code, once per machine.

    Parameters
    ----------
    function : callable
    inline : bool
        Inline the function into the kernels that call it.
    alone : bool
        Optimise it on its own first, where that yields faster code.
    in_order : bool
        Evaluate expressions as written, where the order of two subtractions matters.
    finite : bool
        Assume that there is no NaN, so that searching for the maximum vectorises.
    """
    if function is None:
        return partial(kernel, inline=inline, alone=alone, in_order=in_order, finite=finite)
    fastmath = False if in_order else FASTMATH | {"nnan"} if finite else FASTMATH
    options = {"nopython": True, "fastmath": fastmath, "nogil": True, "error_model": "numpy"}
    return Kernel(function, options, inline, alone, cache_folder())


def kernel_sources():
    """Return all files of the package that contain kernels, in a fixed order."""
    files = sorted(_PACKAGE.rglob("*.py"))
    return [path for path in files if any(word in path.read_bytes() for word in _DECORATORS)]


def fingerprint():
    """Return a hash of all kernel sources, the compiler and its options."""
    digest = hashlib.sha256(f"{numba.__version__} {sorted(FASTMATH)}".encode())
    for path in kernel_sources():
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder():
    """Return the folder for the machine code of this version, or None if there is none.

    It is in `EZDL_CACHE_DIR`, else `NUMBA_CACHE_DIR`, else the user's cache folder. Numba unpickles
    and runs what it finds there, so that a folder that other users own or can write to is not used.
    """
    base = (
        os.environ.get("EZDL_CACHE_DIR")
        or os.environ.get("NUMBA_CACHE_DIR")
        or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "ezdl"
    )
    folder = Path(base) / f"kernels-{fingerprint()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if is_private(folder) and is_writable(folder) else None
    except (OSError, RuntimeError):
        return None
