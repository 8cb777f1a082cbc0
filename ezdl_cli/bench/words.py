"""Numbers as people write them."""

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def seconds(value):
    """A time with a fitting unit."""
    size, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / size:.3g} {unit}"


def ratio(value):
    """A ratio with three digits."""
    return f"{value:.3g}" if value < 1000.0 else f"{value:.0f}"


def quality(value):
    """A quality with five digits."""
    return "none" if value is None else f"{value:.5g}"
