"""The option for the noise level of an image, and messages about the estimated one."""

from .console import echo_stderr
from .grouped_help import option
from .parameter_types import Number, NumberOrWord

AUTO = "auto"
UNITS = "in the units of the image, where white is 255 (8 bits) or 65535 (16 bits)"


def estimated_sigma_option(group):
    """Return the option for a noise level that is estimated by default: None in the command."""
    return option(
        "--sigma",
        NumberOrWord(Number(min=0.0), AUTO),
        AUTO,
        f"Standard deviation of the noise, {UNITS}. auto estimates it from the image and prints "
        "the estimate.",
        group=group,
        callback=lambda context, parameter, value: None if value == AUTO else value,
    )


def known_sigma_option(group, effect):
    """Return the option for a noise level that is zero by default, with its `effect`."""
    text = f"Standard deviation of the noise in IMAGE, {UNITS}. {effect}"
    return option("--sigma", Number(min=0.0), 0.0, text, group=group)


def echo_noise(source, noise):
    """Print the NoiseEstimate of an image, and a warning if the noise is not white."""
    luminance, *chroma = (f"{value:.4g}" for value in noise.channel_sigmas)
    differences = f" (luminance), {' and '.join(chroma)} (colour differences)" if chroma else ""
    echo_stderr(f"{source}: estimated noise level {luminance}{differences}")
    if not noise.is_white:
        echo_stderr(
            f"{source}: the noise is not white, as after JPEG compression or resizing, so that its "
            "level is less certain. If noise remains or detail is lost, pass a larger or smaller "
            f"--sigma than {noise.sigma:.4g}."
        )
