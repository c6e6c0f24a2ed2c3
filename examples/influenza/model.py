"""An epidemic in a school: a differential equation that SciPy solves, and the one rule for its derivative.

In January 1978 an influenza went through a boarding school of 763 boys in England. With shares s of those who
can fall ill and i of those who are ill, the model of Kermack and McKendrick is

    ds/dt = -β s i        di/dt = β s i - γ i        s(0) = 1 - i(0).

SciPy's solver chooses its steps as it goes, and no framework sees into it. The derivative by the parameters
obeys a differential equation of its own, which is solved beside the first: with y' = f(y, θ), the sensitivity
S = dy/dθ has S' = (∂f/∂y) S + ∂f/∂θ. That is the rule below, and all three programs in this folder use it.

Data: "Influenza in a boarding school", British Medical Journal 1978, 1:587.
Equations: W. O. Kermack and A. G. McKendrick, Proceedings of the Royal Society A 115 (1927), 700-721.
Sensitivities: E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I" (1993), I.14.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp

from chainrules_core import AbstractZero, NoTangent, frule, not_implemented, rrule, typeof_

OUTPUT = Path(__file__).parent.parent / "output"

BOYS = 763
# The boys in bed on each day from the 22nd of January.
IN_BED = np.array([3.0, 8.0, 26.0, 76.0, 225.0, 298.0, 258.0, 233.0, 189.0, 128.0, 68.0, 29.0, 14.0, 4.0])
DAYS = np.arange(len(IN_BED), dtype=float)

# Logarithms of the rates β and γ per day, and of the share that is ill on the first day: where fits begin.
START = np.log([1.2, 0.6, 2.0 / BOYS])

# Whoever asks for this derivative gets an error that says so, not a zero.
BY_DAYS = not_implemented("the days are given")


def ill(parameters, days):
    """The number of boys who are ill on each day: shape of `days`."""
    return _solve(parameters, days)[0]


@frule.dispatch
def ill_frule(tangents, f: typeof_(ill), parameters: np.ndarray, days: np.ndarray):
    """Sensitivities times the tangent of the parameters."""
    _, parameters_dot, days_dot = tangents
    y, sensitivities = _solve(parameters, days)
    return y, sensitivities @ parameters_dot if isinstance(days_dot, AbstractZero) else BY_DAYS


@rrule.dispatch
def ill_rrule(f: typeof_(ill), parameters: np.ndarray, days: np.ndarray):
    """A cotangent times the sensitivities."""
    y, sensitivities = _solve(parameters, days)

    def ill_pullback(y_bar):
        return NoTangent(), y_bar @ sensitivities, BY_DAYS

    return y, ill_pullback


def _solve(parameters, days):
    """The number of those who are ill, and its derivatives by the parameters: shape ``(days, 3)``."""
    beta, gamma, first = np.exp(parameters)

    def change(t, state):
        y, S = state[:2], state[2:].reshape(2, 3)
        s, i = y
        infections = beta * s * i
        f = np.array([-infections, infections - gamma * i])
        by_y = np.array([[-beta * i, -beta * s], [beta * i, beta * s - gamma]])
        by_parameters = np.array([[-infections, 0.0, 0.0], [infections, -gamma * i, 0.0]])
        return np.concatenate([f, (by_y @ S + by_parameters).ravel()])

    # By the logarithm of i(0), s(0) changes as i(0) does, with the other sign.
    start = np.concatenate([[1.0 - first, first], [0.0, 0.0, -first, 0.0, 0.0, first]])
    solution = solve_ivp(
        change, (days[0], days[-1]), start, t_eval=days, method="LSODA", rtol=1e-9, atol=1e-12
    )
    return BOYS * solution.y[1], BOYS * solution.y[5:].T


def report(parameters, steps, picture):
    """Print what was found, and save a picture of the epidemic."""
    parameters = np.asarray(parameters)
    beta, gamma, _ = np.exp(parameters)
    error = np.sqrt(np.mean((ill(parameters, DAYS) - IN_BED) ** 2))
    print(f"    {steps} steps: beta {beta:.4f}, gamma {gamma:.4f} a day; typical error {error:.2f} boys")
    print(f"    each boy infected {beta / gamma:.2f} others at first, and was ill for {1 / gamma:.2f} days")
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    fine = np.linspace(DAYS[0], DAYS[-1], 200)
    axes.plot(1 + fine, ill(parameters, fine), color="tab:blue", label="the equations, fitted")
    axes.plot(1 + fine, ill(START, fine), "--", color="tab:gray", label="the equations, where the fit began")
    axes.plot(1 + DAYS, IN_BED, "o", color="tab:red", label="counted")
    axes.set(title="Influenza in a boarding school", xlabel="day of the epidemic", ylabel="boys in bed")
    axes.set_ylim(0, None)
    axes.legend(fontsize="small")
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=120)
    print(f"    picture: {picture}")
