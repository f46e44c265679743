"""An archive and its questions."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

import pyarrow as pa
import pyarrow.compute as pc

from ._answer import Answer, Coverage, reasons, span_table
from ._decode import decode
from ._errors import KblakeError, warn_incomplete
from ._follow import Following
from ._memory import Batches, Size, size_bytes
from ._process import INCOMPLETE, Process, find_command, run
from ._server import Server, TooLargeError, single
from ._times import Duration, Time, duration_text, time_text

if TYPE_CHECKING:
    import duckdb

#: A name or a glob, or several.
Names = Union[str, Sequence[str]]
_Path = Union[str, "os.PathLike[str]"]

#: Longer lists of channels are passed as a file, because a command line is limited.
_LARGEST_COMMAND_LINE = 50_000

_ISO = re.compile(r"(?P<second>[^.Z+]+?)(?:\.(?P<fraction>\d+))?(?P<offset>Z|[+-]\d\d:\d\d)")

#: A line at the head of the views: what they have of a group, or lack.
_PERIOD = re.compile(r"-- [^\s/]+/[^\s/]+: ")

_STATES = (("group", "group", pa.string()), ("state", "state", pa.string()), ("start", "fromNanos", None), ("end", "toNanos", None))


def open(  # noqa: A001
    store: _Path | None = None,
    archive: _Path | None = None,
    server: str | None = None,
    *,
    token: str | None = None,
    zone: str | None = None,
    archive_zone: str | None = None,
    config: _Path | None = None,
    command: _Path | None = None,
    memory: Size | None = None,
) -> Archive:
    """Opens an archive for questions.

    store, archive: the directories. Without them the command takes its settings: KBLAKE_STORE, KBLAKE_ARCHIVE, kblake.toml.
    server: the address of kblake serve. It answers ``moved`` and ``diff``, and ``get``, ``wide``, ``channels`` and ``when`` without further options.
    The command answers the rest, if store or archive is given, too.
    token: what the server wants of its clients; default: KBLAKE_TOKEN.
    zone: the time zone of answers, and of times without an offset; default: the archive's.
    archive_zone: the time zone of the archive's file names.
    config: a settings file in place of kblake.toml.
    command: the path of the command; default: KBLAKE_COMMAND, or ``kblake`` on the PATH.
    memory: the memory that an answer may take, such as ``4G``; default: half of the machine's. A larger answer raises KblakeError,
    a table of ``wide`` or ``trend`` before it is read.

    Raises KblakeError if there is no command, or if its settings are wrong.
    """
    options = []
    for name, value in (
        ("archive", archive),
        ("store", store),
        ("out-zone", zone),
        ("zone", archive_zone),
        ("config", config),
    ):
        if value is not None:
            options.append(f"--{name}={os.fspath(value)}")
    served = None if server is None else Server(server, token or os.environ.get("KBLAKE_TOKEN"))
    if served is not None and zone is not None and zone != served.zone:
        raise KblakeError(f"zone={zone} is not that of {server}: {served.zone}; a server has one zone")
    alone = served is not None and store is None and archive is None and config is None
    return Archive(None if alone else find_command(command), options, served, size_bytes(memory))


class Archive:
    """An archive with its store. It holds no resources: each question is a process that ends with its answer.

    Arguments ``channels`` are names or globs: ``*`` is any text, ``?`` any character; a recorded name is no glob. A range includes its start and ends before its end. Times are
    texts as the command takes them, datetimes, or nanoseconds since 1970 UTC. All questions raise KblakeError with the message of the command,
    and warn with IncompleteWarning if events may be missing.
    """

    def __init__(self, command: str | None, options: list[str], server: Server | None, memory: int) -> None:
        self._memory = memory
        self._command = command
        self._options = options
        self._server = server
        self._texts: dict[tuple[str, str], bool] = {}
        self.zone: str = server.zone if server is not None and command is None else self._settings_zone()

    def get(
        self,
        channels: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        group: Names | None = None,
        last: int | None = None,
        held: bool = False,
        where: Names | None = None,
        severity: str | None = None,
        columns: Names | None = None,
        strays: bool = False,
        when: Names | None = None,
    ) -> Answer:
        """The events of channels in a range.

        last: only the last events of each channel, at most this number.
        held: begin with the values held just before the start.
        where: conditions on values, such as ``value > 1e-6``.
        severity: only events with at least this severity: no, minor, major, invalid.
        columns: the columns and their order.
        strays: include events whose time lies outside of their segment's span.
        when: only events at times at which conditions of ``when`` are met.
        """
        options = [*self._events(start, end, group, last, held, where, severity, columns, strays), *_when(when)]
        served = self._served("data", options, channels, start, end, group, when=when)
        return self._answer("get", options, channels) if served is None else served

    def batches(
        self,
        channels: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        group: Names | None = None,
        where: Names | None = None,
        severity: str | None = None,
        columns: Names | None = None,
        when: Names | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """The events as record batches, for ranges larger than the memory.

        Columns are those of the command: times in UTC, numbers for state and severity. Warns at the end if events may be missing.
        """
        options = [*self._events(start, end, group, None, False, where, severity, columns, False), *_when(when)]
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            with Process(self._arguments("get", ["-f", "arrow", *options], channels, directory)) as process:
                reader = self._reader(process)
                while (batch := _next(reader, process)) is not None:
                    yield batch
                status, lines = process.finish()
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))

    def wide(
        self,
        channels: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        every: Duration = "60s",
        group: Names | None = None,
        when: Names | None = None,
        gaps: str = "null",
    ) -> Answer:
        """A table of held values: a row for each point of the grid, a column for each channel. A point at the end is included.

        when: only points at which conditions of ``when`` are met.
        gaps: what a cell has where the channel was disconnected or not recorded, the archiver was down, or the log cannot be read:
        ``null``, or with ``hold`` the value held there.
        """
        step = duration_text(every)
        options = [*self._range(start, end), *_groups(group), "--wide", f"--every={step}", f"--gaps={gaps}", *_when(when)]
        served = self._served("table", options, channels, start, end, group, every=step, when=when, gaps=gaps)
        return self._answer("get", [*options, f"--memory={self._memory}"], channels) if served is None else served

    def trend(
        self,
        channels: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        every: Duration = "60s",
        figures: Names = ("count", "min", "mean", "max"),
        group: Names | None = None,
        wide: bool = False,
        when: Names | None = None,
    ) -> Answer:
        """Figures of the events in bins: count, nan, first, last, min, max, mean, std, time-mean, known, severity and times.

        wide: a row for each bin, with columns CHANNEL:FIGURE, in place of a row for each bin and channel.
        when: only events and held values at times at which conditions of ``when`` are met.
        """
        options = [*self._range(start, end), *_groups(group), f"--every={duration_text(every)}", *_when(when)]
        options.append("--aggregate=" + ",".join(_names(figures)))
        if wide:
            options.append("--wide")
        return self._answer("get", [*options, f"--memory={self._memory}"], channels)

    def held(self, time: Time, channels: Names = "*", *, group: Names | None = None) -> Answer:
        """The value that each channel held at an instant. The row is the event that set it, and has its time."""
        return self._answer("get", [f"--at={self._time(time)}", *_groups(group)], channels)

    def channels(self, channels: Names = "*", *, at: Time | None = None, group: Names | None = None) -> Answer:
        """The recorded channels: channel, group, type, count (elements), since, last (the time of the last value).

        at: only the channels that had a value at this instant.
        """
        if self._server is not None and self._command is None and at is None:
            return self._served_channels(self._server, channels, group)
        # Times in UTC are unique.
        output, status, lines = run(
            [*self._start, "--out-zone=UTC", "channels", "--format=json", *_groups(group), "--", *_names(channels)]
        )
        found = json.loads(output)["channels"]
        kind = pa.timestamp("ns", self.zone)
        table = pa.table(
            {
                "channel": pa.array([row["name"] for row in found], pa.string()),
                "group": pa.array([row["group"] for row in found], pa.string()),
                "type": pa.array([row["type"] for row in found], pa.string()).dictionary_encode(),
                "count": pa.array([row["elements"] for row in found], pa.int32()),
                "since": pa.array([_iso_nanos(row["recorded"]["from"]) for row in found], kind),
                "last": pa.array([_iso_nanos(row["lastValue"]["time"]) if row["lastValue"] else None for row in found], kind),
            }
        )
        complete = status != INCOMPLETE
        if at is not None:
            held = self._answer("get", [f"--at={self._time(at)}", *_groups(group)], channels)
            complete &= held.complete
            lines += held.problems
            table = _had_value(table, held.table)
        elif not complete:
            warn_incomplete(reasons(lines))
        return Answer(table, complete=complete, lines=lines)

    def moved(
        self,
        at: Time,
        *,
        before: Duration = "30s",
        after: Duration = "5s",
        baseline: Duration = "1h",
        channels: Names = "*",
        group: Names | None = None,
    ) -> Answer:
        """The channels that left their own habit around an instant, earliest first.

        onset, seconds (from the instant), measure (level, rate, count, state, connection, severity), z (null for a change without a
        number), before, after, group, channel. The baseline before the window shows the habit. ``notes`` has the gaps of the archiver;
        of an answer of a server, ``coverage``.
        """
        lengths = {"before": duration_text(before), "after": duration_text(after), "baseline": duration_text(baseline)}
        rows, complete, lines, coverage = self._compared("moved", {"at": self._time(at), **lengths}, channels, group)
        columns: dict[str, pa.Array] = {
            "onset": pa.array([_nanos(row["onset"]) for row in rows], pa.timestamp("ns", self.zone))
        }
        for name in ("seconds", "measure", "z", "before", "after", "group", "channel"):
            kind = pa.float64() if name in ("seconds", "z") else pa.string()
            columns[name] = pa.array([row[name] for row in rows], kind)
        return Answer(pa.table(columns), complete=complete, lines=lines, coverage=coverage)

    def diff(self, at: Time, other: Time, *, channels: Names = "*", group: Names | None = None) -> Answer:
        """The channels whose values, connections or severities differ between two instants.

        kind (connection, severity, state, number, list), size, before, after, group, channel.
        """
        times = {"at": self._time(at), "and": self._time(other)}
        rows, complete, lines, _ = self._compared("diff", times, channels, group)
        columns: dict[str, pa.Array] = {}
        for name in ("kind", "size", "before", "after", "group", "channel"):
            columns[name] = pa.array([row[name] for row in rows], pa.float64() if name == "size" else pa.string())
        return Answer(pa.table(columns), complete=complete, lines=lines)

    def when(
        self,
        conditions: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        any: bool = False,  # noqa: A002
        group: Names | None = None,
    ) -> Answer:
        """The intervals in which conditions are met: from, to (not included), seconds.

        conditions: ``CHANNEL > 500 for 10s``, ``not CHANNEL > 500``, or ``@FILE`` with saved intervals; all must be met.
        any: one of them is enough.
        ``to_pandas().to_csv(FILE, index=False)`` saves intervals.
        """
        served = self._served_intervals(conditions, start, end, any, group)
        if served is not None:
            return served
        options = [*self._range(start, end), *_groups(group), *(["--any"] if any else [])]
        rows, complete, lines = self._rows("when", options, conditions)
        kind = pa.timestamp("ns", self.zone)
        columns = {name: pa.array([_iso_nanos(row[name]) for row in rows], kind) for name in ("from", "to")}
        seconds = pa.array([row["seconds"] for row in rows], pa.float64())
        return Answer(pa.table({**columns, "seconds": seconds}), complete=complete, lines=lines)

    def build(
        self,
        event: str,
        channels: Names,
        start: Time | None = None,
        end: Time | None = None,
        *,
        offsets: Sequence[Duration] = (),
        each: bool = False,
        group: Names | None = None,
        gaps: str = "null",
    ) -> Answer:
        """A row of aligned values for each event: time, event, complete, then CHANNEL@OFFSET; CHANNEL alone without offsets.

        event: a condition, as ``when`` takes it. Its begins are the events. each: every value that meets it is an event.
        offsets: times from an event to the values, such as ``-1s``. complete is 0 in rows of which a value may be missing.
        gaps: as for ``wide``.
        """
        options = [*self._range(start, end), *_groups(group), f"--event={event}", *(["--each"] if each else [])]
        options += [f"--offset={duration_text(offset)}" for offset in offsets]
        options.append(f"--gaps={gaps}")
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            with Process(self._arguments("build", ["-f", "arrow", *options], channels, directory)) as process:
                reader = self._reader(process)
                batches = Batches(self._memory)
                while (batch := _next(reader, process)) is not None:
                    batches.add(batch)
                status, lines = process.finish()
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        table = decode(pa.Table.from_batches(batches.all, reader.schema), self.zone)
        return Answer(table, complete=status != INCOMPLETE, lines=lines)

    def _compared(
        self, command: str, options: dict[str, str], channels: Names, group: Names | None
    ) -> tuple[list[dict[str, Any]], bool, tuple[str, ...], Coverage | None]:
        """Asks the server, if there is one, or the command."""
        found = self._served_document(command, options, channels, group)
        if found is None:
            texts = [f"--{name}={value}" for name, value in options.items()]
            return *self._rows(command, [*texts, *_groups(group)], channels), None
        lines: tuple[str, ...] = ()
        if not found["complete"]:
            lines = (f"kblake {command}: incomplete: {found['missing']}",)
            warn_incomplete(reasons(lines))
        lines += tuple(found["notes"])
        coverage = None
        if "coverage" in found:
            coverage = Coverage.of_groups(found["coverage"], found["complete"], self.zone)
            gaps = sum(kind != "answered" for kind in coverage.table["kind"].to_pylist()) - len(coverage.missing)
            lines += (f"gaps of the archiver: {gaps}; .coverage has them",) if gaps else ()
        return [{**row, "channel": row["name"]} for row in found["channels"]], found["complete"], lines, coverage

    def _served_document(
        self, path: str, options: dict[str, str], channels: Names, group: Names | None
    ) -> dict[str, Any] | None:
        """Asks the server. Returns None if there is none, or if the command answers this question in its place."""
        if self._server is None:
            return None
        groups = [] if group is None else _names(group)
        try:
            return self._server.document(path, **options, channel=single(_names(channels)), group=groups)
        except TooLargeError:
            if self._command is None:
                raise
            return None

    def _rows(self, command: str, options: list[str], channels: Names) -> tuple[list[dict[str, Any]], bool, tuple[str, ...]]:
        output, status, lines = run([*self._start, command, "-f", "json", *options, "--", *_names(channels)])
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        return json.loads(output), status != INCOMPLETE, lines

    def coverage(self, group: Names | None = None, start: Time | None = None, end: Time | None = None) -> Answer:
        """The states of the groups' logs over time: group, state, start, end.

        A state is in columns, raw only, pending, archiver down, damaged, volume gone, or not recorded.
        """
        names = [] if group is None else ["--", *_names(group)]
        output, status, lines = run([*self._start, "coverage", "-f", "json", *self._range(start, end), *names])
        report = json.loads(output)
        spans = [{"group": each["group"], **span} for each in report["groups"] for span in each["spans"]]
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        return Answer(span_table(spans, _STATES, self.zone), complete=status != INCOMPLETE, lines=lines)

    def sql(self, query: str, parameters: Sequence[object] | None = None, *, group: Names | None = None) -> Answer:
        """The result of a query by DuckDB over the columns in the store. Logs that are not in columns are not read.

        Each group has a view, such as VA_CCG, and one for each value type, such as VA_CCG_double. ``notes`` has what they cover.
        """
        connection, complete, lines = self._connect(group)
        with connection:
            relation = connection.sql(query, params=parameters)
            table = pa.table({}) if relation is None else relation.to_arrow_table()
        return Answer(table, complete=complete, lines=lines)

    def connect(self, *, group: Names | None = None) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection in memory with views of the present files. The caller closes it.

        Views lack what is stored later, and fail when files are merged or evicted.
        """
        return self._connect(group)[0]

    def follow(
        self,
        channels: Names,
        start: Time | None = None,
        *,
        last: int | None = None,
        held: bool = False,
        group: Names | None = None,
        where: Names | None = None,
        severity: str | None = None,
        poll: Duration | None = None,
    ) -> Following:
        """New events as they are written, without end.

        start: begin with the events since this time; default: an hour ago. last: begin with the last events of each channel, or with new ones
        if it is 0. held: begin with the values held before the start. poll: the interval at which files are polled; default: 1s.
        """
        options = self._events(start, None, group, last, held, where, severity, None, False)
        if poll is not None:
            options.append(f"--poll={duration_text(poll)}")
        names = _names(channels)
        process = Process(
            [*self._start, "get", "--follow", "-f", "ndjson", "--time=epoch-ns", *options, "--", *names]
        )
        return Following(process, self.zone, self._is_text)

    def __repr__(self) -> str:
        address = [] if self._server is None else [self._server.address]
        return f"<kblake.Archive {' '.join([*address, *self._options, self.zone])}>"

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    @property
    def _start(self) -> list[str]:
        """The begin of each command line."""
        if self._command is None:
            address = self._server.address if self._server else ""
            raise KblakeError(f"{address} does not answer this question; give archive= and store=, too, for answers of the command")
        return [self._command, "--color=never", *self._options]

    def _served(
        self,
        path: str,
        options: list[str],
        channels: Names,
        start: Time | None,
        end: Time | None,
        group: Names | None,
        when: Names | None = None,
        **more: str,
    ) -> Answer | None:
        """Asks the server. Returns None if there is none, or if the command answers this question in its place."""
        if self._server is None:
            return None
        own = {"--from", "--to", "--group", "--when", *(f"--{name}" for name in more)} | ({"--wide"} if path == "table" else set())
        conditions = [] if when is None else _names(when)
        if _of_files(conditions):
            return None
        if any(option.split("=")[0] not in own for option in options) or (start is None and end is not None):
            return None
        parameters: dict[str, Any] = {**more, "channel": single(_names(channels)), "when": conditions}
        if group is not None:
            parameters["group"] = _names(group)
        for name, time in (("from", start), ("to", end)):
            if time is not None:
                parameters[name] = self._time(time)
        try:
            table, coverage, missing = self._server.table(path, self._memory, **parameters)
        except TooLargeError:
            if self._command is None:
                raise
            return None
        if path == "data" and b" " not in table.schema.metadata[b"kblake.groups"]:
            table = table.drop_columns(["group"])
        lines = (*(() if missing is None else (f"kblake get: incomplete: {missing}",)), *coverage["notes"])
        if missing is not None:
            warn_incomplete(reasons(lines))
        return Answer(decode(table, self.zone), complete=missing is None, lines=lines, coverage=Coverage(coverage, self.zone))

    def _served_intervals(
        self, conditions: Names, start: Time | None, end: Time | None, any_of: bool, group: Names | None
    ) -> Answer | None:
        """Asks the server. Returns None if there is none, or if the command answers this question in its place."""
        texts = _names(conditions)
        if self._server is None or (start is None and end is not None):
            return None
        if _of_files(texts):
            return None
        parameters: dict[str, Any] = {"condition": texts, "any": "true" if any_of else "false"}
        if group is not None:
            parameters["group"] = _names(group)
        for name, time in (("from", start), ("to", end)):
            if time is not None:
                parameters[name] = self._time(time)
        found = self._server.document("when", **parameters)
        begins, ends = ([int(nanos) for nanos in found["intervals"][name]] for name in ("from", "to"))
        kind = pa.timestamp("ns", self.zone)
        columns = {"from": pa.array(begins, pa.int64()).cast(kind), "to": pa.array(ends, pa.int64()).cast(kind)}
        seconds = pa.array([(last - first) / 1e9 for first, last in zip(begins, ends)], pa.float64())
        lines = () if found["complete"] else (found["missing"],)
        if lines:
            warn_incomplete(lines)
        lines = (*lines, *found["notes"])
        return Answer(pa.table({**columns, "seconds": seconds}), complete=found["complete"], lines=lines)

    def _served_channels(self, server: Server, channels: Names, group: Names | None) -> Answer:
        found = server.channels(_names(channels), None if group is None else _names(group))
        return Answer(
            pa.table(
                {
                    "channel": pa.array([each["name"] for each in found], pa.string()),
                    "group": pa.array([each["group"] for each in found], pa.string()),
                    "type": pa.array([each["type"] for each in found], pa.string()).dictionary_encode(),
                    "count": pa.array([each["elements"] for each in found], pa.int32()),
                }
            )
        )

    def _settings_zone(self) -> str:
        output, _, _ = run([*self._start, "config"])
        settings = dict(line.split()[:2] for line in output.splitlines() if len(line.split()) > 1)
        zone = settings.get("out-zone", "-")
        return settings["zone"] if zone == "-" else zone

    def _time(self, time: Time) -> str:
        return time_text(time, self.zone)

    def _range(self, start: Time | None, end: Time | None) -> list[str]:
        options = [] if start is None else [f"--from={self._time(start)}"]
        return options if end is None else [*options, f"--to={self._time(end)}"]

    def _events(
        self,
        start: Time | None,
        end: Time | None,
        group: Names | None,
        last: int | None,
        held: bool,
        where: Names | None,
        severity: str | None,
        columns: Names | None,
        strays: bool,
    ) -> list[str]:
        options = [*self._range(start, end), *_groups(group)]
        if last is not None:
            options.append(f"--last={last}")
        if held:
            options.append("--held")
        if where is not None:
            options.extend(f"--where={condition}" for condition in _names(where))
        if severity is not None:
            options.append(f"--severity={severity}")
        if columns is not None:
            options.append("--columns=" + ",".join(_names(columns)))
        if strays:
            options.append("--strays")
        return options

    def _arguments(self, command: str, options: list[str], channels: Names, directory: str) -> list[str]:
        start = self._start
        names = _names(channels)
        if sum(map(len, names)) > _LARGEST_COMMAND_LINE:
            file = os.path.join(directory, "channels")
            with _file(file) as out:
                out.writelines(name + "\n" for name in names)
            return [*start, command, *options, f"--channels-from={file}"]
        return [*start, command, *options, "--", *names]

    def _answer(self, command: str, options: list[str], channels: Names) -> Answer:
        with tempfile.TemporaryDirectory(prefix="kblake-") as directory:
            report = os.path.join(directory, "coverage.json")
            arguments = self._arguments(command, ["-f", "arrow", f"--coverage={report}", *options], channels, directory)
            with Process(arguments) as process:
                reader = self._reader(process)
                batches = Batches(self._memory)
                while (batch := _next(reader, process)) is not None:
                    batches.add(batch)
                status, lines = process.finish()
            with _file(report, "r") as text:
                coverage = Coverage(json.load(text), self.zone)
        table = decode(pa.Table.from_batches(batches.all, reader.schema), self.zone)
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        return Answer(table, complete=status != INCOMPLETE, lines=lines, coverage=coverage)

    @staticmethod
    def _reader(process: Process) -> pa.RecordBatchReader:
        try:
            return pa.ipc.open_stream(process.output)
        except pa.ArrowInvalid:
            process.finish()  # its message is the better one
            raise

    def _connect(self, group: Names | None) -> tuple[duckdb.DuckDBPyConnection, bool, tuple[str, ...]]:
        import duckdb

        views, status, lines = run([*self._start, "sql", *_groups(group)])
        head = [line[3:] for line in views.splitlines() if _PERIOD.match(line)]
        connection = duckdb.connect()
        connection.execute(f"SET TimeZone = '{self.zone}'")
        connection.execute(views)
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
            return connection, False, lines
        return connection, True, (*lines, *head)

    def _is_text(self, channel: str, group: str | None) -> bool:
        """Whether the values of a channel are texts. The list of channels is read when this is asked first."""
        if (channel, group or "") not in self._texts:
            table = self.channels(channel, group=group).table
            self._texts[channel, group or ""] = "string" in table["type"].to_pylist()
        return self._texts[channel, group or ""]


def _file(path: str, mode: str = "w") -> Any:
    """The function open of Python, which this module hides."""
    import io

    return io.open(path, mode, encoding="utf-8")


def _names(names: Names) -> list[str]:
    found = [names] if isinstance(names, str) else list(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"not a text: {name!r}")
    if not found:
        raise ValueError("an empty list; name at least one")
    return found


def _groups(group: Names | None) -> list[str]:
    return [] if group is None else [f"--group={each}" for each in _names(group)]


def _when(conditions: Names | None) -> list[str]:
    return [] if conditions is None else [f"--when={each}" for each in _names(conditions)]


def _next(reader: pa.RecordBatchReader, process: Process) -> pa.RecordBatch | None:
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None
    except (pa.ArrowInvalid, OSError):
        process.finish()  # its message is the better one
        raise


def _nanos(text: str) -> int:
    """A time of the server, or of the command."""
    return int(text) if text.lstrip("-").isdigit() else _iso_nanos(text)


def _iso_nanos(text: str) -> int:
    """The nanoseconds of a time in ISO 8601 with an offset, exactly."""
    found = _ISO.fullmatch(text)
    if found is None:
        raise KblakeError(f"not a time: {text}; use the package of the same version")
    offset = "+00:00" if found["offset"] == "Z" else found["offset"]
    second = int(datetime.fromisoformat(found["second"] + offset).timestamp())
    return second * 1_000_000_000 + int((found["fraction"] or "").ljust(9, "0"))


def _had_value(table: pa.Table, held: pa.Table) -> pa.Table:
    known: Iterable[Any] = held["channel"].to_pylist()
    if "group" not in held.column_names:
        return table.filter(pc.is_in(table["channel"], pa.array(known, pa.string())))
    pairs = set(zip(known, held["group"].to_pylist()))
    rows = zip(table["channel"].to_pylist(), table["group"].to_pylist())
    return table.filter(pa.array([row in pairs for row in rows], pa.bool_()))


def _of_files(conditions: Sequence[str]) -> bool:
    """Whether a condition is a file with intervals. The server reads no files of this machine."""
    return any(text.strip().removeprefix("not ").strip().startswith("@") for text in conditions)
