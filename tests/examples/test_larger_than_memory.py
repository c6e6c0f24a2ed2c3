"""The program that fits more data than the workers of a cluster have memory."""

import re

import pytest

from tests.examples.programs import run_program

pytest.importorskip("dask.array")
pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def run():
    """What a short run prints."""
    return run_program("larger_than_memory", 2)


def test_data_are_four_times_the_memory_of_a_worker(run):
    """The array is four times as large as the limit of each of two workers."""
    size, workers, limit = re.search(r"(\d+) MB of data, (\d) workers with (\d+) MB", run).groups()

    assert int(workers) == 2
    assert int(size) >= 4 * int(limit)


def test_weights_are_those_of_numpy(run):
    """A fit of some rows on the cluster ends where the same fit in memory ends."""
    assert float(re.search(r"weights differ by (\S+)", run)[1]) < 1e-10


def test_all_data_are_fitted(run):
    """The loss falls, and the weights are nearly those that the data were drawn with."""
    after, before = map(float, re.search(r"loss (\S+), (\S+) before", run).groups())

    assert after < before - 0.05
    assert float(re.search(r"true weights (\S+)", run)[1]) > 0.98


def test_progress_is_shown(run):
    """distributed's progress bar runs to its end."""
    assert "100% Completed" in run
