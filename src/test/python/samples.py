"""The events of a sample archive, and the samples that an answer about them has."""

import csv
from pathlib import Path


def names_and_events(sample):
    """Returns the value events of each channel without strays, in log order."""
    events = {}
    for path in sorted(Path(sample).glob("events-*.tsv")):
        with path.open(newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["state"] == "2" and row["stray"] == "0":
                    events.setdefault(row["record"], []).append(
                        (int(row["time_ns"]), row["value"], int(row["severity"]), int(row["status"]))
                    )
    return events


def samples(events, start, end):
    """Returns the last event at or before a time, and those after it with increasing times."""
    held = [event for event in events if event[0] <= start]
    answer = held[-1:]
    for event in events:
        if start < event[0] <= end:
            if answer and event[0] == answer[-1][0]:
                answer.pop()
            if not answer or event[0] > answer[-1][0]:
                answer.append(event)
    return answer


def same(value, text):
    """Returns whether a value of a client is that of the sample."""
    if isinstance(value, bytes):
        value = list(value)
    if isinstance(value, str):
        return value == text
    if isinstance(value, (list, tuple)):
        parts = text.split(" ") if text else []
        return len(parts) == len(value) and all(same(v, p) for v, p in zip(value, parts))
    expected = float(text)
    if expected != expected:
        return value != value
    return value == expected or abs(value - expected) <= 1e-6 * abs(expected)
