"""Laws of the rules of `chainrules`: where they stand, that they fit together, and that all are tested."""

import pkgutil
import subprocess
import sys
import types
from typing import get_args

import numpy as np
import pytest

from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_testutils.testers.exercised import exercised_rules
from tests.sampling import time_is_over
from tests.shipped_rules import shipped_rules
from tests.whole_run import observer, seen

# Primals whose rules no tester can be asked about, and why. They have tests of their own.
NOT_EXERCISED = {
    "tplquad": "each of its derivatives takes seconds: a test at length compares them",
    **dict.fromkeys(
        ("Generator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "Random", "RandomState", "SFC64"),
        "its result is a generator of random numbers, which has no tangents",
    ),
    **dict.fromkeys(
        ("SeedSequence", "SystemRandom", "default_rng", "spawn"),
        "its result is a generator of random numbers, which has no tangents",
    ),
    **dict.fromkeys(
        ("bytes", "get_state", "getstate", "randbytes", "seed", "set_state", "setstate"),
        "its result is bytes, the state of a generator, or nothing, which have no tangents",
    ),
    **dict.fromkeys(
        ("ascii", "bin", "bytearray", "bytes", "chr", "format", "hex", "oct", "repr", "str"),
        "its result is a text, which has no tangents",
    ),
    **dict.fromkeys(("open", "print", "range", "slice"), "its result is nothing that has tangents"),
    **dict.fromkeys(("hash", "id"), "its result is a number that has nothing to do with the value"),
    **dict.fromkeys(
        ("at", "delattr", "delitem", "imatmul", "next", "setattr", "setitem"),
        "it changes its argument, so that its rules refuse",
    ),
    **dict.fromkeys(("splu", "factorized"), "its result is tested by the systems that it solves"),
    **dict.fromkeys(
        ("solve_continuous_are", "solve_discrete_are"),
        "two of its matrices have to stay Hermitian: tested through functions that keep them so",
    ),
    **dict.fromkeys(
        ("ncfdtridfd", "ncfdtridfn", "ncfdtrinc"),
        "SciPy's values are too coarse for differences: tested by the rule of the function that it inverts",
    ),
    **dict.fromkeys(
        ("akima_slopes", "monotone_slopes"), "its result is given to it: tested by programs that make splines"
    ),
    "sosfilt": "SciPy takes only one for some coefficients: tested by programs that keep them so",
    "lobpcg": "it changes the vectors that it begins with, which the testers refuse: tested by programs",
    "get_index_dtype": "its result is a dtype, which has no tangents",
    "empty_like": "what its result holds is left to chance",
    "ndim": "its result is an integer, which has no tangents",
    "result_type": "its result is a dtype, which has no tangents",
    "shape": "its result holds integers, which have no tangents",
    "size": "its result is an integer, which has no tangents",
}


def callees_of(method):
    """The functions and classes that a rule is for."""
    return [member.type_parameter for member in method.members]


def public_name_of(callee):
    """What has the callee's name in a module: the ufunc or the class, if it is the method of one."""
    owner = getattr(callee, "__self__", None)
    if isinstance(callee, types.FunctionType) and "." in callee.__qualname__:  # a method written in Python
        return getattr(sys.modules[callee.__module__], callee.__qualname__.partition(".")[0], callee)
    return owner if isinstance(owner, np.ufunc) else getattr(callee, "__objclass__", callee)


def owners_of(path):
    """The modules whose functions a ruleset's file may be for: its folder, and the module of its own name."""
    own = sys.modules.get(".".join(path.with_suffix("").parts))
    folder = ".".join(path.parent.parts)
    return [*([own] if own else []), *([pkgutil.resolve_name(folder)] if folder else [])]


def is_owned(method, path):
    """Whether the module of a rule's file has the rule's primals, or a class that the rule is specific to.

    An operator belongs to `operator`, but what it means for a sparse array is SciPy's to say: a rule that
    names a class of SciPy's among its annotations stands with that class.
    """
    return any(owns(module, method) for module in owners_of(path))


def owns(module, method):
    """Whether a module has a rule's primals, or a class that the rule is specific to."""
    is_private = module.__name__.rpartition(".")[2].startswith("_")  # all of its names are, then
    public = [value for name, value in vars(module).items() if is_private or not name.startswith("_")]
    named = {cls for hint in method.signature.types for cls in get_args(hint) or (hint,)}
    # Without those of Python and NumPy, which a module may have imported.
    classes = [value for value in public if isinstance(value, type) and is_from(module, value)]
    return all(
        any(public_name_of(callee) is value for value in public) for callee in callees_of(method)
    ) or any(cls is value for cls in named for value in classes)


def is_from(module, cls):
    """Whether a class is defined in a module, or in a submodule of it."""
    return f"{cls.__module__}.".startswith(f"{module.__name__}.")


def test_rulesets_are_found():
    """The laws below are about some rules."""
    assert len(list(shipped_rules())) > 50


def test_rules_fit_together():
    """No rule hides another or is ambiguous with one, and none is for everything.

    In a process of its own: the tests of this run register rules that do not fit together.
    """
    modules = "chainrules, numpy, scipy.sparse.linalg, chainrules_core.structured"
    program = f"import {modules}; from chainrules_testutils import test_method_tables as t; t()"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert finished.stderr == ""


def test_rules_stand_where_their_primals_live():
    """The folder of a rule is the module that owns its primal, or a class among its annotations."""
    misplaced = [(method.name, str(path)) for method, path in shipped_rules() if not is_owned(method, path)]

    assert misplaced == []


def test_annotations_can_be_cached():
    """The types of the arguments decide: one annotation on a value would slow all rules of its callee."""
    unfaithful = [method.name for method, _ in shipped_rules() if not method.signature.is_faithful]

    assert unfaithful == []


def test_reverse_rules_have_their_forward_twin():
    """Both modes stand side by side."""
    by_mode = {"rrule": set(), "frule": set()}
    for method, _ in shipped_rules():
        by_mode[method.mode].update(callees_of(method))

    assert by_mode["rrule"] == by_mode["frule"]


def name_of(mode, callee):
    """What a callee's rules of a mode are called in every process."""
    owner = getattr(callee, "__self__", None)
    is_bound = not isinstance(owner, types.NoneType | types.ModuleType | type | np.ufunc)
    return f"{mode} {describe_callee(callee)}{' of an instance' if is_bound else ''}"


def shipped_callees():
    """Every mode and callee that the rulesets have rules of."""
    return {(method.mode, callee) for method, _ in shipped_rules() for callee in callees_of(method)}


def test_callees_have_names_of_their_own():
    """Else one would pass for the other, if one is tested in one process and the other nowhere.

    In a process of its own: the tests of this run make functions that rulesets give rules to.
    """
    program = (
        "from tests.test_rules import name_of, shipped_callees\n"
        "callees = shipped_callees()\n"
        "print(len(callees), len({name_of(*each) for each in callees}))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    number, number_of_names = map(int, finished.stdout.split())

    assert number == number_of_names > 500


@observer
def callees_by_name():
    """Which rules there are, and which of them were given to a tester in this process."""
    exercised = exercised_rules()
    wanted = [each for each in shipped_callees() if getattr(each[1], "__name__", "") not in NOT_EXERCISED]
    return {
        "shipped": [name_of(*each) for each in wanted],
        "exercised": [name_of(*each) for each in wanted if each in exercised],
    }


@pytest.mark.last
def test_every_rule_is_tested(request):
    """Each rule was given to `test_rrule` or `test_frule` somewhere in this run."""
    option = request.config.option
    if option.keyword or option.markexpr or option.part or request.config.args_source.name != "TESTPATHS":
        pytest.skip("only a whole run tells")
    if time_is_over(request.config):
        pytest.skip("some tests were skipped for lack of time")
    processes = seen(request.config, callees_by_name)
    shipped, exercised = (
        {name for process in processes for name in process[kind]} for kind in ("shipped", "exercised")
    )

    missed = shipped - exercised
    assert not missed, f"no test reaches {sorted(missed)}; is one outside of the sample? `make sample`"
