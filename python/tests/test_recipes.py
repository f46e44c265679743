<<<<<<< HEAD
"""The recipes of docs/physicist.md run, and all of them give the figures of the command."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
=======
"""The joins and derived channels of docs/python.md give what loops over events give."""

from __future__ import annotations

import re
>>>>>>> 9b21c2a1 (Test kblake moved and the recipes for joins, and write one line for gaps of several groups)
from pathlib import Path
from typing import Any

import pytest
<<<<<<< HEAD
from conftest import COMMAND, ROOT

PAGE = (ROOT / "docs" / "physicist.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SHELL = re.findall(r"^\$ (.*)$", PAGE, re.MULTILINE)

#: Spark has a web page and ports, which other machines must not reach.
SPARK = """spark.master local[1]
spark.ui.enabled false
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
spark.sql.shuffle.partitions 1
"""


def java_of_spark() -> str | None:
    """The home of a Java that Spark 4.1 runs on: 17 or 21."""
    found = shutil.which("java")
    homes = [os.environ.get("JAVA_HOME"), found and str(Path(found).resolve().parents[1]), *glob.glob("/usr/lib/jvm/*")]
    for home in homes:
        if home and os.access(Path(home, "bin", "java"), os.X_OK):
            version = subprocess.run([Path(home, "bin", "java"), "-version"], capture_output=True, text=True).stderr
            if re.search(r'version "(17|21)\.', version):
                return home
    return None


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory in which the shell lines of the page were run, and which is the working directory."""
    directory = tmp_path_factory.mktemp("recipes")
    (directory / "bin").mkdir()
    (directory / "bin" / "kblake").symlink_to(COMMAND)
    (directory / "conf").mkdir()
    (directory / "conf" / "spark-defaults.conf").write_text(SPARK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{directory / 'bin'}:{os.environ['PATH']}")
        patch.setenv("KBLAKE_ARCHIVE", "archive")
        patch.setenv("KBLAKE_STORE", "store")
        patch.setenv("SPARK_CONF_DIR", str(directory / "conf"))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.chdir(directory)
        subprocess.run(["bash", "-ec", "\n".join(SHELL)], check=True, stdout=subprocess.DEVNULL)
        yield directory


@pytest.fixture(scope="module")
def expected(prepared: Path) -> list[float]:
    """The means of all hours, by the command."""
    command = "kblake get VALCCG:D01_L01A:PRES --from 2024-05-20 --to 2024-05-21 --every 1h --aggregate mean"
    lines = subprocess.check_output(shlex.split(command), text=True).splitlines()
    means = [float(line.split(",")[2]) for line in lines[1:]]
    assert len(means) == 24
    return means


def numbers(hours: Any) -> list[float]:
    """The means in the form of any library, in the order of time."""
    if hasattr(hours, "collect") and hasattr(hours, "sparkSession"):
        return [row[1] for row in hours.collect()]
    if hasattr(hours, "to_arrow"):
        hours = hours.to_arrow()
    if hasattr(hours, "table"):
        hours = hours.table
    if hasattr(hours, "column_names"):
        times = hours.column_names[[name.endswith(("hour", "time")) for name in hours.column_names].index(True)]
        values = hours.column_names[["value" in name for name in hours.column_names].index(True)]
        return list(hours.sort_by(times)[values].to_pylist())
    return list(hours.dropna())


@pytest.mark.parametrize("recipe", RECIPES, ids=[re.findall(r"import (\w+)", recipe)[-1] for recipe in RECIPES])
def test_recipe_gives_the_means_of_the_command(
    recipe: str, expected: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "pyspark" in recipe:
        java = java_of_spark()
        if java is None:
            pytest.skip("Spark 4.1 needs a JDK 17 or 21")
        monkeypatch.setenv("JAVA_HOME", java)
    names: dict[str, Any] = {}
    exec(recipe, names)
    assert capsys.readouterr().out
    means = numbers(names["hours"])
    # An hour without events has no mean.
    assert means == pytest.approx([mean for mean in expected if mean == mean], rel=1e-12)


def test_the_page_has_a_recipe_for_each_library() -> None:
    assert len(RECIPES) == 8
    for library in ("pandas", "polars", "pyarrow", "duckdb", "pyspark", "kblake"):
        assert any(f"import {library}" in recipe or f"from {library}" in recipe for recipe in RECIPES), library
=======
from conftest import ROOT

import kblake

DAY = ("2024-05-20T00:00", "2024-05-20T02:00")
PRESSURE = "VALCCG:D01_L01A:PRES"
CURRENT = "BMLDCCT:CURRENT"
TEN_SECONDS = 10_000_000_000


@pytest.fixture(scope="module")
def results(simulated: tuple[Path, Path]) -> dict[str, Any]:
    """The variables of the example."""
    text = (ROOT / "docs" / "python.md").read_text()
    [example] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "join_asof" in block]
    variables: dict[str, Any] = {"a": kblake.open(archive=simulated[0], store=simulated[1]), "day": DAY}
    exec(example, variables)
    return variables


def events(archive: kblake.Archive, name: str) -> list[tuple[int, float]]:
    table = archive.get(name, *DAY).table
    rows = zip(table["time"].cast("int64").to_pylist(), table["state"].to_pylist(), table["value"].to_pylist(), strict=True)
    return sorted((nanos, value) for nanos, state, value in rows if state == "value")


def naive(archive: kblake.Archive) -> list[tuple[int, float | None]]:
    """pressure / current at the times of the pressure, by loops."""
    currents = events(archive, CURRENT)
    ratios: list[tuple[int, float | None]] = []
    for nanos, pressure in events(archive, PRESSURE):
        earlier = [each for each in currents if each[0] <= nanos]
        known = bool(earlier) and nanos - earlier[-1][0] <= TEN_SECONDS
        ratios.append((nanos, pressure / earlier[-1][1] if known else None))
    return ratios


def test_as_of_joins_are_those_of_loops(results: dict[str, Any], archive: kblake.Archive) -> None:
    expected = naive(archive)
    assert len(expected) > 100
    assert sum(ratio is not None for _, ratio in expected) > 100
    for table in (results["ratio"], results["same"]):
        assert list(zip(table["nanos"].to_pylist(), table["ratio"].to_pylist(), strict=True)) == expected


def test_a_derived_grid_is_that_of_its_columns(results: dict[str, Any], archive: kblake.Archive) -> None:
    grid = archive.wide([PRESSURE, CURRENT], *DAY, every="10s").table
    assert len(grid) == 721
    pairs = zip(grid[PRESSURE].to_pylist(), grid[CURRENT].to_pylist(), strict=True)
    expected = [None if one is None or other is None else one / other for one, other in pairs]
    assert results["held"].to_pylist() == expected
    assert sum(each is not None for each in expected) > 100
>>>>>>> 9b21c2a1 (Test kblake moved and the recipes for joins, and write one line for gaps of several groups)
