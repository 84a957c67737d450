"""What holds for every test. Each habit is a plugin of its own under tests/plugins."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.plugins.disk",
    "tests.plugins.network",
    "tests.plugins.goldens",
    "tests.plugins.pictures",
    "tests.plugins.sites",
    "tests.plugins.surroundings",
    "tests.plugins.requirements",
]

# No deadlines: the machine is shared, and a slow example is not a wrong one. In CI the same examples every time.
settings.register_profile("desk", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "desk")
