"""Tests of SciPy whose results have more parts than their rules have tangents for: their code is followed.

A rule gives tangents to the items of the tuple. The degrees of freedom, the standard error, or what the
interval of confidence is computed from, stand beside them. SciPy is not imported: the names are known.
"""

from chainrules.ad.values.facts import fact

fact(
    *(f"scipy.stats._stats_py.{name}" for name in ("ttest_1samp", "ttest_ind", "ttest_rel", "pearsonr")),
    *(f"scipy.stats._stats_py.{name}" for name in ("pointbiserialr", "ks_1samp", "kstest")),
    "scipy.stats._stats_py.linregress",
    "scipy.stats._stats_mstats_common.linregress",
    is_entered=True,
)
