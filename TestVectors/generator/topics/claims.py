"""The form of the claims: types, presence, lengths, numbers; issuer and subject as text."""

from ..build import APP, DROP, NOW, SUBJECT, Book, accepted, token, usual_key_set
from ..encoding import Raw

ISSUER = "https://appleid.apple.com"
ODD = (
    ("null", None),
    ("number", 7),
    ("true", True),
    ("false", False),
    ("array", []),
    ("object", {}),
    ("array-of-string", ["x"]),
)


def book():
    book = Book("claims", "Claims: types, presence, lengths, numbers, exact text", apple=usual_key_set())
    oidc = {"name": "oidc", "issuer": "https://id.example.com/K", "audiences": [APP]}
    free = {"name": "apple", "audiences": [APP], "maximumAge": None}

    def case(name, rule, body, expect, attacks=None, **more):
        book.case(name, rule, token(None, body), expect, attacks=attacks, **more)

    # Types
    strings = {"iss": 30, "sub": None, "nonce": 34, "azp": 32, "at_hash": 40, "c_hash": 40, "tid": None}
    for claim, attack in strings.items():
        for kind, value in ODD:
            slug = claim.replace("_", "-")
            body = {claim: ["https://appleid.apple.com"] if claim == "iss" and kind == "array-of-string" else value}
            case(
                f"type-{slug}-{kind}",
                f"{claim} must be a string when it is there.",
                body,
                "claims_malformed",
                attack,
                **({"nonce": {"rule": "unchecked"}} if claim == "nonce" else {}),
            )
    for kind, value in (
        ("null", None),
        ("number", 7),
        ("true", True),
        ("object", {APP: 1}),
        ("null-in-array", [None, APP]),
        ("number-in-array", [1, APP]),
        ("number-after", [APP, 1]),
        ("array-in-array", [[APP]]),
        ("object-in-array", [APP, {}]),
        ("true-in-array", [APP, True]),
    ):
        case(f"type-aud-{kind}", "aud must be a string or an array of strings.", {"aud": value}, "claims_malformed", 31)
    for claim in ("exp", "iat", "nbf", "auth_time"):
        slug = claim.replace("_", "-")
        for kind, value in (
            ("null", None),
            ("string", str(NOW)),
            ("string-date", "2026-09-21T00:00:00Z"),
            ("empty", ""),
            ("true", True),
            ("false", False),
            ("array", [NOW]),
            ("object", {}),
        ):
            case(
                f"type-{slug}-{kind}",
                f"{claim} must be a number when it is there.",
                {claim: value},
                "claims_malformed",
                21,
            )
        base = {"exp": NOW + 600, "iat": NOW, "nbf": NOW, "auth_time": NOW}[claim]
        for kind, text in (
            ("negative", "-1"),
            ("negative-fraction", "-0.5"),
            ("negative-tiny", "-1e-400"),
            ("negative-huge", "-1e300"),
            ("2-40", str(2**40)),
            ("2-40-fraction", f"{2**40}.5"),
            ("2-53-plus-1", str(2**53 + 1)),
            ("2-63", str(2**63)),
            ("2-64", str(2**64 + base)),
            ("1e300", "1e300"),
            ("1e309", "1e309"),
            ("1e400", "1e400"),
            ("fifty-digits", "1" * 50),
            ("four-hundred-digits", "9" * 400),
            ("huge-exponent", "1e99999999999999999999"),
            ("2e12", "2e12"),
            ("milliseconds", f"{base}000"),
        ):
            case(
                f"number-{slug}-{kind}",
                f"{claim} must be at least 0 and below 2^40.",
                {claim: Raw(text)},
                "claims_malformed",
                21,
            )
        for kind, text in (
            ("leading-zero", f"0{base}"),
            ("plus", f"+{base}"),
            ("no-whole", ".5"),
            ("point-at-end", f"{base}."),
            ("nan", "NaN"),
            ("infinity", "Infinity"),
            ("hexadecimal", hex(base)),
            ("bare-exponent", f"{base}e"),
            ("underscore", f"{base // 1000}_000"),
            ("full-width", "１７９０００００００"),
        ):
            case(
                f"number-{slug}-{kind}",
                f"{claim} must be a number of JSON.",
                {claim: Raw(text)},
                "claims_malformed",
                21,
            )
        for kind, text in (
            ("point-zero", f"{base}.0"),
            ("fraction", f"{base}.75"),
            ("exponent", f"{base // 10}e1"),
            ("exponent-upper-plus", f"{base // 100}E+2"),
            ("negative-exponent", f"{base}000e-3"),
            ("many-zeros", f"{base}." + "0" * 400),
            ("zeros-and-back", f"{base}" + "0" * 400 + "e-400"),
        ):
            case(
                f"number-{slug}-{kind}",
                f"{claim} can be written in any form of a JSON number.",
                {claim: Raw(text)},
                accepted(),
                21,
            )
    for kind, text, expect in (
        ("zero", "0", None),
        ("minus-zero", "-0", None),
        ("minus-zero-point", "-0.0", None),
        ("1e3", "1e3", None),
        ("one-and-a-half", "1.5", None),
        ("tiny", "1e-400", None),
        ("tiny-exponent", "1e-99999999999999999999", None),
        ("zero-huge-exponent", "0e99999999999999999999", None),
    ):
        case(
            f"number-exp-{kind}",
            "A small exp is a time long past, not an absent one.",
            {"exp": Raw(text), "iat": 0},
            "token_expired",
            [21, 22],
        )
        case(f"number-iat-{kind}", "A small iat is a time long past.", {"iat": Raw(text)}, "token_too_old", [21, 39])
        case(
            f"number-iat-{kind}-no-age",
            "Without a maximum age a small iat is no fault.",
            {"iat": Raw(text)},
            accepted(),
            21,
            provider=free,
        )
        case(f"number-nbf-{kind}", "A small nbf is a time long past.", {"nbf": Raw(text)}, accepted(), 21)
        case(f"number-auth-time-{kind}", "A small auth_time is no fault.", {"auth_time": Raw(text)}, accepted(), 21)
    for kind, text in (
        ("2-40-less-1", str(2**40 - 1)),
        ("2-40-less-half", f"{2**40 - 1}.5"),
        ("2-40-less-little", f"{2**40 - 1}." + "9" * 40),
        ("1e12", "1e12"),
    ):
        case(f"number-exp-{kind}", "The largest times are below 2^40.", {"exp": Raw(text)}, accepted(), 21)
        case(f"number-nbf-{kind}", "The largest times are below 2^40.", {"nbf": Raw(text)}, "token_not_yet_valid", 21)
        case(
            f"number-iat-{kind}",
            "The largest times are below 2^40.",
            {"iat": Raw(text), "exp": Raw(text)},
            "issued_in_future",
            [21, 39],
        )
        case(f"number-auth-time-{kind}", "auth_time is not compared here.", {"auth_time": Raw(text)}, accepted(), 21)
    # Presence
    case("missing-exp", "exp must be there.", {"exp": DROP}, "claims_malformed", 22)
    case("missing-iat", "iat must be there.", {"iat": DROP}, "claims_malformed", 39)
    case("missing-both-times", "exp and iat must be there.", {"exp": DROP, "iat": DROP}, "claims_malformed")
    case(
        "missing-iat-no-age",
        "iat must be there even without a maximum age.",
        {"iat": DROP},
        "claims_malformed",
        provider=free,
    )
    case("missing-iss", "iss must be there.", {"iss": DROP}, "issuer_mismatch", 30)
    case("missing-aud", "aud must be there.", {"aud": DROP}, "audience_mismatch", 31)
    case("missing-sub", "sub must be there.", {"sub": DROP}, "subject_missing")
    case("empty-sub", "sub must not be empty.", {"sub": ""}, "subject_missing")
    case(
        "missing-sub-email",
        "An e-mail does not stand in for sub.",
        {"sub": DROP, "email": SUBJECT},
        "subject_missing",
        43,
    )
    case(
        "missing-sub-transfer",
        "transfer_sub does not stand in for sub.",
        {"sub": DROP, "transfer_sub": SUBJECT},
        "subject_missing",
        45,
    )
    # Lengths of sub
    for length in (1, 128, 129, 254, 255):
        case(f"sub-{length}-bytes", "sub has at most 255 bytes.", {"sub": "s" * length}, accepted(subject="s" * length))
    case(
        "sub-254-bytes-letters",
        "The length of sub is counted in bytes.",
        {"sub": "é" * 127},
        accepted(subject="é" * 127),
    )
    for name, value in (
        ("256-bytes", "s" * 256),
        ("256-bytes-letters", "é" * 128),
        ("10000-bytes", "s" * 10000),
        ("256-bytes-emoji", "\U0001f511" * 64),
    ):
        case(f"sub-{name}", "sub of more than 255 bytes.", {"sub": value}, "claims_malformed", 24)
    # sub is opaque
    for name, value in (
        ("space", " "),
        ("spaces-around", f" {SUBJECT} "),
        ("controls", "a\u0000b\r\nc"),
        ("upper", SUBJECT.upper()),
        ("number-like", "0"),
        ("null-like", "null"),
        ("composed", "caf\u00e9"),
        ("decomposed", "cafe\u0301"),
        ("angstrom-letter", "\u00c5"),
        ("angstrom-sign", "\u212b"),
        ("kelvin-sign", "\u212a"),
        ("kelvin-letter", "K"),
        ("ligature", "\ufb01"),
        ("emoji", "\U0001f511"),
        ("right-to-left", "\u202eabc"),
        ("path", "../x"),
        ("sql", "' OR 1=1"),
    ):
        case(
            f"sub-text-{name}",
            "sub is taken as it is, code point by code point.",
            {"sub": value},
            accepted(subject=value),
            29 if ord(max(value)) > 127 else None,
        )
    # iss, byte for byte
    for name, value in (
        ("empty", ""),
        ("http", "http://appleid.apple.com"),
        ("slash", ISSUER + "/"),
        ("no-scheme", "appleid.apple.com"),
        ("longer", ISSUER + ".evil.example"),
        ("prefix", ISSUER[:-1]),
        ("scheme-alone", "https://"),
        ("upper-host", "https://APPLEID.apple.com"),
        ("upper-scheme", "HTTPS://appleid.apple.com"),
        ("port", ISSUER + ":443"),
        ("path", ISSUER + "/auth"),
        ("query", ISSUER + "?"),
        ("fragment", ISSUER + "#"),
        ("user", "https://appleid.apple.com@evil.example"),
        ("inside", "https://evil.example/" + ISSUER),
        ("space-before", " " + ISSUER),
        ("space-after", ISSUER + " "),
        ("newline", ISSUER + "\n"),
        ("nul", ISSUER + "\u0000"),
        ("dot", "https://appleid.apple.com."),
        ("google", "https://accounts.google.com"),
        ("team", "TEAM012345"),
        ("full-width-dot", "https://appleid\uff0eapple.com"),
        ("cyrillic", "https://\u0430ppleid.apple.com"),
        ("percent", "https://appleid%2Eapple.com"),
        ("list", ISSUER + "," + ISSUER),
        ("zero-width", "https://apple\u200bid.apple.com"),
    ):
        case(f"iss-{name}", "iss is compared byte for byte.", {"iss": value}, "issuer_mismatch", 30)
    case(
        "iss-escaped",
        "Escapes in iss are resolved before it is compared.",
        {"iss": Raw('"https:\\/\\/appleid.apple.co\\u006d"')},
        accepted(),
        30,
    )
    case(
        "iss-oidc",
        "The issuer of a configured provider.",
        {"iss": oidc["issuer"]},
        accepted(issuer=oidc["issuer"]),
        provider=oidc,
    )
    case(
        "iss-oidc-kelvin",
        "A Kelvin sign is canonically equivalent to K and another code point.",
        {"iss": "https://id.example.com/\u212a"},
        "issuer_mismatch",
        [29, 30],
        provider=oidc,
    )
    case(
        "iss-oidc-lower",
        "The path of an issuer has case.",
        {"iss": "https://id.example.com/k"},
        "issuer_mismatch",
        30,
        provider=oidc,
    )
    for name, configured, given in (
        ("nfc-nfd", "https://id.example.com/caf\u00e9", "https://id.example.com/cafe\u0301"),
        ("nfd-nfc", "https://id.example.com/cafe\u0301", "https://id.example.com/caf\u00e9"),
    ):
        provider = oidc | {"issuer": configured}
        case(
            f"iss-{name}",
            "Canonically equivalent issuers are different.",
            {"iss": given},
            "issuer_mismatch",
            [29, 30],
            provider=provider,
        )
        case(
            f"iss-{name}-same",
            "An issuer with accents equals itself.",
            {"iss": configured},
            accepted(issuer=configured),
            29,
            provider=provider,
        )
    # Claims whose type is free
    for claim in ("email", "email_verified", "is_private_email", "real_user_status", "nonce_supported"):
        for kind, value in (("null", None), ("object", {}), ("array", [1]), ("float", Raw("1e309"))):
            case(
                f"free-{claim.replace('_', '-')}-{kind}",
                f"{claim} of another type is no error.",
                {claim: value},
                accepted(),
                41 if claim == "email_verified" else None,
            )
    return book
