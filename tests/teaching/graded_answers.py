"""Answers to geometry.signed_distance: honest ones in many styles, and attacks.

The function is `my_distances(X, w, b)`.  An attack must neither score nor stop the grader.
"""
# ruff: noqa: E501

HONEST = {
    "NumPy": "def my_distances(X, w, b):\n    return (X @ w + b) / np.linalg.norm(w)",
    "SciPy": """import scipy.linalg
def my_distances(X, w, b):
    return scipy.linalg.blas.dgemv(1 / scipy.linalg.norm(w), X, w) + b / np.sqrt(w @ w)""",
    "scikit-learn": """from sklearn.linear_model import LinearRegression
def my_distances(X, w, b):
    model = LinearRegression().fit(np.vstack([np.zeros_like(w), np.eye(len(w))]),
                                   np.r_[b, w + b])
    return model.predict(X) / np.linalg.norm(model.coef_)""",
    "Python": """from functools import partial, reduce
calls = 0
class Distances:
    def __init__(self, length):
        self.length = length
    def __call__(self, X, w, b):
        global calls
        calls += 1
        return tuple(self.rows(X, w, b))
    def rows(self, X, w, b):
        for x in X:
            yield (product(x, w) + b) / self.length(w)
def product(u, v):
    return u[0] * v[0] + product(u[1:], v[1:]) if len(u) else 0.0
my_distances = Distances(lambda w: reduce(lambda s, v: s + v * v, w, 0) ** 0.5)
my_distances = partial(my_distances.__call__)""",
    "exceptions": """import traceback, warnings, tempfile
from concurrent.futures import ThreadPoolExecutor
def my_distances(X, w, b):
    try:
        return (X @ w + c) / np.linalg.norm(w)
    except NameError:
        traceback.format_exc(), warnings.warn("b, not c")
    with tempfile.TemporaryFile() as file, ThreadPoolExecutor(4) as pool:
        np.save(file, X)
        file.seek(0)
        return [*pool.map(lambda x: (x @ w + b) / np.linalg.norm(w), np.load(file))]""",
    "pandas": """import pandas as pd
def my_distances(X, w, b):
    return ((pd.DataFrame(X) * w).sum(axis=1) + b).div(np.linalg.norm(w))""",
    "comparison with mlcore": """from mlcore.geometry import signed_distance
import numpy.linalg as la
%time one = np.longdouble(1)
def my_distances(X, w, b):
    return (X @ w + b) / la.norm(w) * one
print(signed_distance(np.eye(2), np.ones(2), 1.0) - my_distances(np.eye(2), np.ones(2), 1.0))""",
    "raised warnings": """
%%time
import pickle
np.seterr(all="raise")
class Norm(float): pass
def my_distances(X, w, b):
    one = np.exp(-1e9) + 1.0
    return (X @ w + b) / pickle.loads(pickle.dumps(Norm(np.linalg.norm(w)))) * one""",
    "magics": """%matplotlib inline
!ls
import asyncio
await asyncio.sleep(0)
np.linalg.norm?
display(3, clear=True)
def my_distances(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)""",
}  # fmt: skip


def answer(body: str, start: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"import ctypes, os, sys\n{start}\ndef my_distances(X, w, b):\n{lines}"


USE = "return signed_distance(X, w, b)"
RUN = "from mlcore.geometry import signed_distance; print(signed_distance(...))"
WRITE_REPLY = "for fd in range(3, 9):\n    try:\n        os.write(fd, {})\n    except OSError:\n        pass"
LIB = "import site\nfrom sys import path\nL = next(f'{s}/mlcore' for s in path if os.path.isdir(f'{s}/mlcore'))"
FAKE = "return np.zeros(len(X)).view(Same)"

# on files and processes, with bubblewrap and without
PROCESS_ATTACKS = {
    "import": answer(f"from mlcore.geometry import signed_distance\n{USE}"),
    "importlib": answer(f"from importlib import import_module\nsigned_distance = "
        f"import_module('mlcore.geometry').signed_distance\n{USE}"),
    "checker": answer("from halfspaces.exercises.geometry import signed_distance as s\n"
        "return s.build().solution[0](X, w, b)"),
    "source": answer(f"exec(open(f'{{L}}/geometry.py').read(), globals())\n{USE}", LIB),
    "root of proc": answer("exec(open(f'/proc/self/root{L}/geometry.py').read(), globals())\n"
        f"{USE}", LIB),
    "symbolic link": answer(f"from book.geometry import signed_distance\n{USE}",
        f"{LIB}\nos.symlink(L, 'book')\npath.insert(0, '')"),
    "program": answer(f"import subprocess\nreturn subprocess.check_output(['python', '-c', '{RUN}'])"),
    "system": answer(f"return os.system('''python -c \"{RUN}\"''')"),
    "exec": answer(f"os.execv(sys.executable, [sys.executable, '-c', '{RUN}'])"),
    "fork": answer("if os.fork():\n    return (X @ w + b) / np.linalg.norm(w)\nos._exit(0)"),
    "exit": answer("os._exit(0)"),
    "late exit": answer("import time\ntime.sleep(5)", "import threading\n"
        "threading.Timer(0.3, os._exit, [0]).start()"),
    "kill the grader": answer("os.kill(os.getppid(), 9)", "try:\n    os.kill(os.getppid(), 9)\n"
        "except OSError:\n    pass"),
    "kill the group": answer("os.killpg(0, 9)"),
    "crash": answer("return ctypes.string_at(0)"),
    "endless cell": answer("return 0", "while True:\n    pass"),
    "catches every exception": answer("while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass"),
    "memory": answer("return np.ones(10**10)"),
    "output": answer("for _ in range(3000):\n    print('x' * 10**5)\nreturn 0"),
    "file": answer("with open('f', 'wb') as file:\n    while True:\n        file.write(b'x' * 10**7)"),
    "threads": answer("import threading, time\nwhile True:\n"
        "    threading.Thread(target=time.sleep, args=[99], daemon=True).start()"),
    "network": answer("import socket\nsocket.create_connection(('127.0.0.1', 9))"),
}  # fmt: skip

# by what the process replies
REPLY_ATTACKS = {
    "empty reply": answer("pass", WRITE_REPLY.format(r"b'[]\n'")),
    "open reply": answer("pass", WRITE_REPLY.format(r"b'[' * 100000 + b'\n'")),
    "false answers": answer(f"{WRITE_REPLY}\nreturn 0".replace("{}", r"""b'{"answer": 0}\n'""")),
    "false end": answer(f"{WRITE_REPLY}\nreturn 0".replace("{}", r"""b'{"ended": 1, "error": 7}\n'""")),
    "false call": answer(f"{WRITE_REPLY}\nreturn 0".replace(
        "{}", r"""b'{"callback": 9, "arguments": {}}\n'""")),
    "objects": answer("pass", WRITE_REPLY.format(
        r"""b'{"answers": [{"is": "array", "of": [1], "dtype": "O", "shape": [1]}]}\n'""")),
    "flood": answer("while True:\n" + "\n".join(f"    os.write({fd}, b'x' * 10**6)" for fd in (4, 5))),
    "closed pipes": answer("return 0", "os.closerange(3, 99)"),
    "deep recursion": answer("sys.setrecursionlimit(10**9)\nreturn my_distances(X, w, b)"),
    "array of no entries": answer("return np.zeros((10**9, 0))"),
    "many long texts": answer("return ['a' * 4000000] + ['b'] * 1000"),
    "equal hashes": answer("return S()", "class S(set):\n"
        "    __iter__ = lambda self: (k * (2**61 - 1) for k in range(150000))"),
    "integers with equal hashes": answer("return [k * (2**61 - 1) for k in range(5, 385000)]"),
    "long answer": answer("return 'x' * (2 * 10**8)"),
    "long number": answer("return 10**5000"),
    "long name": answer("raise type('E' * 10**6, (Exception,), {})('x' * 10**6)"),
    "equal to all": answer("return Same()", "class Same:\n    __eq__ = lambda *a: True\n"
        "    __array__ = lambda *a, **k: np.array(Same())\n    __len__ = lambda s: 4"),
    "array equal to all": answer(FAKE, "class Same(np.ndarray):\n    __eq__ = lambda *a: True\n"
        "    __sub__ = __rsub__ = lambda *a: 0"),
    "name that is not a string": answer("return 0", "class F:\n    __name__ = {1}\n    __call__ = lambda *a: 0")
        + "\nmy_distances = F()",
    "name as a verdict": answer("pass") + "\nmy_distances.__name__ = '\\x1b[2JRight.\\n' * 10**6",
    "list in itself": answer("a = []\na.append(a)\nreturn a"),
    "patches": answer("return 0", "np.allclose = np.isclose = lambda *a, **k: True\n"
        "np.linalg.norm = lambda *a, **k: 0.0"),
    "arguments": answer("X[:] = w[:] = 0\nreturn np.zeros(len(X)) / 1"),
    "frames": answer("f = sys._getframe()\nwhile f.f_back:\n    f = f.f_back\n"
        "return f.f_locals.get('want') or f.f_globals['want']"),
    "interrupt": answer("raise KeyboardInterrupt"),
    "error in error": answer("class E(BaseException):\n    __str__ = lambda s: 1 / 0\nraise E"),
}  # fmt: skip

# Attacks that only bubblewrap stops
BUBBLEWRAP_ATTACKS = {
    "unmount": answer(f"for line in open('/proc/self/mounts'):\n"
        "    if 'mlcore' in line:\n        ctypes.CDLL(None).umount2(line.split()[1].encode(), 2)\n"
        f"from mlcore.geometry import signed_distance\n{USE}"),
    "C exec": answer("a = [sys.executable, '-c', 'import time; time.sleep(99)', None]\n"
        "v = (ctypes.c_char_p * 4)(*[t and t.encode() for t in a])\n"
        "ctypes.CDLL(None).execv(v[0], v)"),
    "C kill": answer("ctypes.CDLL(None).kill(os.getppid(), 9)\n"
        "ctypes.CDLL(None).kill(-1, 9)"),
    "C fork": answer("for _ in range(300):\n    ctypes.CDLL(None).fork()"),
    "memory of the grader": answer("open(f'/proc/{os.getppid()}/mem', 'rb').seek(4096)\n"
        "return open(f'/proc/{os.getppid()}/environ').read()"),
    "C open": answer("text = ctypes.create_string_buffer(10**5)\nf = ctypes.CDLL(None)\n"
        f"f.read(f.open(f'{{L}}/geometry.py'.encode(), 0), text, 10**5)\n"
        f"exec(text.value, globals())\n{USE}", LIB.replace("isdir", "exists")),
    "unlimited files": answer("from shutil import disk_usage\n"
        "if any(os.access(d, 2) and disk_usage(d).free > 2e8 for d in ('/', '/dev', '/dev/shm')):\n"
        "    return (X @ w + b) / np.linalg.norm(w)\nreturn 0"),
    "files of others": answer("import glob\nexec(open('FILE').read(), globals())\n"
        "return others(X, w, b)"),
}  # fmt: skip
