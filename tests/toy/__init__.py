"""A small real program with a daemon, two stores and two releases, which parity studies of the tests compare."""
