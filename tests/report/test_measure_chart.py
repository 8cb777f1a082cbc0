"""Charts show intervals and required ranges in the right places."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ezdl_cli.claims.claim import (
    FAILS,
    HOLDS,
    above,
    at_least,
    at_most,
    not_measured,
    reported,
    within,
    worst,
)
from ezdl_cli.experiments.bootstrap import Estimate
from ezdl_cli.report.measure_chart import LEFT, RIGHT, measure_chart

NUMBERS = st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 1e-12)


def estimates(draw):
    low, value, high = sorted(draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
    return draw(st.sampled_from([Estimate(value), Estimate(value, low, high)]))


@st.composite
def measures(draw):
    make = draw(st.sampled_from([at_least, at_most, within]))
    limits = sorted(draw(st.tuples(NUMBERS, NUMBERS)))
    return make("x", estimates(draw), *(limits if make is within else limits[:1]))


@given(measures())
def test_a_measure_is_inside_the_required_range_exactly_if_it_holds(measure):
    chart = measure_chart(measure)
    shown = [chart.value, *(chart.interval or ())]
    assert all(LEFT <= x <= RIGHT for x in (*shown, *chart.limits, *chart.band))
    low, high = chart.band
    decisive = chart.interval or (chart.value,)
    inside = [low <= x <= high for x in decisive]
    if measure.outcome == HOLDS:
        assert all(inside)
    if measure.outcome == FAILS:  # numbers next to the limit may share its pixel
        assert all(x <= low + 0.01 or x >= high - 0.01 for x in decisive)


@given(measures())
def test_ticks_are_few_in_order_and_at_the_numbers_that_they_name(measure):
    chart = measure_chart(measure)
    positions = [x for x, _ in chart.ticks]
    assert 1 <= len(positions) <= 5 and positions == sorted(positions)
    assert all(LEFT <= x <= RIGHT for x in positions)
    assert len({text for _, text in chart.ticks}) == len(positions)


def test_positions_on_a_linear_axis():
    chart = measure_chart(within("x", Estimate(2.0, 1.0, 3.0), 0.0, 4.0))
    assert chart.value == pytest.approx((LEFT + RIGHT) / 2)
    assert [text for _, text in chart.ticks] == ["0", "2", "4"]
    assert [x for x, _ in chart.ticks][::2] == list(chart.limits)
    start, end = chart.limits
    assert chart.interval == pytest.approx(
        (start + (end - start) / 4, start + 3 * (end - start) / 4)
    )


def test_axis_is_logarithmic_for_ratios_of_several_orders_of_magnitude():
    chart = measure_chart(at_most("x", Estimate(1e-9), 1e-5))
    middle = measure_chart(at_most("x", Estimate(1e-7, 1e-9, 1e-7), 1e-5)).value
    assert middle == pytest.approx((chart.value + chart.limits[0]) / 2)
    assert all(text.startswith("10") for _, text in chart.ticks)


def test_distant_cases_do_not_squeeze_the_numbers_that_decide():
    values = (0.03, 0.05, 0.1, 15.0)
    measure = worst("x", [above(str(value), Estimate(value), 0.0) for value in values])
    chart = measure_chart(measure)
    assert len(chart.cases) == 2 and chart.value in chart.cases
    assert chart.value - chart.limits[0] > 50


def test_reported_measure_has_no_required_range_and_missing_one_no_chart():
    chart = measure_chart(reported("x", Estimate(1.0, 0.5, 2.0)))
    assert (chart.band, chart.limits) == (None, ()) and len(chart.interval) == 2
    assert measure_chart(not_measured("x")) is None
    assert math.isfinite(measure_chart(reported("x", 0.0)).value)
