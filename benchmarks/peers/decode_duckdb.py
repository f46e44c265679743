"""Reads time and value of Parquet files into Arrow with DuckDB, one thread. Arguments: FILE ..."""

import sys

import duckdb

import measuring

connection = duckdb.connect()
connection.execute("SET threads = 1")


def read():
    connection.sql("SELECT time, value FROM read_parquet($1)", params=[sys.argv[1:]]).to_arrow_table()


measuring.tell({"arrow": measuring.repeated(read)}, DuckDB=duckdb.__version__)
