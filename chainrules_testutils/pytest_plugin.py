"""The pytest plugin: testers are never collected as tests, random numbers come from the test's name."""

import zlib
from typing import Any

import numpy as np
import pytest

_PACKAGE = __name__.partition(".")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[Any] | None:
    """Collect nothing for what a test module imports from this package: `test_rrule` is no test."""
    owner = getattr(obj, "__module__", None)
    is_ours = isinstance(owner, str) and owner.partition(".")[0] == _PACKAGE
    return [] if is_ours else None


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator whose seed is a checksum of the test's id: each test has its own, the same in every run."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))
