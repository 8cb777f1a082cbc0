"""Threads: results in order, bounded look-ahead, exceptions passed on, number of cores."""

import threading
import time

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from ezdl_cli.parallel import cores, for_each, for_each_part, in_order, single_threaded_blas


def test_results_have_the_order_of_the_items():
    def slow_first(i):
        time.sleep(0.02 if i % 3 == 0 else 0.0)
        return i * i

    with in_order(slow_first, range(20)) as results:
        assert list(results) == [i * i for i in range(20)]


def test_one_core_uses_no_additional_thread(monkeypatch):
    monkeypatch.setenv("EZDL_THREADS", "1")
    with in_order(lambda i: threading.get_ident(), range(3)) as results:
        assert set(results) == {threading.get_ident()}


def test_items_are_consumed_only_a_few_ahead():
    taken = []
    items = (taken.append(i) or i for i in range(1000))
    with in_order(lambda i: i, items) as results:
        assert [next(results) for _ in range(3)] == [0, 1, 2]
    assert len(taken) <= 3 + 2 * cores() + 1


def test_exceptions_of_calls_are_raised():
    with in_order(lambda i: 1 // (3 - i), range(10)) as results:
        assert [next(results) for _ in range(3)] == [0, 0, 1]
        with pytest.raises(ZeroDivisionError):
            next(results)


def test_for_each_calls_the_function_for_all_items_and_raises_exceptions():
    seen = []
    assert for_each(seen.append, range(50)) is None
    assert sorted(seen) == list(range(50))
    with pytest.raises(ZeroDivisionError):
        for_each(lambda i: 1 // (3 - i), range(10))


@pytest.mark.parametrize("n_threads", ["1", "2", "3"])
def test_parts_cover_all_rows_once_and_do_not_depend_on_threads(monkeypatch, n_threads):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setenv("EZDL_THREADS", n_threads)
    parts = []
    for_each_part(parts.append, 10, 4)
    parts.sort(key=lambda part: part.start)
    assert [len(range(10)[part]) for part in parts] == [4, 4, 2]
    assert for_each_part(parts.clear, 0, 4) is None and len(parts) == 3


def test_nested_calls_and_single_items_use_the_calling_thread(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.delenv("EZDL_THREADS", raising=False)

    def threads_of(items):
        with in_order(lambda _: threading.get_ident(), items) as results:
            return set(results)

    with in_order(lambda _: (threading.get_ident(), threads_of(range(5))), range(4)) as results:
        outer = list(results)
    assert all(inner == {thread} != {threading.get_ident()} for thread, inner in outer)
    assert threads_of([0]) == {threading.get_ident()}
    # A single item leaves the other cores to calls inside of it.
    with in_order(lambda _: threads_of(range(5)), [0]) as results:
        assert threading.get_ident() not in next(results)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("1", 1),
        ("3", 3),
        ("9", 4),
        ("0", 1),
        ("", 4),
        ("-2", 4),
        ("many", 4),
        ("2,1", 4),
        (None, 4),
    ],
)
def test_number_of_threads_is_as_requested_but_at_most_the_number_of_cores(
    monkeypatch, wanted, expected
):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2, 3})
    monkeypatch.delenv("EZDL_THREADS", raising=False)
    if wanted is not None:
        monkeypatch.setenv("EZDL_THREADS", wanted)
    assert cores() == expected


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"OMP_NUM_THREADS": "1"}, "1"),
        ({"OMP_NUM_THREADS": "1", "EZDL_THREADS": ""}, "1"),
        ({"OMP_NUM_THREADS": "7", "EZDL_THREADS": "1"}, "1"),
        ({"OMP_NUM_THREADS": ""}, "5"),
    ],
)
def test_commands_use_the_threads_assigned_by_snakemake(run, environment, expected):
    code = """
import os
os.sched_getaffinity = lambda _: set(range(5))
from ezdl_cli import cli, parallel
cli.prepare()
print(parallel.cores(), os.environ["OMP_NUM_THREADS"])
"""
    assert run("python", "-c", code, env=environment).stdout == f"{expected} 1\n"


def test_blas_has_one_thread_until_the_last_user_leaves():
    np.ones((2, 2)) @ np.ones((2, 2))
    blas = ThreadpoolController().select(user_api="blas")

    def n_threads():
        return {library["num_threads"] for library in blas.info()}

    with blas.limit(limits=2):
        before = n_threads()
        with single_threaded_blas:
            with single_threaded_blas:
                assert n_threads() == {1}
            assert n_threads() == {1}
        assert n_threads() == before


@pytest.mark.parametrize("n_threads", ["1", "2", "3"])
def test_for_each_calls_the_function_once_for_every_item(monkeypatch, n_threads):
    monkeypatch.setenv("EZDL_THREADS", n_threads)
    called = []
    assert for_each(called.append, iter(range(100))) is None
    assert sorted(called) == list(range(100))
    for_each(called.append, [])
    assert len(called) == 100


def test_for_each_uses_several_threads():
    if cores() < 2:
        pytest.skip("needs two cores")
    both = threading.Barrier(2, timeout=10)
    for_each(lambda _: both.wait(), range(2))


def test_for_each_leaves_a_single_item_to_the_calling_thread():
    threads = []
    for_each(lambda _: threads.append(threading.get_ident()), [1])
    assert threads == [threading.get_ident()]


@pytest.mark.parametrize("bad", [0, 5, 19])
def test_for_each_raises_exceptions_and_skips_the_remaining_items(bad):
    called = []

    def fail(i):
        called.append(i)
        if i == bad:
            raise ZeroDivisionError
        time.sleep(0.001)

    with pytest.raises(ZeroDivisionError):
        for_each(fail, range(20))
    assert len(called) <= bad + 2 * cores() + 1


def test_nested_for_each_does_not_wait_for_itself():
    called = []

    def outer(i):
        for_each(lambda j: called.append((i, j)), range(5))

    for_each(outer, range(20))
    assert len(set(called)) == len(called) == 100
