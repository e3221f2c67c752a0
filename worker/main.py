"""A worker process: everything is imported and compiled before the first job is forked."""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from collections.abc import Mapping
from typing import Any

import redis
from rq import Queue
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from engines import GAMES, Game
from service.matches import Matches, queue
from service.settings import Settings
from worker import jobs, post
from worker.horse import StableWorker
from worker.jobs import Desk, Thinker
from worker.post import PostOffice
from worker.sweeper import Sweeper

log = logging.getLogger(__name__)

#: A worker that lost its queue is back at it after this time.
PAUSE_S = 1.0
#: The only functions a job may run, whoever wrote it into the queue.
ALLOWED: Mapping[str, Any] = {
    queue.JOB: jobs.think,
    queue.HINT: jobs.hint,
    queue.ANALYSIS: jobs.analyse,
    queue.SETTLE: jobs.settle,
    queue.TOURNAMENT: jobs.tournament,
    queue.SEND: post.send,
}
#: How much a worker of hints steps back for the processor's other users, the workers of turns among them.
NICE = 10


class ForbiddenJob(Exception):
    """A job for a function that is none of ours."""


class OurJob(Job):
    """A job that can run our functions only: no other function, no method, no callback, no webhook."""

    @property
    def func(self) -> Any:
        """The function, from the allow-list."""
        name = self.func_name
        if self.instance is not None or name not in ALLOWED:
            raise ForbiddenJob(f"{name!r} is not allowed here")
        return ALLOWED[name or ""]

    @property
    def success_callback(self) -> None:
        """None, whatever the queue says."""
        return

    @property
    def failure_callback(self) -> None:
        """None, whatever the queue says."""
        return

    @property
    def stopped_callback(self) -> None:
        """None, whatever the queue says."""
        return

    def restore(self, raw_data: Any) -> Any:
        """Take over what the queue holds, without addresses to call."""
        restored = super().restore(raw_data)
        self.webhooks = []
        return restored


def build(client: Any, name: str = queue.NAME) -> StableWorker:
    """Return a worker on one queue; its desk must be installed before it works.

    Args:
        client: for the queue, see `service.matches.queue.connect`.
        name: the queue's.
    """
    listened = Queue(name, connection=client, serializer=JSONSerializer, job_class=OurJob)
    return StableWorker(
        [listened],
        connection=client,
        job_class=OurJob,
        serializer=JSONSerializer,
        worker_ttl=20,
        maintenance_interval=15,
        job_monitoring_interval=5,
        default_result_ttl=0,
        log_job_description=False,
    )


def run(matches: Matches, thinker: Thinker, client: Any, name: str = queue.NAME) -> None:
    """Work, and sweep beside it, until SIGTERM or Ctrl-C; a thought that has begun is finished.

    Args:
        matches: the table.
        thinker: who decides.
        client: for the queue, see `service.matches.queue.connect`.
        name: the queue to work on.
    """
    desk = Desk(matches, thinker)
    desk.warm()
    jobs.install(desk)
    # What is loaded by now stays: forked jobs share it, and the collector leaves it alone.
    gc.collect()
    gc.freeze()
    worker = build(client, name)
    worker.saddle()  # before there is a second thread
    sweeper = Sweeper(Desk(_own_table(matches), thinker))
    sweeping = threading.Thread(target=sweeper.run, name="sweeper", daemon=True)
    sweeping.start()
    try:
        _keep_working(worker, client, name)
    finally:
        sweeper.stop()
        sweeping.join(5)


def run_post(matches: Matches, client: Any) -> None:
    """Send to webhooks until SIGTERM or Ctrl-C; nothing is compiled for it, and others sweep.

    Args:
        matches: the table.
        client: for the queue, see `service.matches.queue.connect`.
    """
    post.install(PostOffice(matches))
    worker = build(client, queue.POST)
    worker.saddle()
    _keep_working(worker, client, queue.POST)


def _keep_working(worker: StableWorker, client: Any, name: str) -> None:
    try:
        while not _work(worker):
            log.warning("the queue was lost; this worker goes back to it")
            time.sleep(PAUSE_S)
            worker = build(client, name)
    except StopRequested:
        log.info("told to end while the queue was lost")


def _work(worker: StableWorker) -> bool:
    """Work until told to end (True), or until RQ gives up because its server went away (False)."""
    try:
        worker.work(logging_level="WARNING")
    except StopRequested:
        return True
    except redis.RedisError as error:
        log.warning("the queue does not answer: %s", error)
    finally:
        worker.unsaddle()
    return worker.told_to_end


def _own_table(matches: Matches) -> Matches:
    """Return the same table over connections of its own: a forked job must find no lock of another thread's held."""
    settings = matches.settings
    return Matches.open(settings, matches.games, clock=matches.clock, levels=matches.levels)


def main(settings: Settings, games: Mapping[str, Game] = GAMES, *, hints: bool = False, webhooks: bool = False) -> None:
    """Run one worker process, for the turns of AI seats, for hints, or for webhooks."""
    logging.getLogger("rq").setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    matches, client = Matches.open(settings, games), queue.connect(settings, retries=3)
    if webhooks:
        run_post(matches, client)
        return
    from worker.mind import Mind

    if hints:
        os.nice(NICE)
    run(matches, Mind(), client, queue.ADVICE if hints else queue.NAME)
