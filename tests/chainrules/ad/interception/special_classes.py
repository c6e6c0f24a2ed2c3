"""Classes that define methods which Python calls by itself."""

import io
import math

from tests.chainrules.ad.interception.ruled_callables import cube


class Ordered:
    """Comparisons that compute."""

    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return math.floor(self.x) < other if isinstance(other, int) else NotImplemented

    def __eq__(self, other):
        return math.floor(self.x) == other

    def __hash__(self):
        return 1

    def __contains__(self, x):
        return math.floor(self.x) == x


class Above(Ordered):
    """A subclass, which is asked first."""

    def __gt__(self, other):
        return True


class Manager:
    """A context manager that may swallow errors."""

    def __init__(self, x, swallow=False):
        self.x, self.swallow = x, swallow

    def __enter__(self):
        return math.sin(self.x)

    def __exit__(self, kind, error, traceback):
        self.seen = kind
        return self.swallow


class Restarting:
    """An iterator that begins again when it is asked once more, as many people write them."""

    def __init__(self, items):
        self.items = list(items)

    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place == len(self.items):
            raise StopIteration
        self.place += 1
        return math.exp(self.items[self.place - 1])


class Reflected:
    """A class whose reflected operators take a list."""

    def __radd__(self, other):
        return math.sin(len(other))

    __rmul__ = __radd__


class Compared:
    """Comparisons that say which method was called."""

    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return "less", math.sin(self.x)

    def __gt__(self, other):
        return "greater", math.sin(self.x)


class ComparedFirst(Compared):
    """A subclass, which is asked first on either side."""


class Items:
    """An object that has items and nothing else."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, index):
        if index == 3:
            raise IndexError
        return math.sin(self.x * index)


class SineOfItems(list):
    """A list whose items are others if they are asked for one by one."""

    def __getitem__(self, index):
        return math.sin(super().__getitem__(index))


class Opened(io.StringIO):
    """A file in memory: of the two methods of a block it has one of its own."""

    def __init__(self, x):
        super().__init__()
        self.x = x

    def __enter__(self):
        return math.sin(self.x)


class Copied:
    """An object with its own way of copying."""

    def __init__(self, x):
        self.x = x

    def __deepcopy__(self, memo):
        return [math.sin(self.x), len(memo)]


class Cubed:
    """An operand whose methods have rules inside."""

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return cube(self.x)

    __matmul__ = __sub__ = __iadd__ = __add__

    def __neg__(self):
        return cube(self.x)

    __abs__ = __neg__

    def __setitem__(self, index, value):
        self.x = cube(value)

    def __lt__(self, other):
        self.x = cube(self.x)
        return True
