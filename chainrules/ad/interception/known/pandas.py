"""Series and frames. A function of NumPy takes the values of a series, as it always does."""

from chainrules.ad.values.facts import fact

_INSTEAD = (
    "pandas computes with an index, and with missing values, of which rules know nothing: write "
    "`s.to_numpy()` for a series or a frame beside traced values."
)
fact(
    "pandas",
    refused=_INSTEAD,
    refused_values=_INSTEAD,
    questions=frozenset({"isna", "isnull", "notna", "notnull"}),
)
