"""No answer, event, page or error ever holds a player's own hidden cards, or the deck, while a game goes on."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import httpx
import pytest

from handful.bots.players import player_named
from handful.bots.table import seat_bots, tell
from handful.hanabi import (
    NO_VARIANT,
    Action,
    Card,
    Deal,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    Variant,
    action_index,
    card_text,
    variant_named,
)
from handful.hanabi.cards import card_index
from handful.splitmix import SplitMix64
from handful.web.tables import Table
from tests.bots.conformance import redeal_hidden
from tests.web.lab import Lab, Listener

SEED = 8_127_364_550_912_345  # long enough not to be found by accident
FACE = re.compile(r'<svg class="card suit-([\w-]+) [^"]*" viewBox="[^"]*" role="img" aria-label="[a-z ]+ (\d|start)"')

GAMES = [
    (NO_VARIANT, 2),
    (NO_VARIANT, 3),
    (variant_named("Rainbow (6 Suits)"), 4),
    (variant_named("Black (5 Suits)"), 5),
    (variant_named("Brown (6 Suits)"), 2),
]


def some_game(deal: Deal) -> list[Action]:
    """Return the actions of a long game, with hints, plays, discards and strikes."""
    state = State(deal)
    bots = seat_bots(deal.rules, [player_named("rules").plain] * deal.rules.players, 5)
    actions = []
    while not state.is_over:
        actions.append(bots[state.current].choose(state.view(state.current)))
        tell(state, bots, state.act(actions[-1]))
    return actions


def set_table(lab: Lab, deal: Deal) -> Table:
    names = ("Anna", "Boris", "Cleo", "Dora", "Emil")[: deal.rules.players]
    return lab.tables.create(deal, [(name, "") for name in names], is_open=False)


def everything(lab: Lab, table: Table, seat: int) -> dict[str, httpx.Response]:
    """Return every answer that a seat can get, errors included, without changing the game."""
    token = table.setup.seats[seat].token
    turn = len(table.state().history)
    base = f"/play/seats/{token}"
    wants_piece, wants_json = {"hx-request": "true"}, {"accept": "application/json"}
    get, post = lab.client.get, lab.client.post
    answers = {
        "page": get(base),
        "piece": get(f"{base}/table"),
        "past": get(f"{base}/table", params={"turn": turn // 2}),
        "start": get(base, params={"turn": 0}),
        "future": get(f"{base}/table", params={"turn": 9999}),
        "api": get(f"/api/seats/{token}"),
        "version": get(f"{base}/version"),
        "record": get(f"{base}/record"),
        "analysis": get(f"{base}/analysis"),
        "analysis piece": get(f"{base}/analysis", headers=wants_piece),
        "again": post(f"{base}/again"),
        "wrong turn": post(f"{base}/act", data={"turn": turn + 2, "action": 0}),
        "wrong number": post(f"{base}/act", data={"turn": turn + 1, "action": 9999}),
        "no number": post(f"{base}/act", data={"turn": turn + 1, "action": "r1"}),
        "illegal": post(f"/api/seats/{token}/actions", json={"turn": turn + 2, "action": 0}),
        "not JSON": post(f"/api/seats/{token}/actions", content=b"{", headers=wants_json),
        "host": get(f"/play/tables/{table.setup.host}"),
        "notes": get(f"/api/seats/{token}/notes"),
        "note": post(f"/api/seats/{token}/notes", json={"card": 9999, "text": "a wrong one"}),
        "note on a card in the deck": post(f"{base}/notes", data={"card": deck_start(table), "text": "r1"}),
        "said": get(f"{base}/said"),
        "said, api": get(f"/api/seats/{token}/said"),
        "nothing said": post(f"{base}/said", data={"text": " "}),
        "undo": post(f"{base}/undo", data={"turn": turn + 2}),
        "no undo": post(f"{base}/undo/answer", data={"events": 9999, "answer": "yes"}),
        "mine": post("/play/mine", data={"seats": token}),
        "watch": get(f"/play/watch/{table.setup.watch}"),
        "watch piece": get(f"/play/watch/{table.setup.watch}/table"),
        "watch said": get(f"/play/watch/{table.setup.watch}/said"),
        "watch api": get(f"/api/watch/{table.setup.watch}"),
        "watch as a seat": get(f"/play/seats/{table.setup.watch}"),
        "seat as a spectator": get(f"/play/watch/{token}"),
    }
    if table.state().current != seat:
        answers["out of turn"] = post(f"{base}/act", data={"turn": turn + 1, "action": 0})
        answers["out of turn, piece"] = post(f"{base}/act", data={"turn": turn + 1, "action": 1}, headers=wants_piece)
    assert len(table.state().history) == turn
    return answers


ALWAYS_ANSWERED = (
    *("host", "version", "notes", "said", "said, api", "mine", "watch said", "watch api"),
    *("watch", "watch piece"),
)


def deck_start(table: Table) -> int:
    """Return the order of the next card in the deck, or what comes after all."""
    state = table.state()
    return len(state.deal.deck) - state.deck_size


def open_cards(state: State) -> Counter[tuple[str, str]]:
    """Return the faces that everybody may see: the tops of the stacks and the discards."""
    return visible(state, -1) - Counter(
        (state.rules.variant.suits[card.suit].name.lower().replace(" ", "-"), str(card.value))
        for player in range(state.rules.players)
        for card in state.hand(player)
    )


def visible(state: State, seat: int) -> Counter[tuple[str, str]]:
    """Return the faces that a seat may see: the tops of the stacks, the discards, all hands but the own one."""
    letters = [suit.name.lower().replace(" ", "-") for suit in state.rules.variant.suits]
    seen = Counter((letters[card.suit], str(card.value)) for card in state.discards)
    seen.update((letters[suit], str(height)) for suit, height in enumerate(state.stacks) if height)
    for player in range(state.rules.players):
        if player != seat:
            seen.update((letters[card.suit], str(card.value)) for card in state.hand(player))
    return seen


@pytest.mark.parametrize(("variant", "players"), GAMES, ids=lambda value: getattr(value, "name", value))
def test_whole_games_as_every_seat(lab: Lab, variant: Variant, players: int) -> None:
    deal = Deal.from_seed(Rules(variant, players), SEED)
    table = set_table(lab, deal)
    seats = table.setup.seats
    heard = [Listener(lab, f"/play/seats/{seat.token}/events") for seat in seats]
    heard.append(Listener(lab, f"/play/watch/{table.setup.watch}/events"))
    table.say(0, "good luck")
    chance = SplitMix64(1)
    for number, action in enumerate(some_game(deal)):
        state = table.state()
        for seat in range(players):
            search(state, seat, "piece", lab.client.get(f"/play/seats/{seats[seat].token}/table"))
        if number % 5 == 0:
            seat = chance.below(players)
            for name, answer in everything(lab, table, seat).items():
                search(state, seat, name, answer)
        # Whoever acts gets an answer, too: with the card drawn now face down.
        actor = state.current
        answer = lab.act(seats[actor].token, state.turn_number, action_index(deal.rules, actor, action))
        assert answer.status_code == 200, answer.text
        if not answer.json()["is_over"]:
            search(table.state(), actor, "api", answer)
        if number % 4 == 0:
            watch = lab.client.get(f"/play/watch/{table.setup.watch}/table")
            search(table.state(), -1, "watch", watch) if not table.state().is_over else None
    assert table.state().is_over
    for listener in heard:
        # Events say that something has changed, and nothing else.
        assert listener.close(table) > 10
    # And after the end everything is open.
    after = lab.client.get(f"/play/seats/{seats[0].token}").text
    assert str(SEED) in after
    assert Counter(FACE.findall(after)) == visible(table.state(), -1)


def search(state: State, seat: int, name: str, answer: httpx.Response) -> None:
    """Look for what a seat must not see, in an answer and its headers."""
    text = answer.text + str(answer.headers)
    letters = [card_text(state.rules.variant, card) for card in state.deck()]
    assert str(SEED) not in text
    for start in range(len(letters) - 2):
        three = letters[start : start + 3]
        assert all(joint.join(three) not in text for joint in (" ", ",", ", ", '", "', '","')), (name, three)
    if name in ("page", "piece", "future"):
        assert answer.status_code == 200
        assert Counter(FACE.findall(answer.text)) == visible(state, seat), name
    elif name in ("start", "past"):
        assert answer.status_code == 200
        turn = 0 if name == "start" else len(state.history) // 2
        while len(state.history) > turn:
            (state := state.copy()).undo()
        assert Counter(FACE.findall(answer.text)) == visible(state, seat), name
    elif name == "api":
        told = answer.json()
        assert [card["card"] for card in told["hands"][seat]] == [None] * len(state.hand(seat))
        assert told["seed"] is None
        others = [card for player, hand in enumerate(told["hands"]) if player != seat for card in hand]
        assert all(card["card"] for card in others)
    elif name in ("watch", "watch piece"):
        assert answer.status_code == 200
        assert Counter(FACE.findall(answer.text)) == open_cards(state), name
    else:
        assert not FACE.search(answer.text)
        assert answer.status_code == 200 if name in ALWAYS_ANSWERED else 400 <= answer.status_code < 500
        if name == "watch api":
            assert not [card for hand in answer.json()["hands"] for card in hand if card["card"]]


@pytest.mark.parametrize(("variant", "players"), GAMES, ids=lambda value: getattr(value, "name", value))
def test_answers_stay_the_same_if_all_that_is_hidden_is_dealt_anew(lab: Lab, variant: Variant, players: int) -> None:
    deal = Deal.from_seed(Rules(variant, players), SEED)
    actions = some_game(deal)
    chance = SplitMix64(2)
    state = State(deal)
    compared = 0
    for number, action in enumerate(actions):
        if number % 9 == 0:
            seat = chance.below(players)
            other = redeal_hidden(state, seat, chance)
            compared += other.hand(seat) != state.hand(seat)
            answers = [all_texts(lab, each.deal, actions[:number], seat) for each in (state, other)]
            assert answers[0] == answers[1]
        state.act(action)
    assert compared >= 2


@pytest.mark.parametrize(
    ("name", "words"), [("Cow & Pig (3 Suits)", "some (suit|value)"), ("Duck (4 Suits)", "something")]
)
def test_who_gets_a_hint_is_not_told_what_was_not_heard(lab: Lab, name: str, words: str) -> None:
    table = set_table(lab, Deal.from_seed(Rules(variant_named(name), 3), SEED))
    chance, touched = SplitMix64(3), 0
    for _ in range(8):
        state = table.state()
        hints = [action for action in state.legal_actions() if isinstance(action, HintSuit | HintValue)]
        hint = hints[chance.below(len(hints))]
        table.act(state.current, state.turn_number, hint)
        for seat in range(3):
            seen = lab.see(table.setup.seats[seat].token)
            said = seen["history"][-1]
            assert bool(re.search(f"about {words}: ", said)) == (seat == hint.player)
            if seat == hint.player:
                assert all(not card["told"] and card["can_be"] == "anything" for card in seen["hands"][seat])
                slots = [slot for slot, card in enumerate(seen["hands"][seat]) if card["is_touched"]]
                assert set(table.state().history[-1].touched) <= set(slots)
                touched += len(slots)
                page = lab.client.get(f"/play/seats/{table.setup.seats[seat].token}/table").text
                assert page.count('class="unheard"') >= len(slots)
    assert touched > 8


def test_what_lies_in_the_hole_is_shown_to_nobody(lab: Lab) -> None:
    deal = Deal.from_seed(Rules(variant_named("Throw It in a Hole (4 Suits)"), 3, deck_plays=True), SEED)
    table = set_table(lab, deal)
    names = [suit.name.lower() for suit in deal.rules.variant.suits]
    own_plays = [0, 0, 0]
    for turn in range(1, 30):
        state = table.state()
        legal = state.legal_actions()
        # The first two plays may be strikes; not three, so that the game goes on.
        play = next(action for action in legal if isinstance(action, Play))
        fits = (
            state.open_knowledge().playable_mask >> card_index(deal.rules.variant, state.hand(state.current)[play.slot])
            & 1
        )
        action = play if fits or (turn in (1, 2)) else legal[-1]
        table.act(state.current, state.turn_number, action)
        if table.state().is_over:
            break
        own_plays[state.current] += isinstance(action, Play)
        for seat in range(3):
            token = table.setup.seats[seat].token
            seen = lab.see(token)
            assert (seen["stacks"], seen["strikes"], seen["points"]) == (None, None, None)
            assert seen["face_down"] == sum(own_plays)
            mine = [said for said in seen["history"] if said.startswith(f"{seen['names'][seat]} play")]
            assert not any(name in said for said in mine for name in names)
            assert not any("misplay" in said or "strike" in said for said in seen["history"])
        if turn % 5 == 0:
            page = lab.client.get(f"/play/seats/{token}/table").text
            assert page.count("hidden</b>") == 2
            faces = Counter(FACE.findall(page))
            held = Counter(
                (names[card.suit], str(card.value)) for player in (0, 1) for card in state_hand(table, player)
            )
            assert faces - held == Counter(
                (names[card.suit], str(card.value)) for card in table.state().view(2).discards
            )
    assert sum(own_plays) >= 2
    past = table.state()
    assert past.strikes or past.points


def state_hand(table: Table, player: int) -> tuple[Card, ...]:
    """Return the cards that a player holds now."""
    return table.state().hand(player)


def all_texts(lab: Lab, deal: Deal, actions: list[Action], seat: int) -> dict[str, str]:
    """Return everything a seat can be told after these actions, with the secrets of the table left out."""
    table = set_table(lab, deal)
    for turn, action in enumerate(actions, start=1):
        table.act(table.state().current, turn, action)
    texts = {name: answer.text for name, answer in everything(lab, table, seat).items()}
    for name in texts:
        for index, place in enumerate(table.setup.seats):
            texts[name] = texts[name].replace(place.token, f"seat{index}")
        texts[name] = texts[name].replace(table.setup.host, "host").replace(table.setup.watch, "watch")
        texts[name] = re.sub(r'version"?[=:]"(\d+)\.\d+"', r"version \1", texts[name])  # from the clock
    return texts


def test_bots_in_the_other_seats(tmp_path: Path) -> None:
    """The same search where bots sit, and move by themselves between two looks."""
    with Lab(tmp_path, bot_pause=0.0) as lab:
        table = lab.set_table(players=3, seat_2="rules", seat_3="random")
        token = table.setup.seats[0].token
        looks = 0
        while not (seen := lab.see(token))["is_over"]:
            assert [card["card"] for card in seen["hands"][0]] == [None] * len(seen["hands"][0])
            page = lab.client.get(f"/play/seats/{token}").text
            assert table.setup.deal.seed not in page or table.state().is_over
            looks += 1
            if seen["actions"]:
                hints = [each for each in seen["actions"] if each["text"].startswith(("hint", "discard"))]
                assert lab.act(token, seen["turn"], hints[0]["action"]).status_code == 200
        assert looks > 3
        assert lab.see(token)["seed"] == table.setup.deal.seed


@pytest.mark.parametrize("name", ["No Variant", "Throw It in a Hole (4 Suits)", "Cow & Pig (3 Suits)"])
def test_spectators_see_all_hands_only_where_the_table_was_set_so(lab: Lab, name: str) -> None:
    for open_hands in ("", "true"):
        table = lab.set_table(
            players=2, seat_2="person", variant=name, **({"open_hands": "true"} if open_hands else {})
        )
        for _ in range(9):
            state = table.state()
            table.act(state.current, state.turn_number, state.legal_actions()[-1])
            told = lab.client.get(f"/api/watch/{table.setup.watch}").json()
            shown = [[card["card"] for card in hand] for hand in told["hands"]]
            state, variant = table.state(), table.setup.deal.rules.variant
            held = [[card_text(variant, card) for card in state.hand(player)] for player in range(2)]
            assert shown == (held if open_hands else [[None] * len(hand) for hand in held])
            common = state.common_knowledge()
            assert told["stacks"] == (
                None if common.is_hidden else dict(zip((s.letter for s in variant.suits), common.stacks, strict=True))
            )
            hints = [said for said in told["history"] if " tells " in said]
            assert (
                all("some value" in said or "some suit" in said for said in hints) or not variant.modifiers.cow_and_pig
            )
        # A player who could open the spectators' page of open hands would see the own ones.
        page = lab.client.get(f"/play/seats/{table.setup.seats[0].token}").text
        assert (table.setup.watch in page) == (not open_hands)


def test_notes_are_sent_to_their_own_seat_alone_until_the_game_is_over(lab: Lab) -> None:
    table = lab.set_table(players=3, seat_2="person", seat_3="person", casual="true")
    tokens = [seat.token for seat in table.setup.seats]
    for seat, token in enumerate(tokens):
        told = lab.client.post(f"/api/seats/{token}/notes", json={"card": 4, "text": f"secret of {seat}"})
        assert told.json() == {"4": f"secret of {seat}"}
    for number in range(6):
        for seat in range(3):
            for name, answer in everything(lab, table, seat).items():
                for other in range(3):
                    is_own = other == seat and name in ("page", "start", "notes")
                    assert (f"secret of {other}" in answer.text) == is_own, (name, seat, other)
        state = table.state()
        if number < 5:
            table.act(state.current, state.turn_number, state.legal_actions()[-1])
    table.ask_back(0, table.state().turn_number)
    for seat in (1, 2):
        assert "secret" not in lab.client.get(f"/play/seats/{tokens[seat]}/table").text
    while not (state := table.state()).is_over:
        table.act(state.current, state.turn_number, state.legal_actions()[0])
    record = lab.client.get(f"/play/seats/{tokens[0]}/record").json()
    assert [notes[4] for notes in record["notes"]] == [f"secret of {seat}" for seat in range(3)]
    assert "secret of 2" in lab.client.get(f"/play/seats/{tokens[0]}").text
    assert "secret" not in lab.client.get(f"/play/watch/{table.setup.watch}").text
