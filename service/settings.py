"""`Settings`: everything that can be set from outside, read from `CLIFFTOP_*` once, checked, and frozen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from service.address import Address

PREFIX = "CLIFFTOP_"
QUEUE = PREFIX + "QUEUE_URL"
LOG_LEVELS = ("debug", "info", "warning", "error")
DAY_S = 24 * 60 * 60


class BadSetting(ValueError):
    """A setting that cannot be used; it stops the start.

    Attributes:
        name: the environment variable.
        reason: what is wrong and what would be right.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


def _number(default: float, least: float, most: float) -> Any:
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class Settings:
    """One frozen object for all processes; the unit is in the name.

    Attributes:
        redis_url: where matches are, see `service.address`; None: the embedded server starts one.
        queue_url: where the queue of thinking jobs is, no Cluster; None: the same.
        data_dir: where the embedded server keeps its data.
        host, port: where `clifftop serve` listens; port 0: any free one.
        web_processes: gunicorn workers.
        workers: thinking workers.
        body_limit_bytes: the largest request body.
        editions_dir: a folder of further editions; None: none.
        sweep_interval_s: how often somebody looks for what is due.
        lease_margin_ms: how much longer than its thinking time a worker may hold a seat's decision.
        thinking_tries: how often a thought is begun before a quick move is played.
        open_expiry_s, idle_expiry_s, over_expiry_s: how long a match is kept after its last change while seats are open,
            while it runs, and once it is over.
        hints_max: how many hints a seat gets in one match.
        hint_ms: how long a worker thinks about a hint.
        analysis_iterations: how many iterations the search makes about every move of a match that is looked at afterwards,
            and more where there are many legal actions.
        analysis_moves_max: of how many of a seat's decisions in one match, the first ones.
        bot_matches_max: how many matches a bot may have going at a time.
        invitation_expiry_s: how long a bot may take to accept an invitation to a match.
        webhook_private: whether webhooks may go to private addresses, and over plain http.
        webhook_timeout_s: how long a webhook may take to answer.
        webhook_failures_max: after so many failures in a row nothing more is sent to a webhook.
        limit_key_per_minute: how many requests may be made with one key or seat token; 0: any number, as for all limits.
        limit_address_per_minute: how many may come from one address.
        limit_matches_per_hour, limit_bots_per_hour: how many matches may be created, and bots registered, from one address.
        trusted_proxies: how many proxies before us add to `X-Forwarded-For`; 0: nobody is believed about addresses.
        reaction_default_s: how long a person or bot has to answer in a reaction window.
        reaction_ai_ms: after how long an AI seat answers in a reaction window, whatever it holds.
        wait_max_s: the longest a request may wait for a new version.
        stream_keepalive_s: how often an event stream with nothing to say says so.
        redis_timeout_s: how long a command to the server of the matches may take.
        tournaments_max: how many tournaments may run at the same time.
        tournament_matches_max: the most matches of one tournament.
        tournament_at_once_max: how many of them may be played at the same time.
        log_level: debug, info, warning or error.
    """

    redis_url: str | None = None
    queue_url: str | None = None
    data_dir: Path = Path(".clifftop")
    host: str = "127.0.0.1"
    port: int = _number(8080, 0, 65535)
    web_processes: int = _number(2, 1, 64)
    workers: int = _number(2, 1, 256)
    body_limit_bytes: int = _number(64 * 1024, 1024, 16 * 1024 * 1024)
    editions_dir: Path | None = None
    sweep_interval_s: float = _number(1.0, 0.05, 60)
    lease_margin_ms: int = _number(1500, 100, 60_000)
    thinking_tries: int = _number(3, 1, 100)
    open_expiry_s: int = _number(DAY_S, 1, 3650 * DAY_S)
    idle_expiry_s: int = _number(14 * DAY_S, 1, 3650 * DAY_S)
    over_expiry_s: int = _number(14 * DAY_S, 1, 3650 * DAY_S)
    hints_max: int = _number(20, 0, 10_000)
    hint_ms: int = _number(1000, 1, 20_000)
    analysis_iterations: int = _number(2000, 16, 100_000)
    analysis_moves_max: int = _number(500, 1, 10_000)
    bot_matches_max: int = _number(50, 1, 10_000)
    invitation_expiry_s: int = _number(60 * 60, 1, 30 * DAY_S)
    webhook_private: bool = False
    webhook_timeout_s: float = _number(10.0, 0.1, 30)
    webhook_failures_max: int = _number(16, 1, 1000)
    limit_key_per_minute: int = _number(0, 0, 10**9)
    limit_address_per_minute: int = _number(0, 0, 10**9)
    limit_matches_per_hour: int = _number(0, 0, 10**9)
    limit_bots_per_hour: int = _number(0, 0, 10**9)
    trusted_proxies: int = _number(0, 0, 10)
    reaction_default_s: float = _number(8.0, 0.1, 3600)
    reaction_ai_ms: int = _number(1000, 0, 60_000)
    wait_max_s: float = _number(25.0, 0, 300)
    stream_keepalive_s: float = _number(15.0, 0.05, 300)
    redis_timeout_s: float = _number(1.5, 0.05, 60)
    tournaments_max: int = _number(20, 0, 10_000)
    tournament_matches_max: int = _number(10_000, 1, 1_000_000)
    tournament_at_once_max: int = _number(16, 1, 1000)
    log_level: str = "info"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings that an environment names; what it does not name has its default.

        Raises:
            BadSetting: an unknown `CLIFFTOP_*` name, or a value that cannot be used.
        """
        known = {PREFIX + entry.name.upper(): entry for entry in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in environ.items():
            if not name.startswith(PREFIX) or name in OTHERS:
                continue
            if name not in known:
                raise BadSetting(name, f"there is no such setting; there is {', '.join(sorted(known))}")
            if text != "":
                values[known[name].name] = _read(name, known[name], text)
        return cls(**values)

    def with_redis(self) -> Settings:
        """Return the settings as they are, for a process that cannot start a server of its own.

        Raises:
            BadSetting: they name no server.
        """
        if self.redis_url is None:
            raise BadSetting(PREFIX + "REDIS_URL", "must name a server; only `clifftop serve` starts one of its own")
        return self

    def __post_init__(self) -> None:
        for entry in fields(self):
            _check(PREFIX + entry.name.upper(), entry, getattr(self, entry.name))
        if self.queue_url is None and self.redis_url is not None and Address.of(self.redis_url).kind == "cluster":
            raise BadSetting(QUEUE, "must name one server, or Sentinels: the queue does not run on the matches' Cluster")


#: Variables with our prefix that are read elsewhere, before there are settings.
OTHERS = frozenset({"CLIFFTOP_CACHE_DIR"})


def _read(name: str, entry: Any, text: str) -> Any:
    kind = str(entry.type)
    if kind.startswith("Path"):
        return Path(text).expanduser()
    if kind == "bool":
        return _yes_or_no(name, text)
    if kind not in ("int", "float"):
        return text
    try:
        return int(text) if kind == "int" else float(text)
    except ValueError:
        what = "a whole number" if kind == "int" else "a number"
        raise BadSetting(name, f"must be {what}, not {text!r}") from None


def _yes_or_no(name: str, text: str) -> bool:
    words = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in words:
        raise BadSetting(name, f"must be true or false, not {text!r}")
    return words[text.lower()]


def _check(name: str, entry: Any, value: Any) -> None:
    if "least" in entry.metadata:
        least, most = entry.metadata["least"], entry.metadata["most"]
        if not least <= value <= most:  # also catches nan
            raise BadSetting(name, f"must be from {least} to {most}, not {value}")
    elif entry.name in ("redis_url", "queue_url") and value is not None:
        _check_url(name, value)
    elif entry.name == "editions_dir" and value is not None and not value.is_dir():
        raise BadSetting(name, f"there is no folder {value}")
    elif entry.name == "log_level" and value not in LOG_LEVELS:
        raise BadSetting(name, f"must be one of {', '.join(LOG_LEVELS)}, not {value!r}")
    elif entry.name == "host" and not value.strip():
        raise BadSetting(name, "must be an address or a host name")


def _check_url(name: str, url: str) -> None:
    try:
        kind = Address.of(url).kind
    except ValueError as error:
        raise BadSetting(name, str(error)) from None
    if name == QUEUE and kind == "cluster":
        raise BadSetting(name, "the queue does not run on a Cluster: name one server, or Sentinels")
