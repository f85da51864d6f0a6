"""Who does the work of a simulation, and what happens when that ends early."""

import concurrent.futures
import errno
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
from simulate_helpers import Deadly, First, interrupting, shortest

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
    with pytest.raises(RuntimeError, match=r'lost its work 2 times.*__name__ == "__main__"'):
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


def test_a_closed_dask_client(cluster):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster.scheduler.address, set_as_default=False) as client:
        pool = client.get_executor(pure=False)

        def close(finished, total):
            client.close()

        with pytest.raises(RuntimeError, match="Dask client is closed"):
            simulate("standard", DEALS, "random", executor=pool, chunk=1024, progress=close)
    with pytest.raises(RuntimeError, match="Dask client is closed"):
        simulate("standard", 200, "random", executor=pool)


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


@posix
def test_what_is_no_file_is_no_checkpoint(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/null"), Path("/dev/zero")):
        with pytest.raises(ddz.RecordError, match=f"checkpoint '{path}' is no regular file"):
            simulate("standard", 10, "random", seed=1, resume=path)
    assert list(tmp_path.iterdir()) == [pipe]


def test_large_files_are_no_checkpoints(tmp_path):
    path = tmp_path / "run.json"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ddz.RecordError, match=r"run.json' is no checkpoint: it has more than"):
        simulate("standard", 10, "random", seed=1, resume=path)
    path.unlink()
    # None is begun either that could not be read again.
    with pytest.raises(ddz.DdzError, match=r"run\.json' would have"):
        simulate("standard", 10, "random", seed=[2**32 - 1] * 500_000, resume=path)
    assert not list(tmp_path.iterdir())


def test_the_largest_checkpoint_of_a_preset_is_far_below_the_limit(tmp_path):
    path = tmp_path / "run.json"
    simulate("four_player", 2000, "random", seed=2**2048 - 1, resume=path)
    assert 20 * path.stat().st_size < checkpoint.LARGEST


@posix
def test_a_link_to_a_checkpoint_stays_one(tmp_path):
    path, link = tmp_path / "real" / "run.json", tmp_path / "link.json"
    path.parent.mkdir()
    link.symlink_to(path)
    # There is no file yet that it leads to, and then there is.
    for _ in range(2):
        simulate("standard", 300, "random", seed=1, resume=link)
        assert link.is_symlink()
        assert checkpoint.load(path)[0].deals == 300
    assert sorted(tmp_path.rglob("*.json")) == [link, path]


def test_threads_that_share_a_checkpoint_do_not_disturb_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "EVERY", 0)
    path = tmp_path / ("x" * 250)

    def run(_):
        return simulate("standard", 3000, "random", seed=1, resume=path, threads=1, chunk=100)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(run, range(4)))
    assert all(result == results[0] for result in results)
    assert list(tmp_path.iterdir()) == [path]


def full_disk(monkeypatch, writes):
    """Let the disk be full at these writes of checkpoints."""
    count = iter(range(10**6))

    def fsync(_):
        if next(count) in writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(checkpoint, "EVERY", 0)
    monkeypatch.setattr(checkpoint.os, "fsync", fsync)
    monkeypatch.setattr(checkpoint, "_sync_folder", lambda _: None)


def test_a_full_disk_costs_no_result(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    expected = simulate("standard", 1000, "random", seed=1)
    options = {"seed": 1, "threads": 1, "chunk": 100, "resume": path}
    # For a while: it is told once.
    full_disk(monkeypatch, {2, 3, 4})
    with pytest.warns(RuntimeWarning, match="cannot be written: No space .* goes on") as told:
        assert simulate("standard", 1000, "random", **options) == expected
    assert len(told) == 1
    assert told[0].filename == __file__
    assert checkpoint.load(path)[0] == expected
    # Until the end.
    path.unlink()
    full_disk(monkeypatch, range(4, 100))
    with pytest.warns(RuntimeWarning, match="run.json' cannot be written") as told:
        assert simulate("standard", 1000, "random", **options) == expected
    assert "has less than the result" in str(told[-1].message)
    assert len(told) == 2
    assert checkpoint.load(path)[0].deals == 300
    assert list(tmp_path.iterdir()) == [path]
    # From the start: nothing is played yet.
    path.unlink()
    full_disk(monkeypatch, range(100))
    with pytest.raises(OSError, match=r"checkpoint .* cannot be written: No space"):
        simulate("standard", 1000, "random", progress=pytest.fail, **options)


def test_a_full_disk_hides_no_other_error(tmp_path, monkeypatch):
    full_disk(monkeypatch, range(1, 100))

    def fail(finished, total):
        raise ZeroDivisionError

    with (
        pytest.warns(RuntimeWarning, match="cannot be written"),
        pytest.raises(ZeroDivisionError),
    ):
        simulate("standard", 1000, "random", resume=tmp_path / "run", progress=fail, chunk=100)


# ---- interrupts and ends -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 1},
        {"threads": 2},
        {"executor": concurrent.futures.ThreadPoolExecutor},
        {"executor": executors.processes(1)},
    ],
    ids=["one thread", "two threads", "a pool of threads", "a pool of processes"],
)
def test_an_interrupt_that_a_policy_raises_is_an_error(options):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(RuntimeError, match="raised KeyboardInterrupt"):
        simulate("standard", 200, interrupting, seed=1, **options)
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_there_is_no_interrupt():
    with (
        concurrent.futures.ThreadPoolExecutor(1) as pool,
        pytest.raises(RuntimeError, match="raised KeyboardInterrupt"),
    ):
        pool.submit(simulate, "standard", 3, interrupting, seed=1).result()


@posix
def test_handlers_of_the_program_are_kept(monkeypatch):
    heard = []

    def handler(number, frame):
        heard.append(number)
        raise KeyboardInterrupt

    def policy(observation, moves, rng):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)

    before = signal.signal(signal.SIGINT, handler)
    try:
        assert simulate("standard", 200, policy, seed=1).deals == 0
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


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
        {rules!r}, {deals}, {policies}, seed=1, progress=progress, {options}
    )
    print("result", result.partial, result.deals, result.landlord_wins, flush=True)
"""


def start(tmp_path, options, *, rules="standard", deals=10**9, policies="'random'", pause=0.0):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(SCRIPT).format(
            here=str(HERE),
            rules=rules,
            deals=deals,
            policies=policies,
            options=options,
            pause=pause,
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
    ("options", "rules", "policies", "whom"),
    [
        ("threads=2", "standard", "'random'", os.kill),
        ("threads=2, chunk=20_000", "standard", "'random'", os.kill),
        ("threads=1", "four_player", "'rule'", os.kill),
        ("threads=2, chunk=200", "four_player", "'rule'", os.kill),
        ("chunk=1", "standard", "['random', 'random', Slow(0.01)]", os.kill),
        ("threads=2, chunk=3", "standard", "Slow(0.01)", os.kill),
        # A terminal sends Ctrl-C to the processes of the pool too.
        ("executor=executors.processes(2, 'forkserver')", "standard", "'random'", os.killpg),
        ("executor=executors.processes(2, 'forkserver')", "four_player", "'rule'", os.kill),
        ("executor=executors.processes(2), chunk=3", "standard", "Slow(0.01)", os.kill),
    ],
)
def test_an_interrupt_returns_what_is_finished(tmp_path, options, rules, policies, whom):
    process = start(tmp_path, options, rules=rules, policies=policies)
    assert process.stdout.readline().startswith("finished"), process.stderr.read()
    time.sleep(0.1)
    asked = time.monotonic()
    whom(process.pid, signal.SIGINT)
    for line in process.stdout:
        if line.startswith("result"):
            break
    assert time.monotonic() - asked < PATIENCE
    _, partial, deals, _wins = line.split()
    assert partial == "True"
    assert int(deals) > 0
    _, errors = process.communicate(timeout=30)
    # Nothing goes on that the program would wait for.
    assert time.monotonic() - asked < 2 * PATIENCE
    assert process.returncode == 0, errors
    assert not errors


@posix
@pytest.mark.parametrize(
    "options",
    [
        "threads=1, chunk=10**6",
        "threads=2, chunk=10**6",
        "executor=executors.processes(2, 'forkserver'), chunk=10**6",
    ],
)
def test_a_chunk_that_takes_long_can_be_interrupted(tmp_path, options):
    process = start(tmp_path, options, rules="four_player", policies="'rule'")
    time.sleep(2)
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    answer, errors = process.communicate(timeout=30)
    assert time.monotonic() - asked < PATIENCE
    assert (answer, errors) == ("result True 0 0\n", "")


@posix
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_processes_do_not_outlive_who_started_them(tmp_path, method):
    process = start(tmp_path, f"executor=executors.processes(2, {method!r}), chunk=4096")
    assert process.stdout.readline().startswith("finished"), process.stderr.read()
    process.kill()
    # They hold the pipe too, so that it ends when all of them have ended.
    process.communicate(timeout=10)


@posix
def test_a_large_policy_does_not_keep_the_program_from_ending(tmp_path):
    process = start(
        tmp_path, "executor=executors.processes(2), chunk=2", policies="Slow(0.01, 5 * 10**6)"
    )
    assert process.stdout.readline().startswith("finished"), process.stderr.read()
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    answer, errors = process.communicate(timeout=30)
    assert time.monotonic() - asked < 2 * PATIENCE
    assert "result True" in answer
    assert not errors
