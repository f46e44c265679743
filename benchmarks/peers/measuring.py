"""Code of all peers: repetitions, and the line of JSON that they print."""

import json
import time


def repeated(work, least=7, seconds=3.0):
    """Returns milliseconds of each repetition: at least `least` repetitions and `seconds`, after two that are not counted."""
    work()
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
