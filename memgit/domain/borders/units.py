"""Words that statements are made of: units and what they count, and the environments of a system.

The one rule: a number means the same whatever unit it was written in.
"""

import re

MARKS = {
    "staging": "staging", "stage": "staging", "ステージング": "staging", "検証": "staging",
    "production": "production", "prod": "production", "本番": "production", "live": "production",
    "local": "local", "localhost": "local", "locally": "local",
    "ローカル": "local", "dev": "local", "開発": "local",
    "development": "local", "ci": "ci", "test": "test", "testing": "test", "試験": "test",
    "sandbox": "sandbox", "サンドボックス": "sandbox", "preview": "preview", "canary": "canary",
    "replica": "replica", "primary": "primary", "windows": "windows", "linux": "linux",
    "macos": "macos", "ios": "ios", "android": "android",
}  # fmt: skip
_SECONDS = {
    "ms": 0.001, "millisecond": 0.001, "ミリ秒": 0.001, "s": 1, "sec": 1, "second": 1, "秒": 1,
    "min": 60, "minute": 60, "分": 60, "h": 3600, "hour": 3600, "時間": 3600, "day": 86400,
    "日間": 86400, "week": 604800, "週間": 604800,
}  # fmt: skip
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_THINGS = {
    "row": "rows", "行": "rows", "line": "rows", "character": "characters", "char": "characters",
    "文字": "characters", "space": "spaces", "column": "columns", "桁": "columns",
    "worker": "workers", "connection": "connections", "接続": "connections",
    "retry": "times", "retrie": "times",
    "attempt": "times", "time": "times", "回": "times", "item": "items", "件": "items",
    "個": "items", "user": "people", "people": "people",
    "人": "people", "名": "people", "approval": "approvals",
    "reviewer": "approvals", "request": "requests", "percent": "percent", "%": "percent",
    "％": "percent", "token": "tokens", "円": "yen", "dollar": "dollars",
}  # fmt: skip
UNITS = "|".join(
    sorted(map(re.escape, (*_SECONDS, *_BYTES, *_THINGS, "retries")), key=len, reverse=True)
)


def unit_of(unit: str) -> tuple[str, float]:
    """(kind, factor): what a number with this unit counts, and how many of those one is."""
    if unit in _SECONDS:
        return "seconds", _SECONDS[unit]
    if unit in _BYTES:
        return "bytes", float(_BYTES[unit])
    return _THINGS.get(unit, "times"), 1.0
