"""Writes a channel's events to standard output, once, with the columns of `kblake get`.

Arguments: PROGRAM FORMAT CHANNEL FILE ..., PROGRAM is duckdb or pyarrow, FORMAT is csv, arrow (an IPC stream) or parquet.
"""

import sys

COLUMNS = ["time", "channel", "state", "severity", "status", "value"]


def duckdb_export(connection, form, target, channel, files):
    """Writes with COPY. COPY has no Arrow, so its batches are written by pyarrow."""
    names = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    select = f"SELECT {', '.join(COLUMNS)} FROM read_parquet([{names}]) WHERE channel = '{channel}' AND NOT stray"
    if form == "arrow":
        import pyarrow as pa

        batches = connection.sql(select).to_arrow_reader()
        with open(target, "wb") as sink, pa.ipc.new_stream(sink, batches.schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
    else:
        connection.execute(f"COPY ({select}) TO '{target}' (FORMAT {form})")


def pyarrow_export(form, target, channel, files):
    import pyarrow as pa
    import pyarrow.dataset as ds

    events = ds.dataset(files, format="parquet").scanner(
        columns=COLUMNS, filter=(ds.field("channel") == channel) & ~ds.field("stray")
    )
    if form == "csv":
        from pyarrow.csv import CSVWriter as open_writer
    elif form == "parquet":
        from pyarrow.parquet import ParquetWriter as open_writer
    else:
        open_writer = pa.ipc.new_stream
    with open(target, "wb") as sink, open_writer(sink, events.projected_schema) as writer:
        for batch in events.to_batches():
            writer.write_batch(batch)


if __name__ == "__main__":
    program, form, channel = sys.argv[1:4]
    if program == "pyarrow":
        pyarrow_export(form, "/dev/stdout", channel, sys.argv[4:])
    else:
        import duckdb

        duckdb_export(duckdb.connect(), form, "/dev/stdout", channel, sys.argv[4:])
