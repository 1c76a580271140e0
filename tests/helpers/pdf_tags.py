"""Count the tags of a PDF, and check their text alternatives."""

from collections import Counter

from pypdf import PdfReader

from sitebuild.pdf_tags import elements


def count_tags(reader: PdfReader) -> Counter:
    """Count tags by type; check that formulas, figures and links have text alternatives."""
    tags = list(elements(reader.trailer["/Root"]["/StructTreeRoot"]))
    for tag in tags:
        assert tag["/S"] not in ("/Formula", "/Figure") or tag["/Alt"].strip()
    children = [item for tag in tags if tag["/S"] == "/Link" for item in tag["/K"]]
    children = [item.get_object() for item in children]
    tagged = [item.raw_get("/Obj") for item in children if "/Obj" in item]
    links = [link for page in reader.pages for link in page.get("/Annots", ())]
    assert sorted(link.idnum for link in links) == sorted(link.idnum for link in tagged)
    assert all(link.get_object()["/Contents"].strip() for link in links)
    return Counter(tag["/S"] for tag in tags)
