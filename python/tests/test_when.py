"""Intervals in which conditions are met, and answers at these times."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow.compute as pc
import pytest
from conftest import Run

import kblake

DAY = ("2024-05-20T00:00", "2024-05-20T02:00")


@pytest.fixture(scope="module")
def simulated(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("when") / "archive"
    run("simulate", "--days", "0.09", str(root))
    return root


@pytest.fixture(scope="module")
def median(simulated: Path) -> float:
    values = kblake.open(archive=simulated).get("BMLDCCT:CURRENT", *DAY, where="value < Infinity").table["value"]
    return float(pc.quantile(values, 0.5)[0].as_py())


def test_intervals_are_those_of_the_command(simulated: Path, median: float, run: Run) -> None:
    condition = f"BMLDCCT:CURRENT > {median}"
    when = kblake.open(archive=simulated).when(condition, *DAY)
    text = run(f"--archive={simulated}", "when", condition, "--from", DAY[0], "--to", DAY[1])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) > 0
    assert when.table["seconds"].to_pylist() == [float(row["seconds"]) for row in rows]
    assert 0 < sum(when.table["seconds"].to_pylist()) < 7200
    assert when.complete


def test_answers_are_those_at_the_times_of_the_intervals(simulated: Path, median: float, tmp_path: Path) -> None:
    archive = kblake.open(archive=simulated)
    condition = f"BMLDCCT:CURRENT > {median}"
    when = archive.when(condition, *DAY).to_pandas()
    file = tmp_path / "intervals.csv"
    when.to_csv(file, index=False)
    every = archive.get("BMLDCCT:LIFE", *DAY).to_pandas()
    inside = every["time"].apply(lambda time: bool(((when["from"] <= time) & (time < when["to"])).any()))
    expected = every[inside]
    assert 0 < len(expected) < len(every)
    for each in (condition, f"@{file}"):
        got = archive.get("BMLDCCT:LIFE", *DAY, when=each).to_pandas()
        assert got["time"].tolist() == expected["time"].tolist()
    trend = archive.trend("BMLDCCT:LIFE", *DAY, every="1h", figures="count", when=condition).table
    assert pc.sum(trend["count"]).as_py() == len(expected[expected["state"] == "value"])
    wide = archive.wide("BMLDCCT:CURRENT", *DAY, every="10s", when=condition).table
    assert 0 < len(wide) < 720
    assert pc.min(wide["BMLDCCT:CURRENT"]).as_py() > median
    assert len(archive.when(["not " + condition, f"@{file}"], *DAY).table) == 0


def test_a_row_is_built_for_each_event(simulated: Path, median: float) -> None:
    archive = kblake.open(archive=simulated)
    condition = f"BMLDCCT:CURRENT > {median}"
    built = archive.build(condition, ["BMLDCCT:CURRENT", "BMLDCCT:LIFE"], *DAY, offsets=["-1s", "0s"])
    table = built.table
    assert table.column_names[:3] == ["time", "event", "complete"]
    assert set(table.column_names[3:]) == {f"BMLDCCT:{name}@{offset}" for name in ("CURRENT", "LIFE") for offset in ("-1s", "0s")}
    assert len(table) > 0
    assert table["event"].to_pylist() == list(range(1, len(table) + 1))
    assert set(table["complete"].to_pylist()) == {1}
    assert min(table["BMLDCCT:CURRENT@0s"].to_pylist()) > median
    begins = archive.when(condition, *DAY).table["from"].to_pylist()
    assert set(table["time"].to_pylist()) <= set(begins)
