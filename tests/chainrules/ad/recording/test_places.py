"""The line of the user's program."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from chainrules.ad.recording.places import is_users_file, user_place


def test_the_users_line():
    """It stands in a file that is neither a library's nor ours."""
    assert user_place()[0] == __file__
    assert is_users_file(__file__)
    assert not is_users_file(np.__file__)


def test_where_no_line_is_the_users():
    """A pool of threads begins in Python's own code."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(user_place).result() is None
