"""Hooks for all tests: what judges the whole run comes last, and calls of testers are observed."""

from hypothesis import settings

import tests.given_tangents
import tests.keyword_calls  # noqa: F401 - they observe the testers
from tests.whole_run import (  # noqa: F401 - hooks, which pytest finds here
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_runtestloop,
    pytest_testnodedown,
)

# Tests of properties may take their time: that a machine is busy is no mistake of the program.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")
