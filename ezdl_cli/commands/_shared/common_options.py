"""Options that many commands share."""

from .grouped_help import flag, option
from .parameter_types import Integer

seed_option = option("--seed", Integer(min=0), 0, "Random seed.")
quiet_option = flag("--quiet", "Do not show a progress bar.")
skip_bad_option = flag("--skip-bad", "Skip unusable images with a warning instead of failing.")
