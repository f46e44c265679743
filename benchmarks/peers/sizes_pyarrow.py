"""Writes channel, time and value of Parquet files again with pyarrow, in each codec and encoding, and reads them with one thread.

Arguments: SCRATCH-FILE FILE ...
"""

import os
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq

import measuring

scratch, *files = sys.argv[1:]
pa.set_cpu_count(1)
pa.set_io_thread_count(1)
columns = ["channel", "time", "value"]
table = pa.concat_tables([pq.read_table(file, columns=columns) for file in files]).combine_chunks()
rows = table.num_rows
encodings = {
    "plain": {"time": "PLAIN", "value": "PLAIN"},
    "dictionary": None,
    "delta": {"time": "DELTA_BINARY_PACKED", "value": "PLAIN"},
    "byte-stream-split": {"time": "DELTA_BINARY_PACKED", "value": "BYTE_STREAM_SPLIT"},
}


def rates(work, times=3):
    """Returns millions of rows per second, for each repetition."""
    samples = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        samples.append(rows / (time.perf_counter() - begin) / 1e6)
    return samples


samples = {}
for codec in ("none", "snappy", "gzip", "lz4", "zstd"):
    for name, encoding in encodings.items():

        def write():
            pq.write_table(
                table,
                scratch,
                compression=codec,
                use_dictionary=columns if encoding is None else ["channel"],
                column_encoding=encoding,
                write_page_checksum=True,
                row_group_size=131072,
            )

        samples[f"{codec} {name} write"] = rates(write, 1)
        samples[f"{codec} {name} size"] = [os.path.getsize(scratch) / rows]
        samples[f"{codec} {name} read"] = rates(
            lambda: pq.read_table(scratch, use_threads=False, page_checksum_verification=True)
        )
os.remove(scratch)
measuring.tell(samples, pyarrow=pa.__version__)
