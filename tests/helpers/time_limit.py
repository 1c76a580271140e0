"""A time limit for calls that may hang."""

import signal
from contextlib import contextmanager

SECONDS = 20  # importing sklearn takes 2


class Hang(BaseException):
    """A timeout; not an Exception, so that no code catches it and retries."""


@contextmanager
def time_limit(call: str):
    """Raise Hang if a call does not return."""

    def raise_hang(*_):
        raise Hang(f"still running after {SECONDS} s: {call}")

    old_handler = signal.signal(signal.SIGALRM, raise_hang)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old_handler)
