"""Figures of all channels with single numbers in bins, from engines and from kblake get."""

import math

import pyarrow as pa

HOUR = 3600 * 10**9
NUMBERS = ("short", "float", "char", "long", "double")


def numeric(names):
    """Returns those of the tables whose values are single numbers."""
    return [name for name in names if name.rsplit("_", 1)[1] in NUMBERS]


def query(sources, begin, width):
    """Returns the SQL of the figures. Sources are tables as the engine names them."""
    union = " UNION ALL ".join(f"SELECT channel, time, CAST(value AS DOUBLE) AS value FROM {source} WHERE state = 2 AND NOT stray" for source in sources)
    return f"""
        SELECT channel, CAST(floor((time - {begin}) / {width}) AS BIGINT) AS bin, count(*) AS events, min(value) AS low, max(value) AS high, avg(value) AS mean
        FROM ({union}) GROUP BY 1, 2"""


def of_engine(table):
    columns = [table[name].to_pylist() for name in ("channel", "bin", "events", "low", "high", "mean")]
    return {(channel, at): figures for channel, at, *figures in zip(*columns)}


def of_kblake(kblake, channels, begin, end, width, file):
    """Returns the same figures of kblake get. Bins without events are left out."""
    file.write_text("\n".join(channels) + "\n")
    data = kblake.run(
        "get", "--no-admit", "--channels-from", file, "--from", f"@{begin // 10**9}", "--to", f"@{end // 10**9}",
        "--every", f"{width // 10**9}s", "--aggregate", "count,min,max,mean", "-f", "arrow",
    )
    table = pa.ipc.open_stream(data).read_all()
    columns = [table["channel"].to_pylist(), table["time"].cast("int64").to_pylist()]
    columns += [table[name].to_pylist() for name in ("count", "min", "max", "mean")]
    return {(channel, (time - begin) // width): figures for channel, time, *figures in zip(*columns) if figures[0] > 0}


def require_equal(found, expected):
    """Requires equal counts and extremes, and means that differ by rounding only."""
    assert found.keys() == expected.keys()
    for key, (events, low, high, mean) in found.items():
        wanted = expected[key]
        assert (events, low, high) == tuple(wanted[:3]), f"{key}: {found[key]}, not {wanted}"
        assert math.isclose(mean, wanted[3], rel_tol=1e-12, abs_tol=1e-12 * max(abs(low), abs(high))), f"{key}: {found[key]}, not {wanted}"
