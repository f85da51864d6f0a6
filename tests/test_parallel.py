"""Threads: results as they come, and an early end that waits for nothing."""

import threading
import time

import pytest

from ddz_core import parallel
from ddz_core.parallel import as_completed, over_slices, pieces

# Seconds; much less than the work that is left out, and much more than leaving takes.
PATIENCE = 2.5


def test_pieces_grow_until_they_take_a_moment(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(parallel, "time", type("Clock", (), {"monotonic": lambda: now[0]}))
    sizes = []
    for start, stop in pieces(5000, first=10):
        assert start == sum(sizes)
        sizes.append(stop - start)
        # A millisecond each, and later four.
        now[0] += sizes[-1] * (0.001 if start < 1000 else 0.004)
    assert sizes[:4] == [10, 20, 40, 40]
    assert max(sizes) == 40
    assert sizes[-2] == 20
    assert sum(sizes) == 5000
    assert list(pieces(0)) == []
    assert list(pieces(5, first=10)) == [(0, 5)]


def test_pieces_end_when_nobody_wants_them():
    stopped = threading.Event()
    seen = []
    for piece in pieces(10**9, stopped, 1):
        seen.append(piece)
        if len(seen) == 3:
            stopped.set()
    assert len(seen) == 3


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_all_chunks_are_done(threads):
    stopped = threading.Event()
    found = list(as_completed(lambda chunk: chunk * chunk, 50, threads, stopped))
    assert sorted(found) == [chunk * chunk for chunk in range(50)]
    assert not stopped.is_set()


@pytest.mark.parametrize("threads", [2, 7])
def test_leaving_early_waits_for_nothing(threads):
    """By an exception in a chunk, or in the loop over them."""
    for in_chunk in (True, False):
        stopped, begun = threading.Event(), []

        def work(chunk, in_chunk=in_chunk, stopped=stopped, begun=begun):
            begun.append(chunk)
            if chunk == 1 and in_chunk:
                raise RuntimeError("left")
            if chunk:
                stopped.wait(60)

        def run(work=work, stopped=stopped):
            for _ in as_completed(work, 1000, threads, stopped):
                raise RuntimeError("left")

        start = time.perf_counter()
        with pytest.raises(RuntimeError, match="left"):
            run()
        assert time.perf_counter() - start < PATIENCE
        assert stopped.is_set()
        time.sleep(0.05)
        # What was queued has been cancelled.
        assert len(begun) <= 2 * threads


def test_slices_are_done_in_pieces(monkeypatch):
    monkeypatch.setattr(parallel, "ROWS_A_PIECE", 3)
    rows, lock = [], threading.Lock()

    def work(start, stop):
        with lock:
            rows.extend(range(start, stop))

    over_slices(work, 100, 3)
    assert sorted(rows) == list(range(100))


def test_the_first_slice_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(parallel, "ROWS_A_PIECE", 1)

    def work(start, stop):
        for row in (10, 60):
            if start <= row < stop:
                time.sleep(0.2 if row == 10 else 0)
                raise ValueError(f"row {row}")

    with pytest.raises(ValueError, match="row 10"):
        over_slices(work, 100, 2)
