"""Limits for untrusted images and archives: refuse what takes too much time or memory to read.

Decoders take time and memory in proportion to the number of pixels, except for what a small file
can repeat many times: scans of a progressive JPEG, strips of a TIFF, members of an archive.
"""
