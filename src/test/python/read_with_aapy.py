"""Reads with aapy, as raw and as json. Arguments: the port, the directory of the sample."""

import datetime
import sys

import pytz
import requests
from aa.js import JsonFetcher
from aa.pb import PbFetcher

from samples import names_and_events, same, samples

port, sample = int(sys.argv[1]), sys.argv[2]
events = names_and_events(sample)
compared = 0
for name, of_name in events.items():
    facts = requests.get(f"http://127.0.0.1:{port}/retrieval/bpl/getMetadata", params={"pv": name}, timeout=30).json()
    if facts["DBRType"].endswith("BYTE"):
        continue  # aapy cannot make an array of bytes
    # aapy looks up ranges in whole seconds of a year.
    first = of_name[0][0] // 10**9 + 1
    last = of_name[-1][0] // 10**9 + 1
    start = datetime.datetime.fromtimestamp(first, pytz.utc)
    end = datetime.datetime.fromtimestamp(last, pytz.utc)
    expected = samples(of_name, first * 10**9, last * 10**9)
    if any(part in ("nan", "inf", "-inf") for _, value, _, _ in expected for part in value.split(" ")):
        # json has null in place of such a number, and aapy makes an array of one type.
        fetchers = [PbFetcher("127.0.0.1", port)]
    else:
        fetchers = [PbFetcher("127.0.0.1", port), JsonFetcher("127.0.0.1", port)]
    for fetcher in fetchers:
        if len({len(value.split(" ")) for _, value, _, _ in expected}) > 1:
            continue  # aapy makes a rectangular array of all values
        answer = list(fetcher.get_values(name, start, end))
        assert len(answer) == len(expected), (name, fetcher, len(answer), len(expected))
        for event, (nanos, value, severity, _) in zip(answer, expected):
            assert abs(event.timestamp - nanos / 1e9) < 1e-5, (name, fetcher)
            assert event.severity == severity, (name, fetcher)
            got = event.value.tolist() if event.value.size > 1 else event.value.reshape(-1)[0]
            assert same(got, value), (name, fetcher, got, value)
            compared += 1
    at = fetchers[0].get_event_at(name, end)
    assert abs(at.timestamp - samples(of_name, last * 10**9, last * 10**9)[-1][0] / 1e9) < 1e-5, name
print(f"aapy: {compared} samples of {len(events)} channels")
