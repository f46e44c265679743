"""What the archive has is what the IOCs posted, and what it lacks is stated."""

import json
import re

import pytest

from conftest import GROUPS
from processes import lines

SECOND_NANOS = 10**9
CHANNELS = [(group, name) for group, names in GROUPS.items() for name in names]


def record_of(name):
    return name.removeprefix("pva://")


def triple(line):
    """Returns value, severity and status in a form that can be compared. An array of one element is that element."""
    value = line["value"]
    if isinstance(value, list):
        value = tuple(value) if len(value) > 1 else value[0]
    return value, line["severity"], line["status"]


@pytest.fixture(scope="session")
def posted(chain):
    """What the IOCs say that they posted: of each record triples and their times, in order. Those of counting.db follow from the count,
    and their times are the stamps that libca received."""
    found = {}
    for line in lines(chain.work / "posted"):
        found.setdefault(line["name"], []).append((triple(line), line["nanos"]))
    stamps = {int(line["value"]): line["nanos"] for line in lines(chain.work / "libca-pvxs") if line["ok"] and line["name"] == "PVXS:COUNT"}
    first, last = min(stamps), max(stamps)
    for record in GROUPS["TEST/PVXSCA"]:
        found[record] = [(counted(record, n), stamps.get(n, stamps[first] + (n - first) * SECOND_NANOS // 5)) for n in range(first, last + 1)]
    return found


def counted(record, n):
    """Returns the triple of a record of counting.db after n processings."""
    rest = n % 8
    alarms = {"PVXS:REST": (2, 3) if rest >= 6 else (1, 4) if rest >= 4 else (0, 0), "PVXS:ENUM": (3, 7) if rest == 2 else (0, 0)}
    values = {"PVXS:COUNT": n, "PVXS:REST": rest, "PVXS:ENUM": rest, "PVXS:TEXT": str(n), "PVXS:HISTORY": list(range(max(1, n - 7), n + 1))}
    severity, status = alarms.get(record, (0, 0))
    return triple({"value": values[record], "severity": severity, "status": status})


@pytest.fixture(scope="session")
def received(chain):
    """What libca received: of each record lists of triples and stamps, one for each subscription."""
    found = {}
    for file in ("libca-first", "libca-second", "libca-pvxs"):
        of_file = {}
        for line in lines(chain.work / file):
            if line["ok"]:
                of_file.setdefault(line["name"], []).append((triple(line), line["nanos"]))
        for name, values in of_file.items():
            found.setdefault(name, []).append(values)
    return found


@pytest.fixture(scope="session")
def losses(chain):
    report = chain.work / "coverage.json"
    chain.kblake("get", "--from", "2000-01-01", "--coverage", report, "-o", chain.work / "all.csv", "*")
    return json.loads(report.read_text())["lossy"]


@pytest.fixture(scope="session")
def rows(chain):
    return {(group, name): [row for row in chain.get(group) if row["channel"] == name] for group, name in CHANNELS}


def places(values, found):
    """Yields for each row its place in what was posted, or None for a state. A connection may bring the present value once more."""
    place, is_new = None, True
    for row in found:
        if row["state"] != "value":
            is_new = True
            yield row, None
            continue
        value = triple(row)
        following = 0 if place is None else place + 1
        if is_new or following == len(values) or values[following][0] != value:
            # Some values occur again and again. Where values are missing, the time tells which it is: the last one posted before.
            first = place if is_new and place is not None else following
            possible = [i for i in range(first, len(values)) if values[i][0] == value and values[i][1] <= row["time"] + SECOND_NANOS // 10]
            assert possible, f"not posted, or in another order: {row}, before it {values[max(0, following - 3):following]}"
            following = possible[-1]
        place = following
        yield row, place
        is_new = False


def is_stated(missing, before, after, spans):
    """Returns whether spans of possible losses have all times at which missing values were posted."""
    near = [span for span in spans if span["fromNanos"] <= after["time"] and span["toNanos"] >= before["time"]]
    return all(any(span["fromNanos"] - SECOND_NANOS <= nanos <= span["toNanos"] + SECOND_NANOS for span in near) for _, nanos in missing)


@pytest.mark.parametrize("group, name", CHANNELS)
def test_a_posted_value_is_recorded_or_its_loss_is_stated(chain, posted, received, losses, rows, group, name):
    values, found = posted[record_of(name)], rows[group, name]
    spans = [span for span in losses if span["group"] == group]
    others = {value for each in received.get(name, []) for value, _ in each}
    last, before, was_down, unexplained = None, None, False, []
    for row, place in places(values, found):
        if place is None:
            was_down |= row["state"] == "disconnected"
            continue
        if last is not None and place > last + 1:
            missing = values[last + 1 : place]
            if not was_down and not is_stated(missing, before, row, spans):
                unexplained += missing
        last, before, was_down = place, row, False
    # A server may drop values for one client. Channel Access has another one that saw them; PV Access does not tell.
    lost = [value for value in unexplained if name == record_of(name) and value[0] in others]
    assert not lost, f"libca received what is neither recorded nor stated: {lost[:5]}"
    assert len(unexplained) <= len(values) // 50, f"neither recorded nor stated: {unexplained[:5]}"
    if unexplained:
        print(f"{name}: dropped by the server: {unexplained}")
    if record_of(name) != "SOFT:GONE":
        assert last is not None and values[last][1] >= chain.last["nanos"] - SECOND_NANOS, "the end is missing"


@pytest.mark.parametrize("name", GROUPS["TEST/SOFTCA"] + GROUPS["TEST/PVXSCA"])
def test_libca_received_what_the_ioc_says(posted, received, name):
    said = {value for value, _ in posted[name]}
    for values in received[name]:
        assert {value for value, _ in values} <= said


@pytest.mark.parametrize("name", GROUPS["TEST/SOFTCA"] + GROUPS["TEST/PVXSCA"])
def test_times_of_iocs_are_those_that_libca_received(chain, received, rows, name):
    group = "TEST/SOFTCA" if name.startswith("SOFT") else "TEST/PVXSCA"
    stamps = {nanos for values in received[name] for _, nanos in values}
    found = [row["time"] for row in rows[group, name] if row["state"] == "value" and row["time"] >= chain.restarted_recorder]
    assert len(found) > 5 or name == "SOFT:GONE"
    # The present value at the connection may be older than the process, and what libca's last turn did not write is its own.
    assert len([nanos for nanos in found[1:-3] if nanos not in stamps]) <= len(found) // 20


def test_losses_are_stated_where_they_were(chain, losses):
    for group in GROUPS:
        of_group = [span for span in losses if span["group"] == group]
        crashed = [span for span in of_group if span["reason"] == "recorder crashed"]
        assert len(crashed) == 1, of_group
        # The recorder that states it uses the IOCs' time stamps, which may be half of the disorder bound away.
        assert chain.killed_recorder - 310 * SECOND_NANOS <= crashed[0]["fromNanos"] <= chain.killed_recorder
        assert chain.restarted_recorder <= crashed[0]["toNanos"]
        down = [span for span in of_group if span["reason"] == "circuit down"]
        assert len(down) == (1 if "SOFT" in group else 0), of_group
        for span in down:
            # A span must not say more than is true, or it says nothing.
            assert chain.killed_ioc - 10 * SECOND_NANOS <= span["fromNanos"] <= span["toNanos"], span
        assert not [span for span in of_group if "PVXS" in group and span["reason"] != "recorder crashed"], of_group


def test_coverage_shows_them(chain):
    table = chain.kblake("get", "--from", "2000-01-01", "--coverage", "-", "-o", chain.work / "again.csv", "-g", "TEST/SOFTCA", "*")
    assert re.search(r"possibly lossy", table, re.IGNORECASE), table
    assert "recorder crashed" in table


def test_the_check_lists_all_channels(chain):
    for name in GROUPS["TEST/SOFTCA"] + GROUPS["TEST/PVXSCA"]:
        port = chain.soft.ca if name.startswith("SOFT") else chain.pvxs.ca
        answer = r"no +no server answers" if name == "SOFT:NEW" else rf"yes +127\.0\.0\.1:{port} "
        assert re.search(rf"(?m)^{re.escape(name)} +{answer}", chain.check), chain.check
        assert re.search(rf"(?m)^pva://{re.escape(name)} +{'no ' if name == 'SOFT:NEW' else 'yes '}", chain.check), chain.check
    for line in (r"SOFT:WAVE .* double +8", r"SOFT:TEXTS .* string +3", r"SOFT:ENUM .* enum +1", r"SOFT:BYTES .* char +7"):
        assert re.search(rf"(?m)^{line}$", chain.check), chain.check


def test_another_database_begins_a_new_pair(rows):
    for group in ("TEST/SOFTCA", "TEST/SOFTPVA"):
        prefix = "" if group.endswith("CA") else "pva://"
        values = [row["value"] for row in rows[group, f"{prefix}SOFT:DOUBLE"] if row["state"] == "value"]
        assert isinstance(values[0], float) and isinstance(values[-1], str)
        lengths = [len(row["value"]) for row in rows[group, f"{prefix}SOFT:WAVE"] if isinstance(row["value"], list)]
        assert max(lengths) > 8
        assert [row["state"] for row in rows[group, f"{prefix}SOFT:NEW"]].count("value") > 3
        assert rows[group, f"{prefix}SOFT:GONE"][-1]["state"] == "disconnected"


def test_follow_gave_the_same_rows(chain):
    begin = chain.follow_from // SECOND_NANOS * SECOND_NANOS
    assert lines(chain.work / "followed") == [row for row in chain.get("TEST/SOFTCA") if row["time"] >= begin]


@pytest.mark.parametrize("group", GROUPS)
def test_columns_have_the_same_rows(chain, group):
    chain.kblake("backfill", "-g", group)
    raw = chain.get(group)
    # The end of a pair after a kill stays in the log for now, and status 3 says so.
    stored = chain.get(group, source="store", allowed=(0, 3))
    assert len(stored) > len(raw) / 4
    rest = iter(raw)
    assert all(row in rest for row in stored)
    assert chain.get(group, source="auto") == raw


def test_the_recorder_ended_well_and_warned_of_the_canary_alone(chain):
    assert chain.status == 143
    for file, number in (("record-1.txt", 1), ("record-2.txt", 0)):
        text = (chain.work / file).read_text()
        warnings = [line for line in text.splitlines() if re.search("WARN|ERROR", line)]
        assert len(warnings) == number and all("canary is not connected" in line for line in warnings), text
    assert text.splitlines()[-1].endswith("message=stopped")
    assert not re.search("ERROR", (chain.work / "run.txt").read_text())
