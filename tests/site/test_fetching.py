"""Third-party files are fetched once, verified, and cached completely or not at all."""

import json
import sys
from pathlib import Path

import pytest

from sitebuild import fetching
from sitebuild.chapters import ROOT
from sitebuild.fetching import cached_folder, find_fetched


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HALFSPACES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fill(folder, scratch):
    (folder / "file").write_text("ok")
    (scratch / "temporary").touch()


def test_fetched_files_are_cached(cache, capsys):
    (cache / "scratch" / "done" / "half").mkdir(parents=True)  # left by a killed build
    for _ in range(2):
        folder = cached_folder("files, 1 MB", "key", fill)
        assert folder == find_fetched("key") == cache / "key"
        assert [path.name for path in folder.iterdir()] == ["file"]
    assert capsys.readouterr().err == "Fetching files, 1 MB (once) ...\n"
    assert {path.name for path in cache.iterdir()} == {"key", "key.json", "lock"}


def test_damaged_folder_is_fetched_again(cache):
    file = cached_folder("files, 1 MB", "key", fill) / "file"
    for damage in (file.unlink, lambda: file.write_text("")):
        damage()
        assert find_fetched("key") is None
        cached_folder("files, 1 MB", "key", fill)
        assert file.read_text() == "ok"


def test_failed_fetch_leaves_no_folder_and_raises_one_line(cache):
    def fill_and_fail(folder, scratch):
        fill(folder, scratch)
        raise OSError("the network is down")

    with pytest.raises(OSError, match=r"^files: the network is down$"):
        cached_folder("files, 1 MB", "key", fill_and_fail)
    assert find_fetched("key") is None
    assert [path.name for path in cache.iterdir()] == ["lock"]


def test_unwritable_cache_is_skipped(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    folders = [tmp_path / "file" / "cache", tmp_path / "second"]
    monkeypatch.setattr(fetching, "cache_folders", lambda: folders)
    assert cached_folder("files, 1 MB", "key", fill) == tmp_path / "second" / "key"


def test_environment_variables_set_the_cache_folders(monkeypatch, tmp_path):
    clone = ROOT / "_build" / "vendor"
    for name in ("HALFSPACES_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fetching.cache_folders() == [tmp_path / ".cache" / "halfspaces", clone]
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert fetching.cache_folders() == [Path("/xdg/halfspaces"), clone]
    monkeypatch.setenv("HALFSPACES_CACHE", "/custom")
    assert fetching.cache_folders() == [Path("/custom"), clone]
    monkeypatch.setenv("HALFSPACES_CACHE", "relative")
    assert fetching.cache_folders() == [clone]


def test_npm_lock_file_has_hashes_and_no_registry_urls():
    text = (ROOT / "sitebuild" / "vendor" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    for name, version in packages[""]["dependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in package for name, package in packages.items() if name)
    assert "resolved" not in text


STDERR = """npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error network request to http://nowhere/p failed
npm error A complete log of this run can be found in: /somewhere
"""


def test_failed_command_raises_a_one_line_message(tmp_path):
    command = [sys.executable, "-c", f"import sys; sys.exit({STDERR!r})"]
    with pytest.raises(OSError, match=r"^network request to http://nowhere/p failed$"):
        fetching.run(command, tmp_path)
