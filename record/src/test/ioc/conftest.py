"""Records two IOCs once. The tests then compare what is in the archive, the IOCs' account and what libca received."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from archive import Archive
from processes import HERE, Ioc, Process, client_environment, free_ports, lines, until

FIRST = ["COUNT", "LONG", "TEXT", "ENUM", "BYTES", "FLOATS", "TEXTS", "DOUBLE", "WAVE", "GONE"]
SECOND = FIRST[:-1] + ["NEW"]
SOFT = FIRST + ["NEW"]
PVXS = ["COUNT", "REST", "TEXT", "ENUM", "HISTORY"]
GROUPS = {
    "TEST/SOFTCA": [f"SOFT:{name}" for name in SOFT],
    "TEST/SOFTPVA": [f"pva://SOFT:{name}" for name in SOFT],
    "TEST/PVXSCA": [f"PVXS:{name}" for name in PVXS],
    "TEST/PVXSPVA": [f"pva://PVXS:{name}" for name in PVXS],
}
SETTINGS = """
archive = "logs"
store = "store"
zone = "UTC"
[record]
new-pair = "1s"
learn = "3s"
milestone = "10s"
canaries."127.0.0.1:{soft}" = "SOFT:COUNT"
canaries."127.0.0.1:{pvxs}" = "PVXS:COUNT"
"""


class Chain(Archive):
    """IOCs, a recorder, what runs beside it, and what they left."""

    def __init__(self, work):
        ports = free_ports(8)
        self.soft = Ioc(ports[0:3], ports[6])
        self.pvxs = Ioc(ports[3:6], ports[6])
        environment = client_environment([self.soft, self.pvxs], *ports[6:])
        super().__init__(work, SETTINGS.format(soft=self.soft.ca, pvxs=self.pvxs.ca), GROUPS, environment)

    def start_soft(self, database):
        account = self.work / "posted"
        first = max((line["n"] for line in lines(account)), default=0) + 1
        return self.keep(self.soft.start(self.work / f"soft-{database}.txt", HERE / "posting_ioc.py", database, first, account, 0.25))

    def start_pvxs(self):
        return self.keep(self.pvxs.start(self.work / "pvxs.txt", "-m", "pvxslibs.ioc", "-d", HERE / "counting.db"))

    def start_libca(self, file, names):
        words = [sys.executable, HERE / "libca_monitor.py", self.work / file, *names]
        return self.keep(Process(words, self.work / f"{file}.txt", self.environment))

    def posts(self, seconds):
        """Lets the IOC post for some time, however slow the machine is."""
        account = self.work / "posted"
        before = len(lines(account))
        until(lambda: len(lines(account)) >= before + seconds * 4 * len(FIRST), "the IOC posts nothing")


def play(chain):
    """The story."""
    chain.start_pvxs()
    # It is the repeater of this machine, too.
    chain.start_libca("libca-pvxs", GROUPS["TEST/PVXSCA"])
    ioc = chain.start_soft("first")
    chain.posts(1)
    libca = chain.start_libca("libca-first", [f"SOFT:{name}" for name in FIRST])
    chain.check = chain.kblake("record", "--check", allowed=(3,))

    recorder = chain.start_kblake("record-1.txt", "record")
    for group, names in GROUPS.items():
        known = len(names) - ("SOFT" in group)
        recorder.wait_for(f"group={group}", "connected", f"{known} of {len(names)}")
        chain.has(group, names[0], lambda row: row["state"] == "value")
    run = chain.start_kblake("run.txt", "run")
    chain.follow_from = time.time_ns()
    chain.start_kblake("follow.txt", "get", "--follow", "-f", "ndjson", "--time", "epoch-ns", "--from", f"@{chain.follow_from // 10**9}",
                       "-g", "TEST/SOFTCA", "*", output=chain.work / "followed")
    chain.posts(5)
    before = {group: len(chain.pairs(group)) for group in GROUPS}
    recorder.signal(signal.SIGUSR1)
    until(lambda: all(len(chain.pairs(group)) > before[group] for group in GROUPS), "no rotation")
    chain.posts(3)

    chain.killed_ioc = time.time_ns()
    ioc.end(signal.SIGKILL)
    libca.end(signal.SIGKILL)
    for group in ("TEST/SOFTCA", "TEST/SOFTPVA"):
        chain.has(group, GROUPS[group][0], lambda row: row["state"] == "disconnected" and row["time"] > chain.killed_ioc)
    chain.start_soft("second")
    chain.posts(1)
    chain.start_libca("libca-second", [f"SOFT:{name}" for name in SECOND])
    for group, names in GROUPS.items():
        if "SOFT" in group:
            recorder.wait_for(f"group={group}", "connected", f"{len(SECOND)} of {len(names)}")
            chain.has(group, names[-1], lambda row: row["state"] == "value")
    chain.posts(3)

    chain.killed_recorder = time.time_ns()
    recorder.end(signal.SIGKILL)
    chain.posts(2)
    chain.restarted_recorder = time.time_ns()
    recorder = chain.start_kblake("record-2.txt", "record", "--time", "ioc")
    for group, names in GROUPS.items():
        known = len(names) - ("SOFT" in group)
        recorder.wait_for(f"group={group}", "connected", f"{known} of {len(names)}")
    chain.posts(5)
    chain.last = lines(chain.work / "posted")[-1]
    for group in ("TEST/SOFTCA", "TEST/SOFTPVA"):
        chain.has(group, GROUPS[group][1], lambda row: row["state"] == "value" and row["value"] <= -chain.last["n"])
    chain.status = recorder.end(signal.SIGTERM)
    rows = len([row for row in chain.get("TEST/SOFTCA") if row["time"] >= chain.follow_from // 10**9 * 10**9])
    until(lambda: len(lines(chain.work / "followed")) >= rows, "get --follow does not end with the log")
    run.end(signal.SIGTERM)


@pytest.fixture(scope="session")
def chain():
    work = Path(os.environ.get("KBLAKE_WORK", "work")).absolute()
    shutil.rmtree(work, ignore_errors=True)
    chain = Chain(work)
    try:
        play(chain)
    finally:
        chain.close()
    return chain
