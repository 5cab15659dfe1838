"""A real Chromium to look at pages with. Tests skip where it, or what drives it, is absent."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser that is driven by Playwright."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="no Playwright: pip install '.[browser]'"
    )
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not program:
        pytest.skip("no Chromium on PATH: apt-get install chromium")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page that is looked at: `said` is the console's words, `asked` the addresses it took."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda fault: self.said.append(str(fault)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def unfold(self) -> None:
        """Open all that can be opened."""
        self.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

    def is_wider_than_the_screen(self) -> bool:
        """Whether one has to scroll sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def faults(self) -> list[str]:
        """What axe finds to be serious or critical."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """`tab(path, **options)`: a page in a context of its own."""
    opened: list[Tab] = []

    def open_(path: Path, **options: Any) -> Tab:
        opened.append(Tab(chromium, path, **options))
        return opened[-1]

    yield open_
    for one in opened:
        one.context.close()
