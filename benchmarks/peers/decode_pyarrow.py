"""Reads time and value of Parquet files into Arrow with pyarrow, one thread. Arguments: FILE ..."""

import sys

import pyarrow as pa
import pyarrow.parquet as pq

import measuring

files = sys.argv[1:]
pa.set_cpu_count(1)
pa.set_io_thread_count(1)


def read(crc):
    for file in files:
        with pq.ParquetFile(file, memory_map=True, page_checksum_verification=crc) as parquet:
            parquet.read(columns=["time", "value"], use_threads=False)


measuring.tell(
    {"crc": measuring.repeated(lambda: read(True)), "free": measuring.repeated(lambda: read(False))},
    pyarrow=pa.__version__,
)
