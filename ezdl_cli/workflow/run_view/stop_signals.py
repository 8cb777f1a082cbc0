"""Signals that ask a run to stop, noticed whoever handles them."""

import signal
import socket
from contextlib import contextmanager, suppress

from ...exit_codes import INTERRUPTED, TERMINATED

EXIT_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


@contextmanager
def stop_signals():
    """Record the signals that arrive: Snakemake installs handlers of its own, but no exit codes.

    Yields
    ------
    function
        Returns the set of stop signals that have arrived.
    """
    read_end, write_end = socket.socketpair()  # unlike pipes, they need not block on Windows
    for end in (read_end, write_end):
        end.setblocking(False)
    arrived = set()

    def look():
        with suppress(BlockingIOError):
            arrived.update(read_end.recv(512))
        return {number for number in EXIT_CODES if number in arrived}

    before = signal.set_wakeup_fd(write_end.fileno(), warn_on_full_buffer=False)
    try:
        yield look
    finally:
        signal.set_wakeup_fd(before)
        read_end.close()
        write_end.close()
