"""Archives that the tests read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import kblake

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("KBLAKE_COMMAND") or str(ROOT / "bin" / "kblake")
SAMPLES = ROOT / "src" / "test" / "resources" / "samples"

#: Runs the command without the package, and returns its output.
Run = Callable[..., str]


@pytest.fixture(scope="session", autouse=True)
def environment() -> None:
    """Settings of the machine have no effect."""
    for name in [name for name in os.environ if name.startswith("KBLAKE_") and name != "KBLAKE_JAVA_OPTS"]:
        del os.environ[name]
    os.environ["KBLAKE_COMMAND"] = COMMAND


@pytest.fixture(scope="session")
def run() -> Run:
    def call(*arguments: str, status: int = 0) -> str:
        done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def simulated(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two and a half hours of a simulated machine, the directory of the archive, and that of its columns."""
    root = tmp_path_factory.mktemp("simulated")
    archive, store = root / "archive", root / "store"
    run("simulate", "--scale", "0.2", "--days", "0.1", str(archive))
    run(f"--archive={archive}", f"--store={store}", "backfill")
    return archive, store


@pytest.fixture(scope="session")
def archive(simulated: tuple[Path, Path]) -> kblake.Archive:
    return kblake.open(archive=simulated[0], store=simulated[1])


@pytest.fixture(scope="session", params=["tiny-le", "tiny-be", "mixed"])
def sample(request: pytest.FixtureRequest) -> Path:
    """A directory with an archive, and with files of its events."""
    return SAMPLES / str(request.param)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """An archive whose log has damaged bytes in its middle."""
    copy = tmp_path / "archive"
    shutil.copytree(SAMPLES / "mixed" / "archive", copy)
    log = max((copy / "RF").glob("*.log*"), key=lambda file: file.stat().st_size)
    log.chmod(0o644)
    content = bytearray(log.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 4000] = b"\xff" * 4000
    log.write_bytes(content)
    return copy


@pytest.fixture
def cut_short(tmp_path: Path) -> Path:
    """An archive with a closed log that ends before its index."""
    copy = tmp_path / "archive"
    shutil.copytree(SAMPLES / "mixed" / "archive", copy)
    log = copy / "RF" / "AnalogData_20160516000000.log2"
    log.chmod(0o644)
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 3])
    # Closed logs have not changed for a minute.
    for file in log, log.with_suffix(".log1"):
        os.utime(file, (0, 0))
    return copy
