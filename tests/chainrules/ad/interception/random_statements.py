"""Random statements over values of all kinds, for a comparison of functions with their twins."""

import random

# Classes whose methods note down that they were called, and others that a test in front of a hook might take
# for what they are not.
CLASSES = (
    """
import math


class Logged:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"L{self.v}"
    def __del__(self): log.append(("deleted", self.v))
    def __bool__(self): log.append("bool"); return bool(self.v)
    def __getitem__(self, i): log.append(("item", repr(i))); return self.v
    def __setitem__(self, i, v): log.append(("set", repr(i), repr(v)))
    def __iter__(self): log.append("iter"); return iter([self.v, 2.0])
    def __contains__(self, x): log.append(("in", repr(x))); return True
    def __iadd__(self, o): log.append(("iadd", repr(o))); return self
    def m(self, *a): log.append(("m", repr(a))); return self.v
    def append(self, *a): log.append(("append", repr(a))); return self.v
    def get(self, *a): log.append(("get", repr(a))); return self.v
    @property
    def p(self): log.append("p"); return self.v
    @p.setter
    def p(self, x): log.append(("set p", repr(x)))
"""
    + "".join(
        f"""
    def __{name}__(self, o): log.append(("{name}", repr(self), repr(o))); return Logged(self.v)
    def __r{name}__(self, o): log.append(("r{name}", repr(self), repr(o))); return Logged(self.v)
"""
        for name in ("add", "sub", "mul", "truediv", "mod")
    )
    + "".join(
        f"""
    def __{name}__(self, o): log.append(("{name}", repr(self), repr(o))); return self.v % 2 < 1
"""
        for name in ("lt", "le", "gt", "ge")
    )
    + """
class Plain:
    def __init__(self, q): self.q = q; self.items = [1.0, q, 3]; self.d = {1: 2.0, "a": q}
    def m(self, *a): log.append(("m of plain", repr(a))); return self.q
    def __repr__(self): return f"P{self.q!r}"


class Observing:
    def __getattribute__(self, n):
        if n.startswith("__"): return object.__getattribute__(self, n)
        log.append(("observed", n)); return 2.5
    def __repr__(self): return "S"


G = 1.0


def f(x=1.0, *a):
    log.append(("f", repr(x))); return x


def g():
    global G
    log.append("g"); G = G + 1.0; return 2.0
"""
)

_NAMES = ["x", "y", "z", "w", "x", "y"]
_LEAVES = ["1", "2.0", "0", "3", "'a'", "True", "-1"]
_READS = ["o.q", "o.items", "o.d", "s.q", "xs[1]", "d['a']", "xs", "b.p", "G"]
_CAUGHT = "(TypeError, ValueError, IndexError, KeyError, AttributeError, ZeroDivisionError, OverflowError)"


def program(seed):
    """The text of a module with a function ``h`` of values of all kinds."""
    rng = random.Random(seed)  # noqa: S311 - not a secret
    body = "\n".join(_statement(rng, "    ") for _ in range(rng.randrange(1, 6)))
    results = "x, y, z, w, xs, d, o, b, G"
    head = "def h(x, y, z, w, xs, ys, d, t, o, b, s, a, xss):\n    global G"
    return f"{CLASSES}\n\n{head}\n{body}\n    return {results}\n"


def _expression(rng, depth):  # noqa: C901, PLR0911 - one for each kind
    if depth <= 0:
        return rng.choice(rng.choices([_NAMES, _LEAVES, _READS], [11, 4, 5])[0])

    def part():
        return _expression(rng, depth - 1 - (rng.random() < 0.3))

    match rng.randrange(15):
        case 0 | 1 | 2 | 3 | 4:
            return f"({part()} {rng.choice('+-*/%+*')} {part()})"
        case 5:
            return f"({part()} {rng.choice(['<', '<=', '>', '==', '!=', 'in', 'not in'])} {part()})"
        case 6:
            return f"{rng.choice(['xs', 'd', 't', 'o.items', 'o.d', 'b', 'ys', 'a', 'xss[1]'])}[{part()}]"
        case 7:
            name = rng.choice(["f", "abs", "float", "max", "int", "str", "math.sqrt", "g"])
            return f"{name}({part()})" if rng.random() < 0.5 else f"{name}({part()}, {part()})"
        case 8:
            owner = rng.choice(["o", "b", "s", "xs", "d", "t", "o.items", "o.d"])
            name = rng.choice(["m", "append", "get", "q", "p", "upper", "index", "count"])
            return f"{owner}.{name}" + rng.choice(["", f"({part()})", f"({part()}, {part()})", "()"])
        case 9:
            return f"({part()} if {part()} else {part()})"
        case 10:
            return f"({part()} {rng.choice(['and', 'or'])} {part()})"
        case 11:
            return f"[{part()} for v in {part()}]"
        case 12:
            return f"(lambda v: {part()})({part()})"
        case 13:
            return f"-{part()}"
    return f"xs[{part()}:{part()}]"


def _statement(rng, indent):  # noqa: C901, PLR0911 - one for each kind
    def part(depth=2):
        return _expression(rng, rng.randrange(depth + 1))

    name = rng.choice("xyzw")
    containers = ["xs", "d", "b", "ys", "o.items", "o.d"]
    match rng.randrange(14):
        case 0 | 1 | 2:
            return f"{indent}{name} = {part(3)}"
        case 3 | 4:
            return f"{indent}{name} {rng.choice(['+=', '-=', '*='])} {part()}"
        case 5:
            return f"{indent}{rng.choice(['o.q', 'b.p', 'o.items', 's.q'])} = {part()}"
        case 6:
            return f"{indent}{rng.choice(['o.q', 'b.p', 'b.v'])} {rng.choice(['+=', '*='])} {part()}"
        case 7:
            return f"{indent}{rng.choice(containers)}[{part(1)}] = {part()}"
        case 8:
            return f"{indent}{rng.choice(containers)}[{part(1)}] {rng.choice(['+=', '*='])} {part()}"
        case 9:
            inner, other = (_statement(rng, indent + "    ") for _ in range(2))
            return f"{indent}if {part()}:\n{inner}\n{indent}else:\n{other}"
        case 10:
            inner = _statement(rng, indent + "    ")
            return f"{indent}for {name} in {part(1)}:\n{inner}\n{indent}    if len(log) > 300: break"
        case 11:
            inner = _statement(rng, indent + "    ")
            noted = "log.append((type(error).__name__, str(error)))"
            return f"{indent}try:\n{inner}\n{indent}except {_CAUGHT} as error:\n{indent}    {noted}"
        case 12:
            return f"{indent}G += {part(1)}"
    return f"{indent}{name}, w = {part(1)}, {part(1)}"
