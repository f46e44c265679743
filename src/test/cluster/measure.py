"""Measures aggregates over all channels of a published store: Spark, DuckDB and kblake get, in turns, in one run.

    src/test/cluster/run --measure ARCHIVE STORE LOCATION BEGIN HOURS

The store is published to LOCATION before. BEGIN is in seconds since 1970 UTC. Each prints the seconds of a first and of later runs.
"""

import pathlib
import sys
import time

import aggregates
from conftest import Sessions
from engines import DuckDb, Tables
from kblake_command import Kblake


def main(archive, store, location, begin, hours):
    kblake, tables, duck = Kblake(archive, store), Tables(location), DuckDb()
    begin, hours = int(begin) * 10**9, int(hours)
    end = begin + hours * aggregates.HOUR
    names = aggregates.numeric(tables.names())
    files = [file["file_path"] for name in tables.names() for file in tables.static(name).inspect.files().to_pylist()]
    rows = sum(int(tables.static(name).current_snapshot().summary["total-records"]) for name in names)
    bytes_ = sum(int(tables.static(name).current_snapshot().summary["total-files-size"]) for name in names)
    print(f"{len(names)} tables of numbers with {rows:,} rows in {bytes_ / 2**20:.0f} MiB; {len(files)} files in all")

    began = time.monotonic()
    spark = Sessions().start("local[2]", {"lake": {"type": "hadoop", "warehouse": location}})
    print(f"Spark starts in {time.monotonic() - began:.1f} s")
    sql = aggregates.query([f"lake.{name}" for name in names], begin, aggregates.HOUR)
    scans = aggregates.query([duck._scan(tables, name) for name in names], begin, aggregates.HOUR)
    channels = sorted({row.channel for row in spark.sql(" UNION ".join(f"SELECT channel FROM lake.{name}" for name in names)).collect()})
    print(f"{len(channels):,} channels, {hours} bins of an hour")
    listed = pathlib.Path(location) / "measured-channels"
    engines = {
        "Spark, two threads": lambda: aggregates.of_engine(spark.sql(sql).toArrow()),
        "DuckDB, two threads": lambda: aggregates.of_engine(duck.connection.sql(scans).to_arrow_table()),
        "kblake get --aggregate": lambda: aggregates.of_kblake(kblake, channels, begin, end, aggregates.HOUR, listed),
    }
    answers = {}
    for turn in range(3):
        for name, ask in engines.items():
            began = time.monotonic()
            answers[name] = ask()
            print(f"run {turn + 1}: {name} {time.monotonic() - began:.1f} s", flush=True)
    first, *others = answers.values()
    for other in others:
        aggregates.require_equal(other, first)
    print(f"{len(first):,} equal rows of figures")


if __name__ == "__main__":
    main(*sys.argv[1:])
