"""The gate on secrets: tokens of many vendors, and words that are none."""

import os
import random
import time
from pathlib import Path

import pytest

from memgit.domain.gates.scope import File
from memgit.domain.gates.secrets import found, secrets_of
from tests.domain.gates.tokens import PLACES, VENDORS

EACH = 40
"""Tokens of each vendor, four in each place."""


def lines_with(text: str) -> list[int]:
    return [fault.line for fault in secrets_of(File("a.md", text.encode()))]


def is_seen(text: str) -> bool:
    return bool(lines_with(text))


def test_forty_vendors() -> None:
    assert len({vendor.split()[0] for vendor in VENDORS}) >= 40


@pytest.mark.parametrize("vendor", VENDORS)
def test_tokens_are_found_wherever_they_stand(vendor: str) -> None:
    dice = random.Random(f"tokens of {vendor}")
    texts = [PLACES[number % len(PLACES)].format(VENDORS[vendor](dice)) for number in range(EACH)]
    missed = [text for text in texts if not is_seen(text)]
    assert len(missed) <= EACH * 0.05, missed


@pytest.mark.parametrize("each", [20, pytest.param(400, marks=pytest.mark.slow)])
def test_recall_over_all_vendors(each: int) -> None:
    dice = random.Random("all of them")
    texts = [
        dice.choice(PLACES).format(make(dice)) for make in VENDORS.values() for _ in range(each)
    ]
    missed = sum(not is_seen(text) for text in texts)
    print(f"{missed} of {len(texts):,} tokens missed: found {1 - missed / len(texts):.4f}")
    assert missed <= len(texts) * 0.02


def test_false_alarms_on_real_notes() -> None:
    folder = os.environ.get("MEMGIT_BENCH_REAL_STORE")
    if not folder:
        pytest.skip("MEMGIT_BENCH_REAL_STORE names no folder of real memories")
    notes = sorted(Path(folder).rglob("*.md"))
    alarms = [note for note in notes if [*secrets_of(File(note.name, note.read_bytes()))]]
    print(f"{len(alarms)} false alarms on {len(notes):,} real notes: {alarms}")
    assert notes
    assert len(alarms) <= len(notes) / 1_000


HARMLESS = [
    "No Firebase key in build",
    "GITHUB_TOKEN=${GITHUB_TOKEN}",
    "token: {{ secrets.DEPLOY_TOKEN }}",
    "password: <your password>",
    "api_key = os.environ['API_KEY']",
    "apiKey: process.env.STRIPE_API_KEY_2024",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "AKIAIOSFODNN7EXAMPLE is the key of the documentation",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_" + "0" * 36,
    "sk-ant-api03-...",
    "sk-your-api-key-goes-here-0123456789ABCDEF",
    "password=********",
    "postgres://postgres:postgres@localhost:5432/app",
    "https://user:pass@example.com/",
    "https://user:${PASSWORD}@example.com/",
    "The token budget is 200,000 tokens; max_tokens=16384",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed it",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "originSessionId: 9ad05f73-64be-4180-bc2e-f7138d6ea045",
    "secret name: BOARDING_SIGNER_CURRENT_2026",
    "key: deploy-notes-2026-10-07",
    "the private key is in vault at secret/data/app/signing-key-v2",
    "-----BEGIN PRIVATE KEY----- starts such a file",
    "パスワードは金庫の 3 番にある",
    "トークンの上限は 200,000",
    "basic authentication since version 2.14.3",
    "bearer token authentication via middleware/auth-v2.py",
    "tokenizer.json at path models/tokenizer-v3-20250101",
    "secret scanning needs Enterprise20 or higher",
    "the class NRAKReader and the prefix hf_ and sk-",
    "ssh-ed25519 public key fingerprint SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDYLLaWjVJ",
    "cache key = ${{ runner.os }}-pip-${{ hashFiles('requirements.txt') }}",
    "password: correct horse battery staple",
    "postgres://user:password@host/db",
    "postgres://user:***@host/db",
    "password: ${DB_PASSWORD_2}",
    "password: $DB_PASSWORD2",
    "password: DB_PASSWORD_2026",
    "password: rotate-monthly",
    "password: SecretString!",
    "password: secret/data/app2/db",
    "password = settings.db2.password",
    "password: argon2id-v19",
    "password: at least 12 characters, 2 of them digits",
    "password: v2.14.3-rollout",
    "pass: step2 of the rollout",
    "Passwords: 2026-10-07",
    "パスワード: 8文字以上、記号を1つ",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_words_about_secrets_are_none(text: str) -> None:
    assert list(found(text)) == []
    assert not is_seen(text)


MADE_UP = [
    "postgres://user:{}@host/db",
    "password: {}",
    'passwd = "{}"',
    "- **Password:** `{}`",
    "DB_PASSWORD={}  # prod",
    '{{"password": "{}", "user": "app"}}',
    "パスワードは「{}」です",
    "パスワード：{}",
    "DB_PASS={}",
    "pw: {} (staging)",
]


@pytest.mark.parametrize("place", MADE_UP)
@pytest.mark.parametrize("value", ["S3cr3tPw99", "Kuma-2026-Sakura!", "hunter2hunter2"])
def test_passwords_that_somebody_made_up(place: str, value: str) -> None:
    assert is_seen(place.format(value))


def test_each_finding_has_its_line_and_never_repeats_the_value() -> None:
    dice = random.Random("lines")
    key, token = VENDORS["GitHub personal"](dice), VENDORS["password"](dice)
    text = f"---\nname: a\n---\n\none {key}\ntwo\n{token}\n{VENDORS['private key'](dice)}\n"
    faults = list(secrets_of(File("a.md", text.encode())))
    assert [(fault.line, fault.message) for fault in faults] == [
        (5, "looks like a secret: GitHub token"),
        (7, "looks like a secret: a value called password"),
        (8, "looks like a secret: private key"),
    ]
    assert not any(key in str(fault) or token[10:] in str(fault) for fault in faults)


def test_a_secret_between_the_fences_counts_as_well() -> None:
    token = VENDORS["npm"](random.Random("head"))
    assert lines_with(f"---\nname: a\ndescription: use {token}\n---\nbody\n") == [3]


def test_a_value_that_yaml_puts_together() -> None:
    token = VENDORS["GitHub personal"](random.Random("folded"))
    escaped = "".join(f"\\x{ord(letter):02x}" for letter in token)
    for value in (f'"{token[:20]}\\\n  {token[20:]}"', f'"{escaped}"'):
        assert lines_with(f"---\nname: a\ndescription: {value}\n---\nbody\n") == [3]
    assert lines_with(f'---\nname: a\nmetadata:\n  x:\n    - y: "{escaped}"\n---\nbody\n') == [4]
    assert lines_with(f"---\nname: a\ndescription: '{token}'\n---\nbody\n") == [3]


def test_letters_that_do_not_show_hide_nothing() -> None:
    token = VENDORS["GitHub personal"](random.Random("hidden"))
    assert lines_with(f"one\n{token[:10]}\u200b{token[10:]}\n") == [2]
    assert lines_with(f"one\n{token} \u200b\n") == [2]


def test_a_very_long_line_is_looked_through_quickly() -> None:
    token = VENDORS["Anthropic"](random.Random("long"))
    assert lines_with("data " * 40_000 + token) == [1]
    assert lines_with("a-" * 100_000) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_text_of_two_or_four_bytes_a_letter(encoding: str) -> None:
    token = VENDORS["GitHub personal"](random.Random("wide"))
    data = f"鍵\none\n{token}\n".encode(encoding)
    assert [fault.line for fault in secrets_of(File("a.txt", data))] == [3]


def test_the_name_of_a_file_counts_and_is_not_repeated() -> None:
    token = VENDORS["GitHub personal"](random.Random("name"))
    (fault,) = secrets_of(File(f"keys/{token}.md", b"Nothing.\n"))
    assert str(fault).startswith("keys/***.md:1: secret the file's name looks like")
    assert token not in str(fault)


@pytest.mark.parametrize("piece", ["sk-", "-", "eyJ", "a@", "password=", "://", "[]("])
def test_the_time_for_a_long_line_is_bounded(piece: str) -> None:
    started = time.process_time()
    list(secrets_of(File("a.md", (piece * (60_000 // len(piece))).encode())))
    assert time.process_time() - started < 2
