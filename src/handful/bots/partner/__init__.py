"""The bot `partner`: plays Hanabi with the conventions that most people share.

**What all know.** For every slot of every hand, the cards that may be there: by the hints, by counting copies, and by
what turns meant. Everybody works it out from what is public, and it comes to the same. From it follow, for a hand:

- a *sure play*, *sure trash*: whatever the card may be, it is playable, or worthless;
- a card is *critical* if it is the last copy of one that is still needed;
- the *chop*: the oldest slot that no hint has touched, and that is not sure to be playable, worthless or critical. It
  is what goes next: only the chop and sure trash are discarded.

**What turns mean.** Every meaning is a statement on hands, and must be true: an action that would say what is not so is
not taken. *Playable* is in 1 and 2 also what will be so once cards that all can name have been played, and never a card
that all know to be in a hand.

1. *Focus* on the chop: a hint that touches it for the first time says that it is playable, or *saves* it. Values save
   critical cards and 2s; suits save critical cards that are neither 2s nor of the highest value.
2. Otherwise the focus is the newest card touched for the first time that may be playable: it is.
3. A hint that touches no card for the first time and shows no play by itself (*tempo*): the newest card touched that
   may be playable is. Here *playable* is what can be played now.
4. *Prompt* and *finesse* (from level 2): the focus may also be one step further, if somebody between giver and receiver
   has the missing card: as the newest touched card that may be it (prompt), or else as the newest untouched one
   (finesse). Whoever sees that the focus is not playable, and that nobody else who is still to answer has what is
   missing, plays it at once. If nobody has done so when it is the receiver's turn, the focus is what rules 1 to 3 say.
   Up to three may be under way. With one strike left nobody is asked for anything.
5. *Bluff* (level 3): the focus may also be any other card that is still needed, if the next player, who is not the
   receiver, is asked by it for the newest untouched card that may be playable, and that card is playable.
6. A hint that can mean none of this, such as 5s off the chop, says what it shows: a *stall*.

*Playable* is in 1 and 2 also what will be so: what follows on cards that all know to be coming, since whatever they may
be, they are playable, or will be in the same way. The receiver sees most of these cards, and knows which. The giver
must be sure of them. When they have been played, all know.

At level 3, plays and discards are about the next player's chop:

7. *Chop moves.* It is critical if of several sure plays another than the first (lowest value, then oldest) is played;
   if something is discarded although there is a sure play; if of several sure trash cards another than the oldest is
   discarded, or the chop instead of the only one, or the next chop instead of the chop. Otherwise it is not. (A card
   that a prompt, finesse or bluff may ask for says nothing.)
8. A hint (unless all tokens were there, or it may ask the next player for a card), or the play of the only sure play,
   after which the next player has no sure play: the chop is not critical.
9. With two players, a discard with a token left, after which the partner has no sure play: none is playable.

**Partners who mean something else.** A slot in which nothing is possible any more goes back to what hints literally
say. Whoever is misunderstood (what a hint told is not so) or leaves a prompt or finesse unanswered counts from then on
as somebody who plays at level 1; whoever is misunderstood twice is taken literally, and told no more than hints
literally say. Whose turns have said of a chop what is not so is not read by rules 7 to 9 any more. A seat that sees the
cards knows at once; the others when the cards lie open. Among those who keep to the conventions that hardly ever
happens, and then what all know is no longer the same for all. With one strike left, cards are played only if hints
literally say so: no game is lost by a convention alone.

**Which action is chosen.** All honest ones that people think of are scored, one turn ahead, by `weights`: what a card
played or lost is worth, tokens, the discards that the deck can still afford, strikes; and the other hands as their
holders will know them then. `partner.weights` says where the numbers come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from handful.bots.partner.weights import weights_for
from handful.bots.protocol import CompiledBot, Explainer
from handful.hanabi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def parameter_row(rules: Rules, level: int, weights: Mapping[str, tuple[float, float]]) -> npt.NDArray[np.float64]:
    """Return the level, then all weights when the deck is empty, then all when it has one card, and so on."""
    import numpy as np

    start, end = np.array(list(weights.values())).T
    most = rules.variant.num_cards - rules.players * rules.hand_size
    shares = np.arange(most + 1)[:, None] / max(most, 1)
    row: npt.NDArray[np.float64] = np.concatenate([[float(level)], (shares * start + (1 - shares) * end).ravel()])
    return row


def compiled(rules: Rules, level: int = 3) -> CompiledBot:
    """Return the compiled bot."""
    from handful._records import words_of
    from handful.bots.partner.notes_kernel import NOTES, PAPER
    from handful.bots.partner.partner_kernel import choose, observe

    return CompiledBot(
        choose,
        observe,
        words_of(PAPER),
        parameter_row(rules, level, weights_for(rules.players)),
        notes_words=words_of(NOTES),
    )


def explainer(rules: Rules, names: Sequence[str], level: int = 3) -> Explainer:
    """Return what says in sentences what turns mean."""
    from handful.bots.partner.words import PartnerExplainer

    return PartnerExplainer(rules, names, level)
