"""Answers are those of the command."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy
import pyarrow as pa
import pytest
from conftest import Run

import kblake
from kblake._answer import Coverage
from kblake._server import _coverage

DAY = ("2024-05-20", "2024-05-21")


def nanos(column: pa.ChunkedArray) -> list[int]:
    return column.cast(pa.int64()).to_pylist()


def parsed(text: str, kind: pa.DataType) -> Any:
    """The value of a cell of CSV, by the type of its channel."""
    if pa.types.is_dictionary(kind):
        return parsed(text, kind.value_type)
    if pa.types.is_list(kind):
        return [parsed(str(element), kind.value_type) for element in json.loads(text)]
    if pa.types.is_float32(kind):
        return float(numpy.float32(text))
    if pa.types.is_floating(kind):
        return float(text)
    return int(text) if pa.types.is_integer(kind) else text


def bits(value: Any) -> Any:
    """NaN equals NaN, and 0.0 is not -0.0. Text formats do not have the bits of NaN."""
    if isinstance(value, list):
        return [bits(each) for each in value]
    return repr(value) if isinstance(value, float) else value


def rows(answer: kblake.Answer) -> list[tuple[Any, ...]]:
    table = answer.table
    return [
        (time, channel, state, severity, status, bits(value))
        for time, channel, state, severity, status, value in zip(
            nanos(table["time"]), *(table[name].to_pylist() for name in ("channel", "state", "severity", "status", "value"))
        )
    ]


SEVERITIES = ("none", "minor", "major", "invalid")


def csv_rows(text: str, kind: pa.DataType) -> list[tuple[Any, ...]]:
    found = []
    for row in csv.DictReader(io.StringIO(text)):
        # The text of an event of this state may be empty. Other states have no value.
        value = bits(parsed(row["value"], kind)) if row["state"] == "value" else None
        severity = SEVERITIES[int(row["severity"])]
        found.append((int(row["time"]), row["channel"], row["state"], severity, int(row["status"]), value))
    return found


def test_each_channel_of_all_types_equals_csv(simulated: tuple[Path, Path], archive: kblake.Archive, run: Run) -> None:
    channels = archive.channels().table
    types = set(channels["type"].to_pylist())
    assert types >= {"double", "string", "enum", "char"}
    seen = set()
    for channel, group, kind in zip(*(channels[name].to_pylist() for name in ("channel", "group", "type"))):
        if kind in seen:
            continue
        seen.add(kind)
        answer = archive.get(channel, *DAY, group=group)
        text = run(
            f"--archive={simulated[0]}", f"--store={simulated[1]}", "get", "--time=epoch-ns", "--from=20240520", "--to=20240521", channel
        )
        assert rows(answer) == csv_rows(text, answer.table["value"].type)
        assert len(answer) > 0


def listed(line: list[str], kind: pa.DataType) -> tuple[Any, ...]:
    time, _, state, severity, status, stray, text = line
    value: Any = None
    if state == "2" and pa.types.is_list(kind):
        value = [parsed(each, kind.value_type) for each in text.split(" ")]
    elif state == "2":
        value = parsed(text, kind)
    return (int(time), state_name(state), SEVERITIES[int(severity)], int(status), stray == "1", bits(value))


def state_name(code: str) -> str:
    return ("disconnected", "connected", "value")[int(code)]


def test_each_sample_equals_its_list_of_events(sample: Path) -> None:
    """The samples have all value types and waveforms of them, strays, states, NaN and infinities."""
    archive = kblake.open(archive=sample / "archive")
    channels = archive.channels().to_pandas()
    events: dict[str, list[list[str]]] = {}
    for file in sample.glob("events*.tsv"):
        for line in file.read_text().splitlines()[1:]:
            events.setdefault(line.split("\t")[1], []).append(line.split("\t"))
    assert set(events) <= set(channels["channel"])
    checked = 0
    # Channels of one type have one column of values.
    for _, same in channels.groupby([channels["type"], channels["count"] > 1], observed=True):
        table = archive.get(same["channel"].tolist(), "2000", "2030", strays=True).table
        kind = table["value"].type
        found: dict[str, list[tuple[Any, ...]]] = {}
        names = ("channel", "state", "severity", "status", "stray", "value")
        for time, channel, state, severity, status, stray, value in zip(
            nanos(table["time"]), *(table[name].to_pylist() for name in names)
        ):
            found.setdefault(channel, []).append((time, state, severity, status, stray, bits(value)))
        for channel in same["channel"]:
            expected = [listed(line, kind) for line in events.get(channel, [])]
            assert found.get(channel, []) == expected, channel
            checked += len(expected)
    assert checked == sum(map(len, events.values())) > 10
    if sample.name == "mixed":
        assert set(channels["type"]) == {"string", "short", "float", "enum", "char", "long", "double"}


def test_columns_have_zones_and_categories(archive: kblake.Archive) -> None:
    table = archive.get("CGSAFE:D01_01:ITLK", *DAY).table
    assert archive.zone == "Asia/Tokyo"
    assert table["time"].type == pa.timestamp("ns", "Asia/Tokyo")
    assert table["value"].type == pa.dictionary(pa.int32(), pa.uint16())
    assert table["severity"].type == pa.dictionary(pa.int8(), pa.string(), ordered=True)
    frame = archive.get("CGSAFE:D01_01:ITLK", *DAY).to_pandas()
    assert str(frame["value"].dtype) == "category"
    assert str(frame["time"].dtype) == "datetime64[ns, Asia/Tokyo]"
    assert frame["time"][0].value == nanos(table["time"])[0]
    assert (frame["severity"] <= "invalid").all()


def test_waveforms_are_lists(archive: kblake.Archive) -> None:
    answer = archive.get("BM_BLM:D1_1:ADC", *DAY, last=3)
    assert answer.table["value"].type.value_type == pa.float64()
    assert {len(value) for value in answer.table["value"].to_pylist()} == {32}
    assert len(answer.to_pandas()["value"][0]) == 32
    assert answer.to_polars()["value"].to_list() == answer.table["value"].to_pylist()


def test_polars_has_the_same_times(archive: kblake.Archive) -> None:
    answer = archive.get("BMLDCCT:CURRENT", *DAY)
    frame = answer.to_polars()
    assert str(frame["time"].dtype) == "Datetime(time_unit='ns', time_zone='Asia/Tokyo')"
    assert frame["time"].dt.epoch("ns").to_list() == nanos(answer.table["time"])


def test_other_libraries_take_an_answer(archive: kblake.Archive) -> None:
    answer = archive.get("BMLDCCT:CURRENT", *DAY)
    assert pa.table(answer).equals(answer.table)


def test_batches_have_the_same_events(archive: kblake.Archive) -> None:
    answer = archive.get("*", *DAY)
    batches = list(archive.batches("*", *DAY))
    assert sum(batch.num_rows for batch in batches) == len(answer)
    assert [time for batch in batches for time in batch["time"].cast(pa.int64()).to_pylist()] == nanos(answer.table["time"])


def test_filters_and_columns(archive: kblake.Archive) -> None:
    answer = archive.get("BMLDCCT:CURRENT", *DAY, where=["value > 1100", "value < 1105"], columns=["time", "value"])
    assert answer.table.column_names == ["time", "value"]
    values = answer.table["value"].to_pylist()
    assert values and all(1100 < value < 1105 for value in values)
    severe = archive.get("*", *DAY, severity="invalid")
    assert set(severe.table["severity"].to_pylist()) == {"invalid"}


def test_wide_table_equals_csv(simulated: tuple[Path, Path], archive: kblake.Archive, run: Run) -> None:
    names = ["BMLDCCT:CURRENT", "CGOPE*", "VALGV*"]
    answer = archive.wide(names, "2024-05-20T00:00", "2024-05-20T02:00", every="600s")
    range_ = ("--from=2024-05-20T00:00", "--to=2024-05-20T02:00")
    text = run(f"--archive={simulated[0]}", "get", "--time=epoch-ns", *range_, "--wide", "--every=600s", "--gaps=null", *names)
    lines = list(csv.reader(io.StringIO(text)))
    assert answer.table.column_names == lines[0]
    assert len(answer) == 13 == len(lines) - 1
    for index, name in enumerate(lines[0][1:], 1):
        kind = answer.table[name].type
        # An empty cell and the empty text differ in quotes, which the parser does not keep.
        expected = [bits(parsed(line[index], kind)) if line[index] else None for line in lines[1:]]
        assert [None if value == "" else bits(value) for value in answer.table[name].to_pylist()] == expected


def test_gaps_of_a_wide_table_are_null_unless_they_hold(archive: kblake.Archive) -> None:
    # The archive begins and ends within this range.
    question = ("VALCCG*", "2024-05-19T12:00", "2024-05-21T12:00")
    null, held = archive.wide(*question, every="1h").table, archive.wide(*question, every="1h", gaps="hold").table
    empty = {name: (null[name].null_count, held[name].null_count) for name in null.column_names[1:]}
    assert all(nulls > held_nulls > 0 for nulls, held_nulls in empty.values()), empty
    for name in empty:
        assert all(value in (None, other) for value, other in zip(null[name].to_pylist(), held[name].to_pylist()))
    with pytest.raises(kblake.KblakeError, match="gaps"):
        archive.wide(*question, gaps="zero")


def test_trend_equals_csv(simulated: tuple[Path, Path], archive: kblake.Archive, run: Run) -> None:
    figures = ["count", "min", "max", "mean", "min-time", "severity"]
    answer = archive.trend("VALCCG*PRES", "2024-05-20T00:00", "2024-05-20T02:00", every="1h", figures=figures)
    range_ = ("--from=2024-05-20T00:00", "--to=2024-05-20T02:00")
    text = run(
        f"--archive={simulated[0]}", "get", "--time=epoch-ns", *range_, "--aggregate", ",".join(figures), "--every=1h", "VALCCG*PRES"
    )
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(answer) == len(lines) == 14
    assert answer.table["mean"].to_pylist() == [float(line["mean"]) for line in lines]
    assert answer.table["count"].to_pylist() == [int(line["count"]) for line in lines]
    assert nanos(answer.table["min-time"]) == [int(line["min-time"]) for line in lines]
    assert answer.table["severity"].to_pylist() == [SEVERITIES[int(line["severity"])] for line in lines]
    wide = archive.trend("VALCCG*PRES", "2024-05-20T00:00", "2024-05-20T02:00", every="1h", figures="max", wide=True)
    assert "VALCCG:D01_L01A:PRES:max" in wide.table.column_names


def test_held_values_are_the_last_ones_before(archive: kblake.Archive) -> None:
    time = "2024-05-20T01:00:00"
    answer = archive.held(time)
    assert len(answer) == 32
    for channel in ("BMLDCCT:CURRENT", "CGOPE:D01_01:MESSAGE"):
        last = archive.get(channel, "2024-05-20", "2024-05-20T01:00:00.000000001", where=[channel + " > 0"] if "CURRENT" in channel else None)
        row = answer.table.filter(pa.compute.equal(answer.table["channel"], channel))
        assert nanos(row["time"]) == nanos(last.table["time"])[-1:]


def test_channels_tell_what_they_are(archive: kblake.Archive) -> None:
    table = archive.channels("VA*").table
    assert table.column_names == ["channel", "group", "type", "count", "since", "last"]
    assert len(table) == 14
    assert table["since"][0].as_py().isoformat() == "2024-05-20T00:00:00+09:00"
    assert archive.channels("VA*", at="2024-05-20T00:00:00").table.num_rows == 0
    assert archive.channels(["VA*", "BML*"], at="2024-05-20T01:00:00").table.num_rows == 15


def test_unknown_channel_is_an_error_with_the_command_s_message(archive: kblake.Archive) -> None:
    for ask in (archive.get, archive.channels, archive.wide, archive.trend):
        with pytest.raises(kblake.UnknownChannelError, match="no such channel: nope"):
            ask("nope")
    with pytest.raises(LookupError):
        list(archive.batches("nope"))


def test_wrong_requests_are_errors(archive: kblake.Archive) -> None:
    with pytest.raises(kblake.KblakeError, match="is not a time") as wrong:
        archive.get("BM*", "2024-99")
    assert wrong.value.status == 2
    with pytest.raises(kblake.KblakeError, match="no such group"):
        archive.get("BM*", group="XX/YY")
    with pytest.raises(kblake.KblakeError, match="whose type is string"):
        archive.trend("CGOPE*", *DAY, every="1h")
    with pytest.raises(TypeError, match="not a time"):
        archive.get("BM*", 1.5)
    with pytest.raises(ValueError, match="empty list"):
        archive.get([])


def test_no_archive_and_no_command(tmp_path: Path) -> None:
    with pytest.raises(kblake.KblakeError, match="no such command"):
        kblake.open(archive=tmp_path, command=tmp_path / "kblake")
    with pytest.raises(kblake.KblakeError, match=str(tmp_path)):
        kblake.open(archive=tmp_path / "none").channels()


def test_empty_answers_have_columns_and_a_note(archive: kblake.Archive) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = archive.get("BMLDCCT:CURRENT", "2025", "2026")
    assert len(answer) == 0 and answer.complete
    assert answer.table["value"].type == pa.float64()
    assert answer.table["state"].to_pylist() == []
    assert "was recorded from 2024-05-20" in answer.notes[0]
    assert len(archive.get("CGSAFE:D01_01:ITLK", "2025", "2026").to_pandas()) == 0
    assert len(archive.get("CGSAFE:D01_01:ITLK", "2025", "2026").to_polars()) == 0


def test_the_lost_end_of_a_log_is_damaged(cut_short: Path) -> None:
    archive = kblake.open(archive=cut_short)
    name, start, end = "RF_AnalogData:D05_037:TEMP", "2016-05-16T00:00", "2016-05-16T00:15"
    for ask in (
        lambda: archive.get(name, start, end),
        lambda: archive.wide(name, start, end, every="1min"),
        lambda: archive.trend(name, start, end, every="1min"),
    ):
        with pytest.warns(kblake.IncompleteWarning, match="milestones lost"):
            answer = ask()
        assert not answer.complete
        assert "damaged" in answer.problems[0]


def test_incomplete_answers_say_what_they_lack(damaged: Path) -> None:
    archive = kblake.open(archive=damaged)
    with pytest.warns(kblake.IncompleteWarning, match="damaged: RF/AnalogData") as warned:
        answer = archive.get("*", "2016", "2017", group="RF/AnalogData")
    assert warned[0].filename == __file__
    assert not answer.complete and len(answer) > 10_000
    assert answer.problems[0].startswith("damaged: RF/AnalogData")
    assert answer.coverage is not None and not answer.coverage.complete
    missing = answer.coverage.missing.to_pylist()
    assert [span["kind"] for span in missing] == ["damaged"]
    assert missing[0]["file"].endswith(".log2")
    with pytest.warns(kblake.IncompleteWarning):
        list(archive.batches("*", "2016", "2017", group="RF/AnalogData"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert archive.get("*", "2016", "2017", group="VA/CCG").complete
        with pytest.raises(kblake.IncompleteWarning):
            archive.get("*", "2016", "2017", group="RF/AnalogData")


def test_coverage_of_an_answer_has_its_range(archive: kblake.Archive) -> None:
    coverage = archive.get("BMLDCCT:CURRENT", *DAY).coverage
    assert coverage is not None and coverage.complete
    assert coverage.table["kind"].to_pylist() == ["not recorded", "answered", "archiver down"]
    assert coverage.table["start"][0].as_py().isoformat() == "2024-05-20T00:00:00+09:00"
    assert coverage.missing.num_rows == 0


def test_coverage_of_groups(archive: kblake.Archive) -> None:
    answer = archive.coverage(["BM/*"])
    assert set(answer.table["group"].to_pylist()) == {"BM/DCCT"}
    assert set(answer.table["state"].to_pylist()) == {"in columns"}
    assert len(archive.coverage().table) == 4


def test_sql_equals_events(archive: kblake.Archive) -> None:
    answer = archive.sql("SELECT count(*) AS n, max(value) AS m FROM BM_DCCT WHERE channel = ?", ["BMLDCCT:CURRENT"])
    values = [value for value in archive.get("BMLDCCT:CURRENT", *DAY).table["value"].to_pylist() if value is not None]
    assert answer.table.to_pylist() == [{"n": len(values), "m": max(values)}]
    assert any(note.startswith("BM/DCCT: ") for note in answer.notes)
    first = archive.sql("SELECT min(time) AS time FROM BM_DCCT").table["time"]
    assert first.type == pa.timestamp("us", "Asia/Tokyo")
    with archive.connect(group="VA/CCG") as connection:
        assert connection.sql("SELECT count(DISTINCT channel) FROM VA_CCG").fetchall() == [(14,)]
        # Times with a zone as objects of Python
        assert connection.sql("SELECT min(time) FROM VA_CCG").fetchall()[0][0].tzinfo is not None


def test_many_channels(archive: kblake.Archive) -> None:
    """More names than a command line has room for."""
    names = archive.channels("VA*").table["channel"].to_pylist() * 1000
    assert sum(map(len, names)) > 200_000
    assert len(archive.get(names, *DAY)) == len(archive.get("VA*", *DAY))


def test_a_table_beyond_the_memory_is_refused_before_it_is_read(simulated: tuple[Path, Path], archive: kblake.Archive) -> None:
    """A row for each microsecond of a year."""
    with pytest.raises(kblake.KblakeError, match=r"rows of 2 columns, at least .* --every"):
        archive.wide("BMLDCCT:CURRENT", "2024-01-01", "2025-01-01", every="1us")
    small = kblake.open(archive=simulated[0], store=simulated[1], memory="64K")
    with pytest.raises(kblake.KblakeError, match=r"7201 rows of 2 columns.*\(--memory\)"):
        small.wide("BMLDCCT:CURRENT", "2024-05-20T00:00", "2024-05-20T02:00", every="1s")
    for wide in (True, False):
        with pytest.raises(kblake.KblakeError, match=r"7200 rows of [56] columns.*--memory"):
            small.trend("BMLDCCT:CURRENT", "2024-05-20T00:00", "2024-05-20T02:00", every="1s", figures=("min", "max", "mean"), wide=wide)
    with pytest.raises(kblake.KblakeError, match=r"more than 65,536 bytes .* a\.batches"):
        small.get("BMLDCCT:CURRENT", "2024-05-20T00:00", "2024-05-20T02:00")
    assert small.wide("BMLDCCT:CURRENT", "2024-05-20T00:00", "2024-05-20T02:00", every="60s").table.num_rows == 121


def test_spans_in_which_events_may_be_lost(archive: kblake.Archive) -> None:
    """Reports of the command, of a server's JSON and of its Arrow streams."""
    begin = 1_463_324_700_000_000_000
    spans = [(begin, begin + 1, 12, "ring full"), (begin + 2, begin + 2, None, "circuit down")]
    command = [
        {"group": "RF/AnalogData", "fromNanos": start, "toNanos": end, "count": count, "reason": reason} for start, end, count, reason in spans
    ]
    served = [{"group": each["group"], "from": str(each["fromNanos"]), "to": str(each["toNanos"]), **each} for each in command]
    lines = [
        f"lossy RF%2FAnalogData {start} {end} {-1 if count is None else count} {reason.replace(' ', '+')}" for start, end, count, reason in spans
    ]
    arrow = _coverage("\n".join(["report 0 1 0 0", "ledger", *lines]))
    for coverage in (
        Coverage({"complete": True, "spans": [], "lossy": command}, "UTC"),
        Coverage.of_groups({"complete": True, "coverage": [], "lossy": served}, "UTC"),
        Coverage({"complete": True, **arrow}, "UTC"),
    ):
        assert coverage.lossy["group"].to_pylist() == ["RF/AnalogData"] * 2
        assert coverage.lossy["start"].cast("int64").to_pylist() == [begin, begin + 2]
        assert coverage.lossy["end"].cast("int64").to_pylist() == [begin + 1, begin + 2]
        assert coverage.lossy["count"].to_pylist() == [12, None]
        assert coverage.lossy["reason"].to_pylist() == ["ring full", "circuit down"]
    assert archive.lossy(["BM/*"]).table.num_rows == 0
    coverage = archive.get("BMLDCCT:CURRENT", *DAY).coverage
    assert coverage is not None and coverage.lossy.num_rows == 0
