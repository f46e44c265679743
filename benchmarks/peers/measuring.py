"""Code of all peers: repetitions, and the line of JSON that they print."""

import json
import time


def repeated(work, least=7, seconds=3.0, uncounted=2):
    """Returns milliseconds of each repetition: at least `least` repetitions and `seconds`, after some that are not counted."""
    for _ in range(uncounted):
        work()
    samples = []
    end = time.perf_counter() + seconds
    while len(samples) < least or time.perf_counter() < end and len(samples) < 1000:
        begin = time.perf_counter()
        work()
        samples.append((time.perf_counter() - begin) * 1e3)
    return samples


def tell(samples, **versions):
    """Prints the result of a peer: samples by name, versions by program."""
    print(json.dumps({"samples": samples, "versions": versions}))
