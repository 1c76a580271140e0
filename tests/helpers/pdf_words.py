"""Count the tags of a PDF that need words, and fail if one has none."""

from collections import Counter

from pypdf import PdfReader

from sitebuild.pdf_tags import elements


def count_tags_with_words(reader: PdfReader) -> Counter:
    """Count the tags by type; formulas, figures and links have words, or it fails."""
    tags = list(elements(reader.trailer["/Root"]["/StructTreeRoot"]))
    for tag in tags:
        assert tag["/S"] not in ("/Formula", "/Figure") or tag["/Alt"].strip()
    below = [item for tag in tags if tag["/S"] == "/Link" for item in tag["/K"]]
    below = [item.get_object() for item in below]
    tagged = [item.raw_get("/Obj") for item in below if "/Obj" in item]
    links = [link for page in reader.pages for link in page.get("/Annots", ())]
    assert sorted(link.idnum for link in links) == sorted(link.idnum for link in tagged)
    assert all(link.get_object()["/Contents"].strip() for link in links)
    return Counter(tag["/S"] for tag in tags)
