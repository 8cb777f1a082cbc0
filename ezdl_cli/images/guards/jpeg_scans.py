"""Limits on the scans and segments of a JPEG: each scan goes over all pixels."""

import re

from ...errors import InputError

MAX_SCANS = 100  # encoders write about ten
MAX_SEGMENTS = 10_000

START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9
# Start of a segment. Other markers may occur within a scan; they have no length.
MARKER = re.compile(rb"\xff([^\x00-\xbf\xd0-\xd8\xff])")


def check_jpeg(stream):
    """Refuse a JPEG with too many scans or segments, which are found as libjpeg finds them."""
    content = stream.read()
    position, n_scans = 2, 0
    for _ in range(MAX_SEGMENTS):
        marker = MARKER.search(content, position)
        if marker is None or marker[1][0] == END_OF_IMAGE:
            return
        n_scans += marker[1][0] == START_OF_SCAN
        if n_scans > MAX_SCANS:
            raise InputError(f"more than {MAX_SCANS} scans in a JPEG")
        length = int.from_bytes(content[marker.end() : marker.end() + 2], "big")
        position = marker.end() + max(2, length)
    raise InputError(f"more than {MAX_SEGMENTS} segments in a JPEG")
