"""Programs with searches of SciPy in them."""

import dataclasses
import functools
import math

import numpy as np
from scipy.integrate import dblquad, odeint, quad, quad_vec, solve_bvp, solve_ivp, tanhsinh
from scipy.optimize import (
    Bounds,
    brentq,
    curve_fit,
    fsolve,
    least_squares,
    linear_sum_assignment,
    linprog,
    minimize,
    minimize_scalar,
    newton,
    nnls,
    root,
    root_scalar,
)

SAMPLES = np.linspace(0.0, 1.0, 5)
RATE = 2.0
HITS = []


def decay(t, rate, size=1.0):
    """A function of a module, with arguments after its variable."""
    return np.exp(-rate * t) * size


class Wave:
    """An object with a number, and a method to be integrated."""

    def __init__(self, k):
        self.k = k

    def height(self, t):
        """The wave."""
        return np.cos(self.k * t)

    __call__ = height


@dataclasses.dataclass
class Line:
    """Two numbers."""

    slope: float
    start: float


def turns(p):
    """A variable that each turn of a loop changes."""
    y = 0.0
    for k in range(3):
        y = y + quad(lambda t: np.cos(k * t * p), 0.0, 1.0)[0]  # noqa: B023 - it is called in its turn
    return y


def of_functions(p):
    """A function that calls another one."""

    def inner(t):
        return p * t

    return quad(lambda t: inner(t) ** 2 * np.sum(SAMPLES) * RATE, 0.0, 1.0)[0]


def one_in_another(p):
    """The result of one is what the next one integrates, and where."""
    a = quad(lambda t: math.exp(-p * t), 0.0, 1.0)[0]
    return quad(lambda t: a * t * p, 0.0, a)[0]


def held(p):
    """Numbers in a list, a dict, an array and a dataclass."""
    numbers, line, c = {"all": [p, 2.0 * p], "n": 3}, Line(p, 2.0), np.array([p, 1.0])
    return quad(
        lambda t: numbers["all"][1] * t ** numbers["n"] + line.slope * t + line.start + c[0] * c[1], 0.0, 1.0
    )[0]


def bound(p):
    """Methods, callable objects and partial applications."""
    wave = Wave(p)
    y = quad(wave.height, 0.0, 1.0)[0] + quad(wave, 0.0, 2.0)[0]
    return y + quad(functools.partial(decay, rate=p), 0.0, 1.0)[0]


def written_between(p):
    """An array that the program writes into, between two integrals."""
    c = np.zeros(2)
    c[0] = 1.0
    y = quad(lambda t: c[0] * t * p, 0.0, 1.0)[0]
    d = c.copy()
    d[0] = 4.0
    return y + quad(lambda t: d[0] * t * p, 0.0, 1.0)[0]


def assigned_between(p):
    """A variable that is assigned to, between two integrals."""
    k = 1.0
    y = quad(lambda t: k * t * p, 0.0, 1.0)[0]
    k = 3.0
    return y + quad(lambda t: k * t * p, 0.0, 1.0)[0]


def decides(p):
    """Which way it goes depends on the integral."""
    y = quad(lambda t: p * t, 0.0, 1.0)[0]
    return y * 2.0 if y > 0.4 else y * p


def fails(p):
    """An error, which the program expects."""
    try:
        return brentq(lambda x: x**2 + p - 0.8, 0.0, 1.0)
    except ValueError:
        return p * 2.0


def converged(p):
    """What the result says, beside the root."""
    x, info = brentq(lambda x: x**3 + p * x - 1.0, 0.0, 1.0, full_output=True)
    y = root(lambda x: np.array([x[0] ** 2 - p, x[1] - x[0] * p]), np.ones(2))
    if not (info.converged and y.success):
        raise ValueError(y.message)
    return x + np.sum(y.x) + root_scalar(lambda x: x**3 - p, bracket=[0.0, 3.0]).root


def fitted(p):
    """Data that are computed."""
    y = np.exp(-p * SAMPLES)
    found, _ = curve_fit(lambda t, a: np.exp(-a * t) * (1.0 + 0.1 * t), SAMPLES, y, p0=[1.0])
    return found[0] + np.sum(least_squares(lambda x: [x[0] - p, x[1] - p**2, x[0] * x[1]], [0.5, 0.5]).x)


def constrained(p):
    """Bounds and constraints that the program makes."""
    y = minimize(lambda x: np.sum((x - p) ** 2), np.zeros(2), bounds=Bounds([0.0, 0.0], [p / 2.0, 5.0])).x[0]
    equation = {"type": "eq", "fun": lambda x: x[0] + x[1] - p}
    return y + minimize(lambda x: np.sum(x**2), np.zeros(2), method="SLSQP", constraints=equation).fun


def predators(p):
    """An equation whose function returns a list."""

    def change(t, z):
        x, y = z
        return [x * (p - y), y * (x - 1.0)]

    y = solve_ivp(change, (0.0, 2.0), [1.0, 0.5], t_eval=np.linspace(0.0, 2.0, 5))
    assert y.success, y.message
    return np.sum(y.y[0])


PROGRAMS = {
    "args": lambda p: quad(decay, 0.0, 1.0, args=(p, 2.0 * p))[0],
    "keywords": lambda p: quad(func=decay, a=0.0, b=p, args=(p,))[0],
    "limits alone": lambda p: quad(np.sin, 0.0, p)[0],
    "a line": lambda p: quad(lambda t: np.exp(-p * t * t), -np.inf, np.inf)[0],
    "points": lambda p: quad(lambda t: abs(t - 0.3) * p, 0.0, 1.0, points=[0.3])[0],
    "complex": lambda p: quad(lambda t: np.exp(1j * p * t), 0.0, 1.0, complex_func=True)[0].real,
    "vectors": lambda p: np.sum(quad_vec(lambda t: np.array([p * t, p**2 * t]), 0.0, 1.0)[0]),
    "two variables": lambda p: dblquad(lambda y, x: p * x * y, 0.0, 1.0, 0.0, p, epsrel=1e-3)[0],
    "nested": lambda p: quad(lambda t: quad(lambda s: np.exp(-p * s * t), 0.0, 1.0)[0], 0.0, 1.0)[0],
    "double exponential": lambda p: tanhsinh(lambda t: np.exp(-p * t), 0.0, 1.0).integral,
    "turns": turns,
    "of functions": of_functions,
    "one in another": one_in_another,
    "held": held,
    "bound": bound,
    "written between": written_between,
    "assigned between": assigned_between,
    "fails": fails,
    "converged": converged,
    "newton": lambda p: newton(lambda x: x**3 - p, 1.0, fprime=lambda x: 3.0 * x**2),
    "fsolve": lambda p: fsolve(lambda x, a: x**3 - a, 1.0, args=(p,))[0],
    "minimum": lambda p: minimize(lambda x: np.sum((x - p) ** 2) + np.sum(x**4), np.zeros(2)).x[0],
    "least value": lambda p: minimize(lambda x: (x[0] - p) ** 2 + x[0] ** 4, [0.5]).get("fun"),
    "minimum on a line": lambda p: minimize_scalar(lambda x: (x - p) ** 2 + x**4, bounds=(0.0, 2.0)).x,
    "constrained": constrained,
    "fitted": fitted,
    "linear": lambda p: linprog([1.0, 2.0], A_ub=[[-1.0, -1.0]], b_ub=np.array([-p])).fun,
    "assignment": lambda p: np.sum(
        np.array([[1.0, 2.0], [3.0, p]])[linear_sum_assignment([[1.0, 2.0], [3.0, 1.0]])]
    ),
    "positive": lambda p: np.sum(nnls(np.array([[1.0, 0.2], [0.1, 1.0]]), np.array([p, 1.0]))[0]),
    "predators": predators,
    "start": lambda p: np.sum(solve_ivp(lambda t, y: -y, (0.0, 1.0), [p, 2.0 * p], t_eval=[1.0]).y),
    "end": lambda p: solve_ivp(lambda t, y: -y, (0.0, p), [1.0], t_eval=[0.2]).y[0, 0],
    "odeint": lambda p: odeint(lambda y, t, k: -k * y, 1.0, SAMPLES, args=(p,))[-1, 0],
    "boundary values": lambda p: solve_bvp(
        lambda x, y: np.vstack([y[1], -p * y[0]]),
        lambda a, b: np.array([a[0], b[0] - 1.0]),
        SAMPLES,
        np.ones((2, 5)),
    ).y[1, 0],
}
