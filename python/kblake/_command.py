"""Questions to the command, and its answers as tables."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._answer import Answer, Coverage, reasons
from ._decode import decode
from ._errors import warn_incomplete
from ._memory import Batches
from ._options import Names, group_options, name_list
from ._process import INCOMPLETE, Process, run

if TYPE_CHECKING:
    import duckdb

#: Longer lists of channels are passed as a file, because a command line is limited.
_LARGEST_COMMAND_LINE = 50_000

#: A line at the head of the views: what they have of a group, or lack.
_PERIOD = re.compile(r"-- [^\s/]+/[^\s/]+: ")


class Command:
    """The command with the options of an archive. Each question is a process that ends with its answer.

    path: of the command. memory: the bytes that an answer may take.
    """

    def __init__(self, path: str, options: list[str], memory: int) -> None:
        self._start = [path, "--color=never", *options]
        self._memory = memory
        self.zone: str = self._settings_zone()

    def answer(self, command: str, options: list[str], channels: Names) -> Answer:
        """Returns the table of a command that reports its coverage."""
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            report = os.path.join(directory, "coverage.json")
            table, status, lines = self._table(command, [f"--coverage={report}", *options], channels, directory)
            with open(report, encoding="utf-8") as text:
                coverage = Coverage(json.load(text), self.zone)
        return self._answer(table, status, lines, coverage)

    def table(self, command: str, options: list[str], channels: Names) -> Answer:
        """Returns the table of a command that reports no coverage."""
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            table, status, lines = self._table(command, options, channels, directory)
        return self._answer(table, status, lines, None)

    def batches(self, command: str, options: list[str], channels: Names) -> Iterator[pa.RecordBatch]:
        """Returns the record batches as the command writes them. Warns at the end if events may be missing."""
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            with self._arrow(command, options, channels, directory) as process:
                reader = _reader(process)
                while (batch := _next(reader, process)) is not None:
                    yield batch
                status, lines = process.finish()
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))

    def document(self, command: str, options: list[str], names: list[str]) -> tuple[Any, bool, tuple[str, ...]]:
        """Returns a JSON answer, whether it is complete, and the lines of standard error. Warns if it is not."""
        output, status, lines = run([*self._start, command, "-f", "json", *options, *(["--", *names] if names else [])])
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        return json.loads(output), status != INCOMPLETE, lines

    def channels(self, channels: Names, group: Names | None) -> tuple[list[dict[str, Any]], bool, tuple[str, ...]]:
        """Returns what is known of channels, whether it is complete, and the lines of standard error. Does not warn."""
        # Times in UTC are unique.
        arguments = ["--out-zone=UTC", "channels", "-f", "json", *group_options(group), "--", *name_list(channels)]
        output, status, lines = run([*self._start, *arguments])
        return json.loads(output)["channels"], status != INCOMPLETE, lines

    def follow(self, options: list[str], channels: Names) -> Process:
        """Returns the process that writes new events, each a line of JSON."""
        names = name_list(channels)
        return Process([*self._start, "get", "--follow", "-f", "ndjson", "--time=epoch-ns", *options, "--", *names])

    def connect(self, group: Names | None) -> tuple[duckdb.DuckDBPyConnection, bool, tuple[str, ...]]:
        """Returns DuckDB with the views of groups, whether they are complete, and remarks. The caller closes DuckDB."""
        import duckdb

        views, status, lines = run([*self._start, "sql", *group_options(group)])
        head = [line[3:] for line in views.splitlines() if _PERIOD.match(line)]
        connection = duckdb.connect()
        connection.execute(f"SET TimeZone = '{self.zone}'")
        connection.execute(views)
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
            return connection, False, lines
        return connection, True, (*lines, *head)

    def _settings_zone(self) -> str:
        output, _, _ = run([*self._start, "config"])
        settings = dict(line.split()[:2] for line in output.splitlines() if len(line.split()) > 1)
        zone = settings.get("out-zone", "-")
        return settings["zone"] if zone == "-" else zone

    def _table(self, command: str, options: list[str], channels: Names, directory: str) -> tuple[pa.Table, int, tuple[str, ...]]:
        with self._arrow(command, options, channels, directory) as process:
            reader = _reader(process)
            batches = Batches(self._memory)
            while (batch := _next(reader, process)) is not None:
                batches.add(batch)
            status, lines = process.finish()
        return pa.Table.from_batches(batches.all, reader.schema), status, lines

    def _answer(self, table: pa.Table, status: int, lines: tuple[str, ...], coverage: Coverage | None) -> Answer:
        decoded = decode(table, self.zone)
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        return Answer(decoded, complete=status != INCOMPLETE, lines=lines, coverage=coverage)

    def _arrow(self, command: str, options: list[str], channels: Names, directory: str) -> Process:
        """Starts a command that writes Arrow. The directory keeps files for it."""
        names = name_list(channels)
        selected = ["--", *names]
        if sum(map(len, names)) > _LARGEST_COMMAND_LINE:
            file = os.path.join(directory, "channels")
            with open(file, "w", encoding="utf-8") as out:
                out.writelines(name + "\n" for name in names)
            selected = [f"--channels-from={file}"]
        return Process([*self._start, command, "-f", "arrow", *options, *selected])


def _reader(process: Process) -> pa.RecordBatchReader:
    try:
        return pa.ipc.open_stream(process.output)
    except pa.ArrowInvalid:
        process.finish()  # its message is the better one
        raise


def _next(reader: pa.RecordBatchReader, process: Process) -> pa.RecordBatch | None:
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None
    except (pa.ArrowInvalid, OSError):
        process.finish()  # its message is the better one
        raise
