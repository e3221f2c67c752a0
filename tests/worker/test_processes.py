"""Real worker processes: killed while thinking, ended in order, and given jobs that are none of theirs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.job import Callback, JobStatus
from rq.serializers import DefaultSerializer, JSONSerializer
from rq.webhook import Webhook

from service.embedded import EmbeddedServer
from service.matches import Match, Matches, SeatRequest, queue
from service.matches.advice import Advice
from service.settings import Settings
from tests.service.matches.conftest import GAMES, play_first
from worker.main import ForbiddenJob, OurJob

ROOT = Path(__file__).resolve().parents[2]
#: For things that take milliseconds, or on a very busy machine seconds.
PATIENCE_S = 60.0


def until(condition: Callable[[], Any]) -> Any:
    """Return the first true value of a condition."""
    end = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        assert time.monotonic() < end, "nothing happened for a minute"
        time.sleep(0.01)
    return value


class Workers:
    """Worker processes on one folder."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, name: str = queue.NAME) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.worker.process", self.url, str(self.folder), name]
        process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
        self.processes.append(process)
        return process

    def thinking(self) -> int:
        """Return the id of the process that thinks, once one does."""
        note = self.folder / "thinking"
        return int(until(lambda: note.exists() and note.read_text()))

    def go(self) -> None:
        (self.folder / "go").touch()

    def forget(self) -> None:
        (self.folder / "thinking").unlink()

    def end(self) -> None:
        self.go()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(PATIENCE_S)


@pytest.fixture
def workers(redis: Redis, redis_url: str, tmp_path: Path) -> Iterator[Workers]:
    workers = Workers(redis_url, tmp_path)
    yield workers
    workers.end()


@pytest.fixture
def matches(redis_url: str) -> Iterator[Matches]:
    table = Matches.open(Settings(redis_url=redis_url), {"toy": GAMES["toy"]})
    yield table
    table.close()


def play_through(matches: Matches, match: Match) -> Match:
    """Play for the person at seat 0, as soon as it is their turn, to the end."""
    while match.status == "running":
        if 0 in matches.position(match, None)["awaiting"]:
            match = play_first(matches, match.id, 0)
        else:
            match = matches.wait(match.id, match.version, 25)
    return match


def against(matches: Matches, ais: int) -> Match:
    return matches.create("toy", {}, [SeatRequest("me"), *[SeatRequest("ai", level=1)] * ais]).match


def every_move_is_there_once(matches: Matches, over: Match, seats: int) -> None:
    record = matches.record(over, None)
    assert over.status == "over"
    assert len(record["actions"]) == 3 * seats
    versions = [entry["version"] for entry in matches.events(over.id, None, 0, 1000)]
    assert versions == list(range(1, over.version + 1))


def test_a_horse_killed_while_thinking_loses_no_turn(workers: Workers, matches: Matches) -> None:
    worker = workers.start()
    match = against(matches, 1)
    horse = workers.thinking()
    assert horse != worker.pid
    workers.forget()
    os.kill(horse, signal.SIGKILL)
    assert workers.thinking() not in (horse, worker.pid)  # another one has taken the decision up
    workers.go()
    every_move_is_there_once(matches, play_through(matches, match), 2)
    assert worker.poll() is None


def test_a_worker_killed_while_thinking_loses_no_turn(workers: Workers, matches: Matches) -> None:
    """The whole session at once, horse and all; another worker's sweeper finds what is due."""
    worker = workers.start()
    match = against(matches, 1)
    workers.thinking()
    os.killpg(worker.pid, signal.SIGKILL)
    with_horse = int((workers.folder / "thinking").read_text())
    if os.getpgid(with_horse) != worker.pid:
        os.kill(with_horse, signal.SIGKILL)
    workers.forget()
    workers.start()
    workers.thinking()
    workers.go()
    every_move_is_there_once(matches, play_through(matches, match), 2)


def test_two_workers_play_every_move_once(workers: Workers, matches: Matches) -> None:
    workers.go()
    workers.start()
    workers.start()
    for match in [against(matches, 3) for _ in range(3)]:
        every_move_is_there_once(matches, play_through(matches, match), 4)


def test_hints_and_turns_do_not_wait_for_each_other(workers: Workers, matches: Matches) -> None:
    """A worker is lost in thought about a turn; a hint is found meanwhile, by the worker of hints, which takes no turns."""
    workers.start(queue.ADVICE)
    workers.start()
    match, advice = against(matches, 1), Advice(matches)
    workers.thinking()
    hint = advice.ask(match.id, 0)
    assert until(lambda: advice.get(match.id, 0, hint.version, 5).found)["actions"]
    assert matches.get(match.id).version == 1
    workers.go()
    every_move_is_there_once(matches, play_through(matches, match), 2)


def test_a_worker_that_is_told_to_end_finishes_its_thought(workers: Workers, matches: Matches) -> None:
    worker = workers.start()
    match = against(matches, 1)
    horse = workers.thinking()
    worker.terminate()
    workers.go()
    assert worker.wait(PATIENCE_S) == 0
    assert matches.get(match.id).version >= 2
    with pytest.raises(ProcessLookupError):
        os.kill(horse, 0)


def test_a_worker_outlives_its_server(tmp_path: Path) -> None:
    """The server is killed and comes back; the worker is the same process, and the match goes on."""
    with EmbeddedServer(tmp_path / "data") as server:
        workers = Workers(server.url, tmp_path)
        try:
            worker = workers.start()
            matches = Matches.open(Settings(redis_url=server.url), {"toy": GAMES["toy"]})
            match = against(matches, 1)
            workers.thinking()
            assert server.process is not None
            server.process.kill()
            server.process.wait()
            workers.go()
            server.start()
            every_move_is_there_once(matches, play_through(matches, match), 2)
            assert worker.poll() is None
        finally:
            workers.end()


def test_a_worker_runs_none_but_its_own_job(workers: Workers, matches: Matches, redis_url: str) -> None:
    """Whoever can write into the queue cannot make a worker run another function, method, callback or pickle."""
    trap = workers.folder / "done"
    with queue.connect(Settings(redis_url=redis_url)) as client:
        jobs = Queue(queue.NAME, connection=client, serializer=JSONSerializer)
        pickles = Queue(queue.NAME, connection=client, serializer=DefaultSerializer)
        name = "tests.worker.process.forbidden"
        wrong = [
            jobs.enqueue_call(name, args=(str(trap),)),
            jobs.enqueue_call("pathlib.Path.touch", args=(str(trap),)),
            jobs.enqueue_call("os.mkdir", args=(str(trap),)),
            pickles.enqueue_call(name, args=(str(trap),)),
            jobs.enqueue_call("nothing.there", args=(str(trap),), on_failure=Callback(f"{name}")),
            jobs.enqueue_call(queue.JOB, args=("x", 1, 1), on_success=Callback(f"{name}")),
        ]
        workers.go()
        workers.start()
        every_move_is_there_once(matches, play_through(matches, against(matches, 1)), 2)
        until(lambda: jobs.count == 0)
        assert [job.get_status(refresh=True) for job in wrong[:5]] == ["failed"] * 5
    assert not trap.exists()


# Without processes


def a_job(**facts: Any) -> OurJob:
    job = OurJob.create("x.y", connection=Redis(), serializer=JSONSerializer)
    for name, value in facts.items():
        setattr(job, name, value)
    return job


def test_the_allow_list() -> None:
    from worker import jobs

    assert a_job(func_name=queue.JOB).func is jobs.think
    assert a_job(func_name=queue.HINT).func is jobs.hint
    for name in ("os.system", "worker.jobs.install", "worker.jobs", "", None, "worker.jobs.think.__call__"):
        with pytest.raises(ForbiddenJob):
            _ = a_job(func_name=name).func
    with pytest.raises(ForbiddenJob):
        _ = a_job(func_name=queue.JOB, _instance="a string with methods").func


def test_no_callback_and_no_webhook_is_ever_called(redis: Redis) -> None:
    queued = Queue("x", connection=redis, serializer=JSONSerializer).enqueue_call(
        queue.JOB,
        on_success=Callback("os.system"),
        on_failure=Callback("os.system"),
        on_stopped=Callback("os.system"),
        webhooks=[Webhook("http://127.0.0.1:1/", JobStatus.FINISHED)],
    )
    job = OurJob.fetch(queued.id, connection=redis, serializer=JSONSerializer)
    assert (job.success_callback, job.failure_callback, job.stopped_callback, job.webhooks) == (None, None, None, [])
