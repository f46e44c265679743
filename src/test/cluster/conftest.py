import os
import pathlib
import random
import shutil

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pyspark.sql import SparkSession

from engines import DuckDb, PyIceberg, Spark
from hdfs import Hdfs
from kblake_command import COMMAND

TARGET = pathlib.Path(os.environ["KBLAKE_TARGET"])
JARS = TARGET / "jars"


def pytest_report_header():
    return f"seed {seed_of_run()}: KBLAKE_SEED={seed_of_run()} src/test/cluster/run repeats it"


def seed_of_run():
    if "KBLAKE_SEED" not in os.environ:
        os.environ["KBLAKE_SEED"] = str(random.SystemRandom().randrange(10**9) if os.environ.get("CI") else 1)
    return int(os.environ["KBLAKE_SEED"])


@pytest.fixture(scope="session")
def seed():
    return seed_of_run()


@pytest.fixture(scope="module")
def work(request):
    """A directory for the files of a test module. It stays if the module fails, and the next run removes it."""
    directory = TARGET / "work" / request.module.__name__
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    yield directory
    if request.session.testsfailed == 0:
        shutil.rmtree(directory)


class Sessions:
    """At most one Spark session at a time."""

    def __init__(self):
        self.session = None

    def start(self, master, catalogs, **settings):
        """Starts Spark with catalogs: name -> properties."""
        self.stop()
        builder = (
            SparkSession.builder.master(master)
            .config("spark.jars", ",".join(str(jar) for folder in ("spark", "s3") for jar in sorted((JARS / folder).glob("*.jar"))))
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.memory", "1g")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.local.dir", str(TARGET / "spark"))
        )
        for name, properties in catalogs.items():
            builder.config(f"spark.sql.catalog.{name}", "org.apache.iceberg.spark.SparkCatalog")
            # A query sees what was published just before.
            builder.config(f"spark.sql.catalog.{name}.cache-enabled", "false")
            for key, value in properties.items():
                builder.config(f"spark.sql.catalog.{name}.{key}", str(value))
        for key, value in settings.items():
            builder.config(key.replace("_", "."), str(value))
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        return self.session

    def stop(self):
        if self.session is not None:
            self.session.stop()
            self.session = None


@pytest.fixture(scope="session")
def sessions():
    started = Sessions()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def duck():
    return DuckDb()


@pytest.fixture(scope="session")
def pyiceberg():
    return PyIceberg()


@pytest.fixture(scope="module")
def spark(sessions, work):
    """Spark on two threads of this process, with the tables below work/tables."""
    return Spark(sessions.start("local[2]", {"lake": {"type": "hadoop", "warehouse": work / "tables"}}))


@pytest.fixture(scope="session")
def common():
    """A directory for what several modules use."""
    directory = TARGET / "work" / "common"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


@pytest.fixture(scope="session")
def hdfs(common):
    (common / "hdfs").mkdir()
    started = Hdfs(common / "hdfs", JARS / "hdfs")
    yield started
    started.stop()


@pytest.fixture(scope="session")
def endpoint():
    """The address of a server of S3 with the bucket kblake. The environment has the account, see run."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    address = f"http://127.0.0.1:{port}"
    boto3.client("s3", endpoint_url=address, region_name="us-east-1").create_bucket(Bucket="kblake")
    yield address
    server.stop()


@pytest.fixture(scope="session")
def drivers():
    """Puts the drivers of S3 and of the database beside the libraries of kblake lake."""
    folder = pathlib.Path(COMMAND).parent.parent / "extensions" / "lake"
    for jar in [*(JARS / "s3").glob("*.jar"), *(JARS / "kblake").glob("*.jar")]:
        if not (folder / jar.name).exists():
            (folder / jar.name).symlink_to(jar)
