"""Engines that read tables of Apache Iceberg: Spark, DuckDB, PyIceberg. Nothing of kblake is used."""

import glob
import importlib
import os
import pathlib
import re

import duckdb
from pyiceberg.table import StaticTable

COLUMNS = "channel, time, value, state, severity, status, stray"


class Tables:
    """The tables of a Hadoop catalog on a local disk."""

    def __init__(self, location):
        self.location = pathlib.Path(location)

    def names(self, all_tables=False):
        """Returns SYSTEM.TABLE of each table of events, or of each table at all, that has a snapshot."""
        # A table that is just being made has no hint yet.
        folders = sorted(hint.parent for hint in self.location.glob("*/*/metadata/version-hint.text") if all_tables or hint.parts[-4] != "kblake")
        names = [f"{folder.parent.parent.name}.{folder.parent.name}" for folder in folders]
        return [name for name in names if self.static(name).current_snapshot() is not None]

    def metadata(self, name):
        """Returns the newest metadata file."""
        folder = self.location.joinpath(*name.split("."), "metadata")
        version = (folder / "version-hint.text").read_text().strip()
        return str(folder / f"v{version}.metadata.json")

    def static(self, name):
        return StaticTable.from_metadata(self.metadata(name))

    def snapshots(self):
        """Returns the number of the present snapshot of each table."""
        return {name: self.static(name).current_snapshot().snapshot_id for name in self.names()}


class Spark:
    def __init__(self, session, catalog="lake"):
        self.session = session
        self.catalog = catalog

    def rows(self, tables, name, snapshot=None, where="true", vectorized=True):
        version = f" VERSION AS OF {snapshot}" if snapshot else ""
        self.session.conf.set("spark.sql.iceberg.vectorization.enabled", str(vectorized).lower())
        query = f"SELECT {COLUMNS}, segment, lateness, tie, _file FROM {self.catalog}.{name}{version} WHERE {where}"
        return self.session.sql(query).toArrow()

    def files_read(self, name, where):
        """Returns the number of data files that a query reads, as its scan reports it."""
        self.session.conf.set("spark.sql.adaptive.enabled", "false")
        execution = self.session.sql(f"SELECT count(value) FROM {self.catalog}.{name} WHERE {where}")._jdf.queryExecution()
        plan = execution.executedPlan()
        plan.executeCollect()
        leaves = plan.collectLeaves()
        metrics = leaves.head().metrics()
        return int(metrics.apply("resultDataFiles").value())


class DuckDb:
    def __init__(self):
        self.connection = duckdb.connect()
        for module in ("duckdb_extension_avro", "duckdb_extension_iceberg", "duckdb_extension_httpfs"):
            folder = os.path.dirname(importlib.import_module(module).__file__)
            (extension,) = glob.glob(folder + "/**/*.duckdb_extension", recursive=True)
            self.connection.execute(f"LOAD '{extension}'")

    def rows(self, tables, name, snapshot=None, where="true"):
        return self.connection.sql(f"SELECT {COLUMNS} FROM {self._scan(tables, name, snapshot)} WHERE {where}").to_arrow_table()

    def files_read(self, tables, name, where):
        query = f"EXPLAIN ANALYZE SELECT count(value) FROM {self._scan(tables, name)} WHERE {where}"
        ((_, text),) = self.connection.sql(query).fetchall()
        return int(re.search(r"Total Files Read: (\d+)", text).group(1))

    @staticmethod
    def _scan(tables, name, snapshot=None):
        version = f", snapshot_from_id = {snapshot}" if snapshot else ""
        return f"iceberg_scan('{tables.metadata(name)}'{version})"


class PyIceberg:
    def rows(self, tables, name, snapshot=None, where="true"):
        return self.scan(tables, name, snapshot, where).to_arrow()

    def files_read(self, tables, name, where):
        return len(list(self.scan(tables, name, None, where).plan_files()))

    @staticmethod
    def scan(tables, name, snapshot, where):
        condition = {} if where == "true" else {"row_filter": where}
        return tables.static(name).scan(snapshot_id=snapshot, **condition)


def log_order(table):
    """Returns the indices of Spark's rows in log order: by the file's place in the log, segment, time + lateness, tie."""
    keys = []
    columns = [table[name].to_pylist() for name in ("_file", "segment", "time", "lateness", "tie")]
    for at, (file, segment, time, lateness, tie) in enumerate(zip(*columns)):
        stamp, offset = file.rsplit("/", 1)[1].split("-")[0].split("_")
        keys.append((stamp, int(offset), segment, time + lateness, tie, at))
    return [key[-1] for key in sorted(keys)]
