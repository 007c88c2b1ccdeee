"""What is drawn anew is whole at once: it says what is so, and listens."""

from __future__ import annotations

from handful.web.pages.addresses import record_in, token_of
from tests.browser.conftest import NewPage
from tests.web.lab import Lab
from tests.web.page_checks import LOST

# Draw a piece anew, and at the very moment in which it is there use it.
USED_AT_ONCE = """() => new Promise((resolve) => {
    const drawn = (done) => {
        const path = new URL(done.detail.pathInfo.requestPath, location.href).pathname;
        if (path !== "/analyse/replay") return;  // the page asks by itself, too
        document.removeEventListener("htmx:afterRequest", drawn);
        const slider = document.querySelector("#slider");
        slider.value = "0";
        const asked = (event) => resolve(event.detail.pathInfo.requestPath);
        document.addEventListener("htmx:beforeRequest", asked, { once: true });
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        setTimeout(() => resolve("nothing was asked"), 3000);
    };
    document.addEventListener("htmx:afterRequest", drawn);
    setTimeout(() => resolve("nothing was drawn"), 60000);
    htmx.ajax("GET", location.href.replace("/analyse", "/analyse/replay"), { target: "#replay", swap: "outerHTML" });
})"""


def test_what_is_drawn_anew_listens_at_once(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{lab.address}/analyse?game={token_of(record_in(LOST))}&turn=30")
    page.wait_for_function("window.htmx !== undefined")
    assert str(page.evaluate(USED_AT_ONCE)).startswith("/analyse/board")
    page.wait_for_selector("#where:has-text('Turn 0 of 65')")
