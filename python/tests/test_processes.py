"""No process outlives its caller."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import COMMAND, Run

import kblake


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_ended(pid: int) -> None:
    end = time.monotonic() + 10
    while runs(pid):
        assert time.monotonic() < end, f"the process {pid} still runs"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kblake.Archive]:
    directory = tmp_path_factory.mktemp("growing") / "archive"
    arguments = [COMMAND, "simulate", "--live", "--days", "0.01", "--scale", "0.2", "--for", "120s", str(directory)]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as simulation:
        end = time.monotonic() + 20
        while not list(directory.glob("BM/DCCT_*.log2")) or not list(directory.glob("SYS/*")):
            assert time.monotonic() < end
            time.sleep(0.05)
        yield kblake.open(archive=directory)
        simulation.send_signal(signal.SIGINT)


def test_follow_continues_the_events(growing: kblake.Archive) -> None:
    channel = "BMLDCCT:CURRENT"
    with growing.follow(channel, last=3, poll="50ms") as events:
        seen = [next(events) for _ in range(6)]
        pid = events._process.pid
    wait_until_ended(pid)
    answer = growing.get(channel, seen[0].time_ns, seen[-1].time_ns + 1).table
    assert [event.time_ns for event in seen] == [time.value for time in answer["time"]]
    assert [event.value for event in seen] == answer["value"].to_pylist()
    assert seen[0].time.utcoffset().total_seconds() == 9 * 3600  # type: ignore[union-attr]
    assert seen[0].time_ns // 1000 == round(seen[0].time.timestamp() * 1_000_000)
    with pytest.raises(StopIteration):
        next(events)


def test_following_that_is_not_read_ends(growing: kblake.Archive) -> None:
    events = growing.follow("*", last=1)
    next(events)
    pid = events._process.pid
    del events
    gc.collect()
    wait_until_ended(pid)


def test_follow_of_an_unknown_channel(growing: kblake.Archive) -> None:
    with pytest.raises(kblake.UnknownChannelError, match="no such channel: nope"):
        next(growing.follow("nope"))


def test_nan_and_the_text_nan_differ(run: Run) -> None:
    """JSON has both as the same text."""
    from kblake._follow import Following

    following = Following.__new__(Following)
    following._is_text = lambda channel, group: channel == "TEXT"
    assert str(following._value("NaN", "NUMBER", None)) == "nan"
    assert following._value("NaN", "TEXT", None) == "NaN"
    assert following._value([1.0, "-Infinity"], "NUMBER", None) == [1.0, float("-inf")]
    assert following._value(["a", "NaN"], "TEXT", None) == ["a", "NaN"]


def test_batches_that_are_not_read_to_their_end(archive: kblake.Archive) -> None:
    batches = archive.batches("*", "2024-05-20", "2024-05-21")
    assert next(batches).num_rows > 0
    process = batches.gi_yieldfrom.gi_frame.f_locals["process"]  # type: ignore[attr-defined]
    batches.close()  # type: ignore[attr-defined]
    wait_until_ended(process.pid)


PROGRAM = """
import sys, kblake
events = kblake.open(archive=sys.argv[1]).follow("BMLDCCT:CURRENT", last=0, poll="3600s")
print(events._process.pid, flush=True)
try:
    next(events)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_interrupt_ends_the_command(simulated: tuple[Path, Path]) -> None:
    """The signal goes to Python alone, as in a notebook."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM, str(simulated[0])], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        time.sleep(0.5)
        assert runs(pid)
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "stopped\n"
    wait_until_ended(pid)


def test_end_of_python_ends_the_command(simulated: tuple[Path, Path]) -> None:
    program = PROGRAM.replace("try:\n    next(events)", "try:\n    sys.exit(0)")
    done = subprocess.run([sys.executable, "-c", program, str(simulated[0])], capture_output=True, text=True)
    wait_until_ended(int(done.stdout))
