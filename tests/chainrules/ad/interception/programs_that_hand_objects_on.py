"""Programs that assign to objects which functions have handed on: they are the very objects."""

import copy
import functools
import operator
import random
from collections import OrderedDict, defaultdict

import numpy as np


class Node:
    """An object with a number, compared by it."""

    def __init__(self, value):
        self.value, self.parts = value, []

    def __lt__(self, other):
        return self.value < other.value

    def __gt__(self, other):
        return self.value > other.value

    def grow(self, k=1.0, *, shift=0.0):
        self.value = k * self.value + shift
        return self


def total(nodes):
    return sum(k * node.value**2 + len(node.parts) for k, node in enumerate(nodes, 1))


def by_getattr(x):
    node = Node(x[0])
    node.other = Node(x[1])
    getattr(node, "other").value = x[2] * 2.0  # noqa: B009 - what is tested
    getattr(node, "parts").append(x[1])  # noqa: B009 - what is tested
    return node.other.value * sum(node.parts) + getattr(node, "nothing", x[0])


def by_extrema(x):
    nodes = [Node(value) for value in x]
    max(nodes).value *= 5.0
    max(nodes[0], nodes[1]).parts.append(1)
    min(node for node in nodes).value *= x[0]
    min(nodes, key=lambda node: node.value).value += 1.0
    max(dict.fromkeys(nodes)).value += x[1]
    return total(nodes) + max(x) * min(x[0], x[1]) + max([x[0], 2]) + min(v**2 for v in x)


def by_getters(x):
    nodes = [Node(value) for value in x]
    root = Node(x[0])
    root.first = nodes[0]
    operator.attrgetter("first")(root).value = x[1] * 7.0
    operator.itemgetter(1)(nodes).value = x[0] * 9.0
    first, last = operator.itemgetter(0, 2)(nodes)
    first.value += 1.0
    last.value *= 2.0
    value, other = operator.attrgetter("value", "first.value")(root)
    operator.methodcaller("grow", 2.0)(root)
    operator.methodcaller("grow", 3.0, shift=x[1])(root)
    return total([*nodes, *sorted([root, last], key=operator.attrgetter("value"))]) + value * other


def by_operators(x):
    nodes = [Node(value) for value in x]
    operator.getitem(nodes, 1).value = x[0] * 9.0
    operator.add(nodes, [Node(1.0)])[0].value *= 2.0
    operator.concat(nodes, [])[2].value *= 3.0
    operator.mul(nodes, 2)[4].value += 1.0
    operator.or_({0: nodes[0]}, {})[0].value += 2.0
    operator.call(Node.grow, nodes[0], 2.0)
    return total(nodes) + operator.getitem(x, 1) + operator.add(x[0], x[1]) * operator.mul(x, x)[2]


def by_sums(x):
    nodes = [[Node(value)] for value in x]
    joined = sum(nodes, [])  # noqa: RUF017 - what is tested
    joined[0].value *= 2.0
    sum((part for part in nodes), [])[1].value *= 3.0  # noqa: RUF017 - what is tested
    buffer = np.zeros(3)

    def filled():
        for i, value in enumerate(x):
            buffer[i] = value
            yield buffer

    return total(joined) + np.sum(sum(filled()) ** 2) + sum(x) + sum(filled(), x[0])[0] + sum(list(x), 1.0)


def by_partials(x):
    node = Node(x[0])
    grow = functools.partial(Node.grow, node, shift=x[1])
    grow(x[2])
    return grow(2.0).value * node.value


class Shared:
    """An object whose copies share a part."""

    def __init__(self, value, part):
        self.value, self.part = value, part

    def __copy__(self):
        return Shared(np.array([self.value])[0], self.part)

    def __deepcopy__(self, memo):
        return Shared(np.array([2.0 * self.value])[0], copy.deepcopy(self.part, memo))


def by_copies(x):
    node = Node(x[0])
    node.parts = [x[1], [x[2]]]
    deep, shallow = copy.deepcopy(node), copy.copy(node)
    deep.parts[1][0] = 5.0 * x[1]
    deep.value = deep.value**2
    shallow.parts.append(x[0])
    shallow.value = 1.0
    y = x.copy()
    state = {"a": y, "b": [y]}
    kept = copy.deepcopy(state)
    kept["a"][0] = 10.0 * x[1]
    plain = copy.deepcopy(np.ones(3))
    plain[0] = x[2]
    shared = Shared(x[0], [x[1]])
    copy.copy(shared).part[0] *= 2.0
    other = copy.deepcopy(shared)
    other.part[0] *= x[2]
    return (
        node.value * deep.value
        + sum(node.parts[2:])
        + node.parts[1][0] * deep.parts[1][0]
        + np.sum(kept["b"][0] ** 2)
        + np.sum(y**3 * plain * copy.copy(x))
        + shared.part[0] * other.part[0] * other.value
    )


def by_dicts(x):
    groups, ordered = defaultdict(list), OrderedDict()
    for i, value in enumerate(x):
        groups[i % 2].append(value)
        ordered.setdefault(i % 2, []).append(value**2)
    groups.get(0).append(x[1])
    ordered.get(1).append(x[2])
    return sum(sum(part) ** 2 for part in groups.values()) + sum(map(sum, ordered.values()))


def by_random_choice(x):
    nodes = [Node(value) for value in x]
    random.Random(0).choice(nodes).value *= 2.0  # noqa: S311 - what is tested
    return total(nodes)


PROGRAMS_THAT_HAND_OBJECTS_ON = [value for name, value in list(globals().items()) if name.startswith("by_")]
