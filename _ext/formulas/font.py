"""The font of the formulas: of STIX Two Math, what formulas of the book can need.

All of it is 370 kB.  What is left out, other alphabets for instance, is taken from the
reader's own fonts.
"""

import shutil
from pathlib import Path

from fontTools import subset

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0xFF),
    (0x2C6, 0x2DD),  # accents
    (0x300, 0x30C),
    (0x338, 0x338),
    (0x391, 0x3F6),  # Greek
    (0x2010, 0x2063),
    (0x2102, 0x2135),
    (0x2190, 0x21D5),  # arrows
    (0x2200, 0x22A5),  # operators
    (0x22C0, 0x22EF),
    (0x2308, 0x230B),
    (0x23DC, 0x23E1),
    (0x27E8, 0x27EB),
    (0x27F5, 0x27FC),
    (0x1D400, 0x1D467),  # bold and italic letters
    (0x1D49C, 0x1D537),  # script, fraktur
    (0x1D538, 0x1D56B),  # double-struck
    (0x1D6A4, 0x1D71B),  # Greek, bold and italic
    (0x1D7CE, 0x1D7E1),
)


def write(package: Path, site: Path) -> None:
    """Put the part of the font that the book needs into the site, unless it is there."""
    part = site / "stix-two-math.woff"
    if part.exists():
        return
    whole = package / "files" / "stix-two-math-latin-400-normal.woff"
    options = subset.Options(flavor="woff", layout_features=["*"], hinting=False)
    font = subset.load_font(whole, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[c for low, high in RANGES for c in range(low, high + 1)])
    narrow(font)
    suit(font)
    subsetter.subset(font)
    site.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(part), options)
    shutil.copy(package / "LICENSE", site)


def narrow(font) -> None:
    """Make tall forms of letters narrow.

    Browsers leave as much room for a parenthesis or a radical as its widest form takes.
    So parentheses have fewer forms before they are made of parts, and radicals all have
    the width of the smallest.
    """
    variants, width_of = font["MATH"].table.MathVariants, font["hmtx"]
    names, done = font.getBestCmap(), set()
    for sign in "√()[]{}":
        place = variants.VertGlyphCoverage.glyphs.index(names[ord(sign)])
        forms = variants.VertGlyphConstruction[place]
        records = forms.MathGlyphVariantRecord = forms.MathGlyphVariantRecord[:7]
        whole = [record.VariantGlyph for record in records]
        room = width_of[whole[0 if sign == "√" else -1]][0]
        for name in whole if sign == "√" else ():
            scale(font, name, room / width_of[name][0])
        parts = {record.glyph for record in forms.GlyphAssembly.PartRecords} - done
        wide = max((width_of[part][0] for part in parts), default=0)
        for part in parts if wide > room else ():
            scale(font, part, room / wide)
        done |= parts


def suit(font) -> None:
    """Bring small fractions nearer to their bars, and make the primes large.

    The package lacks the primes that the font has for superscripts, so its plain prime,
    which is small and high already, becomes one of them.
    """
    constants = font["MATH"].table.MathConstants
    constants.FractionNumeratorShiftUp.Value = 440
    constants.FractionDenominatorShiftDown.Value = 390
    constants.FractionRuleThickness.Value = 56
    name = font.getBestCmap()[0x2032]
    prime = font["glyf"][name]
    prime.expand(font["glyf"])
    prime.coordinates.translate((0, -prime.yMin))
    scale(font, name, 1.3, 1.7)


def scale(font, name: str, across: float, up: float = 1) -> None:
    glyph, (width, _) = font["glyf"][name], font["hmtx"][name]
    glyph.expand(font["glyf"])
    glyph.coordinates.scale((across, up))
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(across * width), glyph.xMin)
