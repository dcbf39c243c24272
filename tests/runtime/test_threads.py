"""ThreadPool: all parts done once, results in order, by the thread that calls and by others."""

import threading
import time
from itertools import pairwise

import pytest

from retrosolve.runtime import threads
from retrosolve.runtime.threads import ThreadPool


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 100])
def test_every_part_runs_once_and_reports_in_order(threads: int, count: int) -> None:
    done = []
    with ThreadPool(threads, 10**9) as pool:
        assert pool.map(lambda i: done.append(i) or -i, count) == [-i for i in range(count)]
        cuts = [3 * i for i in range(count + 1)]
        assert pool.map_ranges(lambda first, last: (first, last), cuts) == list(pairwise(cuts))
    assert sorted(done) == list(range(count))


def test_the_calling_thread_and_others_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cpu_count", lambda: 3)
    together = threading.Barrier(3, timeout=60)
    with ThreadPool(3, 10**9) as pool:
        workers = pool.map(lambda i: (together.wait(), threading.get_ident())[1], 3)
        ahead = list(pool.ahead(lambda _: (together.wait(), threading.get_ident())[1], range(3)))
    assert len(set(workers)) == len(set(ahead)) == 3
    assert threading.get_ident() in workers


@pytest.mark.parametrize("bad", range(4))
def test_error_in_a_thread_stops_the_work_and_is_raised(bad: int) -> None:
    began, finished = [], []
    with ThreadPool(2, 10**9) as pool:

        def work(i: int) -> None:
            began.append(i)
            if i == bad:
                raise ZeroDivisionError(i)
            finished.append(i)

        with pytest.raises(ZeroDivisionError):
            pool.map(work, 4)
        assert sorted(began) == sorted([*finished, bad])
        assert pool.map(lambda i: i, 3) == [0, 1, 2]


def test_pending_work_is_cancelled_when_the_caller_fails() -> None:
    caller, failed, done = threading.get_ident(), threading.Event(), []

    def work(i: int) -> None:
        if threading.get_ident() == caller:
            failed.set()
            raise KeyboardInterrupt
        failed.wait(60)
        time.sleep(0.001)  # so that the caller can say so before all is done
        done.append(i)

    with ThreadPool(2, 10**9) as pool, pytest.raises(KeyboardInterrupt):
        pool.map(work, 1000)
    assert len(done) < 999


@pytest.mark.parametrize("count", [1, 2])
def test_chunks_are_reported_up_to_the_last(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cpu_count", lambda: count)
    together = threading.Barrier(count, timeout=60)
    seen: list[int] = []
    with ThreadPool(count, 10**9) as pool:
        sizes = pool.map_ranges(
            lambda start, stop: (together.wait(), stop - start)[1], pool.chunks(80, 8), seen.append
        )
    assert sizes == [10] * 8
    assert seen == sorted(seen)
    assert len(seen) == 8 // count + 1
    assert seen[-1] == 80


@pytest.mark.parametrize("count", [0, 1, 2, 50])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_results_computed_ahead_keep_their_order(threads: int, count: int) -> None:
    called: list[int] = []

    def work(i: int) -> int:
        called.append(i)
        return -i

    with ThreadPool(threads, 10**9) as pool:
        assert list(pool.ahead(work, range(count))) == [-i for i in range(count)]
    assert sorted(called) == list(range(count))


def test_only_a_few_are_computed_ahead_and_none_after_an_error() -> None:
    called: list[int] = []

    def work(i: int) -> int:
        called.append(i)
        return 1 // (10 - i)

    with ThreadPool(3, 10**9) as pool:
        results = pool.ahead(work, range(1000))
        assert next(results) == 0
        assert max(called) <= threads.MOST_AHEAD
        with pytest.raises(ZeroDivisionError):
            list(results)
    assert max(called) <= 10 + threads.MOST_AHEAD


def test_errors_of_what_is_computed_ahead_come_in_their_turn() -> None:
    def work(i: int) -> int:
        if i >= 2:
            raise ValueError(i)
        return i

    for _ in range(20):
        found: list[int] = []
        with ThreadPool(3, 10**9) as pool, pytest.raises(ValueError, match=r"^2$"):
            found.extend(pool.ahead(work, range(20)))
