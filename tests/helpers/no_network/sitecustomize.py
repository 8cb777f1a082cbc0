"""Block and log network access of every Python process that has this folder in PYTHONPATH.

Sockets between processes on this machine are allowed (Snakemake's event loop uses a pair), and so
is binding to the loopback interface (urllib3, which Snakemake imports, tests for IPv6 in this way).
Name lookups, connections and datagrams are not.
"""

import os
import socket
import sys

HARMLESS = ("socket.__new__", "socket.gethostname")
ITSELF = ("127.0.0.1", "::1")


def refuse(event, arguments):
    if not event.startswith("socket.") or event in HARMLESS:
        return
    if isinstance(arguments[0], socket.socket):
        if arguments[0].family == socket.AF_UNIX:
            return
        if event == "socket.bind" and arguments[1][0] in ITSELF:
            return
    with open(os.environ["EZDL_NETWORK_ATTEMPTS"], "a", encoding="utf-8") as notes:
        notes.write(f"{event} {arguments[-1]!r} by {sys.orig_argv}\n")
    raise PermissionError(f"tests have no network: {event}")


sys.addaudithook(refuse)
