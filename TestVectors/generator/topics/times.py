"""Times at the second where the answer changes, on both sides of each rule."""

from ..build import APP, DROP, NOW, Book, accepted, token, usual_key_set
from ..encoding import Raw


def book():
    book = Book("times", "Times: boundary seconds", apple=usual_key_set())
    project = "example-project"

    def case(name, rule, body, at, expect, attacks=38, **options):
        provider = {"name": "apple", "audiences": [APP]} | options
        book.case(name, rule, token(None, body), expect, provider=provider, at=at, attacks=attacks)

    default = object()
    for leeway in (default, 0, 60, 300):
        more = {} if leeway is default else {"leeway": leeway}
        margin = 60 if leeway is default else leeway
        slug = "leeway-default" if leeway is default else f"leeway-{leeway}"
        free = more | {"maximumAge": None}
        exp = NOW + 600
        sides = lambda name, rule, body, edge, code, first_bad, options=free, attacks=38: [
            case(
                f"{name}-{slug}-{'last-good' if good else 'first-bad'}",
                rule,
                body,
                at,
                accepted() if good else code,
                attacks,
                **options,
            )
            for at, good in ((first_bad - edge, True), (first_bad, False))
        ]
        # `edge` is +1 when time runs out and -1 when it has not come yet
        sides("exp", "now < exp + leeway is accepted.", {}, 1, "token_expired", exp + margin)
        sides(
            "exp-fraction",
            "The fraction of exp is dropped.",
            {"exp": Raw(f"{exp}.9")},
            1,
            "token_expired",
            exp + margin,
        )
        nbf = NOW + 200
        sides(
            "nbf",
            "nbf <= now + leeway is accepted.",
            {"nbf": nbf, "iat": NOW - 1000},
            -1,
            "token_not_yet_valid",
            nbf - margin - 1,
        )
        sides(
            "nbf-fraction",
            "The fraction of nbf is dropped.",
            {"nbf": Raw(f"{nbf}.9"), "iat": NOW - 1000},
            -1,
            "token_not_yet_valid",
            nbf - margin - 1,
        )
        sides("iat", "iat <= now + leeway is accepted.", {}, -1, "issued_in_future", NOW - margin - 1, attacks=[38, 39])
        sides(
            "iat-fraction",
            "The fraction of iat is dropped.",
            {"iat": Raw(f"{NOW}.9")},
            -1,
            "issued_in_future",
            NOW - margin - 1,
            attacks=[38, 39],
        )
        for age in (default, 1, 300, 86400):
            options = more | ({} if age is default else {"maximumAge": age})
            seconds = 600 if age is default else age
            name = "age-default" if age is default else f"age-{age}"
            sides(
                name,
                "now <= iat + maximum age + leeway is accepted.",
                {"exp": NOW + 200000},
                1,
                "token_too_old",
                NOW + seconds + margin + 1,
                options,
                [38, 39],
            )
        sides(
            "age-fraction",
            "The fraction of iat is dropped.",
            {"iat": Raw(f"{NOW}.9"), "exp": NOW + 200000},
            1,
            "token_too_old",
            NOW + 600 + margin + 1,
            more,
            [38, 39],
        )
        firebase = {"name": "firebase", "audiences": [project]} | more
        for good in (True, False):
            at = NOW - margin - (0 if good else 1)
            body = {
                "iss": f"https://securetoken.google.com/{project}",
                "aud": project,
                "auth_time": NOW,
                "iat": NOW - 5000,
                "nonce": DROP,
            }
            book.case(
                f"auth-time-{slug}-{'last-good' if good else 'first-bad'}",
                "Firebase: auth_time <= now + leeway is accepted.",
                token(None, body),
                accepted() if good else "issued_in_future",
                provider=firebase,
                at=at,
                attacks=[38, 39],
                nonce={"rule": "unchecked"},
            )
        case(
            f"auth-time-apple-{slug}",
            "auth_time of Apple is not compared.",
            {"auth_time": NOW + 100000},
            NOW,
            accepted(),
            **free,
        )
    # Exactness
    at = NOW + 600
    case(
        "exp-exact-fraction",
        "A fraction is dropped, however near to the next second.",
        {"exp": Raw(f"{at - 1}." + "9" * 30)},
        at - 1,
        "token_expired",
        leeway=0,
    )
    case(
        "exp-exact-fraction-accepted",
        "A fraction is dropped, the second before is good.",
        {"exp": Raw(f"{at - 1}." + "9" * 30)},
        at - 2,
        accepted(),
        leeway=0,
    )
    case(
        "nbf-exact-fraction",
        "A fraction is dropped, however near to the next second.",
        {"nbf": Raw(f"{NOW}." + "9" * 30)},
        NOW,
        accepted(),
        leeway=0,
    )
    case(
        "iat-exact-fraction",
        "A fraction is dropped, however near to the next second.",
        {"iat": Raw(f"{NOW}." + "9" * 30)},
        NOW,
        accepted(),
        leeway=0,
    )
    case(
        "iat-exact-fraction-age",
        "A fraction is dropped before the age is taken.",
        {"iat": Raw(f"{NOW}." + "9" * 30), "exp": NOW + 86400},
        NOW + 601,
        "token_too_old",
        [38, 39],
        leeway=0,
        maximumAge=600,
    )
    # Each rule alone
    day = {"maximumAge": None}
    case("exp-zero", "exp 0 is long past.", {"exp": 0, "iat": 0}, NOW, "token_expired", 22, **day)
    case("exp-one", "exp 1 is long past.", {"exp": 1, "iat": 0}, NOW, "token_expired", 22, **day)
    case(
        "exp-long-ago", "A token of years ago.", {"exp": NOW - 200000000, "iat": NOW - 200000600}, NOW, "token_expired"
    )
    case("nbf-far", "A token of next year.", {"nbf": NOW + 31536000, "exp": NOW + 40000000}, NOW, "token_not_yet_valid")
    case(
        "nbf-after-exp",
        "nbf after exp, both within the leeway, is no fault of form.",
        {"nbf": NOW + 650},
        NOW + 640,
        accepted(),
        leeway=60,
        maximumAge=None,
    )
    case("nbf-before-iat", "nbf before iat is usual.", {"nbf": NOW - 300}, NOW, accepted())
    case(
        "iat-far-future",
        "Issued next year.",
        {"iat": NOW + 31536000, "exp": NOW + 31536600},
        NOW,
        "issued_in_future",
        39,
    )
    case(
        "iat-future-no-age",
        "A token of the future is refused without a maximum age too.",
        {"iat": NOW + 3600, "exp": NOW + 7200},
        NOW,
        "issued_in_future",
        39,
        **day,
    )
    case("iat-equals-exp", "iat equal to exp is accepted within the leeway.", {"exp": NOW}, NOW + 30, accepted(), 39)
    case("iat-after-exp", "iat later than exp is malformed.", {"exp": NOW - 1}, NOW + 30, "claims_malformed", 39)
    case(
        "iat-after-exp-leeway-300",
        "iat later than exp is malformed, whatever the leeway.",
        {"exp": NOW - 100},
        NOW + 30,
        "claims_malformed",
        39,
        leeway=300,
    )
    case(
        "iat-after-exp-same-second",
        "Fractions are dropped before iat and exp are compared.",
        {"iat": Raw(f"{NOW}.9"), "exp": Raw(f"{NOW}.1")},
        NOW,
        accepted(),
        39,
    )
    case(
        "age-a-day-default",
        "A token valid for a day is too old after the default age.",
        {"exp": NOW + 86400},
        NOW + 7200,
        "token_too_old",
        39,
    )
    case(
        "age-a-day-none",
        "Without a maximum age it is good until it expires.",
        {"exp": NOW + 86400},
        NOW + 86400 + 59,
        accepted(),
        39,
        **day,
    )
    case(
        "age-years-none",
        "Without a maximum age nothing else bounds it.",
        {"exp": NOW + 10**9},
        NOW + 10**9,
        accepted(),
        39,
        **day,
    )
    case(
        "age-longer-than-life",
        "A maximum age beyond exp does not prolong a token.",
        {},
        NOW + 660,
        "token_expired",
        38,
        maximumAge=86400,
    )
    case("clock-zero", "A clock at 0 is before everything.", {}, 0, "issued_in_future", 38)
    case("clock-2-40", "A clock far in the future.", {}, 2**40, "token_expired", 38)
    case("clock-32-bits", "Times beyond 32 bits.", {"iat": 2**32 + 10, "exp": 2**32 + 610}, 2**32 + 20, accepted(), 38)
    case("clock-31-bits", "Times beyond 31 bits.", {"iat": 2**31 + 10, "exp": 2**31 + 610}, 2**31 + 20, accepted(), 38)
    case(
        "largest-exp",
        "The largest exp and a large leeway do not overflow.",
        {"exp": 2**40 - 1},
        NOW,
        accepted(),
        [21, 38],
        leeway=300,
    )
    # The default age of each provider
    issuers = {
        "google": "https://accounts.google.com",
        "facebook": "https://www.facebook.com",
        "oidc": "https://id.example.com",
        "microsoft": "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0",
        "firebase": f"https://securetoken.google.com/{project}",
    }
    for name, issuer in issuers.items():
        provider = {"name": name, "audiences": [project if name == "firebase" else APP]}
        provider |= {"oidc": {"issuer": issuer}, "microsoft": {"tenant": "common"}}.get(name, {})
        body = {
            "iss": issuer,
            "aud": provider["audiences"][0],
            "exp": NOW + 10**6,
            "auth_time": NOW,
            "tid": "11111111-2222-3333-4444-555555555555",
        }
        text = token(None, body)
        if name == "firebase":
            book.case(
                "age-default-firebase",
                "Firebase has no maximum age of its own.",
                text,
                accepted(),
                provider=provider,
                at=NOW + 900000,
                attacks=39,
            )
            book.case(
                "age-given-firebase",
                "Firebase with a maximum age.",
                text,
                "token_too_old",
                provider=provider | {"maximumAge": 3600},
                at=NOW + 3661,
                attacks=39,
            )
            continue
        book.case(
            f"age-default-{name}-last-good",
            "The default maximum age is 3600 seconds.",
            text,
            accepted(),
            provider=provider,
            at=NOW + 3660,
            attacks=39,
        )
        book.case(
            f"age-default-{name}-first-bad",
            "The default maximum age is 3600 seconds.",
            text,
            "token_too_old",
            provider=provider,
            at=NOW + 3661,
            attacks=39,
        )
        book.case(
            f"age-none-{name}",
            "The maximum age can be switched off.",
            text,
            accepted(),
            provider=provider | {"maximumAge": None},
            at=NOW + 900000,
            attacks=39,
        )
    return book
