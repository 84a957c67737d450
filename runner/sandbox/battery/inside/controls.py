"""Positive controls: what must go on working, or a sandbox that lets nothing run would look safe."""

import os
import socket

from runner.sandbox.battery.inside.tried import Facts, Tried, connects, writes


def use_own_loopback(_: Facts) -> Tried:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return connects(socket.AF_INET, server.getsockname())


def use_workspace(facts: Facts) -> Tried:
    with open(f"{facts['work']}/given", encoding="ascii") as stream:
        given = stream.read()
    with open(f"{facts['work']}/result", "w", encoding="ascii") as stream:
        stream.write(given.upper())
    return Tried(given == "given", "read and written")


def use_scratch(_: Facts) -> Tried:
    for folder in ("/tmp", "/dev/shm", os.environ["HOME"]):
        tried = writes(f"{folder}/sealbook-attack")
        if not tried.did:
            return Tried(False, f"{folder}: {tried.saw}")
    return Tried(True, "written")


def use_programs(_: Facts) -> Tried:
    return Tried(os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "test $(echo 6 | cat) = 6") == 0, "a pipe of two programs")
