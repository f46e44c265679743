"""Instants and durations as the command reads them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from typing import Any, Union
from zoneinfo import ZoneInfo

import pyarrow as pa

from ._errors import KblakeError

#: A text as the command takes it, a datetime (naive: in the zone of answers), a date, a pandas Timestamp, a numpy datetime64, or an
#: integer of nanoseconds since 1970 UTC.
Time = Union[str, int, date, Any]

#: A text as the command takes it, such as ``60s``, or a timedelta.
Duration = Union[str, timedelta]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NAIVE_EPOCH = datetime(1970, 1, 1)
_SECOND = 1_000_000_000
_ISO = re.compile(r"(?P<second>[^.Z+]+?)(?:\.(?P<fraction>\d+))?(?P<offset>Z|[+-]\d\d:\d\d)")


def time_text(time: Time, zone: str) -> str:
    """Returns the time exactly, as an option's value. A time without offset stays one."""
    if isinstance(time, str):
        return time
    if isinstance(time, bool):
        raise TypeError(f"not a time: {time!r}")
    if isinstance(time, int):
        return _epoch_text(time)
    if isinstance(time, datetime):
        return _datetime_text(time, zone)
    if isinstance(time, date):
        return time.isoformat()
    if isinstance(time, pa.TimestampScalar):
        if time.value is None:
            raise TypeError("not a time: null")
        nanos = time.cast(pa.timestamp("ns", time.type.tz)).value
        return _local_text(nanos) if time.type.tz is None else _epoch_text(nanos)
    kind = getattr(getattr(time, "dtype", None), "kind", None)
    if kind == "M" and str(time) != "NaT":
        return _local_text(int(time.astype("datetime64[ns]").astype("int64")))
    if kind in ("i", "u"):
        return _epoch_text(int(time))
    raise TypeError(f"not a time: {time!r}; a time is a text, a datetime, or nanoseconds since 1970 UTC")


def duration_text(duration: Duration) -> str:
    """Returns the duration as an option's value."""
    if isinstance(duration, str):
        return duration
    if not isinstance(duration, timedelta):
        raise TypeError(f"not a duration: {duration!r}; a duration is a text such as '60s', or a timedelta")
    nanos = getattr(duration, "value", None)  # a pandas Timedelta
    if isinstance(nanos, int):
        return f"{nanos}ns"
    return f"{duration // timedelta(microseconds=1)}us"


def _datetime_text(time: datetime, zone: str) -> str:
    if time != time:  # pandas NaT
        raise TypeError(f"not a time: {time!r}")
    nanosecond = int(getattr(time, "nanosecond", 0))  # a pandas Timestamp
    if nanosecond or type(time) is not datetime:
        time = datetime(
            time.year, time.month, time.day, time.hour, time.minute, time.second, time.microsecond, time.tzinfo, fold=time.fold
        )
    if time.tzinfo is None and time.fold and zone[0] not in "+-":
        # The second of two equal local times, when clocks were set back.
        time = time.replace(tzinfo=ZoneInfo(zone))
    if time.tzinfo is not None:
        return _epoch_text((time - _EPOCH) // timedelta(microseconds=1) * 1000 + nanosecond)
    return _local_text((time - _NAIVE_EPOCH) // timedelta(microseconds=1) * 1000 + nanosecond)


def _epoch_text(nanos: int) -> str:
    sign = "-" if nanos < 0 else ""
    return f"@{sign}{abs(nanos) // _SECOND}.{abs(nanos) % _SECOND:09d}"


def _local_text(nanos: int) -> str:
    seconds, rest = divmod(nanos, _SECOND)
    return f"{(_NAIVE_EPOCH + timedelta(seconds=seconds)).isoformat()}.{rest:09d}"


def time_nanos(text: str) -> int:
    """Returns the nanoseconds of a time of the server, or of the command."""
    return int(text) if text.lstrip("-").isdigit() else iso_nanos(text)


def iso_nanos(text: str) -> int:
    """Returns the nanoseconds of a time in ISO 8601 with an offset, exactly."""
    found = _ISO.fullmatch(text)
    if found is None:
        raise KblakeError(f"not a time: {text}; use the package of the same version")
    offset = "+00:00" if found["offset"] == "Z" else found["offset"]
    second = int(datetime.fromisoformat(found["second"] + offset).timestamp())
    return second * _SECOND + int((found["fraction"] or "").ljust(9, "0"))
