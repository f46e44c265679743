"""What moved, and what differs, is that of the command."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from conftest import Run
from test_server import plain, serving

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


def test_a_server_gives_the_same(aborted: Path) -> None:
    archive = kblake.open(archive=aborted)
    with serving(f"--archive={aborted}") as address:
        served = kblake.open(server=address)
        moved = served.moved(ABORT)
        assert len(moved) > 5
        assert plain(moved) == plain(archive.moved(ABORT))
        assert moved.coverage is not None and moved.coverage.complete
        some = {"channels": ["BM*", "VALCCG:D01_L01A:PRES,CG*"], "before": "10s", "after": "10s", "baseline": "30min"}
        assert plain(served.moved(ABORT, **some)) == plain(archive.moved(ABORT, **some))  # type: ignore[arg-type]
        early = served.moved("2024-05-01", group="VA/CCG")
        assert len(early) == 0
        assert early.notes == ("gaps of the archiver: 1; .coverage has them",)
        assert early.coverage is not None
        assert early.coverage.table["kind"].to_pylist() == ["not recorded"]
        diff = served.diff("2024-05-20T01:29:00", "2024-05-20T01:30:05", channels="BM*")
        assert len(diff) > 1
        assert plain(diff) == plain(archive.diff("2024-05-20T01:29:00", "2024-05-20T01:30:05", channels="BM*"))
        with pytest.raises(kblake.UnknownChannelError, match="nope"):
            served.diff("2024-05-20T00:30", ABORT, channels="nope")
        with pytest.raises(kblake.KblakeError, match="baseline is shorter"):
            served.moved(ABORT, baseline="1s")
