"""The pinned requirements are complete, have hashes, and allow every supported Python."""

import re
import tomllib
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from sitebuild.chapters import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MIN_PYTHON = Version(re.fullmatch(r">=(\S+)", PROJECT["requires-python"])[1])
MINOR = f"{MIN_PYTHON.major}.{MIN_PYTHON.minor}"
OLDEST = f"{MINOR}.{MIN_PYTHON.micro}"  # users may have this release
LOCK = (ROOT / "requirements.txt").read_text()


def applies(requirement: Requirement, **environment) -> bool:
    """Whether a requirement is for this Python, or for another environment."""
    marker = requirement.marker
    return not marker or marker.evaluate({"extra": "", **environment})


def parse_requirements(text: str) -> dict[str, Requirement]:
    """Map canonical names to the requirements in a file that are for this Python."""
    lines = [line.partition("  #")[0].rstrip(" \\") for line in text.splitlines()]
    parsed = [Requirement(line) for line in lines if line[:1].isalnum()]
    return {canonicalize_name(r.name): r for r in parsed if applies(r)}


PINS = parse_requirements(LOCK)


def test_pins_are_complete_installed_and_allow_the_oldest_python():
    """pip installs the pins without their dependencies, and verifies their hashes."""
    assert "://" not in LOCK and "--index" not in LOCK and "--find-links" not in LOCK
    needed = [*parse_requirements((ROOT / "requirements.in").read_text()).values()]
    needed += map(Requirement, PROJECT["dependencies"])
    for name, pin in PINS.items():
        metadata = distribution(name).metadata
        assert f"=={metadata['Version']}" == str(pin.specifier), name
        if applies(pin, python_version=MINOR, python_full_version=OLDEST):
            assert OLDEST in SpecifierSet(metadata.get("Requires-Python", "")), name
        needed += map(Requirement, metadata.get_all("Requires-Dist", ()))
    for requirement in filter(applies, needed):
        version = distribution(canonicalize_name(requirement.name)).version
        assert canonicalize_name(requirement.name) in PINS, requirement
        assert version in requirement.specifier, requirement


def test_minimum_python_version_is_consistent():
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    assert f"Python {MINOR} or newer" in readme
    assert f"Python {MINOR} or newer" in makefile
    assert f"sys.version_info < ({MIN_PYTHON.major}, {MIN_PYTHON.minor})" in makefile
    assert f"--python-version {MINOR} " in (ROOT / "requirements.in").read_text()
