"""New events as they are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import Any
from zoneinfo import ZoneInfo

from ._answer import reasons
from ._errors import warn_incomplete
from ._process import INCOMPLETE, Process

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


@dataclass(frozen=True, slots=True)
class Event:
    """An event.

    ``time_ns`` is exact: nanoseconds since 1970 UTC. ``time`` is rounded down to microseconds. ``group`` is None if one group answers.
    ``value`` is None unless the state is ``value``. It is a number, a text, or a list of these.
    """

    time_ns: int
    channel: str
    group: str | None
    state: str
    severity: int
    status: int
    value: Any
    zone: str

    @property
    def time(self) -> datetime:
        """The time in the zone of answers."""
        return (_EPOCH + timedelta(microseconds=self.time_ns // 1000)).astimezone(ZoneInfo(self.zone))


class Following(Iterator[Event]):
    """Events without end. ``close``, the end of a ``with`` block, and garbage collection end the command."""

    def __init__(self, process: Process, zone: str, is_text: Callable[[str, str | None], bool]) -> None:
        self._process = process
        self._zone = zone
        self._is_text = is_text
        self._ended = False

    def __iter__(self) -> Following:
        return self

    def __next__(self) -> Event:
        if self._ended:
            raise StopIteration
        try:
            line = self._process.output.readline()
        except BaseException:
            self.close()
            raise
        if line.endswith(b"\n"):
            return self._event(json.loads(line))
        self._ended = True
        try:
            status, lines = self._process.finish()
        finally:
            self._process.end()
        if status == INCOMPLETE:
            warn_incomplete(reasons(lines))
        raise StopIteration

    def close(self) -> None:
        """Ends the command. May be called again."""
        self._ended = True
        self._process.end()

    def __enter__(self) -> Following:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _event(self, row: dict[str, Any]) -> Event:
        channel, group = row["channel"], row.get("group")
        return Event(
            time_ns=row["time"],
            channel=channel,
            group=group,
            state=row["state"],
            severity=row["severity"],
            status=row["status"],
            value=self._value(row["value"], channel, group),
            zone=self._zone,
        )

    def _value(self, value: Any, channel: str, group: str | None) -> Any:
        """JSON has NaN as a text. The channel's type tells it from the text NaN."""
        if isinstance(value, str):
            return value if value not in _NUMBERS or self._is_text(channel, group) else _NUMBERS[value]
        if isinstance(value, list) and any(isinstance(each, str) and each in _NUMBERS for each in value):
            if not self._is_text(channel, group):
                return [_NUMBERS.get(each, each) if isinstance(each, str) else each for each in value]
        return value
