"""The examples of docs/python.md run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT


def test_examples_run(simulated: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "archive").symlink_to(simulated[0])
    (tmp_path / "columns").symlink_to(simulated[1])
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(blocks) == 4
    exec("".join(blocks), {})
    assert "answered" in capsys.readouterr().out
