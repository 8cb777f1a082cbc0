"""Times as text, in the unit and with the digits that people use for waiting."""


def format_time(seconds):
    """Return a time as a rounded number of seconds, minutes or hours."""
    if seconds < 89.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5370 else f"{seconds / 3600:.1f} h"
