"""The report in a real Chromium: it is at ease there, and text of memories never runs."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Any

import pytest

from memgit.domain.health.gathering import gather
from memgit.domain.health.judging import judge
from memgit.domain.indexing.index import Index
from memgit.domain.operation import Provenance
from memgit.domain.operations.labelling import put_label
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.domain.proposals.waiting import Waiting
from memgit.domain.store import Store
from memgit.evaluation.generated_store import GeneratedStore, write_repository
from memgit.pages.report import page
from memgit.pages.words import Words

Run = Callable[..., Any]

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)

NASTY = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'></style></details>"
    "</section><svg onload='window.ran = 3'><a href='javascript:window.ran = 4'>[x](javascript:1)"
    "</a>\"' onfocus=window.ran=5 autofocus \u202e\u2067txet\u200f \x1b[31m\x00 &lt;b&gt;"
)


def made(root: Path, into: Path, lang: str = "en") -> Path:
    health = gather(Store.at(root), NOW)
    into.write_text(page(health, judge(health), Words(lang)), "utf-8")
    return into


def noted(root: Path, path: str = "ops/staging-database.md") -> None:
    """What hooks and passes leave among the derived data."""
    derived = Store.at(root).derived
    derived.mkdir(parents=True, exist_ok=True)
    now = int(NOW.timestamp())
    times = [
        f"{now - 60 * n} {5000 + 40 * n:06d} {'shown' if n % 3 else 'silent'}\n" for n in range(300)
    ]
    (derived / "latency.log").write_text("".join(times))
    (derived / "usage.log").write_text(
        "".join(f"{now - 900 * n} {n % 9:08x} {'b' * 40} {path}\n" for n in range(50))
    )
    verdicts = [
        {"key": str(n), "verdict": ("supported", "refuted", "unknown")[n % 3], "state": "",
         "checked": NOW.isoformat(), "probe": "path_exists"}
        for n in range(9)
    ]  # fmt: skip
    (derived / "verdicts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in verdicts))


@pytest.fixture
def rich(sample: Path) -> Path:
    """The sample store with a bit of everything that the page draws."""
    opened = Store.at(sample)
    put_label(opened, "ci-jobs", "unverified", Provenance(because="the jobs have moved"))
    waiting = Waiting(opened)
    quote = (Evidence("CI のジョブは五つになった", "user"),)
    waiting.put(Proposal("supersede", "harvest", ("ci-jobs",), to="ci-jobs-five",
                         because="said in a session", evidence=quote))  # fmt: skip
    noted(sample)
    return sample


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_fault_for_who_sees_or_hears_it_and_no_word_in_the_console(
    rich: Path, tmp_path: Path, tab: Run, lang: str, scheme: str
) -> None:
    path = made(rich, tmp_path / "page.html", lang)
    looked = tab(path, color_scheme=scheme, viewport={"width": 400, "height": 800})
    looked.unfold()
    assert looked.faults() == []
    assert looked.said == []
    assert looked.asked == [path.as_uri()], "nothing is loaded but the page"
    assert not looked.is_wider_than_the_screen()
    assert looked.page.evaluate("document.documentElement.lang") == lang
    back = looked.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (back == "rgb(255, 255, 255)") == (scheme == "light")


def test_it_tells_what_is_there(rich: Path, tmp_path: Path, tab: Run) -> None:
    looked = tab(made(rich, tmp_path / "page.html")).page
    assert looked.inner_text(".verdict h2") == "Worth a look"
    assert looked.locator("section svg").count() >= 3
    assert "unverified: the jobs have moved" in looked.inner_text("#marked")
    assert "Supersede ci-jobs by ci-jobs-five" in looked.inner_text("#proposals")
    assert looked.locator("#always [role=meter]").count() == 7
    assert "path_exists" in looked.inner_text("#verdicts")
    assert "payment-timeout-30s" in looked.inner_text("#descent")
    assert "staging-database" in looked.inner_text("#recall table:has(th:text('Times'))")


def test_a_copied_undo_command_takes_the_label_back(
    rich: Path, tmp_path: Path, tab: Run, memgit: Run
) -> None:
    looked = tab(
        made(rich, tmp_path / "page.html"), permissions=["clipboard-read", "clipboard-write"]
    )
    looked.unfold()
    button = looked.page.locator("#marked button[data-copy^='memgit undo']").first
    button.focus()
    looked.page.keyboard.press("Enter")
    looked.page.wait_for_function("document.getElementById('told').textContent == 'Copied'")
    command = looked.page.evaluate("navigator.clipboard.readText()").split()
    assert command[:2] == ["memgit", "undo"]
    assert memgit("--store", rich, *command[1:]).returncode == 0
    after = json.loads(memgit("--store", rich, "status", "--json").stdout)
    assert "ci-jobs" not in {one["name"] for one in after["marked"] if one["mark"] == "unverified"}


def test_the_keyboard_leads_past_the_head_and_through_the_page(
    rich: Path, tmp_path: Path, tab: Run
) -> None:
    looked = tab(made(rich, tmp_path / "page.html")).page
    looked.keyboard.press("Tab")
    assert looked.evaluate("document.activeElement.className") == "skip"
    assert looked.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
    looked.keyboard.press("Enter")
    assert looked.evaluate("document.activeElement.id") == "main"
    summary = looked.locator("#marked summary").first
    summary.focus()
    looked.keyboard.press("Enter")
    assert looked.locator("#marked details").first.get_attribute("open") is not None


def test_without_scripts_all_is_there_but_the_buttons(rich: Path, tmp_path: Path, tab: Run) -> None:
    looked = tab(made(rich, tmp_path / "page.html"), java_script_enabled=False).page
    assert looked.locator("button:visible").count() == 0
    assert looked.locator(".command code:visible").count() > 0


@pytest.fixture
def hostile(store: Path, git: Run) -> Path:
    """A store whose every text would like to be obeyed."""
    import yaml

    long = "w" * 1_000_000
    plain = "".join(c for c in NASTY if c.isprintable() or c > "\x7f")  # what YAML can hold
    for number, keys in enumerate((
        {"unverified": plain}, {"retired": plain}, {"refuted": [plain, long]}, {"type": plain},
        {"superseded_by": f"{plain}-0"}, {"derived_from": [f"{plain}-0"]},
    )):  # fmt: skip
        head = {"name": f"{plain}-{number}", "description": plain, "metadata": keys}
        text = yaml.safe_dump(head, allow_unicode=True)
        file = store / f"<img src=x onerror=1>{number}.md"
        file.write_text(f"---\n{text}---\n# {NASTY}\n{long}\n")
    (store / "PROFILE.md").write_text(f"- {NASTY}\n- {long}\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", f"--message=save: {NASTY}".replace("\x00", "") + (
        "\n\nMemgit-Operation: <b>save\nMemgit-Actor: <script>window.ran=6</script>\n"
        "Memgit-Memory: x\nMemgit-Because: <script>window.ran=7</script>"))  # fmt: skip
    noted(store, "<script>window.ran=8<!-- .md")
    quote = (Evidence(NASTY + long),)
    proposal = Proposal("retire", NASTY, (NASTY,), because=NASTY + long, evidence=quote)
    Waiting(Store.at(store)).put(proposal)
    return store


def test_what_memories_say_is_shown_and_never_runs(hostile: Path, tmp_path: Path, tab: Run) -> None:
    path = made(hostile, tmp_path / "page.html")
    assert path.stat().st_size < 300_000, "long lines are cut"
    looked = tab(path, viewport={"width": 400, "height": 800})
    looked.unfold()
    tree = looked.page.evaluate(
        """() => ({
            ran: window.ran ?? null,
            scripts: document.scripts.length,
            strange: document.querySelectorAll(
                "img, iframe, object, [onload], [onerror], [onfocus]").length,
            links: [...document.links].map(
                link => link.getAttribute("href")).filter(to => to[0] != "#"),
            sections: document.querySelectorAll("main > section").length,
            text: document.body.innerText,
        })"""
    )
    assert (tree["ran"], tree["scripts"], tree["strange"], tree["links"]) == (None, 1, 0, [])
    assert tree["sections"] == 10, "nothing was closed from within"
    assert "<script>window.ran = 1</script>" in tree["text"]
    assert "\u202e" not in tree["text"], "directions are written out"
    assert looked.said == []
    assert not looked.is_wider_than_the_screen()
    assert looked.faults() == []


def test_a_page_that_obeyed_would_be_caught(tmp_path: Path, tab: Run) -> None:
    """The test above can fail: the same text as HTML is met by the policy, which says so."""
    from memgit.pages import frame

    path = tmp_path / "page.html"
    path.write_text(frame.page("x", f"<p>{NASTY}</p>"), "utf-8")
    looked = tab(path)
    assert looked.page.evaluate("window.ran ?? null") is None, "the policy holds by itself"
    assert any("Content Security Policy" in said for said in looked.said)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seconds"), [(1_000, 3.0), (5_000, 15.0)])
def test_a_large_store_has_a_page_that_is_quickly_made_and_bounded(
    tmp_path: Path, tab: Run, size: int, seconds: float
) -> None:
    root = tmp_path / "large"
    write_repository(root, list(GeneratedStore(7, size).memories()))
    Index(Store.at(root)).sync()
    noted(root)
    made(root, tmp_path / "page.html")  # imports
    begun = process_time()
    path = made(root, tmp_path / "page.html")
    assert process_time() - begun <= seconds
    assert path.stat().st_size <= 2_000_000
    looked = tab(path, viewport={"width": 400, "height": 800})
    looked.unfold()
    assert looked.faults() == []
    assert looked.said == []
    assert not looked.is_wider_than_the_screen()


@pytest.mark.slow
def test_status_of_a_thousand_memories_takes_half_a_second(tmp_path: Path) -> None:
    root = tmp_path / "large"
    write_repository(root, list(GeneratedStore(7, 1_000).memories()))
    Index(Store.at(root)).sync()
    noted(root)
    spent = []
    for _ in range(5):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "memgit", "--store", str(root), "status"], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        after = getrusage(RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) <= 0.5, "of the processor, git's part included: the best run counts"
