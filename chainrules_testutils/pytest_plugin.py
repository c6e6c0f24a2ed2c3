"""The pytest plugin: fixtures, and the rules that a run has not tested."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_SENT = "chainrules_rule_coverage"
_FAIL = "fail"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--rule-coverage``, and the setting of the folders that it looks at."""
    parser.getgroup("chainrules").addoption(
        "--rule-coverage",
        nargs="?",
        const="report",
        choices=("report", _FAIL),
        help="list the derivative rules that no tester was called for; =fail also fails the run; "
        "before other arguments write =report",
    )
    parser.addini(
        "rule_coverage_paths",
        "files and folders whose rules --rule-coverage is about (the root folder by default)",
        type="paths",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Count rules only if asked to, since every run of pytest comes here where the package is installed."""
    if config.getoption("rule_coverage", None):
        config.pluginmanager.register(_Coverage(config), "chainrules_rule_coverage")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator whose seed is a checksum of the test's id: each test has its own, the same in every run."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture
def rule_config() -> Any:
    """The configuration that rules are called with: a new `TestConfig`.

    Override it in a ``conftest.py`` to test rules under the configuration of an AD system.
    """
    from chainrules_testutils.testers.config import TestConfig  # noqa: PLC0415 - most runs need no fixture of this

    return TestConfig()


class _Coverage:
    """The hooks that count rules, in the only process or in one of pytest-xdist's, and report."""

    def __init__(self, config: pytest.Config) -> None:
        from chainrules_testutils.testers.rule_coverage import RuleCoverage  # noqa: PLC0415 - as above

        self._config = config
        self._folders = [Path(path) for path in config.getini("rule_coverage_paths")] or [config.rootpath]
        self._from_workers: list[RuleCoverage] = []
        self._type = RuleCoverage

    def _total(self) -> Any:
        total = self._type.of_this_process(self._folders)
        for coverage in self._from_workers:
            total.add(coverage)
        return total

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the rules that a worker of pytest-xdist has counted."""
        sent = getattr(node, "workeroutput", {}).get(_SENT)
        if sent is not None:
            self._from_workers.append(self._type.from_plain(sent))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts if this is a worker, and fail the run if that was asked for."""
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_SENT] = self._total().to_plain()
        elif self._fails() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List the rules that were not tested."""
        coverage = self._total()
        terminalreporter.section("rule coverage", red=self._fails(), yellow=bool(coverage.missing))
        terminalreporter.write_line(coverage.summary())
        for line in coverage.missing:
            terminalreporter.write_line(f"NOT TESTED {line}")

    def _fails(self) -> bool:
        return self._config.getoption("rule_coverage") == _FAIL and bool(self._total().missing)
