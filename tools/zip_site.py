"""The site as one zip: what `make zip` does, and `make zip EDITION=student`.

The same site gives the same bytes.
"""

import os
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from build import EDITIONS, LOCK

from chapters import alone, short

TOP = "halfspaces"  # the folder that unpacking makes
DATE = (2026, 1, 1, 0, 0, 0)


def zipped(site: Path, target: Path) -> Path:
    """Pack the files of a site; an earlier zip stays until this one is whole."""
    draft = target.with_name(f".{target.name}.tmp")
    with ZipFile(draft, "w", ZIP_DEFLATED) as archive:
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            entry = ZipInfo(f"{TOP}/{path.relative_to(site).as_posix()}", DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), ZIP_DEFLATED)
    os.replace(draft, target)
    return target


def main(name: str = "") -> None:
    edition = EDITIONS[name]
    try:
        with alone(*LOCK):
            made = zipped(edition.site, edition.folder / f"{TOP}.zip")
    except OSError as error:
        sys.exit(f"The zip was not made: {error}")
    print(f"The site as one file: {short(made)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
