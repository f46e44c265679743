"""Two recorders with --standby of the same groups, killed and stopped: what both wrote, less the counted doubles, is what the IOC posted."""

import os
import random
import re
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from archive import Archive
from conftest import FIRST
from processes import HERE, Ioc, Process, client_environment, free_ports, lines, until
from test_chain import triple

# ENUM repeats its values, so that doubles could not be told.
NAMES = [name for name in FIRST if name != "ENUM"]
GROUPS = {"TEST/CA": [f"SOFT:{name}" for name in NAMES], "TEST/PVA": [f"pva://SOFT:{name}" for name in NAMES]}
SETTINGS = """
archive = "logs"
store = "store"
zone = "UTC"
[record]
new-pair = "1s"
learn = "3s"
milestone = "2s"
"""
ZOOKEEPER = os.environ.get("KBLAKE_ZOOKEEPER")
# ZooKeeper ends a session after 10 s without a word.
BEYOND_LEASE = 10


class Recorders(Archive):
    """Recorders of one archive."""

    def start(self):
        """Starts one, and waits until it has a value of each channel."""
        recorder = self.start_kblake(f"record-{len(self.running)}.txt", "record", "--standby")
        for group, names in GROUPS.items():
            recorder.wait_for(f"group={group}", "connected", f"{len(names)} of {len(names)}")
        return recorder

    def counted(self):
        """Returns the number of doubles that the recorders say."""
        return sum(int(number) for each in self.running for number in re.findall(r"doubles=(\d+)", each.text()))


class Latched:
    """The IOC, ZooKeeper, an archive with a lock, and one with ZooKeeper."""

    def __init__(self, work):
        work.mkdir(parents=True)
        self.account = work / "posted"
        ports = free_ports(6)
        ioc = Ioc(ports[0:3], ports[3])
        environment = client_environment([ioc], ports[3], ports[4])
        self.processes = [ioc.start(work / "soft.txt", HERE / "posting_ioc.py", "first", 1, self.account, 0.1)]
        self.archives = {"lock": Recorders(work / "lock", SETTINGS, GROUPS, environment)}
        if ZOOKEEPER:
            words = ["java", "-Xmx64m", "-cp", ZOOKEEPER, "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.jmx.log4j.disable=true"]
            words += ["org.apache.zookeeper.server.ZooKeeperServerMain", ports[5], work / "zookeeper"]
            self.processes.append(Process(words, work / "zookeeper.txt", environment))
            settings = f'{SETTINGS}zookeeper = "127.0.0.1:{ports[5]}"\n'
            self.archives["zookeeper"] = Recorders(work / "zookeeper-archive", settings, GROUPS, environment)

    def posts(self, numbers):
        before = len(lines(self.account))
        until(lambda: len(lines(self.account)) >= before + numbers * len(FIRST), "the IOC posts nothing")

    def close(self):
        for archive in self.archives.values():
            archive.close()
        for each in self.processes:
            each.process.kill()
            each.process.wait()


def play(latched):
    """The story."""
    latched.posts(1)
    lock, zookeeper = latched.archives["lock"], latched.archives.get("zookeeper")
    for archive in latched.archives.values():
        archive.first = archive.start()
    for archive in latched.archives.values():
        archive.first.wait_for("is the active recorder")
        archive.second = archive.start()
    # One whose files know more than it has received since it was connected does not know where the log ends.
    latched.posts(70)
    if zookeeper:
        zookeeper.first.signal(signal.SIGSTOP)
    stopped = time.monotonic()

    # A standby that was stopped has in its sockets what it did not take.
    lock.second.signal(signal.SIGSTOP)
    latched.posts(30)
    lock.second.signal(signal.SIGCONT)
    latched.posts(random.randrange(3))
    lock.first.end(signal.SIGKILL)
    lock.second.wait_for("takes over")
    lock.third = lock.start()

    if zookeeper:
        zookeeper.second.wait_for("takes over")
        assert time.monotonic() - stopped > BEYOND_LEASE - 3
        latched.posts(random.randrange(5))
        zookeeper.first.signal(signal.SIGCONT)
        zookeeper.first.wait_for("another recorder is active")
        latched.posts(10)
        zookeeper.second.end(signal.SIGKILL)
    latched.posts(10)
    latched.last = max(line["n"] for line in lines(latched.account)) - 1
    for archive in latched.archives.values():
        for group, names in GROUPS.items():
            archive.has(group, names[0], lambda row: row["state"] == "value" and row["value"] >= latched.last)
        for each in archive.running:
            if each.process.poll() is None:
                assert each.end(signal.SIGTERM) == 143


@pytest.fixture(scope="module")
def latched():
    work = Path(os.environ.get("KBLAKE_WORK", "work")).absolute().with_name("standby")
    shutil.rmtree(work, ignore_errors=True)
    latched = Latched(work)
    try:
        play(latched)
    finally:
        latched.close()
    return latched


@pytest.mark.parametrize("latch", ["lock", "zookeeper"])
def test_both_logs_less_the_doubles_are_what_was_posted(latched, latch):
    if latch not in latched.archives:
        pytest.skip("the local Maven repository lacks ZooKeeper's server")
    archive = latched.archives[latch]
    posted = {}
    for line in lines(latched.account):
        posted.setdefault(line["name"], {})[triple(line)] = line["n"]
    doubles, missing = 0, {}
    for group, names in GROUPS.items():
        rows = archive.get(group)
        for name in names:
            numbers = posted[name.removeprefix("pva://")]
            found = Counter(numbers[triple(row)] for row in rows if row["channel"] == name and row["state"] == "value" and triple(row) in numbers)
            doubles += found.total() - len(found)
            lost = [n for n in range(min(found), latched.last + 1) if n not in found]
            missing |= {name: lost} if lost else {}
    assert not missing, missing
    assert doubles == archive.counted()


def test_the_recorders_say_what_they_are(latched):
    for archive in latched.archives.values():
        text = "".join(each.text() for each in archive.running)
        assert not re.search("ERROR|events lost", text), text
