"""Print an edition of the book or some pages as a PDF.

Chromium prints the built pages as one document.  Page numbers are known only after
printing, so it prints again, with the numbers in contents, index and references and with
tags for screen readers, until the numbers no longer change.  Bookmarks are added last, and
the tags completed.
"""

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2
from bs4 import BeautifulSoup
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Fit

from sitebuild import build
from sitebuild.build import EDITIONS, LOCK, Edition, fetching, read_record
from sitebuild.chapters import BUILD, ROOT, command_parser, hold_lock
from sitebuild.pdf_document import AUTHORS, BOOK, Document, Heading, select_pages
from sitebuild.pdf_tags import complete_tags, number_tags

NAME = "halfspaces.pdf"
PAGE = jinja2.Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
logging.getLogger("pypdf").setLevel(logging.ERROR)  # Chromium miscounts PDF objects
SECONDS = 1200  # time limit of a print
PAGE_NUMBER = re.compile(r"\[page ([^\]]+)\]")
UNKNOWN = "000"  # as wide as the page numbers


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("sitebuild.pdf", __doc__)
    build.add_edition_option(parser)
    parser.add_argument("names", nargs="*", metavar="PAGE", help="print these pages only")
    options = parser.parse_args(arguments)
    edition, names = EDITIONS[options.edition], options.names
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # remove temporary files
    try:
        select_pages(ROOT, names)
        if error := build.run(options.edition):
            return error
        target = (edition.folder / NAME).with_stem("-".join(["halfspaces", *names]))
        with hold_lock(*LOCK), tempfile.TemporaryDirectory(dir=BUILD) as folder:
            pdf, n_pages = print_edition(edition, Path(folder), names)
            os.replace(pdf, target)
    except (OSError, ValueError) as error:
        return f"The PDF was not made: {error}"
    except KeyboardInterrupt:
        return "Stopped; the previous PDF is unchanged."
    size = target.stat().st_size / 1e6
    print(f"The PDF: {target.relative_to(ROOT)} ({n_pages} pages, {size:.0f} MB)")
    return None


def print_edition(edition: Edition, folder: Path, names=()) -> tuple[Path, int]:
    """Print an edition or the named pages; returns the file and its number of pages."""
    if missing := read_record(edition).get("assets", "it is not built"):
        why = f"its formulas are not typeset ({missing})"
        raise OSError(f"{why}.  Run `make book` with a network.")
    program = browser()
    document = Document(edition.site, names=names)
    print("Printing (takes some minutes; less for single pages) ...", flush=True)
    headings = document.headings()
    html = assemble(document, headings)
    draft, numbers = folder / "book.pdf", {}
    for _ in range(5):
        last = numbers
        text = PAGE_NUMBER.sub(lambda m, last=last: str(last.get(m[1], UNKNOWN)), html)
        text, labels = number_tags(text)
        (folder / "book.html").write_text(text, "utf-8")
        # tags double the time; the first print only finds the page numbers
        print_to_pdf(program, folder / "book.html", draft, tagged=bool(last))
        reader = PdfReader(draft)
        numbers = page_numbers(reader)
        if numbers == last:
            break
    else:
        raise OSError("its page numbers do not converge.")
    writer, tagged = PdfWriter(clone_from=reader), folder / "tagged.pdf"
    add_bookmarks(writer, headings, numbers)
    complete_tags(writer, BOOK["title"], labels)
    writer.write(tagged)
    return tagged, len(reader.pages)


def browser() -> str:
    if program := next(filter(None, map(shutil.which, BROWSERS)), ""):
        return program
    raise OSError(f"no browser: none of {', '.join(BROWSERS)} is installed.")


def assemble(document: Document, headings: list[Heading]) -> str:
    """Assemble the HTML of the document, with [page ID] in place of page numbers."""
    first = document.site / "chapters" / "intro.html"
    root = BeautifulSoup(first.read_text("utf-8"), "html.parser")
    links = [link["href"] for link in root.head.select("link[rel=stylesheet]")]
    styles = [(first.parent / link.partition("?")[0]).as_uri() for link in links]
    styles += [file.as_uri() for file in sorted(fetching.fetch().glob("paper/*/*.css"))]
    styles.append((ROOT / "sitebuild" / "pdf.css").as_uri())
    return PAGE.render(
        title=BOOK["title"],
        styles=styles,
        script=(ROOT / "_static" / "print.js").as_uri(),
        headings=headings,
        json=json.dumps,
        picture=(ROOT / "_static" / "preview.svg").read_text("utf-8"),
        authors=AUTHORS,
        version=BOOK["version"],
        body="".join(map(str, document.articles())),
    )


def print_to_pdf(program: str, page: Path, target: Path, tagged: bool = True) -> None:
    command = [program, *FLAGS, "--no-pdf-header-footer"]
    command += [] if tagged else ["--disable-pdf-tagging"]
    command += [f"--user-data-dir={page.parent / 'profile'}"]
    command += [f"--print-to-pdf={target}", page.as_uri()]
    target.unlink(missing_ok=True)
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise OSError(f"Chromium did not print it within {SECONDS} s.") from None
    if not target.exists():
        raise OSError(f"Chromium printed nothing:\n{process.stderr}")


def page_numbers(reader: PdfReader) -> dict[str, int]:
    """Map each link target to its page, counted from 1."""
    numbers = {page.indirect_reference.idnum: n for n, page in enumerate(reader.pages, 1)}
    targets = reader.named_destinations.items()
    return {name.removeprefix("/"): numbers[place.page.idnum] for name, place in targets}


def print_sheet(html: str, title: str, folder: Path, target: Path) -> None:
    """Print HTML without page numbers, with temporary files in `folder`."""
    html, labels = number_tags(html)
    page, draft = folder / "page.html", folder / "page.pdf"
    page.write_text(html, "utf-8")
    print_to_pdf(browser(), page, draft)
    writer = PdfWriter(clone_from=draft)
    complete_tags(writer, title, labels)
    writer.write(target)


def add_bookmarks(
    writer: PdfWriter, headings: list[Heading], numbers: dict[str, int]
) -> None:
    parents: dict[int, object] = {}
    places = writer.named_destinations
    for heading, following in zip(headings, [*headings[1:], headings[-1]], strict=True):
        name = heading.name or following.name
        parents[heading.level] = writer.add_outline_item(
            title=heading.text,
            page_number=numbers[name] - 1,
            parent=parents.get(heading.level - 1),
            fit=Fit.xyz(top=places[f"/{name}"].top),
            is_open=heading.level == 0,
        )
    writer.add_metadata({"/Title": BOOK["title"], "/Author": AUTHORS})
    writer.page_mode = "/UseOutlines"


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
