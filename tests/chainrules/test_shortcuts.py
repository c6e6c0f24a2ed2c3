"""Every shortcut gives what the function that it shortens gives, on all the calls that it answers."""

import importlib
import pkgutil

import pytest

from chainrules_core import rrule, shortcuts
from chainrules_core.definition.shortcuts import ARE_ENABLED
from tests.chainrules import shortcuts as tests_of_shortcuts
from tests.chainrules.shortcut_checks import assert_shortcut_equals, draw_the_same_again
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


# How many of its calls each shortcut answers, and how many it declines. One that declines what it could
# answer gives no wrong result, only a slow one, which no other test notices.
ANSWERED_AND_DECLINED = {
    "chainrules.shortcuts.numpy.averages.mean_of_plain": (127, 229),
    "chainrules.shortcuts.numpy.clipping.cotangent_within_numbers": (437, 1725),
    "chainrules.shortcuts.numpy.diagonals.trace_of_matrix": (40, 54),
    "chainrules.shortcuts.numpy.differences.diff_of_array": (120, 272),
    "chainrules.shortcuts.numpy.dimensions.expand_dims_of_array": (188, 85),
    "chainrules.shortcuts.numpy.dimensions.squeeze_of_array": (107, 58),
    "chainrules.shortcuts.numpy.einsum.einsum_of_plain": (53, 36),
    "chainrules.shortcuts.numpy.element_products.prod_of_plain": (15, 73),
    "chainrules.shortcuts.numpy.extrema.cotangent_of_one": (1172, 9216),
    "chainrules.shortcuts.numpy.extrema.cotangents_of_few": (1136, 9252),
    "chainrules.shortcuts.numpy.extreme_elements.extremum_of_plain": (230, 838),
    "chainrules.shortcuts.numpy.indexing.take_from_array": (221, 333),
    "chainrules.shortcuts.numpy.interpolation.sums_of_vector": (8, 33),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.column_stack": (100, 73),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.concatenate": (144, 157),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.dstack": (100, 73),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.hstack": (100, 73),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.stack": (144, 157),
    "chainrules.shortcuts.numpy.joining.joining_of_arrays.vstack": (100, 73),
    "chainrules.shortcuts.numpy.linalg.det.det_of_plain": (8, 18),
    "chainrules.shortcuts.numpy.linalg.det.push_det_of_plain": (16, 36),
    "chainrules.shortcuts.numpy.linalg.inv.inv_of_plain": (16, 10),
    "chainrules.shortcuts.numpy.linalg.inv.push_inv_of_plain": (32, 20),
    "chainrules.shortcuts.numpy.linalg.norm.norm_of_plain": (19, 69),
    "chainrules.shortcuts.numpy.linalg.slogdet.push_slogdet_of_plain": (16, 36),
    "chainrules.shortcuts.numpy.linalg.slogdet.slogdet_of_plain": (8, 18),
    "chainrules.shortcuts.numpy.linalg.solve.push_solve_of_plain": (16, 88),
    "chainrules.shortcuts.numpy.linalg.solve.solve_of_plain": (16, 88),
    "chainrules.shortcuts.numpy.products.dot_of_plain": (68, 143),
    "chainrules.shortcuts.numpy.products.inner_of_plain": (24, 187),
    "chainrules.shortcuts.numpy.products.outer_of_plain": (24, 187),
    "chainrules.shortcuts.numpy.products.pull_matmul_of_plain": (500, 1922),
    "chainrules.shortcuts.numpy.rearranging.flip_of_array": (97, 72),
    "chainrules.shortcuts.numpy.searching.where_between_arrays": (111, 278),
    "chainrules.shortcuts.numpy.shapes.ravel_of_array": (47, 82),
    "chainrules.shortcuts.numpy.shapes.reshape_of_array": (257, 188),
    "chainrules.shortcuts.numpy.sorting.sort_of_vector": (30, 157),
    "chainrules.shortcuts.numpy.sums.cumsum_of_plain": (11, 77),
    "chainrules.shortcuts.numpy.sums.push_sum_of_plain": (140, 1236),
    "chainrules.shortcuts.numpy.sums.sum_of_plain": (127, 585),
    "chainrules.shortcuts.numpy.transposes.swapaxes_of_array": (121, 57),
    "chainrules.shortcuts.numpy.transposes.transpose_of_array": (117, 125),
    "chainrules.shortcuts.numpy.variances.std_of_plain": (115, 241),
    "chainrules.shortcuts.numpy.variances.var_of_plain": (115, 241),
    "chainrules.shortcuts.operator.items.item_of_plain": (34, 44),
    "chainrules_core.definition.plain_arrays.fitting_cotangent": (483, 2150),
    "chainrules_core.definition.plain_arrays.has_nan": (49, 21),
    "chainrules_core.definition.plain_arrays.negative_of_few": (67, 2566),
    "chainrules_core.definition.plain_arrays.product_for_number": (236, 5596),
    "chainrules_core.definition.plain_arrays.product_of_operands": (2044, 12746),
    "chainrules_core.definition.plain_arrays.same_cotangent": (130, 2503),
    "chainrules_core.definition.plain_arrays.sum_of_arrays": (10448, 7126),
    "chainrules_core.definition.plain_arrays.sum_of_products": (2105, 13555),
}


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
    draw_the_same_again()

    found = assert_shortcut_equals(shortcut, function, CALLS[name]())

    if ARE_ENABLED:  # otherwise some that ask others decline more
        assert found == ANSWERED_AND_DECLINED[name], "it answers other calls than it did: change the table"


@pytest.mark.parametrize("name", DIRECT)
def test_pullbacks_take_the_short_way(name):
    """A plain cotangent of a plain result is not projected."""
    shortcut, _ = SHORTCUTS[name]
    call = next(call for call in CALLS[name]() if shortcut(*call.args, **call.kwargs) is not None)
    y, pullback = shortcut(*call.args, **call.kwargs)

    run = functions_run_by(lambda: pullback(y))
    assert not run.keys() & LONG_WAYS
