"""Benchmarks of speed and quality, their history, and the regressions in it.

`suites` lists what is measured; the benchmarks themselves are in `groups`. `runner` starts a
`worker` process for each group, in which `interleaved_timing` measures with the `clock`. `history`
is the file of all runs, `regression_rules` decides what counts as a regression, `regressions` lists
those of the newest run, and `summary` and `dashboard` show the results.
"""
