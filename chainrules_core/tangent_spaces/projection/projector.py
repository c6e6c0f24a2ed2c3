"""`Projector`, the base class of all projectors, and the two projectors that fit any primal."""

from dataclasses import dataclass
from typing import Any

from chainrules_core.tangents.abstract_zero import AbstractZero, NoTangent
from chainrules_core.tangents.arithmetic import Rank, rank_of
from chainrules_core.tangents.not_implemented import NotImplementedTangent
from chainrules_core.tangents.structural_operations import primal_type as primal_type_of
from chainrules_core.tangents.thunks import AbstractThunk, InplaceableThunk, Thunk, unthunk


class Projector:
    """Brings cotangents into the tangent space of one primal; made by `ProjectTo`.

    Called with a cotangent that fits already, a projector returns the same object. Zeros and not implemented
    derivatives pass, a thunk is projected once it is unthunked. A projector's class handles the rest
    in two methods, one for natural tangents and one for structural ones.

    To write a projector, derive from this class, preferably with ``@dataclass(slots=True,
    unsafe_hash=True)``, which makes it comparable and picklable, and gives it a repr that evaluates back;
    define `project` and, where there are structural tangents, `primal_type`; and make it known with
    ``ProjectTo.dispatch``. Treat instances as immutable.
    """

    __slots__ = ()

    @property
    def primal_type(self) -> type[Any] | None:
        """The type whose structural tangents, ``Tangent[primal_type]``, already fit; `None` if none do."""
        return None

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`; see the class."""
        rank = rank_of(x_bar)
        if rank is Rank.OTHER:
            return self.project(x_bar)
        if rank is Rank.STRUCTURAL:
            return self.project_structural(x_bar)
        return self.project_thunk(x_bar) if rank is Rank.THUNK else x_bar

    def project(self, x_bar: Any) -> Any:
        """The projection of a natural cotangent: a number, an array, a container, ...

        Raises
        ------
        TypeError
            If `x_bar` is not the kind of thing that a cotangent of this primal can be.
        DimensionMismatchError
            If its shape, length or keys do not fit the primal's.
        """
        raise NotImplementedError

    def project_structural(self, x_bar: Any) -> Any:
        """The projection of a structural tangent: one of the primal's type passes."""
        if self.primal_type is not None and issubclass(primal_type_of(x_bar), self.primal_type):
            return x_bar
        raise self.refusal(x_bar)

    def project_thunk(self, x_bar: AbstractThunk) -> AbstractThunk:
        """The projection of a thunk, put off until it is unthunked; the in-place half cannot be kept."""
        lazy = x_bar.val if isinstance(x_bar, InplaceableThunk) else x_bar
        return Thunk(_project_unthunked, self, lazy)

    def refusal(self, x_bar: Any) -> TypeError:
        """The error for a cotangent that is the wrong kind of thing."""
        return TypeError(
            f"{self!r} cannot project {_describe(x_bar)}: it is no cotangent of such a primal. "
            f"Return ZeroTangent() or NoTangent() where there is no derivative, a number or an array of the "
            f"primal's shape, or Tangent[P](...) where the primal is of a type P with fields."
        )


def _project_unthunked(project: Projector, x_bar: AbstractThunk) -> Any:
    return project(unthunk(x_bar))


def _describe(x: Any) -> str:
    description = repr(x)
    return f"{description[:60]}{'...' * (len(description) > 60)} of type {type(x).__qualname__}"


def spelled(cls: type[Any]) -> str:
    """The class as one writes it, for a repr: ``float``, ``np.float32``, ``numbers.Real``."""
    module = {"builtins": "", "numpy": "np."}.get(cls.__module__, f"{cls.__module__}.")
    return f"{module}{cls.__qualname__}"


@dataclass(slots=True, unsafe_hash=True)
class NoTangentProjector(Projector):
    """For primals that cannot be perturbed, such as strings: zeros pass, all else becomes ``NoTangent()``."""

    def __call__(self, x_bar: Any) -> Any:
        """``NoTangent()``, or `x_bar` if it is a zero or not implemented; thunks are not computed."""
        return x_bar if isinstance(x_bar, AbstractZero | NotImplementedTangent) else NoTangent()


@dataclass(slots=True, unsafe_hash=True)
class IdentityProjector(Projector):
    """For primals of unknown types: whatever the rule says is their cotangent."""

    def __call__(self, x_bar: Any) -> Any:
        """The cotangent `x_bar` itself."""
        return x_bar


# There is one of each, since rules make projectors at each call.
NO_TANGENT_PROJECTOR = NoTangentProjector()
IDENTITY_PROJECTOR = IdentityProjector()
