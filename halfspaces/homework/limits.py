"""Limits of memory and time for what the grader computes from a student's answer."""

import json
import os
import resource
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import ITIMER_REAL, SIGALRM, SIGKILL, setitimer, signal
from threading import Timer, current_thread, main_thread

from threadpoolctl import threadpool_limits  # scikit-learn needs it

from halfspaces.exercises import LimitExceeded

MAX_DATA = 4 * 2**30  # bytes of memory in the grader


def run_in_child(function: Callable, seconds: float):
    """Return function(), computed in a forked process and passed back as JSON.

    Returns None if the process ends early, as when a C library aborts for lack of memory,
    or if it takes longer than this, even inside C code.
    """
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forking with threads
        child = os.fork()
    if not child:
        try:
            threadpool_limits(1)  # OpenBLAS could not start threads without memory
            result = json.dumps(function())
            with os.fdopen(write, "w") as stream:
                stream.write(result)
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0)
    timer = Timer(seconds, os.kill, (child, SIGKILL))
    try:
        os.close(write)
        timer.start()
        with os.fdopen(read) as stream, suppress(ValueError):
            return json.loads(stream.read())
    finally:
        timer.cancel()
        with suppress(OSError):
            os.kill(child, SIGKILL)  # it may still run after an interrupt
        with suppress(OSError):
            os.waitpid(child, 0)
    return None


@contextmanager
def memory_limit() -> Iterator[None]:
    """Raise MemoryError if this process allocates more than MAX_DATA additional bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = MAX_DATA
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text().split()[5]
        limit += int(pages) * resource.getpagesize()
    limit = min([limit, *(x for x in (soft, hard) if x != resource.RLIM_INFINITY)])
    with suppress(ValueError, OSError):  # macOS does not limit memory
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise LimitExceeded after this time, between two instructions of Python.

    Only the main thread has this limit.
    """
    if current_thread() is not main_thread():
        yield
        return

    def stop(*_):
        raise LimitExceeded("gave an answer that takes too long to check.")

    previous = signal(SIGALRM, stop)
    setitimer(ITIMER_REAL, seconds)
    try:
        yield
    finally:
        setitimer(ITIMER_REAL, 0)
        signal(SIGALRM, previous)
