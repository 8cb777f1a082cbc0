"""Times, ratios and qualities as text."""

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
MAX_RATIO = 100.0
"""Beyond this ratio, or below its inverse, the two times are shown instead."""
QUALITY_TITLES = {
    "SSIM": "SSIM",
    "dB": "PSNR (dB)",
    "correlation": "Correlation",
    "R²": "R²",
    "digits": "Correct decimal digits",
}
"""What the numbers of a unit are; other units stand for themselves."""


def format_seconds(value):
    """Return a time with three digits and a suitable unit."""
    size, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / size:.3g} {unit}"


def is_informative(ratio):
    """Whether a ratio of two times says more than the times themselves."""
    return 1.0 / MAX_RATIO <= ratio <= MAX_RATIO


def format_comparison(ratio, name, seconds):
    """Return a ratio to the time of something with a name, or that time."""
    return (
        f"{ratio:.3g} × {name}" if is_informative(ratio) else f"{name}: {format_seconds(seconds)}"
    )


def format_quality(value):
    """Return a quality with five digits; None if it could not be computed."""
    return "none" if value is None else f"{value:.5g}"


def quality_heading(unit):
    """Return what the qualities with a unit are."""
    return f"{QUALITY_TITLES.get(unit, unit)}, larger is better"
