"""Shifts or freezes the wall clock that a Python program sees. Monotonic and processor clocks, timers and sleep stay true.

Compiled modules that ask the module `time` see it too, and so does whatever the process forks. A program that
waits until the wall clock has moved on waits for ever when it is frozen.

Not moved: the clock of SQLite itself (`datetime('now')`), time stamps of files, C code that asks the system, and programs
that are not Python. The `datetime` class that follows stands in for the real one everywhere: also
instances that C code makes of the real class are instances of it, and pickles name
`datetime.datetime` as always.
"""

import copyreg
import datetime
import functools
import sys
import time


def shift(seconds):
    """Let every reading of the wall clock be `seconds` later, from now on."""
    _move(lambda real, second: lambda *clock: real(*clock) + seconds * second)


def freeze(instant):
    """Let every reading of the wall clock be `instant`, in whole seconds since the epoch, from now on."""
    _move(lambda _real, second: lambda *_clock: instant * second)


def _move(stand_in):
    # `stand_in` makes of a real reading, and of a second in its unit and type, the reading that stands in for it.
    _move_time(stand_in)
    _move_datetime()


def _move_time(stand_in):
    time.time, time.time_ns = stand_in(time.time, 1.0), stand_in(time.time_ns, 1_000_000_000)
    time.clock_gettime = _of_wall_clocks(time.clock_gettime, stand_in(time.clock_gettime, 1.0))
    time.clock_gettime_ns = _of_wall_clocks(time.clock_gettime_ns, stand_in(time.clock_gettime_ns, 1_000_000_000))
    for name in ("gmtime", "localtime", "ctime"):
        setattr(time, name, _given_now(getattr(time, name)))
    real_strftime, real_asctime = time.strftime, time.asctime
    time.strftime = lambda form, *moment: real_strftime(form, *(moment or (time.localtime(),)))
    time.asctime = lambda *moment: real_asctime(*(moment or (time.localtime(),)))


def _of_wall_clocks(real, moved):
    walls = {time.CLOCK_REALTIME}
    if hasattr(time, "CLOCK_TAI"):
        walls.add(time.CLOCK_TAI)
    if sys.platform == "linux":
        walls |= {5, 8}  # CLOCK_REALTIME_COARSE and CLOCK_REALTIME_ALARM, for which Python has no names
    return lambda clock: moved(clock) if clock in walls else real(clock)


def _given_now(real):
    @functools.wraps(real)
    def reading(moment=None):
        return real(time.time() if moment is None else moment)

    return reading


def _move_datetime():
    # `date.today` and `datetime.today` ask `time.time`; `now` and `utcnow` ask the system.
    real = datetime.datetime

    class StandsInForReal(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, real) if cls is moved else type.__instancecheck__(cls, instance)

        def __subclasscheck__(cls, other):
            return issubclass(other, real) if cls is moved else type.__subclasscheck__(cls, other)

    class moved(real, metaclass=StandsInForReal):  # noqa: N801 -- it bears another name below
        __slots__ = ()

        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)

    moved.__name__ = moved.__qualname__ = "datetime"
    moved.__module__ = "datetime"
    moved.__doc__ = real.__doc__
    moved.min = moved(1, 1, 1)
    moved.max = moved(9999, 12, 31, 23, 59, 59, 999999)
    datetime.datetime = moved
    # A real instance would be pickled by a name that now means another class.
    copyreg.pickle(real, lambda moment: (moved, moment.__reduce__()[1]))
