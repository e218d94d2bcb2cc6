"""Nonces under each rule."""

import base64
import hashlib

from ..build import DROP, RAW_NONCE, Book, accepted, sha256hex, token, usual_key_set
from ..encoding import Raw, b64u


def book():
    book = Book("nonces", "Nonces: hashed, plain, unchecked, unsupported", apple=usual_key_set())

    def case(name, rule, claim, asked, expect, attacks=34, body=None, **more):
        nonce = {"rule": asked[0]} | ({"value": asked[1]} if asked[1] is not None else {}) | more
        book.case(name, rule, token(None, {"nonce": claim} | (body or {})), expect, nonce=nonce, attacks=attacks)

    raw = RAW_NONCE
    digest = hashlib.sha256(raw.encode()).digest()
    hashed = digest.hex()
    # Hashed
    case("hashed-good", "The claim is the lower-case hex SHA-256 of the value.", hashed, ("hashed", raw), accepted())
    for name, claim in {
        "plain": raw,
        "double": sha256hex(hashed),
        "double-octets": hashlib.sha256(digest).hexdigest(),
        "base64": base64.b64encode(digest).decode(),
        "base64url": b64u(digest),
        "base64url-of-hex": b64u(hashed.encode()),
        "upper": hashed.upper(),
        "mixed": hashed[:32] + hashed[32:].upper(),
        "prefix": hashed[:-1],
        "half": hashed[:32],
        "longer": hashed + "0",
        "space-before": " " + hashed,
        "space-after": hashed + " ",
        "newline": hashed + "\n",
        "nul": hashed + "\u0000",
        "0x": "0x" + hashed,
        "label": "sha256:" + hashed,
        "label-dash": "sha256-" + base64.b64encode(digest).decode(),
        "sha1": hashlib.sha1(raw.encode()).hexdigest(),
        "sha512": hashlib.sha512(raw.encode()).hexdigest(),
        "md5": hashlib.md5(raw.encode()).hexdigest(),
        "of-another": sha256hex("another"),
        "of-empty": sha256hex(""),
        "of-newline": sha256hex(raw + "\n"),
        "of-quotes": sha256hex(f'"{raw}"'),
        "of-utf16": hashlib.sha256(raw.encode("utf-16-le")).hexdigest(),
        "reversed": hashed[::-1],
        "full-width": hashed.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789abcdef"}),
        "colons": ":".join(hashed[i : i + 2] for i in range(0, 64, 2)),
        "one-letter": hashed[0],
    }.items():
        case(
            f"hashed-not-{name}",
            "Nothing but the lower-case hex SHA-256 of the value.",
            claim,
            ("hashed", raw),
            "nonce_mismatch",
        )
    case("hashed-missing-claim", "The claim must be there.", DROP, ("hashed", raw), "nonce_missing")
    case("hashed-empty-claim", "An empty claim is missing.", "", ("hashed", raw), "nonce_missing")
    case("hashed-missing-value", "The request must have a value.", hashed, ("hashed", None), "nonce_missing")
    case("hashed-empty-value", "An empty value is missing.", hashed, ("hashed", ""), "nonce_missing")
    case(
        "hashed-empty-value-of-empty",
        "An empty value is missing, even when the claim is its hash.",
        sha256hex(""),
        ("hashed", ""),
        "nonce_missing",
    )
    case("hashed-both-missing", "Nothing on both sides is no agreement.", DROP, ("hashed", None), "nonce_missing")
    case("hashed-both-empty", "Emptiness on both sides is no agreement.", "", ("hashed", ""), "nonce_missing")
    case(
        "hashed-value-is-hash",
        "A value that is itself the claim: the hash was sent in place of the raw nonce.",
        hashed,
        ("hashed", hashed),
        "nonce_mismatch",
    )
    case(
        "hashed-value-hash-good",
        "A value that looks like a hash is hashed as any other.",
        sha256hex(hashed),
        ("hashed", hashed),
        accepted(),
    )
    case("hashed-null", "A null claim is malformed.", None, ("hashed", raw), "claims_malformed")
    for name, value in (
        ("unicode", "nönce-鍵-\U0001f511"),
        ("space", " "),
        ("newline", "a\r\nb"),
        ("nul", "a\u0000b"),
        ("long", "n" * 5000),
        ("one", "n"),
        ("quote", '"\\'),
    ):
        case(
            f"hashed-value-{name}",
            "Any text can be a value; its UTF-8 octets are hashed.",
            sha256hex(value),
            ("hashed", value),
            accepted(),
        )
        case(f"plain-value-{name}", "Any text can be a value.", value, ("plain", value), accepted())
    # Plain
    case("plain-good", "The claim is the value.", raw, ("plain", raw), accepted())
    for name, claim in {
        "hashed": hashed,
        "base64": base64.b64encode(raw.encode()).decode(),
        "upper": raw.upper(),
        "title": raw.title(),
        "prefix": raw[:-1],
        "longer": raw + "x",
        "space-before": " " + raw,
        "space-after": raw + " ",
        "nul": raw + "\u0000",
        "nul-text": raw + "\u0000x",
        "plus": raw.replace(" ", "+"),
        "percent": raw.replace(" ", "%20"),
        "no-break-space": raw.replace(" ", "\u00a0"),
        "quotes": f'"{raw}"',
        "another": "another",
        "zero-width": raw + "\u200b",
        "one-letter": raw[0],
    }.items():
        case(f"plain-not-{name}", "Nothing but the value itself.", claim, ("plain", raw), "nonce_mismatch")
    case("plain-missing-claim", "The claim must be there.", DROP, ("plain", raw), "nonce_missing")
    case("plain-empty-claim", "An empty claim is missing.", "", ("plain", raw), "nonce_missing")
    case("plain-missing-value", "The request must have a value.", raw, ("plain", None), "nonce_missing")
    case("plain-empty-value", "An empty value is missing.", raw, ("plain", ""), "nonce_missing")
    case("plain-both-missing", "Nothing on both sides is no agreement.", DROP, ("plain", None), "nonce_missing")
    case("plain-both-empty", "Emptiness on both sides is no agreement.", "", ("plain", ""), "nonce_missing")
    case(
        "plain-hash-as-value",
        "A hash as the value of a plain nonce is a text as any other.",
        hashed,
        ("plain", hashed),
        accepted(),
    )
    case(
        "plain-escaped",
        "Escapes in the claim are resolved.",
        Raw('"raw\\u0020nonce of the re\\u0071uest"'),
        ("plain", raw),
        accepted(),
    )
    # Unicode: class 29
    for name, one, other in (
        ("nfc-nfd", "caf\u00e9", "cafe\u0301"),
        ("kelvin", "K1", "\u212a1"),
        ("angstrom", "\u00c5", "\u212b"),
        ("ligature", "fi", "\ufb01"),
        ("hangul", "\uac00", "\u1100\u1161"),
    ):
        for kind, value, claim in (("", one, other), ("-turned", other, one)):
            case(
                f"plain-unicode-{name}{kind}",
                "Equivalent text is not equal text.",
                claim,
                ("plain", value),
                "nonce_mismatch",
                [29, 34],
            )
            case(
                f"hashed-unicode-{name}{kind}",
                "The hash of equivalent text is another.",
                sha256hex(claim),
                ("hashed", value),
                "nonce_mismatch",
                [29, 34],
            )
            case(f"plain-unicode-{name}{kind}-same", "Text equals itself.", value, ("plain", value), accepted(), 29)
    # Unchecked
    case("unchecked-nothing", "Nothing is looked at.", DROP, ("unchecked", None), accepted())
    case("unchecked-claim", "A claim is not looked at.", raw, ("unchecked", None), accepted())
    case("unchecked-empty-claim", "An empty claim is not looked at.", "", ("unchecked", None), accepted())
    case("unchecked-value", "A value of the request cannot go unchecked.", raw, ("unchecked", raw), "nonce_mismatch")
    case(
        "unchecked-value-hashed",
        "A value of the request cannot go unchecked, hashed or not.",
        hashed,
        ("unchecked", raw),
        "nonce_mismatch",
    )
    case(
        "unchecked-value-no-claim",
        "A value of the request cannot go unchecked, with no claim either.",
        DROP,
        ("unchecked", raw),
        "nonce_mismatch",
    )
    # Devices that do not support a nonce
    for rule in ("hashed", "plain"):
        good = {"hashed": hashed, "plain": raw}[rule]

        def lenient(name, text, claim, value, flag, expect, asked=True):
            more = {"acceptsUnsupported": asked} if asked is not None else {}
            case(
                f"unsupported-{rule}-{name}", text, claim, (rule, value), expect, body={"nonce_supported": flag}, **more
            )

        lenient(
            "false", "A missing claim passes when the device says so and it is allowed.", DROP, raw, False, accepted()
        )
        lenient("false-string", "The device may say so as a string.", DROP, raw, "false", accepted())
        lenient("not-allowed", "Not unless it is allowed.", DROP, raw, False, "nonce_missing", None)
        lenient("not-allowed-said", "Not when it is said to be forbidden.", DROP, raw, False, "nonce_missing", False)
        lenient(
            "not-allowed-string",
            "Not unless it is allowed, for the string too.",
            DROP,
            raw,
            "false",
            "nonce_missing",
            None,
        )
        lenient("no-value", "The request's value is required all the same.", DROP, None, False, "nonce_missing")
        lenient("empty-value", "An empty value is missing.", DROP, "", False, "nonce_missing")
        lenient(
            "wrong-claim", "A claim that is there must be right.", sha256hex("another"), raw, False, "nonce_mismatch"
        )
        lenient("right-claim", "A claim that is there and right is good.", good, raw, False, accepted())
        for name, flag in (
            ("true", True),
            ("true-string", "true"),
            ("absent", DROP),
            ("null", None),
            ("zero", 0),
            ("zero-string", "0"),
            ("no", "no"),
            ("empty", ""),
            ("upper", "False"),
            ("array", []),
            ("space", "false "),
        ):
            lenient(
                f"flag-{name}",
                'Only false and "false" say that a nonce is not supported.',
                DROP,
                raw,
                flag,
                "nonce_missing",
            )
    return book
