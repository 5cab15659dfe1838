# ruff: noqa: E501
"""Tokens of many vendors, made from a seed, so that none of them stands in this repository."""

import base64
import json
import random
import string
from collections.abc import Callable

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
HEX = DIGITS + "abcdef"
WORD = LOWER + UPPER + DIGITS
URL = WORD + "-_"
BASE64 = WORD + "+/"

Dice = random.Random


def some(dice: Dice, alphabet: str, length: int) -> str:
    return "".join(dice.choice(alphabet) for _ in range(length))


def _jwt(dice: Dice) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, claims = (
        {"alg": "HS256", "typ": "JWT"},
        {"sub": some(dice, DIGITS, 10), "iat": 1760000000},
    )
    return f"{part(head)}.{part(claims)}.{some(dice, URL, 43)}"


def _uuid(dice: Dice) -> str:
    return "-".join(some(dice, HEX, size) for size in (8, 4, 4, 4, 12))


def _grafana(dice: Dice) -> str:
    told = {"o": some(dice, DIGITS, 6), "n": "stack", "k": some(dice, WORD, 24), "m": {"r": "eu"}}
    return "glc_" + base64.b64encode(json.dumps(told).encode()).decode()


def _private_key(dice: Dice) -> str:
    kind = dice.choice(["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA "])
    lines = [some(dice, BASE64, 64) for _ in range(3)]
    return "\n".join(
        [f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"]
    )


VENDORS: dict[str, Callable[[Dice], str]] = {
    "AWS key id": lambda d: d.choice(["AKIA", "ASIA"]) + some(d, UPPER + "234567", 16),
    "AWS secret key": lambda d: f"aws_secret_access_key = {some(d, BASE64, 40)}",
    "GitHub personal": lambda d: "ghp_" + some(d, WORD, 36),
    "GitHub fine-grained": lambda d: f"github_pat_{some(d, WORD, 22)}_{some(d, WORD, 59)}",
    "GitHub OAuth": lambda d: d.choice(["gho_", "ghu_", "ghs_", "ghr_"]) + some(d, WORD, 36),
    "GitLab": lambda d: "glpat-" + some(d, URL, 20),
    "GitLab runner": lambda d: "glrt-" + some(d, URL, 20),
    "Slack bot": lambda d: f"xoxb-{some(d, DIGITS, 12)}-{some(d, DIGITS, 13)}-{some(d, WORD, 24)}",
    "Slack app": lambda d: f"xapp-1-A{some(d, UPPER + DIGITS, 10)}-{some(d, DIGITS, 13)}-{some(d, HEX, 64)}",
    "Slack webhook": lambda d: f"https://hooks.slack.com/services/T{some(d, UPPER + DIGITS, 10)}/B{some(d, UPPER + DIGITS, 10)}/{some(d, WORD, 24)}",
    "Stripe": lambda d: d.choice(["sk_live_", "rk_live_"]) + some(d, WORD, 24),
    "Stripe long": lambda d: "sk_live_51" + some(d, WORD, 97),
    "Google API": lambda d: "AIza" + some(d, URL, 35),
    "Google OAuth": lambda d: "GOCSPX-" + some(d, URL, 28),
    "OpenAI": lambda d: f"sk-{some(d, WORD, 20)}T3BlbkFJ{some(d, WORD, 20)}",
    "OpenAI project": lambda d: f"sk-proj-{some(d, URL, 74)}T3BlbkFJ{some(d, URL, 73)}A",
    "Anthropic": lambda d: f"sk-ant-api03-{some(d, URL, 93)}AA",
    "npm": lambda d: "npm_" + some(d, WORD, 36),
    "PyPI": lambda d: "pypi-AgEIcHlwaS5vcmc" + some(d, URL, 150),
    "SendGrid": lambda d: f"SG.{some(d, URL, 22)}.{some(d, URL, 43)}",
    "Twilio key": lambda d: "SK" + some(d, HEX, 32),
    "Twilio token": lambda d: f"TWILIO_AUTH_TOKEN={some(d, HEX, 32)}",
    "Mailgun": lambda d: "key-" + some(d, HEX, 32),
    "Mailgun new": lambda d: f"{some(d, HEX, 32)}-{some(d, HEX, 8)}-{some(d, HEX, 8)}",
    "Mailchimp": lambda d: f"{some(d, HEX, 32)}-us{d.randint(1, 21)}",
    "DigitalOcean": lambda d: "dop_v1_" + some(d, HEX, 64),
    "Heroku": lambda d: f"HEROKU_API_KEY={_uuid(d)}",
    "Heroku new": lambda d: f"HRKU-AA{some(d, URL, 58)}",
    "JWT": _jwt,
    "private key": _private_key,
    "Azure storage": lambda d: f"DefaultEndpointsProtocol=https;AccountName=store;AccountKey={some(d, BASE64, 86)}==",
    "Azure client secret": lambda d: f"{some(d, WORD, 3)}8Q~{some(d, URL + '.~', 34)}",
    "Telegram": lambda d: f"{some(d, '123456789', 10)}:AA{some(d, URL, 33)}",
    "Discord": lambda d: f"M{some(d, WORD, 25)}.{some(d, URL, 6)}.{some(d, URL, 38)}",
    "Discord webhook": lambda d: f"https://discord.com/api/webhooks/{some(d, DIGITS, 19)}/{some(d, URL, 68)}",
    "Shopify": lambda d: "shpat_" + some(d, HEX, 32),
    "Square": lambda d: "sq0csp-" + some(d, URL, 43),
    "Square access": lambda d: "EAAA" + some(d, URL, 60),
    "Datadog": lambda d: f"DD_API_KEY: {some(d, HEX, 32)}",
    "Datadog in prose": lambda d: f"the datadog api key is {some(d, HEX, 32)}",
    "New Relic": lambda d: "NRAK-" + some(d, UPPER + DIGITS, 27),
    "Linear": lambda d: "lin_api_" + some(d, WORD, 40),
    "Notion": lambda d: "ntn_" + some(d, WORD, 46),
    "Notion old": lambda d: "secret_" + some(d, WORD, 43),
    "Hugging Face": lambda d: "hf_" + some(d, LOWER + UPPER, 34),
    "Databricks": lambda d: "dapi" + some(d, HEX, 32),
    "Doppler": lambda d: "dp.pt." + some(d, WORD, 43),
    "Vault": lambda d: "hvs." + some(d, URL, 90),
    "Vault old": lambda d: "s.a1B" + some(d, WORD, 21),
    "Cloudflare": lambda d: f"CLOUDFLARE_API_TOKEN={some(d, URL, 40)}",
    "Cloudflare origin": lambda d: f"v1.0-{some(d, HEX, 24)}-{some(d, HEX, 146)}",
    "Fly": lambda d: f"fm2_{some(d, BASE64, 180)}",
    "Supabase": lambda d: "sbp_" + some(d, HEX, 40),
    "Netlify": lambda d: "nfp_" + some(d, WORD, 36),
    "Sentry": lambda d: f"sntrys_{base64.b64encode(json.dumps({'iat': 1760000000.1, 'url': 'https://sentry.io'}).encode()).decode()}_{some(d, BASE64, 43)}",
    "Sentry user": lambda d: "sntryu_" + some(d, HEX, 64),
    "Postman": lambda d: f"PMAK-{some(d, HEX, 24)}-{some(d, HEX, 34)}",
    "Airtable": lambda d: f"pat{some(d, WORD, 14)}.{some(d, HEX, 64)}",
    "Figma": lambda d: "figd_" + some(d, URL, 40),
    "Grafana cloud": _grafana,
    "Grafana service": lambda d: f"glsa_{some(d, WORD, 32)}_{some(d, HEX, 8)}",
    "Pulumi": lambda d: "pul-" + some(d, HEX, 40),
    "Terraform Cloud": lambda d: f"{some(d, WORD, 14)}.atlasv1.{some(d, URL, 67)}",
    "age": lambda d: "AGE-SECRET-KEY-1" + some(d, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "Docker Hub": lambda d: "dckr_pat_" + some(d, URL, 27),
    "RubyGems": lambda d: "rubygems_" + some(d, HEX, 48),
    "Tailscale": lambda d: f"tskey-auth-k{some(d, WORD, 12)}CNTRL-{some(d, WORD, 32)}",
    "Groq": lambda d: "gsk_" + some(d, WORD, 52),
    "PlanetScale": lambda d: "pscale_pw_" + some(d, URL, 43),
    "Atlassian": lambda d: f"ATATT3xFfGF0{some(d, URL, 170)}={some(d, HEX, 8).upper()}",
    "password in a URL": lambda d: f"postgres://app:{some(d, WORD, 12)}7@db.internal:5432/app",
    "password": lambda d: f"password: {some(d, WORD + '!#%', 14)}5",
    "password in Japanese": lambda d: f"本番のパスワードは「{some(d, WORD, 15)}4」です",
}  # fmt: skip
"""Vendor → one token as it is handed out, with the words that usually stand before it where its
shape says nothing.
"""

PLACES = (
    "{}", "export KEY={}", "- the key is `{}`, do not share it", "token: \"{}\"", "鍵は{}です。",
    "curl -H 'Authorization: Bearer {}' https://api.example.test/v1/items", "| prod | {} | rotated |",
    "({})", "key={}&page=2", "    {}  # from the console",
)  # fmt: skip
"""Where a token may stand."""
