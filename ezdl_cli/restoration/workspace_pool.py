"""Workspaces of kernels that are allocated once and used again, by one thread at a time."""

from collections import defaultdict
from contextlib import contextmanager


class WorkspacePool:
    """Workspaces by key; there are as many of a key as threads that needed one at the same time."""

    def __init__(self):
        self._free = defaultdict(list)

    @contextmanager
    def borrow(self, key, allocate):
        """Lend a free workspace, or allocate one; no other thread gets it meanwhile."""
        free = self._free[key]
        try:
            workspace = free.pop()
        except IndexError:
            workspace = allocate()
        yield workspace
        free.append(workspace)
