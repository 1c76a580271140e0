"""The number of examples of Hypothesis; --hypothesis-profile=long draws many."""

from hypothesis import HealthCheck, settings

options = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
for name in ("default", "ci"):  # the second is the default if CI is set
    settings.register_profile(name, max_examples=15, derandomize=True, **options)
settings.register_profile("long", max_examples=1000, **options)
