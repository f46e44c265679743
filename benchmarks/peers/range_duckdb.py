"""Reads random ranges of 1,000 s of one channel into Arrow with DuckDB, with an open connection.

Arguments: CHANNEL FROM-NANOS TO-NANOS FILE ...
"""

import random
import sys

import duckdb

import measuring

channel, begin, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
length = 1000 * 10**9
chance = random.Random(1)
connection = duckdb.connect()
connection.execute("SET threads = 1")
connection.execute("SET enable_object_cache = true")
names = ", ".join("'" + file.replace("'", "''") + "'" for file in sys.argv[4:])
connection.execute(f"CREATE VIEW events AS SELECT * FROM read_parquet([{names}])")


def read():
    start = chance.randrange(begin, end - length)
    connection.sql(
        "SELECT time, value FROM events WHERE channel = $1"
        " AND time >= make_timestamp_ns($2)::TIMESTAMPTZ_NS AND time < make_timestamp_ns($3)::TIMESTAMPTZ_NS",
        params=[channel, start, start + length],
    ).to_arrow_table()


measuring.tell({"range": measuring.repeated(read, least=20)}, DuckDB=duckdb.__version__)
