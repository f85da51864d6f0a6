"""Who does the work of a simulation, and what happens when that ends early."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
from pathlib import Path

import pytest
from simulate_helpers import Deadly, First, shortest

import ddz_core as ddz
from ddz_core import checkpoint, executors
from ddz_core.simulate import simulate

DEALS = 12 * 4096
# Seconds that a run may take to stop. It takes much less than the second that we promise; the rest
# is for machines that are busy with other tests.
PATIENCE = 2.5
HERE = Path(__file__).parent

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.fixture(scope="module")
def expected():
    return simulate("standard", DEALS, "random", seed=1, threads=1)


# ---- executors -----------------------------------------------------------------------------------


def test_any_executor(expected):
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert simulate("standard", DEALS, "random", seed=1, executor=pool) == expected
        # It is still ours to use.
        assert pool.submit(len, "abc").result() == 3


def test_functions_that_make_executors(expected):
    made = []

    def make():
        made.append(concurrent.futures.ThreadPoolExecutor(2))
        return made[-1]

    assert simulate("standard", DEALS, "random", seed=1, executor=make) == expected
    (pool,) = made
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(len, "abc")
    pool_class = concurrent.futures.ThreadPoolExecutor
    assert simulate("standard", DEALS, "random", seed=1, executor=pool_class) == expected


def test_processes(expected):
    pools = executors.processes(2)
    assert simulate("standard", DEALS, "random", seed=1, executor=pools) == expected
    python = simulate("standard", 130, ["random", shortest, shortest], seed=1, executor=pools)
    assert python == simulate("standard", 130, ["random", shortest, shortest], seed=1)
    with pytest.raises(ddz.DdzError, match="threads is 0"):
        executors.processes(0)


@posix
def test_processes_that_die_cost_nothing(tmp_path):
    expected = simulate("standard", 200, First(), seed=1)
    # Twice: a pool that was made anew may break too.
    found = simulate(
        "standard", 200, Deadly(tmp_path, 2), seed=1, executor=executors.processes(1, "forkserver")
    )
    assert len(list(tmp_path.iterdir())) == 2
    assert found == expected


@posix
def test_a_broken_pool_that_cannot_be_made_anew(tmp_path):
    path = tmp_path / "run"
    make = executors.processes(1, "forkserver")
    with make() as pool, pytest.raises(RuntimeError, match="a function that"):
        simulate("standard", 200, Deadly(tmp_path, 1), seed=1, executor=pool, resume=path)
    # What was finished is there to go on with.
    assert simulate("standard", 200, First(), seed=1, resume=path).deals == 200


@posix
def test_a_chunk_that_always_kills_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(executors, "MOST_LOSSES", 1)
    with pytest.raises(RuntimeError, match="lost its work 2 times"):
        simulate(
            "standard",
            1,
            Deadly(tmp_path, 9),
            seed=1,
            executor=executors.processes(1, "forkserver"),
        )


def test_cancelled_futures_are_done_again(expected):
    class Moody(concurrent.futures.ThreadPoolExecutor):
        calls = 0

        def submit(self, fn, /, *args, **kwargs):
            self.calls += 1
            if self.calls % 3:
                return super().submit(fn, *args, **kwargs)
            future = concurrent.futures.Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with Moody(2) as pool:
        assert simulate("standard", DEALS, "random", seed=1, executor=pool) == expected


def test_few_chunks_are_under_way():
    waiting, most = 0, 0
    lock = threading.Lock()

    class Counting(concurrent.futures.ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            nonlocal waiting, most
            with lock:
                waiting += 1
                most = max(most, waiting)
            future = super().submit(fn, *args, **kwargs)

            def done(_):
                nonlocal waiting
                with lock:
                    waiting -= 1

            future.add_done_callback(done)
            return future

    with Counting(2) as pool:
        simulate("standard", 30_000, "random", executor=pool, chunk=300)
    assert most <= 2 * executors.A_WORKER


def test_ray_wrapper(monkeypatch, expected):
    """The wrapper's own logic, against an object that behaves as Ray's documentation says."""
    pool = concurrent.futures.ThreadPoolExecutor(2)
    seen = {}

    class Remote:
        def __init__(self, function):
            self.function = function

        def options(self, **options):
            seen.update(options)
            return self

        def remote(self, *args):
            future = pool.submit(self.function, *args)
            return types.SimpleNamespace(future=lambda: future)

    fake = types.ModuleType("ray")
    fake.is_initialized = lambda: "started" in seen
    fake.init = lambda: seen.update(started=True)
    fake.cluster_resources = lambda: {"CPU": 3.0}
    fake.remote = Remote
    monkeypatch.setitem(sys.modules, "ray", fake)
    ray = executors.RayExecutor(max_retries=7)
    assert seen == {"started": True, "max_retries": 7}
    assert simulate("standard", DEALS, "random", seed=1, executor=ray) == expected
    assert executors.RayExecutor(workers=5)._max_workers == 5
    pool.shutdown()


# ---- Dask ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip(
        "distributed", reason="Dask (the extra cluster) is not installed"
    )
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def test_dask(cluster, expected):
    pool = cluster.get_executor(pure=False)
    assert simulate("standard", DEALS, "random", seed=1, executor=pool) == expected
    assert simulate("standard", DEALS, "random", seed=1, executor=pool, chunk=4096) == expected


def test_dask_forgets_what_an_interrupt_leaves_behind(cluster):
    def interrupt(finished, total):
        raise KeyboardInterrupt

    found = simulate(
        "standard", 10**7, "random", chunk=4096, progress=interrupt,
        executor=cluster.get_executor(pure=False),
    )  # fmt: skip
    assert found.partial
    assert found.deals == 4096
    deadline = time.monotonic() + 10
    while any(cluster.processing().values()):
        assert time.monotonic() < deadline


@posix
def test_a_dask_worker_that_is_killed_costs_nothing(cluster, expected):
    workers = cluster.run(os.getpid)
    killed = []

    def kill_one(finished, total):
        if not killed and finished > total // 4:
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    found = simulate(
        "standard", DEALS, "random", seed=1, chunk=1024, progress=kill_one,
        executor=cluster.get_executor(pure=False),
    )  # fmt: skip
    assert found == expected
    assert killed
    deadline = time.monotonic() + 10
    while killed[0] in cluster.run(os.getpid, on_error="ignore").values():
        assert time.monotonic() < deadline


# ---- checkpoints ---------------------------------------------------------------------------------


def test_a_run_goes_on_from_its_checkpoint(tmp_path, expected, monkeypatch):
    path = tmp_path / "run.json"
    monkeypatch.setattr(checkpoint, "EVERY", 0)

    def stop(finished, total):
        if finished >= total // 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        simulate("standard", DEALS, "random", seed=1, resume=path, progress=stop)
    calls = []
    found = simulate(
        "standard", DEALS, "random", seed=1, resume=path, progress=lambda *n: calls.append(n)
    )
    assert found == expected
    assert DEALS // 3 <= calls[0][0] < DEALS
    # Once it is finished there is nothing to do, whoever is to do it.
    assert simulate("standard", DEALS, "random", resume=path, executor=lambda: None) == expected
    assert list(tmp_path.iterdir()) == [path]


def test_another_executor_may_go_on(tmp_path, expected):
    path = tmp_path / "run.json"
    raised = []

    def stop(finished, total):
        raised.append(finished)
        raise KeyboardInterrupt

    part = simulate("standard", DEALS, "random", seed=1, resume=path, progress=stop, chunk=1000)
    assert part.partial
    assert part.deals == raised[0] < DEALS
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert simulate("standard", DEALS, "random", resume=path, executor=pool) == expected


def test_entropy_is_drawn_once(tmp_path):
    path = tmp_path / "run.json"
    first = simulate("standard", 300, "random", resume=path)
    assert simulate("standard", 300, "random", resume=path) == first
    assert simulate("standard", 300, "random", seed=first.seed) == first
    with pytest.raises(ddz.RecordError, match="its seed is"):
        simulate("standard", 300, "random", resume=path, seed=1)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rules": "club"}, "rules"),
        ({"rules": ddz.Rules.standard().replace(name="mine", spring="none")}, "rules"),
        ({"policies": "greedy"}, "policies"),
        ({"policies": {"landlord": "random", "peasant": "rule"}}, "policies"),
        ({"landlord": 0}, "landlord"),
        ({"first": 1}, "first"),
        ({"deals": 301}, "deals"),
        ({"seed": 2}, "seed"),
    ],
)
def test_the_checkpoint_of_another_run_is_refused(tmp_path, change, named):
    path = tmp_path / "run.json"
    options = {"rules": "standard", "deals": 300, "policies": "random", "seed": 1}
    simulate(**options, resume=path)
    before = path.read_bytes()
    with pytest.raises(ddz.RecordError, match=f"another run: its {named} is"):
        simulate(**{**options, **change}, resume=path)
    assert path.read_bytes() == before


def test_damaged_checkpoints_are_refused(tmp_path):
    path = tmp_path / "run.json"
    simulate("standard", 300, "random", seed=1, resume=path)
    good = path.read_text()
    damaged = [
        "",
        good[: len(good) // 2],
        good.replace('"deals": 300', '"deals": 299', 1),
        good.replace('"ddz_checkpoint": 1', '"ddz_checkpoint": 2'),
        good.replace('"chunk": null', '"chunk": 5'),
        good + "x",
        "[]",
        "{}",
        '{"ddz_record": 1}',
        "\0" * 500,
        "é" * 5,
    ]
    for text in damaged:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ddz.RecordError, match=r"checkpoint '.*run\.json'"):
            simulate("standard", 300, "random", seed=1, resume=path)
        assert path.read_text(encoding="utf-8") == text
    with pytest.raises(OSError, match=str(tmp_path / "none")):
        simulate("standard", 300, "random", resume=tmp_path / "none" / "run.json")


SCRIPT = """
import sys, threading, time
sys.path.insert(0, {here!r})
from simulate_helpers import Slow
from ddz_core import checkpoint, executors
from ddz_core.simulate import simulate

def progress(finished, total):
    print("finished", finished, flush=True)
    time.sleep({pause})

if __name__ == "__main__":
    checkpoint.EVERY = 0
    result = simulate(
        "standard", {deals}, {policies}, seed=1, progress=progress, {options}
    )
    print("result", result.partial, result.deals, result.landlord_wins, flush=True)
"""


def start(tmp_path, options, *, deals=10**7, policies="'random'", pause=0.0):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(SCRIPT).format(
            here=str(HERE), deals=deals, policies=policies, options=options, pause=pause
        )
    )
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@posix
@pytest.mark.parametrize(
    "options", ["threads=2, chunk=512", "executor=executors.processes(2, 'forkserver'), chunk=512"]
)
def test_a_killed_run_goes_on_to_the_same_result(tmp_path, expected, options):
    path = tmp_path / "run.json"
    process = start(tmp_path, f"{options}, resume={str(path)!r}", deals=DEALS, pause=0.02)
    finished = 0
    while finished < 5:
        finished += process.stdout.readline().startswith("finished")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    saved, _, _ = checkpoint.load(path)
    assert 0 < saved.deals < DEALS
    assert simulate("standard", DEALS, "random", seed=1, resume=path) == expected


@posix
@pytest.mark.parametrize(
    ("options", "policies", "whom"),
    [
        ("threads=2", "'random'", os.kill),
        ("threads=2, chunk=20_000", "'random'", os.kill),
        ("chunk=1", "['random', 'random', Slow(0.01)]", os.kill),
        ("threads=2, chunk=3", "Slow(0.01)", os.kill),
        # A terminal sends Ctrl-C to the processes of the pool too.
        ("executor=executors.processes(2, 'forkserver'), chunk=9999", "'random'", os.killpg),
        ("executor=executors.processes(2, 'forkserver'), chunk=3", "Slow(0.01)", os.kill),
    ],
)
def test_an_interrupt_returns_what_is_finished(tmp_path, options, policies, whom):
    process = start(tmp_path, options, policies=policies)
    assert process.stdout.readline().startswith("finished"), process.stderr.read()
    time.sleep(0.1)
    asked = time.monotonic()
    whom(process.pid, signal.SIGINT)
    for line in process.stdout:
        if line.startswith("result"):
            break
    took = time.monotonic() - asked
    _, partial, deals, _wins = line.split()
    assert partial == "True"
    assert int(deals) > 0
    assert took < PATIENCE
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert not errors
