"""The commands and programs of docs/cluster.md work as they are written there, in their order, with other names of hosts and directories.

Those of the section on sizes take minutes, and are not run. Properties are those of Trino, which is not there.
"""

import os
import pathlib
import re
import subprocess

import pytest

import archives
from conftest import JARS
from kblake_command import COMMAND

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "cluster.md"


def snippets():
    """Returns the indented commands and the blocks of Python of the page in their order, as (kind, text)."""
    found = []
    pattern = re.compile(r"^```(\w+)\n(.*?)^```$|^((?: {4}[^\n]+\n)+)", re.MULTILINE | re.DOTALL)
    for language, code, commands in pattern.findall(PAGE.read_text().split("\n## Sizes and costs")[0]):
        found.append((language, code) if language else ("sh", re.sub(r"^ {4}", "", commands, flags=re.MULTILINE)))
    return found


@pytest.fixture(scope="module")
def places(work, hdfs, endpoint, drivers):
    """What stands for the hosts and directories of the page."""
    (work / "srv").mkdir()
    return {
        "hdfs://namenode:8020": hdfs.uri,
        "https://s3.example.org": endpoint,
        "jdbc:postgresql://db.example.org/lake": f"jdbc:sqlite:{work / 'catalog.db'}",
        "spark://master:7077": "local[2]",
        "/opt/jars/": f"{JARS / 'spark'}/",
        "/srv/": f"{work / 'srv'}/",
    }


def test_the_page_has_no_other_kind_of_block():
    assert {kind for kind, _ in snippets()} == {"sh", "python", "properties"}
    assert len(snippets()) >= 10


def test_every_snippet_runs(work, places, sessions):
    sessions.stop()
    archives.simulated(work / "archive", "--scale", "0.1", "--days", "0.1")
    environment = {
        **os.environ,
        "PATH": f"{pathlib.Path(COMMAND).parent}:{os.environ['PATH']}",
        "KBLAKE_ARCHIVE": str(work / "archive"),
        "KBLAKE_STORE": str(work / "store"),
    }
    names = {}
    try:
        for kind, text in snippets():
            for written, real in places.items():
                text = text.replace(written, real)
            if kind == "python":
                exec(compile(text, str(PAGE), "exec"), names)
            elif kind == "sh":
                done = subprocess.run(["bash", "-e"], input=text, text=True, capture_output=True, env=environment, cwd=work, timeout=300)
                assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    finally:
        if "spark" in names:
            names["spark"].stop()
