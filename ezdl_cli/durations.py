"""Times as text, with the units and digits that people use for waiting."""


def format_time(seconds):
    """Return an estimated time as a rounded number of seconds, minutes or hours."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def format_elapsed(seconds):
    """Return the time since a start in two units, such as `2 min 5 s`."""
    seconds = int(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def format_duration(seconds):
    """Return a measured time in two units; short ones have a decimal."""
    return f"{seconds:.1f} s" if seconds < 9.95 else format_elapsed(round(seconds))
