"""`TestConfig`: the configuration with which the testers call rules, an AD system by finite differences."""

from typing import Any

import numpy as np

from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    frule,
    frule_via_ad,
    rrule,
    rrule_via_ad,
)
from chainrules_testutils.comparing.finite_differences import Stencil, j_prime_vp_vec, jvp_vec
from chainrules_testutils.values.rand_tangent import rand_tangent
from chainrules_testutils.values.tangent_to_vec import perturbable, tangent_from_vec
from chainrules_testutils.values.to_vec import to_vec


class TestConfig(RuleConfig[HasReverseMode, HasForwardsMode]):
    """A configuration with both modes, so that rules which call back into AD can be tested.

    ``rrule_via_ad`` and ``frule_via_ad`` use the rule where there is one, and finite differences where not.

    Parameters
    ----------
    fdm
        The method of finite differences, see `chainrules_testutils.comparing.finite_differences`.
    """

    __test__ = False  # for pytest

    def __init__(self, fdm: Stencil | None = None) -> None:
        self.fdm = fdm


@rrule_via_ad.dispatch
def rrule_via_test_config(config: TestConfig, f: object, *args: object, **kwargs: object) -> Any:
    """The rule for a call, or finite differences."""
    answer = rrule(config, f, *args, **kwargs)
    if answer is not None:
        return answer
    xs = (f, *args)

    def call(f: Any, *args: Any) -> Any:
        return f(*args, **kwargs)

    def finite_differences_pullback(y_bar: Any) -> tuple[Any, ...]:
        likes = [rand_tangent(x, 0) for x in xs]
        mask = np.concatenate([perturbable(x, like) for x, like in zip(xs, likes, strict=True)])
        gradient = j_prime_vp_vec(config.fdm, call, xs, y_bar, mask)
        return split_tangents(xs, gradient, likes)

    return call(f, *args), finite_differences_pullback


@frule_via_ad.dispatch
def frule_via_test_config(
    config: TestConfig,
    tangents: tuple,  # type: ignore[type-arg]  # faithful for plum
    f: object,
    *args: object,
    **kwargs: object,
) -> Any:
    """The rule for a call, or finite differences."""
    answer = frule(config, tangents, f, *args, **kwargs)
    if answer is not None:
        return answer

    def call(f: Any, *args: Any) -> Any:
        return f(*args, **kwargs)

    y = call(f, *args)
    return y, tangent_from_vec(y, rand_tangent(y, 0), jvp_vec(config.fdm, call, (f, *args), tangents))


def split_tangents(xs: tuple[Any, ...], vec: Any, likes: list[Any]) -> tuple[Any, ...]:
    """The tangents of several values that one vector spells, see `tangent_from_vec`."""
    ends = np.cumsum([to_vec(x)[0].size for x in xs])
    vecs = np.split(vec, ends[:-1])
    return tuple(map(tangent_from_vec, xs, likes, vecs))
