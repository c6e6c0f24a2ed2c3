"""Rules that note which tangents and cotangents they are given."""

from chainrules_core import NoTangent, frule, rrule, typeof_


class Seen:
    """A function of any arguments, and rules that note which tangents they are given."""

    def __init__(self, result):
        self.result = result
        self.cotangents, self.tangents = [], []

        def f(*args, **kwargs): ...

        @rrule.dispatch
        def seen_rrule(f: typeof_(f), *args: object, **kwargs: object):
            def seen_pullback(y_bar):
                self.cotangents.append(y_bar)
                return NoTangent(), *args

            return result, seen_pullback

        @frule.dispatch
        def seen_frule(tangents, f: typeof_(f), *args: object, **kwargs: object):
            self.tangents.append(tangents)
            return result, result

        self.f = f
