"""The joins and derived channels of docs/python.md give what loops over events give."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import kblake

DAY = ("2024-05-20T00:00", "2024-05-20T02:00")
PRESSURE = "VALCCG:D01_L01A:PRES"
CURRENT = "BMLDCCT:CURRENT"
TEN_SECONDS = 10_000_000_000


@pytest.fixture(scope="module")
def results(simulated: tuple[Path, Path]) -> dict[str, Any]:
    """The variables of the example."""
    text = (ROOT / "docs" / "python.md").read_text()
    [example] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "join_asof" in block]
    variables: dict[str, Any] = {"a": kblake.open(archive=simulated[0], store=simulated[1]), "day": DAY}
    exec(example, variables)
    return variables


def events(archive: kblake.Archive, name: str) -> list[tuple[int, float]]:
    table = archive.get(name, *DAY).table
    rows = zip(table["time"].cast("int64").to_pylist(), table["state"].to_pylist(), table["value"].to_pylist(), strict=True)
    return sorted((nanos, value) for nanos, state, value in rows if state == "value")


def naive(archive: kblake.Archive) -> list[tuple[int, float | None]]:
    """pressure / current at the times of the pressure, by loops."""
    currents = events(archive, CURRENT)
    ratios: list[tuple[int, float | None]] = []
    for nanos, pressure in events(archive, PRESSURE):
        earlier = [each for each in currents if each[0] <= nanos]
        known = bool(earlier) and nanos - earlier[-1][0] <= TEN_SECONDS
        ratios.append((nanos, pressure / earlier[-1][1] if known else None))
    return ratios


def test_as_of_joins_are_those_of_loops(results: dict[str, Any], archive: kblake.Archive) -> None:
    expected = naive(archive)
    assert len(expected) > 100
    assert sum(ratio is not None for _, ratio in expected) > 100
    for table in (results["ratio"], results["same"]):
        assert list(zip(table["nanos"].to_pylist(), table["ratio"].to_pylist(), strict=True)) == expected


def test_a_derived_grid_is_that_of_its_columns(results: dict[str, Any], archive: kblake.Archive) -> None:
    grid = archive.wide([PRESSURE, CURRENT], *DAY, every="10s").table
    assert len(grid) == 721
    pairs = zip(grid[PRESSURE].to_pylist(), grid[CURRENT].to_pylist(), strict=True)
    expected = [None if one is None or other is None else one / other for one, other in pairs]
    assert results["held"].to_pylist() == expected
    assert sum(each is not None for each in expected) > 100
