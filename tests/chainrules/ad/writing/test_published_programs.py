"""Published algorithms that update arrays in place, written as in NumPy, and differentiated as they are."""

import numpy as np
import pytest

from tests.chainrules.ad.writing.programs import X, check_program


def thomas_algorithm(x, fill):
    """A tridiagonal system, solved in the memory of its diagonals (L. H. Thomas, 1949)."""
    n = 5
    a, b, c = fill(np.ones(n)), fill(np.full(n, 4.0)), fill(np.ones(n))
    d = fill(np.zeros(n))
    a *= x[0]
    c[:-1] *= np.sin(x[1])
    d[: len(x)] = x
    d[-1] = x[2] ** 2
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    d[-1] /= b[-1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]
    return np.sum(d**2)


def lu_with_pivoting(x, fill):
    """Doolittle's factors in the place of the matrix, and a solution by them (Golub and Van Loan, 3.4)."""
    a = np.outer(x, np.cos(x)) + fill(np.array([[0.1, 2.0, 1.0], [3.0, 0.2, 1.0], [1.0, 1.0, 4.0]]))
    y = x.copy()
    n = len(y)
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            y[k], y[pivot] = y[pivot], y[k]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    for i in range(1, n):
        y[i] -= a[i, :i] @ y[:i]
    for i in reversed(range(n)):
        y[i] -= a[i, i + 1 :] @ y[i + 1 :]
        y[i] /= a[i, i]
    return np.sum(y * x)


def householder_qr(x, fill):
    """Reflections applied to a matrix in place (A. S. Householder, 1958)."""
    r = np.outer(x, np.sin(x)) + fill(np.diag([1.0, 2.0, 3.0]))
    q = fill(np.eye(3))
    for j in range(2):
        v = r[j:, j].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        r[j:] -= 2.0 * np.outer(v, v @ r[j:])
        q[:, j:] -= 2.0 * np.outer(q[:, j:] @ v, v)
    return np.sum(q * np.arange(9.0).reshape(3, 3)) + np.sum(r[0] ** 2)


def cholesky_banachiewicz(x, fill):
    """A factor row by row."""
    a = np.outer(x, x) + 2.0 * np.eye(3)
    lower = fill(np.zeros((3, 3)))
    for i in range(3):
        for j in range(i + 1):
            s = a[i, j] - lower[i, :j] @ lower[j, :j]
            lower[i, j] = np.sqrt(s) if i == j else s / lower[j, j]
    return np.sum(lower * np.cos(a))


def gauss_seidel(x, fill):
    """Sweeps that use new elements at once."""
    a = np.outer(x, x) + 4.0 * np.eye(3)
    y = fill(np.zeros(3))
    for _ in range(4):
        for i in range(3):
            y[i] = (x[i] - a[i, :i] @ y[:i] - a[i, i + 1 :] @ y[i + 1 :]) / a[i, i]
    return np.sum(y**2)


def heat_equation(x, fill):
    """Explicit steps with fixed ends."""
    u = fill(np.zeros(7))
    u[2:5] = x
    for _ in range(4):
        u[1:-1] += 0.2 * x[1] * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0], u[-1] = u[1], 0.0
    return np.sum(u**2)


def k_means_step(x, fill):
    """Points to the nearest centre, and centres to the mean of their points."""
    points = np.concatenate([x, 5.0 + x, 5.5 - x])
    centres = fill(np.array([0.0, 5.0]))
    centres += x[:2] * 0.1
    for _ in range(2):
        nearest = np.argmin(np.abs(points[:, None] - centres), axis=1)
        sums, counts = fill(np.zeros(2)), np.zeros(2)
        np.add.at(sums, nearest, points)
        np.add.at(counts, nearest, 1.0)
        centres[:] = sums / counts
    return np.sum(centres * np.array([1.0, -0.5])) ** 2


def runge_kutta_4(x, fill):
    """A trajectory that is filled, of the pendulum with friction."""
    dt, steps = 0.1, 6
    y = fill(np.empty((steps, 2)))
    y[0] = x[:2]

    def slope(state):
        d = fill(np.empty(2))
        d[0] = state[1]
        d[1] = -np.sin(state[0]) - x[2] * state[1]
        return d

    for i in range(steps - 1):
        k = fill(np.zeros((4, 2)))
        k[0] = slope(y[i])
        k[1] = slope(y[i] + 0.5 * dt * k[0])
        k[2] = slope(y[i] + 0.5 * dt * k[1])
        k[3] = slope(y[i] + dt * k[2])
        y[i + 1] = y[i] + dt / 6.0 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
    return np.sum(y[:, 0] ** 2) + y[-1, 1]


def kalman_filter(x, fill):
    """The log-likelihood of a position that moves with a speed (R. E. Kalman, 1960)."""
    transition, observe = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    noise = fill(np.zeros((2, 2)))
    noise[np.diag_indices(2)] = np.exp(x[:2])
    mean, cov = fill(np.zeros(2)), fill(np.eye(2))
    log_likelihood = 0.0
    for z in (0.4, 1.1, 1.7):
        mean[:] = transition @ mean
        cov[...] = transition @ cov @ transition.T
        cov += noise
        s = (observe @ cov @ observe.T)[0, 0] + np.exp(x[2])
        gain = (cov @ observe.T)[:, 0] / s
        residual = z - mean[0]
        mean += gain * residual
        cov -= np.outer(gain, gain) * s
        log_likelihood -= 0.5 * (np.log(s) + residual**2 / s)
    return log_likelihood


def fft_by_recursion(x, fill):
    """Halves that are written into slices of the result (Cooley and Tukey, 1965)."""

    def transform(z):
        n = len(z)
        if n == 1:
            return z.copy()
        even, odd = transform(z[::2]), transform(z[1::2])
        odd *= np.exp(-2j * np.pi * np.arange(n // 2) / n)
        y = fill(np.zeros(n, complex))
        y[: n // 2] = even + odd
        y[n // 2 :] = even - odd
        return y

    z = fill(np.zeros(8, complex))
    z.real[:3] = x
    z.imag[4:7] = x**2
    y = transform(z)
    return np.sum(np.abs(y) ** 2 * np.arange(8.0)) + np.sum(y.real[1:3] * y.imag[2:4])


def gray_scott(x, fill):
    """Two substances that react and spread, with views of their inner points."""
    u_all, v_all = fill(np.ones((5, 5))), fill(np.zeros((5, 5)))
    u, v = u_all[1:-1, 1:-1], v_all[1:-1, 1:-1]
    v[1] = x
    u[1, :] -= 0.5 * x**2

    def laplacian(z):
        return z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]

    for _ in range(3):
        reaction = u * v * v
        lu, lv = laplacian(u_all), laplacian(v_all)
        u += 0.16 * lu - reaction + 0.06 * (1 - u)
        v += 0.08 * lv + reaction - 0.12 * v
        for z in (u_all, v_all):
            z[0, :], z[-1, :] = z[-2, :], z[1, :]
            z[:, 0], z[:, -1] = z[:, -2], z[:, 1]
    return np.sum(v_all**2) + np.sum(u_all[2] * v_all[:, 2])


def soft_dynamic_time_warping(x, fill):
    """A table that is filled from its corner (Cuturi and Blondel, 2017)."""
    other = np.array([0.0, 0.5, 0.9, 0.2])
    distance = (x[:, None] - other) ** 2
    table = fill(np.full((4, 5), 1e3))
    table[0, 0] = 0.0
    for i in range(1, 4):
        for j in range(1, 5):
            before = np.stack([table[i - 1, j], table[i, j - 1], table[i - 1, j - 1]])
            low = before.min()
            table[i, j] = distance[i - 1, j - 1] + low - np.log(np.sum(np.exp(low - before)))
    return table[-1, -1]


def wave_in_three_buffers(x, fill):
    """Buffers that take turns."""
    old, now, new = (fill(np.zeros(6)) for _ in range(3))
    old[1:4] = x
    now[:] = old
    for _ in range(5):
        np.multiply(now[1:-1], 2.0, out=new[1:-1])
        new[1:-1] -= old[1:-1]
        new[1:-1] += x[1] * (now[2:] - 2 * now[1:-1] + now[:-2])
        old, now, new = now, new, old
    return np.sum(now**2)


def horner_and_newton(x, fill):
    """Divided differences in place, and the polynomial at several points."""
    nodes = np.array([0.0, 0.7, 1.5])
    c = np.sin(x)
    for k in range(1, 3):
        c[k:] -= c[k - 1 : -1]
        c[k:] /= nodes[k:] - nodes[:-k]
    y = fill(np.zeros(4))
    for k in (2, 1, 0):
        y *= np.linspace(0.0, 2.0, 4) - nodes[k]
        y += c[k]
    return np.sum(y**2)


PROGRAMS = [
    thomas_algorithm,
    lu_with_pivoting,
    householder_qr,
    cholesky_banachiewicz,
    gauss_seidel,
    heat_equation,
    k_means_step,
    runge_kutta_4,
    kalman_filter,
    fft_by_recursion,
    gray_scott,
    soft_dynamic_time_warping,
    wave_in_three_buffers,
    horner_and_newton,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_published_programs(program):
    """The value is that of the plain program; gradients and second derivatives are those of differences."""
    check_program(program, X)
