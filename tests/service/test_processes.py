"""The parent of all processes: what it starts again, when it gives up, how it ends."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service import processes
from service.embedded import EmbeddedServer
from service.processes import Log, Program, Supervisor, python, session

FOR_EVER = python("-c", "import time; time.sleep(600)")


class Recorder:
    """A log to look at."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.log = Log(self.stream)

    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()

    def process_of(self, name: str) -> list[int]:
        return [int(line.rsplit(" ", 1)[1]) for line in self.lines() if f"| {name} runs as process" in line]

    def says(self, text: str) -> Callable[[], bool]:
        return lambda: any(text in line for line in self.lines())


def supervise(recorder: Recorder, *programs: Program, server: EmbeddedServer | None = None) -> Supervisor:
    return Supervisor(programs, os.environ, recorder.log, server)


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end, "waited for nothing"
        time.sleep(0.01)


def test_what_children_say_carries_their_name() -> None:
    recorder = Recorder()
    supervisor = supervise(recorder, Program("one", python("-c", "import time; print('hello', flush=True); time.sleep(600)")))
    assert supervisor.run(recorder.says("hello"), supervisor.stop) == 0
    assert "one       | hello" in recorder.lines()


def test_a_killed_child_is_started_again_and_named() -> None:
    recorder = Recorder()
    supervisor = supervise(recorder, Program("one", FOR_EVER), Program("two", FOR_EVER))
    killed: list[int] = []

    def kill_once_then_wait_for_the_second() -> bool:
        running = recorder.process_of("two")
        if not killed:
            killed.append(running[0])
            os.kill(running[0], signal.SIGKILL)
        return len(running) == 2

    assert supervisor.run(kill_once_then_wait_for_the_second, supervisor.stop) == 0
    assert "clifftop  | two was ended by SIGKILL; it is started again" in recorder.lines()
    assert len(recorder.process_of("one")) == 1


def test_a_child_that_ends_again_and_again_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PAUSE_S", 0.01)
    recorder = Recorder()
    supervisor = supervise(recorder, Program("good", FOR_EVER), Program("bad", python("-c", "raise SystemExit(7)")))
    assert supervisor.run(lambda: False, lambda: None) == 1
    assert "clifftop  | bad ended with code 7, 5 times in a row: giving up" in recorder.lines()
    (good,) = recorder.process_of("good")
    with pytest.raises(ProcessLookupError):
        os.kill(good, 0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="sessions are found in /proc")
def test_what_a_killed_child_leaves_behind_is_ended() -> None:
    recorder = Recorder()
    leaves = "import os, time; os.fork() or os.setpgrp(); print('forked', flush=True); time.sleep(600)"
    supervisor = supervise(recorder, Program("one", python("-c", leaves)))
    leaders: list[int] = []

    def kill_the_leader() -> bool:
        if leaders:
            return len(recorder.process_of("one")) == 2
        (leader,) = recorder.process_of("one")
        if len(session(leader)) == 2:
            leaders.append(leader)
            os.kill(leader, signal.SIGKILL)
        return False

    assert supervisor.run(kill_the_leader, supervisor.stop) == 0
    assert session(leaders[0]) == []


def test_a_child_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_S", 0.2)
    recorder = Recorder()
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    supervisor = supervise(recorder, Program("one", python("-c", deaf)))
    assert supervisor.run(recorder.says("deaf"), supervisor.stop) == 0
    assert "clifftop  | one did not end in time and is killed" in recorder.lines()


def test_a_second_call_to_stop_does_not_wait() -> None:
    recorder = Recorder()
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    supervisor = supervise(recorder, Program("one", python("-c", deaf)))

    def stop_twice() -> None:
        supervisor.stop()
        supervisor.stop()

    assert supervisor.run(recorder.says("deaf"), stop_twice) == 0
    assert recorder.says("is killed")()


def test_a_killed_server_is_started_again_on_the_same_data(tmp_path: Path) -> None:
    from redis import Redis

    recorder = Recorder()
    with EmbeddedServer(tmp_path) as server, Redis.from_url(server.url) as client:
        client.set("kept", "yes")
        assert server.process is not None
        first = server.process.pid
        supervisor = supervise(recorder, Program("one", FOR_EVER), server=server)

        def kill_the_server() -> bool:
            assert server.process is not None
            if server.process.pid == first:
                server.process.kill()
                return False
            return client.get("kept") == b"yes"

        assert supervisor.run(kill_the_server, supervisor.stop) == 0
        assert "clifftop  | redis was ended by SIGKILL; it is started again" in recorder.lines()
        assert server.process is None, "it is ended with the others"


def test_late_programs_start_when_the_others_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "NOTICE_AFTER_S", 0.0)
    recorder = Recorder()
    supervisor = supervise(recorder, Program("early", FOR_EVER), Program("late", FOR_EVER, late=True))
    asked: list[int] = []

    def ready_when_asked_again() -> bool:
        asked.append(len(recorder.process_of("late")))
        return len(asked) == 3

    def stop_when_the_late_one_runs() -> None:
        assert supervisor.processes("") == set(recorder.process_of("early"))
        threading.Thread(target=lambda: (wait_for(lambda: recorder.process_of("late")), supervisor.stop())).start()

    assert supervisor.run(ready_when_asked_again, stop_when_the_late_one_runs) == 0
    assert asked == [0, 0, 0]
    assert recorder.says(processes.NOTICE)()


def test_a_reader_of_the_log_that_goes_away_stops_nothing() -> None:
    recorder = Recorder()
    recorder.stream.close()
    recorder.log.write("one", "nobody hears this")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux signals the children of a killed parent")
def test_children_end_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from service.processes import Log, Program, Supervisor, python\n"
        "one = Program('one', python('-c', 'import time; time.sleep(600)'))\n"
        "Supervisor([one], os.environ, Log(sys.stdout)).run(lambda: False, lambda: None)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline().rsplit(" ", 1)[1])
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not session(child))
