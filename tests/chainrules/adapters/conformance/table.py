"""The transforms that every framework is tried with, and what is refused; no framework is imported here.

The page `docs/reference/adapters.md` is made from it, and the tests hold it to be true.
"""

TRANSFORMS = {
    "PyTorch": (
        "value",
        "backward",
        "backward twice",
        "forward mode",
        "func.grad",
        "func.vjp",
        "func.jacrev",
        "func.jacfwd",
        "func.hessian",
        "func.vmap",
        "func.vmap of func.grad",
        "gradcheck, both modes, batched",
        "gradgradcheck",
        "compile(fullgraph=True), backward",
    ),
    "JAX": (
        "value",
        "grad",
        "vjp",
        "jvp",
        "jit",
        "jit of grad",
        "grad of grad",
        "jacrev",
        "jacfwd",
        "hessian",
        "vmap",
        "vmap of grad",
        "checkpoint",
        "linearize",
        "scan",
    ),
    "autograd": (
        "value",
        "grad",
        "make_jvp",
        "jacobian",
        "grad of grad",
        "make_jvp of grad",
        "grad of grad of grad",
    ),
    "PyTensor": (
        "value",
        "grad",
        "pushforward",
        "grad of grad",
        "pushforward of grad",
        "verify_grad",
        "mode NUMBA",
        "pickled function",
    ),
    "mygrad": ("value", "backward"),
}

_ONE_OUTPUT = "an operation of mygrad has one array as its result"

# By framework, transform and case: why it is refused. `None` stands for all transforms.
REFUSED = {
    ("mygrad", None, "eigh, two outputs"): _ONE_OUTPUT,
    ("mygrad", None, "functor with a parameter"): _ONE_OUTPUT,
    ("mygrad", None, "program of twenty lines"): _ONE_OUTPUT,
}


def refusal(framework: str, transform: str, case: str) -> str | None:
    """Why a transform of a case is refused; `None` if it works."""
    for_all = REFUSED.get((framework, None, case))
    return REFUSED.get((framework, transform, case), for_all)
