"""Complete the tags that Chromium writes into a PDF, according to PDF/UA-1.

Chromium drops the id and aria-label of an element, and copies its language into its tag.
So formulas and links get languages such as en-x-17, which words replace after printing.
"""

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import NamedTuple

from pypdf import PageObject, PdfWriter, generic
from pypdf.generic import DictionaryObject, NameObject, PdfObject, StreamObject

from sitebuild.extensions.formulas.speech import FORMULA, speak

XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
LABELED = re.compile(r"<(math|a(?=[^>]*\shref=))\b.*?</\1>", re.S)
EMPTY = re.compile(r"(<(t[dh])\b[^>]*>)\s*(</\2>)")
LANGUAGE = re.compile(r"en-x-(\d+)")
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"'
OPEN, CLOSE = (b"BDC", b"BMC"), b"EMC"
# Operators that start and end a text, a path or a picture.
START = {b"BT", b"m", b"re", b"Do", b"sh"}
END = {b"ET", b"f", b"F", b"f*", b"S", b"s", b"B", b"B*", b"b", b"b*", b"n", b"Do", b"sh"}


class Label(NamedTuple):
    """The words of a formula or link, and the MathML of a formula."""

    words: str
    mathml: str = ""


def number_tags(html: str) -> tuple[str, list[Label]]:
    """Number the formulas and links of a document in `lang`; return their labels.

    Empty table cells, which Chromium does not tag, get a space.
    """
    words, labels = speak(FORMULA.findall(html)), []

    def number(found: re.Match) -> str:
        element, name = found[0], found[1]
        if name == "math":
            label, rest = Label(words[element], element), element[len("<math") :]
        else:
            text = FORMULA.sub(lambda formula: words[formula[0]], element)
            label = Label(" ".join(unescape(re.sub("<[^>]*>", "", text)).split()))
            rest = LABELED.sub(number, element[len("<a") :])
        labels.append(label)
        return f'<{name} lang="en-x-{len(labels)}"{rest}'

    return LABELED.sub(number, EMPTY.sub(r"\1&nbsp;\3", html)), labels


def complete_tags(writer: PdfWriter, title: str, labels: list[Label]) -> None:
    """Add metadata, roles and the words of `number_tags`; mark the rest as artifacts."""
    writer.pdf_header = "%PDF-1.7"
    metadata, tree = StreamObject(), writer.root_object["/StructTreeRoot"]
    metadata.set_data(XMP.format(title=escape(title)).encode())
    metadata.update(_dictionary({"/Type": "/Metadata", "/Subtype": "/XML"}))
    writer.root_object.update(_dictionary({"/Metadata": writer._add_object(metadata)}))
    roles = _dictionary({"/Strong": "/Span", "/Em": "/Span"})  # not standard types
    tree.update(_dictionary({"/RoleMap": roles}))
    for element in elements(tree):
        if element["/S"] == "/Figure" and "/Alt" not in element:
            element.update(_dictionary({"/S": "/Div"}))  # a box around picture and caption
        if found := LANGUAGE.fullmatch(element.get("/Lang", "")):
            del element["/Lang"]
            add_label(element, labels[int(found[1]) - 1], writer)
    for page in writer.pages:
        mark_artifacts(page, writer)


def add_label(element: DictionaryObject, label: Label, writer: PdfWriter) -> None:
    """Add the words of a link to its annotations; a formula gets words and MathML."""
    words, name = map(generic.TextStringObject, [label.words, "formula.mml"])
    if not label.mathml:
        for item in map(PdfObject.get_object, element["/K"]):
            if isinstance(item, DictionaryObject) and "/Obj" in item:
                item["/Obj"].update(_dictionary({"/Contents": words}))
        return
    source = StreamObject()
    source.set_data(label.mathml.replace("<math", MATH, 1).encode())
    kind = {"/Type": "/EmbeddedFile", "/Subtype": "/application/mathml+xml"}
    source.update(_dictionary(kind))
    streams = _dictionary({"/F": writer._add_object(source.flate_encode())})
    file = {"/Type": "/Filespec", "/F": name, "/UF": name, "/EF": streams}
    file["/AFRelationship"] = "/Supplement"
    files = generic.ArrayObject([writer._add_object(_dictionary(file))])
    element.update(_dictionary({"/S": "/Formula", "/Alt": words, "/AF": files}))


def _dictionary(items: dict[str, str | PdfObject]) -> DictionaryObject:
    """Create a PDF dictionary, with strings converted to names."""
    return DictionaryObject(
        (NameObject(key), value if isinstance(value, PdfObject) else NameObject(value))
        for key, value in items.items()
    )


def elements(parent: DictionaryObject) -> Iterator[DictionaryObject]:
    """Yield all descendants of an element of the structure tree."""
    children = parent.get("/K", [])
    for item in children if isinstance(children, list) else [children]:
        child = item.get_object()
        if isinstance(child, DictionaryObject) and "/S" in child:
            yield child
            yield from elements(child)


def mark_artifacts(page: PageObject, writer: PdfWriter) -> None:
    """Mark content without a tag, such as running heads and lines, as artifacts."""
    content = generic.ContentStream(page["/Contents"], writer)
    stream = StreamObject()
    result, group, depth = [], [], 0
    for operation in content.operations:
        operator = operation[1]
        depth += (operator in OPEN) - (operator == CLOSE)
        if not group and (depth or operator not in START):
            result.append(operation)
            continue
        group.append(operation)
        if operator in END:
            tagged = any(operator in OPEN for _, operator in group)
            if not tagged and operator != b"n":  # n clips without painting
                group = [([NameObject("/Artifact")], b"BMC"), *group, ([], CLOSE)]
            result += group
            group = []
    content.operations = result
    stream.set_data(content.get_data())
    page.replace_contents(stream.flate_encode())
