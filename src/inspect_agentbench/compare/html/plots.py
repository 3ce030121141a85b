"""Plots as SVG text. Colours and patterns are classes of the page's style; every number is also text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from ...outcome import Outcome
from ..model import Comparison, PairVerdict

WIDTH = 860
_LABEL = 300
"""Room for names, left of every plot, in px."""
_ROW = 30
_BAR = 18
_MAX_LABEL = 44
_ORDER = (Outcome.SOLVED, Outcome.ILLUSORY, Outcome.FAILED, Outcome.DISQUALIFIED, Outcome.ERRORED)


def _svg(height: float, name: str, parts: Sequence[str]) -> Markup:
    return Markup(  # every text in the parts was escaped by `_text`
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(name)}">'
        f"<title>{escape(name)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _label(y: float, words: str) -> str:
    short = words if len(words) <= _MAX_LABEL else f"{words[: _MAX_LABEL - 1]}…"
    return _text(_LABEL - 8, y + 4, short, "name", "end")


def _rect(x: float, y: float, width: float, height: float, kind: str, title: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}"'
    return f'<rect {place} class="{kind}"><title>{escape(title)}</title></rect>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def outcomes_svg(found: Comparison) -> Markup:
    """Stacked bars of counts, one for each arm."""
    longest = max((arm.n for arm in found.arms), default=1) or 1
    scale = (WIDTH - _LABEL - 20) / longest
    counts = {arm.arm: Counter(r.outcome for r in found.rows if r.arm == arm.arm) for arm in found.arms}
    parts = list(_legend())
    for number, (arm, own) in enumerate(counts.items()):
        y, x = 34.0 + number * _ROW, float(_LABEL)
        parts.append(_label(y + _BAR / 2, arm))
        for outcome in _ORDER:
            if count := own[outcome]:
                parts.append(_rect(x, y, count * scale, _BAR, outcome.value, f"{arm}: {count} {outcome}"))
                if count * scale > 14:
                    parts.append(_text(x + count * scale / 2, y + 13, str(count), "on", "middle"))
                x += count * scale
    return _svg(40 + len(counts) * _ROW, "Episodes of each arm by outcome", parts)


def _legend() -> Iterator[str]:
    for number, outcome in enumerate(_ORDER):
        x = _LABEL + number * 108
        yield _rect(x, 6, 12, 12, outcome.value, outcome.value)
        yield _text(x + 17, 16, outcome.value)


def forest_svg(found: Comparison) -> Markup:
    """Win shares with their intervals and the verdict."""
    left, right = _LABEL + 10, WIDTH - 250
    span = right - left
    height = 30 + len(found.pairs) * 44
    parts = [_line(left + span / 2, 14, left + span / 2, height - 16, "half")]
    for share in (0.0, 0.5, 1.0):
        parts.append(_text(left + share * span, height - 2, f"{share:g}", "axis", "middle"))
    for number, pair in enumerate(found.pairs):
        y = 30.0 + number * 44
        parts += [_label(y - 8, pair.a), _label(y + 8, f"against {pair.b}")]
        parts.append(_text(right + 14, y - 4, f"{pair.wins}-{pair.losses}, {pair.ties} tied"))
        parts.append(_text(right + 14, y + 12, _short(pair), "axis"))
        if pair.win_share is None or pair.win_share_low is None or pair.win_share_high is None:
            continue
        parts.append(
            _line(left + pair.win_share_low * span, y, left + pair.win_share_high * span, y, "range")
        )
        hollow = "hollow" if pair.verdict == "cannot_name_winner" else "mark"
        parts.append(f'<circle cx="{left + pair.win_share * span:.1f}" cy="{y}" r="6" class="{hollow}"/>')
    return _svg(height, "Win share of the first arm, with 95 % interval, for each pair", parts)


def _short(pair: PairVerdict) -> str:
    if pair.verdict == "cannot_name_winner":
        return f"no winner (best possible p {pair.best_p_holm:.2g})"
    return (
        "first ahead" if pair.winner == pair.a else "second ahead" if pair.winner else "no difference shown"
    )


def heat_svg(found: Comparison) -> Markup:
    """Families down, arms across, solved of graded runs in each cell."""
    arms = [arm.arm for arm in found.arms]
    cell = min(110.0, (WIDTH - _LABEL) / max(1, len(arms)))
    table = {(c.arm, c.family): c for c in found.cells}
    parts = [_text(_LABEL + (n + 0.5) * cell, 14, f"{n + 1}", "axis", "middle") for n in range(len(arms))]
    for row, family in enumerate(found.families):
        y = 22.0 + row * 26
        parts.append(_label(y + 12, family))
        for column, arm in enumerate(arms):
            one = table[arm, family]
            x = _LABEL + column * cell
            share = one.solved / one.runs if one.runs else 0.0
            kind = "cell" if one.eligible else "cell out"
            if one.outcomes.get(Outcome.DISQUALIFIED):
                kind += " cheat"
            title = f"{arm}, {family}: {one.solved} of {one.runs} solved. {one.why_not}"
            shade = f'<rect x="{x + 1:.1f}" y="{y:.1f}" width="{cell - 2:.1f}" height="24" class="{kind}"'
            parts.append(
                f'{shade} fill-opacity="{0.08 + 0.72 * share:.2f}"><title>{escape(title)}</title></rect>'
            )
            parts.append(_text(x + cell / 2, y + 16, f"{one.solved}/{one.runs}", "count", "middle"))
    top = 22.0 + len(found.families) * 26 + 18
    for number, arm in enumerate(arms):
        parts.append(_text(_LABEL, top + number * 18, f"{number + 1}  {arm}", "axis"))
    return _svg(top + len(arms) * 18, "Solved runs by family and arm", parts)


def differences_svg(found: Comparison) -> Markup:
    """A strip of dots for each pair; dots of equal differences are stacked."""
    reach = max((abs(d) for pair in found.pairs for d in pair.differences.values()), default=1) or 1
    left, right = _LABEL + 20, WIDTH - 30
    step = (right - left) / (2 * reach)
    middle = (left + right) / 2
    height = 30 + len(found.pairs) * 70
    parts = [_line(middle, 10, middle, height - 18, "half")]
    for value in range(-reach, reach + 1):
        parts.append(
            _text(middle + value * step, height - 2, f"{value:+d}" if value else "0", "axis", "middle")
        )
    for number, pair in enumerate(found.pairs):
        base = 64.0 + number * 70
        parts += [_label(base - 18, pair.a), _label(base - 2, f"against {pair.b}")]
        parts.append(_line(left, base + 6, right, base + 6, "rule"))
        stacked: dict[int, int] = {}
        for family, difference in sorted(pair.differences.items()):
            height_now = stacked.get(difference, 0)
            stacked[difference] = height_now + 1
            y = base - min(height_now, 6) * 9
            parts.append(
                f'<circle cx="{middle + difference * step:.1f}" cy="{y:.1f}" r="4" class="mark">'
                f"<title>{escape(f'{family}: {difference:+d}')}</title></circle>"
            )
    return _svg(height, "Difference in solved runs by family, for each pair", parts)


def signatures_svg(found: Comparison) -> Markup:
    """How often each known wrong fix was seen, over all arms."""
    counts: dict[str, int] = {}
    for one in found.signatures:
        name = f"{one.family}: {', '.join(one.names) or 'nobody predicted it'}"
        counts[name] = counts.get(name, 0) + one.runs
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:15]
    scale = (WIDTH - _LABEL - 50) / max((count for _, count in most), default=1)
    parts = []
    for number, (name, count) in enumerate(most):
        y = 6.0 + number * 24
        parts.append(_label(y + 8, name))
        parts.append(_rect(_LABEL, y, count * scale, 16, Outcome.ILLUSORY.value, f"{name}: {count} runs"))
        parts.append(_text(_LABEL + count * scale + 6, y + 13, str(count)))
    return _svg(10 + len(most) * 24, "Illusory fixes by the wrong fix that they behave like", parts)
