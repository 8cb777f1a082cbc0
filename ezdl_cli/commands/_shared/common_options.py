"""Options that many commands share."""

from .grouped_help import option
from .parameter_types import Integer

seed_option = option("--seed", type=Integer(min=0), default=0, help="Random seed.")
quiet_option = option("--quiet", is_flag=True, help="Do not show a progress bar.")
skip_bad_option = option(
    "--skip-bad",
    is_flag=True,
    help="Skip unusable images with a warning instead of stopping with an error.",
)
