"""Each engine reads the rows of kblake get, bit for bit, at every snapshot, while blocks are added and merged."""

import random

import pytest

import archives
import bits
from engines import Tables, log_order
from kblake_command import Kblake

ALL_TIMES = (-(2**62), 2**62)


class Published:
    """An archive that is published step by step. Keeps of each step the snapshots, and the rows of kblake get."""

    def __init__(self, kblake, location):
        self.kblake = kblake
        self.location = location
        self.tables = Tables(location)
        self.steps = []

    def publish(self):
        figures = self.kblake.publish(self.location)
        snapshots = self.tables.snapshots()
        rows = {group: self.kblake.get(group, ["*"], *ALL_TIMES) for group in self.groups()}
        self.steps.append((snapshots, rows))
        return figures

    def groups(self):
        return sorted({self.group(name) for name in self.tables.names()})

    def group(self, name):
        return self.tables.static(name).properties["kblake.group"]

    def of_group(self, group):
        return [name for name in self.tables.names() if self.group(name) == group]


def machine(work):
    """A simulated day in a store of the profile standard, whose files are written again for the tables."""
    kblake = Kblake(archives.simulated(work / "machine", "--scale", "0.1", "--days", "0.3"), work / "machine-store")
    yield kblake, [["--from", "2024-05-20T00:00", "--to", f"2024-05-20T{to}"] for to in ("02:00", "05:00")] + [[]]


def everything(work, seed, profile):
    """A random archive: NaN with payloads, strays, channels that change type, all types. Files of the profile lake are linked."""
    kblake = Kblake(archives.random(work / f"random-{profile}", seed), work / f"random-{profile}-store")
    groups = sorted({path.parent.name + "/" + path.name.rsplit("_", 1)[0] for path in kblake.archive.glob("*/*.log1")})
    yield kblake, [["--profile", profile, "-g", group] for group in groups] + [["--profile", profile]]


@pytest.fixture(scope="module")
def published(request, work, seed):
    """The archives of this module after all steps, by name."""
    found = {}
    sources = {"machine": machine(work), "lake": everything(work, seed, "lake"), "standard": everything(work, seed + 1, "standard")}
    for name, source in sources.items():
        ((kblake, steps),) = source
        archive = Published(kblake, work / "tables" / name)
        for arguments in steps:
            kblake.backfill(*arguments)
            archive.publish()
        found[name] = archive
    return found


NAMES = ["machine", "lake", "standard"]


@pytest.fixture(scope="module")
def catalogs(sessions, work):
    from engines import Spark

    session = sessions.start("local[2]", {name: {"type": "hadoop", "warehouse": work / "tables" / name} for name in NAMES})
    return {name: Spark(session, name) for name in NAMES}


def engines(archive, name, catalogs, duck, pyiceberg):
    spark = catalogs[name]
    return {
        "Spark, vectorized": lambda *a: spark.rows(*a),
        "Spark, by rows": lambda *a: spark.rows(*a, vectorized=False),
        "DuckDB": lambda *a: duck.rows(*a),
        "PyIceberg": lambda *a: pyiceberg.rows(*a),
    }


def read_group(read, archive, group, snapshots, number, where="true"):
    rows = []
    for table in archive.of_group(group):
        if table in snapshots:
            rows += bits.of_engine(read(archive.tables, table, snapshots[table], where), number)
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_reads_the_rows_of_kblake_get_at_every_snapshot(name, published, catalogs, duck, pyiceberg):
    archive = published[name]
    compared = 0
    for step, (snapshots, answers) in enumerate(archive.steps):
        for group, answer in answers.items():
            expected = bits.in_any_order(bits.of_answer(answer))
            for engine, read in engines(archive, name, catalogs, duck, pyiceberg).items():
                found = bits.in_any_order(read_group(read, archive, group, snapshots, bits.number_type(answer)))
                assert found == expected, f"{engine}, step {step}, {group}: {difference(found, expected)}"
                compared += len(found)
    assert compared > 0


def difference(found, expected):
    for mine, theirs in zip(found, expected):
        if mine != theirs:
            return f"{mine}, not {theirs}"
    return f"{len(found)} rows, not {len(expected)}"


@pytest.mark.parametrize("name", NAMES)
def test_random_channels_and_ranges_have_the_rows_of_kblake_get(name, published, catalogs, duck, pyiceberg, seed):
    archive = published[name]
    chance = random.Random(seed)
    snapshots, answers = archive.steps[-1]
    for _ in range(3):
        group = chance.choice(sorted(answers))
        rows = bits.of_answer(answers[group])
        channel = chance.choice(sorted({row[0] for row in rows}))
        times = sorted(row[1] for row in rows if row[0] == channel and not row[5]) or [0]
        begin, end = sorted(chance.choice(times) + chance.randrange(2) for _ in range(2))
        end += 1
        answer = archive.kblake.get(group, [channel.replace("[", "[[]")], begin, end)
        # kblake get --strays has all strays of the segments of a range, whatever their times are.
        expected = [row for row in bits.of_answer(answer) if not row[5]]
        where = f"channel = '{channel}' AND time >= {begin} AND time < {end} AND stray = false"
        for engine, read in engines(archive, name, catalogs, duck, pyiceberg).items():
            found = read_group(read, archive, group, snapshots, bits.number_type(answer), where)
            assert bits.in_any_order(found) == bits.in_any_order(expected), f"{engine}, {group}, {where}"


@pytest.mark.parametrize("name", NAMES)
def test_place_of_the_file_segment_lateness_and_tie_give_log_order(name, published, catalogs):
    archive = published[name]
    checked = 0
    for group, answer in archive.steps[-1][1].items():
        if len(archive.of_group(group)) == 1:
            (table,) = archive.of_group(group)
            rows = catalogs[name].rows(archive.tables, table)
            ordered = rows.take(log_order(rows))
            assert bits.of_engine(ordered, bits.number_type(answer)) == bits.of_answer(answer), table
            checked += 1
    assert checked > 0 or name != "machine"


def test_bounds_of_channel_and_time_exclude_files(published, catalogs, duck, pyiceberg):
    archive = published["machine"]
    table = "BM.DCCT_double"
    files = archive.tables.static(table).inspect.files().to_pylist()
    assert len(files) >= 3
    oldest = min(file["readable_metrics"]["time"]["upper_bound"] for file in files)
    newest = max(file["readable_metrics"]["time"]["lower_bound"] for file in files)
    assert oldest < newest
    expected = {
        f"time <= {oldest}": sum(file["readable_metrics"]["time"]["lower_bound"] <= oldest for file in files),
        f"time >= {newest}": sum(file["readable_metrics"]["time"]["upper_bound"] >= newest for file in files),
        "channel = 'NO:SUCH'": 0,
        "time >= 0": len(files),
    }
    assert max(count for where, count in expected.items() if where != "time >= 0") < len(files)
    for where, count in expected.items():
        read = {
            "Spark": catalogs["machine"].files_read(table, where),
            "DuckDB": duck.files_read(archive.tables, table, where) if count else 0,
            "PyIceberg": pyiceberg.files_read(archive.tables, table, where),
        }
        assert read == {engine: count for engine in read}, where


def test_a_merge_is_one_snapshot_with_the_same_rows(published, catalogs, duck, pyiceberg):
    archive = published["machine"]
    before, answers = archive.steps[-1]
    blocks = len(list(archive.kblake.store.glob("*/*/*.*/block.kb")))
    archive.kblake.run("compact")
    assert len(list(archive.kblake.store.glob("*/*/*.*/block.kb"))) < blocks, "nothing was merged"
    figures = archive.publish()
    after, merged = archive.steps[-1]
    assert figures["replaced"] > 0
    changed = [table for table in after if after[table] != before[table]]
    assert len(changed) <= figures["snapshots"] <= len(changed) + 3  # and those of the tables of all groups
    for table in changed:
        snapshot = archive.tables.static(table).current_snapshot()
        assert snapshot.parent_snapshot_id == before[table]
    for name in {archive.group(table) for table in changed}:
        assert bits.of_answer(merged[name]) == bits.of_answer(answers[name])
    test_every_engine_reads_the_rows_of_kblake_get_at_every_snapshot("machine", published, catalogs, duck, pyiceberg)


def test_a_second_publish_changes_nothing(published):
    for archive in published.values():
        before = archive.tables.snapshots()
        assert archive.kblake.publish(archive.location)["snapshots"] == 0
        assert archive.tables.snapshots() == before


def test_the_tables_are_proved_against_the_store(published):
    for archive in published.values():
        archive.kblake.run("lake", "verify", archive.location)
