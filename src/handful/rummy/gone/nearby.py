"""The game around a hand when cards are gone: solved on all hands near it, judged further out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.errors import DealError
from handful.rummy.answers import Discard, discards_of
from handful.rummy.cards import NUM_CARDS, Card, HandLike, cards_of, format_cards, mask_of, parse_card, parse_cards

if TYPE_CHECKING:
    from handful.rummy.answers import Answers
    from handful.rummy.gone.kernels.judgement import Judgement
    from handful.rummy.gone.kernels.nearby import Layers

# What may be done for an answer in less than a second: hands told of a better one, in a pass; hands judged.
MOST_TOLD, MOST_JUDGED = 6_000_000, 700_000


class Nearby:
    """Hands that share cards with a hand, the centre: what they take if cards are gone, by a judgement of those beyond.

    It answers as `Answers` do, but only of the centre and of hands that differ from it by a card. As the best play is
    found from what it is told of the hands beyond: if that is too little for each of them, so is what it says.
    """

    def __init__(self, judgement: Judgement, hand: HandLike, most_told: int = MOST_TOLD) -> None:
        import numpy as np

        from handful.rummy.gone.kernels import nearby as kernels
        from handful.rummy.gone.kernels.whole_deck import make_buckets

        size = int(judgement.hand_index["cards"])
        self.hand = parse_cards(hand, size)
        self.places = {card: place for place, card in enumerate(sorted(map(_number, self.hand)))}
        others = [card for card in judgement.left.tolist() if card not in self.places]
        self.others = {card: place for place, card in enumerate(others)}
        self.last = last_layer(size, len(others), most_told)
        self.layers: Layers = kernels.make_layers(np.array(sorted(self.places)), np.array(others), self.last)
        self._number_near = kernels.number_near
        judged = np.zeros(int(self.layers.bases[-1]))
        kernels.judge_layers(self.layers, judgement, judged)
        state = kernels.make_pass(self.layers)
        kernels.take_nearby(self.layers, judged, state, make_buckets(len(judged)))
        self.turns = state.turns

    def expected_turns(self, hand: HandLike) -> float:
        """Return how many turns the centre, or a hand that differs from it by a card, takes on average."""
        cards = {_number(card) for card in parse_cards(hand, len(self.hand))}
        lacks, has = set(self.places) - cards, cards - set(self.places)
        if not lacks:
            return float(self.turns[0])
        assert len(lacks) == 1, "only hands next to the centre are known"
        return float(self.turns[self._number_near(self.layers, self.places[lacks.pop()], self.others[has.pop()])])

    def discards(self, hand: HandLike, draw: Card | str) -> tuple[Discard, ...]:
        """Return every card that may be thrown after a draw, the best first."""
        drawn = draw if isinstance(draw, Card) else parse_card(draw)
        return discards_of(parse_cards(hand, len(self.hand)), drawn, self.expected_turns)


def last_layer(size: int, others: int, most_told: int = MOST_TOLD) -> int:
    """Return how far out hands may be looked at: at least to two cards that are exchanged."""
    from handful.rummy.gone.kernels.nearby import hands_within, sets_within

    last = 2
    while last < min(size, others):
        told = sets_within(size, others, last + 1) * (size + 1)
        if told > most_told or hands_within(size, others, last + 1) > MOST_JUDGED:
            break
        last += 1
    return last


def make_judgement(answers: Answers, rows: Any, gone: HandLike, way: int) -> Judgement:
    """Return what hands are judged by when cards are gone; `rows` is None for judgements that need none."""
    import numpy as np

    from handful.rummy.gone.kernels.added import COLUMNS
    from handful.rummy.gone.kernels.judgement import Judgement
    from handful.rummy.gone.kernels.place import rank_maps

    if rows is None:
        rows = np.zeros((0, COLUMNS), np.int16)
        rows.flags.writeable = False
    out = mask_of(parse_cards(gone))
    left = [_number(card) for card in cards_of((1 << NUM_CARDS) - 1 & ~out)]
    return Judgement(
        answers.hand_index,
        answers.values,
        rows,
        rank_maps(answers.game.aces),
        np.array([_number(card) for card in cards_of(out)], np.int64),
        np.array(sorted(left), np.int64),
        way,
    )


def check_left(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> None:
    """Refuse cards that are gone."""
    for card in cards:
        if card in gone:
            raise DealError(f"{card} is among the cards that are gone: {format_cards(gone)}")


def _number(card: Card) -> int:
    """Return a card as kernels count it: 13 · suit + rank."""
    return card.bit.bit_length() - 1
