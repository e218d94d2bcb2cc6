"""What each provider asks beyond the common rules."""

from .. import keys
from ..build import (
    APP,
    DROP,
    HASHED,
    NOW,
    OTHER,
    PLAIN,
    RAW_NONCE,
    UNCHECKED,
    Book,
    change,
    header,
    sign,
    usual_key_set,
)

TENANT, TENANT_B = "11111111-2222-3333-4444-555555555555", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
CLIENT = "123456789012-abc.apps.example.com"
PROJECT = "example-project"


def microsoft_issuer(tenant):
    return f"https://login.microsoftonline.com/{tenant}/v2.0"


def book():
    template = microsoft_issuer("{tenantid}")

    def microsoft_key(name, kid, issuer):
        return keys.jwk(name, kid, issuer=issuer)

    book = Book(
        "providers",
        "Providers: Google, Microsoft, Facebook, Firebase, a configured issuer",
        apple=usual_key_set(),
        microsoft={
            "keys": [
                microsoft_key("rsa2048-a", "template", template),
                microsoft_key("rsa2048-b", "tenant", microsoft_issuer(TENANT)),
                microsoft_key("rsa2048-c", "personal", microsoft_issuer(PERSONAL)),
                microsoft_key("rsa3072", "none", None),
                microsoft_key("rsa4096", "odd", "https://login.microsoftonline.com/{tenantid}/v2.0/"),
            ]
        },
        oidc={"keys": [keys.jwk("rsa2048-a", "one", alg="RS256")]},
        single={"keys": [keys.jwk("rsa2048-a")]},
    )

    def maker(provider, base, slug):
        def case(name, rule, body, expect, attacks=None, options=None, head=None, **more):
            more.setdefault("nonce", PLAIN)
            subject = (base | body).get("sub")
            if expect is None or isinstance(expect, dict):
                expect = {"verdict": "accepted", "subject": subject} | (expect or {})
            text = sign(header(**(head or {})), change(base, body), more.pop("key", "rsa2048-a"))
            book.case(
                f"{slug}-{name}", rule, text, expect, provider=provider | (options or {}), attacks=attacks, **more
            )

        return case

    # Google
    google = {"name": "google", "audiences": [CLIENT]}
    base = {
        "iss": "https://accounts.google.com",
        "azp": CLIENT,
        "aud": CLIENT,
        "sub": "110169484474386276334",
        "hd": "example.com",
        "email": "jo@example.com",
        "email_verified": True,
        "at_hash": "x",
        "nonce": RAW_NONCE,
        "iat": NOW,
        "exp": NOW + 3600,
    }
    case = maker(google, base, "google")
    case(
        "good",
        "A token of Google.",
        {},
        {"issuer": "https://accounts.google.com", "audience": CLIENT, "email": "jo@example.com", "emailVerified": True},
    )
    case(
        "short-issuer",
        "The old issuer is the same issuer.",
        {"iss": "accounts.google.com"},
        {"issuer": "https://accounts.google.com"},
    )
    for name, issuer in (
        ("http", "http://accounts.google.com"),
        ("slash", "https://accounts.google.com/"),
        ("short-slash", "accounts.google.com/"),
        ("apple", "https://appleid.apple.com"),
        ("upper", "https://Accounts.google.com"),
        ("longer", "https://accounts.google.com.evil.example"),
        ("double-slash", "//accounts.google.com"),
        ("securetoken", f"https://securetoken.google.com/{PROJECT}"),
    ):
        case(f"issuer-{name}", "Google has two issuers and no other.", {"iss": issuer}, "issuer_mismatch", 30)
    case("presenter", "azp is the app that asked, aud the server.", {"azp": OTHER}, None, 32, {"presenters": [OTHER]})
    case("presenter-unknown", "azp of an app that is not ours.", {"azp": OTHER}, "authorized_party_mismatch", 32)
    case("no-azp", "azp may be absent.", {"azp": DROP}, None, 32)
    case("other-client", "A token for another client.", {"aud": OTHER, "azp": OTHER}, "audience_mismatch", 31)
    case("hosted-domain-ignored", "hd is not looked at.", {"hd": "evil.example"}, None)
    case(
        "email-unverified",
        "An address that Google has not verified.",
        {"email_verified": False},
        {"emailVerified": False},
        44,
    )
    case("email-verified-string", "The flag as a string.", {"email_verified": "true"}, {"emailVerified": True}, 41)
    case("es256", "Google signs with RS256.", {}, "algorithm_not_allowed", head={"alg": "ES256"}, key="p256-a")
    case("no-kid", "Google's token names its key.", {}, "key_not_found", head={"kid": DROP})
    case(
        "nonce-hashed-rule", "Google's nonce is plain here, the rule is hashed.", {}, "nonce_mismatch", 34, nonce=HASHED
    )
    case("nonce-wrong", "Another nonce.", {"nonce": "x"}, "nonce_mismatch", 34)

    # Facebook
    facebook = {"name": "facebook", "audiences": ["1234567890"]}
    base = {
        "iss": "https://www.facebook.com",
        "aud": "1234567890",
        "sub": "10222333444555666",
        "iat": NOW,
        "exp": NOW + 3600,
        "jti": "j.1",
        "nonce": RAW_NONCE,
        "email": "jo@example.com",
        "name": "Jo",
        "picture": "https://images.example.com/jo",
    }
    case = maker(facebook, base, "facebook")
    case(
        "good",
        "A token of Facebook; its address is never verified.",
        {},
        {
            "issuer": "https://www.facebook.com",
            "audience": "1234567890",
            "email": "jo@example.com",
            "emailVerified": False,
        },
        [43, 44],
    )
    for name, value in (("true", True), ("string", "true")):
        case(
            f"email-verified-{name}",
            "Facebook's address is never verified, whatever the token says.",
            {"email_verified": value},
            {"email": "jo@example.com", "emailVerified": False},
            [41, 43, 44],
        )
    for name, issuer in (
        ("limited", "https://limited.facebook.com"),
        ("no-www", "https://facebook.com"),
        ("slash", "https://www.facebook.com/"),
        ("mobile", "https://m.facebook.com"),
    ):
        case(f"issuer-{name}", "Facebook has one issuer.", {"iss": issuer}, "issuer_mismatch", 30)
    case("nonce-missing", "Facebook's nonce is checked as any other.", {"nonce": DROP}, "nonce_missing", 34)
    case("audience-number", "An app id is a string.", {"aud": 1234567890}, "claims_malformed", 31)
    case("ps256", "Facebook signs with RS256.", {}, "algorithm_not_allowed", 3, head={"alg": "PS256"})
    case("no-kid", "Facebook's token names its key.", {}, "key_not_found", head={"kid": DROP})

    # Firebase
    firebase = {"name": "firebase", "audiences": [PROJECT]}
    base = {
        "iss": f"https://securetoken.google.com/{PROJECT}",
        "aud": PROJECT,
        "auth_time": NOW - 5000,
        "user_id": "uid1",
        "sub": "uid1",
        "iat": NOW,
        "exp": NOW + 3600,
        "email": "jo@example.com",
        "email_verified": False,
        "firebase": {"identities": {"email": ["jo@example.com"]}, "sign_in_provider": "password"},
    }
    case = maker(firebase, base, "firebase")
    free = {"nonce": UNCHECKED}
    case(
        "good",
        "A token of Firebase.",
        {},
        {"issuer": base["iss"], "audience": PROJECT, "email": "jo@example.com", "emailVerified": False},
        44,
        **free,
    )
    case("no-auth-time", "auth_time must be there.", {"auth_time": DROP}, "claims_malformed", **free)
    case("auth-time-null", "auth_time must be a number.", {"auth_time": None}, "claims_malformed", 21, **free)
    case("auth-time-string", "auth_time must be a number.", {"auth_time": str(NOW)}, "claims_malformed", 21, **free)
    case("auth-time-future", "auth_time must be past.", {"auth_time": NOW + 1000}, "issued_in_future", 39, **free)
    case("auth-time-after-iat", "auth_time after iat, both past, is no fault.", {"auth_time": NOW + 20}, None, **free)
    case("auth-time-old", "A session can be old.", {"auth_time": NOW - 10**8}, None, **free)
    for length in (1, 127, 128):
        case(f"sub-{length}", "sub has at most 128 bytes.", {"sub": "u" * length}, None, **free)
    case("sub-128-letters", "sub of 64 two-byte letters has 128 bytes.", {"sub": "é" * 64}, None, **free)
    for name, value in (("129", "u" * 129), ("255", "u" * 255), ("130-letters", "é" * 65)):
        case(f"sub-{name}", "sub of more than 128 bytes.", {"sub": value}, "claims_malformed", **free)
    case("sub-empty", "sub must not be empty.", {"sub": ""}, "subject_missing", **free)
    case("sub-missing", "user_id does not stand in for sub.", {"sub": DROP}, "subject_missing", **free)
    for name, issuer in (
        ("other-project", "https://securetoken.google.com/other-project"),
        ("session-cookie", f"https://session.firebase.google.com/{PROJECT}"),
        ("no-project", "https://securetoken.google.com/"),
        ("no-slash", "https://securetoken.google.com"),
        ("slash", base["iss"] + "/"),
        ("longer-project", base["iss"] + "-2"),
        ("google", "https://accounts.google.com"),
        ("upper", base["iss"].replace(PROJECT, PROJECT.upper())),
    ):
        case(f"issuer-{name}", "The issuer holds the project.", {"iss": issuer}, "issuer_mismatch", 30, **free)
    case("other-audience", "aud is the project.", {"aud": "other-project"}, "audience_mismatch", 31, **free)
    case(
        "other-project",
        "Another project's token.",
        {"iss": "https://securetoken.google.com/other-project", "aud": "other-project"},
        "issuer_mismatch",
        [30, 31],
        **free,
    )
    case(
        "custom-token",
        "A custom token is made by the app's server and names no key.",
        {
            "iss": "service@example.com",
            "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
            "auth_time": DROP,
        },
        "claims_malformed",
        33,
        head={"kid": DROP},
        **free,
    )
    case("emulator", "An emulator's token is unsigned.", {}, "algorithm_not_allowed", 1, head={"alg": "none"}, **free)
    case("no-kid", "A token of Firebase names its key.", {}, "key_not_found", head={"kid": DROP}, **free)
    case(
        "nonce-given",
        "A nonce of the request goes not unchecked.",
        {},
        "nonce_mismatch",
        34,
        nonce={"rule": "unchecked", "value": "x"},
    )

    # Microsoft
    microsoft = {"name": "microsoft", "audiences": [APP], "tenant": TENANT}
    base = {
        "ver": "2.0",
        "iss": microsoft_issuer(TENANT),
        "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
        "aud": APP,
        "exp": NOW + 3600,
        "iat": NOW,
        "nbf": NOW,
        "name": "Jo",
        "preferred_username": "jo@example.com",
        "oid": "00000000-0000-0000-66f3-3332eca7ea81",
        "tid": TENANT,
        "nonce": RAW_NONCE,
    }
    case = maker(microsoft, base, "microsoft")

    def of(tenant):
        return {"tid": tenant, "iss": microsoft_issuer(tenant)}

    case(
        "good",
        "A token of the one tenant.",
        {},
        {"issuer": microsoft_issuer(TENANT), "audience": APP, "email": None},
        43,
    )
    allowed = {
        TENANT: (True, False, False),
        "common": (True, True, True),
        "organizations": (True, True, False),
        "consumers": (False, False, True),
    }
    for tenant, answers in allowed.items():
        for name, token_tenant, good in zip(
            ("tenant", "other-tenant", "personal"), (TENANT, TENANT_B, PERSONAL), answers
        ):
            case(
                f"{'guid' if tenant == TENANT else tenant}-takes-{name}",
                "The configured tenant says which tenants' tokens are taken.",
                of(token_tenant),
                None if good else "issuer_mismatch",
                30,
                {"tenant": tenant},
            )
    case(
        "personal-alone",
        "The personal tenant can be configured by its GUID.",
        of(PERSONAL),
        None,
        None,
        {"tenant": PERSONAL},
    )
    case(
        "personal-alone-other",
        "The personal tenant's GUID takes no other.",
        of(TENANT),
        "issuer_mismatch",
        30,
        {"tenant": PERSONAL},
    )
    for name, value in (
        ("upper", TENANT_B.upper()),
        ("braces", "{" + TENANT + "}"),
        ("no-dashes", TENANT.replace("-", "")),
        ("short", TENANT[:-1]),
        ("long", TENANT + "0"),
        ("empty", ""),
        ("name", "example.onmicrosoft.com"),
        ("common", "common"),
        ("template", "{tenantid}"),
        ("letter", TENANT[:-1] + "g"),
        ("dashes-moved", "1111111-12222-3333-4444-555555555555"),
        ("slash", TENANT + "/"),
        ("newline", TENANT + "\n"),
        ("path", "../" + TENANT),
        ("full-width", "１" + TENANT[1:]),
        ("arabic", "\u0661" + TENANT[1:]),
    ):
        case(f"tid-{name}", "tid must be a GUID in lower case.", of(value), "issuer_mismatch", 30, {"tenant": "common"})
    case("tid-missing", "tid must be there.", {"tid": DROP}, "issuer_mismatch", 30)
    case(
        "tid-missing-common",
        "tid must be there for every tenant.",
        {"tid": DROP},
        "issuer_mismatch",
        30,
        {"tenant": "common"},
    )
    case("tid-null", "tid must be a string.", {"tid": None}, "claims_malformed")
    case(
        "tid-of-another",
        "The issuer holds the tenant of tid.",
        {"tid": TENANT_B},
        "issuer_mismatch",
        30,
        {"tenant": "common"},
    )
    case(
        "issuer-of-another",
        "The issuer holds the tenant of tid.",
        {"iss": microsoft_issuer(TENANT_B)},
        "issuer_mismatch",
        30,
        {"tenant": "common"},
    )
    case(
        "issuer-of-another-one-tenant",
        "A right tid does not excuse another tenant's issuer.",
        {"iss": microsoft_issuer(TENANT_B)},
        "issuer_mismatch",
        30,
    )
    for name, issuer in (
        ("template", template),
        ("v1", f"https://sts.windows.net/{TENANT}/"),
        ("slash", microsoft_issuer(TENANT) + "/"),
        ("no-version", f"https://login.microsoftonline.com/{TENANT}"),
        ("version-1", f"https://login.microsoftonline.com/{TENANT}/v1.0"),
        ("sovereign", f"https://login.microsoftonline.us/{TENANT}/v2.0"),
        ("http", microsoft_issuer(TENANT).replace("https", "http")),
        ("upper-tenant", microsoft_issuer(TENANT_B.upper())),
        ("common", microsoft_issuer("common")),
        ("longer", microsoft_issuer(TENANT) + ".evil.example"),
    ):
        body = {"iss": issuer} | ({"tid": TENANT_B} if name == "upper-tenant" else {})
        case(
            f"issuer-{name}",
            "The issuer is Microsoft's with the tenant, byte for byte.",
            body,
            "issuer_mismatch",
            30,
            {"tenant": "common"},
        )
    case(
        "email",
        "An address without a flag is unverified.",
        {"email": "victim@example.com"},
        {"email": "victim@example.com", "emailVerified": False},
        [43, 44],
    )
    case(
        "email-edov",
        "xms_edov is an unknown claim.",
        {"email": "victim@example.com", "xms_edov": True},
        {"email": "victim@example.com", "emailVerified": False},
        [43, 44],
    )
    case("oid-ignored", "oid does not take the place of sub.", {"sub": DROP}, "subject_missing")
    case("no-kid", "Microsoft's token names its key.", {}, "key_not_found", head={"kid": DROP})
    # Keys that say whose they are
    common = {"tenant": "common"}
    for kid, key, tenant, good in (
        ("template", "rsa2048-a", TENANT, True),
        ("template", "rsa2048-a", TENANT_B, True),
        ("template", "rsa2048-a", PERSONAL, True),
        ("tenant", "rsa2048-b", TENANT, True),
        ("tenant", "rsa2048-b", TENANT_B, False),
        ("tenant", "rsa2048-b", PERSONAL, False),
        ("personal", "rsa2048-c", PERSONAL, True),
        ("personal", "rsa2048-c", TENANT, False),
        ("none", "rsa3072", TENANT, True),
        ("odd", "rsa4096", TENANT, False),
    ):
        who = {TENANT: "tenant", TENANT_B: "other-tenant", PERSONAL: "personal"}[tenant]
        case(
            f"key-{kid}-for-{who}",
            "A key with an issuer signs for that issuer alone.",
            of(tenant),
            None if good else "key_unusable",
            54,
            common,
            {"kid": kid},
            key=key,
            keys="microsoft",
        )
    case(
        "key-issuer-before-signature",
        "The key's issuer is compared before the signature.",
        of(TENANT_B),
        "key_unusable",
        54,
        common,
        {"kid": "tenant"},
        key="rsa2048-c",
        keys="microsoft",
    )

    # A configured issuer
    oidc = {"name": "oidc", "issuer": "https://id.example.com", "audiences": [APP]}
    base = {
        "iss": "https://id.example.com",
        "sub": "u-1",
        "aud": APP,
        "exp": NOW + 300,
        "iat": NOW,
        "nonce": RAW_NONCE,
        "email": "jo@example.com",
        "email_verified": True,
    }
    case = maker(oidc, base, "oidc")
    one = {"head": {"kid": "one"}, "keys": "oidc"}
    case(
        "good",
        "A token of a configured issuer.",
        {},
        {"issuer": "https://id.example.com", "audience": APP, "email": "jo@example.com", "emailVerified": True},
        **one,
    )
    case(
        "key-with-issuer",
        "The issuer of a key is a matter of Microsoft.",
        {},
        None,
        head={"kid": "tenant"},
        key="rsa2048-b",
        keys="microsoft",
    )
    case("no-kid", "Without a kid the only key is taken.", {}, None, head={"kid": DROP}, keys="oidc")
    case(
        "no-kid-key-without-kid",
        "Without a kid on both sides the only key is taken.",
        {},
        None,
        head={"kid": DROP},
        keys="single",
    )
    case(
        "kid-key-without-kid",
        "A kid does not fit a key that has none.",
        {},
        "key_not_found",
        head={"kid": "one"},
        keys="single",
    )
    for name, issuer in (
        ("slash", "https://id.example.com/"),
        ("path", "https://id.example.com/realm"),
        ("apple", "https://appleid.apple.com"),
        ("port", "https://id.example.com:443"),
        ("upper", "https://ID.example.com"),
    ):
        case(f"issuer-{name}", "The issuer is compared byte for byte.", {"iss": issuer}, "issuer_mismatch", 30, **one)
    slash = {"issuer": "https://id.example.com/"}
    case(
        "issuer-slash-configured",
        "An issuer with a slash at its end has it everywhere.",
        {"iss": "https://id.example.com/"},
        {"issuer": "https://id.example.com/"},
        None,
        slash,
        **one,
    )
    case(
        "issuer-slash-configured-missing",
        "An issuer with a slash at its end is not the one without.",
        {},
        "issuer_mismatch",
        30,
        slash,
        **one,
    )
    case("tid-ignored", "tid is a matter of Microsoft.", {"tid": "x"}, None, **one)
    case("auth-time-future", "auth_time is a matter of Firebase.", {"auth_time": NOW + 10**6}, None, **one)
    case("sub-255", "sub has at most 255 bytes.", {"sub": "s" * 255}, None, **one)
    # One provider's token at another
    tokens = {
        "google": ({"iss": "https://accounts.google.com"}, google),
        "facebook": ({"iss": "https://www.facebook.com"}, facebook),
        "apple": ({"iss": "https://appleid.apple.com"}, {"name": "apple", "audiences": [APP]}),
        "oidc": ({"iss": "https://id.example.com"}, oidc),
        "firebase": ({"iss": f"https://securetoken.google.com/{PROJECT}"}, firebase),
        "microsoft": ({"iss": microsoft_issuer(TENANT), "tid": TENANT}, microsoft),
    }
    for mine, (_, provider) in tokens.items():
        for theirs, (body, _) in tokens.items():
            if mine != theirs:
                text = sign(
                    header(),
                    {
                        "aud": provider["audiences"][0],
                        "sub": "u-1",
                        "exp": NOW + 300,
                        "iat": NOW,
                        "auth_time": NOW,
                        "nonce": RAW_NONCE,
                    }
                    | body,
                )
                book.case(
                    f"cross-{mine}-takes-{theirs}",
                    f"A token of {theirs} is none of {mine}, even under the same keys.",
                    text,
                    "issuer_mismatch",
                    provider=provider,
                    nonce=PLAIN,
                    attacks=[30, 33],
                )
    return book
