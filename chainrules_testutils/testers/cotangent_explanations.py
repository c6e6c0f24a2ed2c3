"""Explanations of a wrong cotangent, found by asking the pullback and the function again."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules_core import AbstractZero, NoTangent, StructuralTangent, ZeroTangent, unthunk_fully
from chainrules_testutils.advice.conjugation import (
    conjugate,
    holds_complex,
    is_wrong_value,
    with_conjugate_hint,
)
from chainrules_testutils.advice.kinks import at_kink, kink_problem
from chainrules_testutils.advice.report import Check, all_passed, any_failed, with_hint
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers.cotangent_references import Reference, reference_for
from chainrules_testutils.testers.trial import Trial
from chainrules_testutils.values.parts import parts
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, structural_tangent
from chainrules_testutils.values.to_vec import to_vec

_JACOBIAN = (
    "hint: this is the shape of a Jacobian: a pullback returns the product of the cotangent with it, in the "
    "shape of the argument."
)


_HELD = (
    "hint: input 1 is the function itself, which holds what this is the derivative by. Return a tangent of "
    "it first; or, where that is constant, test with `PrimalAndTangent(f, NoTangent())`."
)


class Explanations:
    """Explanations of the wrong cotangents of one pullback.

    Parameters
    ----------
    trial
        The run of the tester.
    reference
        The right cotangents.
    cotangents
        The cotangents of all inputs.
    y_bar
        The cotangent that was pulled back.
    pullback
        The pullback.
    """

    def __init__(
        self,
        trial: Trial,
        reference: Reference,
        cotangents: tuple[Any, ...],
        y_bar: Any,
        pullback: Callable[[Any], Any],
    ) -> None:
        self._trial, self._reference = trial, reference
        self._cotangents, self._y_bar, self._pullback = cotangents, y_bar, pullback

    def added_to(self, checks: list[Check], i: int) -> list[Check]:
        """The failed checks of input `i`, each with the first explanation that fits."""
        if not any_failed(checks):
            return checks
        hint = _JACOBIAN if self._is_jacobian(i) else self._other_input(i)
        if i == 0 and isinstance(unthunk_fully(self._cotangents[0]), AbstractZero):
            hint = _HELD
        if hint is None and any(map(is_wrong_value, checks)):
            kink = self._kink(i)
            if kink is not None:
                return [at_kink(check, kink) for check in checks]
            hint = self._outputs(i)
        if hint is not None:
            return [with_hint(check, hint) for check in checks]
        if not holds_complex((self._y_bar, *self._reference.inputs)):
            return checks
        return with_conjugate_hint(checks, lambda: self._conjugated(i))

    def _conjugated(self, i: int) -> Iterator[Check]:
        x_bar = conjugate(self._pullback(conjugate(self._y_bar))[i])
        return self._reference.checks(i, x_bar, "")

    def _is_jacobian(self, i: int) -> bool:
        y, x, x_bar = self._trial.y, self._trial.primals[i], unthunk_fully(self._cotangents[i])
        if not (isinstance(y, np.ndarray) and y.ndim and isinstance(x_bar, np.ndarray)):
            return False
        shape = np.shape(x) if isinstance(x, np.ndarray | float | complex) else None
        return shape is not None and x_bar.shape == y.shape + shape

    def _kink(self, i: int) -> str | None:
        xs = self._reference.inputs
        direction = self._reference.direction(i, self._cotangents[i])
        sizes = [to_vec(x)[0].size for x in xs]
        whole = np.zeros(sum(sizes))
        whole[sum(sizes[:i]) : sum(sizes[: i + 1])] = direction
        weights = cotangent_to_vec(self._trial.call(*copied(xs)), self._y_bar)
        return kink_problem(self._trial.call, xs, whole, weights)

    def _other_input(self, i: int) -> str | None:
        """Whether the cotangent belongs to another input."""
        for j, x_dot in enumerate(self._trial.tangents):
            if j != i and not isinstance(x_dot, NoTangent) and self._fits(j, self._cotangents[i]):
                if self._fits(j, self._cotangents[j]):
                    return f"hint: this is the cotangent of input {j + 1}, which has it too."
                return (
                    f"hint: right for input {j + 1}: cotangents stand in the order of the arguments, after "
                    "the cotangent of the function."
                )
        return None

    def _fits(self, i: int, x_bar: Any) -> bool:
        """Whether that is right for the input `i`."""
        return all_passed(self._reference.checks(i, x_bar, ""))

    def _outputs(self, i: int) -> str | None:
        """For a function with several results: those for which the cotangent is right, if there are some."""
        y, y_bar = self._trial.y, self._y_bar
        if not isinstance(y_bar, StructuralTangent) or not isinstance(y, tuple):
            return None
        verdicts: dict[bool, list[str]] = {True: [], False: []}
        for k in parts(y):
            if not isinstance(y_bar[k], AbstractZero):
                alone = structural_tangent(y, [y_bar[j] if j == k else ZeroTangent() for j in parts(y)])
                verdicts[self._is_right(i, alone)].append(f"output {list(parts(y)).index(k) + 1}")
        if not all(verdicts.values()):
            return None
        return f"hint: right for {', '.join(verdicts[True])}, wrong for {', '.join(verdicts[False])}."

    def _is_right(self, i: int, y_bar: Any) -> bool:
        try:
            cotangents = self._pullback(y_bar)
            return all_passed(reference_for(self._trial, y_bar, cotangents).checks(i, cotangents[i], ""))
        except Exception:  # noqa: BLE001 - a wrong rule may raise anything
            return False
