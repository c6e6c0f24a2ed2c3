"""How answers may be remembered, by what annotations look at."""

import typing

import numpy as np
import plum
import pytest

from chainrules_core import Array, Matrix
from chainrules_core.dispatch.memory import Memory, memory_of


@pytest.mark.parametrize(
    ("hints", "memory"),
    [
        ((float, np.ndarray), Memory.BY_TYPE),
        ((float | int, typing.Any), Memory.BY_TYPE),
        ((float, Matrix), Memory.BY_ARRAY),
        ((Array[np.floating] | float,), Memory.BY_ARRAY),
        ((typing.Union[Matrix, None],), Memory.BY_ARRAY),  # noqa: UP007 - the other spelling
        ((tuple[int, ...],), Memory.NEVER),
        ((Matrix, typing.Literal[1]), Memory.NEVER),
        ((Matrix | list[int],), Memory.NEVER),
    ],
)
def test_memory_is_that_of_the_most_demanding_hint(hints, memory):
    """Types suffice for faithful hints, dtype and rank for `Array`; for the rest nothing does."""
    assert memory_of(plum.Signature(*hints)) is memory


@pytest.mark.parametrize(
    ("varargs", "memory"), [(float, Memory.BY_TYPE), (Matrix, Memory.BY_ARRAY), (list[int], Memory.NEVER)]
)
def test_varargs_count(varargs, memory):
    """The annotation of ``*args`` is one like the others."""
    assert memory_of(plum.Signature(float, varargs=varargs)) is memory


def test_key_by_type_ignores_values():
    """Arguments of equal types have one key."""
    one, two = (np.ones(3),), (np.ones((2, 2), int),)
    assert Memory.BY_TYPE.key(None, (), one) == Memory.BY_TYPE.key(None, (), two)


@pytest.mark.parametrize("other", [np.ones((3, 1)), np.ones(3, "float32"), 1.0])
def test_key_by_array_tells_dtype_and_rank(other):
    """Arrays of another dtype or number of axes have another key; of another length the same."""
    key = Memory.BY_ARRAY.key(None, (), (np.ones(3),))
    assert key == Memory.BY_ARRAY.key(None, (), (np.ones(4),))
    assert key != Memory.BY_ARRAY.key(None, (), (other,))


def test_key_tells_configurations():
    """The class of the configuration takes part in the key."""
    assert Memory.BY_TYPE.key(None, (), (1.0,)) != Memory.BY_TYPE.key("config", (), (1.0,))
