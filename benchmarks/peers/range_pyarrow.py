"""Reads random ranges of 1,000 s of one channel with pyarrow.dataset. The dataset is open and footers were read before.

Arguments: CHANNEL FROM-NANOS TO-NANOS FILE ...
"""

import random
import sys

import pyarrow as pa
import pyarrow.dataset as ds

import measuring

channel, begin, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
length = 1000 * 10**9
chance = random.Random(1)
pa.set_cpu_count(1)
dataset = ds.dataset(sys.argv[4:], format="parquet")
for fragment in dataset.get_fragments():
    fragment.ensure_complete_metadata()
kind = dataset.schema.field("time").type


def read():
    start = chance.randrange(begin, end - length)
    dataset.to_table(
        columns=["time", "value"],
        filter=(ds.field("channel") == channel)
        & (ds.field("time") >= pa.scalar(start, kind))
        & (ds.field("time") < pa.scalar(start + length, kind)),
        use_threads=False,
    )


measuring.tell({"range": measuring.repeated(read, least=20)}, pyarrow=pa.__version__)
