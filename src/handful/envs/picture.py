"""A table as plain text, all hands open: what environments render."""

from __future__ import annotations

from handful.hanabi.cards import card_text
from handful.hanabi.notation import turn_text
from handful.hanabi.state import State


def state_text(state: State) -> str:
    """Return the table in a few lines; a star marks cards that a hint has touched.

    >>> from handful.hanabi import Deal, Rules
    >>> print(state_text(State(Deal.from_seed(Rules(players=2), seed=1))))
    stacks   r0 y0 g0 b0 p0
    points   0 of 25, hints 8, strikes 0, deck 40
    discards none
    player_0 p2 g1 p1 b1 b1  to move
    player_1 p3 y3 g4 r1 p4
    """
    variant = state.rules.variant
    stacks = " ".join(f"{suit.letter}{height}" for suit, height in zip(variant.suits, state.stacks, strict=True))
    thrown = " ".join(card_text(variant, card) for card in sorted(state.discards))
    lines = [
        f"stacks   {stacks}",
        f"points   {state.points} of {state.rules.max_score}, hints {state.hints}, strikes {state.strikes}, "
        f"deck {state.deck_size}",
        f"discards {thrown or 'none'}",
    ]
    names = agent_names(state.rules.players)
    for seat, name in enumerate(names):
        cards = [
            card_text(variant, state.card(held)) + ("*" if held.knowledge.is_touched else "")
            for held in state.hands[seat]
        ]
        lines.append(f"{name} {' '.join(cards)}{'  to move' if seat == state.current and not state.is_over else ''}")
    if state.history:
        lines.insert(0, turn_text(state.rules, state.history[-1], names))
    if state.is_over:
        lines.append(f"the game is over ({state.ending}): score {state.score}")
    return "\n".join(lines)


def agent_names(players: int) -> list[str]:
    """Return PettingZoo's names of the seats.

    >>> agent_names(2)
    ['player_0', 'player_1']
    """
    return [f"player_{seat}" for seat in range(players)]
