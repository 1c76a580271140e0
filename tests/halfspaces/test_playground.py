"""The Playground without a browser: parsing, theorems and generated code."""

import json
import re

import pytest

from halfspaces.interactive.plane import markup
from halfspaces.playground import LOOKS, NO_METHOD, PLANE, Playground
from halfspaces.playground.parsing import parse_points
from halfspaces.playground.theorems import METHODS
from mlcore.linear import sgn

SEPARABLE = "-1,0,-1~-1,1,-1~1,0,1~1,1.5,1"
XOR = "0,0,1~1,1,1~1,0,-1~0,1,-1"
TOUCHING = "0,0,1~0,1,1~0,2,-1~0,3,-1~1,1,1"


@pytest.fixture(scope="module")
def figure():
    return Playground()


def frame(figure, text, method, **values):
    """Render the points of a text with one method; C=-2 sets its slider to C = 0.01."""
    state = json.loads(json.dumps(figure.start))
    names = dict.fromkeys(LOOKS, NO_METHOD) | {"solid": method}
    for look, name in names.items():
        state[look]["value"] = figure.handles[look].slider.stops.index(name)
    for name, value in values.items():
        state[name]["value"] = value
    return json.loads(figure.respond(json.dumps(state | {"points": {"text": text}})))


def notes_of(frame):
    """Return {theorem: (holds, sentence)}; holds is None if nothing can be checked."""
    notes = {}
    for _, attributes, (text, *link) in frame["notes"]:
        name = link[0][2] if link else ""
        holds = {"hs-holds": True, "hs-broken": False, "": None}[attributes["class"]]
        notes[name] = holds, text[2]
    return notes


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
def test_parse_points_reads_two_columns_and_a_label(text):
    points = parse_points(text, PLANE)
    assert points["positions"] == [[1, 2], [3, 4]] and points["labels"] == [-1, 1]
    names = ["length", "width"] if "length" in text else list(PLANE.names)
    assert list(points["view"]["names"]) == names


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
def test_invalid_text_gets_a_short_message(figure, text, sentence):
    reply = frame(figure, text, "perceptron")
    assert re.search(sentence, reply["error"]) and "handles" not in reply
    assert len(reply["error"]) < 120


def test_plane_contains_points_of_any_magnitude(figure):
    reply = frame(figure, "size,weight,kind\n1.5e6,0.001,a\n1.7e6,0.004,b", "LDA")
    (low, high), (bottom, top) = (reply["planes"][0][axis] for axis in "xy")
    assert low < 1.5e6 < 1.7e6 < high and bottom < 0.001 < 0.004 < top
    assert "weight" in markup(reply["axes"])
    assert frame(figure, SEPARABLE + "~-2,-2,-1", "LDA")["planes"][0]["x"] == list(PLANE.x)


# ---------------------------------------------------------- theorems


@pytest.mark.parametrize("label", [1, -1])
def test_methods_report_that_they_need_both_labels(figure, label):
    for name in METHODS:
        state = json.loads(json.dumps(figure.start))
        state["points"]["labels"] = [label] * 12
        state["solid"]["value"] = figure.handles["solid"].slider.stops.index(name)
        reply = figure.render(state)
        assert "All points have the same label" in reply["caption"]
        words = reply["notes"][0][2][0][2]
        needs_both = name not in ("AdaBoost", "nearest neighbors")
        assert words.startswith(f"Solid, {name}: ")
        assert ("both labels" in words) is needs_both


def test_perceptron_reports_bound_or_certificate(figure):
    holds, words = notes_of(frame(figure, SEPARABLE, "perceptron"))["Novikoff’s theorem"]
    R, gamma, bound, updates = map(float, re.findall(r"(\d+\.?\d*)(?=[,:. ]|$)", words))
    assert holds and updates <= bound and bound == pytest.approx((R / gamma) ** 2, abs=1)
    notes = notes_of(frame(figure, XOR, "perceptron"))
    assert notes["Novikoff’s theorem"][0] is False
    proof = "0.5 · point 1 + 0.5 · point 2 = 0.5 · point 3 + 0.5 · point 4"
    assert proof in notes["Certificate"][1]


def test_logistic_regression_reports_whether_a_minimizer_exists(figure):
    for text, exists in ((SEPARABLE, False), (TOUCHING, False), (XOR, True)):
        reply = frame(figure, text, "logistic regression")
        assert notes_of(reply)["Existence"][0] is exists
    collinear = notes_of(frame(figure, "0,0,1~1,0,-1~2,0,1~3,0,-1", "logistic regression"))
    assert collinear["Existence"][0] and "this is one" in collinear["Existence"][1]


def test_least_squares_reports_rank_and_relation_to_lda(figure):
    name, three_each = "Least squares and LDA", "0,0,-1~1,1,-1~0,1,-1~2,0,1~3,1,1~2,1.5,1"
    same = notes_of(frame(figure, three_each, "LDA"))[name]
    parallel = notes_of(frame(figure, three_each + "~3,0,1", "least squares"))[name]
    assert same[0] and "the same line" in same[1]
    assert parallel[0] and "parallel" in parallel[1]
    equal_means = notes_of(frame(figure, XOR, "LDA"))[name]
    assert not equal_means[0] and "the two means are the same" in equal_means[1]
    collinear = notes_of(frame(figure, "0,0,-1~1,1,-1~2,2,1~4,4,1", "least squares"))
    assert not collinear["Rank"][0] and not collinear[name][0]


def test_soft_margin_reports_uniqueness_and_hard_margin(figure):
    pair = "-3,0,-1~3,0,1"
    assert notes_of(frame(figure, pair, "soft margin", C=-2))["Uniqueness"][0] is False
    assert notes_of(frame(figure, pair, "soft margin", C=2))["Uniqueness"][0] is True
    assert notes_of(frame(figure, pair, "soft margin"))["The hard margin"][0] is True
    assert notes_of(frame(figure, XOR, "soft margin"))["The hard margin"][0] is False


def test_adaboost_reports_error_bound_and_weak_learner_assumption(figure):
    notes = notes_of(frame(figure, XOR, "AdaBoost"))
    assert notes["The weak-learner assumption"][0] is False
    notes = notes_of(frame(figure, "0,0,1~1,1,1~1,0,-1~-1,0.5,-1", "AdaBoost", rounds=5))
    error, bound = re.findall(r"\d\.?\d*", notes["Training error of AdaBoost"][1])
    assert float(error) <= float(bound)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", [SEPARABLE, XOR, TOUCHING])
def test_generated_code_fits_the_same_rule(figure, method, text):
    reply, scope = frame(figure, text, method), {}
    exec(reply["code"], scope)
    if method == "perceptron":
        labels = sgn(scope["X"] @ scope["w"] + scope["b"])
    elif method == "nearest neighbors":
        labels = scope["labels"]
    else:
        labels = scope[f"{method.lower().replace(' ', '_')}_fit"].predict(scope["X"])
    assert f"<b>{(labels != scope['y']).sum()}</b>" in markup(reply["numbers"][:1])


def test_generated_code_of_three_methods_keeps_three_fits(figure):
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
    for text in (widget.html, json.dumps(widget.respond(json.dumps(figure.start)))):
        assert "Novikoff" in text and "href" not in text
