"""Pretend in this process to be a system that lacks what only Linux, or only POSIX, has.

Imports that fail on Windows fail here, functions of macOS and Windows that are missing are missing,
and files behave as on Windows: those that are open cannot be renamed or removed, folders cannot be
opened, and files that are open for reading cannot be synchronised.
"""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import SimpleNamespace
from unittest.mock import patch

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
OS_NAMES = (
    *("fork", "forkpty", "register_at_fork", "wait", "wait3", "wait4", "waitid", "WNOHANG"),
    *("geteuid", "getuid", "getegid", "getgid", "getpgid", "killpg", "setsid", "chown", "fchown"),
    *("sched_getaffinity", "sched_setaffinity", "getloadavg", "sysconf", "nice", "statvfs"),
    *("pread", "pwrite", "preadv", "posix_fallocate", "posix_fadvise", "sendfile", "sync"),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_SYNC", "mkfifo", "mknod"),
    *("set_blocking", "get_blocking", "pipe2", "openpty", "ttyname", "ctermid", "fdatasync"),
)
SIGNALS = ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGQUIT")
# They use these modules and functions themselves, but have others on other systems.
PACKAGES = (
    *(
        "click._termui_impl",
        "fastjsonschema",
        "jinja2",
        "jsonschema",
        "matplotlib.pyplot",
        "numba",
        "rich",
    ),
    *("PIL.Image", "scipy.ndimage", "scipy.optimize", "skimage.data", "sklearn.base", "tifffile"),
    *("snakemake.cli", "snakemake.api", "snakemake.utils", "threadpoolctl", "yaml", "tempfile"),
    *("concurrent.futures", "multiprocessing.pool", "sklearn.utils.estimator_checks", "typst"),
)


class MissingModules:
    """Finder of modules that raises ImportError for those that are missing."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in MODULES:
            raise ImportError(f"No module named {name!r}", name=name)


def pretend():
    """Remove what other systems lack; packages of others are loaded before."""
    for name in PACKAGES:
        import_module(name)
    # The standard library has other code for other systems.
    subprocess.os, subprocess.signal = SimpleNamespace(**vars(os)), SimpleNamespace(**vars(signal))
    shutil._use_fd_functions = False
    opened, fsync, flags = os.open, os.fsync, fcntl.fcntl
    _forbid_open_files()

    def open_file(path, mode, *arguments, **options):
        # Without a name: the way in which tempfile opens files on Linux.
        is_nameless = mode & os.O_TMPFILE == os.O_TMPFILE
        if os.path.isdir(path) and not is_nameless:
            raise PermissionError(13, "a folder cannot be opened", path)
        return opened(path, mode, *arguments, **options)

    def synchronise(handle):
        if flags(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(9, "open for reading only")
        fsync(handle)

    def kill(process, number):
        raise AssertionError("os.kill ends processes, or all that share the console")

    os.open, os.fsync, os.kill = open_file, synchronise, kill
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, MissingModules)
    for module, names in ((os, OS_NAMES), (signal, SIGNALS), (resource, dir(resource))):
        for name in names:
            if not name.startswith("__"):
                delattr(module, name)


def _forbid_open_files():
    """Let functions that rename or remove files fail if these are open or mapped."""

    def guarded(function):
        def call(*paths, **options):
            for path in paths:
                if not options and os.path.isfile(path) and os.path.realpath(path) in _open_files():
                    raise PermissionError(13, "the file is open", path)
            return function(*paths, **options)

        return call

    for name in ("rename", "replace", "unlink", "remove"):
        setattr(os, name, guarded(getattr(os, name)))


def _open_files():
    handles = [Path("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    mapped = Path("/proc/self/maps").read_text().splitlines()
    return {*map(os.path.realpath, handles), *(line.split(maxsplit=5)[-1] for line in mapped)}


def import_all(package):
    """Import all modules of a package."""
    root = import_module(package)
    for module in walk_packages(root.__path__, f"{package}."):
        import_module(module.name)


def run_ezdl(line):
    """Run a command in this process, which must succeed."""
    from ezdl_cli import cli

    with patch.object(sys, "argv", line.split()):
        try:
            cli.main()
        except SystemExit as ended:
            assert not ended.code, (line, ended.code)


if __name__ == "__main__":
    pretend()
    import_all("ezdl_cli")
    import_module("ezdl_cli.platforms").PROC = Path("no-such-folder")
    for command in sys.stdin.read().splitlines():
        run_ezdl(command)
