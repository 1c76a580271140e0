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
from sitebuild.extensions.code_links import NAME, PlainFormatter, imported_names

INTERNAL = {"arrays", "checks"}  # used only by other modules
DOTTED_NAMES = [module.name for module in walk_packages(mlcore.__path__, "mlcore.")]
MODULES = {module.name for module in iter_modules(mlcore.__path__) if not module.ispkg}


def link_targets(site):
    """Return the names that other Sphinx projects can link to."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = decompress(packed).decode().splitlines()
    return {line.split()[0] for line in lines if " py:" in line}


def test_every_public_name_has_a_reference_entry(site):
    targets = link_targets(site)
    for module in sorted(MODULES - INTERNAL | {"data", "estimators"}):
        full_name = f"mlcore.{module}"
        objects = vars(import_module(full_name))
        own = [k for k, o in objects.items() if getattr(o, "__module__", "") == full_name]
        public = [name for name in objects.get("__all__", own) if name[0] != "_"]
        assert public and {f"{full_name}.{name}" for name in public} <= targets


def test_every_reference_entry_has_a_docstring():
    text = "".join(page.read_text() for page in ROOT.glob("chapters/reference/*.md"))
    modules = list(map(import_module, re.findall(r"automodule:: (\S+)", text)))
    assert len(modules) > 30
    for module in modules:
        public = [getattr(module, name) for name in getattr(module, "__all__", ())]
        assert [o for o in (module, *public) if not o.__doc__] == []


def test_every_module_names_its_chapter_and_entries_have_parts(site):
    """No chapter explains out_of_core."""
    page = (site / "chapters" / "reference" / "shelf.html").read_text()
    for module in sorted(MODULES - INTERNAL - {"out_of_core"}):
        doc = import_module(f"mlcore.{module}").__doc__
        (names,) = re.findall(r"^Chapters?: (.*)$", doc, re.M)
        section = page.partition(f'id="module-mlcore.{module}"')[2]
        line = re.search(r"<em>Explained in</em>.*?</p>", section, re.S)[0]
        assert re.findall(r'href="\.\./(\w+)\.html"', line) == names.split(", "), module
    entry = page.partition('id="mlcore.perceptron.perceptron"')[2].partition("</dl>\n")[0]
    assert re.search("Parameters.*max_epochs.*Returns.*Raises.*ValueError", entry, re.S)


def test_redefined_name_is_not_linked(tmp_path):
    code = "from mlcore.losses import hinge, logistic as log_loss", "def hinge(z): return z"
    cells = [{"cell_type": "code", "source": [source]} for source in code]
    path = tmp_path / "chapter.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    assert imported_names(path) == {"log_loss": "mlcore.losses.logistic"}


def test_highlighting_is_minimal_and_whole_names_are_links():
    """Attributes, keyword arguments, and names in strings or comments are not links."""
    code = "f(fit=1, b='fit'); a.fit  # fit\nfit == fit"
    block = highlight(code, PythonLexer(), PlainFormatter())
    assert re.findall('class="(.*?)"', block) == ["highlight", "m", "s", "c"]
    links = [match for match in NAME.finditer(block) if match[1] == "fit"]
    assert len(links) == 2 and block[links[0].start() :].startswith("fit == fit")


@pytest.mark.parametrize("name", DOTTED_NAMES)
def test_doctests_pass(name):
    module = import_module(name)
    result = doctest.testmod(module, extraglobs={"np": np})
    assert result.failed == 0
    if name == "mlcore.estimators":
        assert result.attempted, "the example in its docstring was not run"
