"""A scheduler for Dask that runs tasks by their priority, as each worker of a cluster does.

Those that Dask has for one process prefer what was ready last.  So they may hold few
blocks of a plan by which a cluster would hold all.
"""

from collections import Counter

import numpy as np
from dask.order import order


class ByPriority:
    """Call it as a scheduler; `most` is the largest number of bytes held so far."""

    def __init__(self):
        self.most = 0

    def __call__(self, graph, keys, **options):
        tasks = dict(graph.__dask_graph__())
        users = Counter(key for task in tasks.values() for key in set(task.dependencies))
        priority, results = order(tasks), {}
        for key in sorted(tasks, key=priority.get):
            needed = set(tasks[key].dependencies)
            results[key] = tasks[key]({name: results[name] for name in needed})
            self.most = max(self.most, sum(dict(map(_owner, _arrays(results))).values()))
            users.subtract(needed)
            for name in needed:
                if not users[name]:
                    del results[name]
        return _taken(keys, results)


def _arrays(value):
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _arrays(part)


def _owner(array):
    """Whose memory an array shows, and its bytes."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return id(array), array.nbytes


def _taken(keys, results):
    return (
        [_taken(key, results) for key in keys] if isinstance(keys, list) else results[keys]
    )
