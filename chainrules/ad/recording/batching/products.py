"""Products of arrays, with a leading axis for the items."""

import string
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.items import Call, Items, NoBatchedFormError, aligned


def matmul(call: Call) -> Any:
    """``a @ b``: one product where one of the two is the same for all items, else one for each."""
    a, b = call.args
    if call.kwargs:
        raise NoBatchedFormError
    return _matmul(a, b)


def _matmul(a: Any, b: Any) -> Any:
    na, nb = np.ndim(_plain(a)), np.ndim(_plain(b))
    if not isinstance(b, Items) and (na > 1 or nb <= 2):
        return np.matmul(a.aligned(nb) if nb > 2 else a.value, b)
    if not isinstance(a, Items) and nb > 1 and na <= 2:
        return np.matmul(a, b.value)
    if not isinstance(a, Items) and nb == 1 and na <= 2:
        return np.matmul(b.value, np.transpose(a))
    ndim = max(na, nb, 2)
    y = np.matmul(_as_matrices(a, -2, ndim), _as_matrices(b, -1, ndim))
    if nb == 1:
        y = y[..., 0]
    return (y[..., 0, :] if nb > 1 else y[..., 0]) if na == 1 else y


def _as_matrices(x: Any, axis: int, ndim: int) -> Any:
    """Vectors as matrices of one row or column, and all with `ndim` axes."""
    shape = list(np.shape(_plain(x)))
    if len(shape) == 1:
        shape.insert(0 if axis == -2 else 1, 1)
    shape = [1] * (ndim - len(shape)) + shape
    return x.shaped(*shape) if isinstance(x, Items) else np.reshape(x, shape)


def dot(call: Call) -> Any:
    """``np.dot(a, b)``, which for more than two axes is a sum over one of each."""
    a, b = call.args
    na, nb = np.ndim(_plain(a)), np.ndim(_plain(b))
    if 0 in (na, nb):
        return _multiplied(a, b)
    return _matmul(a, b) if nb <= 2 else _tensordot(a, b, [na - 1], [nb - 2])


def inner(call: Call) -> Any:
    """``np.inner(a, b)``: a sum over the last axes."""
    a, b = call.args
    na, nb = np.ndim(_plain(a)), np.ndim(_plain(b))
    if 0 in (na, nb):
        return _multiplied(a, b)
    return _matmul(a, b) if na == nb == 1 else _tensordot(a, b, [na - 1], [nb - 1])


def vdot(call: Call) -> Any:
    """``np.vdot(a, b)`` of all elements."""
    a, b = (
        Items(x.shaped(-1), np.ravel(x.plain)) if isinstance(x, Items) else np.ravel(x) for x in call.args
    )
    if isinstance(a, Items):
        return _matmul(Items(np.conjugate(a.value), a.plain), b)
    return _matmul(np.conjugate(a), b)


def outer(call: Call) -> Any:
    """``np.outer(a, b)`` of all elements."""
    if call.kwargs:
        raise NoBatchedFormError
    a, b = call.args
    column = a.shaped(-1, 1) if isinstance(a, Items) else np.reshape(a, (-1, 1))
    return np.multiply(column, b.shaped(1, -1) if isinstance(b, Items) else np.reshape(b, (1, -1)))


def tensordot(call: Call) -> Any:
    """``np.tensordot(a, b, axes)``."""
    a, b, axes = (*call.args, *call.kwargs.values(), 2)[:3]
    na, nb = np.ndim(_plain(a)), np.ndim(_plain(b))
    if isinstance(axes, int):
        return _tensordot(a, b, list(range(na - axes, na)), list(range(axes)))
    of_a, of_b = ([x] if isinstance(x, int) else list(x) for x in axes)
    return _tensordot(a, b, [i % na for i in of_a], [i % nb for i in of_b])


def _tensordot(a: Any, b: Any, of_a: list[int], of_b: list[int]) -> Any:
    if not isinstance(b, Items):
        return np.tensordot(a.value, b, ([i + 1 for i in of_a], of_b))
    if not isinstance(a, Items):
        y = np.tensordot(a, b.value, (of_a, [i + 1 for i in of_b]))
        return np.moveaxis(y, np.ndim(a) - len(of_a), 0)
    letters = iter(string.ascii_letters)
    batch = next(letters)
    in_a = [next(letters) for _ in range(a.ndim)]
    in_b = [next(letters) for _ in range(b.ndim)]
    for i, j in zip(of_a, of_b, strict=True):
        in_b[j] = in_a[i]
    summed = {in_a[i] for i in of_a}
    left = "".join(letter for letter in in_a + in_b if letter not in summed)
    return np.einsum(f"{batch}{''.join(in_a)},{batch}{''.join(in_b)}->{batch}{left}", a.value, b.value)


def einsum(call: Call) -> Any:
    """``np.einsum`` of a text: the items get a letter of their own."""
    text, *operands = call.args
    if not isinstance(text, str):
        raise NoBatchedFormError
    text = text.replace(" ", "")
    terms, arrow, result = text.partition("->")
    if not arrow:
        letters = terms.replace(",", "").replace(".", "")
        result = "..." * ("..." in terms) + "".join(x for x in sorted(set(letters)) if letters.count(x) == 1)
    batch = next(x for x in string.ascii_letters if x not in text)
    pairs = zip(terms.split(","), operands, strict=True)
    terms = ",".join(batch * isinstance(x, Items) + term for term, x in pairs)
    values = [x.value if isinstance(x, Items) else x for x in operands]
    return np.einsum(f"{terms}->{batch}{result}", *values, **call.kwargs)


def _multiplied(a: Any, b: Any) -> Any:
    ndim = max(np.ndim(_plain(a)), np.ndim(_plain(b)))
    return np.multiply(aligned(a, ndim), aligned(b, ndim))


def _plain(x: Any) -> Any:
    return x.plain if isinstance(x, Items) else x
