"""What is dangerous in a deal: cards that may not be thrown though more of them come, and cards that come late.

Both are measured by the spare discards of the deal: how many more could be made than must be, if one player held all
the cards (the merged relaxation). A deal with fewer than none cannot be won.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from handful.errors import RulesError
from handful.hanabi.cards import Card, card_index, card_text
from handful.hanabi.deal import Deal
from handful.playability.deals.solve import check_solvable, desk_for

if TYPE_CHECKING:
    from handful.playability.deals.solve import Desk

MOST_SHOWN = 8
WORTH_NAMING = 2  # spare discards that a late card costs


@dataclass(frozen=True)
class Danger:
    """A dangerous card. `places` are those of its copies in the deck, from 1; `in_hands` of them are dealt at first.

    `kind` is "keep": thrown once too often, its last copy comes too late (`spare` discards are left then, None: a card
    is lost for sure); or "late": it holds the others up, and costs `cost` of the spare discards.
    """

    card: str
    kind: Literal["keep", "late"]
    places: tuple[int, ...]
    in_hands: int
    spare: int | None
    cost: int

    @property
    def words(self) -> str:
        """What is dangerous about it, in words."""
        if self.kind == "late":
            where = (
                f"comes first as card {self.places[0]}" if len(self.places) > 1 else f"comes as card {self.places[0]}"
            )
            return f"{self.card} {where}: what waits for it costs {_discards(self.cost)}"
        first = " and ".join(map(str, self.places[:-1]))
        late = f"the last comes as card {self.places[-1]}"
        return f"{self.card}: do not throw what comes as card {first}; {late}, too late to wait for"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "places": list(self.places), "words": self.words}


def _discards(count: int) -> str:
    return "a discard" if count == 1 else f"{count} discards"


def spare_of(deal: Deal) -> int | None:
    """Return the spare discards of a deal; None if a card is lost whatever is thrown."""
    if not deal.rules.is_played_as_usual:
        name = deal.rules.variant.name
        raise RulesError(f"spare discards of {name} are not counted: cards are not played as usual there")
    check_solvable(deal.rules)
    return _spare(desk_for(deal.rules), _indices(deal))


def dangers_of(deal: Deal) -> tuple[Danger, ...]:
    """Return the dangerous cards of a deal: those that come late, then those of which too many may not be thrown."""
    spare = spare_of(deal)
    if spare is None:
        return ()
    desk, deck, variant = desk_for(deal.rules), _indices(deal), deal.rules.variant
    dealt = deal.rules.players * deal.rules.hand_size
    places: dict[Card, list[int]] = defaultdict(list)
    for place, card in enumerate(deal.deck):
        places[card].append(place)
    trash = _trash(deal)
    keep, late = [], []
    for card, there in places.items():
        numbers = tuple(place + 1 for place in there)
        in_hands = sum(place < dealt for place in there)
        if len(there) > 1 and card.value > 1:
            without = [trash if place in there[:-1] else index for place, index in enumerate(deck)]
            left = _spare(desk, without)
            if left is None or left < 0:
                keep.append(Danger(card_text(variant, card), "keep", numbers, in_hands, left, spare - (left or 0)))
        if there[0] >= dealt:
            sooner = list(deck)
            sooner[0], sooner[there[0]] = sooner[there[0]], sooner[0]
            better = _spare(desk, sooner)
            if better is not None and better - spare >= WORTH_NAMING:
                late.append(Danger(card_text(variant, card), "late", numbers, in_hands, spare, better - spare))
    keep.sort(key=lambda each: (each.spare is not None, each.spare or 0, each.places))
    late.sort(key=lambda each: (-each.cost, each.places))
    return (*late, *keep)


def _trash(deal: Deal) -> int:
    """Return a card that is of no use later in the deck: the 1 that comes first, for it can be played at once."""
    return next(card_index(deal.rules.variant, card) for card in deal.deck if card.value == 1)


def _indices(deal: Deal) -> list[int]:
    return [card_index(deal.rules.variant, card) for card in deal.deck]


def _spare(desk: Desk, deck: list[int]) -> int | None:
    from handful.playability.deals.kernels.relaxation import IMPOSSIBLE
    from handful.playability.deals.kernels.slack import spare_discards

    desk.work.deck[: len(deck)] = deck
    spare = int(spare_discards(desk.work, desk.rulebooks))
    return None if spare == -IMPOSSIBLE else spare
