"""Answers over all channels: aggregates, joins by condition, and an analysis that cites a snapshot."""

import csv
import io

import pytest

import aggregates
import archives
from engines import Spark, Tables
from kblake_command import Kblake

BEGIN = 1716130800 * 10**9  # 2024-05-20T00:00 in Tokyo
HOURS = 7


@pytest.fixture(scope="module")
def kblake(work):
    kblake = Kblake(archives.simulated(work / "archive", "--scale", "0.3", "--days", "0.3"), work / "store")
    kblake.backfill("--profile", "lake", "--to", "2024-05-20T04:00")
    kblake.publish(work / "tables")
    return kblake


@pytest.fixture(scope="module")
def tables(work, kblake):
    return Tables(work / "tables")


@pytest.fixture(scope="module")
def cited(spark, tables):
    """A query that cites the snapshots of the first publish, and its answer then. The rest is published after it."""
    versions = tables.snapshots()
    sources = [f"lake.{name} VERSION AS OF {versions[name]}" for name in aggregates.numeric(versions)]
    sql = aggregates.query(sources, BEGIN, aggregates.HOUR)
    return sql, aggregates.of_engine(spark.session.sql(sql).toArrow())


@pytest.fixture(scope="module")
def everything(kblake, cited, work):
    kblake.backfill()
    assert kblake.publish(work / "tables")["snapshots"] > 0
    return kblake


def test_a_cited_snapshot_gives_the_same_answer_after_more_was_published(spark, cited, everything, tables):
    sql, then = cited
    assert len(then) > 0
    assert aggregates.of_engine(spark.session.sql(sql).toArrow()) == then
    names = aggregates.numeric(tables.names())
    now = aggregates.of_engine(spark.session.sql(aggregates.query([f"lake.{name}" for name in names], BEGIN, aggregates.HOUR)).toArrow())
    assert len(now) > len(then)


def test_aggregates_of_all_channels_equal_those_of_kblake_get(spark, duck, everything, tables, work):
    names = aggregates.numeric(tables.names())
    found = aggregates.of_engine(spark.session.sql(aggregates.query([f"lake.{name}" for name in names], BEGIN, aggregates.HOUR)).toArrow())
    channels = sorted({channel for channel, _ in found})
    expected = aggregates.of_kblake(everything, channels, BEGIN, BEGIN + HOURS * aggregates.HOUR, aggregates.HOUR, work / "channels")
    # The last hour of the archive is not complete, and is in neither answer's whole bins.
    found = {key: figures for key, figures in found.items() if 0 <= key[1] < HOURS}
    aggregates.require_equal(found, expected)
    scans = aggregates.query([duck._scan(tables, name) for name in names], BEGIN, aggregates.HOUR)
    also = aggregates.of_engine(duck.connection.sql(scans).to_arrow_table())
    aggregates.require_equal({key: figures for key, figures in also.items() if 0 <= key[1] < HOURS}, expected)


def test_a_join_with_intervals_of_a_condition_gives_the_events_of_get_when(spark, everything, tables):
    begin, end = "2024-05-20T00:00", "2024-05-20T07:00"
    condition = "BMLDCCT:CURRENT > 1000"
    lines = everything.run("when", condition, "--from", begin, "--to", end, "-f", "csv").decode()
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert rows, "the condition was never met"
    spark.session.createDataFrame([(row["from"], row["to"]) for row in rows], "begin string, end string").createOrReplaceTempView("texts")
    # Times have up to nine digits. A timestamp of Spark has six.
    spark.session.sql("""
        CREATE OR REPLACE TEMP VIEW beam AS
        SELECT unix_seconds(to_timestamp(begin)) * 1000000000 + CAST(rpad(regexp_extract(begin, '[.]([0-9]+)', 1), 9, '0') AS BIGINT) AS begin,
               unix_seconds(to_timestamp(end)) * 1000000000 + CAST(rpad(regexp_extract(end, '[.]([0-9]+)', 1), 9, '0') AS BIGINT) AS end FROM texts""")
    found = spark.session.sql("""
        SELECT e.channel, count(*) AS events, min(e.value) AS low, max(e.value) AS high FROM lake.VA.CCG_double e JOIN beam b ON e.time >= b.begin AND e.time < b.end
        WHERE e.state = 2 AND NOT e.stray GROUP BY 1""").collect()
    answer = everything.run("get", "VALCCG:*:PRES", "--when", condition, "--from", begin, "--to", end, "--columns", "channel,state,value", "--no-admit").decode()
    expected = {}
    for row in csv.DictReader(io.StringIO(answer)):
        if row["state"] == "value":
            expected.setdefault(row["channel"], []).append(float(row["value"]))
    found = {row.channel: (row.events, row.low, row.high) for row in found if row.channel.startswith("VALCCG:") and row.channel.endswith(":PRES")}
    assert found == {channel: (len(values), min(values), max(values)) for channel, values in expected.items()}
    assert found
