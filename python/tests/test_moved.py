"""What moved, and what differs, is that of the command."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from conftest import Run

import kblake

ABORT = "2024-05-20T01:30:00"


@pytest.fixture(scope="module")
def aborted(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("aborted") / "archive"
    run("simulate", "--days", "0.07", "--abort", ABORT, str(root))
    return root


def test_movements_are_those_of_the_command(aborted: Path, run: Run) -> None:
    moved = kblake.open(archive=aborted).moved(ABORT)
    rows = list(csv.DictReader(io.StringIO(run(f"--archive={aborted}", "--out-zone=UTC", "moved", "--at", ABORT + "+09:00", "-f", "csv"))))
    assert len(rows) > 5
    assert moved.table["channel"].to_pylist() == [row["channel"] for row in rows]
    assert moved.table["z"].to_pylist() == [float(row["z"]) if row["z"] else None for row in rows]
    assert moved.table["seconds"].to_pylist() == [float(row["seconds"]) for row in rows]
    first = moved.table["onset"].cast("int64").to_pylist()[0]
    assert first % 1_000_000_000 == int(rows[0]["onset"].rstrip("Z").split(".")[1].ljust(9, "0"))
    assert moved.complete


def test_differences_are_those_of_the_command(aborted: Path, run: Run) -> None:
    times = ("2024-05-20T01:29:00", "2024-05-20T01:30:05")
    diff = kblake.open(archive=aborted).diff(*times, channels="BM*")
    rows = list(csv.DictReader(io.StringIO(run(f"--archive={aborted}", "diff", "--at", times[0], "--and", times[1], "-f", "csv", "BM*"))))
    assert len(rows) > 1
    assert diff.table["channel"].to_pylist() == [row["channel"] for row in rows]
    assert diff.table["after"].to_pylist() == [row["after"] for row in rows]
