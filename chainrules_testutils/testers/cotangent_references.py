"""The references for cotangents: finite differences of every element, or along one random direction.

In the second, with a random direction ``x_dot`` of an argument, the cotangent ``x_bar`` is right if
``Re<x_bar, x_dot> = Re<y_bar, y_dot>``, where ``y_dot`` is the difference quotient of the primal along
``x_dot``: one stencil for each argument in place of one for each of its elements. A wrong element escapes
only if the direction happens to be orthogonal to the error, which has probability zero.
"""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from chainrules_core import DimensionMismatchError, NoTangent
from chainrules_testutils.advice.report import Check, all_passed, any_failed, failed
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import Stencil, j_prime_vp_vec, jvp_vec, of_linear
from chainrules_testutils.comparing.number_comparison import compared_numbers
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers.config import split_tangents
from chainrules_testutils.testers.trial import Trial
from chainrules_testutils.values.natural_forms import natural_cotangent
from chainrules_testutils.values.precision import ANY_VALUE, Tolerance
from chainrules_testutils.values.tangent_to_vec import (
    cotangent_to_vec,
    perturbable,
    tangent_from_vec,
    tangent_to_vec,
)
from chainrules_testutils.values.to_vec import RealVector


class Reference(Protocol):
    """The references for the cotangents of all inputs of a trial.

    Attributes
    ----------
    inputs
        Where the primal was differentiated.
    largest
        The largest magnitude among the numbers that cotangents are compared with.
    """

    inputs: tuple[Any, ...]
    largest: float

    def measure(self, fdm: Stencil | None) -> RealVector:
        """Compute the differences, and return them."""

    def checks(self, i: int, x_bar: Any, where: str) -> Iterator[Check]:
        """The checks that `x_bar` is the cotangent of input `i`, counted from 0."""

    def direction(self, i: int, x_bar: Any) -> RealVector:
        """A direction in input `i` along which the wrong cotangent `x_bar` is wrong, no longer than one."""


def reference_for(trial: Trial, y_bar: Any, cotangents: tuple[Any, ...]) -> Reference:
    """The reference for the mode that the trial was asked for; computes differences."""
    reference: Reference = (Directional if trial.options.mode == "fast" else ElementWise)(trial, y_bar)

    def checks(_: RealVector) -> Iterator[Check]:
        for i, x_bar in enumerate(cotangents):
            if not isinstance(trial.tangents[i], NoTangent):
                yield from reference.checks(i, x_bar, "")

    trial.measured(reference.measure, checks)
    return reference


class ElementWise:
    """The difference quotients with respect to every element of every input."""

    def __init__(self, trial: Trial, y_bar: Any) -> None:
        self._trial = trial
        self._y_bar = y_bar
        self.inputs = trial.where_it_is_differentiated()
        self.largest = 0.0
        self._expected: Any = ()

    def measure(self, fdm: Stencil | None) -> RealVector:
        """Compute the differences, and return them."""
        trial, xs = self._trial, self.inputs
        masks = list(map(perturbable, xs, trial.tangents))
        linear = [np.full(mask.shape, i in trial.linear) for i, mask in enumerate(masks)]
        gradient = j_prime_vp_vec(
            fdm, trial.call, xs, self._y_bar, np.concatenate(masks), np.concatenate(linear)
        )
        self.largest = float(np.max(np.abs(gradient), initial=0.0))
        self._expected = split_tangents(xs, gradient, list(trial.tangents))
        return gradient

    def checks(self, i: int, x_bar: Any, where: str) -> Iterator[Check]:
        """The comparison of each element."""
        x_bar = natural_cotangent(self.inputs[i], x_bar)
        return compared(x_bar, self._expected[i], where, self._trial.tolerance)

    def direction(self, i: int, x_bar: Any) -> RealVector:
        """The error of `x_bar`."""
        error = cotangent_to_vec(self.inputs[i], x_bar) - cotangent_to_vec(self.inputs[i], self._expected[i])
        error = np.nan_to_num(error, nan=0.0, posinf=0.0, neginf=0.0)  # which are no kinks
        direction: RealVector = error / max(np.max(np.abs(error), initial=0.0), 1e-300)
        return direction


class Directional:
    """For each input the difference quotient along one random direction in it."""

    def __init__(self, trial: Trial, y_bar: Any) -> None:
        self._trial = trial
        self.inputs = trial.where_it_is_differentiated()
        self._y_bar = cotangent_to_vec(trial.call(*copied(self.inputs)), y_bar)
        self._x_dots = {
            i: _direction(x, like, trial.options.rng)
            for i, (x, like) in enumerate(zip(self.inputs, trial.tangents, strict=True))
            if not isinstance(like, NoTangent)
        }
        self._products: dict[int, RealVector] = {}
        self.largest = 0.0

    def measure(self, fdm: Stencil | None) -> RealVector:
        """Compute the differences, and return them."""
        self._products = {i: self._differentiated(i, fdm) for i in self._x_dots}
        self.largest = max((float(np.abs(p).sum()) for p in self._products.values()), default=0.0)
        return np.concatenate([np.empty(0), *self._products.values()])

    def _differentiated(self, i: int, fdm: Stencil | None) -> RealVector:
        """The summands of ``Re<y_bar, y_dot>``."""
        x_dots = [self._x_dots[i] if j == i else NoTangent() for j in range(len(self.inputs))]
        method = of_linear if i in self._trial.linear else fdm
        y_dot = jvp_vec(method, self._trial.call, self.inputs, x_dots)
        return np.asarray(self._y_bar * y_dot)

    def direction(self, i: int, x_bar: Any) -> RealVector:
        """The random direction."""
        return tangent_to_vec(self.inputs[i], self._x_dots[i])

    def checks(self, i: int, x_bar: Any, where: str) -> Iterator[Check]:
        """The comparison of structure and shape, then of the two inner products."""
        x, like = self.inputs[i], self._trial.tangents[i]
        x_bar = natural_cotangent(x, x_bar)
        mask = perturbable(x, like)
        zero = tangent_from_vec(x, like, np.zeros(mask.size))
        structure = list(compared(x_bar, zero, where, ANY_VALUE))
        if not all_passed(structure):
            yield from structure
            return
        try:
            vec = tangent_to_vec(x, x_bar)
        except DimensionMismatchError as error:  # complex for real, which the comparison lets pass
            yield failed(where, str(error))
            return
        if np.any(vec[~mask]):
            yield failed(where, "not zero for a part that cannot be perturbed; give it NoTangent().")
            return
        # Elements that the vector lacks, outside of a sparse array's pattern, are not in the tangent space.
        inside = list(compared(x_bar, tangent_from_vec(x, like, vec), where, self._trial.tolerance))
        if any_failed(inside):
            yield from inside
            return
        yield compared_products(
            vec * tangent_to_vec(x, self._x_dots[i]),
            self._products[i],
            f"{where}, along a random direction",
            self._trial.tolerance,
        )


def compared_products(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Check:
    """The check that two inner products are equal, given the summands of each.

    Where large summands cancel, their errors do not, so the tolerance is relative to the summands.
    """
    with np.errstate(invalid="ignore"):  # infinite summands of both signs: the check fails without a warning
        total, expected_total = actual.sum(), expected.sum()
    scale = max(np.abs(actual).sum(), np.abs(expected).sum())
    wider = Tolerance(tolerance.rtol, max(tolerance.atol, tolerance.rtol * scale))
    return compared_numbers(total, expected_total, where, wider)


def _direction(x: Any, like: Any, rng: np.random.Generator) -> Any:
    """A tangent of length one with no small element, so that no element of a cotangent is overlooked."""
    mask = perturbable(x, like)
    vec = mask * rng.choice([-1.0, 1.0], mask.size) * rng.uniform(0.5, 1.0, mask.size)
    return tangent_from_vec(x, like, vec / max(np.linalg.norm(vec), 1e-300))
