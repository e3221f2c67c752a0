"""A worker whose horse is kept.

RQ forks a process, the work horse, for every job. With compiled games in memory a fork costs 12 to 25 ms and the pages it
then copies as much again, all of it between a player's move and the answer. Here the horse is forked once, ahead of its
first job, and kept for many; it still is a process of its own, so that whatever a job does to it, the worker lives on.
"""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import redis
from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.executions import Execution
from rq.job import Job

log = logging.getLogger(__name__)

#: After so many jobs a fresh horse is forked, against whatever may pile up in one.
JOBS_A_HORSE = 1000


@dataclass
class Horse:
    """The process that does the jobs.

    Attributes:
        pid: its id.
        orders: where the worker writes a line for each job.
        done: where the horse writes a byte after each.
        jobs: how many it was given.
    """

    pid: int
    orders: int
    done: int
    jobs: int = 0


class StableWorker(Worker):
    """RQ's worker, with a horse that is kept."""

    _kept: Horse | None = None
    #: Whether somebody asked the worker to end.
    told_to_end = False

    def request_stop(self, signum: Any, frame: Any) -> None:
        """End once the present job is done."""
        self.told_to_end = True
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]
        except redis.RedisError:  # it could not even ask what it was doing
            raise StopRequested from None

    def saddle(self) -> None:
        """Fork the horse, if there is none; best before this process has threads."""
        if self._kept is None:
            orders, give = os.pipe()
            hear, done = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(give)
                os.close(hear)
                self._be_horse(orders, done)
            os.close(orders)
            os.close(done)
            self._kept = Horse(pid, give, hear)

    def unsaddle(self) -> None:
        """Let the horse finish and end."""
        if self._kept is not None:
            self._bury(self._kept)

    def _bury(self, horse: Horse) -> tuple[int, int, Any]:
        self._kept = None
        os.close(horse.orders)
        ended = os.wait4(horse.pid, 0)
        os.close(horse.done)
        return ended

    # In the worker

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Have the horse do a job, and wait until it has."""
        super().execute_job(job, queue)
        if self._kept is not None and self._kept.jobs >= JOBS_A_HORSE:
            self.unsaddle()
        self.saddle()

    def fork_work_horse(self, job: Job, queue: Queue) -> None:  # noqa: ARG002  (RQ's signature)
        """Give the horse a job."""
        execution = next(one for one in self.executions.values() if one.job_id == job.id)
        order = f"{job.id} {execution.id}\n".encode()
        self.saddle()
        assert self._kept is not None
        try:
            os.write(self._kept.orders, order)
        except BrokenPipeError:  # it died in its stable
            self._bury(self._kept)
            self.saddle()
            os.write(self._kept.orders, order)
        self._kept.jobs += 1
        self._horse_pid = self._kept.pid

    def wait_for_horse(self) -> tuple[int | None, int | None, Any]:
        """Return once the horse has done its job, or has died."""
        horse = self._kept
        if horse is None:
            return None, None, None
        if os.read(horse.done, 1):
            return horse.pid, os.EX_OK, None
        return self._bury(horse)

    # In the horse

    def _be_horse(self, orders: int, done: int) -> None:
        status = 1
        try:
            random.seed()
            self.setup_work_horse_signals()  # type: ignore[no-untyped-call]
            self._is_horse = True
            with os.fdopen(orders) as lines:
                self._obey(lines, done)
            status = 0
        except BaseException:
            log.exception("the horse falls")
        finally:
            os._exit(status)

    def _obey(self, lines: Iterable[str], done: int) -> None:
        for line in lines:
            job_id, execution_id = line.split()
            job = self.job_class.fetch(job_id, connection=self.connection, serializer=self.serializer)
            execution = Execution.fetch(execution_id, job_id, connection=self.connection)
            execution._job = job
            self.perform_job(job, self.queues[0], execution)
            os.write(done, b".")
