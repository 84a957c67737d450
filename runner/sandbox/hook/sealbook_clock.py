"""Shifts the wall clock that a Python program sees. Monotonic clocks and timers stay true.

Not shifted: the clock of SQLite itself (`datetime('now')`), time stamps of files, and programs
that are not Python. The shifted `datetime` class stands in for the real one everywhere: also
instances that C code makes of the real class are instances of it, and pickles name
`datetime.datetime` as always.
"""

import copyreg
import datetime
import functools
import time


def shift(seconds):
    """Let every reading of the wall clock be `seconds` later, from now on."""
    _shift_time(seconds)
    _shift_datetime()


def _shift_time(seconds):
    real_time, real_time_ns = time.time, time.time_ns
    real_get, real_get_ns = time.clock_gettime, time.clock_gettime_ns
    wall = {time.CLOCK_REALTIME}
    if hasattr(time, "CLOCK_TAI"):
        wall.add(time.CLOCK_TAI)
    time.time = lambda: real_time() + seconds
    time.time_ns = lambda: real_time_ns() + seconds * 1_000_000_000
    time.clock_gettime = lambda clock: real_get(clock) + (seconds if clock in wall else 0)
    time.clock_gettime_ns = lambda clock: real_get_ns(clock) + (seconds * 1_000_000_000 if clock in wall else 0)
    for name in ("gmtime", "localtime", "ctime"):
        setattr(time, name, _given_now(getattr(time, name)))
    real_strftime, real_asctime = time.strftime, time.asctime
    time.strftime = lambda form, *moment: real_strftime(form, *(moment or (time.localtime(),)))
    time.asctime = lambda *moment: real_asctime(*(moment or (time.localtime(),)))


def _given_now(real):
    @functools.wraps(real)
    def reading(moment=None):
        return real(time.time() if moment is None else moment)

    return reading


def _shift_datetime():
    # `date.today` and `datetime.today` ask `time.time`; `now` and `utcnow` ask the system.
    real = datetime.datetime

    class StandsInForReal(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, real) if cls is shifted else type.__instancecheck__(cls, instance)

        def __subclasscheck__(cls, other):
            return issubclass(other, real) if cls is shifted else type.__subclasscheck__(cls, other)

    class shifted(real, metaclass=StandsInForReal):  # noqa: N801 -- it bears another name below
        __slots__ = ()

        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)

    shifted.__name__ = shifted.__qualname__ = "datetime"
    shifted.__module__ = "datetime"
    shifted.__doc__ = real.__doc__
    shifted.min = shifted(1, 1, 1)
    shifted.max = shifted(9999, 12, 31, 23, 59, 59, 999999)
    datetime.datetime = shifted
    # A real instance would be pickled by a name that now means another class.
    copyreg.pickle(real, lambda moment: (shifted, moment.__reduce__()[1]))
