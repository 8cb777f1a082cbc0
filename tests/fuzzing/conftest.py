"""A table of the damaged files, after the tests."""


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    found = [value for one in reports for name, value in one.user_properties if name == "tally"]
    if not found:
        return
    terminalreporter.section("damaged files")
    write = terminalreporter.write_line
    write(
        f"{'kind':24} {'files':>7} {'refused':>8} {'wrong':>6} {'seconds':>8} {'MiB':>6}  slowest"
    )
    for kind, files, refused, wrong, seconds, mib, slowest in [*found, _all(found)]:
        write(
            f"{kind:24} {files:7} {refused:8} {wrong:6} {seconds:8.2f} {mib:6.0f}  {slowest[:60]}"
        )


def _all(found):
    """Sums of the counts, and the worst of the rest."""
    _, *counts, seconds, mib, _ = zip(*found, strict=True)
    return "all", *map(sum, counts), max(seconds), max(mib), ""
