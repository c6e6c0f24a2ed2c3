"""Order: what judges the whole run comes last."""


def pytest_collection_modifyitems(items):
    """Run the tests that are marked so after all others."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)
