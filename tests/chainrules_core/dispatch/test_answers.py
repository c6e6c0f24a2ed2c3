"""What is remembered, under what, and what a change of a table makes forgotten."""

from threading import Event, Thread

import pytest

from chainrules_core import HasReverseMode, RuleConfig, primitive, rrule, typeof_
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.dispatch.rule_reading import read_rule


class Config(RuleConfig[HasReverseMode]):
    """A configuration."""


def foo(x):
    """The callee."""


def foo_rrule(f: foo.__class__, x: float):
    """A rule."""


def configured_rrule(config: Config, f: foo.__class__, x: float):
    """A rule that takes a configuration."""


def method(rule, **options):
    """A rule as lookup finds it."""
    return read_rule(Mode("rrule"), rule, {}, **options)


PLAIN, CONFIGURED, OPT_OUT = method(foo_rrule), method(configured_rrule), method(foo_rrule, opts_out=True)


@pytest.fixture
def answers():
    """Answers that rest on two tables."""
    answers = Answers()
    for table, types in (("one", (float,)), ("other", (int,))):
        answers.remember(table, types, PLAIN)
        answers.put_at_hand(table, None, foo, types, PLAIN)
        answers.put_at_hand(table, Config(), foo, types, PLAIN)
        answers.put_at_hand(table, Config(), foo, (*types, str), CONFIGURED)
    return answers


def test_a_method_is_remembered_for_its_table(answers):
    """The method that another table chose for the same types is no answer."""
    assert answers.method("one", (float,)) is PLAIN
    with pytest.raises(KeyError):
        answers.method("other", (float,))
    with pytest.raises(KeyError):
        answers.method("third", (float,))


def test_functions_are_at_hand_by_callee_and_types(answers):
    """Functions are at hand by callee and types, apart for calls with a configuration."""
    assert answers.at_hand((foo, float)) is foo_rrule
    assert answers.remembered((Config, foo, float)) is PLAIN.looked_at
    assert answers.at_hand_with_config((Config, foo, float)) == (PLAIN.looked_at, False)
    assert answers.remembered((Config, foo, float, str)) is None
    assert answers.at_hand_with_config((Config, foo, float, str)) == (CONFIGURED.looked_at, True)


@pytest.mark.parametrize("none", [None, OPT_OUT])
def test_that_there_is_no_rule_is_an_answer(answers, none):
    """That there is no rule is an answer: it is called like any other, and returns `None`."""
    answers.put_at_hand("one", None, foo, (str,), none)
    answers.put_at_hand("one", Config(), foo, (str,), none)

    assert answers.at_hand((foo, str))(foo, "x", n=1) is None
    rule, takes_config = answers.at_hand_with_config((Config, foo, str))
    assert rule(foo, "x") is None
    # Another call of these types may give by keyword what a rule takes by position: that has to be found out.
    assert takes_config is (none is None)
    assert (answers.remembered((Config, foo, str)) is None) is takes_config


def test_a_table_forgets_its_own_answers(answers):
    """A table forgets its own answers; the answers of other tables stay."""
    answers.forget("one")

    assert answers.at_hand((foo, float)) is None
    assert answers.remembered((Config, foo, float)) is None
    assert answers.at_hand_with_config((Config, foo, float, str)) is None
    with pytest.raises(KeyError):
        answers.method("one", (float,))
    assert answers.at_hand((foo, int)) is foo_rrule
    assert len(answers) == 5
    answers.forget("one")
    answers.forget("never met")


def test_everything_is_forgotten(answers):
    """All answers can be forgotten, and remembered again by those who hold on to the attributes."""
    at_hand = answers.at_hand
    assert len(answers) == 10
    answers.forget_all()
    assert len(answers) == 0
    answers.put_at_hand("one", None, foo, (float,), PLAIN)
    assert at_hand((foo, float)) is foo_rrule


def test_there_are_not_too_many(answers, monkeypatch):
    """What is one too many makes all others forgotten, with the classes that they hold."""
    monkeypatch.setattr("chainrules_core.dispatch.answers.MOST", 20)
    known = len(answers)
    assert known == 10

    for number in range(10):
        answers.put_at_hand("one", None, number, (float,), PLAIN)
    assert len(answers) == 20
    answers.put_at_hand("one", None, foo, (complex,), PLAIN)
    assert len(answers) == 1
    assert answers.at_hand((foo, complex)) is foo_rrule
    for number in range(25):
        answers.remember("one", (number,), PLAIN)
    assert len(answers) == 6
    assert answers.method("one", (24,)) is PLAIN


def make():
    """A function that nobody has met before."""
    return lambda x: x


def register_for(f, cls, answer):
    """A rule that always gives one answer."""

    def rule(f, x):
        return answer

    rule.__annotations__ = {"f": typeof_(f), "x": cls}
    rrule.dispatch(rule)


def test_threads_look_up_while_others_register():  # noqa: C901 - two kinds of thread
    """Lookups are right while thousands of rules are registered, for the same callee and for others."""
    shared, stop, errors = make(), Event(), []
    classes = [type(f"Argument{i}", (), {}) for i in range(100)]
    registered = []

    def look():
        try:
            while not stop.is_set():
                done = len(registered)
                for i in range(0, done, 7):
                    f, cls, answer = registered[i]
                    assert rrule(f, cls()) == answer
                    assert rrule(shared, "text") == "text"
        except BaseException as error:  # noqa: BLE001 - reported below
            errors.append(error)

    register_for(shared, str, "text")
    lookers = [Thread(target=look) for _ in range(3)]
    for thread in lookers:
        thread.start()

    def register(part):
        for i, cls in enumerate(classes[part::2]):
            for f in (shared, make()):
                register_for(f, cls, (part, i))
                registered.append((f, cls, (part, i)))
            for _ in range(10):
                register_for(make(), cls, None)

    registrars = [Thread(target=register, args=(part,)) for part in range(2)]
    for thread in registrars:
        thread.start()
    for thread in registrars:
        thread.join()
    stop.set()
    for thread in lookers:
        thread.join()
    assert errors == []
    assert len(registered) == 200
    assert all(rrule(f, cls()) == answer for f, cls, answer in registered)


def test_memory_does_not_grow_with_calls():
    """However often and with however many closures rules are looked up, nothing is added."""
    f = make()
    register_for(f, float, 1.0)

    def call():
        rrule(f, 1.0)
        rrule(lambda x: x, 1.0)
        rrule(primitive(f), 1.0)

    call()
    sizes = [len(rrule.answers), len(rrule._tables._shared), len(rrule._tables._own)]
    for _ in range(100):
        call()
    assert sizes == [len(rrule.answers), len(rrule._tables._shared), len(rrule._tables._own)]
