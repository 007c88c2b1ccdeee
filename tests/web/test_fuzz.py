"""Whatever is sent to the lab, by the words of its own description and against them: no answer is a 500.

Schemathesis makes requests from the description of all addresses (OpenAPI), such as fit it and such as do not. Half
of those that name a seat name one that exists. Long computations are taken on, but wait for ever: others test them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from handful.hanabi import Deal, Rules
from handful.rummy.gin.game import GinPlan
from handful.web.app import create_app
from handful.web.gin_tables import GinTable
from handful.web.jobs import Jobs
from handful.web.table_options import TableOptions
from handful.web.tables import Table

EXAMPLES = 8  # for each address, and each of the two ways
ENDLESS = (
    "/play/seats/{seat}/events",
    "/play/watch/{watch}/events",
    "/gin/seats/{seat}/events",
)  # streams, once there is such a seat


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    made = create_app(tmp_path_factory.mktemp("lab"), is_open=True)  # the host is called "testserver"
    made.state.jobs = Jobs(max_running=0)
    yield made
    made.state.tables.close()
    made.state.gin_tables.close()


@pytest.fixture(scope="module")
def table(app: FastAPI) -> Table:
    deal = Deal.from_seed(Rules(players=3), 1)
    places, options = [("Anna", ""), ("Boris", ""), ("Cleo", "")], TableOptions(is_casual=True, base_seconds=600)
    table: Table = app.state.tables.create(deal, places, is_open=False, options=options)
    return table


@pytest.fixture(scope="module")
def gin_table(app: FastAPI) -> GinTable:
    plan = GinPlan(seed=1)
    # Without hints: a bot's process would be asked from an event loop that ends with the request.
    table: GinTable = app.state.gin_tables.create(plan, [("Anna", ""), ("Boris", "")], is_open=False, has_hints=False)
    return table


def all_operations(app: FastAPI) -> list[Any]:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    found: list[Any] = list(schema.get_all_operations())
    return [each.ok() for each in found]


def send_many(operation: Any, mode: GenerationMode, send: Callable[[Any], None]) -> None:
    """Send examples of requests to one address: always the same ones."""

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        send(case)

    with suppress(Unsatisfiable):  # where whatever is sent fits, nothing unfitting can be made
        run()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["fitting", "unfitting"])
def test_no_answer_is_a_500(
    app: FastAPI, table: Table, gin_table: GinTable, mode: GenerationMode, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    seen: dict[str, set[int]] = {}
    sent = 0

    def send(case: Any) -> None:
        nonlocal sent
        sent += 1
        setup = gin_table.setup if "/gin/" in case.path else table.setup
        if "seat" in (case.path_parameters or {}) and sent % 2 and case.path not in ENDLESS:
            case.path_parameters["seat"] = setup.seats[sent % len(setup.seats)].token
        if "host" in (case.path_parameters or {}) and sent % 2:
            case.path_parameters["host"] = setup.host
        if "watch" in (case.path_parameters or {}) and sent % 2 and case.path not in ENDLESS:
            case.path_parameters["watch"] = table.setup.watch
        answer = case.call()
        seen.setdefault(f"{case.method} {case.path}", set()).add(answer.status_code)
        assert answer.status_code < 500, f"{case.method} {case.formatted_path}: {answer.text}"
        assert "Traceback" not in answer.text
        if answer.status_code >= 400 and "application/json" in answer.headers.get("content-type", [""])[0]:
            assert set(answer.json()) == {"error"}

    for operation in all_operations(app):
        send_many(operation, mode, send)
    assert not caplog.records
    assert len(seen) >= 60
    if mode == GenerationMode.POSITIVE:
        assert sum(200 in statuses or 303 in statuses for statuses in seen.values()) >= 15
