"""Processes of the test, on ports of its own, and conditions with deadlines."""

import ctypes
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEADLINE = 90
HERE = Path(__file__).parent


def until(condition, what):
    """Waits until a condition gives something that is true, and returns it."""
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"after {DEADLINE} s: {what() if callable(what) else what}")
        time.sleep(0.1)
    return found


def lines(file):
    """Returns the whole lines of a file of JSON lines."""
    text = file.read_bytes() if file.exists() else b""
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def free_ports(number):
    """Returns adjacent ports that are free, for TCP and UDP, outside of the range from which the system takes ports."""
    for _ in range(1000):
        first = random.randrange(20000, 32000, number)
        sockets = [(socket.socket(type=kind), port) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM) for port in range(first, first + number)]
        try:
            for each, port in sockets:
                each.bind(("", port))
            return range(first, first + number)
        except OSError:
            continue
        finally:
            for each, _ in sockets:
                each.close()
    raise AssertionError("no free ports")


def end_with_parent():
    """Lets the system end a process with its parent, and receive SIGINT."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Process:
    """A process whose output is a file."""

    def __init__(self, words, log, environment, output=None):
        self.log = Path(log)
        with open(self.log, "ab") as errors, open(output or self.log, "ab") as out:
            # An IOC ends with its standard input.
            self.process = subprocess.Popen(
                list(map(str, words)), stdin=subprocess.PIPE, stdout=out, stderr=errors, env=environment, preexec_fn=end_with_parent
            )

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, *parts):
        """Waits for a line that has all parts."""

        def found():
            assert self.process.poll() is None, self.text()
            return any(all(part in line for part in parts) for line in self.text().splitlines())

        until(found, lambda: f"no line with {parts} in\n{self.text()}")

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, number):
        """Sends a signal, and returns the exit status."""
        self.process.send_signal(number)
        return self.process.wait(DEADLINE)


class Ioc:
    """The ports of an IOC, and how it is started."""

    def __init__(self, ports, repeater):
        self.ca, self.pva, self.pva_search = ports
        self.environment = {
            **os.environ,
            "EPICS_CAS_INTF_ADDR_LIST": "127.0.0.1",
            "EPICS_CAS_SERVER_PORT": str(self.ca),
            "EPICS_CAS_BEACON_ADDR_LIST": "127.0.0.1",
            "EPICS_CA_REPEATER_PORT": str(repeater),
            "EPICS_PVAS_INTF_ADDR_LIST": "127.0.0.1",
            "EPICS_PVAS_SERVER_PORT": str(self.pva),
            "EPICS_PVAS_BROADCAST_PORT": str(self.pva_search),
            "EPICS_PVAS_BEACON_ADDR_LIST": "127.0.0.1",
            "EPICS_PVAS_AUTO_BEACON_ADDR_LIST": "NO",
        }

    def start(self, log, *words):
        return Process([sys.executable, *words], log, self.environment)


def client_environment(iocs, repeater, pva_search):
    """Returns the variables of a client of these IOCs."""
    return {
        **os.environ,
        "EPICS_CA_ADDR_LIST": " ".join(f"127.0.0.1:{ioc.ca}" for ioc in iocs),
        "EPICS_CA_AUTO_ADDR_LIST": "NO",
        "EPICS_CA_REPEATER_PORT": str(repeater),
        "EPICS_PVA_NAME_SERVERS": " ".join(f"127.0.0.1:{ioc.pva}" for ioc in iocs),
        "EPICS_PVA_ADDR_LIST": "127.0.0.1",
        "EPICS_PVA_AUTO_ADDR_LIST": "NO",
        "EPICS_PVA_BROADCAST_PORT": str(pva_search),
        "LC_ALL": "C",
        "KBLAKE_NICE": "0",
    }
