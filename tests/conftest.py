"""Hooks for all tests: what judges the whole run comes last, and calls of testers are observed."""

import gc

from hypothesis import HealthCheck, settings

import tests.given_tangents
import tests.keyword_calls  # noqa: F401 - they observe the testers
from tests.whole_run import (  # noqa: F401 - hooks, which pytest finds here
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_runtestloop,
    pytest_sessionfinish,
    pytest_testnodedown,
)

# Tests of properties may take their time: that a machine is busy is no mistake of the program.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_collection_finish():
    """Leave tens of thousands of tests alone when garbage is collected, which many tests ask for."""
    gc.freeze()
