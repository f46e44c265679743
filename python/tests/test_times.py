"""Times are exact, also around a change of the clocks."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import numpy
import pandas
import pyarrow as pa
import pytest
from conftest import Run

import kblake
from kblake._times import duration_text, time_text

FIRST_NANOS = 1_729_990_800_000_000_001


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("-7d", "-7d"),
        (FIRST_NANOS, "@1729990800.000000001"),
        (-1, "@-0.000000001"),
        (numpy.int64(FIRST_NANOS), "@1729990800.000000001"),
        (date(2024, 5, 20), "2024-05-20"),
        (datetime(2024, 5, 20, 9, 0, 0, 250), "2024-05-20T09:00:00.000250000"),
        (datetime(2024, 5, 20, 9, tzinfo=timezone.utc), "@1716195600.000000000"),
        (datetime(2024, 5, 20, 9, tzinfo=timezone(timedelta(hours=9))), "@1716163200.000000000"),
        (pandas.Timestamp(FIRST_NANOS, tz="Europe/Berlin"), "@1729990800.000000001"),
        (pandas.Timestamp("2024-05-20T09:00:00.000000001"), "2024-05-20T09:00:00.000000001"),
        (numpy.datetime64("2024-05-20T09:00:00.000000001"), "2024-05-20T09:00:00.000000001"),
        (pa.scalar(FIRST_NANOS, pa.timestamp("ns", "UTC")), "@1729990800.000000001"),
        # Clocks were set back at this hour. The first 2:30 is left to the command, the second one is an instant.
        (datetime(2024, 10, 27, 2, 30), "2024-10-27T02:30:00.000000000"),
        (datetime(2024, 10, 27, 2, 30, fold=1), "@1729992600.000000000"),
    ],
)
def test_texts_of_times(time: object, text: str) -> None:
    assert time_text(time, "Europe/Berlin") == text


@pytest.mark.parametrize("time", [1.5, None, True, pandas.NaT, numpy.datetime64("NaT"), pa.scalar(None, pa.timestamp("ns"))])
def test_other_values_are_no_times(time: object) -> None:
    with pytest.raises(TypeError, match="not a time"):
        time_text(time, "UTC")


def test_texts_of_durations() -> None:
    assert duration_text("60s") == "60s"
    assert duration_text(timedelta(minutes=1)) == "60000000us"
    assert duration_text(pandas.Timedelta("1s1ns")) == "1000000001ns"
    with pytest.raises(TypeError, match="not a duration"):
        duration_text(60)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def autumn(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hours at which Berlin's clocks are set back, 2024-10-27 01:00 UTC."""
    archive = tmp_path_factory.mktemp("autumn") / "archive"
    run("simulate", "-g", "BM/DCCT", "--start", "2024-10-27T08:00", "--days", "0.15", "--scale", "0.2", str(archive))
    return archive


def test_hour_that_occurs_twice(autumn: Path) -> None:
    archive = kblake.open(archive=autumn, zone="Europe/Berlin")
    assert archive.zone == "Europe/Berlin"
    channel = "BMLDCCT:CURRENT"
    both = archive.get(channel, datetime(2024, 10, 27, 2), datetime(2024, 10, 27, 3))
    # Two hours of an event a second.
    assert 7000 < len(both) < 7400
    local = both.to_pandas()["time"]
    assert local.dt.strftime("%z").unique().tolist() == ["+0200", "+0100"]
    second = archive.get(channel, datetime(2024, 10, 27, 2, fold=1), datetime(2024, 10, 27, 3))
    first = archive.get(channel, datetime(2024, 10, 27, 2), datetime(2024, 10, 27, 2, fold=1))
    assert pa.concat_tables([first.table, second.table]).equals(both.table)
    assert second.table["time"][0].value >= 1_729_990_800_000_000_000


def test_nanoseconds_are_exact(autumn: Path) -> None:
    archive = kblake.open(archive=autumn)
    channel = "BMLDCCT:CURRENT"
    times = archive.get(channel, "2024-10-27", "2024-10-28").table["time"].cast(pa.int64()).to_pylist()
    exact = next(time for time in times[10:] if time % 1000)
    assert archive.get(channel, exact, exact + 1).table["time"][0].value == exact
    assert len(archive.get(channel, exact + 1, exact + 2)) == 0
    stamp = archive.get(channel, exact, exact + 1).to_pandas()["time"][0]
    assert len(archive.get(channel, stamp, stamp + pandas.Timedelta(1, "ns"))) == 1
