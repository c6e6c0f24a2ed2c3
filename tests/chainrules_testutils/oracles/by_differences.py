"""A framework of finite differences over NumPy, for tests of what all oracles have in common."""

import numpy as np

from chainrules_core import Tangent
from chainrules_testutils.comparing import finite_differences


class ByDifferences:
    """The functions of NumPy itself."""

    name = "differences"

    def counterpart(self, name):
        """NumPy has all functions but one."""
        return None if name == "numpy.tan" else getattr(np, name.rpartition(".")[2])

    def constant(self, x):
        """The value itself."""
        return x

    def vjp(self, program, xs):
        """By `j_prime_vp`."""

        def pullback(y_bars):
            return finite_differences.j_prime_vp(None, _of(program), Tangent[tuple](*y_bars), *xs)

        return _of(program)(*xs), pullback

    def jvp(self, program, xs, x_dots):
        """By `jvp`."""
        pairs = zip(xs, x_dots, strict=True)
        return _of(program)(*xs), finite_differences.jvp(None, _of(program), *pairs)


def _of(program):
    return lambda *xs: tuple(np.asarray(y) for y in program(list(xs)))
