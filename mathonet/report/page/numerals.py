"""Numbers for people: as many digits as their deviation says they have."""

import math

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST, LEAST_PLAIN, MOST_PLAIN = 10, 1e-4, 1e7


def with_deviation(value: float, std: float) -> str:
    """A value with the digits that its deviation leaves certain, and one more."""
    if not math.isfinite(value):
        return "not known"
    if not math.isfinite(std) or std <= 0 or value == 0:
        return rounded(value, 6)
    digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(std)) + 2
    return rounded(value, min(max(digits, 2), MOST))


def rounded(value: float, digits: int = 3) -> str:
    """A number with some significant digits, a true minus sign and, if need be, a power of ten."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "not known"
    short = float(f"{value:.{digits}g}")
    if short == 0 or LEAST_PLAIN <= abs(short) < MOST_PLAIN:
        places = digits - 1 - (math.floor(math.log10(abs(short))) if short else 0)
        return f"{short:,.{max(places, 0)}f}".replace("-", "−")
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    power = str(int(exponent)).translate(SUPERSCRIPT)
    return f"{mantissa.replace('-', '−')}·10{power}"


def moment(value: float, span: float) -> str:
    """A time, in digits that tell it within a span of times, and without separators: 1953.5, not 1,950."""
    if not (math.isfinite(value) and math.isfinite(span) and span > 0 and value != 0):
        return rounded(value, 3)
    digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(span)) + 3
    return rounded(value, min(max(digits, 3), MOST)).replace(",", "")


def share(value: float) -> str:
    """A share in per cent: 0.3 %, 12 %; very small ones with a power of ten."""
    if not math.isfinite(value):
        return "not known"
    if value == 0:
        return "0 %"
    per_cent = 100.0 * value
    return f"{rounded(per_cent, 2)} %" if abs(per_cent) < 10 else f"{per_cent:.0f} %".replace("-", "−")
