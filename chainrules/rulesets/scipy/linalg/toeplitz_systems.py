"""Rules for products and linear systems with Toeplitz matrices, which are given by a column and a row.

For ``Y = T X``: ``X_bar = Tᴴ Y_bar``, and ``T_bar = Y_bar Xᴴ``, whose diagonals are summed for the elements
that they share; see `chainrules.formulas.matrices.toeplitz`. For ``T X = B``: ``B_bar = T⁻ᴴ X_bar``, and
``T_bar = -B_bar Xᴴ``. The adjoint of a Toeplitz matrix is one, so that no matrix is ever made.
"""

from scipy.linalg import matmul_toeplitz, solve_toeplitz

from chainrules.formulas.matrices.toeplitz import adjoint_pair, column_and_row, pull_toeplitz, tangent_pair
from chainrules.makers.versions import is_scipy_since
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import as_columns
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, frule, primitive, rrule, typeof_, unbroadcast

_matmul, _solve = primitive(matmul_toeplitz), primitive(solve_toeplitz)

# Before SciPy 1.17 columns and rows with several axes are flattened, and equations are along the first axis.
_TAKES_STACKS = is_scipy_since(1, 17)


def _check_axes(c_or_cr, B) -> None:
    """Raise `ValueError` for stacks of matrices or right sides, if SciPy would not take them for stacks."""
    axes = max(len(shape_of(x)) for x in column_and_row(c_or_cr))
    if not _TAKES_STACKS and (axes > 1 or len(shape_of(B)) > 2):
        raise ValueError(
            "Before SciPy 1.17, stacks of Toeplitz matrices or of right sides cannot be differentiated: call "
            "the function for each matrix."
        )


@frule.dispatch
def matmul_toeplitz_frule(
    tangents, f: typeof_(matmul_toeplitz), c_or_cr: tuple | ArrayOperand, x: ArrayOperand, *options, **named
):
    _check_axes(c_or_cr, x)
    x_dot, pair_dot = tangents[2], tangent_pair(c_or_cr, tangents[1])
    y = _matmul(c_or_cr, x, *options, **named)
    y_dot = x_dot
    if not isinstance(x_dot, AbstractZero):
        y_dot = _matmul(column_and_row(c_or_cr), x_dot, *options, **named)
    return y, y_dot if pair_dot is None else _matmul(pair_dot, x, *options, **named) + y_dot


@rrule.dispatch
def matmul_toeplitz_rrule(
    f: typeof_(matmul_toeplitz), c_or_cr: tuple | ArrayOperand, x: ArrayOperand, *options, **named
):
    _check_axes(c_or_cr, x)
    y = _matmul(c_or_cr, x, *options, **named)
    is_vector = len(shape_of(x)) == 1

    def matmul_toeplitz_pullback(y_bar):
        if isinstance(y_bar, AbstractZero):
            return NO_TANGENT, y_bar, y_bar, *(NO_TANGENT,) * len(options)
        columns_bar = y_bar[..., None] if is_vector else y_bar
        pair_bar = Thunk(lambda: pull_toeplitz(c_or_cr, columns_bar, as_columns(x)))
        x_bar = _matmul(adjoint_pair(column_and_row(c_or_cr)), columns_bar, *options, **named)
        x_bar = unbroadcast(x, x_bar[..., 0] if is_vector else x_bar)
        return NO_TANGENT, pair_bar, x_bar, *(NO_TANGENT,) * len(options)

    return y, matmul_toeplitz_pullback


@frule.dispatch
def solve_toeplitz_frule(
    tangents, f: typeof_(solve_toeplitz), c_or_cr: tuple | ArrayOperand, b: ArrayOperand, *options, **named
):
    _check_axes(c_or_cr, b)
    b_dot, pair_dot = tangents[2], tangent_pair(c_or_cr, tangents[1])
    x = _solve(c_or_cr, b, *options, **named)
    is_vector = len(shape_of(b)) == 1
    if pair_dot is not None:
        moved = _matmul(pair_dot, x[..., None] if is_vector else x)
        b_dot = b_dot - (moved[..., 0] if is_vector else moved)
    if isinstance(b_dot, AbstractZero):
        return x, b_dot
    x_dot = _solve(c_or_cr, b_dot[..., None] if is_vector else b_dot, *options, **named)
    return x, x_dot[..., 0] if is_vector else x_dot


@rrule.dispatch
def solve_toeplitz_rrule(
    f: typeof_(solve_toeplitz), c_or_cr: tuple | ArrayOperand, b: ArrayOperand, *options, **named
):
    _check_axes(c_or_cr, b)
    x = _solve(c_or_cr, b, *options, **named)
    is_vector = len(shape_of(b)) == 1

    def solve_toeplitz_pullback(x_bar):
        refuse_lazy_cotangent("solve_toeplitz", x_bar)
        if isinstance(x_bar, AbstractZero):
            return NO_TANGENT, x_bar, x_bar, *(NO_TANGENT,) * len(options)
        X, X_bar = (x[..., None], x_bar[..., None]) if is_vector else (x, x_bar)
        columns_bar = _solve(adjoint_pair(column_and_row(c_or_cr)), X_bar, *options, **named)
        pair_bar = Thunk(lambda: pull_toeplitz(c_or_cr, -columns_bar, X))
        b_bar = unbroadcast(b, columns_bar[..., 0] if is_vector else columns_bar)
        return NO_TANGENT, pair_bar, b_bar, *(NO_TANGENT,) * len(options)

    return x, solve_toeplitz_pullback
