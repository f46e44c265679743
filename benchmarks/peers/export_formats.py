"""Writes a channel's events in each format into a pipe that is read. Arguments: CHANNEL FILE ...

Samples: "PROGRAM FORMAT" is a whole process of DuckDB or pyarrow, "statement FORMAT" DuckDB's statement alone.
All use as many threads as they like.
"""

import os
import subprocess
import sys
import threading

import duckdb
import pyarrow

import export_once
import measuring

ONCE = os.path.join(os.path.dirname(__file__), "export_once.py")
PIECE = 1 << 16
channel = sys.argv[1]
files = sys.argv[2:]
connection = duckdb.connect()


def drain(descriptor):
    while os.read(descriptor, PIECE):
        pass


def process(program, form):
    command = [sys.executable, ONCE, program, form, channel, *files]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as started:
        drain(started.stdout.fileno())
    if started.returncode != 0:
        sys.exit(f"{' '.join(command[1:4])} ended with status {started.returncode}")


def statement(form):
    read, write = os.pipe()
    reader = threading.Thread(target=drain, args=(read,))
    reader.start()
    try:
        export_once.duckdb_export(connection, form, f"/dev/fd/{write}", channel, files)
    finally:
        os.close(write)
        reader.join()
        os.close(read)


samples = {}
for form in ("csv", "arrow", "parquet"):
    for program in ("duckdb", "pyarrow"):
        samples[f"{program} {form}"] = measuring.repeated(lambda: process(program, form), least=3, uncounted=1)
    samples[f"statement {form}"] = measuring.repeated(lambda: statement(form), least=3, uncounted=1)
measuring.tell(samples, DuckDB=duckdb.__version__, pyarrow=pyarrow.__version__)
