"""A server gives the answers of the command."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import COMMAND

import kblake

DAY = ("2024-05-20", "2024-05-21")


def plain(answer: kblake.Answer) -> list[object]:
    """The columns, whatever the order of their dictionaries, and the name of the zone."""
    return [
        answer.table.column_names,
        *(
            column.cast(pa.timestamp("ns", "UTC"))
            if pa.types.is_timestamp(column.type)
            else column.cast(column.type.value_type).combine_chunks()
            if pa.types.is_dictionary(column.type)
            else str(column.to_pylist())  # NaN equals NaN
            for column in answer.table.columns
        ),
    ]


def spans(answer: kblake.Answer) -> list[object]:
    """The coverage, whatever the name of the zone."""
    assert answer.coverage is not None
    columns = answer.coverage.table.columns
    times = [column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column for column in columns]
    return [answer.coverage.complete, answer.coverage.notes, [column.to_pylist() for column in times]]


@contextmanager
def serving(*options: str, more: Sequence[str] = ()) -> Iterator[str]:
    """Serves an archive at a free port, and returns the address."""
    with subprocess.Popen([COMMAND, *options, "serve", "--listen=127.0.0.1:0", *more], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = ""
        for line in server.stderr:
            if "serving" in line:
                break
        found = re.search(r"https?://\S+?:\d+", line)
        assert found, line
        try:
            yield found[0]
        finally:
            server.send_signal(signal.SIGTERM)


@pytest.fixture(scope="module")
def server(simulated: tuple[Path, Path]) -> Iterator[str]:
    with serving(f"--archive={simulated[0]}", f"--store={simulated[1]}") as address:
        yield address


def test_answers_equal_those_of_the_command(server: str, archive: kblake.Archive) -> None:
    served = kblake.open(server=server)
    assert served.zone in (archive.zone, "+09:00")
    for names in ("BMLDCCT:CURRENT", "*", ["VALCCG*", "CGSAFE:D01_01:ITLK"], "CGOPE:D01_01:MESSAGE", "BM_BLM:D1_1:ADC"):
        found = served.get(names, *DAY)
        expected = archive.get(names, *DAY)
        assert found.complete
        assert plain(found) == plain(expected)
        assert spans(found) == spans(expected)
    assert len(served.get("BMLDCCT:CURRENT", "2025", "2026")) == 0


def test_tables_equal_those_of_the_command(server: str, archive: kblake.Archive) -> None:
    served = kblake.open(server=server)
    question = (["BMLDCCT:CURRENT", "CGOPE*", "VALGV*"], "2024-05-20T00:00", "2024-05-20T02:00")
    found, expected = served.wide(*question, every="600s"), archive.wide(*question, every="600s")
    assert plain(found) == plain(expected)
    assert spans(found) == spans(expected)
    assert plain(served.wide(*question, every="600s", gaps="hold")) == plain(archive.wide(*question, every="600s", gaps="hold"))


def test_names_and_globs_of_a_list(server: str, archive: kblake.Archive) -> None:
    served = kblake.open(server=server)
    for names in ("BMLDCCT:CURRENT,VALCCG*", "{BMLDCCT:CURRENT,VALCCG*}", ["VALCCG:D0?_*", "BMLDCCT:CURRENT", "VALCCG:D0[1-4]*"]):
        assert plain(served.get(names, *DAY)) == plain(archive.get(names, *DAY))
    assert plain(served.get("*", *DAY, group="BM/DCCT")) == plain(archive.get("*", *DAY, group="BM/DCCT"))


def test_conditions_equal_those_of_the_command(server: str, archive: kblake.Archive) -> None:
    served = kblake.open(server=server)
    day = ("2024-05-20T00:00", "2024-05-20T02:00")
    values = archive.get("BMLDCCT:CURRENT", *day, where="value < Infinity").table["value"]
    condition = f"BMLDCCT:CURRENT > {pc.quantile(values, 0.5)[0].as_py()}"
    for conditions in (condition, "not " + condition, [condition, "BMLDCCT:CURRENT > 0"]):
        found = served.when(conditions, *day)
        assert found.complete and len(found) > 0
        assert plain(found) == plain(archive.when(conditions, *day))
        got = served.get("VALCCG*", *day, when=conditions)
        assert len(got) > 0
        assert plain(got) == plain(archive.get("VALCCG*", *day, when=conditions))
        wide = (["VALCCG*"], *day)
        assert plain(served.wide(*wide, every="60s", when=conditions)) == plain(archive.wide(*wide, every="60s", when=conditions))
    assert plain(served.when([condition, "BMLDCCT:CURRENT < -1"], *day, any=True)) == plain(archive.when(condition, *day))
    with pytest.raises(kblake.KblakeError, match="does not answer this question"):
        served.when("@file.csv", *day)


def test_channels_of_the_server(server: str, archive: kblake.Archive) -> None:
    found = kblake.open(server=server).channels("VA*").table
    assert found.sort_by("channel").equals(archive.channels("VA*").table.select(found.column_names).sort_by("channel"))


def test_errors_of_the_server(server: str) -> None:
    served = kblake.open(server=server)
    with pytest.raises(kblake.UnknownChannelError, match="no such channel: nope"):
        served.get("nope")
    with pytest.raises(kblake.KblakeError, match="is not a time"):
        served.get("BM*", "2024-99")
    with pytest.raises(kblake.UnknownChannelError, match="nope"):
        served.get("nope*")
    with pytest.raises(kblake.KblakeError, match="open bracket"):
        served.get("BM[*")
    with pytest.raises(kblake.KblakeError, match="too many values"):
        served.wide("*", *DAY, every="1us")
    with pytest.raises(kblake.KblakeError, match="does not answer this question"):
        served.get("BM*", last=3)
    with pytest.raises(kblake.KblakeError, match="a server has one zone"):
        kblake.open(server=server, zone="UTC")
    with pytest.raises(kblake.KblakeError, match="not the address of a server"):
        kblake.open(server="ftp://host")
    with pytest.raises(kblake.KblakeError, match="does not answer"):
        kblake.open(server="http://127.0.0.1:1")


def test_command_answers_what_the_server_does_not(server: str, simulated: tuple[Path, Path], archive: kblake.Archive) -> None:
    both = kblake.open(server=server, archive=simulated[0], store=simulated[1])
    assert plain(both.get("BM*", last=3)) == plain(archive.get("BM*", last=3))
    assert len(both.held("2024-05-20T01:00")) == 32


def test_answers_say_where_their_look_back_ended(simulated: tuple[Path, Path], tmp_path: Path) -> None:
    settings = tmp_path / "kblake.toml"
    settings.write_text(f'archive = "{simulated[0]}"\nlook-back = "1s"\n', "utf-8")
    with serving(f"--config={settings}") as address:
        served = kblake.open(server=address)
        start, end = "2024-05-20T01:00", "2024-05-20T01:00:10"
        for answer in (
            served.diff(start, end, channels="CGSAFE*"),
            served.when("CGSAFE:D01_01:ITLK >= 0", start, end),
            served.wide("CGSAFE:D01_01:ITLK", start, end, every="10s"),
        ):
            assert any("look-back ended at 2024-05-20" in note or "look-back ended at 2024-05-19" in note for note in answer.notes), answer
            assert answer.complete


def test_incomplete_answers_of_the_server(damaged: Path) -> None:
    with serving(f"--archive={damaged}") as address:
        served = kblake.open(server=address)
        with pytest.warns(kblake.IncompleteWarning, match="damaged"):
            answer = served.get(["RF_AnalogData:D05_037:TEMP"], "2016", "2017")
        assert not answer.complete and answer.problems
        with pytest.warns(kblake.IncompleteWarning):
            expected = kblake.open(archive=damaged).get(["RF_AnalogData:D05_037:TEMP"], "2016", "2017")
        assert plain(answer) == plain(expected)
        assert spans(answer) == spans(expected) and len(spans(answer)[2]) > 0


def test_server_with_token_and_certificate(simulated: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate, token = tmp_path / "key", tmp_path / "certificate", tmp_path / "token"
    token.write_text("abcdefghijklmnop\n")
    line = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*line.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    options = [f"--archive={simulated[0]}", f"--store={simulated[1]}"]
    with serving(*options, more=[f"--token-file={token}", f"--tls-cert={certificate}", f"--tls-key={key}"]) as address:
        assert address.startswith("https:")
        with pytest.raises(kblake.KblakeError, match="certificate verify failed"):
            kblake.open(server=address, token="abcdefghijklmnop")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(kblake.KblakeError, match="token"):
            kblake.open(server=address)
        assert len(kblake.open(server=address, token="abcdefghijklmnop").get("BMLDCCT:CURRENT", *DAY)) > 0
        monkeypatch.setenv("KBLAKE_TOKEN", "abcdefghijklmnop")
        assert len(kblake.open(server=address).channels("BM*")) > 0
