"""Tests of `chainrules_core.tangent_spaces.projection.numbers`."""

import math
import numbers
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    is_complex,
    register_carrier,
    thunk,
)
from chainrules_core.tangent_spaces.projection import AbstractNumberProjector, NumberProjector
from tests.chainrules_core.boxes import UncalledBackend
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

REAL_TYPES = [float, np.float16, np.float32, np.float64, np.longdouble]
COMPLEX_TYPES = [complex, np.complex64, np.complex128, np.clongdouble]


class Traced:
    """A carrier that cannot be computed: it knows its primal and its real part, and nothing else."""

    def __init__(self, primal):
        self.primal = primal

    real = property(lambda self: Traced(self.primal.real))


class TracedArray(Traced):
    """A carrier of an array or a NumPy scalar."""

    shape = property(lambda self: self.primal.shape)
    dtype = property(lambda self: self.primal.dtype)
    real = property(lambda self: TracedArray(self.primal.real))


@pytest.fixture(autouse=True, scope="module")
def _carriers():
    register_carrier(__name__, "Traced", UncalledBackend())


@pytest.mark.parametrize("number_type", REAL_TYPES + COMPLEX_TYPES)
def test_a_number_of_the_primals_type_is_returned_as_it_is(number_type):
    """What fits is returned as the same object."""
    x_bar = number_type(1.5)

    assert ProjectTo(number_type(2))(x_bar) is x_bar


@pytest.mark.parametrize("number_type", REAL_TYPES)
@pytest.mark.parametrize(
    "x_bar",
    [2, True, 2.0, np.int8(2), np.bool_(1), np.float16(2), np.float32(2), np.float64(2), np.longdouble(2)],
)
def test_real_numbers_take_the_primals_precision(number_type, x_bar):
    """A real cotangent of another type becomes a number of the primal's type, of the same value."""
    projected = ProjectTo(number_type(1))(x_bar)

    assert isinstance(projected, number_type)
    assert projected == x_bar


@pytest.mark.parametrize("number_type", REAL_TYPES)
@pytest.mark.parametrize(
    "x_bar", [2 + 3j, np.complex64(2 + 3j), np.complex128(2 + 3j), np.clongdouble(2 + 3j)]
)
def test_a_real_primal_takes_the_real_part(number_type, x_bar):
    """The cotangent of a real primal is real."""
    projected = ProjectTo(number_type(1))(x_bar)

    assert isinstance(projected, number_type)
    assert projected == 2


@pytest.mark.parametrize("number_type", COMPLEX_TYPES)
@pytest.mark.parametrize("x_bar", [3, 3.0, np.float32(3), np.complex64(3), 3 + 0j])
def test_a_complex_primal_makes_numbers_complex(number_type, x_bar):
    """The cotangent of a complex primal is complex, in the primal's precision."""
    projected = ProjectTo(number_type(1))(x_bar)

    assert isinstance(projected, number_type)
    assert projected == 3


def test_an_np_float64_fits_a_float():
    """`np.float64` is a `float`: it is not converted."""
    x_bar = np.float64(2.0)

    assert ProjectTo(1.0)(x_bar) is x_bar


def test_a_float_becomes_an_np_float64_for_such_a_primal():
    """The cotangent of an `np.float64` has its exact type."""
    assert type(ProjectTo(np.float64(1))(2.0)) is np.float64


@pytest.mark.parametrize(
    ("x", "number_type"), [(1, float), (np.int8(1), np.float64), (np.uint64(1), np.float64)]
)
def test_integers_are_perturbed_as_floats(x, number_type):
    """A rule, not the projector, knows which arguments are indices."""
    assert ProjectTo(x) == NumberProjector(number_type)
    assert ProjectTo(x)(math.pi) == math.pi
    assert type(ProjectTo(x)(np.float32(2))) is number_type


@pytest.mark.parametrize("x", [Fraction(1, 2), Decimal("0.5")])
@pytest.mark.parametrize("x_bar", [2, 2.5, Fraction(3, 4), Decimal(3), np.float32(1)])
def test_numbers_with_a_precision_of_their_own_take_any_real(x, x_bar):
    """Fractions and decimals leave real cotangents as they are."""
    assert ProjectTo(x)(x_bar) is x_bar


@pytest.mark.parametrize("x", [Fraction(1, 2), Decimal("0.5")])
def test_numbers_with_a_precision_of_their_own_are_real(x):
    """The cotangent of a fraction or a decimal is real too."""
    assert ProjectTo(x)(2 + 3j) == 2.0
    assert ProjectTo(x)(np.array(2 + 3j)) == 2.0


def test_a_float_lets_numbers_with_a_precision_of_their_own_pass():
    """A fraction is more than the float nearest to it."""
    assert ProjectTo(1.0)(Fraction(1, 3)) == Fraction(1, 3)


class Gaussian(numbers.Complex):
    """A complex number of a third party, with no more than the test needs."""

    def __init__(self, real, imag):
        self._parts = real, imag

    real = property(lambda self: self._parts[0])
    imag = property(lambda self: self._parts[1])

    def _undefined(self, *_others):
        raise NotImplementedError

    __complex__ = conjugate = __abs__ = __neg__ = __pos__ = __eq__ = __hash__ = _undefined
    __add__ = __radd__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _undefined


def test_foreign_complex_numbers_lose_their_imaginary_part_for_a_real_primal():
    """A real primal takes the real part of any `numbers.Complex`; other complex primals take it as it is."""
    x_bar = Gaussian(Fraction(1, 2), Fraction(3))

    assert ProjectTo(1.0)(x_bar) == Fraction(1, 2)
    assert ProjectTo(1j)(x_bar) is x_bar
    assert ProjectTo(Gaussian(1, 2))(x_bar) is x_bar


@pytest.mark.parametrize("x", [1.0, np.float32(1), 1j, Fraction(1, 2)])
def test_an_array_without_axes_gives_its_element(x):
    """A 0-d array for a number is that number."""
    projected = ProjectTo(x)(np.array(2.0))

    assert not isinstance(projected, np.ndarray)
    assert projected == 2.0


@pytest.mark.parametrize("x", [1.0, np.float32(1), 1j, Fraction(1, 2)])
@pytest.mark.parametrize("shape", [(1,), (3,), (1, 1), (0,)])
def test_an_array_with_axes_is_refused(x, shape):
    """An array, of one element even, is no cotangent of a number; the error names the shapes."""
    with pytest.raises(
        DimensionMismatchError, match=r"shape \(\).*" + str(shape).replace("(", r"\(").replace(")", r"\)")
    ):
        ProjectTo(x)(np.ones(shape))


@pytest.mark.parametrize("x_bar", ["1.0", None, [1.0], (1.0,), {"a": 1.0}, object()])
@pytest.mark.parametrize("x", [1.0, Fraction(1, 2)])
def test_what_is_no_number_is_refused(x, x_bar):
    """Raw containers and the like are no cotangents of a number, and the error says what would be."""
    with pytest.raises(TypeError, match="ZeroTangent"):
        ProjectTo(x)(x_bar)


def test_structural_tangents_of_complex_numbers_are_numbers():
    """``Tangent[complex]`` is the number that it spells, projected like any."""
    x_bar = Tangent[complex](real=1, imag=NoTangent())

    assert ProjectTo(2j)(x_bar) == 1 + 0j
    assert type(ProjectTo(2j)(x_bar)) is complex
    assert type(ProjectTo(np.complex64(1))(Tangent[complex](imag=thunk(lambda: 2.0)))) is np.complex64
    assert ProjectTo(1.0)(Tangent[complex](real=3.0, imag=4.0)) == 3.0


def test_structural_tangents_of_the_primals_type_pass():
    """A structural tangent of the number's own type is left to whoever made it."""
    x_bar = Tangent[Fraction](_numerator=1.0)

    assert ProjectTo(Fraction(1, 2))(x_bar) is x_bar


def test_structural_tangents_of_other_types_are_refused():
    """A structural tangent of a tuple is no cotangent of a number."""
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(1.0)(Tangent[tuple](1.0))


@pytest.mark.parametrize("x", [1.0, np.float32(1), Fraction(1, 2)])
def test_carriers_pass_without_being_computed(x):
    """A real carrier stays the same object; of a complex one the real part is traced."""
    real, complex_ = Traced(2.0), Traced(2 + 3j)

    assert ProjectTo(x)(real) is real
    assert ProjectTo(1j)(complex_) is complex_
    projected = ProjectTo(x)(complex_)
    assert type(projected) is Traced
    assert projected.primal == 2.0


def test_carriers_of_arrays_pass_if_they_have_no_axes():
    """A carrier's shape is checked, its value is not looked at."""
    without_axes = TracedArray(np.array(2 + 3j))

    assert ProjectTo(1j)(without_axes) is without_axes
    assert ProjectTo(1.0)(without_axes).primal == 2.0
    with pytest.raises(DimensionMismatchError):
        ProjectTo(1.0)(TracedArray(np.ones(3)))


def test_the_projector_of_a_carrier_is_that_of_its_primal():
    """A carrier counts as the value that it carries, however deep."""
    assert ProjectTo(Traced(1.0)) == ProjectTo(1.0)
    assert ProjectTo(Traced(TracedArray(np.float32(1)))) == ProjectTo(np.float32(1))


@pytest.mark.parametrize(
    "project",
    [
        *map(NumberProjector, REAL_TYPES + COMPLEX_TYPES),
        *map(AbstractNumberProjector, (numbers.Real, numbers.Number)),
    ],
)
def test_projectors_are_values(project):
    """A projector is equal to its copies, and its repr evaluates back to it."""
    names = {"np": np, "numbers": numbers} | {
        cls.__name__: cls for cls in (NumberProjector, AbstractNumberProjector)
    }

    assert pickle.loads(pickle.dumps(project)) == project
    assert hash(pickle.loads(pickle.dumps(project))) == hash(project)
    assert eval(repr(project), names) == project
    assert project != NumberProjector(int)


numbers_of_all_kinds = st.one_of(
    st.floats(-1000, 1000, width=16),
    st.complex_numbers(max_magnitude=1000),
    st.integers(-1000, 1000),
    st.fractions(-1000, 1000, max_denominator=100),
    st.floats(-1000, 1000, width=16).map(np.float16),
    st.floats(-1000, 1000, width=32).map(np.float32),
    st.floats(-1000, 1000).map(np.array),
)


@given(x=numbers_of_all_kinds.filter(lambda x: not isinstance(x, np.ndarray)), x_bar=numbers_of_all_kinds)
def test_projecting_twice_is_projecting_once(x, x_bar):
    """A projected cotangent fits: it is returned as the same object."""
    projected = ProjectTo(x)(x_bar)

    assert ProjectTo(x)(projected) is projected


@given(x=numbers_of_all_kinds.filter(lambda x: not isinstance(x, np.ndarray)))
def test_a_number_is_a_cotangent_of_itself(x):
    """Floats, fractions and complex numbers fit their own tangent space; integers become floats."""
    assert ProjectTo(x)(x) == x
    assert ProjectTo(x)(ZeroTangent()) is ZeroTangent()


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.0, False),
        (1, False),
        (1j, True),
        (np.float32(1), False),
        (np.zeros(2, complex), True),
        (ZeroTangent(), False),
    ],
)
def test_is_complex(x, expected):
    """By the type, whatever the value."""
    assert is_complex(x) is expected


def test_projectors_of_other_primals_are_others():
    """Equal for equal tangent spaces, hashable, picklable; their text makes them again."""
    assert_are_values(*(1.0, np.float32(1), np.float64(1), 1j, np.complex64(1), Fraction(1, 2)))


@pytest.mark.parametrize("primal", [1.5, np.float32(1.5), 1j, np.complex64(1j)])
@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128])
def test_numbers_spelled_by_their_parts(primal, kind):
    """A structural tangent of a complex number of any precision is one of the primal's kind."""
    projected = ProjectTo(primal)(Tangent[kind](real=2.0, imag=3.0))

    assert type(projected) is type(primal)
    assert projected == (2.0 + 3.0j if np.iscomplexobj(primal) else 2.0)
