"""`handful prepare`: compile everything now, on all cores."""

from __future__ import annotations

from handful.cli.shared.options import JsonOption, WorkersOption
from handful.cli.shared.output import console, print_json


def prepare(workers: WorkersOption = None, json: JsonOption = False) -> None:
    """Compile everything now, on all cores, so that no command has to wait for it later.

    What is compiled already, or came with the package, is not compiled again; interrupted, it goes on where it stopped.

    Example: handful prepare

    Example: handful prepare --workers 1 --json
    """
    from handful.cli.shared.progress import progress_bar
    from handful.preparation import all_steps
    from handful.preparation import prepare as compile_all

    with progress_bar("Compiling", len(all_steps()), "steps") as advance:
        done = compile_all(workers, lambda _name: advance(1))
    if json:
        print_json(done.to_dict())
    elif done.kernels:
        console().print(f"{done.kernels} kernels compiled in {done.seconds:.0f} s ({done.cpu_seconds:.0f} CPU s).")
    else:
        console().print("Nothing to do: all kernels are compiled.")
