"""Computes aggregates of the events of Parquet files in bins of an hour with DuckDB, one thread. Arguments: FILE ..."""

import sys

import duckdb

import measuring

connection = duckdb.connect()
connection.execute("SET threads = 1")
FROM = "FROM read_parquet($1) GROUP BY 1 ORDER BY 1"
BIN = "SELECT epoch_ns(time) // 3600000000000, count(value)"


def read(figures):
    connection.sql(f"{BIN}, {figures} {FROM}", params=[sys.argv[1:]]).fetchnumpy()


measuring.tell(
    {
        "extremes": measuring.repeated(lambda: read("min(value), max(value)")),
        "moments": measuring.repeated(
            lambda: read("min(value), max(value), avg(value), stddev_samp(value)")
        ),
    },
    DuckDB=duckdb.__version__,
)
