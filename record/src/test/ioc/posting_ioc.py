"""An IOC that posts numbers which count up, and keeps an account: a JSON line for each value, written before the value is posted.

Arguments: first or second (the database), the first number, the file of the account, seconds between numbers.
"""

import json
import os
import sys
import time

import numpy
from softioc import asyncio_dispatcher, builder, softioc

LIMITS = {"HIHI": 1e6, "HHSV": "MAJOR", "HIGH": 1e5, "HSV": "MINOR", "LOLO": -1e6, "LLSV": "INVALID"}
STATES = [(f"state {i}", ["NO_ALARM", "MINOR", "MAJOR", "INVALID"][i % 4]) for i in range(16)]
NONE = (0, 0)


def limited(n):
    """Returns a number in turn without an alarm, above both upper limits and below the lower one, with severity and status."""
    return [(n + 0.5, 0, 0), (n + 1e5, 1, 4), (n + 1e6, 2, 3), (-n - 1e6, 3, 5)][n % 4]


def text(n):
    return (f"n = {n}, " + "é" * 20).encode()[: 30 + n % 9].decode(errors="ignore"), *NONE


def history(length, kind=float):
    return lambda n: ([kind(n - i) for i in range(1 + n % length)], *NONE)


def channels(database, first):
    """Returns the records of a database: name, record and the function from a number to value, severity and status."""
    records = [
        ("COUNT", builder.longOut("COUNT", initial_value=first - 1), lambda n: (n, *NONE)),
        ("LONG", builder.longOut("LONG", initial_value=0), lambda n: (-n, *NONE)),
        ("TEXT", builder.stringOut("TEXT", initial_value=""), text),
        ("ENUM", builder.mbbOut("ENUM", *STATES, initial_value=0), lambda n: (n % 16, n % 4, 7 if n % 4 else 0)),
        ("BYTES", builder.WaveformOut("BYTES", length=7, datatype=numpy.uint8, initial_value=[0]), history(7, lambda i: i % 256)),
        ("FLOATS", builder.WaveformOut("FLOATS", length=5, datatype=numpy.float32, initial_value=[0]), history(5)),
        ("TEXTS", builder.WaveformOut("TEXTS", initial_value=["", "", ""], length=3), history(3, str)),
    ]
    if database == "first":
        return records + [
            ("DOUBLE", builder.aOut("DOUBLE", initial_value=0, **LIMITS), limited),
            ("WAVE", builder.WaveformOut("WAVE", length=8, datatype=float, initial_value=[0]), history(8)),
            ("GONE", builder.aOut("GONE", initial_value=0, **LIMITS), limited),
        ]
    return records + [
        ("DOUBLE", builder.stringOut("DOUBLE", initial_value=""), text),
        ("WAVE", builder.WaveformOut("WAVE", length=3000, datatype=float, initial_value=[0]), history(3000)),
        ("NEW", builder.WaveformOut("NEW", length=4, datatype=numpy.int32, initial_value=[0]), history(4, int)),
    ]


def main():
    database, first, account, period = sys.argv[1], int(sys.argv[2]), open(sys.argv[3], "ab", buffering=0), float(sys.argv[4])
    builder.SetDeviceName("SOFT")
    records = channels(database, first)
    builder.LoadDatabase()
    softioc.iocInit(asyncio_dispatcher.AsyncioDispatcher())
    parent = os.getppid()
    n = first
    while os.getppid() == parent:
        for name, record, value in records:
            number, severity, status = value(n)
            line = {"name": "SOFT:" + name, "n": n, "nanos": time.time_ns(), "value": number, "severity": severity, "status": status}
            account.write(json.dumps(line).encode() + b"\n")
            record.set(number)
        n += 1
        time.sleep(period)


main()
