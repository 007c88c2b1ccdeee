"""`handful serve`: the lab in a browser.

The pages are a room of their own beside the command line, and neither imports the other: the server is found by name
when the command is called, as commands are. (It is an extra: most who use the command line never need it.)
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from handful.cli.shared.options import JsonOption, option, whole_number
from handful.cli.shared.output import console, print_json
from handful.errors import HandfulError, NotationError

PORT = 8642
EXTRA = ("fastapi", "uvicorn", "jinja2", "starlette", "pydantic", "python_multipart", "multipart")


def serve(
    port: Annotated[int, option("--port N", "The port; 0 for any that is free.", whole_number)] = PORT,
    host: Annotated[
        str, option("--host H", "The address to listen on; others than this machine's own need --allow-network.")
    ] = "127.0.0.1",
    allow_network: Annotated[
        bool, option("--allow-network", "Let other machines in: anybody who reaches the port can use the lab.")
    ] = False,
    folder: Annotated[
        Path | None, option("--folder DIR", "Where games are kept.  [default: the user's data folder]")
    ] = None,
    bot_pause: Annotated[
        float, option("--bot-pause T", "Seconds before a bot moves, so that you can follow.", min=0, max=60)
    ] = 0.7,
    keep_days: Annotated[
        int,
        option("--keep-days N", "Days after which a table at which nobody acts is removed; 0: never.", whole_number),
    ] = 90,
    no_browser: Annotated[bool, option("--no-browser", "Do not open a browser.")] = False,
    json: JsonOption = False,
) -> None:
    """Open the lab in a browser: play with friends and bots, analyse games, ask the Rummy adviser.

    It listens on this machine alone, and asks nothing of any other, but for games of a player where you ask for them.
    Ctrl-C stops it; games are kept.

    Example: handful serve

    Example: handful serve --port 0 --no-browser --folder games

    Example: handful serve --host 0.0.0.0 --allow-network
    """
    if not 0 <= port <= 65535:
        raise NotationError(f"--port {port}: expected 0 to 65535")
    if not 0 <= keep_days <= 36500:
        raise NotationError(f"--keep-days {keep_days}: expected 0 to 36500")
    server = _server()

    def ready(address: str) -> None:
        if json:
            print_json({"address": address, "folder": str(folder or _default_folder())})
        else:
            console().print(f"The lab is open: {address}  (Ctrl-C closes it)", style="bold")
        sys.stdout.flush()
        if not no_browser and not json:
            _open_browser(address)

    server.serve(
        folder,
        host,
        port,
        allow_network=allow_network,
        bot_pause=bot_pause,
        keep_days=keep_days,
        on_ready=ready,
    )


def _server() -> Any:
    try:
        return import_module("handful.web.server")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in EXTRA:
            raise
        raise HandfulError("the lab in a browser needs more packages: pip install 'handful[web]'") from None


def _default_folder() -> Path:
    found: Path = import_module("handful.web.app").default_folder()
    return found


def _open_browser(address: str) -> None:
    """Open a browser, where there is a screen; in a bare terminal a text browser would take it over."""
    import webbrowser

    if sys.platform not in ("linux", "freebsd") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
