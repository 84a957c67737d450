"""Tries one attack: `python -I -S attempt.py MODULE NAME FACTS`, FACTS being a JSON object.

Prints one JSON object: `did` says whether the attack did what it is named for, `saw` what the kernel answered.
"""

import importlib
import json
import sys
from pathlib import Path


def main() -> None:
    """Try the attack that is named."""
    module, name, facts = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parents[4]))
    attack = getattr(importlib.import_module(f"runner.sandbox.battery.inside.{module}"), name)
    sys.stdout.write(json.dumps(attack(json.loads(facts))._asdict()) + "\n")


if __name__ == "__main__":
    main()
