"""Formulas are typeset when the book is built; an invalid formula fails the build."""

import re

import pytest

from sitebuild.extensions.formulas.speech import add_aria_labels, speak
from sitebuild.extensions.formulas.typesetter import Typesetter
from sitebuild.fetching import TEMML, find_fetched


@pytest.fixture(scope="module")
def typesetter():
    folder = find_fetched()
    if folder is None:
        pytest.skip("Temml is missing, see the output of `make book`")
    temml = folder / "site" / TEMML / "dist" / "temml.min.js"
    typesetter = Typesetter(
        temml, {"R": "\\mathbb{R}", "norm": ["\\lVert #1 \\rVert", 1], "E": "\\mathbb{E}"}
    )
    yield typesetter
    typesetter.close()


def text_of(mathml: str) -> str:
    return re.sub(r"<[^>]*>|\u2061", "", mathml)


TEXTS = {r"\R^d": "ℝd", r"\norm{x}\le 1": "‖x‖≤1", r"\operatorname{sgn}(0)": "sgn(0)"}
TEXTS |= {r"22{,}000": "22,000", r"\frac12": "12"}


def test_text_and_operator_spacing_match_tex(typesetter):
    assert {tex: text_of(typesetter.formula(tex)) for tex in TEXTS} == TEXTS
    assert typesetter.formula("x_{i+1}+1").count('lspace="0"') == 1
    assert 'lspace="0"' in typesetter.formula(r"\frac{a+b}c")
    assert 'lspace="0"' not in typesetter.formula(r"\frac{a+b}c", display=True)


@pytest.mark.parametrize("tex", [r"\frac{a", r"\unknown x", "x^2^3", r"\left( x"])
def test_invalid_formula_raises(typesetter, tex):
    with pytest.raises(ValueError, match=r"."):
        typesetter.formula(tex)
    assert typesetter.formula("x")  # the typesetting process still runs


def test_only_formulas_in_html_text_are_typeset(typesetter):
    html = '<p title="$a$"><code>$b$</code><svg><text>$c$</text></svg> costs \\$5</p>'
    assert typesetter.in_html(html) == html.replace("\\$", "$")
    html = typesetter.in_html("<td>$a&lt;b$, \\(c\\) $$d$$</td>")
    assert html.count("<math>") == 2 and html.count('<math display="block">') == 1
    assert "&lt;</mo>" in html
    assert "</math>,</span>" in html  # no line break before the comma


def test_long_formula_breaks_after_an_operator(typesetter):
    html = typesetter.formula(r"a\bigl(x\bigr)<-1+b")
    rows = re.findall(r"<mrow>(.*?)</mrow>", html)
    assert [text_of(row) for row in rows] == ["a(x)&lt;", "−1+", "b"]
    assert rows[0].endswith('<mo form="infix">&lt;</mo>')
    assert "infix" not in typesetter.formula("a<b", display=True)


def test_sign_is_not_separated_from_its_number(typesetter):
    for tex in ("(-3,-1)", "[-1,+1]", r"a\le-b", "x=-1,-2"):
        assert not re.search('form="infix"[^>]*>[−+]<', typesetter.formula(tex)), tex


SPEECH = {
    r"w\cdot x+b": "w dot x plus b",
    r"\norm{w-v}^2": "the norm of w minus v end norm squared",
    r"w_*": "w star",
    r"w^{(t)}": "w superscript t",
    r"w^{(t-1)}": "w superscript t minus 1 end superscript",
    r"X^\top X": "X transpose X",
    r"t\in\{0,1\}": "t is a member of the set 0 comma 1",
    r"p(A\mid B)": "p of open paren A given B close paren",
    r"\sqrt{t}R": "the square root of t end root R",
    r"\tfrac{\lambda}{2}v": "lambda over 2 end fraction v",
    r"\tfrac12": "one half",
    r"\frac1{2\eta}v": "the fraction with numerator 1 and denominator 2 eta end fraction v",
    r"X^+y": "X superscript plus y",
    r"\hat{w}": "w hat",
    r"h_iy_i": "h sub i y sub i",
    r"D_{T+1}(i)": "D sub T plus 1 end subscript of i",
    r"\text{precision}+\text{recall}": "precision plus recall",
    r"\Delta": "Delta",
    r"Av=hv": "A v equals h v",
    r"g(x)": "g of x",
    r"\ln(1+e^{-z})": "the natural log of open paren 1 plus e raised to the negative z "
    "power close paren",
    r"\E J_i": "the expected value of J sub i",
}


def test_formulas_are_spoken_as_words_for_screen_readers(typesetter):
    formulas = [typesetter.formula(tex) for tex in SPEECH]
    speech = speak(formulas)
    assert {tex: speech[f] for tex, f in zip(SPEECH, formulas, strict=True)} == SPEECH


def test_formulas_in_headings_and_summaries_get_labels(typesetter, tmp_path):
    formula = typesetter.formula("w_*")
    page = f"<h2>Of {formula}</h2><p>{formula}</p><summary>If {formula}</summary>"
    page += f"<tr><th>{formula}</th><td>{formula}</td></tr>"
    (tmp_path / "page.html").write_text(page)
    add_aria_labels(tmp_path)
    found = re.findall("<math[^>]*>", (tmp_path / "page.html").read_text())
    heading, text, summary, header, cell = found
    assert heading == summary == header == '<math aria-label="w star">'
    assert text == cell == "<math>"


def test_formula_without_speech_raises(typesetter):
    with pytest.raises(ValueError, match="no words for the formula <math"):
        speak(["<math></math>"])
