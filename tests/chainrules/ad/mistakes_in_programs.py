"""Mistakes in programs that are differentiated: scripts with one each, and words of the message."""

MISTAKES_IN_PROGRAMS = {
    # Conversions.
    "float(x)": (
        "grad(lambda x: float(x) ** 2)(2.0)",
        "about to become a float at",
        "in `float(x)`",
        "Leave `float` out",
    ),
    "int(x)": (
        "grad(lambda x: int(x) * x)(2.0)",
        "in `int(x)`",
        "`int(primal_of(x))`",
    ),
    "complex(x)": (
        "grad(lambda x: abs(complex(x)))(2.0)",
        "in `complex(x)`",
        "Leave `complex` out",
    ),
    "math.sin": (
        "grad(lambda x: math.sin(x))(2.0)",
        "in `math.sin(x)`",
        "Write `np.sin`",
    ),
    "math.gamma": (
        "grad(lambda x: math.gamma(x))(2.0)",
        "Write `call(math.gamma, x)`, of `chainrules.ad`",
    ),
    "the result of `primitive` dropped": (
        """
def erf(x):
    return math.erf(x)
scalar_rule(erf, lambda y, x: np.exp(-x * x))
primitive(erf)
with interception(False):
    grad(lambda x: erf(x))(2.0)
""",
        "in `math.erf(x)`",
        "`erf` has a rule: write `erf = primitive(erf)`",
    ),
    "math.sin itself": (
        "grad(math.sin)(2.0)",
        "`grad(math.sin)(2.0)`",
        "`lambda x: call(math.sin, x)`",
    ),
    "an array of traced numbers": (
        "grad(lambda x: np.sum(np.array([x[0], x[1]])))(X)",
        "in `np.array([x[0], x[1]])`",
        "`np.stack([...])`",
    ),
    "a matrix of traced numbers": (
        "grad(lambda t: np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])[0, 0])(2.0)",
        "`np.block([[...], [...]])`",
    ),
    "np.asarray": (
        "grad(lambda x: np.sum(np.asarray(x, dtype=float)))(X)",
        "Leave `np.asarray` out",
    ),
    "np.full": (
        "grad(lambda x: np.sum(np.full(3, x)))(2.0)",
        "Write `call(np.full, 3, x)`",
    ),
    "np.full_like": (
        "grad(lambda x: np.sum(np.full_like(X, x)))(2.0)",
        "`call(np.full_like, a, x)`",
    ),
    "np.sum of a list": (
        "grad(lambda x: np.sum([x, x]))(2.0)",
        "Give it an array of traced numbers",
        "`np.stack([...])`",
    ),
    "a method of a plain array": (
        "grad(lambda x: np.sum(X.dot(x)))(X)",
        "in `X.dot(x)`",
        "`np.dot(X, ...)`",
    ),
    "np.r_": (
        "grad(lambda x: np.sum(np.r_[x, x]))(X)",
        "in `np.r_[x, x]`",
        "Write `np.concatenate`",
    ),
    "np.bmat": (
        "grad(lambda x: np.sum(np.bmat([[x, x]])))(A)",
        "Write `np.block`",
    ),
    "np.pad with a traced constant": (
        "grad(lambda x: np.sum(np.pad(X, 1, constant_values=x)))(2.0)",
        "`np.pad(x - c, ...) + c`",
    ),
    "np.vectorize": (
        "grad(lambda x: np.sum(np.vectorize(cube)(x)))(X)",
        "`call(np.vectorize(cube), x)`",
    ),
    "a generator of random numbers": (
        """
rng = np.random.default_rng(0)
grad(lambda x: rng.normal(x))(2.0)
""",
        "Write `call(rng.normal, x)`",
    ),
    "a function of SciPy": (
        """
import scipy.signal
grad(lambda x: np.sum(scipy.signal.remez(3, [0.0, 0.1, 0.2, 0.5], x[0, :2])))(A)
""",
        "`scipy.signal.remez` has no rule",
        "give it one",
    ),
    "an index": (
        "grad(lambda x: X[x])(1.0)",
        "an index is an integer, `int(primal_of(i))`",
    ),
    "a count": (
        "grad(lambda x: sum(x for _ in range(x)))(2.0)",
        "Counts, axes and indices are integers",
        "`int(primal_of(x))`",
    ),
    "an axis": (
        "grad(lambda x: np.sum(X, axis=x))(0.0)",
        "Counts, axes and indices are integers",
    ),
    "a value kept from before": (
        """
kept = []
grad(lambda x: (kept.append(x), x)[1])(2.0)
math.sqrt(kept[0])
""",
        "in `math.sqrt(kept[0])`",
        "differentiation is over",
        "primal_of(x)",
    ),
    "a value pickled": (
        """
import pickle
grad(lambda x: (pickle.dumps(x), x)[1])(2.0)
""",
        "about to be pickled",
        "primal_of(x)",
    ),
    # Branches and writes.
    "a condition of an array": (
        "grad(lambda x: np.sum(x) if x > 0 else 0.0)(X)",
        "truth value of an array",
        "`np.where(condition, a, b)`",
    ),
    "a write into a plain array": (
        """
def f(x):
    y = np.zeros(3)
    y[0] = x[0]
    return np.sum(y)
grad(f)(X)
""",
        "setting an array element",
        "in `y[0]`",
        "write `np.stack(items)`",
    ),
    **{
        f"a write into a sparse array: {statement}": (
            f"""
import scipy.sparse
def f(x):
    A = scipy.sparse.lil_array((3, 3))
    {statement}
    return A.tocsr().sum()
grad(f)(X)
""",
            "Sparse arrays are not written into",
            "`scipy.sparse.coo_array((np.stack(values), (rows, columns)), shape=...)`",
        )
        for statement in ("A[0, 1] = x[0]", "A[0, 1] += x[0]", "A.setdiag(x)")
    },
    "a sum in place": (
        """
def f(x):
    y = np.zeros(3)
    y += x
    return np.sum(y)
grad(f)(X)
""",
        "Write `y = np.add(...)`, and `a = a + x`",
    ),
    "out=": (
        """
def f(x):
    b = np.zeros(3)
    np.exp(x, out=b)
    return np.sum(b)
grad(f)(X)
""",
        "exp(..., out=...)",
        "Write `y = np.exp(...)`",
    ),
    "where=": (
        "grad(lambda x: np.sum(np.modf(x, where=x > 0)[0]))(X)",
        "np.modf(..., where=...)",
        "`np.where`",
    ),
    "dtype=": (
        "grad(lambda x: np.sum(np.exp(x, dtype=np.int64)))(X)",
        "np.exp(..., dtype=...)",
        "`x.astype(dtype)`",
    ),
    "a list that holds itself": (
        """
items = [2.0]
items.append(items)
grad(lambda x: x[0])(items)
""",
        "A list holds itself",
    ),
}
