"""Tokens as Apple has issued them from 2019 on, all made up but of the real shapes."""

from ..build import (
    APP,
    DROP,
    OTHER,
    SUBJECT,
    WEB,
    Book,
    accepted,
    change,
    claims,
    half_hash,
    header,
    refused,
    sha256hex,
    sign,
)
from .. import keys

RELAY_OLD = "q7xk2m9zt4@privaterelay.appleid.com"
RELAY_NEW = "q7xk2m9zt4@private.icloud.com"


def book():
    def key(name, kid):
        return keys.jwk(name, kid, alg="RS256")

    book = Book(
        "apple-shapes",
        "Apple: token shapes of 2019 to 2026",
        one={"keys": [key("rsa2048-a", "TK19A")]},
        three={"keys": [key("rsa2048-a", "TK19A"), key("rsa2048-b", "Vn3Yq0B"), key("rsa2048-c", "c8LmPz2R")]},
        renamed={"keys": [key("rsa2048-c", "H5uJw"), key("rsa2048-b", "pN4vRt2Lc8"), key("rsa2048-a", "Zt6Wd9s")]},
    )
    provider = {"name": "apple", "audiences": [APP, WEB]}

    def shape(
        name,
        rule,
        at,
        kid,
        key,
        body=None,
        expect=None,
        head=None,
        life=600,
        key_set="renamed",
        attacks=None,
        order=None,
        **more,
    ):
        iat = at - 20
        members = claims(iat=iat, exp=iat + life, **(body or {}))
        if order:
            members = {member: members[member] for member in order}
        text = sign(header(kid=kid, **(head or {})), members, key)
        if not isinstance(expect, str):
            expect = accepted(**({"issuer": "https://appleid.apple.com", "audience": APP} | (expect or {})))
        more.setdefault("provider", provider)
        book.case(name, rule, text, expect, keys=key_set, at=at, attacks=attacks, **more)

    none = {"email": DROP, "email_verified": DROP}
    t2019, t2020, t2021, t2022, t2023 = 1570000000, 1583000000, 1620000000, 1650500000, 1690000000
    t2024, t2025, t2026 = 1720000000, 1750000000, 1780000000

    shape(
        "2019-native-first",
        "The one-key set of 2019, ten minutes of life, the flag as a string.",
        t2019,
        "TK19A",
        "rsa2048-a",
        {"nonce_supported": DROP},
        {"email": "jo@example.com", "emailVerified": True, "privateEmail": False},
        key_set="one",
    )
    shape(
        "2019-later-without-email",
        "A token without e-mail is complete.",
        t2019 + 5000,
        "TK19A",
        "rsa2048-a",
        none | {"nonce_supported": DROP},
        {"email": None},
        key_set="one",
        attacks=42,
    )
    shape(
        "2019-with-auth-time",
        "auth_time is allowed and not looked at.",
        t2019 + 9000,
        "TK19A",
        "rsa2048-a",
        {"auth_time": t2019, "nonce_supported": DROP},
        key_set="one",
    )
    shape(
        "2019-relay-string-flags",
        "A relay address with both flags as strings.",
        t2019 + 11000,
        "TK19A",
        "rsa2048-a",
        {"email": RELAY_OLD, "is_private_email": "true"},
        {"email": RELAY_OLD, "emailVerified": True, "privateEmail": True},
        key_set="one",
        attacks=42,
    )
    for kid, name in (("TK19A", "rsa2048-a"), ("Vn3Yq0B", "rsa2048-b"), ("c8LmPz2R", "rsa2048-c")):
        shape(
            f"2020-three-keys-{kid.lower()}",
            "The key is the one that kid names, wherever it stands in the set.",
            t2020,
            kid,
            name,
            {"c_hash": half_hash("c0de.2020")},
            {"email": "jo@example.com"},
            key_set="three",
        )
    shape(
        "2020-kid-of-another-key",
        "A good signature under another key's kid is refused.",
        t2020,
        "Vn3Yq0B",
        "rsa2048-a",
        expect="signature_invalid",
        key_set="three",
    )
    for status in (0, 1, 2):
        shape(
            f"2020-real-user-{status}",
            f"real_user_status {status} is read.",
            t2020 + 100 + status,
            "Vn3Yq0B",
            "rsa2048-b",
            {"real_user_status": status},
            {"realUserStatus": status},
            key_set="three",
        )
    shape(
        "2026-real-user-7",
        "An unknown real_user_status does not spoil the token.",
        t2026,
        "pN4vRt2Lc8",
        "rsa2048-b",
        {"real_user_status": 7},
        {"realUserStatus": 7},
    )
    shape(
        "2021-native-full",
        "Everything a native sign-in carries.",
        t2021,
        "H5uJw",
        "rsa2048-c",
        {
            "c_hash": half_hash("c6f0.native"),
            "auth_time": t2021 - 20,
            "is_private_email": "false",
            "real_user_status": 2,
        },
        {"email": "jo@example.com", "emailVerified": True, "privateEmail": False, "realUserStatus": 2},
        order=[
            "iss",
            "aud",
            "exp",
            "iat",
            "sub",
            "nonce",
            "c_hash",
            "email",
            "email_verified",
            "is_private_email",
            "auth_time",
            "nonce_supported",
            "real_user_status",
        ],
        code="c6f0.native",
    )
    shape(
        "2021-token-endpoint",
        "A token of the token endpoint has at_hash.",
        t2021 + 60,
        "Zt6Wd9s",
        "rsa2048-a",
        {"at_hash": half_hash("a1.access"), "auth_time": t2021},
        accessToken="a1.access",
    )
    shape(
        "2021-hybrid-web",
        "A web token with both hashes and a plain nonce.",
        t2021 + 90,
        "Zt6Wd9s",
        "rsa2048-a",
        {"aud": WEB, "nonce": "web-nonce-1", "at_hash": half_hash("a2.access"), "c_hash": half_hash("c2.code")},
        {"audience": WEB},
        nonce={"rule": "plain", "value": "web-nonce-1"},
        accessToken="a2.access",
        code="c2.code",
    )
    shape(
        "2022-a-day-of-life",
        "A lifetime of 86400 seconds is accepted while the token is young.",
        t2022,
        "pN4vRt2Lc8",
        "rsa2048-b",
        life=86400,
    )
    shape(
        "2022-a-day-of-life-too-old",
        "A token valid for a day is too old for a sign-in after the maximum age.",
        t2022,
        "pN4vRt2Lc8",
        "rsa2048-b",
        life=86400,
        expect="token_too_old",
        attacks=39,
        provider=provider | {"maximumAge": 10, "leeway": 0},
    )
    shape(
        "2022-a-day-of-life-no-age",
        "Without a maximum age the same lifetime counts in full.",
        t2022,
        "pN4vRt2Lc8",
        "rsa2048-b",
        life=86400,
        provider=provider | {"maximumAge": None},
    )
    shape(
        "2023-booleans",
        "The flags as booleans.",
        t2023,
        "H5uJw",
        "rsa2048-c",
        {"email": RELAY_OLD, "email_verified": True, "is_private_email": True},
        {"email": RELAY_OLD, "emailVerified": True, "privateEmail": True},
        life=86400,
        attacks=41,
    )
    shape(
        "2023-booleans-false",
        "The flags as booleans, both false.",
        t2023 + 1,
        "H5uJw",
        "rsa2048-c",
        {"email_verified": False, "is_private_email": False},
        {"email": "jo@example.com", "emailVerified": False, "privateEmail": False},
        life=86400,
        attacks=41,
    )
    shape(
        "2023-string-false",
        'The string "false" is false.',
        t2023 + 2,
        "H5uJw",
        "rsa2048-c",
        {"email_verified": "false", "is_private_email": "false"},
        {"emailVerified": False, "privateEmail": False},
        life=86400,
        attacks=[41, 44],
    )
    shape(
        "2023-mixed-flags",
        "One flag as a boolean, the other as a string.",
        t2023 + 3,
        "H5uJw",
        "rsa2048-c",
        {"email": RELAY_OLD, "email_verified": True, "is_private_email": "true"},
        {"emailVerified": True, "privateEmail": True},
        life=86400,
        attacks=41,
    )
    shape(
        "2024-transfer-sub",
        "transfer_sub does not take the place of sub.",
        t2024,
        "Zt6Wd9s",
        "rsa2048-a",
        {"transfer_sub": "009876.fedcba9876543210fedcba9876543210.1111"},
        {"subject": SUBJECT},
        life=86400,
        attacks=45,
    )
    shape(
        "2024-new-sub-after-transfer",
        "After a transfer the subject is another one, e-mail or not.",
        t2024 + 1,
        "Zt6Wd9s",
        "rsa2048-a",
        {"sub": "009876.00112233445566778899aabbccddeeff.2020", "transfer_sub": SUBJECT},
        {"subject": "009876.00112233445566778899aabbccddeeff.2020", "email": "jo@example.com"},
        life=86400,
        attacks=[42, 43, 45],
    )
    shape(
        "2024-managed-account",
        "org_id and scopes of a managed account are unknown claims.",
        t2024 + 2,
        "Zt6Wd9s",
        "rsa2048-a",
        {
            "org_id": "1f0e3dad-0000-4000-8000-000000000001",
            "scopes": ["edu.users.read"],
            "email": "",
            "email_verified": False,
        },
        {"email": None},
        life=86400,
    )
    shape(
        "2024-managed-unverified",
        "A managed account's address can be unverified.",
        t2024 + 3,
        "Zt6Wd9s",
        "rsa2048-a",
        {
            "org_id": "1f0e3dad-0000-4000-8000-000000000001",
            "email": "pupil@school.example.com",
            "email_verified": "false",
        },
        {"email": "pupil@school.example.com", "emailVerified": False},
        life=86400,
        attacks=44,
    )
    shape(
        "2025-nonce-supported-string",
        "nonce_supported as a string.",
        t2025,
        "H5uJw",
        "rsa2048-c",
        {"nonce_supported": "true"},
        life=86400,
    )
    shape(
        "2025-web-no-nonce",
        "A web client that asks no nonce, under the unchecked rule.",
        t2025 + 1,
        "H5uJw",
        "rsa2048-c",
        {"aud": WEB, "nonce": DROP},
        {"audience": WEB},
        life=86400,
        nonce={"rule": "unchecked"},
    )
    shape(
        "2025-account-issuer",
        "The issuer that discovery once announced is not the issuer of tokens.",
        t2025,
        "H5uJw",
        "rsa2048-c",
        {"iss": "https://account.apple.com"},
        "issuer_mismatch",
        life=86400,
        attacks=30,
    )
    shape(
        "2025-array-audience",
        "aud as an array of one.",
        t2025 + 2,
        "H5uJw",
        "rsa2048-c",
        {"aud": [APP]},
        {"audience": APP},
        life=86400,
        attacks=31,
    )
    shape(
        "2025-array-two-own",
        "aud as an array of two, both configured.",
        t2025 + 3,
        "H5uJw",
        "rsa2048-c",
        {"aud": [APP, WEB]},
        {"subject": SUBJECT},
        life=86400,
        attacks=31,
        provider=provider,
    )
    book.cases[-1]["expect"].pop("audience")
    shape(
        "2026-new-relay-domain",
        "The relay domain of 2026.",
        t2026 + 1,
        "pN4vRt2Lc8",
        "rsa2048-b",
        {"email": RELAY_NEW, "email_verified": True, "is_private_email": True},
        {"email": RELAY_NEW, "emailVerified": True, "privateEmail": True},
        life=86400,
        attacks=42,
    )
    shape(
        "2026-relay-unflagged",
        "Only the flag makes an address private, not its domain.",
        t2026 + 2,
        "pN4vRt2Lc8",
        "rsa2048-b",
        {"email": RELAY_NEW, "email_verified": True},
        {"email": RELAY_NEW, "emailVerified": True, "privateEmail": False},
        life=86400,
        attacks=42,
    )
    shape(
        "2026-plain-icloud",
        "An ordinary address at icloud.com.",
        t2026 + 3,
        "pN4vRt2Lc8",
        "rsa2048-b",
        {"email": "jo.example@icloud.com", "email_verified": True},
        {"email": "jo.example@icloud.com", "privateEmail": False},
        life=86400,
    )
    shape(
        "2026-unknown-claims",
        "Unknown claims of every type are ignored.",
        t2026 + 4,
        "pN4vRt2Lc8",
        "rsa2048-b",
        {
            "age_range": {"low": 18, "high": None},
            "list": [1, "2", [], {}],
            "flag": True,
            "nil": None,
            "ratio": 0.25,
            "jti": 7,
            "name": "Jo",
            "user": {"email": "other@example.com"},
        },
        {"email": "jo@example.com"},
        life=86400,
    )
    shape(
        "2026-typ-present",
        "typ JWT in the header changes nothing.",
        t2026 + 5,
        "Zt6Wd9s",
        "rsa2048-a",
        head={"typ": "JWT"},
        life=86400,
    )
    shape("2026-five-character-kid", "A kid of five characters.", t2026 + 6, "H5uJw", "rsa2048-c", life=86400)
    shape(
        "2026-old-kid",
        "A kid of years ago is unknown today.",
        t2026 + 7,
        "TK19A",
        "rsa2048-a",
        expect="key_not_found",
        life=86400,
    )
    shape(
        "2026-app-of-another-team",
        "A token for another app is refused.",
        t2026 + 8,
        "Zt6Wd9s",
        "rsa2048-a",
        {"aud": OTHER},
        "audience_mismatch",
        life=86400,
        attacks=31,
    )
    shape(
        "2026-wrong-nonce",
        "A token made for another request is refused.",
        t2026 + 9,
        "Zt6Wd9s",
        "rsa2048-a",
        {"nonce": sha256hex("another request")},
        "nonce_mismatch",
        life=86400,
        attacks=34,
    )
    shape(
        "2026-upper-case-email",
        "An address stays as it is written.",
        t2026 + 10,
        "Zt6Wd9s",
        "rsa2048-a",
        {"email": "Jo@Example.COM"},
        {"email": "Jo@Example.COM"},
        life=86400,
    )
    shape(
        "2026-changed-email",
        "The same subject with another address is the same subject.",
        t2026 + 11,
        "Zt6Wd9s",
        "rsa2048-a",
        {"email": "new@example.com"},
        {"subject": SUBJECT, "email": "new@example.com"},
        life=86400,
        attacks=[42, 43],
    )
    shape(
        "2026-same-email-other-subject",
        "The same address with another subject is another subject.",
        t2026 + 12,
        "Zt6Wd9s",
        "rsa2048-a",
        {"sub": "005555.0123456789abcdef0123456789abcdef.0915"},
        {"subject": "005555.0123456789abcdef0123456789abcdef.0915", "email": "jo@example.com"},
        life=86400,
        attacks=[42, 43],
    )
    # The client secret that an app's server signs for Apple, and the body of a server notification.
    text = sign(
        {"alg": "ES256", "kid": "AB12CD34EF"},
        {"iss": "TEAM012345", "iat": t2026, "exp": t2026 + 300, "aud": "https://appleid.apple.com", "sub": APP},
        "p256-a",
    )
    book.case(
        "2026-client-secret",
        "A client secret is not an identity token.",
        text,
        "algorithm_not_allowed",
        keys="renamed",
        at=t2026 + 10,
        attacks=33,
    )
    text = sign(
        header(kid="Zt6Wd9s"),
        change(
            claims(iat=t2026, exp=t2026 + 86400, nonce=DROP),
            {"jti": "n-1", "events": '{"type":"consent-revoked","sub":"' + SUBJECT + '","event_time":1780000000}'},
        ),
    )
    book.case(
        "2026-notification-as-identity",
        "A notification, signed by the same key, is not a sign-in.",
        text,
        refused("not_an_identity_token"),
        keys="renamed",
        at=t2026 + 10,
        attacks=33,
        nonce={"rule": "unchecked"},
    )
    # Flags of every odd kind.
    odd = [
        ("one", 1),
        ("zero", 0),
        ("string-one", "1"),
        ("capital", "True"),
        ("upper", "TRUE"),
        ("yes", "yes"),
        ("null", None),
        ("empty", ""),
        ("padded", " true"),
        ("array", [True]),
        ("object", {"value": True}),
    ]
    for number, (name, value) in enumerate(odd):
        shape(
            f"flags-odd-{name}",
            "A flag that is not a boolean or its exact word is false, not an error.",
            t2026 + 100 + number,
            "Zt6Wd9s",
            "rsa2048-a",
            {"email_verified": value, "is_private_email": value},
            {"email": "jo@example.com", "emailVerified": False, "privateEmail": False},
            attacks=[41, 44],
        )
    for number, (name, value) in enumerate(
        [("null", None), ("number", 5), ("array", ["jo@example.com"]), ("object", {}), ("empty", ""), ("bool", True)]
    ):
        shape(
            f"email-odd-{name}",
            "An e-mail that is not a non-empty string is no e-mail and no error.",
            t2026 + 200 + number,
            "Zt6Wd9s",
            "rsa2048-a",
            {"email": value},
            {"email": None},
            attacks=42,
        )
    for number, (name, value) in enumerate(
        [("string", "2"), ("null", None), ("float", 1.5), ("bool", True), ("array", [2])]
    ):
        shape(
            f"real-user-odd-{name}",
            "A real_user_status of another type is no error.",
            t2026 + 300 + number,
            "Zt6Wd9s",
            "rsa2048-a",
            {"real_user_status": value},
        )
    for number, (name, value) in enumerate([("negative", -1), ("large", 123456)]):
        shape(
            f"real-user-{name}",
            "Any integer of real_user_status is read.",
            t2026 + 400 + number,
            "Zt6Wd9s",
            "rsa2048-a",
            {"real_user_status": value},
            {"realUserStatus": value},
        )
    for number, (name, value) in enumerate([("null", None), ("number", 1), ("array", []), ("word", "maybe")]):
        shape(
            f"nonce-supported-odd-{name}",
            "nonce_supported of another type is no error when the nonce is there.",
            t2026 + 500 + number,
            "Zt6Wd9s",
            "rsa2048-a",
            {"nonce_supported": value},
        )
    return book
