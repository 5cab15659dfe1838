# ruff: noqa: E501
"""The shapes of secrets, vendor by vendor, and of the words that stand before one.

The one rule: a shape says by itself whose it is. Values without a shape of their own count only
beside the word that names them. A pattern stays on one line, so that it can be read as a whole.
"""

import re
from dataclasses import dataclass

from memgit.domain.gates.patterns import Pattern


@dataclass(frozen=True)
class Shape:
    """A vendor's shape; a line without one of `marks` is not matched. Its last group is the value."""

    kind: str
    marks: tuple[str, ...]
    pattern: Pattern


def _shape(kind: str, marks: str, pattern: str) -> Shape:
    return Shape(kind, tuple(marks.split()), Pattern(rf"(?<![A-Za-z0-9]){pattern}"))


_END = r"(?![A-Za-z0-9])"
LONG = re.compile(r"[\w.~=+/:@-]{20}")
ADDRESS = Pattern(
    r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{0,20}://(?P<user>[^\s:@/\"'<>]{0,64}):(?!(?P=user)@)(?P<value>(?=[^\s@]*[\d\W])[^\s:@/\"'<>]{6,128})@[\w\[]"
)
"""A password between the user and the host of an address."""

SHAPES = (
    _shape("AWS key", "AKIA ASIA ABIA ACCA A3T", rf"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}"),
    _shape("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})"),
    _shape("GitLab token", "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- glagent- gloas- glimt-", r"gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|oas|imt)-[\w.-]{20,}"),
    _shape("Slack token", "xox xapp-", r"(?:xox[abeoprs](?:\.xox[a-z])?-[\w-]{16,}|xapp-\d-[\w-]{20,})"),
    _shape("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/(T?[\w/]{20,})"),
    _shape("Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,})"),
    _shape("Google key", "AIza GOCSPX- ya29.", r"(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,})"),
    _shape("OpenAI key", "sk-", r"sk-(?:proj-|svcacct-|admin-)?(?=[\w-]{0,255}\d)(?=[\w-]{0,255}[A-Z])[A-Za-z0-9_-]{32,}"),
    _shape("Anthropic key", "sk-ant-", r"sk-ant-[\w-]{24,}"),
    _shape("OpenRouter key", "sk-or-", r"sk-or-v\d-[0-9a-f]{40,}"),
    _shape("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _shape("PyPI token", "pypi-", r"pypi-Ag[\w-]{40,}"),
    _shape("SendGrid key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _shape("Twilio key", "AC SK", rf"(?:AC|SK)[0-9a-f]{{32}}{_END}"),
    _shape("Mailgun key", "key- -", rf"(?:key-[0-9a-f]{{32}}|[0-9a-f]{{32}}-[0-9a-f]{{8}}-[0-9a-f]{{8}}){_END}"),
    _shape("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[por]_v1_[0-9a-f]{64}"),
    _shape("Heroku key", "HRKU-", r"HRKU-[\w-]{36,}"),
    _shape("JSON web token", "eyJ", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    _shape("Azure key", "AccountKey= SharedAccessKey= sig=", r"(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%]{40,}=*)"),
    _shape("Azure client secret", "8Q~ 7Q~", r"[\w.~-]{3}[78]Q~[\w.~-]{31,34}"),
    _shape("Telegram bot token", ":A", r"\d{8,10}:A[\w-]{34}"),
    _shape("Discord token", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}"),
    _shape("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d+/([\w-]{60,})"),
    _shape("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _shape("Square token", "sq0 EAAA", r"(?:sq0(?:atp|csp|idp)-[\w-]{22,}|EAAA[\w-]{56,})"),
    _shape("New Relic key", "NRAK- NRII- NRJS-", r"NR(?:AK|II|JS)-[A-Za-z0-9-]{19,}"),
    _shape("Linear key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _shape("Notion token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})"),
    _shape("Hugging Face token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{34,}"),
    _shape("Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _shape("Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}"),
    _shape("Vault token", "hvs. hvb. hvr. s.", rf"(?:hv[sbr]\.[\w-]{{24,}}|s\.(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9]{{24}}{_END})"),
    _shape("Cloudflare key", "v1.0- cfut_ cfat_", r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf[ua]t_[\w-]{40,})"),
    _shape("Fly token", "FlyV1 fo1_ fm2_", r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/=_-]{60,})"),
    _shape("Supabase token", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    _shape("Netlify token", "nfp_", r"nfp_[A-Za-z0-9]{36,}"),
    _shape("Sentry token", "sntrys_ sntryu_", r"(?:sntrys_[\w+/=-]{40,}|sntryu_[0-9a-f]{64})"),
    _shape("Sentry address", "ingest sentry.io", r"https://[0-9a-f]{32}(?::([0-9a-f]{32}))@[\w.-]+"),
    _shape("Postman key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _shape("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _shape("Figma token", "figd_ figo_ figu_", r"fig[dou]_[\w-]{30,}"),
    _shape("Grafana token", "glc_ glsa_ eyJr", r"(?:glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|eyJrIjoi[\w+/=-]{40,})"),
    _shape("Pulumi token", "pul-", r"pul-[0-9a-f]{40}"),
    _shape("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    _shape("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58}"),
    _shape("Docker token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{27,}"),
    _shape("Dropbox token", "sl.", r"sl\.(?:u\.)?(?=[\w-]*\d)[\w-]{100,}"),
    _shape("Rubygems key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _shape("crates.io token", "cio", rf"cio[A-Za-z0-9]{{32}}{_END}"),
    _shape("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}"),
    _shape("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{48,}"),
    _shape("Replicate token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _shape("xAI key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    _shape("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _shape("Tailscale key", "tskey-", r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]+-[A-Za-z0-9]{20,}"),
    _shape("Buildkite token", "bkua_ bkat_", r"bk[ua][at]?_[0-9a-f]{40}"),
    _shape("Atlassian token", "ATATT3 ATCTT3 ATBB", rf"(?:AT[AC]TT3[\w=-]{{60,}}|ATBB[A-Za-z0-9]{{32}}{_END})"),
    _shape("Asana token", "/", r"[12]/\d{15,}(?:/\d{15,})?:[0-9a-f]{32}"),
    _shape("Firebase key", "AAAA", r"AAAA[\w-]{7}:[\w-]{140,}"),
)  # fmt: skip
"""The shapes of the vendors that detect-secrets does not know, or knows in an older form."""

SAYS_SECRET = re.compile(
    r"(?i)passw|passphrase|(?<![a-z])pass(?![a-z])|(?<![a-z])pw(?![a-z])|secret|token|key|credential|pwd|bearer|basic|"
    r"パスワード|トークン|シークレット|秘密鍵|暗証|キー"
)
ASSIGNED = Pattern(
    r"(?i)(?P<what>(?<![\w.-])[\w.-]{0,40}?(?P<word>passw(?:or)?d|passphrase|secret|token|api[_ -]?key|access[_ -]?key|"
    r"auth[_ -]?key|account[_ -]?key|private[_ -]?key|app(?:lication)?[_ -]?key|credential|\bpwd\b|bearer|basic)[\w.-]*"
    r"|(?P<ja>パスワード|トークン|シークレット|秘密鍵|暗証|API ?キー|アクセスキー))"
    r"[\"'`*]{0,3}\s*(?::=|=>|[:=：＝]|\bis\b|は|→|\s)\s*[\"'`*「『“]{0,3}(?:bearer |basic )?"
    r"(?P<value>[!#-&(-+\--:=?-Z^_a-z~-]{8,200})"
)
PASSWORD = Pattern(
    r"(?i)(?P<word>passw(?:or)?d|passphrase|(?<![a-z])(?:pwd|pw|pass)|パスワード|暗証番号)[\"'`*]{0,3}\s*"
    r"(?:=>|[:=：＝]|(?<=ド)は)[*\"'`]{0,2}\s*[\"'`*「『“]{0,3}(?P<value>[!#-&*-:=?-Z^_a-z~-]{8,128}?)"
    r"(?:[\"'`*」』”]|(?=\s*(?:\Z|[#,;|)}。、]|[^\x00-\x7f])|\s+\())"
)
"""One token, given by a sign to something called a password: it ends the line, or is in quotes."""

NO_PASSWORD = Pattern(
    r"(?i)[./~]*[\w.-]+(?:/[\w.-]+)+/?\Z|[a-z_]\w*(?:\.[a-z_]\w*)+\Z|[a-z][a-z0-9]*(?:_[a-z0-9]+)+\Z"
    r"|.*(?:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|md5|base64|oauth|1password|://)|v?\d+\.\d"
)
"""Paths, names out of a program, and how passwords are stored."""

VENDORS = (
    "aws|azure|twilio|datadog|dd_|heroku|cloudflare|mailgun|mailchimp|new ?relic|netlify|"
    "vercel|circleci|travis|algolia|pagerduty|okta|auth0|zendesk|hubspot|intercom|segment|mixpanel|"
    "snyk|sonar|codecov|bitbucket|jira|dropbox|facebook|twitter|linkedin|spotify|plaid|coinbase|"
    "fastly|rollbar|launchdarkly|contentful|mapbox|amplitude"
)
SAYS_VENDOR = Pattern(rf"(?i){VENDORS}")
VENDOR = Pattern(
    rf"(?i)(?P<what>{VENDORS})[\w.-]*"
    r"(?:[^\n]{0,30}?(?:key|token|secret|auth|password|sid|トークン|キー|鍵)[\w.-]*)?[\"'`*]{0,3}\s*"
    r"(?::=|=>|[:=：＝]|\bis\b|は|→)\s*[\"'`*]{0,3}(?P<value>[A-Za-z0-9+/=_~.-]{24,200})"
)
UUID = Pattern(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
NOT_SECRET = Pattern(
    r"(?i)tokens?[_ -]?(?:count|limit|budget|usage|cost|window|size|length|type|url|name|id)|max[_ -]?tokens?"
    r"|(?:secret|key|token|password)[_ -]?(?:name|id|path|file|url|env|type|length|arn)\b|sessionid|session[_ -]id"
    r"|public[_ -]?key"
)


PRIVATE_KEY = Pattern(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)*"
    r"(?:[A-Za-z-]+: [^\n]*(?:\s|\\n)+)*(?:[A-Za-z0-9+/=]{20,}(?:\s|\\n)*)"
)
