"""Every public name has an entry in the API reference, with links from and to the code."""

import doctest
import json
import re
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from zlib import decompress

import numpy as np
import pytest
from pygments import highlight
from pygments.lexers import PythonLexer

import mlcore
from sitebuild.chapters import ROOT
from sitebuild.extensions.code_links import NAME, Light, imported_names

GROUND = {"arrays", "checks"}  # used by the other modules
ALL = [m.name for m in walk_packages(mlcore.__path__, "mlcore.") if "book" not in m.name]
MODULES = {module.name for module in iter_modules(mlcore.__path__) if not module.ispkg}


def entries(site):
    """Names that other Sphinx projects can link to."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = decompress(packed).decode().splitlines()
    return {line.split()[0] for line in lines if " py:" in line}


@pytest.mark.parametrize("module", [*sorted(MODULES - GROUND), "data", "estimators"])
def test_every_public_name_has_an_entry(site, module):
    module = import_module(f"mlcore.{module}")
    own = [n for n, v in vars(module).items() if hasattr(v, "__doc__") and n[0] != "_"]
    own = [n for n in own if getattr(vars(module)[n], "__module__", "") == module.__name__]
    names = {f"{module.__name__}.{name}" for name in getattr(module, "__all__", own)}
    assert names and names <= entries(site)


def test_every_reference_entry_has_a_docstring():
    text = "".join(page.read_text() for page in ROOT.glob("chapters/reference/*.md"))
    modules = list(map(import_module, re.findall(r"automodule:: (\S+)", text)))
    assert len(modules) > 30
    for module in modules:
        public = [getattr(module, name) for name in getattr(module, "__all__", ())]
        assert [o for o in (module, *public) if not o.__doc__] == []


@pytest.mark.parametrize("module", sorted(MODULES - GROUND - {"out_of_core"}))
def test_every_module_names_its_chapter(site, module):
    doc = import_module(f"mlcore.{module}").__doc__
    (names,) = re.findall(r"^Chapters?: (.*)$", doc, re.M)
    page = (site / "chapters" / "reference" / "shelf.html").read_text()
    section = page.partition(f'id="module-mlcore.{module}"')[2]
    explained = re.search(r"<em>Explained in</em>.*?</p>", section, re.S)[0]
    assert re.findall(r'href="\.\./(\w+)\.html"', explained) == names.split(", ")


def test_docstring_becomes_fields(site):
    page = (site / "chapters" / "reference" / "shelf.html").read_text()
    entry = page.partition('id="mlcore.perceptron.perceptron"')[2].partition("</dl>\n")[0]
    assert re.search("Parameters.*max_epochs.*Returns.*Raises.*ValueError", entry, re.S)


def test_rebound_name_is_not_linked(tmp_path):
    code = "from mlcore.losses import hinge, logistic as log_loss", "def hinge(z): return z"
    cells = [{"cell_type": "code", "source": [source]} for source in code]
    path = tmp_path / "chapter.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    assert imported_names(path) == {"log_loss": "mlcore.losses.logistic"}


def test_highlighting_is_minimal_and_whole_names_are_links():
    """Names in strings and comments, attributes and keywords are not links."""
    code = "f(fit=1, b='fit'); a.fit  # fit\nfit == fit"
    block = highlight(code, PythonLexer(), Light())
    assert re.findall('class="(.*?)"', block) == ["highlight", "m", "s", "c"]
    alone = [found for found in NAME.finditer(block) if found[1] == "fit"]
    assert len(alone) == 2 and block[alone[0].start() :].startswith("fit == fit")


@pytest.mark.parametrize("name", ALL)
def test_doctests(name):
    module = import_module(name)
    result = doctest.testmod(module, extraglobs={"np": np})
    assert result.failed == 0
    assert result.attempted or name != "mlcore.estimators"
