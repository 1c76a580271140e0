"""Try the newest releases of everything: which tests fail, which numbers move?

They go into an environment of their own, _build/newest, made by the newest CPython found
on this machine.  Runs the tests of the package and executes the notebooks there; changes
nothing.  Moved numbers are told; a failed test or notebook is a failure of the command.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "_build" / "newest"
PYTHON = HOME / "bin" / "python"
VERSION = "import sys; print(*sys.version_info[:3] * (sys.version_info[3] == 'final'))"


def main() -> int:
    python = newest_python()
    print(f"Making {HOME.relative_to(ROOT)} with {python} and the newest releases ...")
    shutil.rmtree(HOME, ignore_errors=True)
    subprocess.run([python, "-m", "venv", HOME], check=True)
    install(names())
    for name in sorted(differences()):
        print(f"  {name}")
    print("Testing the package ...", flush=True)
    tests = run("-m", "pytest", "-n", "2", "-q", "-m", "not slow", *package_tests())
    print("Executing the notebooks ...", flush=True)
    notebooks = run("tools/moved.py")
    print(f"package: {'FAILED' if tests else 'passed'}", end=", ")
    print(f"notebooks: {'FAILED' if notebooks else 'executed'}")
    return int(bool(tests or notebooks))


def newest_python() -> str:
    """The newest released CPython on the PATH or under pyenv, else the one that runs."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 30)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found += map(str, pyenv.glob("versions/*/bin/python3"))
    versions = {sys.executable: tuple(sys.version_info[:3])}
    for python in filter(None, found):
        done = subprocess.run([python, "-c", VERSION], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.strip():
            versions[python] = tuple(map(int, done.stdout.split()))
    return max(versions, key=versions.get)


def names() -> list[str]:
    """What requirements.in asks for, without the versions."""
    lines = (ROOT / "requirements.in").read_text().splitlines()
    return [line.partition("==")[0] for line in lines if line[:1].isalnum()]


def install(packages: list[str]) -> None:
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *packages, "-e", f"{ROOT}[book]"], check=True)


def differences() -> list[str]:
    """The packages whose newest release is not the pinned one."""
    freeze = [PYTHON, "-m", "pip", "freeze", "--disable-pip-version-check"]
    done = subprocess.run(freeze, capture_output=True, text=True, check=True)
    pins = dict(re.findall(r"^(\S+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.M))
    newest = dict(re.findall(r"^(\S+)==(\S+)", done.stdout, re.M))
    return [
        f"{name} {pins[name]} -> {newest[name]}"
        for name in pins.keys() & newest.keys()
        if pins[name] != newest[name]
    ]


def package_tests() -> list[str]:
    """The tests of mlcore: one file a module, and what holds for all of them."""
    modules = [path.stem for path in (ROOT / "mlcore").glob("*.py")]
    files = [f"tests/test_{name}.py" for name in [*modules, "safety", "beyond_memory"]]
    rooms = [f"tests/{name}" for name in ("solvers", "data", "estimators", "book")]
    return [name for name in [*rooms, *files] if (ROOT / name).exists()]


def run(*command: str) -> int:
    return subprocess.run([PYTHON, *command], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
