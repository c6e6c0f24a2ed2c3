"""A run of the tests of rules in which the testers compare with other frameworks, and do nothing else.

As a plugin, ``pytest -p tests.oracle_calls --oracle jax tests/chainrules/rulesets``, it takes the place of
the testers, so that the tests only say which calls there are. Of the calls of one callee in one mode that
have arguments of the same kinds (real, complex; numbers, arrays), and the same keywords, the first is
compared with each framework, until three have been, or twelve were tried.
"""

import contextlib
import copy
import inspect
import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, unthunk_fully
from chainrules_testutils import Outcome, PrimalAndTangent, Report, rand_tangent
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.oracles import find_oracle
from chainrules_testutils.oracles.names import public_name
from chainrules_testutils.testers import frule_tester, rrule_tester, scalar_tester
from chainrules_testutils.testers.oracle_checks import check_cotangents_against, check_tangent_against
from chainrules_testutils.testers.trial import AUTO, Trial

COMPARISONS = pytest.StashKey()

# Of which frameworks have their own, or take ours.
PLAIN = (int, float, complex, str, slice, type(None), type(...), type, np.generic, np.dtype, np.ufunc)

# Of one callee in one mode.
MOST_COMPARED = 3
MOST_TRIED = 12


class Comparisons:
    """The comparisons with a framework, by the mode and the dotted name of the callee.

    Parameters
    ----------
    framework
        The framework's name.
    """

    def __init__(self, framework):
        self._framework = framework
        self._compared = Counter()
        self._tried = Counter()
        self._refused = defaultdict(Counter)
        self._differences = defaultdict(dict)
        self._met = set()

    def meet(self, mode, f, args, options):
        """Compare a call of a test, unless enough like it have been."""
        if options.rule is None and self._is_to_be_compared(mode, f, args, options):
            # Some calls are meant to fail, or have no rule: that is the business of the tests.
            with np.errstate(all="ignore"), contextlib.suppress(Exception):
                self.compare(mode, f, args, options)

    def _is_to_be_compared(self, mode, f, args, options):
        key = mode, public_name(_value(f))
        call = (*key, tuple(map(_kind, args)), tuple(sorted(options.fkwargs)))
        has_enough = self._compared[key] >= MOST_COMPARED or self._tried[key] >= MOST_TRIED
        if call in self._met or has_enough or not all(map(_is_plain, (*args, *options.fkwargs.values()))):
            return False
        self._met.add(call)
        self._tried[key] += 1
        return True

    def compare(self, mode, f, args, options, shown=None):
        """Compare a call, if the framework has the function, and record what comes of it."""
        try:
            oracle = find_oracle(self._framework, _value(f))
        except LookupError:
            return
        key = mode, public_name(_value(f))
        title, checks = comparison(mode, oracle, f, args, replace(options, order=1))
        shown = shown or title.partition(": ")[2]
        failures = [check for check in checks if check.outcome is Outcome.FAILED]
        errors = [check.error for check in failures if check.error is not None]
        about = "result" if any(check.where.startswith("result") for check in failures) else "derivative"
        if errors:
            self._refused[key][f"{type(errors[0]).__name__}: {errors[0]}".partition("\n")[0]] += 1
        elif checks:
            self._compared[key] += about == "derivative"
        if failures and not errors:
            self._differences[key][shown] = about, "\n".join(check.message for check in failures)

    def found(self):
        """All of it, in plain values."""
        keys = {*self._compared, *self._refused, *self._differences}
        return [
            {
                "mode": mode,
                "callee": callee,
                "compared": self._compared[mode, callee],
                "refused": self._refused[mode, callee],
                "differences": self._differences[mode, callee],
            }
            for mode, callee in sorted(keys)
        ]


def _value(x):
    """An argument of a tester without its tangent."""
    return x.x if isinstance(x, PrimalAndTangent) else x


def _is_plain(x):
    """Whether frameworks have what an argument is made of."""
    x = _value(x)
    if isinstance(x, tuple | list | dict):
        return all(map(_is_plain, x.values() if isinstance(x, dict) else x))
    if isinstance(x, np.ndarray):
        return x.dtype != object
    return isinstance(x, PLAIN) or inspect.isroutine(x)


def _kind(x):
    x = _value(x)
    if isinstance(x, np.ndarray):
        return x.dtype.kind, bool(x.ndim)
    return tuple(map(_kind, x)) if isinstance(x, tuple | list) else type(x)


def comparison(mode, oracle, f, args, options):
    """The call as a title has it, and the checks of a rule's answer to it against the oracle's.

    There are none where nothing is differentiated.
    """
    trial = Trial(mode, f, args, options)
    given = trial.f, *copied(trial.primals[1:])
    if mode == "rrule":
        y_bar = rand_tangent(trial.y, 0) if options.output_tangent is AUTO else options.output_tangent
        cotangents = trial.call_rule(*given)[1](y_bar)
        if _is_moved(y_bar) and any(map(_is_moved, cotangents)):
            check_cotangents_against(oracle, trial, cotangents, y_bar)
    else:
        y_dot = trial.call_rule(trial.tangents, *given)[1]
        if _is_moved(y_dot) and any(map(_is_moved, trial.tangents)):
            check_tangent_against(oracle, trial, y_dot)
    return trial.report.title, trial.report.checks


def _is_moved(tangent):
    return not isinstance(unthunk_fully(tangent), NoTangent | NotImplementedTangent)


# --- The plugin ----------------------------------------------------------------------------------


def tester(mode, all_comparisons):
    """What takes the place of the function that makes the report of a tester."""

    def report(f, args, options, *others):
        for comparisons in all_comparisons:
            # Each draws the same tangents, however many frameworks there are.
            comparisons.meet(mode, f, args, replace(options, rng=copy.deepcopy(options.rng)))
        return Report("not tested, but compared")

    return report


def pytest_addoption(parser):
    """Which frameworks, and where the comparisons are written down."""
    parser.addoption("--oracle", required=True, action="append")
    parser.addoption("--oracle-results", required=True, type=Path)


def pytest_configure(config):
    """Replace the testers, which observers of theirs have replaced before."""
    comparisons = {framework: Comparisons(framework) for framework in config.getoption("oracle")}
    config.stash[COMPARISONS] = comparisons
    rrule_tester.rrule_report = scalar_tester.rrule_report = tester("rrule", comparisons.values())
    frule_tester.frule_report = scalar_tester.frule_report = tester("frule", comparisons.values())


def pytest_sessionfinish(session):
    """Write down what was compared."""
    found = {name: comparisons.found() for name, comparisons in session.config.stash[COMPARISONS].items()}
    session.config.getoption("oracle_results").write_text(json.dumps(found, indent=1))
