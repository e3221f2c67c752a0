"""The command line: `clifftop`."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import click
import redis

from service.embedded import DataInUse, EmbeddedError, EmbeddedServer
from service.match_command import address_of, answers, match
from service.processes import Log, Program, Supervisor, python
from service.record_commands import audit, verify
from service.settings import BadSetting, Settings


class CannotListen(OSError):
    """The address of the settings is not to be had."""


#: What ends a command with a sentence and an exit code of its own (click's are 0 done, 1 failed, 2 a wrong command line).
ENDINGS: dict[type[Exception], int] = {BadSetting: 2, DataInUse: 3, EmbeddedError: 4, CannotListen: 5}


class Commands(click.Group):
    """Commands of which some live elsewhere and are imported only when they are asked for."""

    ELSEWHERE = {"arena": "ai.arena"}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self.ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name."""
        if cmd_name not in self.ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(self.ELSEWHERE[cmd_name]), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what ends it by one of `ENDINGS` is said in a sentence."""
        try:
            return super().invoke(ctx)
        except tuple(ENDINGS) as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(next(code for kind, code in ENDINGS.items() if isinstance(error, kind)))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="clifftop")
def main() -> None:
    """Four lemming card games over HTTP, with AI opponents. Settings are CLIFFTOP_* variables; see the README."""


for command in (match, verify, audit):
    main.add_command(command)


@main.command()
def serve() -> None:
    """Run everything on this machine: Redis, API, workers, sweeper; Ctrl-C ends it."""
    settings = Settings.from_environment()
    log = Log(sys.stdout)
    with listening(settings) as listener, redis_of(settings, log) as (settings, server):
        sys.exit(_serve(settings, log, listener, server))


@contextmanager
def listening(settings: Settings) -> Iterator[socket.socket]:
    """Listen on the address of the settings; kept over restarts of the web server, so that clients wait instead of failing."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else str(error)
        where = f"{settings.host}:{settings.port}"
        raise CannotListen(f"cannot listen on {where} ({reason}); choose with CLIFFTOP_HOST, CLIFFTOP_PORT") from None
    with listener:
        yield listener


@contextmanager
def redis_of(settings: Settings, log: Log) -> Iterator[tuple[Settings, EmbeddedServer | None]]:
    """Start the embedded server, if no other is named, and put its address into the settings."""
    if settings.redis_url is not None:
        yield settings, None
        return
    with EmbeddedServer(settings.data_dir, say=lambda line: log.write("redis", line)) as server:
        log.write("clifftop", f"redis runs as process {server.pid}, data in {server.data_dir}")
        yield replace(settings, redis_url=server.url), server


def _serve(settings: Settings, log: Log, listener: socket.socket, server: EmbeddedServer | None) -> int:
    address = address_of(*listener.getsockname()[:2])
    assert settings.redis_url is not None
    environ = {**os.environ, "CLIFFTOP_REDIS_URL": settings.redis_url}
    supervisor = Supervisor(programs(settings, listener), environ, log, server)
    supervisor.catch_signals()
    return supervisor.run(is_ready(address, settings, supervisor), lambda: log.write("clifftop", f"ready: open {address}"))


def programs(settings: Settings, listener: socket.socket) -> list[Program]:
    """Return what `serve` runs besides Redis."""
    gunicorn = python("-m", "gunicorn", "--config", "python:service.gunicorn_config", "--bind", f"fd://{listener.fileno()}")
    web = Program("web", gunicorn, keep_open=[listener.fileno()])
    work = python("-m", "service.cli", "worker")
    # One worker is enough to be ready (each sweeps as well), and enough to compile what nobody has compiled before.
    workers = [Program(f"worker-{n}", work, late=n > 1) for n in range(1, settings.workers + 1)]
    workers.append(Program("hints", python("-m", "service.cli", "worker", "--hints"), late=True))
    workers.append(Program("webhooks", python("-m", "service.cli", "worker", "--webhooks"), late=True))
    return [web, *workers, Program("sweeper", python("-m", "service.cli", "sweeper"), late=True)]


def is_ready(address: str, settings: Settings, supervisor: Supervisor) -> Callable[[], bool]:
    """Return a question: does the server at an address say that it is ready, and does every worker take jobs?"""

    def ask() -> bool:
        return answers(address) and thinking(settings) >= supervisor.processes("worker-")

    return ask


def thinking(settings: Settings) -> set[int]:
    """Return the processes of all workers that take jobs from the queue of the settings."""
    from rq import Worker

    from service.matches import queue

    try:
        with queue.connect(settings) as client:
            return {worker.pid for worker in Worker.all(connection=client) if worker.pid is not None}
    except redis.RedisError:
        return set()


@main.command()
@click.option("--hints", is_flag=True, help="Think about hints and analyses instead, and step back for the workers of turns.")
@click.option("--webhooks", is_flag=True, help="Send events to bots' webhooks instead.")
def worker(hints: bool, webhooks: bool) -> None:
    """Run one worker, which thinks for AI seats."""
    from worker.main import main as work

    if hints and webhooks:
        raise click.UsageError("a worker has one queue: --hints or --webhooks")
    work(Settings.from_environment().with_redis(), hints=hints, webhooks=webhooks)


@main.command()
def sweeper() -> None:
    """Run the sweeper: it finds what is due and was forgotten."""
    from worker.sweeper import main as sweep

    sweep(Settings.from_environment().with_redis())


@main.command()
def warm() -> None:
    """Compile every game and its search into the cache on disk."""
    from ai.player import warm as compile_game
    from engines import GAMES

    for game in GAMES.values():
        compile_game(game)


if __name__ == "__main__":
    main()
