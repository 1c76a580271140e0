"""Slides show the main parts of a chapter, and its prose as speaker notes."""

import pytest
from bs4 import BeautifulSoup

from sitebuild import slides
from tests.helpers.browsing import math_problems, open_page

PAGE = """<article><section id="chapter"><h1>1. Chapter<a class="headerlink">#</a></h1>
<script>1</script><p>Why?</p><p>Long prose.</p>
<p>After this chapter you can</p><ul><li>count</li></ul>
<section id="one"><h2>One</h2><p>Text first.
Then this:</p>
<div class="math">A</div><p>is small.
Between.</p><div class="math">B</div>
<div class="proof theorem" id="thm"><p>Title</p><section id="inner">Claim
<div class="math">C</div> of <a href="x.html">it</a></section></div>
<div class="proof"><p>Proof prose.</p><div class="math">P</div></div>
<div class="cell tag_hide-input"><div class="cell_input">x = 1</div>
<div class="cell_output"><figure class="hs-figure">Picture</figure></div></div>
<p>Text.
Look:</p><div class="cell"><div class="cell_input">def f(x)</div></div>
<div class="cell"><div class="cell_input">Table()</div><div class="output"><table
class="hs-table"><tr><td>3</td></tr></table></div></div>
<p>A friend claims 7.
It is <em>not</em>
so.</p>
<details class="sd-dropdown"><summary>Is the friend’s right?</summary>
<div class="sd-summary-content">Yes.</div></details>
<section id="part"><h3>Part</h3><p>Only text.</p></section></section>
<section id="summary"><h2>Summary</h2><ul><li>In short.</li></ul></section>
<section id="exercises"><h2>Exercises</h2><div class="math">SECRET</div></section>
<section id="more"><h2>More</h2><div class="math">D</div></section>
<section id="sources"><h2>Sources</h2><div class="math">E</div></section>
</section></article>"""


def test_slides_have_section_titles_contents_and_notes():
    texts = slides.slides(BeautifulSoup(PAGE, "html.parser"))
    parsed = [BeautifulSoup(text, "html.parser") for text in texts]
    assert [s.h1.text for s in parsed[:1]] == ["1. Chapter"]
    titles = ["After this chapter you can", *["One"] * 4, "Summary"]
    assert [s.h2.text for s in parsed[1:]] == titles
    bodies = [" ".join(s.select_one(".fit").get_text(" ").split()) for s in parsed[1:]]
    formulas = "Text first. Then this: A is small. Between. B"
    boxes = "Title Claim C of it Proof prose. P"
    code = "Text. Look: def f(x) 3 A friend claims 7. Is the friend’s right? Yes."
    assert bodies == ["count", formulas, boxes, "Picture", code, "In short."]
    notes = [" ".join(s.select_one("aside").text.split()) for s in parsed[1:]]
    assert notes[1] == "Text first. Then this:is small. Between." and not notes[2]
    assert notes[4].endswith("It is not so.")
    assert parsed[5].select_one(".fragment").text == "Yes."
    text = "".join(texts)
    omitted = ["SECRET", "x = 1", "Table()", "headerlink", "<script", "href"]
    assert [words for words in omitted if words in text] == []
    assert text.count("<section") == len(texts), "nested sections would be two slides"


def test_settings_select_sections_and_set_the_title():
    page = BeautifulSoup(PAGE, "html.parser")
    settings = {"title": "Lecture 3", "sections": ["summary", "more"]}
    parsed = [BeautifulSoup(text, "html.parser") for text in slides.slides(page, settings)]
    assert [(s.h1 or s.h2).text for s in parsed] == ["Lecture 3", "Summary", "More"]
    message = r"Unknown section .* 'two'; choose from one, summary"
    with pytest.raises(ValueError, match=message):
        slides.slides(BeautifulSoup(PAGE, "html.parser"), {"sections": ["two"]})


def test_unknown_chapter_gets_no_slides():
    message = "No slides: Unknown chapter 'tree'; choose from intro, "
    assert slides.main(["perceptron", "tree"]).startswith(message)


CONTENT_FITS = """() => Reveal.getSlides().map((slide) => {
    const box = slide.querySelector(".fit");
    Reveal.slide(Reveal.getIndices(slide).h);
    const { bottom, right } = box ? box.getBoundingClientRect() : { bottom: 1, right: 1 };
    return bottom <= innerHeight && right <= innerWidth;
})"""


# Whether each printed slide is complete, and whether its picture is large.
PRINT_FITS = """() => [...document.querySelectorAll(".pdf-page:has(.fit)")].map((page) => {
    const box = page.querySelector(".fit").getBoundingClientRect();
    const svg = page.querySelector("figure svg, .hs-planes svg");
    const { bottom, right } = page.getBoundingClientRect();
    return box.bottom <= bottom && box.right <= right && (!svg || svg.clientHeight > 300);
})"""


@pytest.mark.slow
def test_slides_work_without_network_and_print(browser, site, tmp_path, monkeypatch):
    monkeypatch.setattr(slides, "SLIDES", tmp_path)
    monkeypatch.setattr(slides, "STATIC", tmp_path / "_static")
    slides.write("sparsity")
    with open_page(browser, tmp_path.as_uri(), "sparsity.html") as visit:
        page = visit.page
        page.wait_for_function("Reveal.isReady()")
        assert page.evaluate("Reveal.getTotalSlides()") > 20
        assert all(page.evaluate(CONTENT_FITS)), "some slide does not fit the window"
        number = page.evaluate(
            "Reveal.getSlides().findIndex((s) => s.querySelector('input'))"
        )
        page.evaluate("(number) => Reveal.slide(number)", number)
        before = page.locator("section.present figure").inner_html()
        page.locator("section.present input").press("ArrowRight")
        page.wait_for_function("() => document.activeElement.value === '1'")
        assert page.locator("section.present figure").inner_html() != before
        assert page.evaluate("Reveal.getIndices().h") == number, "the key left the slide"
        assert page.locator("math").count() > 100 and math_problems(page) == []
        assert visit.external == visit.errors == []
        visit.open("sparsity.html?print-pdf")
        page.wait_for_selector(".pdf-page:nth-of-type(9)")
        page.emulate_media(media="print")
        assert all(page.evaluate(PRINT_FITS))
        assert visit.external == visit.errors == []
