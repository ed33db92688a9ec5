from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_NO_SHARED = "real dumps live beside the repo in ../shared, absent here"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of research and real dumps, which lives beside the repo."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(_NO_SHARED)
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="let a skipped test fail, unless it is for want of ../shared",
    )


def _forbid(report: pytest.TestReport | pytest.CollectReport, reason: str) -> None:
    if report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which --no-skips forbids: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("no_skips") and call.excinfo is not None:
        reason = str(call.excinfo.value)
        if reason != _NO_SHARED:
            _forbid(report, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report: pytest.CollectReport = yield
    if collector.config.getoption("no_skips"):
        longrepr: Any = report.longrepr
        _forbid(report, str(longrepr))
    return report
