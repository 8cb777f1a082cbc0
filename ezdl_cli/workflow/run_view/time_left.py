"""How long a run will take, from earlier step times and from its own pace."""

from statistics import mean

from ..time_estimates import time_on_cores

# Estimates count as confirmed for this many seconds: short steps say little about the others.
CONFIRMED = 30.0
# Without estimates, the steps that were finished first do not stand for the others.
MIN_FINISHED = 5
# The progress of a step predicts its time from here on; before, it may still compile.
MIN_FRACTION, MIN_SECONDS = 0.05, 3.0


def time_left(state, now):
    """Return the number of seconds until a run ends, or None if nothing can be said.

    Parameters
    ----------
    state : RunState
    now : float
    """
    expect = _expectation(state, now)
    steps = [(expect(step), step.threads) for step in state.pending.values()]
    n_unknown = max(0, state.n_steps - state.n_done - len(state.failed) - _n_known(state))
    steps += [(expect(None), 1)] * n_unknown
    for step in state.running.values():
        steps.append((step_time_left(step, expect(step.plan), now), step.plan.threads))
    if any(seconds is None for seconds, _ in steps):
        return None
    return time_on_cores(steps, state.cores) if steps else 0.0


def step_times_left(state, steps, now):
    """Return the number of seconds that each of these steps in progress needs; None if unknown."""
    expect = _expectation(state, now)
    return [step_time_left(step, expect(step.plan), now) for step in steps]


def step_time_left(step, expected, now):
    """Return the number of seconds that a step needs, from its progress or its expected time."""
    elapsed = max(0.0, now - step.started)
    if _can_tell(step, elapsed):
        return elapsed * (1 - step.progress.fraction) / step.progress.fraction
    return None if expected is None else max(0.0, expected - elapsed)


def paces(state, now):
    """Return how many times as long as expected the steps of each rule take in this run.

    The pace of all steps has the key None; those of rules start from it.
    """
    by_rule = {}
    for measured, step in _measured(state, now):
        if step.expected is not None:
            by_rule.setdefault(step.rule, []).append(measured)
    overall = _ratio([pair for pairs in by_rule.values() for pair in pairs], 1.0)
    return {None: overall} | {rule: _ratio(pairs, overall) for rule, pairs in by_rule.items()}


def _measured(state, now):
    """Yield ((measured time, expected time), step) of what is finished, or progresses."""
    for step in state.finished:
        yield (step.seconds, step.plan.expected), step.plan
    for step in state.running.values():
        elapsed = now - step.started
        if step.plan.expected is not None and _can_tell(step, elapsed):
            yield (elapsed, step.progress.fraction * step.plan.expected), step.plan


def _ratio(pairs, prior):
    measured, expected = (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
    return (measured + CONFIRMED * prior) / (expected + CONFIRMED)


def _can_tell(step, elapsed):
    """Return whether the progress of a step predicts its time."""
    fraction = step.progress.fraction if step.progress else 0.0
    return fraction >= MIN_FRACTION and elapsed >= MIN_SECONDS


def _n_known(state):
    return len(state.pending) + len(state.running)


def _expectation(state, now):
    """Return a function from a planned step, or None for any, to its time or None."""
    factors = paces(state, now)
    by_rule = {}
    for step in state.finished:
        by_rule.setdefault(step.plan.rule, []).append(step.seconds)
    typical = None
    if len(state.finished) >= MIN_FINISHED:
        typical = mean(step.seconds for step in state.finished)

    def expect(step):
        if step is not None and step.expected is not None:
            return factors.get(step.rule, factors[None]) * step.expected
        if step is not None and step.rule in by_rule:
            return mean(by_rule[step.rule])
        return typical

    return expect
