"""Programs that fill arrays, as people write them; functions of an array of three positive numbers."""

import numpy as np


def new_arrays_of_many_kinds(x):
    """Arrays that NumPy's functions and operators make, and that are written into."""
    y, t = np.zeros_like(x), np.linspace(0, 1, 3) * 2.0
    t[1] = x[0]
    y[:] = np.sin(t) * x
    y[1:] += y[:-1]
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    a[0, 1] = x[2]
    a[1] *= x[0]
    s = np.sin(np.arange(3.0))
    s += x
    held = {"rows": [np.ones(3) for _ in range(2)]}
    for i, row in enumerate(held["rows"]):
        row[i] = x[i]
    return np.sum(y) + np.sum(a @ a) + np.sum(s**2) + np.sum(np.stack(held["rows"]) * x)


def thomas_algorithm(x):
    """A tridiagonal system, solved in place."""
    n = 3
    a, b, c, d = np.ones(n), np.full(n, 4.0), np.ones(n), x.copy()
    b[0] += x[1]
    for i in range(1, n):
        m = a[i] / b[i - 1]
        b[i] -= m * c[i - 1]
        d[i] -= m * d[i - 1]
    y = np.empty(n)
    y[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        y[i] = (d[i] - c[i] * y[i + 1]) / b[i]
    return np.sum(y * y)


def lu_in_place(x):
    """A matrix, factored row by row."""
    a = np.eye(3) * 5
    a[0] += x
    a[:, 1] += x
    lower = np.eye(3)
    for k in range(2):
        for i in range(k + 1, 3):
            lower[i, k] = a[i, k] / a[k, k]
            a[i, k:] -= lower[i, k] * a[k, k:]
    return np.sum(np.log(np.abs(np.diag(a)))) + np.sum(lower)


def householder(x):
    """A matrix, made triangular by reflections."""
    a = np.vstack([x, x**2, np.ones(3)])
    for k in range(2):
        v = a[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v)
        v /= np.linalg.norm(v)
        a[k:, k:] -= 2 * np.outer(v, v @ a[k:, k:])
    return np.sum(np.abs(np.diag(a)))


class KalmanFilter:
    """A filter whose matrices are filled by its user, with state."""

    def __init__(self, n, m):
        self.x, self.P, self.F = np.zeros((n, 1)), np.eye(n), np.eye(n)
        self.H, self.Q, self.R = np.zeros((m, n)), np.eye(n), np.eye(m)

    def predict(self):
        """One step in time."""
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        """Take in a measurement."""
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = (np.eye(len(self.P)) - K @ self.H) @ self.P
        return y, S


def likelihood_of_a_kalman_filter(x):
    """By what fills its matrices."""
    kalman = KalmanFilter(2, 1)
    kalman.F[0, 1], kalman.H[0, 0], kalman.R[0, 0] = x[0], 1.0, x[2]
    kalman.Q *= x[1]
    total = 0.0
    for z in (0.3, 0.5, 1.2):
        kalman.predict()
        y, S = kalman.update(np.array([[z]]))
        total -= 0.5 * (np.log(S[0, 0]) + y[0, 0] ** 2 / S[0, 0])
    return total


class RungeKutta:
    """An integrator with state."""

    def __init__(self, f, step):
        self.f, self.step, self.times = f, step, [0.0]

    def __call__(self, y):
        """One step."""
        k1 = self.f(y)
        k2 = self.f(y + self.step / 2 * k1)
        k3 = self.f(y + self.step / 2 * k2)
        k4 = self.f(y + self.step * k3)
        self.times.append(self.times[-1] + self.step)
        return y + self.step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def damped_oscillator(x):
    """Positions at several times, in an array."""

    def slope(y):
        d = np.empty(2)
        d[0] = y[1]
        d[1] = -x[0] * y[0] - x[1] * y[1]
        return d

    integrate, y, positions = RungeKutta(slope, 0.1), np.array([x[2], 0.0]), np.zeros((5, 2))
    for i in range(5):
        y = integrate(y)
        positions[i] = y
    return np.sum(positions[:, 0] ** 2)


def heat_equation(x):
    """Differences of slices, added to a slice."""
    u = np.zeros(8)
    u[2:5] = x
    for _ in range(5):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def fourier_transform_by_recursion(x):
    """Of a complex array that is filled from a real one."""

    def transform(z):
        n = len(z)
        if n == 1:
            return z
        even, odd = transform(z[::2]), transform(z[1::2])
        t = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + t, even - t])

    z = np.zeros(4, complex)
    z[:3] = x
    return np.sum(np.abs(transform(z)) ** 4)


def gauss_seidel(x):
    """Sweeps over an array that is read while it is written."""
    a = np.array([[4.0, 1, 0], [1, 4.0, 1], [0, 1, 4.0]])
    a[0, 1] = x[0]
    y = np.zeros(3)
    for _ in range(10):
        for i in range(3):
            y[i] = (x[i] - (a[i] @ y - a[i, i] * y[i])) / a[i, i]
    return np.sum(y)


def masks_and_numbers(x):
    """One number for all places, plain or traced; repeated ones for fewer than there are places."""
    y = np.empty(3)
    np.putmask(y, [True, False, True], 4.0)
    np.putmask(y, np.array([False, True, False]), np.sum(x))
    np.place(y, np.array([True, False, False]), x[1:2])
    z = np.zeros((2, 2))
    np.putmask(z, [[True, False], [True, True]], x[:2])
    np.place(z, z > 100, np.inf)
    return np.sum(y**2) + np.sum(z**3)


def arrays_of_one_number(x):
    """Without axes."""
    y, z, u = np.empty(()), np.zeros(()), np.zeros(())
    y.fill(-np.inf)
    np.putmask(y, np.array(True), x[0])
    np.place(z, np.array(True), x[1:] * 2)
    np.place(z, np.array(False), x[0])
    np.put(u, [0, 0], x[1:])
    return y**2 + z[()] ** 2 * 3 + u**3


DATA = np.arange(6.0).reshape(3, 2)


def new_arrays_that_are_views(x):
    """Of arrays that nobody else holds: what functions reshape, and what lists and masks pick."""
    rolled, picked, masked = np.roll(DATA[:, 0], 1), DATA[[0, 2]], DATA[DATA[:, 0] > 1.0]
    rolled[0] = x[0]
    picked[1] *= x[1]
    masked[0, 0] = x[2]
    turned, reversed_ = np.sqrt(np.abs(DATA)).T, np.sort(DATA[:, 1])[::-1]
    turned[0] = x
    reversed_[0] *= x[1]
    rows = [DATA[i] * 2.0 for i in range(3)]
    rows[0][1] = x[0]
    either = DATA + 1.0 if len(x) == 3 else DATA - 1.0
    either[0] *= x[2]
    total = np.sum(rolled * x) + np.sum(picked**2) + np.sum(masked**2) + np.sum(turned * x)
    return total + np.sum(reversed_ * x) + np.sum(np.array(rows) ** 2) + np.sum(either**2)


def rolling_buffer(x):
    """The last values, the newest in front."""
    buffer, total = np.zeros(4), 0.0
    for k in range(6):
        buffer = np.roll(buffer, 1)
        buffer[0] = np.sin(x[k % 3] + k)
        total += np.mean(buffer) * buffer[-1]
    return total
