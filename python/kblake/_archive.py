"""An archive and its questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

import pyarrow as pa
import pyarrow.compute as pc

from ._answer import LOSSY, Answer, Coverage, reasons, span_table
from ._command import Command
from ._errors import KblakeError, warn_incomplete
from ._follow import Following
from ._memory import Size, size_bytes
from ._options import Names, filter_options, group_options, name_list, optional, range_options, when_options
from ._process import find_command
from ._served import Served
from ._server import Server
from ._times import Duration, Time, duration_text, iso_nanos, time_nanos, time_text

if TYPE_CHECKING:
    import duckdb

_Path = Union[str, "os.PathLike[str]"]

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
        self._options = options
        self._command = None if command is None else Command(command, options, memory)
        self.zone: str = server.zone if server is not None and self._command is None else self._asked.zone
        self._server = None if server is None else Served(server, self.zone, memory, alone=self._command is None)
        self._texts: dict[tuple[str, str], bool] = {}

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
        filters = filter_options(last=last, held=held, where=where, severity=severity, columns=columns, strays=strays)
        options = [*self._scope(start, end, group), *filters, *when_options(when)]
        served = None if self._server is None else self._server.table("data", options, channels, start, end, group, when=when)
        return self._asked.answer("get", options, channels) if served is None else served

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
        filters = filter_options(where=where, severity=severity, columns=columns)
        yield from self._asked.batches("get", [*self._scope(start, end, group), *filters, *when_options(when)], channels)

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
        options = [*self._scope(start, end, group), "--wide", f"--every={step}", f"--gaps={gaps}", *when_options(when)]
        served = None if self._server is None else self._server.table("table", options, channels, start, end, group, every=step, when=when, gaps=gaps)
        return self._asked.answer("get", [*options, f"--memory={self._memory}"], channels) if served is None else served

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
        options = [*self._scope(start, end, group), f"--every={duration_text(every)}", *when_options(when)]
        options.append("--aggregate=" + ",".join(name_list(figures)))
        if wide:
            options.append("--wide")
        return self._asked.answer("get", [*options, f"--memory={self._memory}"], channels)

    def held(self, time: Time, channels: Names = "*", *, group: Names | None = None) -> Answer:
        """The value that each channel held at an instant. The row is the event that set it, and has its time."""
        return self._asked.answer("get", [f"--at={self._time(time)}", *group_options(group)], channels)

    def channels(self, channels: Names = "*", *, at: Time | None = None, group: Names | None = None) -> Answer:
        """The recorded channels: channel, group, type, count (elements), since, last (the time of the last value).

        at: only the channels that had a value at this instant.
        """
        if self._server is not None and self._command is None and at is None:
            return Answer(_channel_table(self._server.channels(channels, group)))
        found, complete, lines = self._asked.channels(channels, group)
        kind = pa.timestamp("ns", self.zone)
        since = pa.array([iso_nanos(row["recorded"]["from"]) for row in found], kind)
        latest = pa.array([iso_nanos(row["lastValue"]["time"]) if row["lastValue"] else None for row in found], kind)
        table = _channel_table(found).append_column("since", since).append_column("last", latest)
        if at is not None:
            held = self.held(at, channels, group=group)
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
            "onset": pa.array([time_nanos(row["onset"]) for row in rows], pa.timestamp("ns", self.zone))
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
        served = None if self._server is None else self._server.intervals(conditions, start, end, any, group)
        if served is not None:
            return served
        options = [*self._scope(start, end, group), *(["--any"] if any else [])]
        rows, complete, lines = self._asked.document("when", options, name_list(conditions))
        kind = pa.timestamp("ns", self.zone)
        columns = {name: pa.array([iso_nanos(row[name]) for row in rows], kind) for name in ("from", "to")}
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
        options = [*self._scope(start, end, group), f"--event={event}", *(["--each"] if each else [])]
        options += [f"--offset={duration_text(offset)}" for offset in offsets]
        options.append(f"--gaps={gaps}")
        return self._asked.table("build", options, channels)

    def coverage(self, group: Names | None = None, start: Time | None = None, end: Time | None = None) -> Answer:
        """The states of the groups' logs over time: group, state, start, end.

        A state is in columns, raw only, pending, archiver down, damaged, volume gone, or not recorded.
        """
        report, complete, lines = self._asked.document("coverage", self._range(start, end), optional(group))
        spans = [{"group": each["group"], **span} for each in report["groups"] for span in each["spans"]]
        return Answer(span_table(spans, _STATES, self.zone), complete=complete, lines=lines)

    def lossy(self, group: Names | None = None, start: Time | None = None, end: Time | None = None) -> Answer:
        """The spans in which recorders may have lost events of the groups: group, start, end, count (at least; null if unknown), reason."""
        report, complete, lines = self._asked.document("coverage", self._range(start, end), optional(group))
        return Answer(span_table(report.get("lossy", ()), LOSSY, self.zone), complete=complete, lines=lines)

    def sql(self, query: str, parameters: Sequence[object] | None = None, *, group: Names | None = None) -> Answer:
        """The result of a query by DuckDB over the columns in the store. Logs that are not in columns are not read.

        Each group has a view, such as VA_CCG, and one for each value type, such as VA_CCG_double. ``notes`` has what they cover.
        """
        connection, complete, lines = self._asked.connect(group)
        with connection:
            relation = connection.sql(query, params=parameters)
            table = pa.table({}) if relation is None else relation.to_arrow_table()
        return Answer(table, complete=complete, lines=lines)

    def connect(self, *, group: Names | None = None) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection in memory with views of the present files. The caller closes it.

        Views lack what is stored later, and fail when files are merged or evicted.
        """
        return self._asked.connect(group)[0]

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
        options = self._scope(start, None, group)
        options += filter_options(last=last, held=held, where=where, severity=severity)
        if poll is not None:
            options.append(f"--poll={duration_text(poll)}")
        return Following(self._asked.follow(options, channels), self.zone, self._is_text)

    def __repr__(self) -> str:
        address = [] if self._server is None else [self._server.address]
        return f"<kblake.Archive {' '.join([*address, *self._options, self.zone])}>"

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    @property
    def _asked(self) -> Command:
        if self._command is None:
            address = self._server.address if self._server else ""
            raise KblakeError(f"{address} does not answer this question; give archive= and store=, too, for answers of the command")
        return self._command

    def _compared(
        self, question: str, options: dict[str, str], channels: Names, group: Names | None
    ) -> tuple[list[dict[str, Any]], bool, tuple[str, ...], Coverage | None]:
        served = None if self._server is None else self._server.compared(question, options, channels, group)
        if served is not None:
            return served
        texts = [f"--{name}={value}" for name, value in options.items()]
        return *self._asked.document(question, [*texts, *group_options(group)], name_list(channels)), None

    def _time(self, time: Time) -> str:
        return time_text(time, self.zone)

    def _range(self, start: Time | None, end: Time | None) -> list[str]:
        return range_options(start, end, self.zone)

    def _scope(self, start: Time | None, end: Time | None, group: Names | None) -> list[str]:
        return [*self._range(start, end), *group_options(group)]

    def _is_text(self, channel: str, group: str | None) -> bool:
        """Whether the values of a channel are texts. The list of channels is read when this is asked first."""
        if (channel, group or "") not in self._texts:
            table = self.channels(channel, group=group).table
            self._texts[channel, group or ""] = "string" in table["type"].to_pylist()
        return self._texts[channel, group or ""]


def _channel_table(found: Sequence[Mapping[str, Any]]) -> pa.Table:
    return pa.table(
        {
            "channel": pa.array([each["name"] for each in found], pa.string()),
            "group": pa.array([each["group"] for each in found], pa.string()),
            "type": pa.array([each["type"] for each in found], pa.string()).dictionary_encode(),
            "count": pa.array([each["elements"] for each in found], pa.int32()),
        }
    )


def _had_value(table: pa.Table, held: pa.Table) -> pa.Table:
    known: Iterable[Any] = held["channel"].to_pylist()
    if "group" not in held.column_names:
        return table.filter(pc.is_in(table["channel"], pa.array(known, pa.string())))
    pairs = set(zip(known, held["group"].to_pylist()))
    rows = zip(table["channel"].to_pylist(), table["group"].to_pylist())
    return table.filter(pa.array([row in pairs for row in rows], pa.bool_()))
