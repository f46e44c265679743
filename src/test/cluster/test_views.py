"""SQL over the views of kblake lake sql says of held values what kblake get says: with stops, disconnections, strays, clocks that were set back."""

import csv
import datetime
import functools
import io
import json
import math
import os
import pathlib
import random
import re

import pyarrow as pa
import pytest

import archives
import bits
from engines import DuckDb, Tables
from kblake_command import Kblake

SECOND = 10**9
DAY = 86_400  # seconds
NUMBERS = ("short", "float", "char", "long", "double")


@pytest.fixture(scope="module")
def published(work, seed):
    """A random archive that has what the tests compare, and its tables."""
    for at in range(seed, seed + 30):
        kblake, location = publish(work / f"random{at - seed}", at)
        if has_all_types(Tables(location)):
            return kblake, location
    raise AssertionError(f"no archive of the seeds {seed} to {seed + 29} has all types")


def publish(directory, seed):
    directory.mkdir()
    for file in archives.random(directory / "archive", seed).rglob("*"):
        # kblog ended long ago, so that all pairs are closed.
        os.utime(file, (1577836800, 1577836800))
    kblake = Kblake(directory / "archive", directory / "store")
    kblake.backfill("--profile", "lake")
    kblake.publish(directory / "tables")
    return kblake, directory / "tables"


def has_all_types(tables):
    """Returns whether single numbers, enums, texts and waveforms have tables with more than a few rows."""
    rows = {name.split("_")[-1]: tables.static(name).inspect.files()["record_count"].to_pylist() for name in tables.names()}
    return {"double", "enum", "string", "waveform"} <= {kind for kind, counts in rows.items() if sum(counts) > 20}


@pytest.fixture(scope="module")
def archive(published, sessions):
    """An archive, and functions that ask an engine with its views."""
    kblake, location = published
    session = sessions.start("local[2]", {location.name: {"type": "hadoop", "warehouse": location}})
    duck = duckdb_with_views(kblake, location)
    for statement in statements(kblake, "spark", location):
        session.sql(statement)
    return kblake, {"DuckDB": lambda sql: duck.sql(sql).to_arrow_table(), "Spark": lambda sql: session.sql(sql).toArrow()}


def statements(kblake, engine, location):
    text = kblake.run("lake", "sql", "--engine", engine, "--name", location.name, location).decode()
    return [statement for statement in text.split(";\n") if statement.strip()]


def duckdb_with_views(kblake, location):
    duck = DuckDb().connection
    for statement in statements(kblake, "duckdb", location):
        duck.execute(statement)
    return duck


def lists(read):
    return lambda sql: read(sql).to_pylist()


def quoted(engine, name):
    return f'"{name}"' if engine == "DuckDB" else f"`{name}`"


def channels(kblake, ask, engine, types=NUMBERS, ending="held"):
    """Returns the views of held values, and the channels with events of each that had a type of these, and single values, at all times."""
    tables = Tables(kblake.archive.parent / "tables").names()
    rows = ask(f"SELECT {quoted(engine, 'group')} AS g, name, type, elements, {quoted(engine, 'table')} AS t FROM kblake_channels")
    found = {}
    for row in rows:
        found.setdefault((row["g"], row["name"]), []).append(row)
    views = {}
    for (group, name), rows in found.items():
        if all(row["type"] in types and row["elements"] == 1 for row in rows) and any(row["t"] in tables for row in rows):
            view = group.replace("/", "_") + "_" + ending
            views.setdefault((group, view), []).append(name)
    return views


def covered(ask, engine, group, view):
    """Returns the first and last time that the tables cover of a group. A log of a single write covers no time, and no value is held: None."""
    (span,) = ask(f"SELECT min(from_ns) AS b, max(to_ns) AS e FROM kblake_coverage WHERE {quoted(engine, 'group')} = '{group}'")
    if span["b"] is not None:
        return span["b"], span["e"]
    assert ask(f"SELECT count(*) AS n FROM {view}") == [{"n": 0}], f"{engine}, {group}: values are held without coverage"
    return None


@functools.cache
def known(kblake, group, name, begin, end):
    """Returns the mean over time and the known seconds of a channel."""
    at = lambda nanos: f"@{nanos // SECOND}.{nanos % SECOND:09d}"  # noqa: E731
    text = kblake.run(
        "get", "--source", "store", "--no-admit", "-g", group, "--from", at(begin), "--to", at(end), "--every", f"{(end - begin) / SECOND:.9f}s",
        "--aggregate", "time-mean,known", "-f", "csv", name.replace("[", "[[]"), allowed=(0, 1, 3),
    ).decode()
    if not text:
        return math.nan, 0.0  # no pair of the range has the channel
    (row,) = csv.DictReader(io.StringIO(text))
    return float(row["time-mean"] or "nan"), float(row["known"])


def test_means_over_time_are_those_of_kblake_get(archive, seed):
    kblake, engines = archive
    compared = 0
    for engine, read in engines.items():
        ask = lists(read)
        chance = random.Random(seed)
        for (group, view), names in sorted(channels(kblake, ask, engine).items()):
            times = covered(ask, engine, group, view)
            if times is None:
                continue
            begin, end = times[0] // SECOND - 60, times[1] // SECOND + 60
            for name in chance.sample(sorted(names), min(2, len(names))):
                for low, high in ((begin, end), (begin + (end - begin) // 3, begin + (end - begin) // 2)):
                    low, high = low * SECOND, high * SECOND
                    (row,) = ask(f"""
                        SELECT sum(value * seconds) / sum(seconds) AS mean, coalesce(sum(seconds), 0) AS known
                        FROM (SELECT value, (least(to_ns, {high}) - greatest(from_ns, {low})) / 1e9 AS seconds FROM {view}
                              WHERE channel = '{name}' AND from_ns < {high} AND to_ns > {low})""")
                    mean, seconds = known(kblake, group, name, low, high)
                    where = f"{engine}, {group} {name}, {low} to {high}"
                    assert math.isclose(row["known"], seconds, rel_tol=1e-9, abs_tol=1e-6), f"{where}: {row['known']} s, not {seconds}"
                    if seconds > 0 and abs(mean) < 1e290:
                        assert math.isclose(row["mean"], mean, rel_tol=1e-6, abs_tol=1e-300), f"{where}: {row['mean']}, not {mean}"
                    compared += 1
    assert compared > 0


def test_coverage_is_that_of_kblake_coverage(archive):
    """In the time that both know. kblake coverage begins a pair with the second of its name, and the table with its first write."""
    kblake, engines = archive
    for engine, read in engines.items():
        rows = lists(read)(f"SELECT {quoted(engine, 'group')} AS g, from_ns AS b, to_ns AS e, kind FROM kblake_coverage ORDER BY 1, 2")
        assert rows
        for group in {row["g"] for row in rows}:
            mine = [(row["b"], row["e"], row["kind"]) for row in rows if row["g"] == group]
            end = max(e for _, e, _ in mine)
            # Only long after its last write it is certain that kblog ended.
            report = json.loads(kblake.run("coverage", "-f", "json", "--to", f"@{end // SECOND + 10 * DAY}", group, allowed=(0, 3)))
            theirs = [(span["fromNanos"], span["toNanos"], span["state"]) for span in report["groups"][0]["spans"]]
            begin = min((b for b, _, _ in theirs), default=0)
            last = max((e for _, e, kind in theirs if kind == "in columns"), default=0)
            assert last <= end + SECOND, f"{engine}, {group}: the table ends {(last - end) / SECOND} s too early"
            pairs = len(list(pathlib.Path(kblake.archive).glob(f"{group}_*.log1"))) + 1
            for state in ("in columns", "archiver down", "damaged"):
                difference = seconds(mine, state, begin, end) - seconds(theirs, state, begin, end)
                assert abs(difference) <= pairs, f"{engine}, {group}: the table has {difference} s more {state}"


def seconds(spans, state, begin, end):
    """Returns how long spans have a state between two times."""
    return sum(max(0, min(e, end) - max(b, begin)) for b, e, kind in spans if kind == state) / SECOND


def test_views_of_tables_have_the_rows_of_kblake_get(archive):
    """Numbers, enums, texts and waveforms, bit for bit."""
    kblake, engines = archive
    tables = Tables(kblake.archive.parent / "tables")
    for group in sorted({tables.static(name).properties["kblake.group"] for name in tables.names()}):
        views = [name.replace(".", "_") for name in tables.names() if tables.static(name).properties["kblake.group"] == group]
        answer = kblake.get(group, ["*"], -(2**62), 2**62)
        expected = bits.in_any_order(bits.of_answer(answer))
        for engine, read in engines.items():
            found = []
            for view in views:
                rows = read(f"SELECT channel, time_ns AS time, value, state, severity, status, stray FROM {view}")
                found += bits.of_engine(rows, bits.number_type(answer))
            assert bits.in_any_order(found) == expected, f"{engine}, {group}"


def test_held_enums_and_texts_are_those_of_kblake_get(archive, seed):
    kblake, engines = archive
    compared = 0
    for engine, read in engines.items():
        ask = lists(read)
        chance = random.Random(seed)
        for kind in ("enum", "string"):
            for (group, view), names in sorted(channels(kblake, ask, engine, (kind,), f"{kind}_held").items()):
                times = covered(ask, engine, group, view)
                if times is None:
                    continue
                begin, end = times[0] // SECOND, times[1] // SECOND + 1
                name = chance.choice(sorted(names))
                data = kblake.run(
                    "get", "--source", "store", "--no-admit", "-g", group, "--from", f"@{begin}", "--to", f"@{end}", "--wide", "--gaps", "null",
                    "--every", f"{max(1, (end - begin) // 20)}s", "-f", "arrow", name.replace("[", "[[]"), allowed=(0, 1, 3),
                )
                table = pa.ipc.open_stream(data).read_all()
                rows = ask(f"SELECT from_ns, to_ns, value FROM {view} WHERE channel = '{name}'")
                for at, held in zip(table["time"].cast(pa.int64()).to_pylist(), table[name].to_pylist()):
                    values = [row["value"] for row in rows if row["from_ns"] <= at < row["to_ns"]]
                    assert values == ([] if held is None else [held]), f"{engine}, {group} {name} at {at}"
                    compared += 1
    assert compared > 0


def nanos(text):
    """Returns the time of a text such as 2024-05-20T00:00:00.000000000+09:00."""
    seconds, fraction, zone = text[:19], text[20:29], text[29:]
    return int(datetime.datetime.fromisoformat(seconds + zone).timestamp()) * SECOND + int(fraction)


@pytest.fixture(scope="module")
def machine(work):
    """A simulated machine whose tables have several files, and DuckDB with its views."""
    kblake = Kblake(archives.simulated(work / "machine", "--scale", "0.1", "--days", "0.3"), work / "machine-store")
    for to in (["--to", "2024-05-20T03:00"], []):
        kblake.backfill("--profile", "lake", *to)
        kblake.publish(work / "tables" / "machine")
    return kblake, Tables(work / "tables" / "machine"), duckdb_with_views(kblake, work / "tables" / "machine")


def test_rollups_added_up_are_the_aggregates_of_kblake_get(machine):
    kblake, _, duck = machine
    bins = duck.sql(
        """SELECT "group", channel, width, from_ns, sum(count)::BIGINT, sum(nan)::BIGINT, min(min), max(max), sum(mean * count) / sum(count)
           FROM kblake_rollup GROUP BY ALL ORDER BY ALL"""
    ).fetchall()
    assert bins
    for group, channel, width in {each[:3] for each in bins}:
        mine = [each[3:] for each in bins if each[:3] == (group, channel, width)]
        text = kblake.run(
            "get", "--source", "store", "--no-admit", "-g", group, "--from", f"@{mine[0][0] // SECOND}", "--to", f"@{(mine[-1][0] + width) // SECOND}",
            "--every", f"{width // SECOND}s", "--aggregate", "count,nan,min,max,mean", "-f", "csv", channel,
        ).decode()
        theirs = [row for row in csv.DictReader(io.StringIO(text)) if int(row["count"])]
        assert [nanos(row["time"]) for row in theirs] == [each[0] for each in mine], channel
        for row, (_, count, nan, low, high, mean) in zip(theirs, mine):
            assert (count, nan, low, high) == (int(row["count"]), int(row["nan"]), float(row["min"]), float(row["max"])), row
            assert math.isclose(mean, float(row["mean"]), rel_tol=1e-12), row


def test_a_condition_on_the_nanoseconds_of_a_view_skips_files(machine):
    _, tables, duck = machine
    files = tables.static("BM.DCCT_double").inspect.files().to_pylist()
    oldest = min(file["readable_metrics"]["time"]["upper_bound"] for file in files)
    expected = sum(file["readable_metrics"]["time"]["lower_bound"] <= oldest for file in files)
    assert expected < len(files)
    for view in ("BM_DCCT", "BM_DCCT_double"):
        ((_, plan),) = duck.sql(f"EXPLAIN ANALYZE SELECT count(value) FROM {view} WHERE time_ns <= {oldest}").fetchall()
        assert int(re.search(r"Total Files Read: (\d+)", plan).group(1)) == expected, view
