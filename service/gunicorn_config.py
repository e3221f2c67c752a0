"""How gunicorn runs the API: `gunicorn --config python:service.gunicorn_config`.

One arbiter, `CLIFFTOP_WEB_PROCESSES` gevent workers. The arbiter loads the compiled games, which its workers inherit; each
worker makes its own application, for locks and connections must not cross a fork.
"""

from __future__ import annotations

import gc
from types import FrameType

import gevent
from flask import Flask
from gunicorn.workers.ggevent import GeventWorker

from ai.player import warm
from engines import GAMES
from service import create_app
from service.settings import Settings


def application() -> Flask:
    """Return the application, with the settings of this environment."""
    return create_app(Settings.from_environment().with_redis())


class StreamEndingWorker(GeventWorker):
    """A gevent worker that ends its waits and event streams when it is told to stop, instead of sitting them out."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop accepting, and let open streams end: their clients come back to the next process."""
        super().handle_exit(sig, frame)
        gevent.spawn(self._end_streams)

    def _end_streams(self) -> None:
        if self.wsgi is not None:
            self.wsgi.extensions["clifftop"].matches.close()


def on_starting(_arbiter: object) -> None:
    """Load the games for all web processes, and their search, the last first.

    Where nothing is compiled yet, a worker that starts beside us begins with the first game: each compiles half and finds the
    other half done.
    """
    for name in reversed(list(GAMES)):
        warm(GAMES[name])
    # What is loaded by now stays: the collector need not go through half a million objects in the midst of a request.
    gc.collect()
    gc.freeze()


_settings = Settings.from_environment()

wsgi_app = "service.gunicorn_config:application()"
bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = _settings.web_processes
worker_class = StreamEndingWorker
worker_connections = 2000
backlog = 1024
timeout = 30
graceful_timeout = 10
keepalive = 30
loglevel = "warning" if _settings.log_level == "info" else _settings.log_level
errorlog = "-"
accesslog = None
control_socket_disable = True
# Only a proxy on this machine is believed about a client's address and scheme.
forwarded_allow_ips = "127.0.0.1,::1"
proxy_allow_ips = "127.0.0.1,::1"
