"""Programs in the manner of statistics, simulations and puzzles, which nobody wrote for differentiation."""

import heapq
import itertools
import math
import operator
from dataclasses import dataclass

import numpy as np


def garch_likelihood(x):
    returns = np.array([0.1, -0.2, 0.3, -0.1, 0.25, 0.05])
    omega, alpha, beta = 0.1 * np.exp(x)
    variances = np.empty(len(returns))
    variances[0] = np.var(returns)
    for t in range(1, len(returns)):
        variances[t] = omega + alpha * returns[t - 1] ** 2 + beta * variances[t - 1]
    return -0.5 * np.sum(np.log(2 * np.pi) + np.log(variances) + returns**2 / variances)


class Arma:
    """A model with state."""

    def __init__(self, order):
        self.p, self.q = order
        self.residuals = None

    def log_likelihood(self, parameters, y):
        phi, theta = parameters[: self.p], parameters[self.p : self.p + self.q]
        residuals = np.zeros(len(y))
        for t in range(max(self.p, self.q), len(y)):
            past = sum(phi[i] * y[t - 1 - i] for i in range(self.p))
            residuals[t] = y[t] - past - sum(theta[j] * residuals[t - 1 - j] for j in range(self.q))
        self.residuals = residuals
        return -len(y) / 2 * (np.log(2 * np.pi * (residuals @ residuals) / len(y)) + 1)


def arma_likelihood(x):
    model = Arma((2, 1))
    y = np.sin(np.arange(10.0)) + 0.3 * np.cos(3 * np.arange(10.0))
    return model.log_likelihood(x * 0.2, y) + np.sum(model.residuals**2)


def hidden_markov_model(x):
    transitions = np.exp(np.array([[x[0], x[1]], [x[2], 0.5]]))
    transitions /= transitions.sum(axis=1, keepdims=True)
    emissions = np.exp(-(np.subtract.outer([0.0, 1.0], [0.1, 0.9, 0.4]) ** 2) * x[0])
    forward, scale = np.zeros((3, 2)), np.zeros(3)
    forward[0] = 0.5 * emissions[:, 0]
    scale[0] = 1 / forward[0].sum()
    forward[0] *= scale[0]
    for t in range(1, 3):
        for j, i in itertools.product(range(2), repeat=2):
            forward[t, j] += forward[t - 1, i] * transitions[i, j]
        forward[t] *= emissions[:, t]
        scale[t] = 1.0 / np.sum(forward[t])
        forward[t] = forward[t] * scale[t]
    return -np.sum(np.log(scale))


class Layer:
    """A layer that trains itself."""

    def __init__(self, weights):
        self.weights, self.bias, self.cache = weights, np.zeros(weights.shape[1]), {}

    def forward(self, z):
        self.cache["in"], self.cache["out"] = z, np.tanh(z @ self.weights + self.bias)
        return self.cache["out"]

    def backward(self, g):
        g = g * (1 - self.cache["out"] ** 2)
        self.change = np.outer(self.cache["in"], g), g
        return g @ self.weights.T

    def step(self, rate):
        for parameter, change in zip((self.weights, self.bias), self.change, strict=True):
            parameter -= rate * change  # noqa: PLW2901 - it is written into


def training_by_hand(x):
    layers = [Layer(np.array([[x[0], x[1]], [0.5, -0.3]])), Layer(np.array([[x[2]], [0.7]]))]
    for _ in range(3):
        h = np.array([1.0, -0.5])
        for layer in layers:
            h = layer.forward(h)
        g = 2 * (h - 0.3)
        for layer in reversed(layers):
            g = layer.backward(g)
        for layer in layers:
            layer.step(0.1)
    return np.sum((h - 0.3) ** 2) + np.sum(layers[0].weights ** 2)


def adam(x):
    parameters = {"a": x[:2].copy(), "b": x[2:].copy()}
    mean = {name: np.zeros_like(value) for name, value in parameters.items()}
    square = {name: np.zeros_like(value) for name, value in parameters.items()}
    for t in range(1, 4):
        for name, value in parameters.items():
            change = 2 * value + np.sin(value)
            mean[name] = 0.9 * mean[name] + 0.1 * change
            square[name] *= 0.99
            square[name] += 0.01 * change**2
            step = mean[name] / (1 - 0.9**t) / (np.sqrt(square[name] / (1 - 0.99**t)) + 1e-8)
            parameters[name] -= 0.1 * step
    return sum(np.sum(value**2) for value in parameters.values())


def crout_with_pivoting(x):
    n, a = 3, np.outer(x, x) + np.diag(x) * 3
    scales = [1.0 / max(abs(a[i][j]) for j in range(n)) for i in range(n)]
    order, sign = [0] * n, 1.0
    for j in range(n):
        for i in range(j):
            total = a[i][j]
            for k in range(i):
                total -= a[i][k] * a[k][j]
            a[i][j] = total
        largest, pivot = 0.0, j
        for i in range(j, n):
            total = a[i][j]
            for k in range(j):
                total -= a[i][k] * a[k][j]
            a[i][j] = total
            if scales[i] * abs(total) >= largest:
                largest, pivot = scales[i] * abs(total), i
        if j != pivot:
            for k in range(n):
                a[pivot][k], a[j][k] = a[j][k], a[pivot][k]
            sign, scales[pivot] = -sign, scales[j]
        order[j] = pivot
        for i in range(j + 1, n):
            a[i][j] /= a[j][j]
    for j in range(n):
        sign *= a[j][j]
    return sign + np.sum(a**2) + sum(order)


def gaussian_mixture(x):
    points = np.array([[0.1, 0.2], [0.3, -0.1], [2.1, 2.0], [1.9, 2.2], [2.2, 1.8]])
    means, covariances = np.array([[x[0], x[1]], [x[2], 1.5]]), np.array([np.eye(2)] * 2)
    weights = np.full(2, 0.5)
    for _ in range(2):
        shares = np.zeros((5, 2))
        for k in range(2):
            d, inverse = points - means[k], np.linalg.inv(covariances[k])
            distances = np.einsum("ni,ij,nj->n", d, inverse, d)
            shares[:, k] = weights[k] * np.exp(-0.5 * distances) / np.sqrt(np.linalg.det(covariances[k]))
        likelihood = np.log(shares.sum(1)).sum()
        shares /= shares.sum(axis=1)[:, None]
        counts = shares.sum(0)
        for k in range(2):
            means[k] = shares[:, k] @ points / counts[k]
            d = points - means[k]
            covariances[k] = (shares[:, k, None] * d).T @ d / counts[k] + 0.1 * np.eye(2)
        weights = counts / counts.sum()
    return likelihood + np.sum(means**2)


class Value:
    """A scalar that records what it is made of."""

    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents, self.pull = data, 0.0, set(parents), lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def pull():
            self.grad += out.grad
            other.grad += out.grad

        out.pull = pull
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def pull():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.pull = pull
        return out

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        y = math.tanh(self.data)
        out = Value(y, (self,))

        def pull():
            self.grad += (1 - y**2) * out.grad

        out.pull = pull
        return out

    def backward(self):
        order, met = [], set()

        def visit(value):
            if value not in met:
                met.add(value)
                for parent in value.parents:
                    visit(parent)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value.pull()


def reverse_mode_by_hand(x):
    a, b, c = map(Value, x)
    y = (a * b + c).tanh() * a + 2 * c
    y += b
    y.backward()
    return y.data + a.grad * b.grad + c.grad**2


@dataclass
class Dual:
    """A dual number."""

    a: float
    b: float = 0.0

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.a + other.a, self.b + other.b)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

    def __pow__(self, n):
        return Dual(self.a**n, n * self.a ** (n - 1) * self.b)

    __radd__, __rmul__ = __add__, __mul__

    def sin(self):
        return Dual(math.sin(self.a), math.cos(self.a) * self.b)


def dual_numbers(x):
    return sum((((p := Dual(v, 1.0)) ** 3 + 2 * p).sin() * (p + 1) ** -1).b for v in x)


def particle_filter(x):
    rng = np.random.RandomState(3)
    particles = rng.normal(size=6) * x[0] + x[1]
    weights, estimates = np.ones(6) / 6, []
    for z in (0.5, 0.7):
        particles = particles + rng.normal(0, 0.1, 6) * x[2]
        weights *= np.exp(-0.5 * (z - particles) ** 2)
        weights += 1e-12
        weights /= weights.sum()
        estimates.append(np.average(particles, weights=weights))
        picked = np.searchsorted(np.cumsum(weights), (np.arange(6) + 0.5) / 6)
        particles[:] = particles[picked]
        weights.fill(1.0 / 6)
    return sum(estimate**2 for estimate in estimates)


def shortest_path(x):
    roads = {0: {1: x[0], 2: x[1]}, 1: {3: x[2]}, 2: {3: x[0] * 0.7, 1: x[0] * 0.1}, 3: {}}
    distances, queue, seen = {0: 0.0}, [(0.0, 0)], set()
    while queue:
        distance, place = heapq.heappop(queue)
        if place in seen:
            continue
        seen.add(place)
        for other, length in roads[place].items():
            if other not in distances or distance + length < distances[other]:
                distances[other] = distance + length
                heapq.heappush(queue, (distances[other], other))
    return sum(distances.values()) ** 2


class Tree:
    """A sorted tree, gone through by recursion."""

    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(value))
        else:
            child.insert(value)

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


def sorted_tree(x):
    tree = Tree(x[1])
    for value in [*x[:1], x[2], x[0] * 2.5, x[2] ** 2, x[1] * 0.4]:
        tree.insert(value)
    return sum(k * value**2 for k, value in enumerate(tree, 1))


def expressions(x):
    operations = {"add": operator.add, "mul": operator.mul, "pow": pow}

    def evaluate(tree):
        match tree:
            case ("sin", inner):
                return math.sin(evaluate(inner))
            case (str(name), left, right):
                return operations[name](evaluate(left), evaluate(right))
            case int(place):
                return x[place]
            case float():
                return tree

    return evaluate(("add", ("mul", 0, ("sin", 1)), ("pow", ("mul", 2, 2), x[0])))


def robust_spread(x):
    """Arrays that the program makes, given by keywords that have no place among the positional arguments."""
    y = np.concatenate([x, x**2])
    weights = np.ones(6)
    weights[2] = 3.0
    middle = np.quantile(y, 0.5, weights=weights, method="inverted_cdf")
    return np.var(y, mean=np.full(1, 0.5)) + middle**2 + np.std(y, where=np.arange(6) > 1, mean=np.zeros(1))
