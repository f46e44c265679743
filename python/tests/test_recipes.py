"""The recipes of docs/physicist.md run, and all of them give the figures of the command."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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
