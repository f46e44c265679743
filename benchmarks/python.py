"""Times the Python package beside pyarrow. benchmarks/python prepares the archive and its columns, and calls it."""

import datetime
import glob
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import pyarrow.parquet

import kblake

COMMAND = os.environ["KBLAKE_COMMAND"]
COLUMNS = ["time", "channel", "value", "state", "severity", "status"]
SERVER_AIM, COMMAND_AIM = 2, 100


def milliseconds(times, *actions):
    """Returns the times of each action. The actions take turns, and the first turn does not count."""
    taken = [[] for _ in actions]
    for turn in range(times + 1):
        for list_, action in zip(taken, actions):
            begin = time.perf_counter()
            rows = len(action())
            if turn:
                list_.append((time.perf_counter() - begin) * 1e3)
            assert rows > 0
    return taken


def figure(taken):
    return f"{statistics.median(taken):,.0f} ms ({min(taken):,.0f} - {max(taken):,.0f})"


def main(days, times):
    start = datetime.datetime(2023, 1, 1)
    span = [(start + datetime.timedelta(days=at)).isoformat() for at in (0, days + 1)]
    files = sorted(glob.glob(os.environ["KBLAKE_STORE"] + "/RF/AnalogData/*/double.parquet"))
    counts = pyarrow.parquet.read_table(files, columns=["channel"]).group_by("channel").aggregate([([], "count_all")])
    channels = counts.sort_by("count_all")["channel"].to_pylist()
    archive = kblake.open()
    server = subprocess.Popen([COMMAND, "serve", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        address = next(found[0] for line in server.stderr if (found := re.search(r"http://[^/]*", line)))
        served = kblake.open(server=address)
        return max(compare(channel, archive, served, files, span, times) for channel in (channels[-1], channels[0]))
    finally:
        server.terminate()
        server.wait()


def compare(channel, archive, served, files, span, times):
    """Prints the table of a channel. Returns 1 if an aim is missed."""

    def of_files():
        return pyarrow.parquet.read_table(files, columns=COLUMNS, filters=[("channel", "==", channel)])

    def of_command():
        line = [COMMAND, "get", "-q", "-f", "arrow", "--from", span[0], "--to", span[1], channel]
        return subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout

    warm, files_read = milliseconds(times, lambda: served.get(channel, *span), of_files)
    by_command, command = milliseconds(min(times, 9), lambda: archive.get(channel, *span), of_command)
    ratio = statistics.median(warm) / statistics.median(files_read)
    more = statistics.median(by_command) - statistics.median(command)
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    print(f"{channel}, {len(of_files()):,} events, pyarrow {pyarrow.__version__}, load {load}\n")
    print("| what | figure | beside | | ratio | aim | |\n|---|---:|---|---:|---:|---:|---|")
    print(
        f"| through a warm server | {figure(warm)} | pyarrow.parquet.read_table with a filter | {figure(files_read)} "
        f"| {ratio:.2f} x | <= {SERVER_AIM} x | {met(ratio <= SERVER_AIM)} |"
    )
    print(
        f"| through the command | {figure(by_command)} | the command alone, Arrow | {figure(command)} "
        f"| {more:+.0f} ms | <= +{COMMAND_AIM} ms | {met(more <= COMMAND_AIM)} |\n"
    )
    return 0 if ratio <= SERVER_AIM and more <= COMMAND_AIM else 1


def met(is_met):
    return "met" if is_met else "**missed**"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
