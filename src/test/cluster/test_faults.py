"""Spark's workers read tables on HDFS. A DataNode, then an executor, is killed in the middle of a job. The answers stay the same."""

import os
import pathlib
import signal
import threading

import pytest

import archives
import bits
from engines import COLUMNS
from kblake_command import Kblake

GROUP = "VA/CCG"
TABLE = "lake.VA.CCG_double"
SMALL_BLOCKS = ["--hadoop", "dfs.blocksize=65536", "--hadoop", "dfs.bytes-per-checksum=512", "--hadoop", "dfs.replication=2"]


@pytest.fixture(scope="module")
def kblake(work):
    kblake = Kblake(archives.simulated(work / "archive", "--scale", "0.2", "--days", "0.3", "-g", GROUP), work / "store")
    # Many blocks, so that a job has many tasks.
    for half_hour in range(2, 15):
        kblake.backfill("--profile", "lake", "--to", f"2024-05-20T{half_hour // 2:02d}:{half_hour % 2 * 3}0")
    kblake.backfill()
    return kblake


@pytest.fixture(scope="module")
def location(kblake, hdfs):
    location = hdfs.uri + "/faults"
    assert kblake.publish(*SMALL_BLOCKS, location)["data files"] >= 12
    return location


@pytest.fixture(scope="module")
def cluster(sessions, location):
    """Spark with two workers of one core, each a process of its own."""
    os.environ["SPARK_HOME"] = str(pathlib.Path(__import__("pyspark").__file__).parent)
    catalog = {"type": "hadoop", "warehouse": location}
    # A client of HDFS waits a minute for a node that is gone. Here it waits for two seconds.
    timeouts = {"spark_hadoop_dfs.client.socket-timeout": 2000, "spark_hadoop_ipc.client.connect.timeout": 2000}
    yield sessions.start(
        "local-cluster[2,1,1024]", {"lake": catalog}, **timeouts, **{"spark_executor_memory": "640m", "spark_sql_adaptive_enabled": "false"}
    )
    sessions.stop()
    del os.environ["SPARK_HOME"]


# A sum over all bits of all rows, times some rounds, so that a job takes seconds.
QUERY = """
    SELECT count(*) AS rows, bit_xor(xxhash64(round, channel, time, value, state, severity, status, stray)) AS bits
    FROM (SELECT *, explode(sequence(1, {rounds})) AS round FROM events)"""


ROUNDS = 1000


def answer(cluster, rounds):
    # A task for each file, however small it is.
    cluster.read.option("split-size", 65536).table(TABLE).createOrReplaceTempView("events")
    (row,) = cluster.sql(QUERY.format(rounds=rounds)).collect()
    return row.rows, row.bits


class Job(threading.Thread):
    """A query of Spark in a thread of its own."""

    def __init__(self, cluster, rounds):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.rounds = rounds
        self.answer = None
        self.start()

    def run(self):
        self.answer = answer(self.cluster, self.rounds)

    def wait_until_in_the_middle(self):
        """Waits until some tasks have ended and most have not. Returns the numbers of ended and of all tasks."""
        tracker = self.cluster.sparkContext.statusTracker()
        while self.is_alive():
            for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
                if stage is not None and stage.numTasks >= 8 and stage.numCompletedTasks >= 2:
                    assert stage.numCompletedTasks < stage.numTasks - 3, f"{stage.numCompletedTasks} of {stage.numTasks} tasks had ended"
                    return stage.numCompletedTasks, stage.numTasks
            self.join(0.02)
        raise AssertionError("the job ended before anything could be killed")


def executors():
    """Returns the process numbers of the executors that descend from this process."""
    parents, names = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue

    def descends(process):
        while process in parents:
            process = parents[process]
            if process == os.getpid():
                return True
        return False

    return [process for process, line in names.items() if b"CoarseGrainedExecutorBackend" in line and descends(process)]


@pytest.fixture(scope="module")
def undisturbed(cluster):
    return answer(cluster, ROUNDS)


def test_workers_read_the_rows_of_kblake_get_from_hdfs(cluster, kblake):
    expected = kblake.get(GROUP, ["*"], -(2**62), 2**62)
    doubles = {row.channel for row in cluster.sql(f"SELECT DISTINCT channel FROM {TABLE}").collect()}
    found = bits.of_engine(cluster.sql(f"SELECT {COLUMNS} FROM {TABLE}").toArrow(), bits.number_type(expected))
    assert bits.in_any_order(found) == bits.in_any_order([row for row in bits.of_answer(expected) if row[0] in doubles])


def test_a_killed_executor_changes_no_answer(cluster, undisturbed):
    before = executors()
    assert len(before) == 2
    job = Job(cluster, ROUNDS)
    job.wait_until_in_the_middle()
    os.kill(before[0], signal.SIGKILL)
    job.join(300)
    assert job.answer == undisturbed
    assert before[0] not in executors()


def test_a_killed_data_node_changes_no_answer(cluster, hdfs, undisturbed):
    stored = hdfs.stored_bytes()
    fullest = max(stored, key=stored.get)
    assert stored[fullest] > 0
    job = Job(cluster, ROUNDS)
    job.wait_until_in_the_middle()
    hdfs.kill(fullest)
    job.join(300)
    assert job.answer == undisturbed
    # Without this node, too.
    assert answer(cluster, ROUNDS) == undisturbed
