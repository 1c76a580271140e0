"""The reference: every public name has its entry, and code leads there and back."""

import doctest
import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from zlib import decompress

import numpy as np
import pytest
from code_links import imported

import mlcore

ROOT = Path(__file__).resolve().parents[2]
GROUND = {"arrays", "checks", "options"}  # what the shelf stands on
SHELF = {module.name for module in iter_modules(mlcore.__path__) if not module.ispkg}


def entries(site):
    """The names that other books can link to."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = decompress(packed).decode().splitlines()
    return {line.split()[0] for line in lines if " py:" in line}


@pytest.mark.parametrize("module", [*sorted(SHELF - GROUND), "data", "estimators"])
def test_every_public_name_has_an_entry(site, module):
    module = import_module(f"mlcore.{module}")
    own = [n for n, v in vars(module).items() if hasattr(v, "__doc__") and n[0] != "_"]
    own = [n for n in own if getattr(vars(module)[n], "__module__", "") == module.__name__]
    names = {f"{module.__name__}.{name}" for name in getattr(module, "__all__", own)}
    assert names and names <= entries(site)


def test_every_name_in_the_reference_says_what_it_is():
    text = "".join(page.read_text() for page in ROOT.glob("chapters/reference/*.md"))
    modules = re.findall(r"automodule:: (\S+)", text)
    assert len(modules) > 30
    for name in modules:
        module = import_module(name)
        assert module.__doc__, name
        for public in getattr(module, "__all__", ()):
            assert getattr(module, public).__doc__, f"{name}.{public}"


@pytest.mark.parametrize("module", sorted(SHELF - GROUND))
def test_every_module_of_the_shelf_says_which_chapter_explains_it(site, module):
    doc = import_module(f"mlcore.{module}").__doc__
    (names,) = re.findall(r"^Chapters?: (.*)$", doc, re.M)
    page = (site / "chapters" / "reference" / "shelf.html").read_text()
    section = page.partition(f'id="module-mlcore.{module}"')[2]
    explained = re.search(r"<em>Explained in</em>.*?</p>", section, re.S)[0]
    assert re.findall(r'href="\.\./(\w+)\.html"', explained) == names.split(", ")


def test_the_example_of_the_estimators_is_true():
    assert doctest.testmod(import_module("mlcore.estimators")) == (0, 5)


def test_a_docstring_becomes_fields(site):
    page = (site / "chapters" / "reference" / "shelf.html").read_text()
    entry = page.partition('id="mlcore.perceptron.perceptron"')[2].partition("</dl>\n")[0]
    for said in ("Parameters", "max_epochs", "Returns", "Raises", "ValueError"):
        assert said in entry, said


def test_a_name_that_a_chapter_uses_otherwise_is_no_link(tmp_path):
    code = (
        "from mlcore.losses import hinge, logistic as log_loss",
        "from mlcore.book import Picture",
        "def hinge(z):\n    return z",
    )
    cells = [{"cell_type": "code", "source": [source]} for source in code]
    path = tmp_path / "chapter.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    assert imported(path) == {
        "log_loss": "mlcore.losses.logistic",
        "Picture": "mlcore.book.pictures.Picture",
    }


def public_functions():
    """(where it is defined, the function) of all that the shelf and the data offer."""
    for name in [*sorted(SHELF - GROUND), "data"]:
        module = import_module(f"mlcore.{name}")
        for function in map(vars(module).get, getattr(module, "__all__", vars(module))):
            if inspect.isfunction(function) and function.__name__[0] != "_":
                home = import_module(function.__module__)
                if hasattr(module, "__all__") or home is module:
                    yield pytest.param(home, function, id=f"{name}.{function.__name__}")


@pytest.mark.parametrize(("home", "function"), list(public_functions()))
def test_every_example_is_true(home, function):
    scope = vars(home) | {"np": np}
    (example,) = doctest.DocTestFinder().find(function, function.__name__, globs=scope)
    said = []
    result = doctest.DocTestRunner().run(example, out=said.append)
    assert result.failed == 0, "".join(said)
