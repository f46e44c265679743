"""The first, last, least and greatest values of bins are the points that M4 of tsdownsample chooses for an error-free line."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from typing import Any

import duckdb
import numpy
import pytest
from conftest import Run
from tsdownsample import M4Downsampler

import kblake

MINUTE = 60 * 10**9
QUESTIONS = 12
FIGURES = ("count", "first", "first-time", "last", "last-time", "min", "min-time", "max", "max-time")
#: Before the fixtures remove the settings of the machine.
SEED = int(os.environ.get("KBLAKE_SEED") or (random.randrange(10**9) if os.environ.get("CI") else 17))


@pytest.fixture(scope="module")
def half_day(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[kblake.Archive, list[tuple[str, int]]]:
    """Twelve hours of a simulated machine in columns, and its channels with rollups, each with the width of one."""
    root = tmp_path_factory.mktemp("m4")
    archive, store = root / "archive", root / "store"
    run("simulate", "--preset=demo", "--scale=0.3", "--days=0.5", str(archive))
    run(f"--archive={archive}", f"--store={store}", "backfill")
    rollups = duckdb.sql(f"SELECT DISTINCT channel, width FROM '{store}/*/*/*/rollup.parquet' ORDER BY ALL").fetchall()
    return kblake.open(archive=archive, store=store), rollups


def points(archive: kblake.Archive, channel: str) -> tuple[Any, Any]:
    """The times and values of all numbers of a channel."""
    table = archive.get(channel, "2024-05-20", "2024-05-21").table
    values = table["value"].to_numpy()
    numbers = (table["state"].to_numpy() == "value") & ~numpy.isnan(values)
    times = table["time"].cast("int64").to_numpy()[numbers]
    assert (numpy.diff(times) >= 0).all()
    return times, values[numbers]


def chosen(times: Any, values: Any, start: int, step: int, bins: int) -> list[list[tuple[int, float]]]:
    """The points of M4 in each bin.

    The bins of tsdownsample have equal widths from the first to the last point, and contain their end. So a point is added a
    nanosecond before the begin, and one a nanosecond before the end. The first and the last bin contain them.
    """
    inside = (times >= start) & (times < start + bins * step)
    x = numpy.concatenate(([-1], times[inside] - start, [bins * step - 1]))
    y = numpy.concatenate(([0.0], values[inside], [0.0]))
    found: list[list[tuple[int, float]]] = [[] for _ in range(bins)]
    for index in M4Downsampler().downsample(x, y, n_out=4 * bins):
        found[max(0, int(x[index])) // step].append((int(x[index]) + start, float(y[index])))
    return found


def test_bins_have_the_points_of_m4(half_day: tuple[kblake.Archive, list[tuple[str, int]]]) -> None:
    archive, rollups = half_day
    print(f"seed {SEED}; repeat it with KBLAKE_SEED={SEED}")
    random_numbers = random.Random(SEED)
    assert {width for _, width in rollups} == {300, 3600}
    known: dict[str, tuple[Any, Any]] = {}
    compared = 0
    for question in range(QUESTIONS):
        # Each width of rollups in turn, and widths that rollups do not divide.
        channel, seconds = random_numbers.choice([each for each in rollups if each[1] == (300, 3600)[question % 2]])
        step = seconds * 10**9 * random_numbers.randint(1, 3)
        if question % 4 == 3:
            step = random_numbers.randrange(5 * MINUTE, 200 * MINUTE, 1000)
        times, values = known.setdefault(channel, points(archive, channel))
        bins = random_numbers.randint(3, max(3, int(12 * 60 * MINUTE // step)))
        start = int(times[0]) // step * step
        table = archive.trend(channel, start, start + bins * step, every=timedelta(microseconds=step // 1000), figures=FIGURES).table
        columns = {name: table[name].cast("int64").to_pylist() if "time" in name else table[name].to_pylist() for name in table.column_names}
        expected = chosen(times, values, start, step, bins)
        for i, begin in enumerate(columns["time"]):
            bin_number = (begin - start) // step
            if not 0 < bin_number < bins - 1 or columns["count"][i] == 0:
                continue
            ours = [(columns[f"{name}-time"][i], columns[name][i]) for name in ("first", "last", "min", "max")]
            where = f"{channel}, bin {bin_number} of {bins} from {start} with {step} ns"
            # With four values or fewer M4 has all of them. Of equal values both have the first.
            assert set(ours) == set(expected[bin_number]) if columns["count"][i] > 4 else set(ours) <= set(expected[bin_number]), where
            compared += 1
    print(f"{compared} bins of {len(known)} channels")
    assert compared > 5 * QUESTIONS
