"""Where a Redis is: one server, one that Sentinels know, or a Cluster; and how to connect to it.

    redis://[user:password@]host[:port][/db]    rediss://... (TLS)    unix://[user:password@]/path
    redis+sentinel://[user:password@]host[:port][,host[:port]...]/service[/db]      rediss+sentinel://... (TLS)
    redis+cluster://[user:password@]host[:port][,host[:port]...]                    rediss+cluster://... (TLS)

User and password are the servers'; Sentinels are asked without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

Kind: TypeAlias = Literal["server", "sentinel", "cluster"]

#: Ports where none is named.
PORTS: dict[Kind, int] = {"server": 6379, "sentinel": 26379, "cluster": 6379}
#: Connections of one process to a Cluster's node or to a server behind Sentinels, at the most.
CONNECTIONS_MAX = 1000


@dataclass(frozen=True)
class Address:
    """A Redis that can be reached.

    Attributes:
        url: as it was given.
        kind: what is there.
        hosts: names and ports of Sentinels or of nodes of a Cluster; empty for one server.
        service: the Sentinels' name for it.
        db: the database's number, behind Sentinels.
        tls: whether to speak TLS, to Sentinels and Clusters.
        username, password: None for none.
    """

    url: str
    kind: Kind
    hosts: tuple[tuple[str, int], ...] = ()
    service: str = ""
    db: int = 0
    tls: bool = False
    username: str | None = None
    password: str | None = None

    @classmethod
    def of(cls, url: str) -> Address:
        """Return the address that a URL means.

        Raises:
            ValueError: none; says why.
        """
        parts = urlsplit(url)
        scheme, _, kind = parts.scheme.partition("+")
        if parts.scheme == "unix":
            return cls._server(url, parts.path)
        if scheme not in ("redis", "rediss") or kind not in ("", "sentinel", "cluster"):
            raise ValueError("must begin with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://")
        if not kind:
            return cls._server(url, parts.hostname)
        return cls._of_many(url, "sentinel" if kind == "sentinel" else "cluster", tls=scheme == "rediss")

    @classmethod
    def _server(cls, url: str, where: str | None) -> Address:
        if not where:
            raise ValueError("names no server")
        return cls(url, "server")

    @classmethod
    def _of_many(cls, url: str, kind: Kind, *, tls: bool) -> Address:
        parts = urlsplit(url)
        who, _, listed = parts.netloc.rpartition("@")
        username, _, password = who.partition(":")
        hosts = tuple(_host(text, PORTS[kind]) for text in listed.split(","))
        service, _, db = parts.path.strip("/").partition("/")
        if kind == "sentinel" and not service:
            raise ValueError("must name the Sentinels' service: redis+sentinel://host:port,host:port/service")
        if kind == "cluster" and service:
            raise ValueError("a Cluster has one database: nothing may follow its hosts")
        if db and not (db.isascii() and db.isdigit()):
            raise ValueError(f"the database's number must be a whole number, not {db!r}")
        account = unquote(username) or None, unquote(password) or None
        return cls(url, kind, hosts, unquote(service), int(db or 0), tls, *account)

    def client(self, connections: int, timeout_s: float, **kwargs: Any) -> Any:
        """Return a client; its answers are bytes.

        Args:
            connections: to one server, the most there are; who finds all in use waits for one.
            timeout_s: how long to wait for a connection, and for an answer.
            **kwargs: of redis-py's connections, such as `retry`.

        Raises:
            redis.RedisError: a Cluster that cannot be reached; the others are reached for when they are asked something.
        """
        waits = {"socket_timeout": timeout_s, "socket_connect_timeout": timeout_s, **kwargs}
        if self.kind == "server":
            return self._one_server(connections, timeout_s, waits)
        secrets = {"username": self.username, "password": self.password, "ssl": self.tls}
        many = {"max_connections": CONNECTIONS_MAX, **waits, **secrets}
        return self._behind_sentinels(timeout_s, many) if self.kind == "sentinel" else self._cluster(many)

    def _one_server(self, connections: int, timeout_s: float, waits: dict[str, Any]) -> Any:
        import redis

        pool = redis.BlockingConnectionPool.from_url(self.url, max_connections=connections, timeout=timeout_s, **waits)
        return redis.Redis.from_pool(pool)

    def _behind_sentinels(self, timeout_s: float, kwargs: dict[str, Any]) -> Any:
        from redis.sentinel import Sentinel

        asked = {"socket_timeout": timeout_s, "socket_connect_timeout": timeout_s, "ssl": self.tls}
        sentinels: Any = Sentinel
        return sentinels(self.hosts, sentinel_kwargs=asked).master_for(self.service, db=self.db, **kwargs)

    def _cluster(self, kwargs: dict[str, Any]) -> Any:
        from redis.cluster import ClusterNode, RedisCluster

        node: Any = ClusterNode
        return RedisCluster(startup_nodes=[node(host, port) for host, port in self.hosts], **kwargs)


def _host(text: str, port: int) -> tuple[str, int]:
    """Return the name and port that one of several hosts means.

    Raises:
        ValueError: it is none.
    """
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("names no server")
    return parts.hostname, parts.port or port
