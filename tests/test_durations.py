"""Times as text."""

import pytest

from ezdl_cli.durations import format_duration, format_elapsed, format_time


@pytest.mark.parametrize(
    ("seconds", "time", "elapsed", "duration"),
    [
        (0.04, "0 s", "0 s", "0.0 s"),
        (9.94, "10 s", "9 s", "9.9 s"),
        (59.9, "60 s", "59 s", "1 min 0 s"),
        (125, "2 min", "2 min 5 s", "2 min 5 s"),
        (5400, "1.5 h", "1 h 30 min", "1 h 30 min"),
    ],
)
def test_times_have_units_and_few_digits(seconds, time, elapsed, duration):
    assert format_time(seconds) == time
    assert format_elapsed(seconds) == elapsed
    assert format_duration(seconds) == duration
