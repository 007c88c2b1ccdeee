"""What must hold where the machine has no room, no home, no streams or no patience.

One line says what is wrong, the exit code is 2 (130 after Ctrl-C), and no file is half written. A cache of kernels that
cannot be used is done without, and not mentioned.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import platformdirs
import pytest
from typer.testing import CliRunner

from handful import _jit
from handful._files import user_folder, write_whole
from handful.cli.main import app
from handful.errors import HandfulError
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.lab import simulate
from handful.lab.store import Store

ROOT = Path(__file__).parents[2]
SMALL = 100_000  # bytes: what the disk of these tests has room for


def run(words: Sequence[str], **settings: object) -> subprocess.CompletedProcess[str]:
    usual = {"cwd": ROOT, "text": True, "capture_output": True, "check": False, "stdin": subprocess.DEVNULL}
    return subprocess.run([sys.executable, "-m", "handful", *words], **{**usual, **settings})  # type: ignore[call-overload, no-any-return]


def is_one_line(text: str) -> bool:
    return text.startswith("handful: ") and text.count("\n") == 1


def without_notice(text: str) -> str:
    """Return what was said besides that kernels are compiled."""
    return "".join(line for line in text.splitlines(keepends=True) if "compiling, this once" not in line)


# Disks without room


@pytest.mark.parametrize("words", [("bots",), ("count", "3", "2", "1", "--json"), ("--help",), ("solve", "--help")])
def test_standard_output_on_a_full_disk(words: Sequence[str]) -> None:
    with open("/dev/full", "w") as full:
        done = run(words, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == "handful: standard output: No space left on device\n"


def test_standard_error_on_a_full_disk() -> None:
    with open("/dev/full", "w") as full:
        assert run(("count", "x"), stdout=subprocess.PIPE, stderr=full, capture_output=False).returncode == 2


def _with_little_room() -> None:
    """As on a disk with little room left, a file cannot grow past a few bytes; other files can be begun."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


def test_a_dataset_on_a_full_disk(tmp_path: Path) -> None:
    out = tmp_path / "rows"
    words = ("dataset", "--bot", "random", "--games", "4000", "--shard-games", "2000", "--out", str(out))
    done = run(words, preexec_fn=_with_little_room)
    assert done.returncode == 2
    assert is_one_line(without_notice(done.stderr))
    assert str(out / "games-") in done.stderr
    assert not list(out.glob("*.npz"))
    assert not list(out.glob(".*.tmp"))


def test_a_file_is_written_whole_or_not_at_all_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.csv"
    path.write_text("old")
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(Path("/dev/full"), b"new")
    assert caught.value.filename == "/dev/full"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, b"new")
    assert caught.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["results.csv"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("words", [("results", "--csv", "/dev/full", "--store")])
def test_a_table_on_a_full_disk(words: Sequence[str], tmp_path: Path) -> None:
    Store(tmp_path / "store.sqlite").close()
    result = CliRunner().invoke(app, [*words, str(tmp_path / "store.sqlite")])
    assert (result.exit_code, result.stderr) == (2, "handful: /dev/full: No space left on device\n")


# Homes


def _nowhere(*_: object) -> str:
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("find", [_nowhere, lambda *_: "~/.cache/handful"])
def test_a_user_without_a_home(find: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", find)
    monkeypatch.setattr(platformdirs, "user_cache_dir", find)
    monkeypatch.delenv("HANDFUL_KERNEL_CACHE", raising=False)
    monkeypatch.delenv("HANDFUL_RUMMY_TABLES", raising=False)
    for kind in ("data", "cache"):
        with pytest.raises(HandfulError, match="there is no home folder"):
            user_folder(kind)
    for words in (["results"], ["rummy", "tables"], ["tune", "--trials", "1"]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 2, words
        assert is_one_line(result.stderr), words
    # What is only quicker with a home goes on without.
    assert deal_from_live_seed("p2v0s1").deck
    _jit._cache_folders.cache_clear()
    assert _jit._cache_folders(Path(_jit.__file__))[0] is None
    _jit._cache_folders.cache_clear()
    assert simulate("random", games=10).games == 10


@pytest.mark.parametrize("place", ["/dev/null", "/dev/null/inside", "/proc/nowhere", "/dev/full"])
def test_a_cache_of_kernels_where_there_can_be_none(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_KERNEL_CACHE", place)
    _jit._cache_folders.cache_clear()
    assert _jit._cache_folders(Path(_jit.__file__))[0] is None
    _jit._cache_folders.cache_clear()


@pytest.mark.full
@pytest.mark.parametrize("place", ["/dev/null", "{folder}"])
def test_simulate_without_a_cache_of_kernels(place: str, tmp_path: Path) -> None:
    """Once there can be no folder; once no file in it has room."""
    environment = {**os.environ, "HANDFUL_KERNEL_CACHE": place.format(folder=tmp_path / "kernels")}
    done = run(("simulate", "--games", "10", "--json"), env=environment, preexec_fn=_with_little_room)
    assert done.returncode == 0, done.stderr
    assert is_one_line(done.stderr)  # that it compiles


# Streams


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
@pytest.mark.parametrize(("words", "code"), [(("bots",), 0), (("count", "x"), 2), (("play", "--seed", "1"), 0)])
def test_closed_streams(closed: Sequence[int], words: Sequence[str], code: int) -> None:
    redirect = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    command = ["sh", "-c", f'exec "$0" -m handful {" ".join(words)} {redirect}', sys.executable]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, input="")
    assert done.returncode == code
    assert "Traceback" not in done.stderr


# Ctrl-C

PRESSED = """
import sys

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Pressed())
sys.argv = ["handful", "simulate", "--games", "10"]
from handful.cli import run
run()
"""


@pytest.mark.parametrize("module", ["typer", "handful.cli.simulate", "numba", "handful.bots.table_kernel"])
def test_ctrl_c_while_something_is_loaded(module: str) -> None:
    code = PRESSED.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, without_notice(done.stderr)) == (130, "handful: interrupted\n")


SWALLOWED = """
import signal, sys
from handful.cli.shared.progress import Interruption
from handful.lab import simulate as module
from handful.cli import main

class Swallows:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)  # Python drops what is raised here

real = main.load_command
def load(name):
    Swallows()
    return real(name)
main.load_command = load
sys.argv = ["handful", "simulate", "--games", "10"]
main.run()
"""


def test_a_ctrl_c_that_is_swallowed_is_heeded_later() -> None:
    done = subprocess.run([sys.executable, "-c", SWALLOWED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, without_notice(done.stderr)) == (130, "handful: interrupted\n")


DEAF = """
import os, signal, subprocess, sys
from handful.lab.running import deaf_to_ctrl_c
signal.signal(signal.SIGINT, signal.default_int_handler)
child = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
try:
    with deaf_to_ctrl_c():
        os.kill(os.getpid(), signal.SIGINT)
        print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout.strip())
except KeyboardInterrupt:
    print("heard")
"""


def test_processes_that_are_started_do_not_hear_ctrl_c_and_we_do() -> None:
    done = subprocess.run([sys.executable, "-c", DEAF], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "heard"], done.stderr


@pytest.mark.full
@pytest.mark.parametrize("moment", [0.2, 0.4, 0.7, 0.9, 1.1, 1.3, 1.6, 2.0, 2.5])
def test_ctrl_c_while_a_cluster_starts(moment: float) -> None:
    """As a terminal does it: to all processes of the group."""
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from handful.cli import run; run()"
    words = ("simulate", "--games", "1000000000", "--dask", "local")
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert without_notice(complaint) == "handful: interrupted\n"
