"""`handful prepare`: compile everything now, on all cores."""

from __future__ import annotations

from typing import Annotated

from handful.cli.shared.options import JsonOption, WorkersOption, option
from handful.cli.shared.output import console, print_json


def prepare(
    workers: WorkersOption = None,
    steps: Annotated[bool, option("--steps", "Print the name of each step when it is done.")] = False,
    json: JsonOption = False,
) -> None:
    """Compile everything now, on all cores, so that no command has to wait for it later.

    What is compiled already, or came with the package, is not compiled again; interrupted, it goes on where it stopped.

    Example: handful prepare

    Example: handful prepare --workers 1 --json
    """
    from handful.cli.shared.progress import progress_bar
    from handful.preparation import all_steps, is_prepared
    from handful.preparation import prepare as compile_all

    names = () if is_prepared() else all_steps()
    with progress_bar("Compiling", len(names), "steps") as advance:

        def told(name: str) -> None:
            advance(1)
            if steps and not json:
                print(name, flush=True)

        done = compile_all(workers, told)
    if json:
        print_json(done.to_dict())
    elif done.kernels:
        console().print(f"{done.kernels} kernels compiled in {done.seconds:.0f} s ({done.cpu_seconds:.0f} CPU s).")
    else:
        console().print("Nothing to do: all kernels are compiled.")
