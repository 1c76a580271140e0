"""Complete the tags that Chromium writes into a PDF, after the rules of PDF/UA-1.

Not done: formulas keep the tags of their symbols, and links have no descriptions.
"""

from collections.abc import Iterator
from html import escape

from pypdf import PageObject, PdfWriter
from pypdf.generic import ContentStream, DictionaryObject, NameObject, StreamObject

XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
OPEN, CLOSE = (b"BDC", b"BMC"), b"EMC"
# Operators that start and end a text, a path or a picture.
START = {b"BT", b"m", b"re", b"Do", b"sh"}
END = {b"ET", b"f", b"F", b"f*", b"S", b"s", b"B", b"B*", b"b", b"b*", b"n", b"Do", b"sh"}


def complete_tags(writer: PdfWriter, title: str) -> None:
    """Add metadata and roles, and mark untagged contents as artifacts."""
    metadata, tree = StreamObject(), writer.root_object["/StructTreeRoot"]
    metadata.set_data(XMP.format(title=escape(title)).encode())
    metadata.update(_names({"/Type": "/Metadata", "/Subtype": "/XML"}))
    writer.root_object[NameObject("/Metadata")] = writer._add_object(metadata)
    roles = _names({"/Strong": "/Span", "/Em": "/Span"})  # not among the standard types
    tree[NameObject("/RoleMap")] = DictionaryObject(roles)
    for element in elements(tree):
        if element["/S"] == "/Figure" and "/Alt" not in element:
            element.update(_names({"/S": "/Div"}))  # a box around picture and caption
    for page in writer.pages:
        mark_artifacts(page, writer)


def _names(items: dict[str, str]) -> dict[NameObject, NameObject]:
    return {NameObject(key): NameObject(value) for key, value in items.items()}


def elements(parent: DictionaryObject) -> Iterator[DictionaryObject]:
    """Yield all elements of the structure tree below one."""
    below = parent.get("/K", [])
    for item in below if isinstance(below, list) else [below]:
        child = item.get_object()
        if isinstance(child, DictionaryObject) and "/S" in child:
            yield child
            yield from elements(child)


def mark_artifacts(page: PageObject, writer: PdfWriter) -> None:
    """Mark content without a tag, such as running heads and lines, as artifacts."""
    content, stream = ContentStream(page["/Contents"], writer), StreamObject()
    done, group, depth = [], [], 0
    for operation in content.operations:
        operator = operation[1]
        depth += (operator in OPEN) - (operator == CLOSE)
        if not group and (depth or operator not in START):
            done.append(operation)
            continue
        group.append(operation)
        if operator in END:
            tagged = any(operator in OPEN for _, operator in group)
            if not tagged and operator != b"n":  # n clips, and paints nothing
                group = [([NameObject("/Artifact")], b"BMC"), *group, ([], CLOSE)]
            done += group
            group = []
    content.operations = done
    stream.set_data(content.get_data())
    page.replace_contents(stream.flate_encode())
