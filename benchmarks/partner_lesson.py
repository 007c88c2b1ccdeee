"""Find a turn for each convention in games of `partner`, for docs/partner-conventions.md.

``python -m benchmarks.partner_lesson`` draws the hands before the turn (docs/pictures/partner-*.svg), and writes what
the bot says of it. The first game of three in which a convention is clearly to be seen is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.tables import DOCS, replace_table
from handful._files import write_whole
from handful.bots import player_named
from handful.bots.partner.words import PartnerExplainer
from handful.bots.table import play_game
from handful.hanabi import Deal, Rules, State
from handful.hanabi.actions import HintSuit, HintValue
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import default_names, slot_text, turn_text

CONVENTIONS = ("play hint", "save hint", "tempo", "prompt", "finesse", "bluff", "chop move")
HINTS = CONVENTIONS[:-1]
LAST_TURN = 40  # later on there is more to see than to learn
PLAYERS, MOST_GAMES = 3, 200
WIDTH, HEIGHT, LEFT, TOP, GAP = 40, 56, 76, 56, 10
COLOURS = {"Red": "#d6403a", "Yellow": "#c99700", "Green": "#2e8b3d", "Blue": "#2f6fd0", "Purple": "#8a4bbf"}


def card(x: int, y: int, text: str, colour: str, is_touched: bool) -> str:
    """Return a card as SVG: its suit's letter and value, in a bold frame if a hint has touched it."""
    width = 4 if is_touched else 1.5
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff" stroke="{colour}" '
        f'stroke-width="{width}"/><text x="{x + WIDTH / 2}" y="{y + 36}" font-size="21" font-weight="bold" '
        f'text-anchor="middle" fill="{colour}">{text}</text>'
    )


def picture(state: State, names: Sequence[str], marked: set[tuple[int, int]]) -> str:
    """Return the table as SVG; a triangle points at marked cards, given by seat and slot."""
    variant, size = state.rules.variant, state.rules.hand_size
    width, height = LEFT + size * (WIDTH + GAP) + 20, TOP + state.rules.players * (HEIGHT + 26) + 4
    stacks = " ".join(
        f'<tspan fill="{COLOURS[suit.name]}">{suit.letter}{top}</tspan>'
        for suit, top in zip(variant.suits, state.stacks, strict=True)
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'font-family="sans-serif" role="img"><rect width="{width}" height="{height}" fill="#fbfaf7"/>',
        f'<text x="10" y="24" font-size="15" font-weight="bold">stacks {stacks}</text>',
        f'<text x="{width - 12}" y="24" font-size="13" text-anchor="end">hints {state.hints}</text>',
    ]
    for slot in range(size):
        x = LEFT + slot * (WIDTH + GAP) + WIDTH // 2
        parts.append(f'<text x="{x}" y="46" font-size="12" text-anchor="middle" fill="#666">{slot_text(slot)}</text>')
    for seat, name in enumerate(names):
        y = TOP + seat * (HEIGHT + 26)
        weight = "bold" if seat == state.current else "normal"
        parts.append(f'<text x="10" y="{y + 34}" font-size="14" font-weight="{weight}">{name}</text>')
        for slot, (each, held) in enumerate(zip(state.hand(seat), state.hands[seat], strict=True)):
            suit, x = variant.suits[each.suit], LEFT + slot * (WIDTH + GAP)
            parts.append(card(x, y, f"{suit.letter}{each.value}", COLOURS[suit.name], held.knowledge.is_touched))
            if (seat, slot) in marked:
                middle, top = x + WIDTH / 2, y + HEIGHT + 5
                parts.append(f'<path d="M{middle - 8} {top + 12}h16l-8 -11z" fill="#222"/>')
    return "".join(parts) + "</svg>\n"


class Lessons:
    """Looks for a turn of each convention in games, one after the other."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[int, State, Turn, list[str], set[tuple[int, int]]]] = {}

    def watch(self, seed: int) -> None:
        """Play a game, and take from it what is still missing."""
        rules = Rules(players=PLAYERS)
        explainer = PartnerExplainer(rules, default_names(PLAYERS))
        self._seed, self._explainer = seed, explainer
        play_game(Deal.from_seed(rules, seed), [player_named("partner").plain] * PLAYERS, seed, on_turn=self._turn)

    def _turn(self, state: State, turn: Turn) -> None:
        said = self._explainer.explain(state, turn)
        reading = self._explainer.last
        if reading is None or turn.number > LAST_TURN or reading.convention in self.found:
            return
        is_hint = isinstance(turn.action, HintSuit | HintValue)
        is_wanted = reading.convention in CONVENTIONS and is_hint == (reading.convention in HINTS)
        if not is_wanted or any("Misunderstood" in sentence for sentence in said) or turn.strikes:
            return
        before = state.copy()
        before.undo()
        marked = self._marked(turn, said, reading.focus)
        if reading.convention == "chop move" and len(said) < 2:
            return  # nobody learns anything new by it
        self.found[reading.convention] = (self._seed, before, turn, said, marked)

    def _marked(self, turn: Turn, said: list[str], focus: int | None) -> set[tuple[int, int]]:
        """Return the cards that a turn is about, or asks for: the focus, and those that the sentences name."""
        names, marked = default_names(PLAYERS), set()
        if isinstance(turn.action, HintSuit | HintValue):
            if focus is not None:
                marked.add((turn.action.player, focus))
            for seat, name in enumerate(names):
                for slot in range(Rules(players=PLAYERS).hand_size):
                    letter = slot_text(slot)
                    if f"of {name} (slot {letter})" in said[0] or (
                        f"{name} should" in said[0] and f"(slot {letter}," in said[0]
                    ):
                        marked.add((seat, slot))
            return marked
        marked.add((turn.actor, turn.action.slot))
        for seat, name in enumerate(names):
            for slot in range(Rules(players=PLAYERS).hand_size):
                if any(one.startswith(f"{name}: your chop (slot {slot_text(slot)})") for one in said):
                    marked.add((seat, slot))
        return marked


def main() -> None:
    """Find the turns, draw them and write the page."""
    lessons, seed = Lessons(), 0
    while len(lessons.found) < len(CONVENTIONS) and seed < MOST_GAMES:
        lessons.watch(seed)
        seed += 1
    names = default_names(PLAYERS)
    for name in CONVENTIONS:
        seed, before, turn, said, marked = lessons.found[name]
        file = f"partner-{name.replace(' ', '-')}.svg"
        write_whole(DOCS / "pictures" / file, picture(before, names, marked).encode())
        sentence = turn_text(before.rules, turn, names)
        quoted = "\n".join(f"> {line}.  " for line in (f"{sentence}", *said)).rstrip()
        image = f"![The hands before turn {turn.number} of seed {seed}](pictures/{file})"
        text = f"\n{image}\n\n{quoted}\n\n(Seed {seed}, turn {turn.number}.)\n"
        replace_table("partner-conventions.md", name, text)


if __name__ == "__main__":
    main()
