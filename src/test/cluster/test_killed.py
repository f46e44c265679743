"""Processes of kblake lake that are killed or stopped at random times. Each table is as before or after, and the next command continues."""

import fcntl
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

import archives
import bits
from engines import Tables
from kblake_command import Kblake

ALL_TIMES = (-(2**62), 2**62)
KILLS = int(os.environ.get("KBLAKE_KILLS", "3"))


class Case:
    """Tables before a command, the command, and what it does if nothing disturbs it."""

    def __init__(self, kblake, location, command, published=False):
        self.kblake = kblake
        self.location = location
        self.command = command
        # Tables have their own path in their metadata, and are not moved.
        self.saved = location.with_name(location.name + "-saved")
        shutil.rmtree(self.saved, ignore_errors=True)
        if published:
            shutil.copytree(location, self.saved)
        else:
            self.saved.mkdir()

    def restore(self):
        shutil.rmtree(self.location, ignore_errors=True)
        shutil.copytree(self.saved, self.location)

    def tables(self):
        return Tables(self.location)

    def start(self):
        return self.kblake.start("lake", *self.command, self.location)

    def begin(self):
        """Starts the command. Returns the process when it has the lock of the location, and the time."""
        lock = self.location / "kblake-publisher"
        lock.unlink(missing_ok=True)
        process = self.start()
        while not lock.exists():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.001)
        return process, time.monotonic()

    def undisturbed(self):
        """Runs the command on the saved tables. Returns the seconds that it works, and the files of each table."""
        self.restore()
        process, began = self.begin()
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        return time.monotonic() - began, files(self.tables())


class Newest(Tables):
    """Tables as Iceberg's own catalog finds them: by the newest metadata file, if its hint was not written yet."""

    def metadata(self, name):
        folder = self.location.joinpath(*name.split("."), "metadata")
        versions = [int(path.name[1:].split(".")[0]) for path in folder.glob("v*.metadata.json")]
        return str(folder / f"v{max(versions)}.metadata.json")


def files(tables):
    """Returns the names of the blocks of the present data files of each table. The names end in what is different in each run."""
    return {
        name: sorted(pathlib.Path(file["file_path"]).name.rsplit("-", 1)[0] for file in tables.static(name).inspect.files().to_pylist())
        for name in tables.names()
    }


def identities(tables):
    """Returns the present data files of all tables with their times of change."""
    paths = [file["file_path"].removeprefix("file:") for name in tables.names() for file in tables.static(name).inspect.files().to_pylist()]
    return {path: os.stat(path).st_mtime_ns for path in paths}


def rows(tables):
    """Returns the rows of each table, in any order."""
    return {
        name: bits.in_any_order(bits.of_engine(tables.static(name).scan().to_arrow(), NUMBER[tables.static(name).properties["kblake.group"]]))
        for name in tables.names()
    }


NUMBER = {}


def of_groups(found, tables):
    """Returns rows by group instead of by table."""
    groups = {}
    for name, each in found.items():
        groups.setdefault(tables.static(name).properties["kblake.group"], []).extend(each)
    return {group: bits.in_any_order(each) for group, each in groups.items()}


def expected(kblake, groups):
    """Returns the rows of kblake get by group."""
    answers = {group: kblake.get(group, ["*"], *ALL_TIMES) for group in groups}
    NUMBER.update({group: bits.number_type(answer) for group, answer in answers.items()})
    return {group: bits.in_any_order(bits.of_answer(answer)) for group, answer in answers.items()}


def unneeded(tables):
    """Returns the files of the location that no snapshot needs."""
    needed = {"kblake-publisher", "version-hint.text"}
    for name in tables.names(all_tables=True):
        table = tables.static(name)
        paths = {tables.metadata(name), *(entry.metadata_file for entry in table.metadata.metadata_log)}
        for snapshot in table.metadata.snapshots:
            paths.add(snapshot.manifest_list)
            for manifest in snapshot.manifests(table.io):
                paths.add(manifest.manifest_path)
                for entry in manifest.fetch_manifest_entry(table.io):
                    paths |= {entry.data_file.file_path, entry.data_file.file_path + ".json"}
        needed |= {path.rsplit("/", 1)[1] for path in paths}
    return sorted(str(path) for path in tables.location.rglob("*") if path.is_file() and path.name not in needed)


@pytest.fixture(scope="module")
def kblake(work):
    kblake = Kblake(archives.simulated(work / "archive", "--scale", "0.1", "--days", "0.3"), work / "lake-store")
    backfill(kblake, "lake")
    return kblake


def backfill(kblake, profile):
    kblake.backfill("--profile", profile, "--to", "2024-05-20T03:00")
    kblake.backfill("--profile", profile)


@pytest.fixture(scope="module")
def answers(kblake):
    groups = sorted({f"{path.parent.parent.name}/{path.parent.name}" for path in kblake.store.glob("*/*/*.*")})
    found = expected(kblake, groups)
    assert sum(map(len, found.values())) > 10_000
    return found


def linked(kblake, work):
    """A first publish of a store whose files are linked."""
    return Case(kblake, work / "linked", ["publish"])


def merged(kblake, work):
    """A publish of files that are written again. Merged blocks replace the data files of their parts."""
    standard = Kblake(kblake.archive, work / "standard-store")
    backfill(standard, "standard")
    standard.publish(work / "standard")
    standard.run("compact")
    return Case(standard, work / "standard", ["publish"], published=True)


def dropped(kblake, work):
    """A drop of the snapshots whose data files were replaced, after the test of merged blocks."""
    standard = Kblake(kblake.archive, work / "standard-store")
    assert unneeded(Tables(work / "standard")) == []
    return Case(standard, work / "standard", ["drop", "--before", "2100-01-01"], published=True)


@pytest.mark.parametrize("source", [linked, merged, dropped])
def test_a_killed_process_leaves_tables_as_before_or_after(source, kblake, answers, work, seed):
    case = source(kblake, work)
    before = files(Tables(case.saved))
    seconds, after = case.undisturbed()
    assert of_groups(rows(case.tables()), case.tables()) == answers
    chance = random.Random(f"{seed} {source.__name__}")
    for kill in range(KILLS):
        case.restore()
        process, began = case.begin()
        wait = chance.uniform(0, seconds)
        try:
            process.communicate(timeout=max(0, began + wait - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        place = f"kill {kill + 1} after {wait:.3f} of {seconds:.3f} s, status {process.returncode}"
        print(place)
        killed = files(case.tables())
        committed = files(Newest(case.location))
        for name, found in killed.items():
            assert found in (before.get(name), after[name]), f"{place}, {name}"
            assert committed[name] in (before.get(name), after[name]), f"{place}, {name}"
        assert set(before) <= set(killed), place
        kept = identities(case.tables())
        text = case.kblake.run("lake", *case.command, case.location).decode()
        assert files(case.tables()) == files(Newest(case.location)) == after, place
        assert unneeded(case.tables()) == [], place
        # A table that was complete is not published again.
        for path, changed in kept.items():
            name = ".".join(pathlib.Path(path).parts[-4:-2])
            if committed[name] == after[name]:
                assert os.stat(path).st_mtime_ns == changed, f"{place}, {path}"
        if case.command[0] == "publish":
            done = sum(committed.get(name) == after[name] for name in after)
            assert 0 <= int(text.split("snapshots")[1].split()[0]) - (len(after) - done) <= 3, place  # and those of the tables of all groups
        case.kblake.run("lake", "verify", case.location)
        assert of_groups(rows(case.tables()), case.tables()) == answers, place


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_stopped_publish_keeps_its_snapshots_and_says_how_to_continue(name, kblake, answers, work):
    case = Case(kblake, work / name, ["publish"])
    case.restore()
    process, _ = case.begin()
    while not list(case.location.glob("*/*/metadata/v2.metadata.json")):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.Signals[name])
    _, err = process.communicate(timeout=60)
    # As a shell names the end by a signal.
    assert process.returncode == 128 + signal.Signals[name], err
    assert re.search("^stopped; [0-9]+ data files in [0-9]+ snapshots were committed; the next publish continues$", err, re.MULTILINE), err
    kept = case.tables().snapshots()
    assert 0 < len(kept) < 6
    case.kblake.run("lake", "publish", case.location)
    assert unneeded(case.tables()) == []
    assert kept.items() <= case.tables().snapshots().items()
    assert of_groups(rows(case.tables()), case.tables()) == answers


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_follow_ends_promptly(name, kblake, answers, work):
    case = Case(kblake, work / f"follow-{name}", ["follow"])
    case.restore()
    process, _ = case.begin()
    while len(case.tables().names()) < 6:
        assert process.poll() is None
        time.sleep(0.1)
    time.sleep(1)
    began = time.monotonic()
    process.send_signal(signal.Signals[name])
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.Signals[name]
    assert time.monotonic() - began < 10
    assert unneeded(case.tables()) == []
    assert of_groups(rows(case.tables()), case.tables()) == answers


@pytest.mark.parametrize("command", [["verify"], ["drop", "--before", "2100-01-01"]], ids=["verify", "drop"])
def test_a_stopped_command_can_be_run_again(command, kblake, answers, work, seed):
    location = work / f"stopped-{command[0]}"
    kblake.publish(location)
    began = time.monotonic()
    kblake.run("lake", *command, location)
    seconds = time.monotonic() - began
    process = kblake.start("lake", *command, location)
    try:
        _, err = process.communicate(timeout=random.Random(f"{seed} {command[0]}").uniform(seconds / 4, seconds))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 128 + signal.SIGTERM), err
    kblake.run("lake", *command, location)
    assert of_groups(rows(Tables(location)), Tables(location)) == answers


def test_a_second_process_says_who_publishes_or_waits(kblake, work):
    location = work / "locked"
    location.mkdir()
    with open(location / "kblake-publisher", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        lock.write("host=other pid=1")
        lock.flush()
        done = subprocess.run(kblake.line("lake", "publish", location), capture_output=True, text=True, timeout=120)
        assert done.returncode == 1
        assert "holder=host=other pid=1; wait for it with --wait, or stop it" in done.stderr
        process = kblake.start("lake", "publish", "--wait", location)
        assert process.stderr.readline().startswith("waiting: another process publishes to this location")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert Tables(location).names()
