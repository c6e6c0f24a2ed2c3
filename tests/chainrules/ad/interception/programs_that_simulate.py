"""Simulations and geometry as courses teach them, which nobody wrote for differentiation."""

import functools
import math

import numpy as np


def smoke_in_a_box(x):
    """Stable fluids (J. Stam, 1999): two buffers change their roles, and walls are written by a helper."""

    def set_walls(u):
        u[0, :], u[-1, :] = u[1, :], u[-2, :]
        u[:, 0], u[:, -1] = u[:, 1], u[:, -2]

    def diffuse(u, before, rate):
        for _ in range(3):
            neighbours = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            u[1:-1, 1:-1] = (before[1:-1, 1:-1] + rate * neighbours) / (1 + 4 * rate)
            set_walls(u)

    def advect(d, before, speed):
        rows, columns = np.mgrid[1:4, 1:4]
        back = np.clip(rows - speed, 0.5, 3.4)
        floor = back.astype(int)
        part = back - floor
        d[1:-1, 1:-1] = (1 - part) * before[floor, columns] + part * before[floor + 1, columns]
        set_walls(d)

    density, spare = np.zeros((5, 5)), np.zeros((5, 5))
    density[2, 1:4] = x
    for _ in range(2):
        spare += 0.1 * density
        density, spare = spare, density
        diffuse(density, spare, 0.2 + 0.1 * x[0])
        density, spare = spare, density
        advect(density, spare, 0.3 * x[1])
    return np.sum(density**2 * np.arange(25.0).reshape(5, 5))


def shock_tube(x):
    """Finite volumes with a slope limiter and a time step by the greatest speed."""

    def limited(f):
        left, right = f - np.roll(f, 1), np.roll(f, -1) - f
        slope = 0.5 * (left + right)
        for one in (left, right):
            slope = np.maximum(0.0, np.minimum(1.0, one / (slope + 1e-8 * (slope == 0)))) * slope
        return slope

    u = 1.0 + 0.1 * np.sin(np.arange(6.0) * x[0]) * np.tile(x, 2)
    t, dx = 0.0, 0.2
    while t < 0.1:
        dt = min(0.4 * dx / np.max(np.abs(u)), 0.1 - t)
        face = u + 0.5 * limited(u)
        flux = 0.5 * face**2
        u -= dt / dx * (flux - np.roll(flux, 1))
        t += dt
    return np.sum(u**3)


class Ray:
    """Three arrays of coordinates that are added, scaled, and taken where a mask says so."""

    def __init__(self, *parts):
        self.x, self.y, self.z = parts

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    def __add__(self, other):
        return Ray(*[a + b for a, b in zip(self, other, strict=True)])

    def __mul__(self, other):
        if isinstance(other, Ray):
            return Ray(*[a * b for a, b in zip(self, other, strict=True)])
        if isinstance(other, (int, float, np.ndarray)):
            return Ray(*[a * other for a in self])
        return NotImplemented

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + -1 * other

    def dot(self, other):
        return sum(self * other)

    @property
    def unit(self):
        length = np.sqrt(self.dot(self))
        return self * (1.0 / np.where(length == 0, 1.0, length))

    def where(self, mask):
        return Ray(*[np.extract(mask, part * np.ones(mask.shape)) for part in self])


def lit_spheres(x):
    """A ray tracer: pixels that hit are taken out, coloured, and written back."""
    across = np.linspace(-0.6, 0.6, 7)
    rays = Ray(across, 0.2 * x[0] * across, np.ones(7)).unit
    eye, light = Ray(0.0, 0.0, -3.0), Ray(2.0, x[1], -4.0)
    picture = np.zeros((3, 7))
    for centre, radius in ((Ray(0.2 * x[2], 0.0, 0.0), 0.8), (Ray(-0.7, 0.1, x[0]), 0.5)):
        to_eye = eye - centre
        b = 2.0 * rays.dot(to_eye)
        root = np.sqrt(np.maximum(0.0, b**2 - 4.0 * (to_eye.dot(to_eye) - radius**2)))
        hit = root > 0
        point = eye + rays.where(hit) * ((-b - root) / 2.0)[hit]
        brightness = np.maximum(0.0, (point - centre).unit.dot((light - point).unit))
        for row, colour in zip(picture, Ray(1.0, 0.5, x[2]), strict=True):
            row[hit] += colour * brightness
    return np.sum(picture**2)


class Curve:
    """A rational B-spline, set up attribute by attribute, whose setters check what they are given."""

    def __init__(self, **settings):
        for name, value in settings.items():
            setattr(self, name, value)

    @property
    def points(self):
        return self._points

    @points.setter
    def points(self, points):
        self._points = [tuple(float(c) for c in point) for point in points]

    @functools.lru_cache(maxsize=None)  # noqa: B019, UP033 - as people write it
    def _basis(self, i, degree, u):
        knots = self.knots
        if degree == 0:
            return 1.0 if knots[i] <= u < knots[i + 1] else 0.0
        value = 0.0
        if knots[i + degree] != knots[i]:
            value += (u - knots[i]) / (knots[i + degree] - knots[i]) * self._basis(i, degree - 1, u)
        if knots[i + degree + 1] != knots[i + 1]:
            share = (knots[i + degree + 1] - u) / (knots[i + degree + 1] - knots[i + 1])
            value += share * self._basis(i + 1, degree - 1, u)
        return value

    def __call__(self, u):
        shares = [w * self._basis(i, 2, u) for i, w in enumerate(self.weights)]
        parts = zip(*self.points, strict=True)
        return [math.fsum(s * c for s, c in zip(shares, part, strict=True)) / sum(shares) for part in parts]


def rational_curve(x):
    """By the recursion of C. de Boor and M. G. Cox (1972), remembered by `lru_cache`."""
    curve = Curve(
        knots=[0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0],
        weights=[1.0, x[2], 2.0, 1.0],
        points=[(0.0, x[0]), (1.0, x[1]), (2.0, -1.0), (x[2], 0.5)],
    )
    return sum((math.hypot(*curve(u)) for u in (0.1, 0.5, 0.3 * x[0])), 0.0)
