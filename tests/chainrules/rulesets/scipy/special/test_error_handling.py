"""How special functions handle errors."""

from scipy import special

from tests.chainrules.rule_checks import check_declared


def test_settings():
    """They are read, and set as they were."""
    with special.errstate():
        check_declared(special.geterr)
        check_declared(special.seterr, **special.geterr())
    check_declared(special.errstate, loss="ignore")
