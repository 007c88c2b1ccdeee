"""Analyse a game: paste a link, JSON or a seed, or drop a file; step through it, and through the line that wins.

The whole game is in the address, so every view of it can be kept and sent. Who opens such an address is shown the game;
its analysis begins when somebody asks for it, by a button.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import Response

from handful.errors import HandfulError
from handful.hanabi.live.records import MAX_RECORD_BYTES, Record, read_record
from handful.web.errors import status_of
from handful.web.jobs import Job, Kind, ask, find, panel_values, register
from handful.web.pages.addresses import is_packed, record_in, record_of, token_of
from handful.web.pages.analysed import Analysed, Board, bars_of, board_of, link_of
from handful.web.rendering import download, environment, lead_to, render

EXAMPLE = (
    "315vkuppwhnaxgihmmdy-ufdqlkxqbceapoabfkrr-wivgstlcfjuns,03lbei-laedtcwaeelaxbeblatb-ecffpaeafupaevfwpbfs-"
    "pafkkcfyxafrgaf0ezoc-enf2lcfolcf11af6xcf3-obehfAtbeBf5kcf8e7pc-fFeEtcegeCfx1cfmpbfD-eIetfH,0"
)

register(Kind("analyse", "handful.web.pages.work:analyse_game", "analyse/analysed.html", limit=600))
environment().globals |= {"bars_of": bars_of, "link_of": link_of}

router = APIRouter()

Game: TypeAlias = Annotated[str, Query(max_length=20_000)]
Turn: TypeAlias = Annotated[int | None, Query(ge=0, le=10_000)]
Show: TypeAlias = Annotated[Literal["game", "line"], Query()]


@dataclass(frozen=True)
class Replay:
    """What is replayed: the game as it was played, or the game with the winning line (`show` is "line")."""

    token: str
    show: str
    record: Record
    board: Board
    begins: int  # the turn with which the winning line begins, if that is shown
    analysed: Analysed | None

    def address(self, turn: int, path: str = "/analyse", **more: object) -> str:
        """Return the address of a position."""
        return f"{path}?{urlencode({'game': self.token, 'turn': turn, 'show': self.show, **more})}"


@router.get("/analyse")
def page(
    request: Request,
    game: Game = "",
    turn: Turn = None,
    show: Show = "game",
) -> Response:
    """Return the page: the form alone, or with a game."""
    if not game.strip():
        return _page(request)
    try:
        found = _replay(request, game, turn, show)
    except HandfulError as error:
        return _page(request, status=400, text=game, error=str(error))
    return _page(request, job=_job_of(request, found.token), replay=found)


@router.post("/analyse")
def give(
    request: Request,
    text: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Take a game, begin its analysis, and lead to its page."""
    try:
        if file is not None and file.filename:
            record = read_record(file.file.read(MAX_RECORD_BYTES + 1))
        else:
            record = record_of(text) if is_packed(text) else record_in(text)
        job = ask(request, "analyse", {"game": token_of(record)})
    except HandfulError as error:
        return _page(request, status=status_of(error), text=text, error=str(error))
    return lead_to(request, f"/analyse?{urlencode(job.args)}")


@router.get("/analyse/replay")
def replay(request: Request, game: Game, turn: Turn = None, show: Show = "game", jump: bool = False) -> Response:
    """Return the replay; with `jump`, who has not moved yet is led to the turn that lost the game."""
    found = _replay(request, game, turn or None if jump else turn, show)
    return render(request, "analyse/replay.html", replay=found)


@router.get("/analyse/board")
def board(request: Request, game: Game, turn: Turn = None, show: Show = "game", play: bool = False) -> Response:
    """Return a position; with `play`, it goes on to the next one by itself."""
    found = _replay(request, game, turn, show)
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


def _job_of(request: Request, token: str) -> Job | None:
    """Return the analysis of a game, if somebody has asked for it."""
    return find(request, "analyse", {"game": token})


def _replay(request: Request, game: str, turn: int | None, show: str) -> Replay:
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
    return Replay(token, show, record, board_of(record, min(turn, len(record.actions))), begins, result)


def _page(request: Request, status: int = 200, job: Job | None = None, **values: Any) -> Response:
    shown = {"text": "", "error": "", "replay": None} | values
    known = {"job": None} if job is None else panel_values(request, job)
    return render(request, "analyse/page.html", status=status, page="analyse", example=EXAMPLE, **shown, **known)
