"""A time limit for calls that may hang."""

import signal
from contextlib import contextmanager

SECONDS = 20  # importing sklearn takes 2


class Hang(BaseException):
    """A timeout; not an Exception, so that no code catches it and retries."""


@contextmanager
def time_limit(call: str):
    """Raise Hang if a call does not return."""

    def stop(*_):
        raise Hang(f"no answer within {SECONDS} s: {call}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
