"""Secrets in a line, through detect-secrets. The only module that imports it.

The one rule: it looks at shapes and asks nobody: its checks over the network are never called. It
is imported only for a line that one of its detectors could know, since importing it takes long.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

DETECTORS = {
    "aws.AWSKeyDetector": "AWS key",
    "azure_storage_key.AzureStorageKeyDetector": "Azure storage key",
    "discord.DiscordBotTokenDetector": "Discord bot token",
    "github_token.GitHubTokenDetector": "GitHub token",
    "gitlab_token.GitLabTokenDetector": "GitLab token",
    "ibm_cloud_iam.IbmCloudIamDetector": "IBM Cloud key",
    "ibm_cos_hmac.IbmCosHmacDetector": "IBM storage key",
    "cloudant.CloudantDetector": "Cloudant credential",
    "softlayer.SoftlayerDetector": "SoftLayer key",
    "mailchimp.MailchimpDetector": "Mailchimp key",
    "npm.NpmDetector": "npm token",
    "openai.OpenAIDetector": "OpenAI key",
    "pypi_token.PypiTokenDetector": "PyPI token",
    "sendgrid.SendGridDetector": "SendGrid key",
    "slack.SlackDetector": "Slack token",
    "square_oauth.SquareOAuthDetector": "Square secret",
    "stripe.StripeDetector": "Stripe key",
    "telegram_token.TelegramBotTokenDetector": "Telegram bot token",
    "twilio.TwilioKeyDetector": "Twilio key",
}
"""Its detectors of one vendor's shape each, by module and class. Those of any long word, of any
line that says `password`, of addresses and of key headers are left out: prose is full of them."""

_POSSIBLE = re.compile(
    r"A3T|ABIA|ACCA|AKIA|ASIA|(?i:aws).{0,20}(?i:key|pwd|pw|password|pass|token)|AccountKey="
    r"|[MNO][\w-]{23,25}\.[\w-]{6}\.|gh[pousr]_|gl[a-z]{2,5}-|GR1348941|(?i:ibm|cloudant|softlayer)"
    r"|(?i:cos|iam|sl)[_-]?(?i:api|key|hmac|account|secret)|(?i:hmac)|[0-9a-z]{32}-us|_authToken"
    r"|T3BlbkFJ|pypi-Ag|SG\.|(?i:xox)|hooks\.slack|sq0csp|k_live_|\d{8,10}:[\w-]{35}"
    r"|(?:AC|SK)[a-z0-9]{32}"
)


def detected(line: str) -> Iterator[tuple[str, str]]:
    """(kind, value) of each secret that a detector sees in a line."""
    if not _POSSIBLE.search(line):
        return
    for kind, detector in _detectors():
        for value in detector.analyze_string(line):
            yield kind, value


@cache
def _detectors() -> list[tuple[str, Any]]:
    from importlib import import_module

    found = []
    for place, kind in DETECTORS.items():
        module, _, name = place.partition(".")
        found.append((kind, getattr(import_module(f"detect_secrets.plugins.{module}"), name)()))
    return found
