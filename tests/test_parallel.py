"""Threads: in order, few at a time, and honest about failures."""

import time

import pytest

from ezdl_cli.parallel import cores, in_order


def test_results_come_in_the_order_of_the_items():
    def slow_first(i):
        time.sleep(0.02 if i % 3 == 0 else 0.0)
        return i * i

    with in_order(slow_first, range(20)) as results:
        assert list(results) == [i * i for i in range(20)]


def test_items_are_read_only_a_few_ahead():
    taken = []
    items = (taken.append(i) or i for i in range(1000))
    with in_order(lambda i: i, items) as results:
        assert [next(results) for _ in range(3)] == [0, 1, 2]
    assert len(taken) <= 3 + 2 * cores() + 1


def test_what_a_call_raises_is_raised():
    with in_order(lambda i: 1 // (3 - i), range(10)) as results:
        assert [next(results) for _ in range(3)] == [0, 0, 1]
        with pytest.raises(ZeroDivisionError):
            next(results)
