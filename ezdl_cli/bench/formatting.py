"""Times, ratios and qualities as text."""

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_seconds(value):
    """Return a time with three digits and a suitable unit."""
    size, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / size:.3g} {unit}"


def format_ratio(value):
    """Return a ratio with three digits."""
    return f"{value:.3g}" if value < 1000.0 else f"{value:.0f}"


def format_quality(value):
    """Return a quality with five digits; None if it could not be computed."""
    return "none" if value is None else f"{value:.5g}"
