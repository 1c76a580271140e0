"""Subset the math font STIX Two Math, which has 370 kB.

Other characters, for example of other alphabets, use the reader's fonts.
"""

import shutil
from pathlib import Path

from fontTools import subset

# Latin, accents, Greek, arrows, operators, brackets; bold, script, double-struck letters
RANGES = (
    "20-7E,A0-FF,2C6-2DD,300-30C,338,391-3F6,2010-2063,2102-2135,2190-21D5,2200-22A5,"
    "22C0-22EF,2308-230B,23DC-23E1,27E8-27EB,27F5-27FC,1D400-1D467,1D49C-1D537,"
    "1D538-1D56B,1D6A4-1D71B,1D7CE-1D7E1"
)


def write(package: Path, site: Path) -> None:
    """Write the subset of the font into the site."""
    whole = package / "files" / "stix-two-math-latin-400-normal.woff"
    options = subset.Options(flavor="woff", layout_features=["*"], hinting=False)
    font = subset.load_font(whole, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(RANGES))
    narrow(font)
    suit(font)
    subsetter.subset(font)
    site.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(site / "stix-two-math.woff"), options)
    shutil.copy(package / "LICENSE", site)


def narrow(font) -> None:
    """Narrow the tall forms of parentheses and radicals.

    Browsers reserve the width of the widest form of a parenthesis or radical.
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
