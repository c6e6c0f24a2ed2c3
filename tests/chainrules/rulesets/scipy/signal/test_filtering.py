"""The rules of filters with feedback, against finite differences."""

import numpy as np
import pytest
import scipy
from scipy import signal

from chainrules.ad import grad
from chainrules.makers.versions import is_scipy_since
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

B, A = np.array([0.8, 0.3, -0.2]), np.array([1.3, 0.4])
SOS = np.array([[0.8, 0.3, -0.2, 1.0, 0.4, 0.1], [1.1, -0.4, 0.0, 1.0, -0.2, 0.3]])


@pytest.mark.parametrize("taps", [(B, A), (A, B), (B, A[:1]), (A[:1], B), (B[:1], A[:1])], ids=str)
def test_filters_at_rest(taps):
    """With and without feedback, and with a first coefficient that is not one."""
    check_quickly(signal.lfilter, *(v + 0.2j for v in taps), normal(5))
    check_quickly(signal.lfilter, *taps, normal(2, 1, dtype=complex), axis=-2)


@pytest.mark.parametrize("taps", [(B, A), (A, B), (B, A[:1])], ids=str)
def test_filters_with_a_state(taps):
    """The last state is a result too; of sequences shorter than the state as well."""
    for n in (5, 2, 1):
        test_frule(signal.lfilter, *taps, normal(3, n), -1, normal(3, 2, seed=1))
        test_rrule(signal.lfilter, *taps, normal(3, n), -1, normal(3, 2, seed=1))
    check_quickly(
        signal.lfilter, *(v + 0.2j for v in taps), normal(4, 2, dtype=complex), 0, normal(2, 2, dtype=complex)
    )
    test_rrule(signal.lfilter, *taps, normal(3, 4), fkwargs={"zi": normal(3, 2)})


def test_nothing():
    """No samples, or no sequences, with and without a state."""
    for shape, options in (((2, 0), ()), ((0, 3), ()), ((0, 3), (-1, np.zeros((0, 2))))):
        test_frule(signal.lfilter, B, A, np.zeros(shape), *options)
        test_rrule(signal.lfilter, B, A, np.zeros(shape), *options)


def test_a_state_for_all():
    """SciPy repeats it if there is no feedback."""
    test_frule(signal.lfilter, B, A[:1], normal(3, 4), -1, normal(1, 2, seed=1))
    test_rrule(signal.lfilter, B, A[:1], normal(3, 4), -1, normal(1, 2, seed=1))


def test_filters_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(signal.lfilter, B, A, normal(4, 2), 0)
    check_program(joined_results, B, A, normal(4), normal(2, seed=1))


def joined_results(b, a, x, zi):
    """Both results of a filter in one array."""
    y, zf = signal.lfilter(b, a, x, zi=zi)
    return np.concatenate((y, zf))


def test_lists_and_numbers():
    """What SciPy takes for an array has a cotangent of its own kind."""
    for args in (([0.8, 0.3], [1.0, 0.2], normal(4)), (0.5, (1.3, 0.4), normal(4)), (B, A, [1.0, 0.3, 2.0])):
        test_frule(signal.lfilter, *args)
        test_rrule(signal.lfilter, *args)


def test_sections_at_rest():
    """The first coefficient of a denominator cannot move."""
    check_program(by_free_coefficients, SOS[:, :3], SOS[:, 4:], normal(3))
    check_program(by_free_coefficients, SOS[:, :3], SOS[:, 4:], normal(3, 2, dtype=complex), order=1)


def by_free_coefficients(b, a, x, axis=0):
    """Filters in sections, of the coefficients that are not one."""
    return signal.sosfilt(np.concatenate((b, np.ones((2, 1)), a), axis=1), x, axis)


def test_one_section():
    """It may be given without an axis for sections."""

    def f(b, a, x, zi):
        sos = np.concatenate((b, np.ones(1), a))
        return signal.sosfilt(sos, x)[0] + np.sum(signal.sosfilt(sos, x, -1, zi)[0])

    check_program(f, SOS[0, :3], SOS[0, 4:], normal(4), normal(1, 2), order=1)


def test_sections_with_states():
    """The last states are a result too."""

    def f(b, a, x, zi):
        y, zf = signal.sosfilt(np.concatenate((b, np.ones((2, 1)), a), axis=1), x, 0, zi)
        return np.concatenate((np.ravel(y), np.ravel(zf)))

    check_program(f, SOS[:, :3], SOS[:, 4:], normal(3, 2), normal(2, 2, 2), order=1)
    check_program(f, SOS[:, :3], SOS[:, 4:], normal(1, dtype=complex), normal(2, 2, dtype=complex), order=1)


@pytest.mark.parametrize("taps", [(B, A), (A, B), (B[:1], A)], ids=str)
def test_steady_states(taps):
    """Of coefficients of any number."""
    test_frule(signal.lfilter_zi, *taps)
    test_rrule(signal.lfilter_zi, *taps)
    test_rrule(signal.lfilter_zi, *(list(v + 0.2j) for v in taps))


def test_zeros_before_a_denominator():
    """SciPy leaves them out, and from version 1.18 on it refuses them, with and without derivatives."""

    def f(b, a):
        return signal.lfilter_zi(b, np.concatenate((np.zeros(1), a)))

    if np.lib.NumpyVersion(scipy.__version__) < "1.18.0":
        check_program(f, B, A)
    else:
        for call in (f, grad(lambda b, a: np.sum(f(b, a)))):
            with pytest.raises(ValueError, match="First coefficient"):
                call(B, A)


def test_steady_states_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(signal.lfilter_zi, B, A)


@pytest.mark.parametrize(
    "f",
    [
        lambda b, a, x: signal.filtfilt(b, a, x, padlen=3),
        lambda b, a, x: signal.filtfilt(b, a, x, padtype="even", padlen=2),
        pytest.param(
            lambda b, a, x: signal.sosfiltfilt(np.concatenate((b, [1.0], a, [0.1]))[None], x, padlen=2),
            marks=pytest.mark.skipif(
                not is_scipy_since(1, 16), reason="SciPy 1.15 assigns to the shape of an array"
            ),
        ),
        lambda b, a, x: signal.lfiltic(b, np.concatenate((np.ones(1), a)), x[:2], x[2:]),
        lambda b, a, x: signal.sosfilt_zi(np.concatenate((b, [1.0], a, x[:1]))[None]),
    ],
)
def test_filters_of_scipy_that_are_made_of_these(f):
    """They are followed."""
    check_program(f, B, np.array([0.4]), normal(8), order=1)
