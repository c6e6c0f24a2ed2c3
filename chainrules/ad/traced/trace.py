"""A differentiation of one call, as its traced values know it: their operators and methods call it."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from chainrules.ad.syntax.classes_of_values import let_hooks_see_text
from chainrules.ad.values.structures import Path
from chainrules.ad.watching.hints import HINTED, add_hints
from chainrules.ad.watching.mutation import MutationGuard
from chainrules.ad.watching.observing import RuleCall, observers
from chainrules.ad.watching.shape_guard import ShapeGuard
from chainrules_core import ZERO_TANGENT, debug_mode, frule, rrule

Recall = Callable[[Any], RuleCall | None]

_next_number = itertools.count().__next__

# The record of a constant argument, in both modes. Forwards, where records are tangents, it is its tangent.
CONSTANT = ZERO_TANGENT

# The differentiations whose function runs now, in whatever thread.
RUNNING: list["Trace"] = []

# The numbers (`id`) of arrays for which there is nothing to note before the program writes into them: each of
# these differentiations knows that they are written into, and no rule was given one since.
NOTED: set[int] = set()

_CAUGHT = (
    "The program caught this error, or it ended a thread, and the program went on. Without differentiation "
    "there is no error, and the program goes another way: so the error is raised again, now that the program "
    "has returned."
)

# Returned in the place of a result: no rule serves the call, and the body of the function is to be traced.
OPTED_OUT = object()


class Trace:
    """One differentiation of one call. It takes the traced values of another differentiation for constants.

    Attributes
    ----------
    number
        Greater than the numbers of all traces that began before. Of two traces the later one may have begun
        inside the earlier one, and its values may then carry values of the earlier one, never the reverse.
    observers
        Who looks on.
    recall
        ``recall((ADConfig, f, *types))`` is the rule for a call that was made before, or `None`. It recalls
        nothing if somebody looks on, or once the differentiation has ended: the hot path then does not have
        to ask about either.
    has_ended
        Whether the differentiated function has returned.
    given
        The arguments of the function, while it runs.
    kept, written
        Plain arrays that its rules were given, and that the program wrote into, if there were any: see
        `chainrules.ad.calls.rule_inputs`.
    kept_parts
        The numbers (`id`) of the arrays that some of those given to rules were views of.
    stand_ins
        What stands for instances of ordinary classes in the arguments: see `chainrules.ad.traced.instances`.
    changed
        Of these, by the number (`id`) of the instance, the ones that the function changed.
    refused
        The first error that said that a derivative would be lost, if there was one, and who asked: see
        `refuse`.
    written_numbers
        The numbers that went into text, if there were any, and where: see
        `chainrules.ad.traced.written_numbers`.
    warned
        Where the program was warned, if it was: see `chainrules.ad.traced.lost_derivatives`.
    """

    __slots__ = (
        *("changed", "given", "has_ended", "kept", "kept_parts", "number", "observers", "recall", "refused"),
        *("stand_ins", "warned", "written", "written_numbers"),
    )

    mode: str
    """How messages call it."""

    keeps_arguments = False
    """Whether its rules keep their arguments, until their pullbacks are called."""

    is_constant = False
    """Whether nothing that belongs to it depends on anything: see `chainrules.ad.writing.fillable`."""

    remembered: Recall
    """`rrule.remembered` or `frule.remembered`."""

    def __init__(self) -> None:
        self.number = _next_number()
        self.observers = (ShapeGuard(), MutationGuard(), *observers()) if debug_mode() else observers()
        self.recall = recall_nothing if self.observers else self.remembered
        self.has_ended = False
        self.kept: dict[int, Any] | None = None
        self.kept_parts: set[int] | None = None
        self.written: dict[int, Any] | None = None
        self.refused: tuple[Exception, tuple[Any, Any] | None] | None = None
        self.stand_ins: list[Any] | None = None
        self.changed: dict[int, Any] | None = None
        self.warned: set[tuple[str, int]] | None = None
        self.written_numbers: dict[float, str] | None = None

    def __repr__(self) -> str:
        return "ended" if self.has_ended else self.mode

    def run(self, f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """Call the differentiated function with traced arguments, and end the differentiation.

        Values that the program keeps are constants afterwards. Were they still traced, results of
        computations with them would be constants to a differentiation around this one.
        """
        RUNNING.append(self)
        NOTED.clear()
        self.given = args
        try:
            y = f(*args, **(kwargs or {}))
            if self.refused is not None:
                error, _ = self.refused
                error.add_note(_CAUGHT)
                raise error
            self.bring_up_to_date(y, self)
        except RecursionError as error:
            name_recursion(error)
            raise
        except HINTED as error:
            name_recursion(error)
            add_hints(error, args)
            raise
        else:
            if self.stand_ins is not None:
                self.assign_to_originals(self)
            return y
        finally:
            RUNNING.remove(self)
            if self.written_numbers is not None:
                self.written_numbers = None
                let_hooks_see_text(any(trace.written_numbers is not None for trace in tuple(RUNNING)))
            self.given, self.kept, self.kept_parts, self.written, self.refused = (), None, None, None, None
            self.has_ended = True
            self.recall = recall_nothing

    def refuse(self, error: Exception, asked: tuple[Any, Any] | None = None) -> Exception:
        """Keep an error that says that a derivative would be lost, and return it, to be raised.

        A program may catch it, as by ``except Exception: return 0.0``, and go another way than without
        differentiation. Its derivative would be wrong in silence: the error is raised again when it returns.

        Parameters
        ----------
        error
            The error.
        asked
            If an operator of another object was about to make a plain array of a traced value: that value,
            and the object.
        """
        if self.refused is None and not self.has_ended:
            self.refused = error, asked
        return error

    def forgive_operator(self, x: Any, other: Any) -> None:
        """Forget that an operator of `other` was about to make a plain array of `x`, whose own is called now.

        The operator of the other class, as of NumPy's polynomials, has tried whether it takes the value,
        caught the error, and answered `NotImplemented`.
        """
        if self.refused is not None and self.refused[1] is not None:
            value, owner = self.refused[1]
            if value is x and owner is other:
                self.refused = None

    def call(
        self,
        f: Any,
        values: tuple[Any, ...],
        records: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        has_body: bool = False,
    ) -> Any:
        """Call a function by its rule, and trace its result.

        Parameters
        ----------
        f, values, kwargs
            The function and its arguments, without the traced values of this trace.
        records
            The records of the function and of each positional argument: `CONSTANT`, the record of the traced
            value, or the record that `record_of_container` made.
        has_body
            Whether the caller can call something else where there is no rule, such as the function's body.

        Returns
        -------
        object
            `OPTED_OUT` if that is to be done: a rule says so, or there is none.

        Raises
        ------
        RuleNotFoundError
            If there is no rule, and no body.
        """
        raise NotImplementedError

    def record_of_container(self, x: Any, held: list[tuple[Path, Any]]) -> Any:
        """The record of a container or closure that holds traced values.

        Parameters
        ----------
        x
            The container, with plain values in their places.
        held
            For each traced value the path to its place, and its record.
        """
        raise NotImplementedError

    @staticmethod
    def write(x: Any, index: Any, v: Any) -> None:
        """Write into a traced array: see `chainrules.ad.writing.statements`."""
        raise NotImplementedError

    @staticmethod
    def update(x: Any, y: Any) -> Any:
        """Write a result in the shape of a traced array into it: see `chainrules.ad.writing.statements`."""
        raise NotImplementedError

    @staticmethod
    def before_writing(x: Any) -> None:
        """Note that a plain array is about to be written into: see `chainrules.ad.calls.rule_inputs`."""
        raise NotImplementedError

    @staticmethod
    def shown(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None, y: Any) -> Any:
        """The result of a call, as a view of an argument if it is one: see `chainrules.ad.traced.views`."""
        raise NotImplementedError

    @staticmethod
    def item(x: Any, index: Any, y: Any) -> Any:
        """The result of ``x[index]``, as a view of `x` if it is one: see `chainrules.ad.traced.views`."""
        raise NotImplementedError

    @staticmethod
    def bring_up_to_date(y: Any, trace: Any) -> None:
        """Let views and filled arrays in a result have their values: `chainrules.ad.writing.ownership`."""
        raise NotImplementedError

    @staticmethod
    def assign_to_originals(trace: Any) -> None:
        """Let the caller see what the function assigned to attributes: `chainrules.ad.traced.instances`."""
        raise NotImplementedError

    @staticmethod
    def flat(x: Any) -> Any:
        """A view of the elements of an array in a row: see `chainrules.ad.traced.views`."""
        raise NotImplementedError

    @staticmethod
    def apply(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """Call a function by its rule, with traced values of any trace among the arguments, or inside them.

        Both modes take it from `chainrules.ad.calls.calling`.
        """
        raise NotImplementedError

    @staticmethod
    def apply_to_two(f: Callable[..., Any], x: Any, y: Any) -> Any:
        """Call an operator with two traced values: see `chainrules.ad.calls.calling`."""
        raise NotImplementedError


def name_recursion(error: BaseException) -> None:
    """Raise an error that names a rule, if that asked for itself until calls did not fit on the stack."""
    if isinstance(error, RecursionError | SystemError):
        rrule.name_recursion(error)
        frule.name_recursion(error)


def is_refused(error: BaseException | None) -> bool:
    """Whether an error says that a derivative would be lost, and is kept to be raised again."""
    return any(trace.refused is not None and trace.refused[0] is error for trace in tuple(RUNNING))


def raise_refused(error: Exception) -> None:
    """Raise the refused error that an error of NumPy came of, which says no more than "a sequence"."""
    for trace in tuple(RUNNING):
        # NumPy's iterators drop what their errors came of.
        if trace.refused is not None and error.__cause__ in {trace.refused[0], None}:
            raise trace.refused[0] from None


def forgive(error: BaseException) -> None:
    """Forget that an error was refused: whoever caught it goes on without losing a derivative."""
    for trace in tuple(RUNNING):
        if trace.refused is not None and trace.refused[0] is error:
            trace.refused = None


def recall_nothing(key: Any) -> None:
    """No rule."""
    return
