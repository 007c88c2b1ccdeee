"""`handful winnable`: the fraction of deals that can be won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from handful.cli.shared.options import (
    TIME_LIMIT,
    JsonOption,
    PlayersOption,
    RulesOption,
    TimeLimitOption,
    VariantOption,
    WorkersOption,
    option,
    parse_many,
    positive_number,
    rules_from,
)
from handful.cli.shared.output import console, figures, print_json
from handful.cli.shared.progress import prepare_solver, progress_bar

if TYPE_CHECKING:
    from handful.lab.winnable import WinnableCount

MOST_SHOWN = 20


def winnable(
    players: PlayersOption = None,
    deals: Annotated[int, option("--deals -n N", "How many deals.", positive_number)] = 1000,
    variant: VariantOption = None,
    seed: Annotated[str, option("--seed -s S", "A number: which deals.")] = "0",
    rules: RulesOption = "hanab-live",
    time_limit: TimeLimitOption = TIME_LIMIT,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the deals that can be won, and say why the others cannot.

    Deal i of the seed is that of `handful solve --seed S --game I`. The same seed gives the same deals and the same
    answers, on any number of cores. An undecided deal counts as not won in the fraction and in the lower end of its
    interval, and as won in the upper end.

    Example: handful winnable --players 2 --deals 10000

    Example: handful winnable --players 3 --deals 1000 --variant "Black (6 Suits)" --rules max_hints=7 --json
    """
    from handful.lab.winnable import winnable as count_winnable

    number = parse_many(seed, "; for one deal there is handful solve")
    chosen = rules_from(players, variant, rules)
    prepare_solver()
    with progress_bar(f"{chosen.variant.name}, {chosen.players} players", deals, "deals") as advance:
        count = count_winnable(
            deals=deals,
            seed=number,
            rules=chosen,
            time_limit=time_limit,
            workers=workers,
            on_progress=advance,
        )
    print_json(count.to_dict()) if as_json else _print_count(count)


def _print_count(count: WinnableCount) -> None:
    low, high = count.ci95
    rows = [
        ("deals", f"{count.deals:,} (seed {count.seed})"),
        *([("rules", count.rules)] if count.rules else []),
        ("winnable", f"{count.fraction:.3%}   ({low:.3%} to {high:.3%})"),
        ("can be won", f"{count.winnable:,}"),
        ("cannot be won", f"{count.unwinnable:,}{_deals_text(count.unwinnable_deals)}"),
        *((f"  {cause}", f"{times:,}") for cause, times in count.causes.items()),
        ("undecided", f"{count.undecided:,}{_deals_text(count.undecided_deals)}"),
        ("decided by", ", ".join(f"{method} {times:,}" for method, times in count.methods.items())),
        ("time", f"{count.seconds:.2f} s ({count.cpu_seconds:.2f} s CPU)"),
    ]
    console().print(figures(f"{count.variant}, {count.players} players", rows, "( to ): 95 % confidence"))


def _deals_text(numbers: tuple[int, ...]) -> str:
    """Return the numbers of some deals, as `handful solve --game` takes them."""
    shown = " ".join(map(str, numbers[:MOST_SHOWN]))
    return f"   (--game {shown}{' …' if len(numbers) > MOST_SHOWN else ''})" if numbers else ""
