"""Compiled functions that are optimised once, in the kernel that is called from Python.

Numba optimises each function on its own, generates its machine code, and then does the same again
in each function that calls it. A kernel with helpers three calls deep is compiled three times over.
Here, a kernel that is called by another one is only translated to LLVM's language, and becomes part
of its caller. Machine code is generated, and kept on disk, for kernels that Python calls. So there
is exactly one compiled version of each, and its bits do not depend on what was compiled before.
"""

import os
import time
from contextlib import suppress

import numba
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys

from ..platforms import open_lock_file, try_lock

# Seconds to wait for a process that compiles the same kernel; the longest takes half a minute.
MAX_WAIT = 120.0
POLL = 0.05


class Kernel(CPUDispatcher):
    """A function that is compiled when Python, or another kernel, first calls it.

    Parameters
    ----------
    function : callable
    options : dict
        Options of numba.
    inline : bool
        Inline the function into kernels that call it.
    alone : bool
        Optimise it on its own before it becomes part of them.
    folder : Path or None
        Folder for machine code; None to keep it in memory only.
    """

    def __init__(self, function, options, inline, alone, folder):
        super().__init__(function, targetoptions=options | {"no_cfunc_wrapper": True})
        part_options = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._part_options = part_options | {"forceinline": inline}
        self._part = None
        self._part_compiler = _AlonePartCompiler if alone else _PartCompiler
        if folder is not None:
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = str(folder)
            try:
                self._cache = _KernelCache(function)
            finally:
                numba.config.CACHE_DIR = before

    def get_call_template(self, args, kws):
        """Return the signature of a call by another kernel."""
        if self._part is None:
            self._part = _Part(
                self.py_func, targetoptions=self._part_options, pipeline_class=self._part_compiler
            )
        return self._part.get_call_template(args, kws)

    def get_overload(self, sig):
        """Return what a kernel that calls this one contains."""
        return self._part.get_overload(sig)

    def compile(self, sig):
        """Compile the kernel for a signature, and release the lock if that fails, too."""
        try:
            return super().compile(sig)
        except BaseException:
            if isinstance(self._cache, _KernelCache):
                self._cache.release_lock()
            raise

    def add_overload(self, cres):
        """Add machine code, and let the kernels that are part of it know their constants."""
        super().add_overload(cres)
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)


class _Part(CPUDispatcher):
    """A kernel as a part of those that call it."""


class _AlonePartLibrary(JITCodeLibrary):
    """Code that is not turned into machine code, which callers do."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        return self

    def set_env(self, env_name, env):
        """Ignore constants; `Kernel.add_overload` sets them in the caller."""


class _PartLibrary(_AlonePartLibrary):
    """Code that is not optimised either."""

    def _optimize_final_module(self):
        pass


class _PartCompiler(Compiler):
    """Compiler that stops after the translation to LLVM's language."""

    library_class: type[_AlonePartLibrary] = _PartLibrary

    def __init__(self, typingctx, targetctx, library, *arguments):
        library = self.library_class(targetctx.codegen(), "part")
        super().__init__(typingctx, targetctx, library, *arguments)


class _AlonePartCompiler(_PartCompiler):
    """Compiler that stops after optimisation."""

    library_class = _AlonePartLibrary


class _KernelCache(FunctionCache):
    """Machine code on disk; unreadable files and failed writes are ignored.

    Numba's own (cache=True) raises an error if the disk is full, or if a file is truncated, for
    instance by a power failure. Besides, a lock keeps processes from compiling the same kernel at
    the same time.
    """

    _lock = None

    def load_overload(self, sig, target_context):
        """Return cached machine code, or None after taking the lock to compile it."""
        found = self._load(sig, target_context)
        if found is None:
            self._acquire_lock()
            found = self._load(sig, target_context)  # another process may have compiled it
            if found is not None:
                self.release_lock()
        return found

    def save_overload(self, sig, data):
        """Write machine code, and release the lock."""
        with suppress(OSError):
            super().save_overload(sig, data)
        self.release_lock()

    def _load(self, sig, target_context):
        try:
            # Numba's method first loads all that the compiler knows, SciPy included: half a second.
            # Machine code only needs the functions that manage its memory.
            rtsys.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception:  # a damaged pickle can raise nearly anything
            with suppress(OSError):
                self.flush()

    def _acquire_lock(self):
        """Wait until no other process compiles this kernel, or for `MAX_WAIT` at most."""
        try:
            path = f"{os.path.join(self.cache_path, self._impl.filename_base)}.lock"
            self._impl.locator.ensure_cache_path()
            self._lock = open_lock_file(path)
        except OSError:  # a full disk
            return
        end = time.monotonic() + MAX_WAIT
        while not try_lock(self._lock) and time.monotonic() < end:
            time.sleep(POLL)

    def release_lock(self):
        """Let other processes compile the kernel, if it is locked."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
