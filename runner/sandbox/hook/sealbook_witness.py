"""Notes from which file a package is really imported in this process.

A finder stands before all others, asks them as Python would, and gives what they found to Python unchanged. The
note is written when Python loads what was found, so that a mere search is no import, and before source code of the
package runs. What is forked later has its package from the same file and writes no note. Noted is what lies in a
folder as source, bytecode or extension module; what comes out of an archive, or of a finder of the old form, is not.
A note that cannot be written is missing, and nothing else happens: the subject goes on.
"""

import os
import sys
import time
from importlib.machinery import ExtensionFileLoader, SourceFileLoader, SourcelessFileLoader

try:
    from _json import encode_basestring_ascii as _quoted  # `json` would cost the subject fifty times as much
except ImportError:
    from json import dumps as _quoted

_FROM_A_FILE = (SourceFileLoader, SourcelessFileLoader, ExtensionFileLoader)


def witness(package, folder):
    """Write a note into `folder` whenever this process imports `package`."""
    sys.meta_path.insert(0, _Witness(package, folder))


class _Witness:
    """A finder that finds nothing by itself."""

    def __init__(self, package, folder):
        self.package, self.folder = package, folder

    def find_spec(self, name, path=None, target=None):
        if name != self.package:
            return None
        for finder in tuple(sys.meta_path):
            if finder is self:
                continue
            if not hasattr(finder, "find_spec"):
                return None
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                self._attend(spec)
                return spec
        return None

    def _attend(self, spec):
        # Python makes one such loader for each thing it finds, so that no other import gets to see this.
        loader = spec.loader
        if not isinstance(spec.origin, str) or not isinstance(loader, _FROM_A_FILE):
            return
        create = loader.create_module

        def create_and_note(spec):
            vars(loader).pop("create_module", None)  # the package finds its loader as it always is
            module = create(spec)
            self._note(spec.origin)
            return module

        loader.create_module = create_and_note

    def _note(self, origin):
        # A process that becomes another program keeps its number: the moment tells the two apart.
        name = f"{self.folder}/{os.getpid()}-{time.monotonic_ns()}"
        try:
            package, origin = _quoted(self.package), _quoted(os.path.abspath(origin))
            handle = os.open(name + ".part", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                os.write(handle, f'{{"origin":{origin},"package":{package},"pid":{os.getpid()}}}\n'.encode())
            finally:
                os.close(handle)
            os.rename(name + ".part", name + ".json")  # a reader sees all of it or nothing
        except OSError:
            pass
