"""A function with rules, and a configuration, for the tests of this folder."""

from chainrules_core import HasReverseMode, NoTangent, RuleConfig, frule, rrule, typeof_


class Config(RuleConfig[HasReverseMode]):
    """An AD system for these tests."""


def make():
    """A function that nobody has met before."""

    def made(x): ...

    return made


class Asked:
    """A function of any arguments with both rules, which answer what they are given."""

    def __init__(self, *, takes_config):
        def asked(*xs, n=0): ...

        def asked_rrule(f: typeof_(asked), *xs: float, n=0):
            return (xs, n), lambda y_bar: (NoTangent(), *xs)

        def asked_frule(tangents, f: typeof_(asked), *xs: float, n=0):
            return (xs, n), tangents

        if takes_config:

            @rrule.dispatch
            def configured_rrule(config: Config, f: typeof_(asked), *xs: float, n=0):
                return asked_rrule(f, *xs, n=n)

            @frule.dispatch
            def configured_frule(config: Config, tangents, f: typeof_(asked), *xs: float, n=0):
                return asked_frule(tangents, f, *xs, n=n)

        else:
            rrule.dispatch(asked_rrule)
            frule.dispatch(asked_frule)
        self.f = asked
