"""Refuses the network to every Python that finds this file in PYTHONPATH, and notes each attempt.

Allowed are sockets between processes of one machine (Snakemake's event loop has a pair of them),
and to bind one to the machine itself (by which urllib3, which Snakemake loads, learns whether there
is IPv6). No name is looked up, nothing is sent or connected.
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
