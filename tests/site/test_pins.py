"""The pins are complete and have hashes, for every Python in the README."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from sitebuild.chapters import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FLOOR = Version(re.fullmatch(r">=(\S+)", PROJECT["requires-python"])[1])
OLDEST = f"{FLOOR.major}.{FLOOR.minor}.{FLOOR.micro}"  # 3.11.0: Debian's is 3.11.2
LOCKED = (ROOT / "requirements.txt").read_text()


def named(text: str) -> dict[str, Requirement]:
    """Map canonical names to the requirements in a file."""
    lines = [line.partition("  #")[0].rstrip(" \\") for line in text.splitlines()]
    found = [Requirement(line) for line in lines if line[:1].isalnum()]
    return {canonicalize_name(r.name): r for r in found}


PINS = named(LOCKED)


def test_pins_match_requirements_installed_versions_and_oldest_python():
    for name, pin in PINS.items():
        if pin.marker and not pin.marker.evaluate({"extra": ""}):
            continue
        metadata = distribution(name).metadata
        assert f"=={metadata['Version']}" == str(pin.specifier), name
        assert OLDEST in SpecifierSet(metadata.get("Requires-Python", "")), name
    for name, asked in named((ROOT / "requirements.in").read_text()).items():
        assert PINS[name].specifier == asked.specifier, name


def test_dependencies_are_complete_and_pins_have_no_index():
    """pip installs the pins without their dependencies, and verifies their hashes."""
    assert "://" not in LOCKED and "--index" not in LOCKED and "--find-links" not in LOCKED
    check = [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_minimum_python_version_is_consistent():
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    floor = f"{FLOOR.major}.{FLOOR.minor}"
    assert f"Python {floor} or newer" in readme
    assert f"Python {floor} or newer" in makefile
    assert f"sys.version_info < ({FLOOR.major}, {FLOOR.minor})" in makefile
    assert f"--python-version {floor} " in (ROOT / "requirements.in").read_text()
