"""Monitors channels with libca, and writes a JSON line for each value. Arguments: the file, names."""

import asyncio
import json
import os
import sys

from aioca import FORMAT_TIME, camonitor


async def main():
    file = open(sys.argv[1], "ab", buffering=0)

    def take(value, index):
        line = {"name": names[index], "ok": value.ok}
        if value.ok:
            line |= {"severity": value.severity, "status": value.status, "nanos": value.raw_stamp[0] * 10**9 + value.raw_stamp[1]}
            line["value"] = value.tolist() if hasattr(value, "tolist") else value
        file.write(json.dumps(line).encode() + b"\n")

    names = sys.argv[2:]
    subscriptions = camonitor(names, take, format=FORMAT_TIME, all_updates=True, notify_disconnect=True)
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)
    del subscriptions


asyncio.run(main())
