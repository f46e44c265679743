"""Writes a channel's events as CSV with DuckDB's COPY. Arguments: CHANNEL CSV FILE ..."""

import os
import sys

import duckdb

import measuring

channel, target = sys.argv[1:3]
connection = duckdb.connect()
names = ", ".join("'" + file.replace("'", "''") + "'" for file in sys.argv[3:])
columns = "time, channel, state, severity, status, value"


def copy():
    connection.execute(
        f"COPY (SELECT {columns} FROM read_parquet([{names}]) WHERE channel = '{channel}' AND NOT stray) TO '{target}' (HEADER)"
    )


samples = {"all": measuring.repeated(copy, least=5)}
connection.execute("SET threads = 1")
samples["one"] = measuring.repeated(copy, least=5)
os.remove(target)
measuring.tell(samples, DuckDB=duckdb.__version__)
