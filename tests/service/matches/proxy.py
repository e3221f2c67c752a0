"""A small proxy before a Redis on a unix socket: on demand it drops an answer after the server has carried the command out."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path


class Proxy:
    """Passes everything on; `drop_answers(n)` drops the next n answers, each with its connection.

    Args:
        server: the server's socket.
        path: where to listen.
    """

    def __init__(self, server: Path, path: Path) -> None:
        self.server = server
        self.path = path
        self.dropped = 0
        self._to_drop = 0
        self._word = b""
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    def drop_answers(self, number: int, word: bytes = b"EVALSHA") -> None:
        """Drop the answers to the next so many commands with a word in them."""
        with self._lock:
            self._to_drop, self._word, self.dropped = number, word, 0

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self.server))
        with client, server, contextlib.suppress(OSError):
            threading.Thread(target=self._answers, args=(server, client), daemon=True).start()
            while data := client.recv(1 << 20):
                self._note(client, data)
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def _note(self, client: socket.socket, data: bytes) -> None:
        with self._lock:
            if self._to_drop and self._word in data:
                self._to_drop -= 1
                self._doomed = client

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 20):
                with self._lock:
                    doomed = getattr(self, "_doomed", None) is client
                    if doomed:
                        self._doomed = None
                        self.dropped += 1
                if doomed:
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(data)
