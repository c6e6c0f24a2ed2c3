"""Every shortcut gives what the function that it shortens gives, on all the calls that it answers."""

import importlib
import pkgutil

import pytest

from chainrules_core import rrule, shortcuts
from tests.chainrules import shortcuts as tests_of_shortcuts
from tests.chainrules.shortcut_checks import assert_shortcut_equals
from tests.chainrules_core.definition import test_plain_arrays
from tests.python_calls import functions_run_by

rrule.callees()  # loads every ruleset


def own_shortcuts():
    """The shortcuts of this project, by the names of their modules and functions."""
    return {
        f"{shortcut.__module__}.{shortcut.__qualname__}": (shortcut, function)
        for function, shortcut in shortcuts()
        if str(shortcut.__module__).startswith(("chainrules.", "chainrules_core."))
    }


def calls():
    """The calls to try: each test module of a shortcut has them in ``CALLS``, by the name of the shortcut."""
    found = dict(test_plain_arrays.CALLS)
    for module in pkgutil.walk_packages(tests_of_shortcuts.__path__, f"{tests_of_shortcuts.__name__}."):
        tested = importlib.import_module(module.name)
        found.update(getattr(tested, "CALLS", {}))
    return found


CALLS = calls()
SHORTCUTS = own_shortcuts()  # before a docstring's example defines more, in the process that runs it


# Those whose pullbacks need no projection of a plain cotangent, and what they would run on a longer way.
DIRECT = [
    f"chainrules.shortcuts.{name}"
    for name in (
        *("numpy.averages.mean_of_plain", "numpy.differences.diff_of_array"),
        *("numpy.dimensions.expand_dims_of_array", "numpy.dimensions.squeeze_of_array"),
        *("numpy.extreme_elements.extremum_of_plain", "numpy.linalg.norm.norm_of_plain"),
        *("numpy.joining.joining_of_arrays.concatenate", "numpy.joining.joining_of_arrays.stack"),
        *("numpy.products.dot_of_plain", "numpy.products.inner_of_plain", "numpy.products.outer_of_plain"),
        *("numpy.rearranging.flip_of_array", "numpy.searching.where_between_arrays"),
        *("numpy.shapes.ravel_of_array", "numpy.shapes.reshape_of_array", "numpy.sorting.sort_of_vector"),
        *("numpy.sums.cumsum_of_plain", "numpy.sums.sum_of_plain", "operator.items.item_of_plain"),
        *("numpy.transposes.swapaxes_of_array", "numpy.transposes.transpose_of_array"),
    )
]
LONG_WAYS = {
    *("ArrayProjector.__call__", "_wrapfunc", "differences_back", "pull_joined", "pull_matmul"),
    *("pull_shares", "ratio", "scattering_thunk", "unbroadcast"),
}


def test_every_shortcut_has_calls():
    """There are calls for each shortcut, and for nothing else."""
    assert sorted(CALLS) == sorted(SHORTCUTS)


@pytest.mark.parametrize("name", sorted(SHORTCUTS))
def test_shortcuts_equal_what_they_shorten(name):
    """Over NaN, infinities, ties, zeros, complex and single precision; 0-d, empty and strided arrays."""
    shortcut, function = SHORTCUTS[name]

    assert_shortcut_equals(shortcut, function, CALLS[name]())


@pytest.mark.parametrize("name", DIRECT)
def test_pullbacks_take_the_short_way(name):
    """A plain cotangent of a plain result is not projected."""
    shortcut, _ = SHORTCUTS[name]
    call = next(call for call in CALLS[name]() if shortcut(*call.args, **call.kwargs) is not None)
    y, pullback = shortcut(*call.args, **call.kwargs)

    run = functions_run_by(lambda: pullback(y))
    assert not run.keys() & LONG_WAYS
