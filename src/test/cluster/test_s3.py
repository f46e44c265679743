"""Tables on S3, found through a JDBC catalog: Spark, PyIceberg and DuckDB read the rows of kblake get."""

import subprocess
import threading

import boto3
import pytest
from pyiceberg.catalog.sql import SqlCatalog

import archives
import bits
from engines import COLUMNS
from kblake_command import Kblake

GROUP, TABLE = "VA/CCG", "VA.CCG_double"


@pytest.fixture(scope="module")
def properties(endpoint, work):
    """The properties of the catalog, which Spark and kblake lake take alike."""
    return {
        "uri": f"jdbc:sqlite:{work / 'catalog.db'}",
        "jdbc.schema-version": "V1",
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "s3.endpoint": endpoint,
        "s3.path-style-access": "true",
        "client.region": "us-east-1",
    }


@pytest.fixture(scope="module")
def kblake(work, properties, drivers):
    kblake = Kblake(archives.simulated(work / "archive", "--scale", "0.1", "--days", "0.1", "-g", GROUP), work / "store")
    kblake.backfill("--profile", "lake")
    kblake.publish("--catalog", "jdbc", *options(properties), "s3://kblake/proof")
    return kblake


def options(properties):
    return [word for key, value in properties.items() for word in ("--property", f"{key}={value}")]


@pytest.fixture(scope="module")
def expected(kblake):
    answer = kblake.get(GROUP, ["*"], -(2**62), 2**62)
    return answer


def test_spark_reads_tables_on_s3(sessions, kblake, properties, expected):
    session = sessions.start("local[2]", {"kblake": {"type": "jdbc", "warehouse": "s3://kblake/proof", **properties}})
    found = bits.of_engine(session.sql(f"SELECT {COLUMNS} FROM kblake.{TABLE}").toArrow(), bits.number_type(expected))
    require(found, expected)


@pytest.fixture(scope="module")
def catalog(kblake, work, endpoint):
    return SqlCatalog("kblake", uri=f"sqlite:///{work / 'catalog.db'}", warehouse="s3://kblake/proof", **{"s3.endpoint": endpoint, "s3.region": "us-east-1"})


def test_pyiceberg_reads_tables_on_s3(catalog, expected):
    found = bits.of_engine(catalog.load_table(TABLE).scan().to_arrow(), bits.number_type(expected))
    require(found, expected)


def test_duckdb_reads_tables_on_s3(catalog, duck, expected, endpoint):
    host = endpoint.removeprefix("http://")
    duck.connection.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID 'key', SECRET 'secret', REGION 'us-east-1', ENDPOINT '{host}', URL_STYLE 'path', USE_SSL false)"
    )
    scan = f"iceberg_scan('{catalog.load_table(TABLE).metadata_location}')"
    found = bits.of_engine(duck.connection.sql(f"SELECT {COLUMNS} FROM {scan}").to_arrow_table(), bits.number_type(expected))
    require(found, expected)


def test_a_second_publisher_says_who_has_the_lease(kblake, properties, endpoint):
    """The lease of a location on S3 is an object that its holder writes again and again."""
    store = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
    stopped = threading.Event()

    def renew():
        count = 0
        while not stopped.wait(0.2):
            count += 1
            store.put_object(Bucket="kblake", Key="proof/kblake-publisher", Body=f"host=other pid=1 renewed={count}")

    holder = threading.Thread(target=renew)
    holder.start()
    try:
        command = kblake.line("lake", "publish", "--catalog", "jdbc", *options(properties), "s3://kblake/proof")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    finally:
        stopped.set()
        holder.join()
        store.delete_object(Bucket="kblake", Key="proof/kblake-publisher")
    assert done.returncode == 1
    assert "another process publishes to this location: location=s3://kblake/proof, holder=host=other pid=1 renewed=" in done.stderr


def require(found, answer):
    names = {row[0] for row in found}
    assert found
    assert bits.in_any_order(found) == bits.in_any_order([row for row in bits.of_answer(answer) if row[0] in names])
