"""Set how many examples Hypothesis draws; --hypothesis-profile=long draws 1000."""

from hypothesis import HealthCheck, settings

options = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
for name in ("default", "ci"):  # Hypothesis loads "ci" if CI is set
    settings.register_profile(name, max_examples=15, derandomize=True, **options)
settings.register_profile("long", max_examples=1000, **options)
