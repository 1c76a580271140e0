"""What the site takes from npm: fetched once, refused or fetched again when it differs."""

import base64
import hashlib
import io
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace

import fetching
import formulas
import offline_assets
import pytest
from fetching import fetch, find
from vendored import Package

ROOT = Path(__file__).resolve().parents[2]


def tarball() -> bytes:
    """A package as npm packs it: one wanted file, one unwanted."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name in ("package/dist/wanted.js", "package/src/unwanted.js"):
            member = tarfile.TarInfo(name)
            member.size = 2
            archive.addfile(member, io.BytesIO(b"ok"))
    return data.getvalue()


DATA = tarball()
GOOD = base64.b64encode(hashlib.sha512(DATA).digest()).decode()
KEPT = hashlib.sha256(b"vendor/p/dist/wanted.js 2\nok").hexdigest()


@pytest.fixture
def npm(monkeypatch, tmp_path):
    """An npm that packs our tarball, and counts how often it was asked."""
    calls = tmp_path / "calls"
    packed = tmp_path / "packed"
    packed.write_bytes(DATA)
    code = (
        f"import shutil; shutil.copy({str(packed)!r}, 'p-1.0.tgz'); "
        f"open({str(calls)!r}, 'a').write('x')"
    )
    monkeypatch.setattr(fetching, "_npms", lambda: [[sys.executable, "-c", code]])
    return calls


def package(sha512: str = GOOD, sha256: str = KEPT) -> Package:
    return Package("p", "1.0", sha512, sha256, "vendor/p", ("dist/*",))


def kept(cache: Path) -> list[Path]:
    """What is in a cache beside its lock."""
    return [path for path in cache.iterdir() if path.name != "lock"]


def test_only_the_wanted_files_are_kept_and_only_fetched_once(npm, tmp_path):
    cache = tmp_path / "cache"
    for _ in range(2):
        folder = fetch(package(), cache)
    files = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    assert files == [Path("vendor/p/dist/wanted.js")]
    assert npm.read_text() == "x"
    assert kept(cache) == [folder]


def test_what_a_killed_build_left_in_the_cache_goes_with_the_next(npm, tmp_path):
    cache = tmp_path / "cache"
    left = cache / "scratch" / "unpacked" / "vendor" / "p" / "half.js"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"ha")
    folder = fetch(package(), cache)
    assert find(package(), cache) == folder and kept(cache) == [folder]


@pytest.mark.parametrize("damage", ["altered", "lost", "added"])
def test_a_damaged_file_is_noticed_and_fetched_again(npm, tmp_path, capsys, damage):
    cache = tmp_path / "cache"
    file = fetch(package(), cache) / "vendor" / "p" / "dist" / "wanted.js"
    if damage == "lost":
        file.unlink()
    else:
        (file if damage == "altered" else file.with_name("extra.js")).write_bytes(b"no")
    assert find(package(), cache) is None
    folder = fetch(package(), cache)
    assert file.read_bytes() == b"ok" and find(package(), cache) == folder
    assert npm.read_text() == "xx"
    assert kept(cache) == [folder]
    assert "again" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong, said",
    [
        (package(sha512="0" * 88), r"p 1\.0 has the wrong sha512"),
        (package(sha256="0" * 64), rf"p 1\.0 unpacks to sha256 {KEPT}"),
    ],
)
def test_a_package_with_another_hash_is_refused_and_leaves_nothing(
    npm, tmp_path, wrong, said
):
    with pytest.raises(OSError, match=said):
        fetch(wrong, tmp_path / "cache")
    assert kept(tmp_path / "cache") == []


def test_a_cache_that_cannot_be_written_is_passed_over(npm, tmp_path):
    (tmp_path / "file").touch()
    second = tmp_path / "second"
    assert fetch(package(), tmp_path / "file" / "cache", second).parent == second


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


ENOENT = """npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error network request to http://nowhere/p failed
npm error A complete log of this run can be found in: /somewhere
"""


@pytest.mark.parametrize(
    "npms, said",
    [
        ([], "no npm on this machine"),
        ([["no-such-program"]], "No such file or directory: 'no-such-program'"),
        ([[sys.executable, "-c", "pass"]], "npm gave no file"),
        (
            [[sys.executable, "-c", f"import sys; sys.exit({ENOENT!r})"]],
            "network request to http://nowhere/p failed",
        ),
    ],
)
def test_why_npm_failed_is_said_in_one_sentence(npms, said, monkeypatch, tmp_path):
    monkeypatch.setattr(fetching, "_npms", lambda: npms)
    with pytest.raises(OSError) as caught:
        fetch(package(), tmp_path / "cache")
    assert str(caught.value).startswith("p 1.0 was not fetched: ")
    assert str(caught.value).endswith(said)


def test_without_its_packages_a_site_has_stock_formulas_and_fonts(monkeypatch):
    for module in (offline_assets, formulas):
        monkeypatch.setattr(module, "find", lambda package: None)
    config = SimpleNamespace(
        formula_macros={"R": "r"}, html_math_renderer=None, html_static_path=[]
    )
    offline_assets.stage(None, config)
    formulas.stage(SimpleNamespace(set_html_assets_policy=str), config)
    assert (config.html_math_renderer, config.html_static_path) == ("mathjax", [])
    assert config.mathjax3_config["tex"]["macros"] == {"R": "r"}
