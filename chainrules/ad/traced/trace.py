"""A differentiation of one call, as its traced values know it: their operators and methods call it."""

from collections.abc import Callable, Sequence
from typing import Any

from chainrules.ad.syntax.classes_of_values import let_hooks_see_text
from chainrules.ad.values.structures import Path
from chainrules.ad.watching.hints import HINTED, add_hints
from chainrules.ad.watching.observing import Observer, RuleCall
from chainrules_core import ZERO_TANGENT, frule, rrule

Recall = Callable[[Any], RuleCall | None]

# The record of a constant argument, in both modes. Forwards, where records are tangents, it is its tangent.
CONSTANT = ZERO_TANGENT

# The differentiations whose function runs now, in whatever thread.
RUNNING: list["Trace"] = []

# Forgotten when a differentiation begins. Ids of arrays whose writes need no bookkeeping: every running
# differentiation has noted them, and no rule has been given them since.
UNUSED_BY_RULES: set[int] = set()

_CAUGHT = (
    "The program caught this error, or it ended a thread, and the program went on. It would not have "
    "occurred without differentiation, so it is raised again here."
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
    rule_inputs
        The plain arrays that its rules were given, and that the program wrote into: see
        `chainrules.ad.calls.rule_inputs`. `None` once it has ended.
    stand_ins
        What stands for instances of ordinary classes in the arguments: see `chainrules.ad.traced.instances`.
    changed
        Of these, by the number (`id`) of the instance, the ones that the function changed.
    refused
        The first error that said that a derivative would be lost, if there was one, and who asked: see
        `refuse`.
    lost
        In the rule of a call, whose arguments are traced whether they are constants or not: records of values
        that were dropped, with a cotangent of theirs and the error that is due if one depends on what moves.
    written_numbers
        The numbers that went into text, if there were any, and where: see
        `chainrules.ad.traced.written_numbers`.
    warned
        Where the program was warned, if it was: see `chainrules.ad.traced.lost_derivatives`.
    """

    __slots__ = (
        *("changed", "given", "has_ended", "number", "observers", "recall", "refused", "rule_inputs"),
        *("lost", "stand_ins", "warned", "written_numbers"),
    )

    number: int
    observers: Sequence[Observer]
    recall: Recall
    has_ended: bool
    given: Sequence[Any]
    rule_inputs: Any
    refused: tuple[Exception, tuple[Any, Any] | None] | None
    stand_ins: list[Any] | None
    lost: list[tuple[Any, Any, Exception]] | None
    changed: dict[int, Any] | None
    warned: set[tuple[str, int]] | None
    written_numbers: dict[float, str] | None

    mode: str
    """How messages call it."""

    keeps_arguments = False
    """Whether its rules keep their arguments, until their pullbacks are called."""

    is_constant = False
    """Whether nothing that belongs to it depends on anything: see `chainrules.ad.writing.fillable`."""

    remembered: Recall
    """`rrule.remembered` or `frule.remembered`."""

    def __repr__(self) -> str:
        return "ended" if self.has_ended else self.mode

    def run(self, f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """Call the differentiated function with traced arguments, and end the differentiation.

        Values that the program keeps are constants afterwards. Were they still traced, results of
        computations with them would be constants to a differentiation around this one.
        """
        RUNNING.append(self)
        UNUSED_BY_RULES.clear()
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
            self.given, self.rule_inputs, self.refused = (), None, None
            self.has_ended = True
            self.recall = recall_nothing

    def refuse(self, error: Exception, operands: tuple[Any, Any] | None = None) -> Exception:
        """Keep an error that says that a derivative would be lost, and return it, to be raised.

        A program may catch it, as by ``except Exception: return 0.0``, and go another way than without
        differentiation. Its derivative would be wrong in silence: the error is raised again when it returns.

        Parameters
        ----------
        error
            The error.
        operands
            If an operator of another object was about to make a plain array of a traced value: that value,
            and the object.
        """
        if self.refused is None and not self.has_ended:
            self.refused = error, operands
        return error

    def forgive_operator(self, x: Any, other: Any) -> None:
        """Forget the refused conversion of `x`: the operator of `other` has declined, and `x` is asked now.

        NumPy's polynomials, for example, try whether they can convert the value, catch the error, and answer
        `NotImplemented`.
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

    def record_of_container(self, x: Any, traced_parts: list[tuple[Path, Any]]) -> Any:
        """The record of a container or closure that holds traced values.

        Parameters
        ----------
        x
            The container, with plain values in their places.
        traced_parts
            For each traced value the path to its place, and its record.
        """
        raise NotImplementedError

    def has_derivative(self, record: Any, y_bar: Any) -> bool:
        """Whether a rule's answer, by its record, has a derivative other than zero: see the subclasses."""
        raise NotImplementedError

    def moves(self, record: Any, y_bar: Any) -> bool:
        """Whether a traced array, by its record, depends on the arguments, but for rounding."""
        raise NotImplementedError

    # What its values ask for, and rooms above theirs have: see `chainrules.ad.writing.differentiation`.

    apply: Callable[..., Any]
    """Call a function by its rule, with traced values of any trace among the arguments, or inside them."""

    apply_to_two: Callable[[Callable[..., Any], Any, Any], Any]
    """Call an operator with two traced values."""

    write: Callable[[Any, Any, Any], None]
    """Write into a traced array at an index."""

    update: Callable[[Any, Any], Any]
    """Write a result in the shape of a traced array into it."""

    bring_up_to_date: Callable[[Any, Any], None]
    """Let views and filled arrays in a result have their values, while they are still traced."""

    assign_to_originals: Callable[[Any], None]
    """Let the caller see what the function assigned to attributes."""

    before_writing: Callable[..., None]
    """Note that a plain array is about to be written into."""

    as_view: Callable[..., Any]
    """The result of a call, as a view of an argument if it is one."""

    item: Callable[[Any, Any, Any], Any]
    """The result of ``x[index]``, as a view of `x` if it is one."""

    flat: Callable[[Any], Any]
    """A view of the elements of an array in a row."""


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
