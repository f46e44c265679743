"""Tables on S3, found through a JDBC catalog: Spark and PyIceberg read the rows of kblake get."""

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
    options = [word for key, value in properties.items() for word in ("--property", f"{key}={value}")]
    kblake.publish("--catalog", "jdbc", *options, "s3://kblake/proof")
    return kblake


@pytest.fixture(scope="module")
def expected(kblake):
    answer = kblake.get(GROUP, ["*"], -(2**62), 2**62)
    return answer


def test_spark_reads_tables_on_s3(sessions, kblake, properties, expected):
    session = sessions.start("local[2]", {"kblake": {"type": "jdbc", "warehouse": "s3://kblake/proof", **properties}})
    found = bits.of_engine(session.sql(f"SELECT {COLUMNS} FROM kblake.{TABLE}").toArrow(), bits.number_type(expected))
    require(found, expected)


def test_pyiceberg_reads_tables_on_s3(kblake, properties, expected, work, endpoint):
    catalog = SqlCatalog("kblake", uri=f"sqlite:///{work / 'catalog.db'}", warehouse="s3://kblake/proof", **{"s3.endpoint": endpoint, "s3.region": "us-east-1"})
    found = bits.of_engine(catalog.load_table(TABLE).scan().to_arrow(), bits.number_type(expected))
    require(found, expected)


def require(found, answer):
    names = {row[0] for row in found}
    assert found
    assert bits.in_any_order(found) == bits.in_any_order([row for row in bits.of_answer(answer) if row[0] in names])
