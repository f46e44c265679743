"""kblake lake follow beside kblake run and kblake compact on an archive that grows: sealed blocks become snapshots, merged blocks replace their parts."""

import contextlib
import re
import signal
import subprocess
import time

import archives
import bits
from engines import Tables
from kblake_command import Kblake

SECONDS = 300


@contextlib.contextmanager
def running(process):
    """A process that is stopped at the end, whatever happens."""
    lines = []
    try:
        yield process, lines
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            lines += process.communicate(timeout=60)[1].splitlines()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def await_until(what, ready, *processes):
    end = time.monotonic() + SECONDS
    while not ready():
        for process in processes:
            assert process.poll() is None, f"{what}: {process.args} ended: {process.stderr.read()}"
        assert time.monotonic() < end, what
        time.sleep(0.3)


def blocks(kblake):
    return {path.parent.name for path in kblake.store.glob("*/*/*.*/block.kb")}


def snapshots(tables):
    return sum(len(tables.static(name).metadata.snapshots) for name in tables.names())


def replaced(tables):
    """Returns whether a snapshot replaced data files by those of a merged block."""
    found = [snapshot.summary for name in tables.names() for snapshot in tables.static(name).metadata.snapshots]
    return any(int(summary.additional_properties.get("deleted-data-files", 0)) > 0 for summary in found)


def test_a_growing_archive_is_published_as_it_is_sealed_and_merged(work):
    kblake = Kblake(work / "live", work / "store")
    settings = work / "kblake.toml"
    settings.write_text('[run]\nseal-age = "2s"\nseal-events = 1\n')
    tables = Tables(work / "tables")
    with running(archives.growing(kblake.archive)) as (simulate, _):
        await_until("the history", lambda: len(list(kblake.archive.glob("*/*.log2"))) >= 4, simulate)
        with running(kblake.start("--config", settings, "run")) as (run, _):
            await_until("a store", (kblake.store / "kblake-store.properties").exists, simulate, run)
            with running(kblake.start("lake", "follow", tables.location, "--every", "0.5s")) as (follow, lines):
                await_until("the first blocks", lambda: blocks(kblake) and snapshots(tables), simulate, run, follow)
                first, before = blocks(kblake), snapshots(tables)
                await_until("later blocks", lambda: blocks(kblake) - first and snapshots(tables) > before, simulate, run, follow)
                await_until("merged blocks", lambda: replaced(tables), simulate, run, follow)
                run.send_signal(signal.SIGTERM)
                run.communicate(timeout=60)
                # The store has one writer at a time. Before, kblake run merged.
                kblake.run("compact")
                await_until("the last blocks", lambda: is_published(kblake, tables), simulate, follow)
                follow.send_signal(signal.SIGTERM)
                lines += follow.communicate(timeout=60)[1].splitlines()
                assert follow.returncode == 128 + signal.SIGTERM
    require_publications(lines)
    assert lines
    require_rows(kblake, tables)


def require_publications(lines):
    """Requires that each line but that of the settings names what was published."""
    published = [line for line in lines if not line.startswith("settings: ")]
    assert all(re.search(r": data files added=\d+, replaced=\d+, bytes=", line) for line in published), lines


def is_published(kblake, tables):
    return bool(re.search("not published +0\n", kblake.run("lake", "verify", tables.location, allowed=(0, 1, 3)).decode()))


def require_rows(kblake, tables):
    """The tables are right, and have the rows of kblake get."""
    assert re.search("wrong +0\n", kblake.run("lake", "verify", tables.location).decode())
    groups = {}
    for name in tables.names():
        table = tables.static(name)
        groups.setdefault(table.properties["kblake.group"], []).append(table)
    assert groups
    for group, own in groups.items():
        answer = kblake.get(group, ["*"], -(2**62), 2**62)
        found = [row for table in own for row in bits.of_engine(table.scan().to_arrow(), bits.number_type(answer))]
        assert bits.in_any_order(found) == bits.in_any_order(bits.of_answer(answer)), group


def test_a_store_that_is_merged_meanwhile_loses_nothing(work):
    kblake = Kblake(archives.simulated(work / "past", "--scale", "0.1", "--days", "0.3"), work / "past-store")
    followed, raced = Tables(work / "followed"), Tables(work / "raced")
    kblake.backfill("--to", "2024-05-20T02:00")
    with running(kblake.start("lake", "follow", followed.location, "--every", "0.3s")) as (follow, lines):
        kblake.backfill("--to", "2024-05-20T04:00")
        kblake.backfill()
        with running(kblake.start("lake", "publish", raced.location)) as (publish, _):
            before = blocks(kblake)
            kblake.run("compact")
            assert before - blocks(kblake), "nothing was merged"
            _, err = publish.communicate(timeout=120)
            assert publish.returncode == 0, err
        await_until("the merged blocks", lambda: is_published(kblake, followed), follow)
        follow.send_signal(signal.SIGTERM)
        lines += follow.communicate(timeout=60)[1].splitlines()
    require_publications(lines)
    require_rows(kblake, followed)
    kblake.publish(raced.location)
    require_rows(kblake, raced)
