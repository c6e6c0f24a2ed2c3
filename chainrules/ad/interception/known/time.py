"""Clocks."""

import time

from chainrules.ad.values.facts import fact

fact(time.time, time.monotonic, time.perf_counter, time.process_time, is_not_the_same_each_time=True)
fact(time.time_ns, time.monotonic_ns, time.perf_counter_ns, is_not_the_same_each_time=True)
fact(time.thread_time, time.localtime, time.gmtime, is_not_the_same_each_time=True)
fact(time.process_time_ns, time.thread_time_ns, is_not_the_same_each_time=True)
fact(time.sleep, has_effect=True)
