"""Analyse a game: paste a link, JSON or a seed, or drop a file; see what each decision cost, and what else there was.

A number of a game, or a link with no more than that, is fetched from the site, by a job: because somebody asked for it.

The whole game is in the address, so every view of it can be kept and sent. Who opens such an address is shown the game;
its analysis begins when somebody asks for it, by a button. Then two computations run beside each other: the solver
says where the game was lost with all cards known, and the review what each decision cost by what its player could know.
The review ends when its page is left. An action that is tried makes a game of its own, which has an address, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import Response
from markupsafe import Markup

from handful.errors import HandfulError
from handful.hanabi.live.addresses import game_address, host_of, is_game_address, site_address
from handful.hanabi.live.records import MAX_RECORD_BYTES, Record, read_record
from handful.hanabi.notation import turn_text
from handful.lab.review.reviewed import ReviewedTurn, percent, points
from handful.web.errors import status_of
from handful.web.jobs import Job, Kind, ask, find, panel_values, register
from handful.web.pages.addresses import is_packed, record_in, record_of, token_of
from handful.web.pages.analysed import Analysed, Board, bars_of, board_of, ending_of, link_of, played
from handful.web.pages.swing import Choice, Swing, choices_of, mark_class, picture_of, swing_of, with_action
from handful.web.rendering import download, environment, lead_to, render

EXAMPLE = (
    "315vkuppwhnaxgihmmdy-ufdqlkxqbceapoabfkrr-wivgstlcfjuns,03lbei-laedtcwaeelaxbeblatb-ecffpaeafupaevfwpbfs-"
    "pafkkcfyxafrgaf0ezoc-enf2lcfolcf11af6xcf3-obehfAtbeBf5kcf8e7pc-fFeEtcegeCfx1cfmpbfD-eIetfH,0"
)

LONGEST_LINK = 500

register(Kind("fetch", "handful.web.pages.work:fetch_game", "analyse/fetched.html", limit=300, lane="fetch"))
register(Kind("analyse", "handful.web.pages.work:analyse_game", "analyse/analysed.html", limit=600))
register(
    Kind("review", "handful.web.pages.work:review_game", "analyse/review.html", limit=900, lane="review", patience=12)
)
register(Kind("what-if", "handful.web.pages.work:what_if", "analyse/tried.html", lane="what-if"))
register(Kind("play-on", "handful.web.pages.work:play_on", "analyse/played_on.html", lane="what-if"))
environment().globals |= {"bars_of": bars_of, "link_of": link_of, "mark_class": mark_class}
environment().filters |= {"percent": percent, "points": points}

router = APIRouter()

Game: TypeAlias = Annotated[str, Query(max_length=20_000)]
Turn: TypeAlias = Annotated[int | None, Query(ge=0, le=10_000)]
Show: TypeAlias = Annotated[Literal["game", "line"], Query()]
Of: TypeAlias = Annotated[str, Query(max_length=20_000)]
Fetch: TypeAlias = Annotated[str, Query(max_length=LONGEST_LINK)]


@dataclass(frozen=True)
class Replay:
    """What is replayed: the game as it was played, or the game with the winning line (`show` is "line").

    `of` is the game that this one was tried out from, as a part of an address; empty if it is nobody's trial.
    """

    token: str
    show: str
    record: Record
    board: Board
    begins: int  # the turn with which the winning line begins, if that is shown
    analysed: Analysed | None
    swing: Swing
    of: str = ""

    @property
    def next_turn(self) -> ReviewedTurn | None:
        """The turn to come, if it is judged."""
        return self.swing.turns.get(self.board.turn + 1) if self.show == "game" else None

    @property
    def reach(self) -> str:
        """The most points that can be reached from here, in words; empty while nobody knows."""
        known = self.analysed is not None and self.show == "game"
        return self.analysed.reach[self.board.turn].text if known and self.analysed else ""

    @property
    def is_deal(self) -> bool:
        """Whether nobody has played it, but for the line that was found."""
        return not (self.record.actions[: self.begins - 1] if self.show == "line" else self.record.actions)

    @property
    def wins(self) -> bool:
        """Whether the line that was found wins, or is the best of a deal that cannot be won."""
        return self.analysed is not None and self.analysed.lost_at != 0

    @property
    def turns(self) -> list[str]:
        """All turns in words."""
        return [turn_text(self.record.rules, turn, self.record.names) for turn in played(self.record).history]

    @property
    def branch(self) -> int:
        """The turn from which on this game is another than the one that it was tried out from."""
        theirs = record_of(self.of).actions if self.of else ()
        pairs = zip(self.record.actions, theirs, strict=False)
        return next((turn for turn, (ours, other) in enumerate(pairs, 1) if ours != other), len(theirs) + 1)

    @property
    def tried_text(self) -> str:
        """What was tried there, in words."""
        turns = self.turns
        return turns[self.branch - 1] if self.branch <= len(turns) else ""

    @property
    def picture(self) -> Markup:
        """The swing of the game."""
        return Markup(picture_of(self.record, self.swing, self.analysed))

    @property
    def choices(self) -> list[Choice]:
        """What could be done here."""
        return choices_of(self.record, self.board.state, self.next_turn)

    def address(self, turn: int, path: str = "/analyse", **more: object) -> str:
        """Return the address of a position."""
        tried = {"of": self.of} if self.of else {}
        return f"{path}?{urlencode({'game': self.token, 'turn': turn, 'show': self.show, **tried, **more})}"


@router.get("/analyse")
def page(
    request: Request,
    game: Game = "",
    turn: Turn = None,
    show: Show = "game",
    of: Of = "",
    fetch: Fetch = "",
) -> Response:
    """Return the page: the form alone, with a game, or with one that is being fetched (nothing is begun here)."""
    if not game.strip():
        fetching = find(request, "fetch", {"address": fetch}) if fetch else None
        error = fetching.error if fetching is not None and fetching.is_fruitless else ""
        return _page(request, text=fetch, fetching=None if error else fetching, error=error)
    try:
        found = _replay(request, game, turn, show, of)
    except HandfulError as error:
        return _page(request, status=400, text=game, error=str(error))
    review = find(request, "review", _review_args(request, found.token))
    return _page(request, job=_job_of(request, found.token), replay=found, review=review)


@router.post("/analyse")
def give(
    request: Request,
    text: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
    turn: Annotated[int | None, Form(ge=0, le=10_000)] = None,
) -> Response:
    """Take a game, begin its analysis, and lead to its page; one that is given by its number is fetched first."""
    try:
        if file is not None and file.filename:
            token = token_of(read_record(file.file.read(MAX_RECORD_BYTES + 1)))
        elif len(text) <= LONGEST_LINK and is_game_address(text):
            game_address(text)  # which refuses what is no number of a game
            fetching = ask(request, "fetch", {"address": text.strip()})
            if fetching.status != "done":
                return lead_to(request, f"/analyse?{urlencode({'fetch': text.strip()})}")
            token, turn = fetching.result.token, fetching.result.turns
        else:
            token = token_of(record_of(text) if is_packed(text) else record_in(text))
        job = ask(request, "analyse", {"game": token})
    except HandfulError as error:
        return _page(request, status=status_of(error), text=text, error=str(error))
    return lead_to(request, f"/analyse?{urlencode(job.args | ({} if turn is None else {'turn': turn}))}")


@router.get("/analyse/replay")
def replay(request: Request, game: Game, turn: Turn = None, show: Show = "game", jump: bool = False) -> Response:
    """Return the replay; with `jump`, who has not moved yet is led to the turn that lost the game."""
    found = _replay(request, game, turn or None if jump else turn, show)
    review = find(request, "review", _review_args(request, found.token))
    return render(request, "analyse/replay.html", replay=found, review=review, is_asked=True, place=0)


@router.get("/analyse/board")
def board(
    request: Request, game: Game, turn: Turn = None, show: Show = "game", play: bool = False, of: Of = ""
) -> Response:
    """Return a position; with `play`, it goes on to the next one by itself."""
    found = _replay(request, game, turn, show, of)
    return render(
        request,
        "analyse/board.html",
        headers={"HX-Replace-Url": found.address(found.board.turn)},
        replay=found,
        is_playing=play and found.board.turn < found.board.last_turn,
        has_slider=request.headers.get("hx-trigger") == "slider",
    )


@router.get("/analyse/record")
def record(request: Request, game: Game, show: Show = "game") -> Response:
    """Return the game, or the game with the winning line, as a file that hanab.live reads."""
    found = _replay(request, game, None, show)
    return download(found.record.to_text(), "winning-line.json" if found.show == "line" else "game.json")


# The review, and what could have been done


@router.post("/analyse/review")
def begin_review(
    request: Request,
    game: Annotated[str, Form(max_length=20_000)],
    show: Annotated[Literal["game", "line"], Form()] = "game",
) -> Response:
    """Begin to review a game, or go on, and return what is known so far."""
    token = token_of(record_of(game))
    job = find(request, "review", _review_args(request, token))
    if job is None or job.status != "done":
        job = ask(request, "review", _review_args(request, token))
    return _review_panel(request, token, job, show)


@router.get("/analyse/review")
def see_review(request: Request, game: Game, show: Show = "game") -> Response:
    """Return what is known so far of a review that somebody has begun."""
    token = token_of(record_of(game))
    return _review_panel(request, token, find(request, "review", _review_args(request, token)), show)


@router.post("/analyse/try")
def try_action(
    request: Request,
    game: Annotated[str, Form(max_length=20_000)],
    turn: Annotated[int, Form(ge=0, le=10_000)],
    action: Annotated[int, Form(ge=0, le=10_000)],
    of: Annotated[str, Form(max_length=20_000)] = "",
) -> Response:
    """Take another action after so many turns, have it judged, and lead to the position after it."""
    record = record_of(game)
    tried, origin = token_of(with_action(record, turn, action)), token_of(record_of(of) if of else record)
    ask(request, "what-if", {**_review_args(request, tried), "of": origin})
    return lead_to(request, f"/analyse?{urlencode({'game': tried, 'turn': turn + 1, 'of': origin})}")


@router.post("/analyse/play-on")
def play_on(
    request: Request,
    game: Annotated[str, Form(max_length=20_000)],
    turn: Annotated[int, Form(ge=0, le=10_000)],
    turns: Annotated[int, Form(ge=0, le=10_000)] = 0,
    of: Annotated[str, Form(max_length=20_000)] = "",
) -> Response:
    """Let bots play on after so many turns, to the end or for `turns` turns, and return where their game will be."""
    record = record_of(game)
    begun = token_of(replace(record, actions=record.actions[:turn], ends=(), notes=()))
    job = ask(request, "play-on", {"game": begun, "turns": turns, "turn": turn, "of": of or token_of(record)})
    return render(request, "job_place.html", job_id=job.id)


def played_game(token: str) -> dict[str, Any]:
    """Return what a game came to, for the page."""
    record = record_of(token)
    most, turns = record.rules.max_score, len(record.actions)
    return {"turns": turns, "points": record.score, "most": most, "ending": ending_of(record)}


def _review_args(request: Request, token: str) -> dict[str, Any]:
    return {"game": token, "worlds": request.app.state.review_worlds}


def _review_panel(request: Request, token: str, job: Job | None, show: str) -> Response:
    found = _replay(request, token, 0, show)
    place = 0 if job is None else request.app.state.jobs.place_of(job)
    return render(request, "analyse/review.html", review=job, replay=found, place=place, is_inline=False)


def _job_of(request: Request, token: str) -> Job | None:
    """Return the analysis of a game, if somebody has asked for it."""
    return find(request, "analyse", {"game": token})


def _replay(request: Request, game: str, turn: int | None, show: str, of: str = "") -> Replay:
    """Return a position of a game; where there is no such turn, the nearest one."""
    record, begins = record_of(game), 0
    token = token_of(record)
    job = _job_of(request, token)
    result: Analysed | None = job.result if job is not None and job.status == "done" else None
    if show == "line" and result is not None and result.line_game:
        record, begins = record_of(result.line_game), result.line_begins
    else:
        show = "game"
    if turn is None:
        turn = 0 if result is None else result.first_look
    swing = swing_of(find(request, "review", _review_args(request, token)))
    origin = token_of(record_of(of)) if of else ""
    return Replay(token, show, record, board_of(record, min(turn, len(record.actions))), begins, result, swing, origin)


def _page(request: Request, status: int = 200, job: Job | None = None, **values: Any) -> Response:
    shown = {"text": "", "error": "", "replay": None, "review": None, "tried": None, "fetching": None} | values
    shown["host"] = host_of(site_address())
    found: Replay | None = shown["replay"]
    if found is not None and found.of:  # the action that was tried is the last of this game
        shown["tried"] = find(request, "what-if", {**_review_args(request, found.token), "of": found.of})
    known = {"job": None} if job is None else panel_values(request, job)
    return render(request, "analyse/page.html", status=status, page="analyse", example=EXAMPLE, **shown, **known)


environment().globals |= {"played_game": played_game}
