"""Runs the command. No process outlives its caller."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import IO

from ._errors import KblakeError, UnknownChannelError

_PREFIX = re.compile(r"^kblake(?: [a-z]+)?: ")
_PIPE_BYTES = 1 << 20

INCOMPLETE = 3


def find_command(command: str | os.PathLike[str] | None) -> str:
    """Returns the path of the command: the given one, that of KBLAKE_COMMAND, or the one on the PATH."""
    wanted = os.fspath(command) if command is not None else os.environ.get("KBLAKE_COMMAND") or "kblake"
    found = shutil.which(wanted)
    if found is None:
        raise KblakeError(f"no such command: {wanted}; put kblake on the PATH, or name it by command= or KBLAKE_COMMAND")
    return os.path.abspath(found)


class Process:
    """A run of the command. Leaving the ``with`` block, garbage collection and the end of the interpreter end it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        self._process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors)
        self._end = weakref.finalize(self, _end, self._process)
        assert self._process.stdout is not None
        self.output: IO[bytes] = self._process.stdout
        _widen(self.output.fileno())

    def __enter__(self) -> Process:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """The process number of the command."""
        return self._process.pid

    def end(self) -> None:
        """Ends the process if it still runs, and waits for it. May be called again."""
        self._end()

    def finish(self) -> tuple[int, tuple[str, ...]]:
        """Waits for the end. Returns the status, 0 or 3, and the lines of standard error.

        Raises KblakeError for any other status.
        """
        status = self._process.wait()
        self._errors.seek(0)
        lines = tuple(line for line in self._errors.read().decode("utf-8", "replace").splitlines() if line.strip())
        self._errors.close()
        if status in (0, INCOMPLETE):
            return status, lines
        if status < 0:
            raise KblakeError(f"kblake was ended by {signal.Signals(-status).name}", status)
        message = _PREFIX.sub("", lines[-1]) if lines else f"kblake ended with status {status} without a message"
        for line in lines:
            if _PREFIX.match(line):
                message = _PREFIX.sub("", line)
                break
        if message.startswith("no such channel"):
            raise UnknownChannelError(message, status)
        raise KblakeError(message, status)


def run(arguments: Sequence[str]) -> tuple[str, int, tuple[str, ...]]:
    """Runs the command. Returns its output, its status and the lines of standard error."""
    with Process(arguments) as process:
        output = process.output.read()
        status, lines = process.finish()
    return output.decode("utf-8"), status, lines


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _widen(descriptor: int) -> None:
    """A larger pipe needs fewer switches between both processes."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass
