"""Subset the math font STIX Two Math, which takes 370 kB.

Other characters, such as those of other alphabets, use the reader's fonts.
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
    path = package / "files" / "stix-two-math-latin-400-normal.woff"
    options = subset.Options(flavor="woff", layout_features=["*"], hinting=False)
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(RANGES))
    narrow_delimiters(font)
    adjust_fractions_and_primes(font)
    subsetter.subset(font)
    site.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(site / "stix-two-math.woff"), options)
    shutil.copy(package / "LICENSE", site)


def narrow_delimiters(font) -> None:
    """Narrow the tall forms of parentheses and radicals.

    Browsers reserve the width of the widest form of a delimiter.  So parentheses get fewer
    forms before they are assembled from parts, and radicals the width of the smallest form.
    """
    variants, width_of = font["MATH"].table.MathVariants, font["hmtx"]
    names, scaled = font.getBestCmap(), set()
    for sign in "√()[]{}":
        index = variants.VertGlyphCoverage.glyphs.index(names[ord(sign)])
        forms = variants.VertGlyphConstruction[index]
        records = forms.MathGlyphVariantRecord = forms.MathGlyphVariantRecord[:7]
        glyphs = [record.VariantGlyph for record in records]
        width = width_of[glyphs[0 if sign == "√" else -1]][0]
        if sign == "√":
            for name in glyphs:
                scale(font, name, width / width_of[name][0])
        parts = {record.glyph for record in forms.GlyphAssembly.PartRecords} - scaled
        widest = max((width_of[part][0] for part in parts), default=0)
        if widest > width:
            for part in parts:
                scale(font, part, width / widest)
        scaled |= parts


def adjust_fractions_and_primes(font) -> None:
    """Move the parts of small fractions closer to the bar, and enlarge the prime.

    The package lacks the primes for superscripts, so its plain prime, already small and
    raised, replaces them.
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


def scale(font, name: str, x_scale: float, y_scale: float = 1) -> None:
    glyph, (width, _) = font["glyf"][name], font["hmtx"][name]
    glyph.expand(font["glyf"])
    glyph.coordinates.scale((x_scale, y_scale))
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(x_scale * width), glyph.xMin)
