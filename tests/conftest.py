"""Order: what judges the whole run comes last, and calls by keyword are observed from the start."""

import tests.given_tangents
import tests.keyword_calls  # noqa: F401 - they observe the testers


def pytest_collection_modifyitems(items):
    """Run the tests that are marked so after all others."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)
