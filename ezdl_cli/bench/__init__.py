"""Measurements of speed and quality, what is usual for them, and what has become worse.

`suites` says what is measured, by `groups`; a group of candidates is measured by a `worker`, a
process of its own, which `running` starts; `past` compares each benchmark with earlier runs, and
`regressions` says what is worse.
"""
