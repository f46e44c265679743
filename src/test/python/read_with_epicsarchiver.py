"""Reads with the client of PyPI's epicsarchiver-retrieval-client. Arguments: the port, the directory of the sample."""

import datetime
import sys

from epicsarchiver.retrieval.client.archiver_retrieval import ArchiverRetrieval
from epicsarchiver.retrieval.client.processor import Processor, ProcessorName

from samples import names_and_events, same, samples

UTC = datetime.timezone.utc
REFUSED = {"ignoreflyers", "flyers", "linear", "loess", "errorbar", "caplotbinning", "deadBand"}

port, sample = int(sys.argv[1]), sys.argv[2]
client = ArchiverRetrieval("127.0.0.1", port)
events = names_and_events(sample)
assert client.search(".*", limit=-1) == sorted(client.search(".*", limit=-1))
assert set(events) <= set(client.search(".*", limit=-1))
assert client.search("VA_CCG.*TEMP", limit=2) == sorted(n for n in client.search(".*TEMP", limit=-1) if n.startswith("VA"))[:2]

compared = 0
for name, of_name in events.items():
    first = of_name[0][0] // 10**9 + 1
    last = of_name[-1][0] // 10**9
    start = datetime.datetime.fromtimestamp(first, UTC)
    end = datetime.datetime.fromtimestamp(last, UTC)
    meta, answer = client.get_events(name, start, end)
    expected = samples(of_name, first * 10**9, last * 10**9)
    assert len(answer) == len(expected), (name, len(answer), len(expected))
    for event, (nanos, value, severity, status) in zip(answer, expected):
        assert event.timestamp_ns == nanos, name
        assert (event.severity, event.status) == (severity, status), name
        assert same(event.val, value), (name, event.val, value)
        compared += 1
    assert all(m.pv_name == name for m in meta.values())

# Every operator that the client names, on a channel with numbers.
number = next(n for n, of_name in events.items() if n.endswith("TEMP") and len(of_name[0][1].split(" ")) == 1)
start = datetime.datetime.fromtimestamp(events[number][0][0] // 10**9 + 1, UTC)
end = start + datetime.timedelta(minutes=20)
for operator in ProcessorName:
    try:
        _, answer = client.get_events(number, start, end, Processor(operator, 60))
        assert answer, operator
        refused = False
    except Exception as error:
        refused = "400" in str(error.__cause__)
    assert refused == (operator.value in REFUSED), operator
print(f"epicsarchiver: {compared} samples of {len(events)} channels, {len(ProcessorName)} operators")
