"""The extensions of the build: files fetched or refused, solutions kept or withheld."""

import base64
import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace

import offline_assets
import pytest
import yaml
from offline_assets import Package, fetch

ROOT = Path(__file__).resolve().parents[1]


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
    monkeypatch.setattr(offline_assets, "_npms", lambda: [[sys.executable, "-c", code]])
    return calls


def package(sha512: str) -> Package:
    return Package("p", "1.0", sha512, "vendor/p", ("dist/*",))


def test_only_the_wanted_files_are_kept_and_only_fetched_once(npm, tmp_path):
    cache = tmp_path / "cache"
    for _ in range(2):
        folder = fetch(package(GOOD), cache)
    files = [p.relative_to(folder) for p in folder.rglob("*") if p.is_file()]
    assert files == [Path("vendor/p/dist/wanted.js")]
    assert npm.read_text() == "x"
    assert list(cache.iterdir()) == [folder]


def test_a_package_with_another_hash_is_refused_and_leaves_nothing(npm, tmp_path):
    with pytest.raises(OSError, match=r"p 1\.0 has the wrong sha512"):
        fetch(package("0" * 88), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("npms", [[], [["no-such-program"]]])
def test_without_npm_the_stock_addresses_stay(npms, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(offline_assets, "_npms", lambda: npms)
    config = SimpleNamespace(mathjax_path="stock", html_static_path=[])
    offline_assets.stage(SimpleNamespace(srcdir=tmp_path), config)
    assert vars(config) == {"mathjax_path": "stock", "html_static_path": []}
    said = [line for line in capsys.readouterr().err.splitlines() if "once" not in line]
    assert len(said) == 1
    assert said[0].startswith("The pages will need the network: mathjax 3.2.2")


# ----------------------------------------------------------------------- solutions

EXERCISES = """# A page

```{exercise} On paper
:label: one
How much is one and one?
```

```{solution} one
:class: dropdown
SECRET-A
```

```{exercise-start} In code
:label: two
```
Write it.
```{exercise-end}
```

```{solution-start} two
:class: dropdown
```
SECRET-B
```python
SECRET_C
```
```{solution-end}
```

After.
"""


def build(folder: Path, *, hide_solutions: bool) -> tuple[str, str, int]:
    """Build a book of one page; returns the page, what was said and the exit code."""
    sphinx = {
        "local_extensions": {"solutions": str(ROOT / "_ext")},
        "extra_extensions": ["sphinx_exercise"],
        "config": {"hide_solutions": hide_solutions},
    }
    (folder / "_config.yml").write_text(yaml.safe_dump({"sphinx": sphinx}))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: page\n")
    command = [Path(sys.executable).with_name("jupyter-book"), "build", folder]
    done = subprocess.run(
        [*command, "-W", "-n", "--keep-going"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    page = folder / "_build" / "html" / "page.html"
    html = page.read_text() if page.exists() else ""
    return html, done.stdout + done.stderr, done.returncode


@pytest.mark.parametrize("hidden", [False, True])
def test_the_edition_without_solutions_holds_none(tmp_path, hidden):
    (tmp_path / "page.md").write_text(EXERCISES)
    html, said, code = build(tmp_path, hide_solutions=hidden)
    assert code == 0, said
    assert "How much is one and one?" in html and "After." in html
    leaks = [
        path.relative_to(tmp_path).as_posix()
        for path in (tmp_path / "_build" / "html").rglob("*")
        if path.is_file() and b"SECRET" in path.read_bytes()
    ]
    assert leaks == [] if hidden else "page.html" in "".join(leaks)


def test_a_solution_cut_by_a_heading_is_named(tmp_path):
    text = EXERCISES.replace("SECRET-B", "## A heading\n\nSECRET-B")
    (tmp_path / "page.md").write_text(text)
    _, said, code = build(tmp_path, hide_solutions=True)
    assert code != 0 and "a heading or the end of the page comes before" in said
