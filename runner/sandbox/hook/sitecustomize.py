"""Carries out the runner's orders inside a Python subject, as soon as its interpreter starts.

Python imports this module by its name because the runner puts this folder on PYTHONPATH of a
process that gets another clock, a boundary or a witness of an import. Without orders it does nothing. Another
`sitecustomize` further down the path still runs. Needs Python 3.10 and nothing else.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _obey():
    marks = os.environ.get("SEALBOOK_MARKS")
    shift = os.environ.get("SEALBOOK_CLOCK_SHIFT_SECONDS")
    instant = os.environ.get("SEALBOOK_CLOCK_FROZEN_AT")
    statement = os.environ.get("SEALBOOK_SQLITE_STATEMENT")
    package = os.environ.get("SEALBOOK_WITNESS_PACKAGE")
    if not marks:
        return
    if shift or instant:
        import sealbook_clock

        if shift and instant:
            raise ValueError("a clock is shifted or frozen, not both")
        if shift:
            sealbook_clock.shift(int(shift))
        else:
            sealbook_clock.freeze(int(instant))
    if statement:
        import sealbook_sqlite

        sealbook_sqlite.hold(
            os.environ["SEALBOOK_SQLITE_MOMENT"],
            statement,
            int(os.environ["SEALBOOK_SQLITE_OCCURRENCE"]),
            marks + ".reached",
        )
    if package:
        import sealbook_witness

        sealbook_witness.witness(package, os.environ["SEALBOOK_WITNESS_FOLDER"])
    # The runner takes a step for performed as declared only if this mark exists.
    os.close(os.open(marks + ".armed", os.O_WRONLY | os.O_CREAT, 0o600))


def _run_the_next_one():
    """Run the `sitecustomize` that this one hides, if there is one."""
    import importlib.machinery

    path = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        import importlib.util  # half of what the hook would cost where there is none to run

        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_obey()
_run_the_next_one()
