"""Options for the rounds of iterative restoration: their number and their noise levels."""

from functools import wraps

from ...restoration.plug_and_play import LEVELS, MAX_ROUNDS, Schedule
from .grouped_help import add_parameters, option
from .parameter_types import Integer, Number

LEVEL = Number(*LEVELS)
SCALE = "on the scale from 0 to 255 whatever the bit depth"


def schedule_options(defaults, group="Rounds"):
    """Return a decorator that adds the options for a schedule.

    The command gets `choose_schedule`, a function that returns the requested schedule for that
    which is the default.

    Parameters
    ----------
    defaults : dict
        When a schedule is the default, as text → Schedule.
    group : str
        Title of the options in the help.
    """
    add_options = add_parameters(
        option(
            "--rounds n_rounds",
            Integer(1, MAX_ROUNDS),
            None,
            "Number of rounds, each of which improves the estimate. The time is about proportional "
            "to it.",
            show_default=_default_text(defaults, "n_rounds"),
            group=group,
        ),
        option(
            "--first-sigma first",
            LEVEL,
            None,
            f"Noise level that the first round assumes, {SCALE}.",
            show_default=_default_text(defaults, "first"),
            group=group,
        ),
        option(
            "--last-sigma last",
            LEVEL,
            None,
            f"Noise level that the last round assumes, {SCALE}. Larger is smoother. The levels "
            "between them are a geometric sequence.",
            show_default=_default_text(defaults, "last"),
            group=group,
        ),
    )

    def decorate(command):
        @wraps(command)
        def with_schedule(**given):
            chosen = {name: given.pop(name) for name in Schedule._fields}
            chosen = {name: value for name, value in chosen.items() if value is not None}
            return command(choose_schedule=lambda default: default._replace(**chosen), **given)

        return add_options(with_schedule)

    return decorate


def _default_text(defaults, field):
    """Return the default values of a field, and when they apply if they differ."""
    values = {text: f"{getattr(schedule, field):g}" for text, schedule in defaults.items()}
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return "; ".join(f"{text}, {value}" if text else value for text, value in values.items())
