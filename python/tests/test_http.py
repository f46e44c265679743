"""Programs that read addresses by themselves get what a client of HTTP gets."""

from __future__ import annotations

import io
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import dask.dataframe
import fsspec
import pandas as pd
import pytest
from test_server import serving

CHANNEL = "BMLDCCT:CURRENT"
QUESTION = f"/api/v1/data?format=csv&channel={CHANNEL}&from=2024-05-20T00:00&to="


@pytest.fixture(scope="module")
def server(simulated: tuple[Path, Path]) -> Iterator[str]:
    with serving(f"--archive={simulated[0]}", f"--store={simulated[1]}") as address:
        yield address


@pytest.fixture(params=["00:10", "23:59"], ids=["short", "long"])
def address(request: pytest.FixtureRequest, server: str) -> str:
    """An answer with a length, and one that is longer than what the server keeps of it."""
    return f"{server}{QUESTION}2024-05-20T{request.param}"


def body(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        content: bytes = answer.read()
        return content


def test_head_has_the_type_and_no_false_length(address: str) -> None:
    whole = body(address)
    with urllib.request.urlopen(urllib.request.Request(address, method="HEAD")) as answer:
        assert answer.status == 200
        assert answer.headers.get_content_type() == "text/csv"
        assert answer.headers["Content-Length"] in (None, str(len(whole)))
        assert answer.read() == b""


def test_fsspec_reads_the_whole_answer(address: str) -> None:
    with fsspec.open(address, "rb") as file:
        assert file.read() == body(address)


def test_pandas_reads_an_address_through_fsspec(address: str) -> None:
    expected = pd.read_csv(io.BytesIO(body(address)), comment="#")
    assert len(expected) > 5
    with fsspec.open(address, "rb") as file:
        pd.testing.assert_frame_equal(pd.read_csv(file, comment="#"), expected)


def test_dask_reads_an_address(address: str) -> None:
    expected = pd.read_csv(io.BytesIO(body(address)), comment="#")
    answer = dask.dataframe.read_csv(address, comment="#", blocksize=None).compute()
    pd.testing.assert_series_equal(answer["value"].reset_index(drop=True), expected["value"])


def test_an_unknown_channel_is_an_error(server: str) -> None:
    address = f"{server}{QUESTION}2024-05-20T00:10".replace(CHANNEL, "NO:SUCH")
    with pytest.raises(FileNotFoundError):
        fsspec.filesystem("http").info(address)
    with pytest.raises(FileNotFoundError):
        dask.dataframe.read_csv(address, comment="#", blocksize=None).compute()
