"""The page Playground without a browser: parsing, theorems and code."""

import json
import re

import pytest

from halfspaces.interactive.plane import markup
from halfspaces.playground import LOOKS, NONE, PLANE, Playground
from halfspaces.playground.parsing import parse_points
from halfspaces.playground.theorems import METHODS
from mlcore.linear import sgn

APART = "-1,0,-1~-1,1,-1~1,0,1~1,1.5,1"
CROSSED = "0,0,1~1,1,1~1,0,-1~0,1,-1"
TOUCHING = "0,0,1~0,1,1~0,2,-1~0,3,-1~1,1,1"


@pytest.fixture(scope="module")
def figure():
    return Playground()


def frame(figure, text, method, **values):
    """Render the points of a text with one method."""
    state = json.loads(json.dumps(figure.start))
    names = dict.fromkeys(LOOKS, NONE) | {"solid": method}
    for look, name in names.items():
        state[look]["value"] = figure.handles[look].slider.stops.index(name)
    for name, value in values.items():
        state[name]["value"] = value
    return json.loads(figure.respond(json.dumps(state | {"points": {"text": text}})))


def notes_of(frame):
    """Return {theorem: (whether its hypothesis holds, the sentence)}."""
    found = {}
    for _, look, (words, *link) in frame["notes"]:
        name = link[0][2] if link else ""
        holds = {"hs-holds": True, "hs-broken": False, "": None}[look["class"]]
        found[name] = holds, words[2]
    return found


# ------------------------------------------------------------------------ parsing a text


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\tno\n3\t4\tyes\n",
        "1;2,0;no\n3;4;yes",
        "1,2,-1\r\n3,4,+1",
        "1,2,0~3,4,1",
        "1  2 no\n3 4 yes",
        "length,width,class\n1,2,a\n\n3,4,b",
        '"length";"width";"class"\n1;2;a\n3;4;b',
        "a,1,2\nb,3,4",
        "1,2,\u22121\n3,4,1",
    ],
)
def test_two_columns_and_a_label_are_parsed(text):
    found = parse_points(text, PLANE)
    assert found["at"] == [[1, 2], [3, 4]] and found["labels"] == [-1, 1]
    names = ["length", "width"] if "length" in text else list(PLANE.names)
    assert list(found["view"]["names"]) == names


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at least two rows"),
        ("some text", "at least two rows"),
        ("some text\nand more", "Row 1 has 2 columns"),
        ("1,2\n3,4", "Row 1 has 2 columns"),
        ("1,2,a\n3,4,5,b", "Row 2 has 4 columns"),
        ("1,2,a\n3,x,b\n5,6,b", "Row 2, column 2: x is not a number"),
        ("1,2,a\n3,,b\n5,6,b", "Row 2, column 2: an empty cell is not a number"),
        ("1,2,a\n3,inf,b\n5,6,b", "Row 2, column 2: inf is not a number"),
        ("1,2,a\n3,4,a", "one label"),
        ("1,2,a\n3,4,b\n5,6,c", r"3 labels \(a, b, c\)"),
        ("1,2,a\n" * 10_000, "At most 200 points fit here, and these are 10,000 rows"),
    ],
)
def test_other_text_is_refused_with_a_sentence(figure, text, sentence):
    refused = frame(figure, text, "perceptron")
    assert re.search(sentence, refused["refused"]) and "grips" not in refused
    assert len(refused["refused"]) < 120


def test_plane_fits_points_of_any_size(figure):
    shown = frame(figure, "size,weight,kind\n1.5e6,0.001,a\n1.7e6,0.004,b", "LDA")
    (low, high), (bottom, top) = (shown["planes"][0][axis] for axis in "xy")
    assert low < 1.5e6 < 1.7e6 < high and bottom < 0.001 < 0.004 < top
    assert "weight" in markup(shown["axes"])
    assert frame(figure, APART + "~-2,-2,-1", "LDA")["planes"][0]["x"] == list(PLANE.x)


# ---------------------------------------------------------- theorems


@pytest.mark.parametrize("label", [1, -1])
def test_points_of_one_label_report_which_methods_need_both(figure, label):
    for name in METHODS:
        state = json.loads(json.dumps(figure.start))
        state["points"]["labels"] = [label] * 12
        state["solid"]["value"] = figure.handles["solid"].slider.stops.index(name)
        shown = figure.render(state)
        assert "All points have one label" in shown["caption"]
        words = shown["notes"][0][2][0][2]
        needs = name not in ("AdaBoost", "nearest neighbors")
        assert words.startswith(f"Solid, {name}: ") and ("both labels" in words) is needs


def test_perceptron_reports_bound_or_certificate(figure):
    holds, words = notes_of(frame(figure, APART, "perceptron"))["Novikoff’s theorem"]
    R, gamma, bound, made = map(float, re.findall(r"(\d+\.?\d*)(?=[,:. ]|$)", words))
    assert holds and made <= bound and bound == pytest.approx((R / gamma) ** 2, abs=1)
    broken = notes_of(frame(figure, CROSSED, "perceptron"))
    assert broken["Novikoff’s theorem"][0] is False
    proof = "0.5 · point 1 + 0.5 · point 2 = 0.5 · point 3 + 0.5 · point 4"
    assert proof in broken["Certificate"][1]


def test_logistic_regression_reports_whether_a_minimizer_exists(figure):
    for text, exists in ((APART, False), (TOUCHING, False), (CROSSED, True)):
        shown = frame(figure, text, "logistic regression")
        assert notes_of(shown)["Existence"][0] is exists
    on_a_line = notes_of(frame(figure, "0,0,1~1,0,-1~2,0,1~3,0,-1", "logistic regression"))
    assert on_a_line["Existence"][0] and "this is one" in on_a_line["Existence"][1]


def test_least_squares_reports_rank_and_relation_to_lda(figure):
    spread = "0,0,-1~1,1,-1~0,1,-1~2,0,1~3,1,1~2,1.5,1"
    name, other = "Least squares and LDA", frame(figure, spread + "~3,0,1", "least squares")
    same, other = notes_of(frame(figure, spread, "LDA"))[name], notes_of(other)[name]
    assert same[0] and "the same line" in same[1] and other[0] and "parallel" in other[1]
    apart = notes_of(frame(figure, CROSSED, "LDA"))[name]
    assert not apart[0] and "the two means are the same" in apart[1]
    line = notes_of(frame(figure, "0,0,-1~1,1,-1~2,2,1~4,4,1", "least squares"))
    assert not line["Rank"][0] and not line[name][0]


def test_soft_margin_reports_uniqueness_and_hard_margin(figure):
    far = "-3,0,-1~3,0,1"
    assert notes_of(frame(figure, far, "soft margin", C=-2))["Uniqueness"][0] is False
    assert notes_of(frame(figure, far, "soft margin", C=2))["Uniqueness"][0] is True
    assert notes_of(frame(figure, far, "soft margin"))["The hard margin"][0] is True
    assert notes_of(frame(figure, CROSSED, "soft margin"))["The hard margin"][0] is False


def test_adaboost_reports_error_bound_and_weak_learner_assumption(figure):
    assumed = notes_of(frame(figure, CROSSED, "AdaBoost"))["The weak-learner assumption"]
    assert assumed[0] is False
    found = notes_of(frame(figure, "0,0,1~1,1,1~1,0,-1~-1,0.5,-1", "AdaBoost", rounds=5))
    error, bound = re.findall(r"\d\.?\d*", found["Training error of AdaBoost"][1])
    assert float(error) <= float(bound)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", [APART, CROSSED, TOUCHING])
def test_code_computes_the_same_rule(figure, method, text):
    shown, scope = frame(figure, text, method), {}
    exec(shown["code"], scope)
    if method == "perceptron":
        labels = sgn(scope["X"] @ scope["w"] + scope["b"])
    elif method == "nearest neighbors":
        labels = scope["labels"]
    else:
        labels = scope[f"{method.lower().replace(' ', '_')}_fit"].predict(scope["X"])
    assert f"<b>{(labels != scope['y']).sum()}</b>" in markup(shown["numbers"][:1])


def test_code_of_three_methods_keeps_three_results(figure):
    state, scope = json.loads(json.dumps(figure.start)), {}
    names = ("LDA", "soft margin", "logistic regression")
    for look, name in zip(LOOKS, names, strict=True):
        state[look]["value"] = figure.handles[look].slider.stops.index(name)
    exec(figure.render(state)["code"], scope)
    fits = [scope[f"{name.lower().replace(' ', '_')}_fit"] for name in names]
    assert len({tuple(fit.w) for fit in fits}) == 3


def test_widget_has_no_links_to_pages(figure):
    widget = pytest.importorskip("halfspaces.interactive.widget").FigureWidget(figure)
    assert "href" in figure._repr_html_()
    for shown in (widget.html, json.dumps(widget.respond(json.dumps(figure.start)))):
        assert "Novikoff" in shown and "href" not in shown
