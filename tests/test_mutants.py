"""`make mutants`: slips that are noticed, that live, that hang; its table of reasons."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import trying  # noqa: E402
from slips import mutants  # noqa: E402

TOOLS = ["mutants", "slips", "trying", "chapters"]
ONE = "def double(x):\n    return 2 * x + 0\n"
TWO = "def count(n):\n    k = 0\n    while k < n:\n        k += 1\n    return k\n"
PACKAGE = {
    "mlcore/__init__.py": "",
    "mlcore/one.py": ONE,
    "mlcore/solvers/__init__.py": "",
    "mlcore/solvers/two.py": TWO,
    "tests/test_one.py": (
        "from mlcore.one import double\ndef test():\n    assert double(3) == 6\n"
    ),
    "tests/solvers/test_two.py": (
        "from mlcore.solvers.two import count\n"
        "def test():\n    assert [count(0), count(3)] == [0, 3]\n"
    ),
    "tests/test_safety.py": "def test():\n    pass\n",
    "tests/survivors.toml": "",
}
LIVES = "mlcore/one.py:2: double: 2 * x + 0 -> 2 * x - 0: "
KEY = '"double: 2 * x + 0 -> 2 * x - 0" = '


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("a + b", ["a - b"]),
        ("a * b", ["a"]),
        ("a ** 2", ["a"]),
        ("-a", ["a"]),
        ("not a", ["a"]),
        ("a < b", ["a <= b", "a >= b"]),
        ("a < b < c", ["a <= b < c", "a < b <= c", "a >= b < c", "a < b >= c"]),
        ("a == b", ["a != b"]),
        ("a is None", ["a is not None"]),
        ("a in b", ["a not in b"]),
        ("a and b", ["a or b"]),
        ("a if b else c", ["a if (not b) else c"]),
        ("f(0, 1.0)", ["f((1), 1.0)", "f(0, (2.0))"]),
        ("f(True, 7)", ["f((False), 7)"]),
        ("np.minimum(a, b)", ["(np.maximum)(a, b)"]),
        ("f'{a + b}'", []),
    ],
)
def test_the_slips_of_an_expression(code, wrong):
    expected = [f"x = {one}" if "(" in one else f"x = ({one})" for one in wrong]
    assert [mutant.source for mutant in mutants(f"x = {code}")] == expected


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("def f(a: g(0)) -> g(1):\n    a += é * 2", ["a -= é * 2", "a += (é)"]),
        ("@g(0)\ndef f(a):\n    check(a)", ["pass"]),
        ("def f(a):\n    raise ValueError(a + 1)", []),
    ],
)
def test_the_slips_of_a_function_leave_hints_and_messages_alone(code, wrong):
    head, _, _ = code.rpartition("\n    ")
    assert [mutant.source for mutant in mutants(code)] == [
        f"{head}\n    {w}" for w in wrong
    ]


def test_equal_slips_have_names_of_their_own():
    names = [m.name for m in mutants("def f(a):\n    return -a, -a\n")]
    assert names == ["f: -a -> a", "f: -a -> a (2)"]


def test_the_tests_of_a_module_come_first_and_a_solver_has_those_of_its_callers():
    assert trying.tests_of("metrics")[0] == "tests/test_metrics.py"
    files = trying.tests_of("solvers/mistakes")
    assert files[:2] == ["tests/solvers/test_mistakes.py", "tests/test_perceptron.py"]
    assert files[-1] == "tests/test_safety.py"


def test_every_reason_belongs_to_a_slip_and_says_why():
    for module, given in tomllib.loads((ROOT / "tests/survivors.toml").read_text()).items():
        names = {
            mutant.name for mutant in mutants(trying.module_files()[module].read_text())
        }
        assert set(given) <= names, module
        assert all(reason.endswith(".") for reason in given.values())


def test_few_slips_are_excused():
    reasons = tomllib.loads((ROOT / "tests/survivors.toml").read_text()).values()
    slips = [
        slip
        for path in trying.module_files().values()
        for slip in mutants(path.read_text())
    ]
    assert sum(map(len, reasons)) <= 0.05 * len(slips)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clone with two small modules; its `run` gives the exit code and what was said."""
    folder = tmp_path_factory.mktemp("clone")
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "tools").mkdir()
    for name in TOOLS:
        shutil.copy(ROOT / "tools" / f"{name}.py", folder / "tools")
    (folder / "_build").mkdir()
    git = ["git", "-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "A"]):
        subprocess.run([*git, *words], check=True)

    def run(*words):
        command = [sys.executable, folder / "tools" / "mutants.py", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        return done.returncode, (done.stdout + done.stderr).splitlines()

    def write(name, text=None):
        (folder / name).write_text(PACKAGE[name] if text is None else text)

    yield run, write
    for name in PACKAGE:
        write(name)


@pytest.mark.slow
def test_what_lives_is_named_until_there_is_a_reason_and_no_longer(clone):
    run, write = clone
    assert run() == (2, ["no module changed; ALL=1 tries all, ONLY=geometry one"])
    assert run("three") == (2, ["no such module of mlcore with code: three"])

    code, lines = run("--all")  # the one that counts without end is noticed, too
    assert code == 1
    assert [line.split()[:4] for line in lines[:2]] == [
        ["one", "2", "of", "3"],
        ["solvers/two", "5", "of", "5"],
    ]
    assert lines[2] == LIVES + "WHY?"

    write("tests/survivors.toml", f'[one]\n{KEY}"0 is -0."\n')
    code, lines = run("--all")
    assert code == 0
    assert lines[0].endswith("as before") and lines[1].endswith("as before")
    assert lines[2] == LIVES + "0 is -0."

    words = ONE.replace("x):", 'x):\n    """What it is."""  # or was')
    write("mlcore/one.py", words)
    code, lines = run("--all")
    assert code == 0
    assert lines[0].endswith("as before")

    write("mlcore/one.py", ONE.replace("0", "3"))
    test = PACKAGE["tests/test_one.py"]
    write("tests/test_one.py", test.replace("6", "9"))
    code, lines = run()
    assert code == 1
    assert [line.split()[0] for line in lines] == ["one", "survivors.toml:", "together"]
    assert lines[1].endswith("does not live")


@pytest.mark.slow
def test_nothing_is_tried_with_tests_that_are_red_without_a_slip(clone):
    run, write = clone
    write("tests/test_one.py", "def test():\n    assert False\n")
    code, lines = run("one")
    assert code == 1
    assert lines[-1] == "tests/test_one.py is red without any slip"
