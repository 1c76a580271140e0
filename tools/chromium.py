"""The Chromium that the tests of the pages drive: that of the machine, or one of npm.

npm's is a program without a window for Linux on x86-64, with the libraries and the letters
that it needs.  It comes once, by its lock file, into the cache of `fetching`.
"""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "_ext"))
from fetching import digest, from_npm, kept, node_command

LOCK, TARS = Path(__file__).with_name("browser"), ("al2023.tar", "fonts.tar")
KEY = f"chromium-{digest(LOCK / 'package-lock.json')}"
NAMES = ("chromium", "chromium-browser", "google-chrome")
INFLATE = """const {createReadStream, createWriteStream} = require("fs");
for (const path of process.argv.slice(1))
    createReadStream(path).pipe(require("zlib").createBrotliDecompress())
        .pipe(createWriteStream(path.replace(/\\.br$/, "")));"""
# Its libraries and its letters are for machines that have none.
START = """#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$here/lib"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
"""
FONTS = '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n'


def chromium() -> str:
    """The path of the program.  Raises OSError with a sentence if there is none."""
    if found := next(filter(None, map(shutil.which, NAMES)), None):
        return found
    try:
        if (sys.platform, platform.machine()) != ("linux", "x86_64"):
            raise OSError("npm has none for this machine")
        return str(kept("Chromium, 70 MB", KEY, _fill) / "start")
    except (OSError, subprocess.SubprocessError) as error:
        names = ", ".join(NAMES)
        raise OSError(f"no browser: {names} are not installed, and {error}") from None


def _fill(folder: Path, scratch: Path) -> None:
    from_npm(LOCK, scratch)
    unpacked = scratch / "node_modules" / "@sparticuz" / "chromium" / "bin"
    packed = [unpacked / f"{name}.br" for name in ("chromium", *TARS)]
    subprocess.run([*node_command("node"), "-e", INFLATE, *packed], check=True)
    for name in TARS:
        shutil.unpack_archive(unpacked / name, folder)
    (unpacked / "chromium").rename(folder / "chromium")
    (folder / "fonts.conf").write_text(FONTS)
    (folder / "start").write_text(START)
    for name in ("chromium", "start"):
        (folder / name).chmod(0o755)


if __name__ == "__main__":  # so that `make test` says it before the tests begin
    try:
        chromium()
    except OSError as error:
        print(f"The tests of the pages are skipped, there is {error}.")
