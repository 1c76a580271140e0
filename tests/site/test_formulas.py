"""Formulas are set when the book is built, and what cannot be set fails the build."""

import re
from pathlib import Path

import pytest
from browsing import math_problems, visiting
from fetching import TEMML, find
from formulas.setter import Setter
from making import build_page

ROOT = Path(__file__).resolve().parents[2]

PAGE = """# A page

## Where $w\\in\\R^d$

A sum ($x_1$), and {eq}`one`.

$$
\\sum_{i=1}^n x_i \\le 2
$$ (one)

```{raw} html
<p title="$t$">Raw $a&lt;b$ &amp; <code>$c$</code></p>
```
"""


@pytest.fixture(scope="module")
def setter():
    folder = find()
    if folder is None:
        pytest.skip("Temml is not here: `make book` said why")
    temml = folder / "site" / TEMML / "dist" / "temml.min.js"
    setter = Setter(temml, {"R": "\\mathbb{R}", "norm": ["\\lVert #1 \\rVert", 1]})
    yield setter
    setter.close()


def text(mathml: str) -> str:
    return re.sub(r"<[^>]*>|\u2061", "", mathml)


@pytest.mark.parametrize(
    "tex, shown",
    [
        (r"\R^d", "ℝd"),
        (r"\norm{x}\le 1", "‖x‖≤1"),
        (r"\operatorname{sgn}(0)", "sgn(0)"),
        (r"22{,}000", "22,000"),
        (r"\frac12", "12"),
    ],
)
def test_a_formula_has_its_letters(setter, tex, shown):
    assert text(setter.formula(tex)) == shown


def test_indices_are_as_narrow_as_in_TeX(setter):
    assert setter.formula("x_{i+1}+1").count('lspace="0"') == 1
    assert 'lspace="0"' in setter.formula(r"\frac{a+b}c")
    assert 'lspace="0"' not in setter.formula(r"\frac{a+b}c", display=True)


@pytest.mark.parametrize("tex", [r"\frac{a", r"\unknown x", "x^2^3", r"\left( x"])
def test_what_cannot_be_set_is_an_error(setter, tex):
    with pytest.raises(ValueError, match=r"."):
        setter.formula(tex)
    assert setter.formula("x")  # and the next one is set


def test_in_html_only_text_is_looked_at(setter):
    html = '<p title="$a$"><code>$b$</code><svg><text>$c$</text></svg> costs</p>'
    assert setter.in_html(html) == html.replace("\\$", "$")
    done = setter.in_html("<td>$a&lt;b$, \\(c\\) $$d$$</td>")
    assert done.count("<math>") == 2 and done.count('<math display="block">') == 1
    assert "&lt;</mo>" in done
    assert "</math>,</span>" in done  # no new line begins with the comma


def build(folder: Path, page: str) -> tuple[str, str, int]:
    """Build a book of one page; returns the page, what was said and the exit code."""
    sphinx = {
        "local_extensions": {"formulas": str(ROOT / "_ext")},
        "config": {"formula_macros": {"R": "\\mathbb{R}"}},
    }
    parse = {"myst_enable_extensions": ["dollarmath", "amsmath"]}
    return build_page(folder, page, {"sphinx": sphinx, "parse": parse})


@pytest.mark.slow
def test_a_page_shows_its_formulas_without_a_script(tmp_path, setter, browser):
    html, said, code = build(tmp_path, PAGE)
    assert code == 0, said
    article = html[html.index("<article") : html.index("</article>")]
    assert article.count("<math") == 4
    assert "(<math>" in article and "</math>),</span>" in article
    assert '<a class="reference internal" href="#equation-one">(1)</a>' in article
    assert 'id="equation-one"' in article and "MathJax" not in html
    assert "\\R" not in html and "$a" not in html and "$c$" in html
    site = tmp_path / "_build" / "html"
    assert (site / "_static" / "vendor" / "mathfont" / "LICENSE").exists()
    with visiting(browser, site.as_uri(), "page.html") as visit:
        assert math_problems(visit.page) == [] == visit.outside
        loaded = "[...document.fonts].find((f) => /Book Math/.test(f.family)).status"
        assert visit.page.evaluate(loaded) == "loaded"


@pytest.mark.slow
def test_a_formula_that_cannot_be_set_fails_the_build_with_its_page(tmp_path, setter):
    _, said, code = build(
        tmp_path,
        PAGE.replace("x_1", r"\frac{x") + "\n```{raw} html\n<b>$\\nope$</b>\n```\n",
    )
    assert code != 0
    assert "page.md:5: WARNING: formula '\\\\frac{x'" in said and r"\nope" in said


def test_a_long_formula_goes_on_after_an_operator(setter):
    done = setter.formula(r"a\bigl(x\bigr)<-1+b")
    rows = re.findall(r"<mrow>(.*?)</mrow>", done)
    assert [text(row) for row in rows] == ["a(x)&lt;", "−1+", "b"]
    assert rows[0].endswith('<mo form="infix">&lt;</mo>')
    assert "infix" not in setter.formula("a<b", display=True)


@pytest.mark.parametrize("tex", ["(-3,-1)", "[-1,+1]", r"a\le-b", "x=-1,-2"])
def test_a_sign_stays_with_its_number(setter, tex):
    assert not re.search('form="infix"[^>]*>[−+]<', setter.formula(tex))
