"""The queues of thinking jobs. They say what to look at, no more: a turn that is lost here is found again in the due sets."""

from __future__ import annotations

import logging
import secrets
from typing import Any, ClassVar

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from service.address import Address
from service.settings import Settings

log = logging.getLogger(__name__)

#: The queue of the turns of AI seats, and those of hints and analyses and of webhooks, which have workers of their own so that
#: no turn waits behind one.
NAME = "clifftop-think"
ADVICE = "clifftop-advice"
POST = "clifftop-post"
#: The jobs, by name: the service never imports the workers.
JOB = "worker.jobs.think"
HINT = "worker.jobs.hint"
ANALYSIS = "worker.jobs.analyse"
SETTLE = "worker.jobs.settle"
TOURNAMENT = "worker.jobs.tournament"
SEND = "worker.post.send"
#: Connections of one process; who finds all in use waits for one.
CONNECTIONS = 16
#: A job thinks about a few decisions at the most.
JOB_TIMEOUT_S = 60


def connect(settings: Settings, retries: int = 1) -> Any:
    """Return a client of its own for the queue (RQ changes its clients' timeouts).

    Args:
        settings: where the queue is.
        retries: how often a command is repeated; few where a player waits, for the sweeper asks again.

    Raises:
        ValueError: the settings name no server.
    """
    url = settings.queue_url or settings.redis_url
    if url is None:
        raise ValueError("the settings name no server; start an embedded one first")
    retry = Retry(ExponentialBackoff(cap=1.0, base=0.02), retries)
    return Address.of(url).client(CONNECTIONS, settings.redis_timeout_s, retry=retry)


class _Asking:
    """What asks workers through one queue.

    Args:
        client: from `connect`.
    """

    name: ClassVar[str]

    def __init__(self, client: Any) -> None:
        self.queue = Queue(self.name, connection=client, serializer=JSONSerializer)


class Thinking(_Asking):
    """Asks workers to think about a seat's decision; failing to ask is only logged."""

    name = NAME

    def __call__(self, match_id: str, since: int, seat: int) -> None:
        """Ask for the decision that a seat has had since a version."""
        _enqueue(self.queue, JOB, "ai", match_id, since, seat)


class Settling(_Asking):
    """Asks workers to see to what follows the end of a match, and to tournaments; failing to ask is only logged."""

    name = NAME

    def __call__(self, match_id: str) -> None:
        """Ask for a match that has ended."""
        _enqueue(self.queue, SETTLE, "settle", match_id)

    def tournament(self, tournament_id: str) -> None:
        """Ask for a tournament, whose next matches are to be made."""
        _enqueue(self.queue, TOURNAMENT, "tournament", tournament_id)


class Posting(_Asking):
    """Asks workers to send what waits for a bot's webhook; failing to ask is only logged, and the sweeper asks again."""

    name = POST

    def __call__(self, bot: str) -> None:
        """Ask for a bot's webhook."""
        _enqueue(self.queue, SEND, "post", bot)


class Advising(_Asking):
    """Asks workers to think about hints; failing to ask is only logged, and the hint can be asked for again."""

    name = ADVICE

    def __call__(self, match_id: str, version: int, seat: int) -> None:
        """Ask for the hint that a seat has asked for at a version; before all analyses, for somebody waits."""
        _enqueue(self.queue, HINT, "hint", match_id, version, seat, first=True)


class Analysing(_Asking):
    """Asks workers to look at the moves of matches that are over; failing to ask is only logged, and done again when it is
    asked for again.
    """

    name = ADVICE

    def __call__(self, match_id: str, seat: int) -> None:
        """Ask for the analysis of a seat, or for more of it."""
        _enqueue(self.queue, ANALYSIS, "analysis", match_id, seat)


def _enqueue(jobs: Queue, job: str, kind: str, *arguments: Any, first: bool = False) -> None:
    name = "-".join(str(part) for part in (kind, *arguments, secrets.token_hex(3)))
    try:
        jobs.enqueue_call(
            job, args=arguments, job_id=name, timeout=JOB_TIMEOUT_S, result_ttl=0, failure_ttl=600, at_front=first
        )
    except redis.RedisError as error:
        log.warning("no worker could be asked (%s): %s", name, error)
