"""Measurements of speed and quality, what is usual for them, and what has become worse.

`suites` says what is measured; a group of contenders is measured by a `worker`, a process of its
own, which `running` starts; `regressions` compares a run with earlier ones.
"""
