"""Runs one program of the runner's own, such as pip or git, to its end and leaves nothing behind."""

from collections.abc import Mapping
from dataclasses import replace

from runner.contract.events import NotSpawned
from runner.sandbox.custody import Custody
from runner.sandbox.process import Finished, ProcessRequest, start


def run(request: ProcessRequest, seconds: float) -> Finished:
    """Run a program to its end, or to the wall cap, at which it and its descendants are killed."""
    custody = Custody(None)
    name, token = custody.marker
    env: Mapping[str, str] = {**request.env, name: token}
    try:
        running = start(replace(request, env=env))
        if isinstance(running, NotSpawned):
            return Finished(running)
        custody.adopt(running)
        return running.wait(seconds) or running.kill(capped=True)
    finally:
        custody.clear(grace_seconds=0)
