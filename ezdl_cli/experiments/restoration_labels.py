"""Names of restoration tasks, of their settings, and of the methods that they are compared with."""

DENOISING, SUPER_RESOLUTION = "denoising", "super-resolution"
DEBLURRING, INPAINTING = "deblurring", "inpainting"

LABELS = {
    DENOISING: "σ = {:g}",
    SUPER_RESOLUTION: "× {:g}",
    DEBLURRING: "blur {:g}",
    INPAINTING: "{:g} % missing",
}
"""Format strings that describe a setting in a few words, in the order of the report."""
BASELINES = {
    SUPER_RESOLUTION: "Bicubic interpolation",
    DEBLURRING: "Best Wiener filter",
    INPAINTING: "Biharmonic inpainting",
}
"""Methods that results are compared with."""


def setting_label(task, setting):
    """Describe a setting of a task, only by its number if the task is unknown."""
    return LABELS.get(task, "{:g}").format(setting)
