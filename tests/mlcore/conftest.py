"""How many examples Hypothesis draws: few, or with --hypothesis-profile=long many."""

from hypothesis import HealthCheck, settings

slow_is_fine = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
for name in ("default", "ci"):  # Hypothesis takes the second where CI is set
    settings.register_profile(name, max_examples=15, derandomize=True, **slow_is_fine)
settings.register_profile("long", max_examples=1000, **slow_is_fine)
