"""Convert formulas to English words, and label the formulas in accessible names.

Browsers compute a plain-text name for a button, link, heading, table header, summary
or tooltip, and skip MathML without an aria-label.  Other formulas get no label: it would
hide their parts from readers who explore them.
"""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from sitebuild.chapters import write_atomic
from sitebuild.fetching import KEY, digest, find_fetched, node_command, writable_cache

HERE = Path(__file__).parent
# <li data-key>: a line of a proof to put in order, which becomes a button.
NAMED = re.compile(
    r"<(summary|a|button|h[1-6]|th)\b[^>]*>.*?</\1>"
    r'|<li data-key=.*?</li>|<div class="hs-tip".*?</div>',
    re.S,
)
FORMULA = re.compile(r"<math\b.*?</math>", re.S)
MATHML = {  # corrections before the speech rule engine
    r' form="infix"([^>]*>[^<]*</mo>)</mrow><mrow>': r"\1",  # split for line breaks
    r"<mspace[^>]*></mspace>": "",
    r"<mrow>(<mo>.</mo>)</mrow>": r"\1",
    r"<mtext>(\w+)</mtext>": r"<mi>\1</mi>",
    r">⋅<": ">⊙<",  # a dot product, not "times"
    r"(<mrow>|</mo>)(<mi>[fgh]</mi>)(?=<mi>)": r"\1\2<mo>&#8290;</mo>",  # not a function
    r"(<msub><mi>[agh]</mi><m[in]>\w</m[in]></msub>)(?=<m(i|sub)>)": r"\1<mo>&#8290;</mo>",
    r'(<mrow class="tml-med-pad">)<mo[^>]*>\(</mo>(.*?)<mo[^>]*>\)</mo></mrow></msup>': (
        r"\1<mtext>superscript</mtext>\2</mrow></msup>"  # w^(t) is not a power
    ),
    r"(<msub><mi[^>]*>\w</mi><mrow>(?:<m[in]>\w</m[in]>|<mo[^>]*>[+−]</mo>){3})"
    r"(?=</mrow>)": r"\1<mtext>end subscript</mtext>",
}
WORDS = {  # corrections of the words of the engine
    r"\bmetric\b": "norm",
    r"\bcircled dot\b": "dot",
    r"\bsub asterisk\b": "star",
    r"\blamda\b": "lambda",
    r"\bsgn\b": "sign",
    r"\bnormal Delta\b": "Delta",
    r"\bdouble struck E( times)?\b": "the expected value of",
    r"\braised to the down tack power\b": "transpose",
    r"\b([A-Z]) to the T power\b": r"\1 transpose",  # SymPy's transpose
    r"\braised to the (plus|minus) power\b": r"superscript \1",
    r"\braised to the prime 2 power\b": "prime squared",
    r"\s*ˆ": " hat",
    r"\bblank positive\b": "plus",
    r"\bblank ": "",
    r"\b1 lines Line 1: ": "",
    r"\braised to the superscript (\w+) power\b": r"superscript \1",
    r"\braised to the superscript (.+?) power\b": r"superscript \1 end superscript",
    r"\bthe fraction with numerator 1 and denominator 2 end fraction\b": "one half",
    r"\bthe fraction with numerator (\S+) and denominator (\S+) end fraction\b": (
        r"\1 over \2 end fraction"
    ),
}


def speak(formulas: Iterable[str]) -> dict[str, str]:
    """Map formulas as MathML to words, with a cache that all clones of a user share.

    Raises ValueError for a formula without words.
    """
    unique = [*dict.fromkeys(formulas)]
    key = f"words-{digest(KEY, Path(__file__), HERE / 'speak.cjs')}.json"
    cache = writable_cache("the words of formulas") / key
    words = json.loads(cache.read_text("utf-8")) if cache.exists() else {}
    if missing := [formula for formula in unique if formula not in words]:
        words |= ask_engine(f"{find_fetched()}/speech/lib/sre.js", missing)
        write_atomic(cache, json.dumps(words))
    return {formula: words[formula] for formula in unique}


def ask_engine(engine: str, formulas: list[str]) -> dict[str, str]:
    """Map formulas to words with the speech rule engine."""
    command = [*node_command("node"), HERE / "speak.cjs", engine]
    given = json.dumps([replace(MATHML, formula) for formula in formulas])
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    spoken = [replace(WORDS, words) for words in json.loads(done.stdout)]
    for formula, words in zip(formulas, spoken, strict=True):
        if not words.strip():
            raise ValueError(f"no words for the formula {formula}")
    return dict(zip(formulas, spoken, strict=True))


def replace(pairs: dict[str, str], text: str) -> str:
    for pattern, new in pairs.items():
        text = re.sub(pattern, new, text)
    return text


def add_aria_labels(site: Path) -> None:
    """Label the formulas in names on all pages of a site."""
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    names = [name[0] for text in pages.values() for name in NAMED.finditer(text)]
    words = speak(formula for name in names for formula in FORMULA.findall(name))

    def label(formula: re.Match) -> str:
        return formula[0].replace("<math", f'<math aria-label="{words[formula[0]]}"', 1)

    for path, text in pages.items():
        labeled = NAMED.sub(lambda name: FORMULA.sub(label, name[0]), text)
        if labeled != text:
            path.write_text(labeled, "utf-8")
