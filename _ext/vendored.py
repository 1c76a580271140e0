"""The files of others that the site serves, so that it needs no network.

Each package comes through npm by its exact version.  What npm delivers has to have the
sha512 pinned here, which is npm's own (`npm view NAME@VERSION dist.integrity`), and what
is kept of it the sha256, which `fetching` says when it differs.
"""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Package:
    """An npm package: where in the site it goes, and which of its files."""

    name: str
    version: str
    sha512: str  # of the tarball, base64
    sha256: str  # of the files that are kept, hexadecimal
    site: str
    files: tuple[str, ...]

    @property
    def key(self) -> str:
        """A name for the cache that changes with any of the above."""
        digest = hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return f"{self.name.split('/')[-1]}-{self.version}-{digest}"


TEMML = Package(  # for the build, and for what Python makes in the page
    name="temml",
    version="0.13.5",
    sha512="aPkDDgunanpLNL0ql32HbolqLep+w8DRcVXRql7rWrM"
    "t/PhczdLgL4UBYYVU3BYjCNjkGq4EqwIicu/zWr1iOg==",
    sha256="4442c7d5993e34f41f03b4e7673de76660d69c2788a29a6a36033d4f138dd761",
    site="vendor/temml",
    files=("LICENSE", "dist/temml.min.js", "dist/Temml-STIX2.css"),
)
MATHFONT = Package(  # the site gets a part of it, see formulas/font.py
    name="@fontsource/stix-two-math",
    version="5.3.0",
    sha512="negoeozw6VSXjZMozwKRSm/dhCQT62csZcuea9I8KYq"
    "PaZq/8KbbBBrA02ZHF7AyuR5mVML/p+q0bwFuSIf2GQ==",
    sha256="b1f1bb0a0c8487f37413bc1fd981b8c4e20f64f05dcbf402f5076813c838644d",
    site="vendor/mathfont",
    files=("LICENSE", "files/*-400-normal.woff"),
)
SERIF = Package(
    name="@fontsource-variable/source-serif-4",
    version="5.3.1",
    sha512="4Rtay22SC4lMvw11r/+9kxANB6P3M0X8s1NudBC2v0J"
    "1KU2y3DcMoNcT3lBoZ/CqLirzf+StlO6UlJilyrvaUg==",
    sha256="55aa1f10038db39aaf9a1fdf037783e5f9e874dff2b43cdd248bcbe2fa07a5f2",
    site="vendor/serif",
    files=("LICENSE", "wght.css", "wght-italic.css", "files/*-wght-*.woff2"),
)
SANS = Package(
    name="@fontsource-variable/source-sans-3",
    version="5.3.0",
    sha512="dpi0GZk7EQe2tYpg6Q0Fx0OmUgnuGu+0rHPgtXqtKhg"
    "lYmJuP7jZ12Mu1uN+NfRaJRY1Emn8AQJEWzmoZ4wa9g==",
    sha256="97b2e5f15a5d892ad44ccfb455901b132279c7a98db259ae74b8b117c810caca",
    site="vendor/sans",
    files=("LICENSE", "wght.css", "wght-italic.css", "files/*-wght-*.woff2"),
)
STAGED = (TEMML, MATHFONT, SERIF, SANS)
REVEAL = Package(  # for slides, see tools/slides.py
    name="reveal.js",
    version="6.0.2",
    sha512="JYIg5D9aoxoaLeb84O+OvAwsKWdIavVgEDScxtYEXFC"
    "T6t6TQrhNtSgogcjdCpdLsWglhJn3zyE3fUOwiH5KEg==",
    sha256="d3bfd30f2818c5a19934c23ca45beca3fc6c15301e64f27f184063f460f0fdd7",
    site="vendor/reveal",
    files=(
        "LICENSE",
        "dist/reveal.css",
        "dist/reveal.js",
        "dist/plugin/notes.js",
    ),
)
# For paper, the same letters in fixed weights: a PDF holds variable fonts as drawings.
FIXED = ("LICENSE", *(f"{w}{s}.css" for w in (400, 600, 700) for s in ("", "-italic")))
FIXED += tuple(f"files/*-{weight}-*.woff2" for weight in (400, 600, 700))
PRINTED = (
    Package(
        name="@fontsource/source-serif-4",
        version="5.3.1",
        sha512="cWcTCXjYYrgF9A67fThVir1VSc0lPEYmwQ6jA4pPt01"
        "s2MSCi/maINUcZoCzaqnU8fyUReDO97eGcBUkHgOeug==",
        sha256="ca58dda26025c8771e67f18c600f51128883920c0989a7f64b62c760d5b28cdd",
        site="serif",
        files=FIXED,
    ),
    Package(
        name="@fontsource/source-sans-3",
        version="5.3.0",
        sha512="VrWixSgF93kOVSEkwjs9ImnAbxrBew4PgcnaJYEitG9"
        "TyJSwxjFUNJIgzB1XFP/acyAWcTDg7+sWe7JI8LTB9w==",
        sha256="be0ac3256a07aef4a1e1d408a87dbf7b96b7688bd09f7fffd393e49dc801f8a7",
        site="sans",
        files=FIXED,
    ),
)
AXE = Package(  # for the tests alone
    name="axe-core",
    version="4.14.1",
    sha512="FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3N"
    "PjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    sha256="3616fe3c654abdb8dea317b271df3986568d0e60a80f9bd63e053f2d6f4d9b2e",
    site="axe",
    files=("axe.min.js",),
)
CHROMIUM = Package(  # for machines that have none, unpacked by tools/chromium.py
    name="@sparticuz/chromium",
    version="153.0.0",
    sha512="jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/"
    "EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    sha256="88527bfcbd0025b599b2f45728792ac398c1cfd3c43ff9290d57547d70f685f3",
    site="",
    files=("bin/chromium.br", "bin/al2023.tar.br", "bin/fonts.tar.br"),
)
PYODIDE = Package(  # with the packages that in_page/files.py adds, renamed as it says
    name="pyodide",
    version="314.0.3",
    sha512="sK40My6m8tmBUYtYH9au9rXUeh9x0wfahtHdOlGmJxZ"
    "DsKBGKtP6KznyFB2+u/klbQTdDionR0uaVd176zVQzQ==",
    sha256="a0e57a15fd84d7a5f922521e0f8b63d8347cedcccec40927511475ee450a333a",
    site="vendor/pyodide",
    files=(
        "package.json",
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "pyodide-lock.json",
        "python_stdlib.zip",
    ),
)
