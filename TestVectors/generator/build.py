"""What the topics share: a book of cases, tokens of the usual shape and small changes to them."""

import hashlib

from . import crypto, keys
from .encoding import b64u, dump, octets, unb64u

NOW = 1790000000  # 2026-09-21, the `iat` of most tokens
AT = NOW + 30  # the moment of most checks
APP = "com.example.app"
WEB = "com.example.web"
OTHER = "com.example.other"
SUBJECT = "001234.0123456789abcdef0123456789abcdef.0915"
RAW_NONCE = "raw nonce of the request"
KID_A, KID_B = "Kx7rT2mQ9a", "b4Wq8"

KINDS = {"rsa": "RS256", "weak": "RS256", "p256": "ES256", "p384": "ES384", "p521": "ES512", "ed25519": "EdDSA"}
DROP = object()


def sha256hex(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def half_hash(text, name="sha256"):
    whole = hashlib.new(name, text.encode("utf-8")).digest()
    return b64u(whole[: len(whole) // 2])


def usual_key_set():
    return {"keys": [keys.jwk("rsa2048-a", KID_A, alg="RS256"), keys.jwk("rsa2048-b", KID_B, alg="RS256")]}


def change(members, changes):
    """A copy with changes: DROP removes, a new name goes to the end."""
    result = dict(members)
    for name, value in changes.items():
        if value is DROP:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def header(**changes):
    return change({"kid": KID_A, "alg": "RS256"}, changes)


def claims(**changes):
    """The claims of a good Apple token."""
    return change(
        {
            "iss": "https://appleid.apple.com",
            "aud": APP,
            "exp": NOW + 600,
            "iat": NOW,
            "sub": SUBJECT,
            "nonce": sha256hex(RAW_NONCE),
            "email": "jo@example.com",
            "email_verified": "true",
            "nonce_supported": True,
        },
        changes,
    )


def with_text(members, text):
    """The JSON text of an object with more members, as text, at its end."""
    return dump(members)[:-1] + "," + text + "}"


def sign(head, payload, key="rsa2048-a", algorithm=None):
    """A token; `head` and `payload` are objects or exact text. The algorithm is the header's or as given."""
    if algorithm is None:
        algorithm = head.get("alg") if isinstance(head, dict) else None
        if algorithm not in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"):
            algorithm = default_algorithm(key)
    signed = f"{b64u(octets(head))}.{b64u(octets(payload))}"
    material = key if isinstance(key, bytes) else keys.key(key)
    return f"{signed}.{b64u(crypto.sign(material, algorithm, signed.encode()))}"


def default_algorithm(key):
    return next(algorithm for start, algorithm in KINDS.items() if key.startswith(start))


def token(head=None, body=None, **more):
    """A token with changes to the usual header and the usual claims."""
    return sign(header(**(head or {})), claims(**(body or {})), **more)


def resign(text, signature):
    """The token with another signature (octets)."""
    return text.rpartition(".")[0] + "." + b64u(signature)


def parts_of(text):
    """What was signed, and the signature, as octets."""
    signed, _, signature = text.rpartition(".")
    return signed.encode(), unb64u(signature)


APPLE = {"name": "apple", "audiences": [APP]}
HASHED = {"rule": "hashed", "value": RAW_NONCE}
PLAIN = {"rule": "plain", "value": RAW_NONCE}
UNCHECKED = {"rule": "unchecked"}


def accepted(**values):
    return {"verdict": "accepted", "subject": SUBJECT} | values


def refused(code):
    return {"verdict": "refused", "code": code}


FAULT = {"verdict": "fault", "code": "keys_unavailable"}


class Book:
    """One file of vectors."""

    def __init__(self, topic, title, **key_sets):
        self.topic, self.title, self.key_sets, self.cases = topic, title, key_sets, []

    def case(
        self, name, rule, text, expect, *, attacks=None, provider=APPLE, keys="apple", nonce=HASHED, at=AT, **more
    ):
        case = {"id": f"{self.topic}-{name}", "rule": rule}
        if attacks:
            case["attacks"] = sorted([attacks] if isinstance(attacks, int) else attacks)
        case |= {"provider": provider, "keys": keys}
        if isinstance(text, bytes):
            case["tokenHex"] = text.hex()
        elif isinstance(text, dict):
            case["tokenRepeat"] = text
        else:
            case["token"] = text
        if nonce is not None:
            case["nonce"] = nonce
        case["at"] = at
        case |= more
        if isinstance(expect, str):
            expect = refused(expect)
        case["expect"] = expect
        self.cases.append(case)

    def key_set_case(self, name, rule, key_set, expect, attacks=None):
        """A case about a key set alone; the set is added under the case's own name."""
        if not isinstance(key_set, str) or key_set not in self.key_sets:
            self.key_sets[name] = key_set
            key_set = name
        case = {"id": f"{self.topic}-{name}", "rule": rule}
        if attacks:
            case["attacks"] = sorted([attacks] if isinstance(attacks, int) else attacks)
        self.cases.append(case | {"keySet": key_set, "expect": expect})

    def document(self):
        return {"format": "postern-vectors/1", "title": self.title, "keySets": self.key_sets, "cases": self.cases}
