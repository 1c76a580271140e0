"""A limit for calls that may hang."""

import signal
from contextlib import contextmanager

SECONDS = 20  # a call that takes longer is taken to hang; importing sklearn takes 2


class Hang(BaseException):
    """No answer in time: not an Exception, so that nothing tries the same again."""


@contextmanager
def time_limit(call: str):
    """Raise Hang where a call does not return, on systems that can do so."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_):
        raise Hang(f"no answer within {SECONDS} s: {call}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
