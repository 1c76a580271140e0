"""What the site takes from npm: fetched once, by hashes, whole or not at all."""

import json
import sys
from pathlib import Path

import pytest

from sitebuild import fetching
from sitebuild.fetching import find, kept

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HALFSPACES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fill(folder, scratch):
    (folder / "file").write_text("ok")
    (scratch / "on the way").touch()


def test_what_is_fetched_is_kept_and_fetched_once(cache, capsys):
    (cache / "scratch" / "done" / "half").mkdir(parents=True)  # a killed build left it
    for _ in range(2):
        folder = kept("it, 1 MB", "key", fill)
        assert folder == find("key") == cache / "key"
        assert [path.name for path in folder.iterdir()] == ["file"]
    assert capsys.readouterr().err == "Fetching it, 1 MB (once) ...\n"
    assert {path.name for path in cache.iterdir()} == {"key", "lock"}


def test_a_failure_leaves_nothing_and_is_a_sentence(cache):
    def fails(folder, scratch):
        fill(folder, scratch)
        raise OSError("the network is down")

    with pytest.raises(OSError, match=r"^it: the network is down$"):
        kept("it, 1 MB", "key", fails)
    assert find("key") is None and [path.name for path in cache.iterdir()] == ["lock"]


def test_a_cache_that_cannot_be_written_is_passed_over(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    folders = [tmp_path / "file" / "cache", tmp_path / "second"]
    monkeypatch.setattr(fetching, "cache_folders", lambda: folders)
    assert kept("it, 1 MB", "key", fill) == tmp_path / "second" / "key"


def test_the_cache_is_the_users_unless_a_variable_names_another(monkeypatch, tmp_path):
    clone = ROOT / "_build" / "vendor"
    for name in ("HALFSPACES_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fetching.cache_folders() == [tmp_path / ".cache" / "halfspaces", clone]
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert fetching.cache_folders() == [Path("/xdg/halfspaces"), clone]
    monkeypatch.setenv("HALFSPACES_CACHE", "/ours")
    assert fetching.cache_folders() == [Path("/ours"), clone]
    monkeypatch.setenv("HALFSPACES_CACHE", "relative")
    assert fetching.cache_folders() == [clone]


def test_each_package_has_its_hash_and_no_registry_is_named():
    text = (ROOT / "sitebuild" / "vendor" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    asked = packages[""]["dependencies"]
    for name, version in asked.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in package for name, package in packages.items() if name)
    assert "resolved" not in text


SAID = """npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error network request to http://nowhere/p failed
npm error A complete log of this run can be found in: /somewhere
"""


def test_why_a_command_failed_is_said_in_one_sentence(tmp_path):
    command = [sys.executable, "-c", f"import sys; sys.exit({SAID!r})"]
    with pytest.raises(OSError, match=r"^network request to http://nowhere/p failed$"):
        fetching.run(command, tmp_path)
