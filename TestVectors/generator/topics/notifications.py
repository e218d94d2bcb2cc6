"""Apple's server-to-server notifications, and how they and identity tokens stay apart."""

from ..build import APP, DROP, NOW, SUBJECT, WEB, Book, change, claims, header, sign, usual_key_set
from ..encoding import Pairs, dump

TYPES = ("consent-revoked", "account-delete", "account-deleted", "email-enabled", "email-disabled")


def event(kind="consent-revoked", **more):
    return {"type": kind, "sub": SUBJECT, "event_time": NOW * 1000} | more


def body(events, /, **changes):
    members = {"iss": "https://appleid.apple.com", "aud": APP, "iat": NOW, "jti": "abede...67890", "events": events}
    return change(members, changes)


def book():
    book = Book("notifications", "Notifications: events of accounts, apart from sign-ins", apple=usual_key_set())

    def case(name, rule, payload, expect, attacks=47, head=None, **more):
        if isinstance(expect, dict):
            expect = {"verdict": "accepted"} | expect
        more.setdefault("nonce", None)
        more.setdefault("notification", True)
        book.case(
            name,
            rule,
            sign(header(**(head or {})), payload, more.pop("key", "rsa2048-a")),
            expect,
            attacks=attacks,
            **more,
        )

    for kind in TYPES:
        good = {"events": kind, "subject": SUBJECT}
        extra = {"email": "q7@privaterelay.appleid.com", "is_private_email": "true"} if kind.startswith("email") else {}
        case(
            f"{kind}-object",
            "events as an object.",
            body(event(kind, **extra)),
            good | {"issuer": "https://appleid.apple.com", "audience": APP},
        )
        case(f"{kind}-string", "events as a string that holds an object.", body(dump(event(kind, **extra))), good)
        for form, wrap in (("object", lambda value: value), ("string", dump)):
            members = event(kind)
            del members["sub"]
            case(
                f"{kind}-{form}-no-subject",
                "An event about an account names the account.",
                body(wrap(members)),
                "subject_missing",
            )
            case(
                f"{kind}-{form}-empty-subject",
                "An event about an account names the account.",
                body(wrap(members | {"sub": ""})),
                "subject_missing",
            )
        case(
            f"{kind}-subject-outside",
            "The subject is inside the event, not beside it.",
            body({"type": kind}, sub=SUBJECT),
            "subject_missing",
        )
    good = {"events": "consent-revoked", "subject": SUBJECT}
    case(
        "unknown-type",
        "An event of an unknown type is taken as it is.",
        body({"type": "weather-changed", "sub": SUBJECT}),
        {"events": "weather-changed"},
    )
    case(
        "unknown-type-no-subject",
        "An event of an unknown type needs no subject.",
        body(dump({"type": "weather-changed"})),
        {"events": "weather-changed"},
    )
    case("type-case", "A type has case.", body({"type": "Consent-Revoked"}), {"events": "Consent-Revoked"})
    case("seconds", "event_time in seconds.", body(event(event_time=NOW)), good)
    case("event-time-odd", "event_time is not looked at.", body(event(event_time="yesterday")), good)
    case(
        "string-spaced",
        "White space in the text of events.",
        body(' { "type" : "consent-revoked" , "sub" : "' + SUBJECT + '" } '),
        good,
    )
    case("subject-beside-differs", "The subject is the one inside the event.", body(event(), sub="another"), good)
    case(
        "second-audience",
        "A notification for another of our apps.",
        body(event(), aud=WEB),
        good | {"audience": WEB},
        provider={"name": "apple", "audiences": [APP, WEB]},
    )
    for name, issuer in (("google", "https://accounts.google.com"), ("facebook", "https://www.facebook.com")):
        case(
            f"from-{name}",
            "Only Apple sends notifications.",
            body(event(), iss=issuer),
            "not_a_notification",
            provider={"name": name, "audiences": [APP]},
        )
    case("array-audience", "aud as an array.", body(event(), aud=[APP]), good)
    # Form of events
    for name, value in (
        ("null", None),
        ("number", 1),
        ("true", True),
        ("array", [event()]),
        ("empty-object", {}),
        ("no-type", {"sub": SUBJECT}),
        ("type-null", event(None)),
        ("type-number", event(5)),
        ("type-array", event(["consent-revoked"])),
        ("type-object", event({})),
        ("type-upper-name", {"Type": "consent-revoked", "sub": SUBJECT}),
        ("nested", {"events": event()}),
        ("uri-form", {"https://schemas.example.com/event/consent-revoked": {"subject": SUBJECT}}),
    ):
        case(f"events-object-{name}", "events is an object with a type.", body(value), "claims_malformed")
        if name not in ("array",):
            case(
                f"events-text-{name}", "events as text is an object with a type.", body(dump(value)), "claims_malformed"
            )
    for name, text in (
        ("empty", ""),
        ("space", " "),
        ("word", "consent-revoked"),
        ("quoted", '"consent-revoked"'),
        ("twice-encoded", dump(dump(event()))),
        ("array", dump([event()])),
        ("cut", dump(event())[:-1]),
        ("comma", dump(event())[:-1] + ",}"),
        ("two", dump(event()) + dump(event())),
        ("duplicate-type", dump(Pairs([("type", "x"), ("type", "consent-revoked"), ("sub", SUBJECT)]))),
        ("duplicate-escaped", '{"type":"x","\\u0074ype":"consent-revoked","sub":"' + SUBJECT + '"}'),
        ("bom", "\ufeff" + dump(event())),
    ):
        case(
            f"events-text-is-{name}",
            "The text of events is strict JSON: one object.",
            body(text),
            "claims_malformed",
            [19, 47] if "duplicate" in name else 47,
        )
    # Kind
    case("no-events", "A notification has events.", body(event(), events=DROP), "not_a_notification", [33, 47])
    case("identity-token", "An identity token is no notification.", claims(), "not_a_notification", [33, 47])
    case(
        "identity-token-no-nonce",
        "An identity token without a nonce is no notification either.",
        claims(nonce=DROP),
        "not_a_notification",
        [33, 47],
    )
    case("with-nonce", "A notification has no nonce.", body(event(), nonce="x"), "not_a_notification", [33, 47])
    case(
        "with-empty-nonce",
        "A notification has no nonce, not even an empty one.",
        body(event(), nonce=""),
        "not_a_notification",
        [33, 47],
    )
    case(
        "with-nonce-null",
        "nonce must be a string when it is there.",
        body(event(), nonce=None),
        "claims_malformed",
        [33, 47],
    )
    case(
        "events-in-other-case",
        "EVENTS is an unknown claim.",
        body(event(), events=DROP, EVENTS=event()),
        "not_a_notification",
        [19, 47],
    )
    for name, typ in (
        ("jwt", "JWT"),
        ("jwt-lower", "jwt"),
        ("secevent", "secevent+jwt"),
        ("secevent-upper", "SECEVENT+JWT"),
        ("secevent-mixed", "SecEvent+jwt"),
    ):
        case(f"typ-{name}", "typ of a notification.", body(event()), good, head={"typ": typ})
    for name, typ in (
        ("access-token", "at+jwt"),
        ("logout", "logout+jwt"),
        ("empty", ""),
        ("secevent-alone", "secevent"),
        ("space", "secevent+jwt "),
        ("long-s", "\u017fecevent+jwt"),
        ("jose", "JOSE"),
    ):
        case(
            f"typ-other-{name}",
            "A typ of another kind of token is refused.",
            body(event()),
            "not_a_notification",
            [33, 47],
            head={"typ": typ},
        )
    # The same tokens as sign-ins
    for form, events in (
        ("object", event()),
        ("string", dump(event())),
        ("null", None),
        ("empty-object", {}),
        ("empty-string", ""),
        ("array", []),
        ("false", False),
        ("zero", 0),
    ):
        for name, nonce, asked in (
            ("", DROP, {"rule": "unchecked"}),
            ("-with-nonce", claims()["nonce"], {"rule": "hashed", "value": "raw nonce of the request"}),
        ):
            case(
                f"as-identity-{form}{name}",
                "A token with events is no identity token, whatever they hold.",
                claims(events=events, nonce=nonce),
                "not_an_identity_token",
                [33, 47],
                nonce=asked,
                notification=False,
            )
            book.cases[-1].pop("notification")
    case(
        "as-identity-typ-secevent",
        "typ of a notification on an identity token.",
        claims(),
        "not_an_identity_token",
        [33, 47],
        {"typ": "secevent+jwt"},
        nonce={"rule": "hashed", "value": "raw nonce of the request"},
    )
    book.cases[-1].pop("notification")
    # Times
    case("old", "A notification has no maximum age.", body(event()), good, at=NOW + 10**7)
    case(
        "old-maximum-age",
        "A notification has no maximum age, configured or not.",
        body(event()),
        good,
        at=NOW + 10**7,
        provider={"name": "apple", "audiences": [APP], "maximumAge": 600},
    )
    case("exp-later", "exp may be there.", body(event(), exp=NOW + 86400), good)
    case(
        "exp-past",
        "exp counts when it is there.",
        body(event(), exp=NOW + 100),
        "token_expired",
        [38, 47],
        at=NOW + 160,
    )
    case(
        "exp-past-last-good",
        "exp counts when it is there, with the leeway.",
        body(event(), exp=NOW + 100),
        good,
        [38, 47],
        at=NOW + 159,
    )
    case("exp-null", "A null exp is not an absent one.", body(event(), exp=None), "claims_malformed", [21, 47])
    case("exp-string", "exp must be a number when it is there.", body(event(), exp="1"), "claims_malformed", [21, 47])
    case("exp-before-iat", "exp before iat is malformed.", body(event(), exp=NOW - 1), "claims_malformed", [39, 47])
    case("no-iat", "iat must be there.", body(event(), iat=DROP), "claims_malformed", [39, 47])
    case("iat-string", "iat must be a number.", body(event(), iat=str(NOW)), "claims_malformed", [21, 47])
    case("future", "A notification of the future.", body(event()), "issued_in_future", [38, 47], at=NOW - 61)
    case(
        "future-last-good",
        "A notification of the future, within the leeway.",
        body(event()),
        good,
        [38, 47],
        at=NOW - 60,
    )
    case("nbf", "nbf counts when it is there.", body(event(), nbf=NOW + 1000), "token_not_yet_valid", [38, 47])
    # The rest is as for identity tokens
    case("issuer", "Another issuer.", body(event(), iss="https://account.apple.com"), "issuer_mismatch", [30, 47])
    case("no-issuer", "No issuer.", body(event(), iss=DROP), "issuer_mismatch", [30, 47])
    case("audience", "Another app.", body(event(), aud="com.example.other"), "audience_mismatch", [31, 47])
    case("no-audience", "No audience.", body(event(), aud=DROP), "audience_mismatch", [31, 47])
    case(
        "narrowed",
        "Narrowing counts for notifications too.",
        body(event()),
        "audience_mismatch",
        [31, 47],
        narrow=WEB,
        provider={"name": "apple", "audiences": [APP, WEB]},
    )
    case("signature", "Another key's signature.", body(event()), "signature_invalid", key="rsa2048-b")
    case("unsigned", "An unsigned notification.", body(event()), "algorithm_not_allowed", [1, 47], {"alg": "none"})
    case("unknown-key", "An unknown key.", body(event()), "key_not_found", head={"kid": "Zzzzz"})
    case("no-kid", "No kid.", body(event()), "key_not_found", head={"kid": DROP})
    case("crit", "A critical header.", body(event()), "critical_header_unsupported", [26, 47], {"crit": ["exp"]})
    case("party", "azp of a stranger.", body(event(), azp="com.example.evil"), "authorized_party_mismatch", [32, 47])
    case(
        "duplicate-events",
        "events twice.",
        Pairs(list(body(event()).items()) + [("events", event("account-delete"))]),
        "claims_malformed",
        [19, 47],
    )
    return book
